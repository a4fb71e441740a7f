//! A064: a barrier that is initialised again while it is live.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared]
    static FULL: Mbarrier;

    #[kernel]
    fn twice() {
        ptx! {
            mbarrier.init.shared.b64 [FULL], 1;
            mbarrier.init.shared.b64 [FULL], 2;
            ret;
        }
    }

    #[kernel]
    fn invalidated() {
        ptx! {
            mbarrier.init.shared.b64 [FULL], 1;
            mbarrier.inval.shared.b64 [FULL];
            mbarrier.init.shared.b64 [FULL], 2;
            ret;
        }
    }
}

fn main() {}
