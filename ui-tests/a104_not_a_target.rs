//! Jumps and calls whose target is not one.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    #[shared]
    static ROW: [u32; 8];

    #[device]
    fn f() {
        ptx! { ret; }
    }

    #[kernel]
    fn k() {
        ptx! {
            .reg .b32 %r;
            .reg .b16 %half;
            .reg .b64 %to, %far;
            mov.u32 %r, 0;
            mov.u64 %to, f;
            cvt.u64.u32 %far, %r;
            TO: .branchtargets END;
            P: .callprototype _ ();
            bra ROW;
            brx.idx %far, TO;
            call ROW;
            call %half, P;
            call %to;
            call f, P;
            END: ret;
        }
    }
}

fn main() {}
