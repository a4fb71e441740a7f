//! Buffers of scalars as arrays of vectors and of packed types; a launch that a graph captures.

#![deny(warnings)]

use cudarc::driver::{CudaSlice, CudaStream};
use ptx::cuda::LaunchError;
use ptx::prelude::*;

#[ptx::module(target = sm_90)]
mod rows {
    use super::*;

    #[kernel(reqntid = 32, grid = 1, unsafe(safe_launch))]
    pub fn vouched(
        #[readonly] pairs: Ptr<Global, [V2<f32>; 3]>,
        #[readonly] quads: Ptr<Global, [V4<u32>; 8]>,
        packed: Ptr<Global, [E4M3x4; 4]>,
    ) {
        ptx! {
            .reg .b64 %pairs, %quads, %packed;
            ld.param.u64 %pairs, [pairs];
            ld.param.u64 %quads, [quads];
            ld.param.u64 %packed, [packed];
            ret;
        }
    }
}

fn launch(
    rows: &rows::Loaded,
    stream: &CudaStream,
    pairs: &CudaSlice<f32>,
    quads: &CudaSlice<u32>,
    packed: &mut CudaSlice<E4M3>,
) -> Result<(), LaunchError> {
    let launch = rows.vouched();
    launch.launch(stream, (pairs, quads, &mut *packed))?;
    // SAFETY: the caller keeps the buffers as long as the graph.
    unsafe { launch.unvouched().launch(stream, (pairs, quads, packed)) }
}

fn main() {
    let _ = launch;
}
