//! Accesses that go out of bounds only in some threads or loop iterations.
#![allow(unused)]
use ptx::prelude::*;

/// Only rustc knows the length.
type Late = [u32; 32];

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    #[shared]
    static ROW: [f32; 128];
    #[shared]
    static SUMS: [u32; 64];
    #[shared]
    static FULL: [Mbarrier; 4];
    #[shared(align = 16)]
    static VECTORS: [f32; 256];

    #[shared]
    static LATE: Late;

    #[kernel(reqntid = 256)]
    fn threads() {
        ptx! {
            .reg .b32 %t, %row, %at;
            .reg .f32 %x;
            mov.u32 %t, %tid.x;
            mov.u32 %row, ROW;
            shl.b32 %at, %t, 2;
            add.u32 %at, %at, %row;
            mov.f32 %x, 0f00000000;
            st.shared.f32 [%at], %x;
            ret;
        }
    }

    #[kernel]
    fn rounds() {
        ptx! {
            .reg .b32 %i, %at, %sums;
            .reg .pred %p;
            mov.u32 %sums, SUMS;
            mov.u32 %i, 0;
        FILL:
            mad.lo.u32 %at, %i, 4, %sums;
            st.shared.u32 [%at], %i;
            add.u32 %i, %i, 1;
            setp.le.u32 %p, %i, 64;
            @%p bra FILL;
            ret;
        }
    }

    #[kernel(reqntid = 64)]
    fn stride() {
        ptx! {
            .reg .b32 %t, %at, %full;
            .reg .pred %p;
            mov.u32 %full, FULL;
            mov.u32 %t, %tid.x;
            mad.lo.u32 %at, %t, 4, %full;
            setp.ge.u32 %p, %t, 4;
            @%p bra DONE;
            mbarrier.init.shared.b64 [%at], 1;
        DONE:
            ret;
        }
    }

    #[kernel(reqntid = 64)]
    fn vectors() {
        ptx! {
            .reg .b32 %t, %at, %vectors;
            .reg .f32 %x<4>;
            mov.u32 %vectors, VECTORS;
            mov.u32 %t, %tid.x;
            mad.lo.u32 %at, %t, 4, %vectors;
            ld.shared.v4.f32 {%x0, %x1, %x2, %x3}, [%at];
            ret;
        }
    }

    #[kernel(reqntid = (8, 8))]
    fn late() {
        ptx! {
            .reg .b32 %i, %x, %y, %at, %late, %sums;
            .reg .pred %p;
            // One row too many, so the last thread of a block goes past the end of the last row.
            mov.u32 %sums, SUMS;
            mov.u32 %late, LATE;
            mov.u32 %i, 0;
            mov.u32 %x, %tid.x;
            mov.u32 %y, %tid.y;
        ROW:
            mad.lo.u32 %at, %i, 8, %x;
            mad.lo.u32 %at, %at, 4, %late;
            st.shared.u32 [%at], %y;
            add.u32 %i, %i, 1;
            setp.ne.u32 %p, %i, 5;
            @%p bra ROW;
            // Swizzled: not linear in the thread's indices.
            xor.b32 %x, %x, %y;
            shl.b32 %y, %y, 3;
            add.u32 %x, %x, %y;
            mad.lo.u32 %at, %x, 4, %sums;
            st.shared.u32 [%at + 4], %i;
            ret;
        }
    }

    #[device]
    fn inside() {
        ptx! {
            .reg .b32 %i, %n, %at, %sums;
            .reg .b64 %from;
            .reg .pred %p;
            mov.u64 %from, SEED;
            ld.global.u32 %n, [%from];
            setp.eq.u32 %p, %n, 0;
            @%p bra DONE;
            // A thread that gets here executes all iterations.
            mov.u32 %sums, SUMS;
            mov.u32 %i, 63;
        BACK:
            mad.lo.s32 %at, %i, 4, %sums;
            st.shared.u32 [%at], %n;
            sub.s32 %i, %i, 1;
            setp.ge.s32 %p, %i, -1;
            @%p bra BACK;
        DONE:
            ret;
        }
    }

    #[global]
    static SEED: u32;
}

fn main() {}
