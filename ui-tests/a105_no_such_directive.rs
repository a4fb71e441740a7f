//! Labels of no directive, where one with targets or a prototype has to stand.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    #[device]
    fn f() {
        ptx! { ret; }
    }

    #[kernel]
    fn k() {
        ptx! {
            .reg .b32 %r;
            .reg .b64 %to;
            mov.u32 %r, 0;
            mov.u64 %to, f;
            TO: .branchtargets END;
            brx.idx %r, END;
            call %to, TO;
            END: ret;
        }
    }
}

fn main() {}
