#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_80, version = 8.0)]
mod m {
    use super::*;

    #[global]
    static BITS: B128;

    type Bits = B128;
    #[global]
    static LATE: [Bits; 2];
}

fn main() {}
