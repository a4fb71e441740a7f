//! A127: tensor memory that is never freed.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_100a)]
mod m {
    use super::*;

    #[kernel(reqntid = 32)]
    fn wrong() {
        ptx! {
            .shared .align 4 .b32 at;
            tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [at], 32;
            ret;
        }
    }

    #[kernel(reqntid = 32)]
    fn right() {
        ptx! {
            .reg .b32 %columns;
            .shared .align 4 .b32 at;
            tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [at], 32;
            bar.warp.sync -1;
            ld.shared.b32 %columns, [at];
            tcgen05.dealloc.cta_group::1.sync.aligned.b32 %columns, 32;
            ret;
        }
    }
}

fn main() {}
