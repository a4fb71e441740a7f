#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[kernel]
    fn k(table: [f32; 8_192]) {
        ptx! { ret; }
    }

    const N: usize = 2_048;
    #[kernel]
    fn late(table: [[f32; 4]; N]) {
        ptx! { ret; }
    }
}

fn main() {}

#[ptx::module(target = sm_90, version = 8.0)]
mod older {
    #[kernel]
    fn k(table: [f32; 1_089]) {
        ptx! { ret; }
    }
}
