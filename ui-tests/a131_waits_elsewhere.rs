//! A131: a thread waits for an mbarrier of another block.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    #[kernel(reqntid = 32, reqnctapercluster = 2)]
    fn wrong() {
        ptx! {
            .shared .align 8 .b64 bar;
            .reg .pred %done, %first;
            .reg .b32 %t, %rank;
            .reg .b64 %own, %at;
            mov.u32 %t, %tid.x;
            mov.u64 %own, bar;
            cvta.shared.u64 %own, %own;
            setp.eq.u32 %first, %t, 0;
            @%first mbarrier.init.b64 [%own], 32;
            @%first fence.mbarrier_init.release.cluster;
            barrier.cluster.arrive;
            barrier.cluster.wait;
            mov.u32 %rank, %cluster_ctarank;
            xor.b32 %rank, %rank, 1;
            mapa.u64 %at, %own, %rank;
            mbarrier.arrive.release.cluster.b64 _, [%own];
        $again:
            mbarrier.try_wait.parity.acquire.cluster.b64 %done, [%at], 0;
            @!%done bra $again;
            barrier.cluster.arrive;
            barrier.cluster.wait;
        }
    }

    #[kernel(reqntid = 32, reqnctapercluster = 2)]
    fn right() {
        ptx! {
            .shared .align 8 .b64 bar;
            .reg .pred %done, %first;
            .reg .b32 %t, %rank;
            .reg .b64 %own, %at;
            mov.u32 %t, %tid.x;
            mov.u64 %own, bar;
            cvta.shared.u64 %own, %own;
            setp.eq.u32 %first, %t, 0;
            @%first mbarrier.init.b64 [%own], 32;
            @%first fence.mbarrier_init.release.cluster;
            barrier.cluster.arrive;
            barrier.cluster.wait;
            mov.u32 %rank, %cluster_ctarank;
            xor.b32 %rank, %rank, 1;
            mapa.u64 %at, %own, %rank;
            mbarrier.arrive.release.cluster.b64 _, [%at];
        $again:
            mbarrier.try_wait.parity.acquire.cluster.b64 %done, [%own], 0;
            @!%done bra $again;
            barrier.cluster.arrive;
            barrier.cluster.wait;
        }
    }
}

fn main() {}
