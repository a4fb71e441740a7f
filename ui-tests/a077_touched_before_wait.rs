//! A077: registers of `wgmma` that are accessed before a wait.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    /// There is no wait.
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
            wgmma.commit_group.sync.aligned;
            st.global.v4.f32 [%out], {%f0, %f1, %f2, %f3};
            ret;
        }
    }

    /// One group may be pending, and it is this one.
    #[kernel]
    fn one_left(a: u64, b: u64, out: Ptr<Global, V4<f32>>) {
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
        NEXT:
            wgmma.fence.sync.aligned;
            wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16
                {%f0, %f1, %f2, %f3}, %a, %b, %p, 1, 1, 0, 0;
            wgmma.commit_group.sync.aligned;
            wgmma.wait_group.sync.aligned 1;
            add.f32 %x, %x, %f0;
            setp.lt.f32 %p, %x, 0f40000000;
            @%p bra NEXT;
            wgmma.wait_group.sync.aligned 0;
            st.global.v4.f32 [%out], {%f0, %f1, %f2, %f3};
            ret;
        }
    }

    /// The left matrix is also in use until then, and a copy of an accumulator counts as one.
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
            ld.global.v4.b32 {%r0, %r1, %r2, %r3}, [%out];
            wgmma.fence.sync.aligned;
            wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16
                {%f0, %f1, %f2, %f3}, {%r0, %r1, %r2, %r3}, %b, %p, 1, 1, 0;
            wgmma.commit_group.sync.aligned;
            mul.lo.u32 %r0, %r1, %r2;
            wgmma.wait_group.sync.aligned 0;
            wgmma.fence.sync.aligned;
            wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16
                {%f0, %f1, %f2, %f3}, %a, %b, %p, 1, 1, 0, 0;
            wgmma.commit_group.sync.aligned;
            mov.f32 %y, %f1;
            st.global.f32 [%out], %y;
            ret;
        }
    }

    /// After a wait; a second multiplication with the same accumulators; copies.
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
            wgmma.commit_group.sync.aligned;
            wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16
                {%f0, %f1, %f2, %f3}, %a, %b, %p, 1, 1, 0, 0;
            wgmma.commit_group.sync.aligned;
            mov.f32 %y, %f1;
            wgmma.wait_group.sync.aligned 0;
            st.global.v4.f32 [%out], {%f0, %f1, %f2, %f3};
            st.global.f32 [%out], %y;
            ret;
        }
    }
}

fn main() {}
