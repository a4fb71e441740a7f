//! A store through a pointer whose buffer the launch borrows only for reading.

use ptx::prelude::*;

#[ptx::module(target = sm_90)]
mod copies {
    use super::*;

    #[kernel(reqntid = 64)]
    pub fn copy(#[readonly] src: Ptr<Global, f32>, dst: Ptr<Global, f32>) {
        ptx! {
            .reg .b64 %src, %dst;
            .reg .f32 %x;
            ld.param.u64 %src, [src];
            ld.param.u64 %dst, [dst];
            ld.global.f32 %x, [%dst];
            st.global.f32 [%src], %x;
            ret;
        }
    }
}

fn main() {}
