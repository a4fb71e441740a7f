#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[global(align = 2)]
    static LOW: u32;
    #[shared(align = 4)]
    static ROW: [V4<f32>; 8];

    const ALIGN: usize = 8;
    #[shared(align = ALIGN)]
    static LATE: [V4<f32>; 8];

    #[global(align = 1, allow(D006))]
    static ALLOWED: u32;
    #[global(align = 1, allow(D004))]
    static NO_HAZARD: u32;
    #[global(align = 1, allow(D060))]
    static UNKNOWN: u32;
}

fn main() {}
