#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[global]
    static TEX: TexRef;
    #[global]
    static POINTER: u64 = addr(TEX);
}

fn main() {}
