#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared(dynamic, align = 4)]
    static SCRATCH: [V4<f32>];
}

fn main() {}
