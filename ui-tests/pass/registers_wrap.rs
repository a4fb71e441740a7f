//! Registers wrap and are sign-extended: every access here is in bounds.
#![allow(unused)]
use ptx::prelude::*;
#[ptx::module(target = sm_90a)]
mod m {
    use super::*;
    #[shared(align = 16)]
    static A: [u32; 64];
    #[global(align = 16)]
    static G: [u32; 64];
    const BACK: u32 = (-16i32) as u32;
    const K: u64 = 0x9E37_79B9_7F4A_7C15;

    #[kernel]
    fn sext() {
        ptx! {               // cvt.s64.s32 of a "negative" u32 constant
            .reg .b32 %r<8>; .reg .b64 %d<8>;
            mov.b32 %r1, 0xfffffff0;
            cvt.s64.s32 %d1, %r1;
            mov.u64 %d2, G; add.s64 %d2, %d2, 64;
            add.s64 %d3, %d2, %d1;
            ld.global.u32 %r2, [%d3];
            ret;
        }
    }
    #[kernel]
    fn widemad() {
        ptx! {            // mad.wide.s32 of 0xffffffff
            .reg .b32 %r<8>; .reg .b64 %d<8>;
            mov.u32 %r1, 0xffffffff;
            mov.u64 %d2, G; add.s64 %d2, %d2, 64;
            mad.wide.s32 %d3, %r1, 4, %d2;
            ld.global.u32 %r2, [%d3];
            ret;
        }
    }
    #[kernel]
    fn wrap32() {
        ptx! {             // 32-bit number wraps, then widened
            .reg .b32 %r<8>; .reg .b64 %d<8>;
            mov.u32 %r1, 20;
            add.u32 %r1, %r1, 0xfffffff0;          // 4
            mul.wide.u32 %d1, %r1, 4;              // 16
            mov.u64 %d2, G;
            add.u64 %d2, %d2, %d1;
            ld.global.u32 %r2, [%d2];
            ret;
        }
    }
    #[kernel]
    fn countdown() {
        ptx! {             // 32-bit number wraps, then widened
            .reg .b32 %r<8>; .reg .b64 %d<8>;
            mov.u32 %r1, 17;
            add.u32 %r1, %r1, 0xffffffff;          // 16
            cvt.u64.u32 %d1, %r1;
            mov.u64 %d2, G;
            add.u64 %d2, %d2, %d1;
            ld.global.u32 %r2, [%d2];
            ret;
        }
    }
    #[kernel]
    fn shlwrap() {
        ptx! {
            .reg .b32 %r<8>; .reg .b64 %d<8>;
            mov.u32 %r1, 0x10000010;
            shl.b32 %r1, %r1, 4;                   // 0x100
            shr.u32 %r1, %r1, 2;                   // 0x40
            mov.u32 %r2, A;
            add.u32 %r2, %r2, %r1;
            ld.shared.u32 %r2, [%r2];
            ret;
        }
    }
    #[kernel]
    fn mulwrap() {
        ptx! {
            .reg .b32 %r<8>; .reg .b64 %d<8>;
            mov.u32 %r1, 0x80000001;
            mul.lo.u32 %r1, %r1, 4;                // 4
            cvt.u64.u32 %d1, %r1;
            mov.u64 %d2, G;
            add.u64 %d2, %d2, %d1;
            ld.global.u32 %r2, [%d2];
            ret;
        }
    }
    #[kernel]
    fn splicewrap() {
        ptx! {
            .reg .b32 %r<8>; .reg .b64 %d<8>;
            mov.u32 %r2, A;
            add.u32 %r2, %r2, 64;
            add.u32 %r2, %r2, #(BACK);
            ld.shared.u32 %r2, [%r2];
            ret;
        }
    }
    #[kernel]
    fn splicewrap64() {
        ptx! {
            .reg .b32 %r<8>; .reg .b64 %d<8>;
            mov.u64 %d2, G;
            add.u64 %d2, %d2, 64;
            add.u64 %d2, %d2, #((-16i64) as u64);
            ld.global.u32 %r2, [%d2];
            add.u64 %d2, %d2, 0xfffffffffffffff0;
            ld.global.u32 %r2, [%d2];
            add.u64 %d2, %d2, 18446744073709551600U;
            ld.global.u32 %r2, [%d2];
            ret;
        }
    }
    #[kernel]
    fn hash() {
        ptx! {
            .reg .b32 %r<8>; .reg .b64 %d<8>;
            mov.u64 %d1, #(K);
            mul.lo.u64 %d1, %d1, #(K);
            mul.lo.u64 %d1, %d1, #(K);
            shr.u64 %d1, %d1, 60;
            shl.b64 %d1, %d1, 2;
            mov.u64 %d2, G;
            add.u64 %d2, %d2, %d1;
            ld.global.u32 %r2, [%d2];
            ret;
        }
    }
    #[kernel]
    fn hash2() {
        ptx! {
            .reg .b32 %r<8>; .reg .b64 %d<8>;
            mov.u64 %d1, #(K);
            mul.lo.u64 %d1, %d1, #(K);
            mul.lo.u64 %d1, %d1, #(K);
            mul.lo.u64 %d1, %d1, 4;
            mov.u64 %d2, G;
            add.u64 %d2, %d2, %d1;
            sub.u64 %d2, %d2, %d1;
            ld.global.u32 %r2, [%d2];
            ret;
        }
    }
    #[kernel]
    fn sub32() {
        ptx! {
            .reg .b32 %r<8>; .reg .b64 %d<8>;
            mov.u32 %r1, 4;
            sub.u32 %r1, %r1, 8;                  // -4 as u32
            sub.u32 %r1, %r1, 0xfffffff0;         // 12
            mov.u32 %r2, A;
            add.u32 %r2, %r2, %r1;
            ld.shared.u32 %r3, [%r2];
            cvt.u64.u32 %d1, %r1;
            mov.u64 %d2, G; add.u64 %d2, %d2, %d1; ld.global.u32 %r3, [%d2];
            ret;
        }
    }
    #[kernel]
    fn carry() {
        ptx! {              // 64-bit address by halves
            .reg .b32 %r<8>; .reg .b64 %d<8>;
            mov.u64 %d2, G;
            mov.b64 {%r1, %r2}, %d2;
            add.cc.u32 %r1, %r1, 16;
            addc.u32 %r2, %r2, 0;
            mov.b64 %d3, {%r1, %r2};
            ld.global.u32 %r3, [%d3];
            ret;
        }
    }
    #[kernel]
    fn sat() {
        ptx! {
            .reg .b32 %r<8>; .reg .b64 %d<8>;
            mov.s32 %r1, 0x7fffffff;
            add.sat.s32 %r1, %r1, 16;   // 0x7fffffff
            sub.s32 %r1, %r1, 0x7fffffff;  // 0
            mov.u32 %r2, A; add.u32 %r2, %r2, %r1; ld.shared.u32 %r2, [%r2];
            ret;
        }
    }
    #[kernel]
    fn mad24() {
        ptx! {
            .reg .b32 %r<8>; .reg .b64 %d<8>;
            mov.u32 %r1, 0x01000001;
            mad24.lo.u32 %r2, %r1, 4, 0;   // 24 bits of a: 1 * 4
            mul24.lo.u32 %r3, %r1, 4;
            cvt.u64.u32 %d1, %r2;
            mov.u64 %d2, G; add.u64 %d2, %d2, %d1; ld.global.u32 %r4, [%d2];
            ret;
        }
    }
    #[kernel]
    fn cvtsat() {
        ptx! {
            .reg .b32 %r<8>; .reg .b64 %d<8>;
            mov.b32 %r1, 0xffffffff;
            cvt.sat.u32.s32 %r2, %r1;     // 0
            cvt.u64.u32 %d1, %r2;
            mov.u64 %d2, G; add.u64 %d2, %d2, %d1; ld.global.u32 %r4, [%d2];
            ret;
        }
    }
    #[kernel]
    fn shr_s32() {
        ptx! {
            .reg .b32 %r<8>; .reg .b64 %d<8>;
            mov.b32 %r1, 0xffffffc0;
            shr.s32 %r1, %r1, 2;     // -16
            mov.u32 %r2, A; add.u32 %r2, %r2, 32; add.u32 %r2, %r2, %r1; ld.shared.u32 %r4, [%r2];
            ret;
        }
    }
    #[kernel]
    fn x2() {
        ptx! {
            .reg .b32 %r<8>; .reg .b64 %d<8>;
            mov.b32 %r1, 0x0000ffff;
            mov.b32 %r3, 0x00000001; add.u16x2 %r1, %r1, %r3;     // 0
            mov.u32 %r2, A;  add.u32 %r2, %r2, %r1; ld.shared.u32 %r4, [%r2 + 4];
            cvt.u64.u32 %d1, %r1;
            mov.u64 %d2, G; add.u64 %d2, %d2, %d1; ld.global.u32 %r4, [%d2];
            ret;
        }
    }
    #[kernel]
    fn min_u() {
        ptx! {
            .reg .b16 %h<8>; .reg .b32 %r<8>; .reg .b64 %d<8>;
            mov.u16 %h1, 0xffff;
            add.u16 %h1, %h1, 1; // 0
            cvt.u64.u16 %d1, %h1;
            mov.u64 %d2, G; add.u64 %d2, %d2, %d1; ld.global.u32 %r4, [%d2];
            mov.u16 %h1, 0xffff;
            add.u16 %h1, %h1, 17; // 16
            mul.wide.u16 %r1, %h1, 4;
            mov.u32 %r2, A;  add.u32 %r2, %r2, %r1; ld.shared.u32 %r4, [%r2 + 4];
            ret;
        }
    }
}
fn main() {
    assert!(m::MODULE.check().is_empty(), "{:?}", m::MODULE.check());
}
