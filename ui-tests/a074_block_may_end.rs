//! A074: the shared memory of a block that may have ended.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared(align = 128)]
    static TILE: [u32; 256];

    #[kernel(reqntid = 128, reqnctapercluster = 2)]
    fn not_waited_for() {
        ptx! {
            .reg .b32 %r<8>;
            mov.u32 %r0, %cluster_ctarank;
            xor.b32 %r0, %r0, 1;
            mov.u32 %r1, TILE;
            mapa.shared::cluster.u32 %r2, %r1, %r0;
            barrier.cluster.arrive;
            barrier.cluster.wait;
            ld.shared::cluster.u32 %r3, [%r2];
            ret;
        }
    }

    #[kernel(reqntid = 128, reqnctapercluster = 2)]
    fn waited_for() {
        ptx! {
            .reg .b32 %r<8>;
            mov.u32 %r0, %cluster_ctarank;
            xor.b32 %r0, %r0, 1;
            mov.u32 %r1, TILE;
            mapa.shared::cluster.u32 %r2, %r1, %r0;
            barrier.cluster.arrive;
            barrier.cluster.wait;
            ld.shared::cluster.u32 %r3, [%r2];
            barrier.cluster.arrive;
            barrier.cluster.wait;
            ret;
        }
    }
}

fn main() {}
