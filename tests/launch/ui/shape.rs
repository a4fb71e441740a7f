//! Shapes that the declaration already determines, and kernels of other modules.

use cudarc::driver::{CudaSlice, CudaStream};
use ptx::cuda::{LaunchError, LoadedKernel};
use ptx::prelude::*;

#[ptx::module(target = sm_90)]
mod fill {
    use super::*;

    #[shared(dynamic)]
    static SIZED: [f32; 64];

    #[kernel(reqntid = 64, grid = n.div_ceil(64), requires(to.len() >= n), unsafe(safe_launch))]
    pub fn vouched(to: Ptr<Global, f32>, n: u32) {
        ptx! { .reg .b32 %r; mov.b32 %r, SIZED; ret; }
    }

    #[kernel(reqntid = 64)]
    pub fn unvouched(to: Ptr<Global, f32>) {
        ptx! { ret; }
    }
}

#[ptx::module(target = sm_90)]
mod other {
    use super::*;

    #[kernel(reqntid = 64)]
    pub fn unvouched(to: Ptr<Global, f32>) {
        ptx! { ret; }
    }
}

fn launch(
    fill: &fill::Loaded,
    other: &other::Loaded,
    stream: &CudaStream,
    to: &mut CudaSlice<f32>,
) -> Result<(), LaunchError> {
    fill.vouched().grid(2).launch(stream, (&mut *to, 100))?;
    fill.vouched().dynamic(64).launch(stream, (&mut *to, 100))?;
    unsafe { fill.unvouched().grid(to.len()).launch(stream, (&mut *to,))? };
    let mut kept: LoadedKernel<_> = fill.unvouched().kernel();
    kept = other.unvouched().kernel();
    drop(kept);
    Ok(())
}

fn main() {}
