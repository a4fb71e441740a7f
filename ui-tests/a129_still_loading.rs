//! A129: a register that is still loaded.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_100a)]
mod m {
    use super::*;

    #[kernel(reqntid = 32)]
    fn wrong() {
        ptx! {
            .reg .b32 %columns, %x;
            .shared .align 4 .b32 at;
            tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [at], 32;
            bar.warp.sync -1;
            ld.shared.b32 %columns, [at];
            tcgen05.ld.sync.aligned.32x32b.x1.b32 {%x}, [%columns];
            st.shared.b32 [at], %x;
            tcgen05.dealloc.cta_group::1.sync.aligned.b32 %columns, 32;
            ret;
        }
    }

    #[kernel(reqntid = 32)]
    fn right() {
        ptx! {
            .reg .b32 %columns, %x;
            .shared .align 4 .b32 at;
            tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [at], 32;
            bar.warp.sync -1;
            ld.shared.b32 %columns, [at];
            tcgen05.ld.sync.aligned.32x32b.x1.b32 {%x}, [%columns];
            tcgen05.wait::ld.sync.aligned;
            st.shared.b32 [at], %x;
            tcgen05.dealloc.cta_group::1.sync.aligned.b32 %columns, 32;
            ret;
        }
    }
}

fn main() {}
