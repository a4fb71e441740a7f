#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[global(common)]
    static TEX: TexRef;
}

fn main() {}
