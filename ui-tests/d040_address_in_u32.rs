#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[global]
    static X: u32;
    #[global]
    static NARROW: [u32; 2] = [addr(X), 7];
    #[global(allow(D040))]
    static ALLOWED: u32 = addr(X);
}

fn main() {}
