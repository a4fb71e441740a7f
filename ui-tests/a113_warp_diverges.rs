//! A113: instructions of whole warps that only some threads of a warp execute.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_80)]
mod m {
    use super::*;

    /// Threads 16 to 31 are in the same warp.
    #[kernel(reqntid = 64)]
    fn half() {
        ptx! {
            .reg .pred %p;
            .reg .b32 %t;
            mov.u32 %t, %tid.x;
            setp.lt.u32 %p, %t, 16;
            @%p bar.sync 0;
            bar.sync 0;
            ret;
        }
    }

    /// Even and odd threads execute different instructions.
    #[kernel(reqntid = 64)]
    fn odd() {
        ptx! {
            .reg .pred %p;
            .reg .b32 %t;
            mov.u32 %t, %tid.x;
            and.b32 %t, %t, 1;
            setp.eq.u32 %p, %t, 0;
            @%p bra EVEN;
            bar.sync 0;
            bra DONE;
        EVEN:
            bar.sync 0;
        DONE:
            ret;
        }
    }

    /// Whole warps do.
    #[kernel(reqntid = 64)]
    fn odd_warps() {
        ptx! {
            .reg .pred %p;
            .reg .b32 %t;
            mov.u32 %t, %tid.x;
            shr.u32 %t, %t, 5;
            setp.eq.u32 %p, %t, 0;
            @%p bra EVEN;
            bar.sync 0;
            bra DONE;
        EVEN:
            bar.sync 0;
        DONE:
            ret;
        }
    }

    /// Without `.aligned`, single threads may.
    #[kernel(reqntid = 64)]
    fn not_aligned() {
        ptx! {
            .reg .pred %p;
            .reg .b32 %t;
            mov.u32 %t, %tid.x;
            and.b32 %t, %t, 1;
            setp.eq.u32 %p, %t, 0;
            @%p bra EVEN;
            barrier.sync 0;
            bra DONE;
        EVEN:
            barrier.sync 0;
        DONE:
            ret;
        }
    }
}

fn main() {}
