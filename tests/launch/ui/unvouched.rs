//! Uses that are unsafe because only their author can guarantee them.

use cudarc::driver::{CudaSlice, CudaStream};
use ptx::cuda::{Aliased, LaunchError, RawPtr};
use ptx::prelude::*;

#[ptx::module(target = sm_90)]
mod fill {
    use super::*;

    #[kernel(reqntid = 64)]
    pub fn unvouched(to: Ptr<Global, f32>) {
        ptx! { ret; }
    }
}

fn launch(
    fill: &fill::Loaded,
    stream: &CudaStream,
    to: &mut CudaSlice<f32>,
) -> Result<(), LaunchError> {
    let launch = fill.unvouched().grid(1);
    let raw = RawPtr::new(Ptr::<Global, f32>::new(0x1000), 16);
    let aliased = Aliased::new(&*to);
    unsafe {
        launch.launch(stream, (raw,))?;
        launch.launch(stream, (aliased,))?;
    }
    launch.launch(stream, (to,))
}

fn main() {}
