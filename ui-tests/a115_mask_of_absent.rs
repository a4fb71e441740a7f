//! A115: masks that name lanes which do not execute the instruction.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_80)]
mod m {
    use super::*;

    /// Half of the warp exchanges numbers, and the mask names all of it.
    #[kernel(reqntid = 64)]
    fn half() {
        ptx! {
            .reg .pred %p;
            .reg .b32 %t, %x;
            mov.u32 %t, %laneid;
            setp.ge.u32 %p, %t, 16;
            @%p bra DONE;
            shfl.sync.bfly.b32 %x, %t, 1, 31, 0xffffffff;
        DONE:
            bar.sync 0;
            ret;
        }
    }

    /// The mask names half of it.
    #[kernel(reqntid = 64)]
    fn half_named() {
        ptx! {
            .reg .pred %p;
            .reg .b32 %t, %x;
            mov.u32 %t, %laneid;
            setp.ge.u32 %p, %t, 16;
            @%p bra DONE;
            shfl.sync.bfly.b32 %x, %t, 1, 31, 0xffff;
        DONE:
            bar.sync 0;
            ret;
        }
    }

    /// Lane 0 is elsewhere.
    #[kernel(reqntid = 64)]
    fn without_first() {
        ptx! {
            .reg .pred %p;
            .reg .b32 %t;
            mov.u32 %t, %laneid;
            setp.eq.u32 %p, %t, 0;
            @%p bra DONE;
            bar.warp.sync -1;
        DONE:
            bar.sync 0;
            ret;
        }
    }

    /// The mask says so.
    #[kernel(reqntid = 64)]
    fn first_not_named() {
        ptx! {
            .reg .pred %p;
            .reg .b32 %t;
            mov.u32 %t, %laneid;
            setp.eq.u32 %p, %t, 0;
            @%p bra DONE;
            bar.warp.sync 0xfffffffe;
        DONE:
            bar.sync 0;
            ret;
        }
    }
}

fn main() {}
