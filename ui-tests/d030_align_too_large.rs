#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[global(align = 4_294_967_296)]
    static FAR: u32;

    const FARTHER: usize = 1 << 40;
    #[global(align = FARTHER)]
    static LATE: u32;
}

fn main() {}
