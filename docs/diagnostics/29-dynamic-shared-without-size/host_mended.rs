use cudarc::driver::CudaStream;
use ptx::cuda::LaunchError;

#[ptx::module(target = sm_90a)]
pub mod m {
    #[shared(dynamic)]
    static ROW: [f32];

    #[kernel(reqntid = 128)]
    pub fn k() {
        ptx! {
            st.shared.f32 [ROW], 0.0;
            ret;
        }
    }
}

pub fn run(m: &m::Loaded, stream: &CudaStream) -> Result<(), LaunchError> {
    unsafe { m.k().grid(1).dynamic(128).launch(stream, ()) }
}

fn main() {}
