#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[kernel]
    fn k(p: u64) {
        ptx! {
            .reg .pred %p;
            .reg .b16 %h;
            .reg .b32 %r;
            .reg .b64 %rd;
            ld.param.u64 %rd, [p];
            ld.global.u32 %r, [%rd];
            st.const.u32 [%rd], %r;
            atom.local.add.u32 %r, [%rd], 1;
            red.const.add.u32 [%rd], 1;
            ld.global.f16 %h, [%rd];
            ld.global.samplerref %r, [%rd];
            shfl.down.b32 %r, %r, 16, 31;
            vote.any.pred %p, %p;
            @%p exit %r;
            ret %r;
        }
    }
}

fn main() {}
