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

    /// Room for one of A in two halves, and in one.
    #[tensor_map(element = bf16, box = [64, 64], swizzle = B128)]
    pub struct Half;

    #[derive(PtxType)]
    #[repr(C)]
    pub struct Halves {
        lower: Tile<Half>,
        upper: Tile<Half>,
        sums: [f32; 4096],
    }

    #[shared]
    static HALVES: Halves;
    #[shared(dynamic)]
    static STAGES: Stages;
    #[shared]
    static FULL: Mbarrier;
    #[shared(align = 1024)]
    static SMALL: [u8; 512];

    #[kernel(allow(A053, A066))]
    fn k(a: TensorMap<A>) {
        ptx! {
            .reg .b32 %r<8>;
            .reg .b64 %d<8>;
            .reg .pred %p;
            mov.b64 %d0, a;
            cvta.param.u64 %d0, %d0;
            mov.u32 %r0, STAGES;
            mov.u32 %r1, SMALL;
            cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes
                [%r1], [%d0, {%r6, %r7}], [FULL];
            cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes
                [%r0 + #(offset_of!(Stages, full))], [%d0, {%r6, %r7}], [FULL];
            cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes
                [%r0 + #(A::STRIDE)], [%d0, {%r6, %r7}], [FULL];
            mov.u32 %r1, HALVES;
            cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes
                [%r1], [%d0, {%r6, %r7}], [FULL];
            cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes
                [%r1 + #(Half::STRIDE)], [%d0, {%r6, %r7}], [FULL];
            ret;
        }
    }

    #[kernel(allow(A037, A053, A066))]
    fn allowed(a: TensorMap<A>) {
        ptx! {
            .reg .b32 %r<8>;
            .reg .b64 %d<8>;
            .reg .pred %p;
            mov.b64 %d0, a;
            cvta.param.u64 %d0, %d0;
            mov.u32 %r0, STAGES;
            mov.u32 %r1, SMALL;
            cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes
                [%r1], [%d0, {%r6, %r7}], [FULL];
            ret;
        }
    }
}

fn main() {}
