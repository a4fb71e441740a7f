//! A069: a barrier that other warps use before they know that it is initialised.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared]
    static FULL: Mbarrier;

    #[kernel(reqntid = 128)]
    fn at_once() {
        ptx! {
            .reg .pred %first, %done;
            .reg .b32 %r<8>;
            mov.u32 %r0, %tid.x;
            setp.eq.u32 %first, %r0, 0;
            @%first mbarrier.init.shared.b64 [FULL], 128;
            mbarrier.arrive.shared.b64 _, [FULL];
        WAIT:
            mbarrier.try_wait.parity.shared.b64 %done, [FULL], 0;
            @!%done bra WAIT;
            ret;
        }
    }

    #[kernel(reqntid = 128)]
    fn behind_a_barrier() {
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

    #[kernel(reqntid = 32)]
    fn in_one_warp() {
        ptx! {
            .reg .pred %first, %done;
            .reg .b32 %r<8>;
            mov.u32 %r0, %tid.x;
            setp.eq.u32 %first, %r0, 0;
            @%first mbarrier.init.shared.b64 [FULL], 32;
            mbarrier.arrive.shared.b64 _, [FULL];
        WAIT:
            mbarrier.try_wait.parity.shared.b64 %done, [FULL], 0;
            @!%done bra WAIT;
            ret;
        }
    }
}

fn main() {}
