//! A056: registers that are never written.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    #[global]
    static OUT: [u32; 4];

    #[kernel]
    fn k() {
        ptx! {
            .reg .pred %p, %q;
            .reg .b32 %r<4>;
            .reg .b64 %from, %to;
            mov.u64 %to, OUT;
            @%p st.global.u32 [%to], %r0;
            ld.global.u32 %r1, [%from];
            // It is written on one path.
            setp.eq.u32 %q, %r1, 0;
            @%q mov.u64 %from, OUT;
            ld.global.u32 %r2, [%from + 4];
            ret;
        }
    }

    #[shared]
    static ROW: [u32; 64];

    /// The base of the sum is not the register that is written.
    #[kernel(reqntid = 64)]
    fn computed() {
        ptx! {
            .reg .b32 %t, %at, %row, %base, %scaled, %index;
            mov.u32 %t, %tid.x;
            mov.u32 %row, ROW;
            mad.lo.u32 %at, %t, 4, %base;
            st.shared.u32 [%at], %t;
            shl.b32 %scaled, %index, 2;
            add.u32 %at, %row, %scaled;
            st.shared.u32 [%at + 4], %t;
            // A register on which nothing depends may have any value.
            sub.u32 %scaled, %index, %index;
            add.u32 %scaled, %row, %scaled;
            st.shared.u32 [%scaled], %t;
            ret;
        }
    }

    /// For the first threads, the other predicate does not matter.
    #[kernel(reqntid = 64)]
    fn predicates() {
        ptx! {
            .reg .pred %first, %other, %both;
            .reg .b32 %t, %limit, %least;
            mov.u32 %t, %tid.x;
            setp.lt.u32 %first, %t, 4;
            and.pred %both, %first, %other;
            @%both st.shared.u32 [ROW], %t;
            setp.ge.u32 %first, %t, %limit;
            @%first st.shared.u32 [ROW + 4], %t;
            // No number is less than zero.
            setp.lt.u32 %first, %least, 0;
            @%first st.shared.u32 [ROW + 8], %t;
            ret;
        }
    }

    #[kernel(reqntid = 64)]
    fn barriers() {
        ptx! {
            .reg .b32 %number, %threads;
            bar.sync %number;
            bar.sync 1, %threads;
            ret;
        }
    }
}

fn main() {}
