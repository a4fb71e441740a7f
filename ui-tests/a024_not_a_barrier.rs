#![allow(unused)]
use ptx::prelude::*;

#[derive(PtxType)]
#[repr(C)]
pub struct Stages {
    data: [f64; 4],
    full: [Mbarrier; 4],
}

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared(align = 8)]
    static ROW: [f32; 64];
    #[shared]
    static PLAIN: u64;
    #[shared(dynamic)]
    static STAGES: Stages;

    #[kernel]
    fn k() {
        ptx! {
            mbarrier.init.shared.b64 [PLAIN], 1;
            mbarrier.init.shared.b64 [ROW], 1;
            mbarrier.init.shared.b64 [STAGES + #(offset_of!(Stages, full) + 8)], 1;
            mbarrier.init.shared.b64 [STAGES + 8], 1;
            ret;
        }
    }

    #[kernel(allow(A024))]
    fn allowed() {
        ptx! {
            mbarrier.init.shared.b64 [ROW], 1;
            ret;
        }
    }
}

fn main() {}
