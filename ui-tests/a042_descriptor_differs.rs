#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[tensor_map(element = bf16, box = [64, 128], swizzle = B128)]
    pub struct A;
    #[tensor_map(element = bf16, box = [32, 128], swizzle = B64)]
    pub struct B;

    #[derive(PtxType)]
    #[repr(C)]
    pub struct Stages {
        a: [Tile<A>; 2],
        b: [Tile<B>; 2],
        full: [Mbarrier; 128],
    }

    #[shared(dynamic)]
    static STAGES: Stages;
    #[shared]
    static FULL: Mbarrier;

    /// The bits of A, with the swizzle of 64 bytes.
    const OF_64: u64 = 2 << 62 | 64 << 32 | 1 << 16;
    /// With another stride.
    const NARROW: u64 = 1 << 62 | 32 << 32 | 1 << 16;
    /// B with the transpose: another leading offset.
    const LEADING: u64 = 2 << 62 | 32 << 32 | 1 << 16;
    const RIGHT: u64 = match <A as MapType>::SPEC.matrix_descriptor(Major::K) {
        Ok(descriptor) => descriptor.bits(),
        Err(_) => 0,
    };

    #[kernel]
    fn k() {
        ptx! {
            .reg .b32 %r<8>;
            .reg .b64 %d<8>;
            .reg .f32 %f<4>;
            mov.u32 %r0, STAGES;
            and.b32 %r1, %r0, 0x3ffff;
            shr.u32 %r1, %r1, 4;
            cvt.u64.u32 %d0, %r1;
            or.b64 %d1, %d0, #(OF_64);
            or.b64 %d2, %d0, #(RIGHT);
            wgmma.fence.sync.aligned;
            wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16
                {%f0, %f1, %f2, %f3}, %d1, %d2, 1, 1, 1, 0, 0;
            add.u64 %d4, %d0, #(64_u64 << 32);
            wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16
                {%f0, %f1, %f2, %f3}, %d4, %d2, 1, 1, 1, 0, 0;
            or.b64 %d3, %d0, #(NARROW);
            add.u64 %d2, %d2, 2;
            wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16
                {%f0, %f1, %f2, %f3}, %d3, %d2, 1, 1, 1, 0, 0;
            // With 8 rows, the stride is not used.
            wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16
                {%f0, %f1, %f2, %f3}, %d2, %d3, 1, 1, 1, 0, 0;
            add.u32 %r0, %r0, #(offset_of!(Stages, b));
            and.b32 %r1, %r0, 0x3ffff;
            shr.u32 %r1, %r1, 4;
            cvt.u64.u32 %d0, %r1;
            or.b64 %d4, %d0, #(LEADING);
            wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16
                {%f0, %f1, %f2, %f3}, %d4, %d2, 1, 1, 1, 1, 0;
            // With 32 of them, a full swizzle span, the leading offset is not used.
            wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16
                {%f0, %f1, %f2, %f3}, %d2, %d4, 1, 1, 1, 0, 1;
            ret;
        }
    }
}

fn main() {}
