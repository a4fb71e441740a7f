#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared]
    static ROW: [u32; 4];

    #[kernel]
    fn k() {
        ptx! {
            .reg .b32 %r<4>;
            .reg .b64 %d;
            ld.global.u32 %r1, [%r0];
            st.u32 [%r0 + 4], %r1;
            mbarrier.init.b64 [%r0], 1;
            cp.async.ca.shared.global [ROW], [%r0], 4;
            ld.shared.u32 %r1, [%r0];
            mbarrier.init.shared.b64 [%r0], 1;
            ld.global.u32 %r1, [%d];
            ret;
        }
    }
}

fn main() {}
