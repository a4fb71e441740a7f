#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[global(managed)]
    static COUNTER: u32;
}

fn main() {}
