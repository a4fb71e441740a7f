//! Indices into a tile, which has no elements.
#![allow(unused)]
use ptx::prelude::*;

#[tensor_map(element = f32, box = [32, 8], swizzle = B128)]
pub struct Swizzled;

#[tensor_map(element = f32, box = [32, 8])]
pub struct Dense;

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    #[shared]
    static LOADED: Tile<Swizzled>;
    #[shared]
    static ROWS: Tile<Dense>;

    #[derive(PtxType)]
    #[repr(C)]
    struct Stages {
        tiles: [Tile<Swizzled>; 2],
    }
    #[shared]
    static RING: Stages;

    #[kernel]
    fn at_a_constant() {
        ptx! {
            let %x: f32;
            ld.shared.f32 %x, [LOADED[3]];
            ret;
        }
    }

    #[kernel]
    fn at_a_thread() {
        ptx! {
            let %i, %at: u32;
            mov.u32 %i, %tid.x;
            lea.shared.u32 %at, LOADED[%i];
            ret;
        }
    }

    #[kernel]
    fn without_a_swizzle() {
        ptx! {
            let %i, %at: u32;
            mov.u32 %i, %tid.x;
            lea.shared.u32 %at, ROWS[%i][%i];
            ret;
        }
    }

    #[kernel]
    fn of_a_ring() {
        ptx! {
            let %i, %at: u32;
            mov.u32 %i, %tid.x;
            lea.shared.u32 %at, RING.tiles[1][%i][%i];
            ret;
        }
    }
}

fn main() {}
