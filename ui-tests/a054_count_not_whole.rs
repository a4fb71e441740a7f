#![allow(unused)]
use ptx::prelude::*;

const ODD: usize = 510;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared]
    static FULL: Mbarrier;

    #[kernel]
    fn k() {
        ptx! {
            .reg .b32 %r;
            mbarrier.init.shared.b64 [FULL], 7;
            mbarrier.arrive.expect_tx.shared.b64 _, [FULL], 7;
            mbarrier.expect_tx.relaxed.cta.shared.b64 [FULL], #(ODD);
            mov.b32 %r, 18;
            mbarrier.arrive.expect_tx.shared.b64 _, [FULL], %r;
            mbarrier.arrive.expect_tx.shared.b64 _, [FULL], 12;
            #[allow(A054)]
            mbarrier.arrive.expect_tx.shared.b64 _, [FULL], 7;
            ret;
        }
    }

    // A thread completes the rest by hand.
    #[kernel]
    fn completed_by_hand() {
        ptx! {
            mbarrier.init.shared.b64 [FULL], 7;
            mbarrier.arrive.expect_tx.shared.b64 _, [FULL], 7;
            mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [FULL], 7;
            ret;
        }
    }
}

fn main() {}
