#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    #[shared(dynamic)]
    static TILES: Family<[f32; 64], 4>;
}

fn main() {}
