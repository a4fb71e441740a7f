//! A065: an arrival on a barrier after its invalidation.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared]
    static FULL: Mbarrier;

    #[kernel]
    fn too_late() {
        ptx! {
            mbarrier.init.shared.b64 [FULL], 1;
            mbarrier.inval.shared.b64 [FULL];
            mbarrier.arrive.shared.b64 _, [FULL];
            ret;
        }
    }

    #[kernel]
    fn again() {
        ptx! {
            mbarrier.init.shared.b64 [FULL], 1;
            mbarrier.inval.shared.b64 [FULL];
            mbarrier.init.shared.b64 [FULL], 1;
            mbarrier.arrive.shared.b64 _, [FULL];
            ret;
        }
    }
}

fn main() {}
