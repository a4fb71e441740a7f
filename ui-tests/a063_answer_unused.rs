//! A063: a wait whose result is never read, so that it does not wait.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared]
    static FULL: Mbarrier;

    #[kernel(reqntid = 128)]
    fn asked_once() {
        ptx! {
            .reg .pred %first, %done;
            .reg .b32 %r<8>;
            mov.u32 %r0, %tid.x;
            setp.eq.u32 %first, %r0, 0;
            @%first mbarrier.init.shared.b64 [FULL], 128;
            bar.sync 0;
            mbarrier.arrive.shared.b64 _, [FULL];
            mbarrier.try_wait.parity.shared.b64 %done, [FULL], 0;
            ret;
        }
    }

    #[kernel(reqntid = 128)]
    fn asked_until_it_is_over() {
        ptx! {
            .reg .pred %first, %done;
            .reg .b32 %r<8>;
            mov.u32 %r0, %tid.x;
            setp.eq.u32 %first, %r0, 0;
            @%first mbarrier.init.shared.b64 [FULL], 128;
            bar.sync 0;
            mbarrier.arrive.shared.b64 _, [FULL];
        WAIT:
            mbarrier.try_wait.parity.shared.b64 %done, [FULL], 0;
            @!%done bra WAIT;
            ret;
        }
    }
}

fn main() {}
