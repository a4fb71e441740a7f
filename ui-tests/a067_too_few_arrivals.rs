//! A067: a barrier that expects more arrivals than there are.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared]
    static FULL: Mbarrier;

    #[kernel(reqntid = 128)]
    fn one_thread() {
        ptx! {
            .reg .pred %first, %done;
            .reg .b32 %r<8>;
            mov.u32 %r0, %tid.x;
            setp.eq.u32 %first, %r0, 0;
            @%first mbarrier.init.shared.b64 [FULL], 128;
            bar.sync 0;
            @%first mbarrier.arrive.shared.b64 _, [FULL];
        WAIT:
            mbarrier.try_wait.parity.shared.b64 %done, [FULL], 0;
            @!%done bra WAIT;
            ret;
        }
    }

    #[kernel(reqntid = 128)]
    fn half_of_them() {
        ptx! {
            .reg .pred %first, %half, %done;
            .reg .b32 %r<8>;
            mov.u32 %r0, %tid.x;
            setp.eq.u32 %first, %r0, 0;
            @%first mbarrier.init.shared.b64 [FULL], 65;
            bar.sync 0;
            setp.lt.u32 %half, %r0, 64;
            @!%half bra WAIT;
            mbarrier.arrive.shared.b64 _, [FULL];
        WAIT:
            mbarrier.try_wait.parity.shared.b64 %done, [FULL], 0;
            @!%done bra WAIT;
            ret;
        }
    }

    #[kernel(reqntid = 128)]
    fn all() {
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
