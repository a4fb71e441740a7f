//! A082: fragments of matrices in a format other than that of `mma` and `wgmma`.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared(align = 128)]
    static A: [[bf16; 16]; 16];
    #[shared(align = 128)]
    static B: [[f16; 8]; 16];

    #[kernel]
    fn warp(dst: Ptr<Global, f32>) {
        ptx! {
            .reg .b32 %t, %a<4>, %b<2>, %at;
            .reg .b64 %dst;
            .reg .f32 %d<4>;
            mov.u32 %t, %laneid;
            mov.u32 %at, A;
            and.b32 %t, %t, 15;
            mad.lo.u32 %at, %t, 32, %at;
            ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%a0, %a1, %a2, %a3}, [%at];
            mov.u32 %at, B;
            mad.lo.u32 %at, %t, 16, %at;
            ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%b0, %b1}, [%at];
            mov.f32 %d0, 0f00000000;
            mov.f32 %d1, 0f00000000;
            mov.f32 %d2, 0f00000000;
            mov.f32 %d3, 0f00000000;
            mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%d0, %d1, %d2, %d3}, {%a0, %a1, %a2, %a3}, {%b0, %b1}, {%d0, %d1, %d2, %d3};
            ld.param.u64 %dst, [dst];
            st.global.f32 [%dst], %d0;
            ret;
        }
    }

    /// A product is `f32`, and the next one takes `f16`.
    #[kernel]
    fn twice(left: u64, right: u64) {
        ptx! {
            .reg .b32 %a<4>;
            .reg .b64 %left, %right;
            .reg .f32 %d<4>, %e<4>;
            ld.param.u64 %left, [left];
            ld.param.u64 %right, [right];
            wgmma.fence.sync.aligned;
            wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%d0, %d1, %d2, %d3}, %left, %right, 0, 1, 1, 0, 0;
            wgmma.commit_group.sync.aligned;
            wgmma.wait_group.sync.aligned 0;
            mov.b32 %a0, %d0;
            mov.b32 %a1, %d1;
            mov.b32 %a2, %d2;
            mov.b32 %a3, %d3;
            wgmma.fence.sync.aligned;
            wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%e0, %e1, %e2, %e3}, {%a0, %a1, %a2, %a3}, %right, 0, 1, 1, 0;
            wgmma.commit_group.sync.aligned;
            wgmma.wait_group.sync.aligned 0;
            ret;
        }
    }
}

fn main() {}
