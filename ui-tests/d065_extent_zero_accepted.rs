#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared(dynamic)]
    static X: [[f32; 0]];
}

fn main() {}
