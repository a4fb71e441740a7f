#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[tensor_map(element = bf16, box = [64, 8], swizzle = B128)]
    pub struct A;

    #[shared]
    static FEW: Tile<A>;
    #[shared]
    static MANY: [Tile<A>; 8];

    const BITS: u64 = match <A as MapType>::SPEC.matrix_descriptor(Major::K) {
        Ok(descriptor) => descriptor.bits(),
        Err(_) => 0,
    };

    #[kernel]
    fn k() {
        ptx! {
            .reg .b32 %r<2>;
            .reg .b64 %d<4>;
            .reg .f32 %f<8>;
            mov.u32 %r0, FEW;
            and.b32 %r0, %r0, 0x3ffff;
            shr.u32 %r0, %r0, 4;
            cvt.u64.u32 %d0, %r0;
            or.b64 %d0, %d0, #(BITS);
            mov.u32 %r1, MANY;
            and.b32 %r1, %r1, 0x3ffff;
            shr.u32 %r1, %r1, 4;
            cvt.u64.u32 %d1, %r1;
            or.b64 %d1, %d1, #(BITS);
            add.u64 %d2, %d1, 6;
            // 64 rows of A and 8 of B.
            wgmma.fence.sync.aligned;
            wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16
                {%f0, %f1, %f2, %f3}, %d2, %d0, 1, 1, 1, 0, 0;
            wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16
                {%f0, %f1, %f2, %f3}, %d0, %d1, 1, 1, 1, 0, 0;
            wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16
                {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}, %d1, %d0, 1, 1, 1, 0, 0;
            ret;
        }
    }
}

fn main() {}
