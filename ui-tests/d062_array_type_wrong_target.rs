#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_60)]
mod m {
    use super::*;

    #[global]
    static X: [B128; 2];
}

fn main() {}
