#![allow(unused)]
use ptx::prelude::*;

#[tensor_map(element = u8, box = [64, 8], swizzle = B128Atom32)]
struct Newer;
#[tensor_map(element = u8, mode = tile::gather4, row = 64)]
struct Rows;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[kernel]
    pub fn load(newer: TensorMap<Newer>) {
        ptx! { ret; }
    }

    #[shared]
    static TILES: [Tile<Rows>; 2];
    #[shared(allow(D071))]
    static MEANT: [Tile<Rows>; 2];
}

#[ptx::module(target = sm_100a)]
mod there {
    use super::*;

    #[kernel]
    pub fn load(newer: TensorMap<Newer>, rows: TensorMap<Rows>) {
        ptx! { ret; }
    }
}

fn main() {}
