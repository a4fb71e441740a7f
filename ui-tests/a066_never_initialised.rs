//! A066: a barrier that is never initialised, or is initialised too late.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared]
    static FULL: Mbarrier;

    #[kernel]
    fn never() {
        ptx! {
            mbarrier.arrive.shared.b64 _, [FULL];
            ret;
        }
    }

    #[kernel]
    fn too_late() {
        ptx! {
            mbarrier.arrive.shared.b64 _, [FULL];
            mbarrier.init.shared.b64 [FULL], 1;
            ret;
        }
    }

    #[kernel]
    fn in_one_thread() {
        ptx! {
            .reg .pred %first, %done;
            .reg .b32 %r<8>;
            mov.u32 %r0, %tid.x;
            setp.eq.u32 %first, %r0, 0;
            @%first mbarrier.init.shared.b64 [FULL], 1;
            bar.sync 0;
            mbarrier.arrive.shared.b64 _, [FULL];
            ret;
        }
    }
}

fn main() {}
