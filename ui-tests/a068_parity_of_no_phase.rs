//! A068: a wait for parity 1 on a fresh barrier, which returns before the copy is complete.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared]
    static FULL: Mbarrier;
    #[shared(align = 128)]
    static TILE: [f32; 256];
    #[global(align = 128)]
    static DATA: [f32; 256];

    #[kernel(reqntid = 128)]
    fn parity_of_the_phase_before() {
        ptx! {
            .reg .pred %first, %done;
            .reg .b32 %r<8>;
            .reg .f32 %f;
            mov.u32 %r0, %tid.x;
            setp.eq.u32 %first, %r0, 0;
            @%first mbarrier.init.shared.b64 [FULL], 1;
            bar.sync 0;
            @!%first bra WAIT;
            mbarrier.arrive.expect_tx.shared.b64 _, [FULL], 1024;
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes
                [TILE], [DATA], 1024, [FULL];
        WAIT:
            mbarrier.try_wait.parity.shared.b64 %done, [FULL], 1;
            @!%done bra WAIT;
            ld.shared.f32 %f, [TILE];
            ret;
        }
    }

    #[kernel(reqntid = 128)]
    fn parity_of_the_first_phase() {
        ptx! {
            .reg .pred %first, %done;
            .reg .b32 %r<8>;
            .reg .f32 %f;
            mov.u32 %r0, %tid.x;
            setp.eq.u32 %first, %r0, 0;
            @%first mbarrier.init.shared.b64 [FULL], 1;
            bar.sync 0;
            @!%first bra WAIT;
            mbarrier.arrive.expect_tx.shared.b64 _, [FULL], 1024;
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes
                [TILE], [DATA], 1024, [FULL];
        WAIT:
            mbarrier.try_wait.parity.shared.b64 %done, [FULL], 0;
            @!%done bra WAIT;
            ld.shared.f32 %f, [TILE];
            ret;
        }
    }
}

fn main() {}
