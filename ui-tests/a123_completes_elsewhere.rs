//! A123: copies whose barrier is in another block.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    #[shared]
    static BAR: Mbarrier;
    #[shared]
    static SLOT: u32;

    #[kernel(reqntid = 64, reqnctapercluster = 2)]
    fn wrong() {
        ptx! {
            .reg .pred %first, %done;
            .reg .b32 %t, %other, %bar, %slot;
            mov.u32 %t, %tid.x;
            setp.eq.u32 %first, %t, 0;
            mov.u32 %other, %cluster_ctarank;
            xor.b32 %other, %other, 1;
            mov.u32 %bar, BAR;
            mov.u32 %slot, SLOT;
            @%first mbarrier.init.shared.b64 [BAR], 1;
            fence.mbarrier_init.release.cluster;
            barrier.cluster.arrive;
            barrier.cluster.wait;
            mapa.shared::cluster.u32 %slot, %slot, %other;
            @%first mbarrier.arrive.expect_tx.shared.b64 _, [BAR], 4;
            @%first st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%slot], %t, [%bar];
        WAIT:
            mbarrier.try_wait.parity.shared.b64 %done, [BAR], 0;
            @!%done bra WAIT;
            barrier.cluster.arrive;
            barrier.cluster.wait;
            ret;
        }
    }

    #[kernel(reqntid = 64, reqnctapercluster = 2)]
    fn right() {
        ptx! {
            .reg .pred %first, %done;
            .reg .b32 %t, %other, %bar, %slot;
            mov.u32 %t, %tid.x;
            setp.eq.u32 %first, %t, 0;
            mov.u32 %other, %cluster_ctarank;
            xor.b32 %other, %other, 1;
            mov.u32 %bar, BAR;
            mov.u32 %slot, SLOT;
            @%first mbarrier.init.shared.b64 [BAR], 1;
            fence.mbarrier_init.release.cluster;
            barrier.cluster.arrive;
            barrier.cluster.wait;
            mapa.shared::cluster.u32 %slot, %slot, %other;
            mapa.shared::cluster.u32 %bar, %bar, %other;
            @%first mbarrier.arrive.expect_tx.shared.b64 _, [BAR], 4;
            @%first st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%slot], %t, [%bar];
        WAIT:
            mbarrier.try_wait.parity.shared.b64 %done, [BAR], 0;
            @!%done bra WAIT;
            barrier.cluster.arrive;
            barrier.cluster.wait;
            ret;
        }
    }
}

fn main() {}
