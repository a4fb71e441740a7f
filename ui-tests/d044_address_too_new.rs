#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_70, version = 7.0)]
mod m {
    use super::*;

    #[global]
    static X: u32;
    #[global]
    static BYTE: u8 = mask(0xff, addr(X));
}

fn main() {}
