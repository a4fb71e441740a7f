#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared]
    static A: [f32; 8_192];
    #[shared]
    static B: [f32; 8_192];

    // Each one fits alone.
    #[kernel]
    fn one() {
        ptx! {
            .reg .b32 %r<2>;
            mov.b32 %r0, A;
            ret;
        }
    }

    #[kernel]
    fn both() {
        ptx! {
            .reg .b32 %r<2>;
            mov.b32 %r0, A;
            mov.b32 %r1, B;
            ret;
        }
    }

    const N: usize = 5_000;
    #[shared]
    static C: [f32; N];

    #[kernel]
    fn late() {
        ptx! {
            .reg .b32 %r<2>;
            .shared .b8 own[#(N * 6)];
            mov.b32 %r0, C;
            ret;
        }
    }
}

fn main() {}

// From ptxas 13.0, sm_90a accepts as much as a block can have.
#[ptx::module(target = sm_90a, ptxas = 13.0)]
mod newer {
    #[shared]
    static A: [f32; 40_000];
    #[shared]
    static B: [f32; 60_000];

    #[kernel]
    fn fits() {
        ptx! {
            .reg .b32 %r;
            mov.b32 %r, A;
            ret;
        }
    }

    #[kernel]
    fn too_large() {
        ptx! {
            .reg .b32 %r;
            mov.b32 %r, B;
            ret;
        }
    }
}
