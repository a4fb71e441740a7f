#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[global]
    static UNSIZED: [f32];
    #[constant]
    static VALUED: [u8] = [1, 2];
    #[shared]
    static STATIC: [V4<f32>];
}

fn main() {}
