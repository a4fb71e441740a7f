//! Elements of vector registers are separate registers, which are not followed.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared]
    static A: [u32; 64];
    #[global]
    static G: [u32; 64];

    #[kernel]
    fn elements() {
        ptx! {
            .reg .b32 %r;
            .reg .v2 .b64 %v;
            mov.u64 %v.x, A;
            mov.u64 %v.y, G;
            ld.shared.u32 %r, [%v.x];
            ld.global.u32 %r, [%v.y];
            ret;
        }
    }
}

fn main() {
    assert!(m::MODULE.check().is_empty(), "{:?}", m::MODULE.check());
}
