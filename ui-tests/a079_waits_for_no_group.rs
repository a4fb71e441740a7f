//! A079: waiting for `wgmma` instructions that are in no group.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    /// The group is missing.
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
            wgmma.fence.sync.aligned;
            wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16
                {%f0, %f1, %f2, %f3}, %a, %b, %p, 1, 1, 0, 0;
            wgmma.wait_group.sync.aligned 0;
            st.global.v4.f32 [%out], {%f0, %f1, %f2, %f3};
            ret;
        }
    }

    /// The group of the second one is missing.
    #[kernel]
    fn second(a: u64, b: u64, out: Ptr<Global, V4<f32>>) {
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
            wgmma.fence.sync.aligned;
            wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16
                {%f0, %f1, %f2, %f3}, %a, %b, %p, 1, 1, 0, 0;
            wgmma.wait_group.sync.aligned 0;
            st.global.v4.f32 [%out], {%f0, %f1, %f2, %f3};
            ret;
        }
    }

    /// Nothing to wait for, and a group for each.
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
            wgmma.wait_group.sync.aligned 0;
            mov.f32 %f0, 0f00000000;
            mov.f32 %f1, 0f00000000;
            mov.f32 %f2, 0f00000000;
            mov.f32 %f3, 0f00000000;
            wgmma.fence.sync.aligned;
            wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16
                {%f0, %f1, %f2, %f3}, %a, %b, %p, 1, 1, 0, 0;
            wgmma.commit_group.sync.aligned;
            wgmma.wait_group.sync.aligned 0;
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
