use cudarc::driver::{CudaSlice, CudaStream};
use ptx::cuda::LaunchError;

#[ptx::module(target = sm_90a)]
pub mod m {
    use ptx::prelude::*;

    #[kernel(reqntid = 128)]
    pub fn fill(dst: Ptr<Global, f32>) {
        ptx! {
            let %dst: u64;
            ld.param.u64 %dst, [dst];
            st.global.f32 [%dst], 1.0;
            ret;
        }
    }
}

pub fn run(
    m: &m::Loaded,
    stream: &CudaStream,
    data: &mut CudaSlice<f32>,
) -> Result<(), LaunchError> {
    let blocks = data.len().div_ceil(128);
    unsafe { m.fill().grid(blocks).launch(stream, (data,)) }
}

fn main() {}
