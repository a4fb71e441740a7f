#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared(dynamic)]
    static SCRATCH: [f32] = [1.0];
}

fn main() {}
