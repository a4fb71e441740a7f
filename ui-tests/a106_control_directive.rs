//! Directives of control flow that list something else, or have no label.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    #[shared]
    static ROW: [u32; 8];

    #[kernel]
    fn k() {
        ptx! {
            TO: .branchtargets ROW;
            OF: .calltargets ROW;
            .callprototype _ ();
            ret;
        }
    }
}

fn main() {}
