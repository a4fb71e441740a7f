//! A057: a number that is used as an address.
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
            mov.u64 %at, 64;
            ld.global.u32 %r0, [%at];
            mov.u64 %at, OUT;
            ld.global.u32 %r1, [%at];
            // An offset without its base.
            shl.b64 %at, 3, 2;
            ld.u32 %r2, [%at + 4];
            // Shared memory starts at zero.
            mov.u32 %r3, 0;
            ld.shared.u32 %r2, [%r3];
            ret;
        }
    }
}

fn main() {}
