//! A112: barriers of the block at which the threads never meet.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_80)]
mod m {
    use super::*;

    /// One warp waits at barrier 0, the other at barrier 1.
    #[kernel(reqntid = 64)]
    fn two_numbers() {
        ptx! {
            .reg .pred %p;
            .reg .b32 %t;
            mov.u32 %t, %tid.x;
            setp.ge.u32 %p, %t, 32;
            @%p bra OTHER;
            bar.sync 0;
            bra DONE;
        OTHER:
            bar.sync 1;
        DONE:
            ret;
        }
    }

    /// Both wait at barrier 0.
    #[kernel(reqntid = 64)]
    fn one_number() {
        ptx! {
            .reg .pred %p;
            .reg .b32 %t;
            mov.u32 %t, %tid.x;
            setp.ge.u32 %p, %t, 32;
            @%p bra OTHER;
            bar.sync 0;
            bra DONE;
        OTHER:
            bar.sync 0;
        DONE:
            ret;
        }
    }

    /// The second warp goes round twice as often.
    #[kernel(reqntid = 64)]
    fn rounds() {
        ptx! {
            .reg .pred %more;
            .reg .b32 %t, %rounds;
            mov.u32 %t, %tid.x;
            shr.u32 %rounds, %t, 5;
            add.u32 %rounds, %rounds, 1;
        ROUND:
            bar.sync 1, 64;
            sub.u32 %rounds, %rounds, 1;
            setp.ne.u32 %more, %rounds, 0;
            @%more bra ROUND;
            ret;
        }
    }

    /// Both go round as often.
    #[kernel(reqntid = 64)]
    fn equal_rounds() {
        ptx! {
            .reg .pred %more;
            .reg .b32 %t, %rounds;
            mov.u32 %t, %tid.x;
            mov.u32 %rounds, 2;
        ROUND:
            bar.sync 1, 64;
            sub.u32 %rounds, %rounds, 1;
            setp.ne.u32 %more, %rounds, 0;
            @%more bra ROUND;
            ret;
        }
    }
}

fn main() {}
