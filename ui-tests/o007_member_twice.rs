#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[global]
    static TEX: TexRef = TexRef::new().width(64).height(32).width(32);
}

fn main() {}
