//! Integers of another type than their parameter, and what is not an integer.

use cudarc::driver::{CudaSlice, CudaStream};
use ptx::cuda::{Checked, LaunchError};
use ptx::prelude::*;

#[ptx::module(target = sm_90)]
mod module {
    use super::*;

    #[kernel(reqntid = 64, grid = n.div_ceil(64), requires(to.len() >= n), unsafe(safe_launch))]
    pub fn fill(to: Ptr<Global, f32>, n: u32, value: f32) {
        ptx! { ret; }
    }
}

fn launch(
    module: &module::Loaded,
    stream: &CudaStream,
    to: &mut CudaSlice<f32>,
) -> Result<(), LaunchError> {
    let n = to.len();
    module.fill().launch(stream, (&mut *to, Checked(n), 1.0))?;
    module.fill().launch(stream, (&mut *to, n, 1.0))?;
    module.fill().launch(stream, (&mut *to, Checked(1.5), 1.0))?;
    module.fill().launch(stream, (&mut *to, 1, Checked(1)))?;
    module.fill().launch(stream, (to.slice_mut(..), 1, 1.0))?;
    Ok(())
}

fn main() {}
