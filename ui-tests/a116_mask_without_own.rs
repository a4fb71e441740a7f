//! A116: masks that do not name all lanes which execute the instruction.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_80)]
mod m {
    use super::*;

    /// All lanes exchange numbers, and the mask names half of them.
    #[kernel(reqntid = 64)]
    fn half_named() {
        ptx! {
            .reg .b32 %t, %x;
            mov.u32 %t, %laneid;
            shfl.sync.bfly.b32 %x, %t, 1, 31, 0xffff;
            ret;
        }
    }

    /// The mask names all of them.
    #[kernel(reqntid = 64)]
    fn all_named() {
        ptx! {
            .reg .b32 %t, %x;
            mov.u32 %t, %laneid;
            shfl.sync.bfly.b32 %x, %t, 1, 31, 0xffffffff;
            ret;
        }
    }

    /// The mask names the other half.
    #[kernel(reqntid = 64)]
    fn other_half() {
        ptx! {
            .reg .pred %p;
            .reg .b32 %t, %x;
            mov.u32 %t, %laneid;
            setp.lt.u32 %p, %t, 16;
            @%p bra DONE;
            redux.sync.add.u32 %x, %t, 0x0000ffff;
        DONE:
            ret;
        }
    }

    /// The mask names this half.
    #[kernel(reqntid = 64)]
    fn own_half() {
        ptx! {
            .reg .pred %p;
            .reg .b32 %t, %x;
            mov.u32 %t, %laneid;
            setp.lt.u32 %p, %t, 16;
            @%p bra DONE;
            redux.sync.add.u32 %x, %t, 0xffff0000;
        DONE:
            ret;
        }
    }
}

fn main() {}
