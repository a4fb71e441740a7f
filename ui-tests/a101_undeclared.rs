//! Names that nothing declares.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    #[shared]
    static ROW: [u32; 8];

    #[kernel]
    fn k(n: u32) {
        ptx! {
            .reg .b32 %r<2>;
            ld.param.u32 %r0, [m];
            ld.shared.u32 %r1, [ROV];
            add.u32 %r2, %r0, %r1;
            mov.u32 %late, %r0;
            .reg .b32 %late;
            bra nowhere;
        }
    }
}

fn main() {}
