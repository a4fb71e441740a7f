#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[constant]
    pub static TABLE: [f32; 16_385];

    const N: usize = 1 << 13;
    #[constant]
    pub static LATE: [[f64; 2]; N];
}

fn main() {}
