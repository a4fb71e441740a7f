//! A125: ranks of blocks that a cluster does not have.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    #[shared]
    static SUM: u32;

    #[kernel(reqntid = 32, reqnctapercluster = 2)]
    fn wrong() {
        ptx! {
            .reg .b32 %rank, %next, %at, %x;
            mov.u32 %rank, %cluster_ctarank;
            add.u32 %next, %rank, 1;
            mov.u32 %at, SUM;
            st.shared.u32 [SUM], %rank;
            mapa.shared::cluster.u32 %at, %at, %next;
            barrier.cluster.arrive;
            barrier.cluster.wait;
            ld.shared::cluster.u32 %x, [%at];
            barrier.cluster.arrive;
            barrier.cluster.wait;
            ret;
        }
    }

    #[kernel(reqntid = 32, reqnctapercluster = 2)]
    fn right() {
        ptx! {
            .reg .b32 %rank, %next, %at, %x;
            mov.u32 %rank, %cluster_ctarank;
            add.u32 %next, %rank, 1;
            and.b32 %next, %next, 1;
            mov.u32 %at, SUM;
            st.shared.u32 [SUM], %rank;
            mapa.shared::cluster.u32 %at, %at, %next;
            barrier.cluster.arrive;
            barrier.cluster.wait;
            ld.shared::cluster.u32 %x, [%at];
            barrier.cluster.arrive;
            barrier.cluster.wait;
            ret;
        }
    }
}

fn main() {}
