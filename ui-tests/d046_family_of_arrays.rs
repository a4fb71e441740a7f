#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared]
    static TILES: Family<[f32; 4], 10>;
}

fn main() {}
