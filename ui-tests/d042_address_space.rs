#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared]
    static TILE: [f32; 32];
    #[global]
    static POINTER: Ptr<Generic, f32> = generic(TILE);
}

fn main() {}
