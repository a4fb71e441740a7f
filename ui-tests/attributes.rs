//! Attributes that are spelled like ours, or as CUDA C++ has them: what they stand on is declared all the same.

#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod misspelt {
    use super::*;

    #[shraed]
    static ROW: [f32; 4];
    #[Shared]
    static COLUMN: [f32; 4];
    #[__shared__]
    static TILE: [f32; 4];
    #[ptx::constnat]
    static FACTOR: f32 = 1.0;
    #[__device__]
    static COUNT: u32 = 1;

    #[kernal]
    fn k() {
        ptx! {
            .reg .f32 %f;
            ld.shared.f32 %f, [ROW];
            ld.shared.f32 %f, [COLUMN];
            ld.shared.f32 %f, [TILE];
            ld.const.f32 %f, [FACTOR];
            ld.global.b32 %f, [COUNT];
            call f;
            ret;
        }
    }

    #[__global__(maxntid = 32)]
    fn g() {
        ptx! { ret; }
    }

    #[devcie(extern)]
    fn f();
}

#[ptx::module(target = sm_90a)]
mod values {
    use super::*;

    #[shared(dynamic = true)]
    static ROW: [f32];
    #[global(weak = 1)]
    static COUNT: u32 = 0;
    #[global(align = "16")]
    static ALIGNED: u32 = 0;

    #[kernel(maxntid = "64")]
    fn k() {
        ptx! { ret; }
    }

    #[kernel(maxntid = 64.0, weak = true, allow(A34, a021))]
    fn l() {
        ptx! { ret; }
    }

    #[device(extern = true)]
    fn f();
}

fn main() {}
