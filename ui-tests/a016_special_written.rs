#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    #[kernel]
    fn k() {
        ptx! {
            .reg .b32 %r;
            mov.u32 %tid.x, %r;
            add.u32 %laneid, %r, 1;
            mov.u32 WARP_SZ, %r;
            {
                .reg .b32 %laneid; // hides the special register
                mov.u32 %laneid, %r;
            }
            ret;
        }
    }
}

fn main() {}
