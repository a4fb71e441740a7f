#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[constant]
    pub static A: [u8; 1];
    #[constant]
    pub static B: [f64; 4_096];
    #[constant]
    pub static C: [f64; 4_095];
    #[constant]
    pub static D: [u8; 1];
}

fn main() {}

#[ptx::module(target = sm_90a)]
mod late {
    const N: usize = 40_000;
    #[constant]
    pub static A: [u8; N];
    #[constant]
    pub static B: [u8; N];
}
