#![allow(unused)]
use ptx::prelude::*;

type Count = u32;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[global]
    pub static TOTAL: u32 = 0;
    #[global]
    pub static LATE: Count = 0;
    #[shared]
    static ROW: [f32; 64];

    #[kernel]
    fn k(n: u32) {
        ptx! {
            .reg .b32 %r;
            ld.shared.u32 %r, [TOTAL];
            st.global.f32 [ROW + 4], 0f00000000;
            atom.shared::cta.add.u32 %r, [LATE], 1;
            ld.global.u32 %r, [n];
            cp.async.ca.shared.global [TOTAL], [ROW], 4;
            mbarrier.inval.shared.b64 [LATE];
            ret;
        }
    }
}

fn main() {}
