#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[constant(unified(1, 2))]
    pub static X: u32;
}

fn main() {}
