//! A031: an address of one state space that is converted to another.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[global]
    static OUT: [u32; 4];
    #[shared]
    static SUMS: [u32; 4];

    #[kernel]
    fn k() {
        ptx! {
            .reg .b32 %r<4>;
            .reg .b64 %at, %from;
            .reg .pred %p;
            mov.u64 %from, OUT;
            cvta.to.shared.u64 %at, %from;
            ld.shared.u32 %r0, [%at];
            mov.u64 %from, SUMS;
            cvta.shared.u64 %from, %from;
            cvta.to.global.u64 %at, %from;
            ld.global.u32 %r0, [%at];
            cvta.to.shared.u64 %at, %from;
            ld.shared.u32 %r0, [%at];
            // Code that tests the space first never gets there.
            isspacep.global %p, %from;
            @!%p bra DONE;
            cvta.to.global.u64 %at, %from;
            ld.global.u32 %r0, [%at];
        DONE:
            ret;
        }
    }
}

fn main() {}
