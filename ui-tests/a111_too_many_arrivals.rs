//! A111: more arrivals in a phase than the barrier expects.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared]
    static FULL: Mbarrier;

    #[shared(align = 16)]
    static ROW: [u32; 64];

    #[global(align = 16)]
    static DATA: [u32; 64];

    /// The barrier expects the thread that starts the copy, and the others arrive, too.
    #[kernel(reqntid = 64)]
    fn others() {
        ptx! {
            .reg .pred %first, %done;
            .reg .b32 %t;
            .reg .b64 %from;
            mov.u32 %t, %tid.x;
            setp.eq.u32 %first, %t, 0;
            @%first mbarrier.init.shared.b64 [FULL], 1;
            bar.sync 0;
            @!%first bra OTHERS;
            mov.u64 %from, DATA;
            mbarrier.arrive.expect_tx.shared.b64 _, [FULL], 256;
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [ROW], [%from], 256, [FULL];
            bra WAIT;
        OTHERS:
            mbarrier.arrive.shared.b64 _, [FULL];
        WAIT:
            mbarrier.try_wait.parity.shared.b64 %done, [FULL], 0;
            @!%done bra WAIT;
            ret;
        }
    }

    /// The barrier expects all of them.
    #[kernel(reqntid = 64)]
    fn all() {
        ptx! {
            .reg .pred %first, %done;
            .reg .b32 %t;
            .reg .b64 %from;
            mov.u32 %t, %tid.x;
            setp.eq.u32 %first, %t, 0;
            @%first mbarrier.init.shared.b64 [FULL], 64;
            bar.sync 0;
            @!%first bra OTHERS;
            mov.u64 %from, DATA;
            mbarrier.arrive.expect_tx.shared.b64 _, [FULL], 256;
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [ROW], [%from], 256, [FULL];
            bra WAIT;
        OTHERS:
            mbarrier.arrive.shared.b64 _, [FULL];
        WAIT:
            mbarrier.try_wait.parity.shared.b64 %done, [FULL], 0;
            @!%done bra WAIT;
            ret;
        }
    }

    /// One thread arrives for more threads than the block has.
    #[kernel(reqntid = 64)]
    fn counted() {
        ptx! {
            .reg .pred %first, %done;
            .reg .b32 %t;
            mov.u32 %t, %tid.x;
            setp.eq.u32 %first, %t, 0;
            @%first mbarrier.init.shared.b64 [FULL], 64;
            bar.sync 0;
            @%first mbarrier.arrive.shared.b64 _, [FULL], 65;
        WAIT:
            mbarrier.try_wait.parity.shared.b64 %done, [FULL], 0;
            @!%done bra WAIT;
            ret;
        }
    }

    /// And for all of them.
    #[kernel(reqntid = 64)]
    fn counted_right() {
        ptx! {
            .reg .pred %first, %done;
            .reg .b32 %t;
            mov.u32 %t, %tid.x;
            setp.eq.u32 %first, %t, 0;
            @%first mbarrier.init.shared.b64 [FULL], 64;
            bar.sync 0;
            @%first mbarrier.arrive.shared.b64 _, [FULL], 64;
        WAIT:
            mbarrier.try_wait.parity.shared.b64 %done, [FULL], 0;
            @!%done bra WAIT;
            ret;
        }
    }
}

fn main() {}
