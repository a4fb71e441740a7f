//! A076: barriers that wait for more threads than reach them.
#![allow(unused)]
use ptx::prelude::*;

const THREADS: u32 = 128;

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    /// More than the block has, and not a multiple of a warp.
    #[kernel(reqntid = 64)]
    fn k() {
        ptx! {
            .reg .b32 %r;
            .reg .pred %p;
            mov.u32 %r, 40;
            barrier.sync 1, 96;
            bar.arrive 2, %r;
            bar.red.popc.u32 %r, 3, 96, %p;
            bar.sync 4, 64;
            ret;
        }
    }

    /// One warp of four waits for two.
    #[kernel(reqntid = 128)]
    fn one_warp() {
        ptx! {
            .reg .b32 %t, %w;
            .reg .pred %p;
            mov.u32 %t, %tid.x;
            shr.u32 %w, %t, 5;
            setp.ne.u32 %p, %w, 0;
            @%p bra DONE;
            bar.sync 1, 64;
        DONE:
            bar.sync 0, #(THREADS);
            ret;
        }
    }

    /// A barrier for each warp.
    #[kernel(reqntid = 128)]
    fn each_warp() {
        ptx! {
            .reg .b32 %t, %w;
            mov.u32 %t, %tid.x;
            shr.u32 %w, %t, 5;
            add.u32 %w, %w, 1;
            bar.sync %w, 32;
            bar.sync 0;
            ret;
        }
    }

    /// The producer arrives, and the consumer waits.
    #[kernel(reqntid = 64)]
    fn roles() {
        ptx! {
            .reg .b32 %t;
            .reg .pred %p;
            mov.u32 %t, %tid.x;
            setp.lt.u32 %p, %t, 32;
            @%p bra CONSUMER;
            bar.arrive 1, 64;
            bar.arrive 2, 96;
            ret;
        CONSUMER:
            bar.sync 1, 64;
            bar.sync 2, 96;
            ret;
        }
    }
}

fn main() {}
