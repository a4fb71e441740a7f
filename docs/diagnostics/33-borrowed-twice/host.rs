use cudarc::driver::{CudaSlice, CudaStream};
use ptx::cuda::LaunchError;

#[ptx::module(target = sm_90a)]
pub mod m {
    use ptx::prelude::*;

    #[kernel(reqntid = 128, grid = src.len().div_ceil(128), requires(dst.len() >= src.len()), unsafe(safe_launch))]
    pub fn copy(#[readonly] src: Ptr<Global, f32>, dst: Ptr<Global, f32>) {
        ptx! { ret; }
    }
}

pub fn run(
    m: &m::Loaded,
    stream: &CudaStream,
    mut data: CudaSlice<f32>,
) -> Result<(), LaunchError> {
    m.copy().launch(stream, (&data, &mut data))
}

fn main() {}
