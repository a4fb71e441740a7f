#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[constant]
    static A: [u8; 1];
    #[constant]
    static B: [f64; 4_096];
    #[constant]
    static C: [f64; 4_095];
    #[constant]
    static D: [u8; 1];
}

fn main() {}

#[ptx::module(target = sm_90a)]
mod late {
    const N: usize = 40_000;
    #[constant]
    static A: [u8; N];
    #[constant]
    static B: [u8; N];
}
