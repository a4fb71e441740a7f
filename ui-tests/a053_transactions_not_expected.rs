#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[global(align = 16)]
    static DATA: [u8; 1024];
    #[shared(align = 16)]
    static ROW: [u8; 1024];
    #[shared]
    static FULL: Mbarrier;

    #[kernel]
    fn forgotten() {
        ptx! {
            .reg .pred %p;
            mbarrier.init.shared.b64 [FULL], 1;
            mbarrier.arrive.shared.b64 _, [FULL];
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes
                [ROW], [DATA], 128, [FULL];
        WAIT:
            mbarrier.try_wait.parity.shared.b64 %p, [FULL], 0;
            @!%p bra WAIT;
            ret;
        }
    }

    // Its caller expects the bytes.
    #[device]
    fn copies() {
        ptx! {
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes
                [ROW], [DATA], 128, [FULL];
            ret;
        }
    }
}

fn main() {}
