#![allow(unused)]
use ptx::prelude::*;

const NONE: usize = 0;
const TOO_MUCH: usize = 1 << 20;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared]
    static FULL: Mbarrier;

    #[kernel(allow(A064))]
    fn k() {
        ptx! {
            .reg .b32 %r;
            mbarrier.init.shared.b64 [FULL], 0;
            mbarrier.init.shared.b64 [FULL], #(NONE);
            mbarrier.arrive.expect_tx.shared.b64 _, [FULL], 1048576;
            mbarrier.expect_tx.relaxed.cta.shared.b64 [FULL], #(TOO_MUCH);
            mov.b32 %r, -1;
            mbarrier.arrive.expect_tx.shared.b64 _, [FULL], %r;
            mbarrier.arrive.expect_tx.shared.b64 _, [FULL], 1048572;
            ret;
        }
    }
}

fn main() {}
