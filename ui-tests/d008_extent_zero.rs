#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[global]
    static NONE: [f32; 0];
    #[global]
    static INNER: [[f32; 0]; 4];

    const N: usize = 2 - 2;
    #[shared]
    static LATE: [V4<f32>; N];
}

fn main() {}
