//! Kernels with `safe_launch` that take tensor maps: launching them is safe code.

#![deny(warnings)]
#![forbid(unsafe_code)]

use cudarc::driver::{CudaSlice, CudaStream};
use ptx::prelude::*;

/// Tiles of 16 x 8 floats.
#[tensor_map(element = f32, box = [16, 8])]
pub struct Tile;

/// The type of a parameter under another name.
pub type From = TensorMap<Tile, U128>;

#[ptx::module(target = sm_90a)]
mod tiles {
    use super::*;

    #[shared(align = 128)]
    static TILE: [B8; 512];

    #[kernel(reqntid = 1, grid = n, unsafe(safe_launch))]
    pub fn copy(
        #[readonly] from: TensorMap<Tile>,
        #[readonly] late: From,
        to: TensorMap<Tile>,
        n: u32,
    ) {
        ptx! {
            .reg .b64 %from, %late, %to;
            mov.b64 %from, from;
            cvta.param.u64 %from, %from;
            mov.b64 %late, late;
            cvta.param.u64 %late, %late;
            mov.b64 %to, to;
            cvta.param.u64 %to, %to;
            cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%from, {0, 0}];
            cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%late, {0, 0}];
            cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%to, {0, 0}], [TILE];
            cp.async.bulk.commit_group;
            cp.async.bulk.wait_group 0;
            ret;
        }
    }
}

fn launch(
    tiles: &tiles::Loaded,
    stream: &CudaStream,
    from: &CudaSlice<f32>,
    to: &mut CudaSlice<f32>,
) -> Result<(), Box<dyn std::error::Error>> {
    let from = Tile::over(from, stream).dims([16, 8]).encode()?;
    let to = Tile::over_mut(to, stream).dims(&[16, 8]).encode()?;
    let copy = tiles.copy();
    copy.launch(stream, (&from, &from, &to, 1))?;
    // A map that may store may also load.
    copy.launch(stream, (&to, &from, &to, 1))?;
    Ok(())
}

fn main() {
    let _ = launch;
}
