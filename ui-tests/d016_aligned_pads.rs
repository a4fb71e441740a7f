#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[global]
    static PADDED: Aligned<[f32; 5], U16>;

    type Five = [f32; 5];
    #[shared]
    static LATE: [Aligned<Five, U32>; 4];
}

fn main() {}
