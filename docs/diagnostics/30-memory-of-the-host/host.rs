use std::sync::Arc;

use cudarc::driver::CudaStream;
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
    stream: &Arc<CudaStream>,
    data: &mut Vec<f32>,
) -> Result<(), LaunchError> {
    m.fill().launch(stream, (data, 100))
}

fn main() {}
