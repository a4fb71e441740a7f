//! Modules for several targets: what one of them lacks, and what the host would see differently.

#[ptx::module(targets = [sm_80, sm_90a])]
mod lacks {
    use ptx::prelude::*;

    #[shared]
    static BARRIER: Mbarrier;

    #[kernel(reqntid = 128)]
    fn fenced() {
        ptx! {
            wgmma.fence.sync.aligned;
            add.f32 1;
            ret;
        }
    }

    #[kernel(reqntid = 128)]
    #[target(sm_90a)]
    fn registers() {
        ptx! {
            setmaxnreg.inc.sync.aligned.u32 232;
            ret;
        }
    }

    #[kernel(reqntid = 128)]
    #[target(sm_80)]
    fn registers() {
        ptx! {
            setmaxnreg.inc.sync.aligned.u32 232;
            ret;
        }
    }
}

#[ptx::module(targets = [sm_80, sm_90a])]
mod differs {
    use ptx::prelude::*;

    #[constant]
    #[target(sm_80)]
    static TAPS: [f32; 4];
    #[constant]
    #[target(sm_90a)]
    static TAPS: [f32; 5];

    #[global]
    #[target(sm_90a)]
    static COUNT: u32;

    #[kernel(requires(n > 0))]
    #[target(sm_80)]
    fn other(n: u32) {
        ptx! { ret; }
    }
    #[kernel(requires(n > 1))]
    #[target(sm_90a)]
    fn other(n: u32) {
        ptx! { ret; }
    }

    #[kernel(reqntid = 128)]
    #[target(sm_80)]
    fn block(n: u32) {
        ptx! { ret; }
    }
    #[kernel]
    #[target(sm_90a)]
    fn block(n: u64) {
        ptx! { ret; }
    }
}

// Not each target has each kernel, but those that have one have the same.
#[ptx::module(targets = [sm_80, sm_90a, sm_100a])]
mod some {
    use ptx::prelude::*;

    #[kernel]
    #[target(sm_80)]
    fn old() {
        ptx! { ret; }
    }

    #[kernel(reqntid = 128)]
    #[target(sm_90a)]
    fn new(n: u32) {
        ptx! { ret; }
    }
    #[kernel(reqntid = 128)]
    #[target(sm_100a)]
    fn new(n: u64) {
        ptx! { ret; }
    }

    #[kernel(for(T in [u32, f32]))]
    #[target(sm_90a)]
    fn generic(n: T) {
        ptx! { ret; }
    }
}

#[ptx::module(targets = [sm_80, sm_90])]
mod words {
    use ptx::prelude::*;

    #[target(sm_90)]
    const STAGES: u32 = 4;

    #[kernel]
    #[target(sm_100)]
    fn later() {
        ptx! { ret; }
    }

    #[kernel]
    #[target]
    fn unnamed() {
        ptx! { ret; }
    }

    #[kernel]
    #[target(sm_80)]
    #[target(sm_80, sm_90)]
    fn twice() {
        ptx! { ret; }
    }
}

#[ptx::module(targets = [])]
mod none {}

#[ptx::module(targets = [sm_80, sm_80])]
mod same {}

#[ptx::module(target = sm_80, targets = [sm_90])]
mod both {}

#[ptx::module(targets = [sm_80, sm_9])]
mod unknown {}

fn main() {}
