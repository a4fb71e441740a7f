//! A062: an address in another block's shared memory that is used as one in this block's.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    #[shared]
    static SUMS: [u32; 4];

    #[shared]
    static FULL: Mbarrier;

    #[kernel(reqntid = 32, reqnctapercluster = 2)]
    fn k() {
        ptx! {
            .reg .b32 %r<4>, %to;
            mov.u32 %r0, SUMS;
            mapa.shared::cluster.u32 %to, %r0, 1;
            ld.shared.u32 %r2, [%to];
            // A block's own rank names its own memory.
            mov.u32 %r1, %cluster_ctarank;
            mapa.shared::cluster.u32 %to, %r0, %r1;
            st.shared.u32 [%to], %r2;
            xor.b32 %r1, %r1, 1;
            mov.u32 %r0, FULL;
            mapa.shared::cluster.u32 %to, %r0, %r1;
            mbarrier.arrive.shared::cta.b64 _, [%to];
            ret;
        }
    }
}

fn main() {}
