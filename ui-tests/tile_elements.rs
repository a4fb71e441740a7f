//! Indices into a tile, which are the coordinates of an element.
#![allow(unused)]
use ptx::prelude::*;

#[tensor_map(element = f32, box = [32, 8], swizzle = B128)]
pub struct Swizzled;

#[tensor_map(element = f32, box = [32, 8])]
pub struct Dense;

#[tensor_map(element = b4x16, box = [128, 8])]
pub struct Nibbles;

#[derive(PtxType)]
#[repr(C)]
pub struct Far {
    tile: Tile<Swizzled>,
}

#[ptx::module(target = sm_100a)]
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

    #[shared]
    static FAR: Far;
    #[shared]
    static NIBBLES: Tile<Nibbles>;

    /// An element has a coordinate for each dimension of the box.
    #[kernel]
    fn too_few() {
        ptx! {
            let %x: f32;
            let %i, %at: u32;
            mov.u32 %i, %tid.x;
            ld.shared.f32 %x, [LOADED[3]];
            lea.shared.u32 %at, RING.tiles[1][%i];
            lea.shared.u32 %at, ROWS[1][2][%i];
            ret;
        }
    }

    /// The box has 8 rows of 32 elements.
    #[kernel]
    fn outside() {
        ptx! {
            let %x: f32;
            let %i, %at: u32;
            mov.u32 %i, %tid.x;
            ld.shared.f32 %x, [LOADED[8][0]];
            lea.shared.u32 %at, LOADED[%i][32];
            lea.shared.u32 %at, RING.tiles[2][%i][0];
            ret;
        }
    }

    /// Nothing here shows that the field is a tile.
    #[kernel]
    fn of_another_module() {
        ptx! {
            let %x: f32;
            ld.shared.f32 %x, [FAR.tile[3][0]];
            ret;
        }
    }

    /// Two elements share a byte.
    #[kernel]
    fn smaller_than_a_byte() {
        ptx! {
            let %x: B8;
            ld.shared.b8 %x, [NIBBLES[3][0]];
            ret;
        }
    }
}

fn main() {}
