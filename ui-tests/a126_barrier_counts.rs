//! A126: threads that meet at a barrier say different numbers of threads.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    #[kernel(reqntid = 64)]
    fn wrong() {
        ptx! {
            .reg .pred %is_first;
            .reg .b32 %t;
            mov.u32 %t, %tid.x;
            setp.lt.u32 %is_first, %t, 32;
            @%is_first bra $arrive;
            bar.sync 1, 64;
            ret;
        $arrive:
            bar.arrive 1, 96;
            ret;
        }
    }

    #[kernel(reqntid = 64)]
    fn right() {
        ptx! {
            .reg .pred %is_first;
            .reg .b32 %t;
            mov.u32 %t, %tid.x;
            setp.lt.u32 %is_first, %t, 32;
            @%is_first bra $arrive;
            bar.sync 1, 64;
            ret;
        $arrive:
            bar.arrive 1, 64;
            ret;
        }
    }
}

fn main() {}
