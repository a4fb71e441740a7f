//! A078: `wgmma` without a fence.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    /// There is no fence.
    #[kernel]
    fn k(a: u64, b: u64, out: Ptr<Global, V4<f32>>) {
        ptx! {
            .reg .b32 %r<4>;
            .reg .b64 %a, %b, %out;
            .reg .f32 %f<4>, %x, %y;
            .reg .pred %p;
            ld.param.u64 %a, [a];
            ld.param.u64 %b, [b];
            ld.param.u64 %out, [out];
            setp.ne.u64 %p, %a, 0;
            mov.f32 %f0, 0f00000000;
            mov.f32 %f1, 0f00000000;
            mov.f32 %f2, 0f00000000;
            mov.f32 %f3, 0f00000000;
            wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16
                {%f0, %f1, %f2, %f3}, %a, %b, %p, 1, 1, 0, 0;
            wgmma.commit_group.sync.aligned;
            wgmma.wait_group.sync.aligned 0;
            st.global.v4.f32 [%out], {%f0, %f1, %f2, %f3};
            ret;
        }
    }

    /// No fence after the accumulators are written.
    #[kernel]
    fn scaled(a: u64, b: u64, out: Ptr<Global, V4<f32>>) {
        ptx! {
            .reg .b32 %r<4>;
            .reg .b64 %a, %b, %out;
            .reg .f32 %f<4>, %x, %y;
            .reg .pred %p;
            ld.param.u64 %a, [a];
            ld.param.u64 %b, [b];
            ld.param.u64 %out, [out];
            setp.ne.u64 %p, %a, 0;
            mov.f32 %f0, 0f00000000;
            mov.f32 %f1, 0f00000000;
            mov.f32 %f2, 0f00000000;
            mov.f32 %f3, 0f00000000;
            wgmma.fence.sync.aligned;
            wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16
                {%f0, %f1, %f2, %f3}, %a, %b, %p, 1, 1, 0, 0;
            wgmma.commit_group.sync.aligned;
            wgmma.wait_group.sync.aligned 0;
            mul.f32 %f2, %f2, %x;
            wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16
                {%f0, %f1, %f2, %f3}, %a, %b, %p, 1, 1, 0, 0;
            wgmma.commit_group.sync.aligned;
            wgmma.wait_group.sync.aligned 0;
            st.global.v4.f32 [%out], {%f0, %f1, %f2, %f3};
            ret;
        }
    }

    /// No fence after the left matrix is written.
    #[kernel]
    fn left_matrix(a: u64, b: u64, out: Ptr<Global, V4<f32>>) {
        ptx! {
            .reg .b32 %r<4>;
            .reg .b64 %a, %b, %out;
            .reg .f32 %f<4>, %x, %y;
            .reg .pred %p;
            ld.param.u64 %a, [a];
            ld.param.u64 %b, [b];
            ld.param.u64 %out, [out];
            setp.ne.u64 %p, %a, 0;
            mov.f32 %f0, 0f00000000;
            mov.f32 %f1, 0f00000000;
            mov.f32 %f2, 0f00000000;
            mov.f32 %f3, 0f00000000;
            wgmma.fence.sync.aligned;
            wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16
                {%f0, %f1, %f2, %f3}, %a, %b, %p, 1, 1, 0, 0;
            ld.global.v4.b32 {%r0, %r1, %r2, %r3}, [%out];
            wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16
                {%f0, %f1, %f2, %f3}, {%r0, %r1, %r2, %r3}, %b, %p, 1, 1, 0;
            wgmma.commit_group.sync.aligned;
            wgmma.wait_group.sync.aligned 0;
            st.global.v4.f32 [%out], {%f0, %f1, %f2, %f3};
            ret;
        }
    }

    /// A fence for each.
    #[kernel]
    fn right(a: u64, b: u64, out: Ptr<Global, V4<f32>>) {
        ptx! {
            .reg .b32 %r<4>;
            .reg .b64 %a, %b, %out;
            .reg .f32 %f<4>, %x, %y;
            .reg .pred %p;
            ld.param.u64 %a, [a];
            ld.param.u64 %b, [b];
            ld.param.u64 %out, [out];
            setp.ne.u64 %p, %a, 0;
            mov.f32 %f0, 0f00000000;
            mov.f32 %f1, 0f00000000;
            mov.f32 %f2, 0f00000000;
            mov.f32 %f3, 0f00000000;
            wgmma.fence.sync.aligned;
            wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16
                {%f0, %f1, %f2, %f3}, %a, %b, %p, 1, 1, 0, 0;
            wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16
                {%f0, %f1, %f2, %f3}, %a, %b, %p, 1, 1, 0, 0;
            wgmma.commit_group.sync.aligned;
            wgmma.wait_group.sync.aligned 0;
            mul.f32 %f2, %f2, %x;
            wgmma.fence.sync.aligned;
            wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16
                {%f0, %f1, %f2, %f3}, %a, %b, %p, 1, 1, 0, 0;
            wgmma.commit_group.sync.aligned;
            wgmma.wait_group.sync.aligned 0;
            st.global.v4.f32 [%out], {%f0, %f1, %f2, %f3};
            ret;
        }
    }
}

fn main() {}
