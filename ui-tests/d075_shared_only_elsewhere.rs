#![allow(unused)]
use ptx::prelude::*;

#[tensor_map(element = bf16, box = [64, 8], swizzle = B128)]
struct A;

#[derive(PtxType)]
#[repr(C)]
struct Stage {
    tile: Tile<A>,
    full: [Mbarrier; 128],
}

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[global]
    static BARRIER: Mbarrier;
    #[global]
    static STAGES: [Stage; 2];
    #[global(allow(D075))]
    static MEANT: Mbarrier;
    #[shared]
    static THERE: Stage;

    #[kernel]
    pub fn takes(tile: Tile<A>) {
        ptx! { ret; }
    }
}

fn main() {}
