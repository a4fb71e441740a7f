//! A073: the shared memory of a block that may not have started.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared(align = 128)]
    static TILE: [u32; 256];

    #[kernel(reqntid = 128, reqnctapercluster = 2)]
    fn at_once() {
        ptx! {
            .reg .b32 %r<8>;
            mov.u32 %r0, %cluster_ctarank;
            xor.b32 %r0, %r0, 1;
            mov.u32 %r1, TILE;
            mapa.shared::cluster.u32 %r2, %r1, %r0;
            ld.shared::cluster.u32 %r3, [%r2];
            barrier.cluster.arrive;
            barrier.cluster.wait;
            ret;
        }
    }

    #[kernel(reqntid = 128, reqnctapercluster = 2)]
    fn of_the_second_block() {
        ptx! {
            .reg .b32 %r<8>;
            mov.u32 %r1, TILE;
            mapa.shared::cluster.u32 %r2, %r1, 1;
            ld.shared::cluster.u32 %r3, [%r2];
            barrier.cluster.arrive;
            barrier.cluster.wait;
            ret;
        }
    }

    #[kernel(reqntid = 128, reqnctapercluster = 2)]
    fn behind_a_barrier() {
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
