//! Threads and iterations that go too far, in the style of compilers: 64-bit addresses, incremented pointers,
//! trees and rings.
#![allow(unused)]
use ptx::prelude::*;

/// Only rustc knows the length.
type Late = [u32; 16];

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    #[global]
    static TABLE: [u32; 32];
    #[shared]
    static SUMS: [u32; 16];
    #[shared]
    static LATE: Late;
    #[shared]
    static PARTS: [f32; 128];
    #[shared]
    static FULL: [Mbarrier; 4];

    #[kernel(reqntid = 64)]
    fn table() {
        ptx! {
            .reg .b32 %r<4>;
            .reg .b64 %rd<4>;
            .reg .pred %p<2>;
            mov.u32 %r1, %tid.x;
            setp.gt.u32 %p1, %r1, 32;
            @%p1 bra $L__BB0_2;
            mul.wide.u32 %rd1, %r1, 4;
            mov.u64 %rd2, TABLE;
            add.s64 %rd3, %rd2, %rd1;
            st.global.u32 [%rd3], %r1;
        $L__BB0_2:
            ret;
        }
    }

    #[kernel]
    fn pointers() {
        ptx! {
            .reg .b32 %at, %end, %late;
            .reg .pred %p;
            mov.u32 %at, SUMS;
            mov.u32 %late, LATE;
            add.u32 %end, %at, 64;
        CLEAR:
            st.shared.u32 [%at], 7;
            st.shared.u32 [%late], 7;
            add.u32 %late, %late, 4;
            add.u32 %at, %at, 4;
            setp.le.u32 %p, %at, %end;
            @%p bra CLEAR;
            ret;
        }
    }

    #[kernel(reqntid = 128)]
    fn tree() {
        ptx! {
            .reg .b32 %t, %half, %at, %from;
            .reg .pred %p, %q;
            .reg .f32 %x, %y;
            mov.u32 %t, %tid.x;
            mov.u32 %at, PARTS;
            mad.lo.u32 %at, %t, 4, %at;
            mov.u32 %half, 128;
        HALVE:
            setp.ge.u32 %p, %t, %half;
            @%p bra IDLE;
            mad.lo.u32 %from, %half, 4, %at;
            ld.shared.f32 %x, [%from];
            ld.shared.f32 %y, [%at];
            add.f32 %x, %x, %y;
            st.shared.f32 [%at], %x;
        IDLE:
            bar.sync 0;
            shr.u32 %half, %half, 1;
            setp.ne.u32 %q, %half, 0;
            @%q bra HALVE;
            ret;
        }
    }

    #[kernel]
    fn ring() {
        ptx! {
            .reg .b32 %stage, %n, %full, %at;
            .reg .pred %p, %q;
            mov.u32 %full, FULL;
            mov.u32 %stage, 0;
            mov.u32 %n, 0;
        NEXT:
            mad.lo.u32 %at, %stage, 8, %full;
            mbarrier.init.shared.b64 [%at], 1;
            add.u32 %stage, %stage, 1;
            setp.gt.u32 %p, %stage, 4;
            selp.u32 %stage, 0, %stage, %p;
            add.u32 %n, %n, 1;
            setp.ne.u32 %q, %n, 32;
            @%q bra NEXT;
            ret;
        }
    }
}

fn main() {}
