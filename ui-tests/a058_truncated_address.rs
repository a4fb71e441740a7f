//! A058: an address that has lost its upper half.
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
            .reg .b32 %r<4>;
            .reg .b64 %at;
            mov.u64 %at, OUT;
            cvt.u32.u64 %r0, %at;
            add.u32 %r0, %r0, 4;
            cvt.u64.u32 %at, %r0;
            mov.u64 %at, OUT;
            cvt.u32.u64 %r0, %at;
            cvt.u64.u32 %at, %r0;
            ld.global.u32 %r1, [%at];
            ret;
        }
    }

    #[kernel]
    fn halves() {
        ptx! {
            .reg .b32 %low, %high, %x;
            .reg .b64 %at, %half;
            mov.u64 %at, OUT;
            mov.b64 {%low, %high}, %at;
            mov.u32 %high, 0;
            mov.b64 %half, {%low, %high};
            ld.global.u32 %x, [%half];
            and.b64 %half, %at, 0xffffffff;
            add.u64 %half, %half, 4;
            ld.global.u32 %x, [%half];
            // Both halves together are the address again.
            mov.b64 {%low, %high}, %at;
            mov.b64 %half, {%low, %high};
            ld.global.u32 %x, [%half];
            ret;
        }
    }
}

fn main() {}
