//! A128: tensor memory that is never free.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_100a)]
mod m {
    use super::*;

    #[kernel(reqntid = 32)]
    fn wrong() {
        ptx! {
            .reg .b32 %columns;
            .shared .align 4 .b32 at; .shared .align 4 .b32 other;
            tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [at], 512;
            tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [other], 32;
            bar.warp.sync -1;
            ld.shared.b32 %columns, [at];
            tcgen05.dealloc.cta_group::1.sync.aligned.b32 %columns, 512;
            ld.shared.b32 %columns, [other];
            tcgen05.dealloc.cta_group::1.sync.aligned.b32 %columns, 32;
            ret;
        }
    }

    #[kernel(reqntid = 32)]
    fn right() {
        ptx! {
            .reg .b32 %columns;
            .shared .align 4 .b32 at; .shared .align 4 .b32 other;
            tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [at], 256;
            tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [other], 32;
            bar.warp.sync -1;
            ld.shared.b32 %columns, [at];
            tcgen05.dealloc.cta_group::1.sync.aligned.b32 %columns, 256;
            ld.shared.b32 %columns, [other];
            tcgen05.dealloc.cta_group::1.sync.aligned.b32 %columns, 32;
            ret;
        }
    }
}

fn main() {}
