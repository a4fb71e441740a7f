#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_80)]
mod m {
    use super::*;

    #[global(unified(1, 2))]
    pub static X: u32;
}

fn main() {}
