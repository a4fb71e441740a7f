//! A130: nothing decides in which phase of a barrier a thread arrives.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    #[kernel(reqntid = 128)]
    fn wrong() {
        ptx! {
            .reg .pred %is_first;
            .reg .b32 %t;
            mov.u32 %t, %tid.x;
            setp.lt.u32 %is_first, %t, 64;
            @%is_first bra $first;
            bar.sync 1, 64;
            ret;
        $first:
            bar.sync 1, 64;
            ret;
        }
    }

    #[kernel(reqntid = 128)]
    fn right() {
        ptx! {
            .reg .pred %is_first;
            .reg .b32 %t;
            mov.u32 %t, %tid.x;
            setp.lt.u32 %is_first, %t, 64;
            @%is_first bra $first;
            bar.sync 2, 64;
            ret;
        $first:
            bar.sync 1, 64;
            ret;
        }
    }
}

fn main() {}
