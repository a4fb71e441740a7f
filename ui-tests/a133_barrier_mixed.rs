//! A133: some threads reduce predicates at a barrier, and others do not.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    #[kernel(reqntid = 64)]
    fn wrong() {
        ptx! {
            .reg .pred %is_first, %any;
            .reg .b32 %t;
            mov.u32 %t, %tid.x;
            setp.lt.u32 %is_first, %t, 32;
            @%is_first bra $first;
            barrier.cta.sync 1, 64;
            ret;
        $first:
            barrier.cta.red.or.pred %any, 1, 64, %is_first;
            ret;
        }
    }

    #[kernel(reqntid = 64)]
    fn right() {
        ptx! {
            .reg .pred %is_first, %any;
            .reg .b32 %t;
            mov.u32 %t, %tid.x;
            setp.lt.u32 %is_first, %t, 32;
            @%is_first bra $first;
            barrier.cta.red.or.pred %any, 1, 64, %is_first;
            ret;
        $first:
            barrier.cta.red.or.pred %any, 1, 64, %is_first;
            ret;
        }
    }
}

fn main() {}
