#![allow(unused)]
use ptx::prelude::*;

#[derive(PtxType)]
#[repr(C)]
pub struct Stages {
    data: [u64; 4],
    full: [Mbarrier; 4],
}

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared]
    static BARRIER: Mbarrier;
    #[shared(dynamic)]
    static STAGES: Stages;

    #[kernel]
    fn k() {
        ptx! {
            .reg .b64 %d;
            st.shared.u64 [STAGES + 24], %d;
            st.shared.u64 [STAGES + #(offset_of!(Stages, full) + 8)], %d;
            ld.shared.u64 %d, [BARRIER];
            ret;
        }
    }

    #[kernel(allow(A023))]
    fn allowed() {
        ptx! {
            .reg .b64 %d;
            ld.shared.u64 %d, [BARRIER];
            ret;
        }
    }
}

fn main() {}
