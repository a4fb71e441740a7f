use cudarc::driver::{CudaSlice, CudaStream};
use ptx::cuda::LaunchError;

#[ptx::module(target = sm_90a)]
pub mod m {
    use ptx::prelude::*;

    #[kernel(reqntid = 128, grid = n.div_ceil(128), requires(dst.len() >= n), unsafe(safe_launch))]
    pub fn fill(dst: Ptr<Global, f32>, n: u32) {
        ptx! { ret; }
    }
}

pub fn run(
    m: &m::Loaded,
    stream: &CudaStream,
    data: &mut CudaSlice<f32>,
) -> Result<(), LaunchError> {
    m.fill().launch(stream, (&mut *data, data.len()))
}

fn main() {}
