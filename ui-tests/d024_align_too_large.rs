#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[global(align = 2_147_483_648)]
    static FAR: u32;

    const FARTHER: usize = 1 << 32;
    #[global(align = FARTHER)]
    static LATE: u32;
}

fn main() {}
