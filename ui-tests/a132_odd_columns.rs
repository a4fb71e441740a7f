//! A132: a number of columns of tensor memory that cannot be allocated.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_100a)]
mod m {
    use super::*;

    #[kernel(reqntid = 32)]
    fn wrong() {
        ptx! {
            .shared .align 4 .b32 at;
            .reg .b32 %first, %count;
            mov.u32 %count, 48;
            tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [at], %count;
            bar.warp.sync -1;
            ld.shared.u32 %first, [at];
            tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
            tcgen05.dealloc.cta_group::1.sync.aligned.b32 %first, %count;
        }
    }

    #[kernel(reqntid = 32)]
    fn right() {
        ptx! {
            .shared .align 4 .b32 at;
            .reg .b32 %first, %count;
            mov.u32 %count, 64;
            tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [at], %count;
            bar.warp.sync -1;
            ld.shared.u32 %first, [at];
            tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
            tcgen05.dealloc.cta_group::1.sync.aligned.b32 %first, %count;
        }
    }
}

fn main() {}
