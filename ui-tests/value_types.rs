//! Initial values of another type than their variable's.

#![allow(unused)]
use ptx::prelude::*;

const TAPS: usize = 5;

#[ptx::module(target = sm_89)]
mod m {
    use super::*;

    #[constant]
    static FEW: [f32; TAPS] = [1.0, 4.0, 6.0, 4.0];
    #[constant]
    static INTEGER: [f32; 2] = [1.0, 4];
    #[constant]
    static FLOAT: u32 = 1.0;
    #[global]
    static ARRAY: V2<f32> = [1.0, 2.0];
    #[global]
    static SUM: f32 = 1 + 2;
}

fn main() {}
