//! Accesses that are out of bounds whenever they run: facts about an index from a test, or from the end of a
//! loop.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    #[shared]
    static SUMS: [u32; 64];
    #[global]
    static TABLE: [f32; 256];

    #[kernel]
    fn guard(index: u32) {
        ptx! {
            .reg .b32 %i;
            .reg .b64 %at, %table;
            .reg .f32 %x;
            .reg .pred %p;
            ld.param.u32 %i, [index];
            setp.lt.u32 %p, %i, 256;
            @%p bra DONE;
            mov.u64 %table, TABLE;
            mul.wide.u32 %at, %i, 4;
            add.s64 %at, %at, %table;
            ld.global.f32 %x, [%at];
        DONE:
            ret;
        }
    }

    #[kernel]
    fn negative(index: i32) {
        ptx! {
            .reg .b32 %i;
            .reg .b64 %at, %table;
            .reg .f32 %x;
            .reg .pred %p, %q, %r;
            ld.param.s32 %i, [index];
            setp.lt.s32 %p, %i, 0;
            setp.ge.s32 %q, %i, -256;
            and.pred %r, %p, %q;
            @!%r bra DONE;
            mov.u64 %table, TABLE;
            mul.wide.s32 %at, %i, 4;
            add.s64 %at, %at, %table;
            ld.global.f32 %x, [%at];
        DONE:
            ret;
        }
    }

    #[kernel]
    fn behind() {
        ptx! {
            .reg .b32 %i, %at, %sums, %found;
            .reg .pred %p;
            mov.u32 %sums, SUMS;
            mov.u32 %i, 0;
        NEXT:
            mad.lo.u32 %at, %i, 4, %sums;
            ld.shared.u32 %found, [%at];
            setp.eq.u32 %p, %found, 0;
            @%p bra FOUND;
            add.u32 %i, %i, 1;
            setp.lt.u32 %p, %i, 64;
            @%p bra NEXT;
            mad.lo.u32 %at, %i, 4, %sums;
            st.shared.u32 [%at], %i;
        FOUND:
            ret;
        }
    }
}

fn main() {}
