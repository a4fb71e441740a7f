#![allow(unused)]
use ptx::prelude::*;

const ODD: usize = 6;
type Late = [V4<f32>; 4];
type Floats = Ptr<Global, f32>;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[tensor_map(element = bf16, box = [64, 128], swizzle = B128)]
    pub struct A;
    #[tensor_map(element = bf16, box = [32, 128], swizzle = B64)]
    pub struct B;

    #[derive(PtxType)]
    #[repr(C)]
    pub struct Stages { a: [Tile<A>; 2], b: [Tile<B>; 2], full: [Mbarrier; 128] }

    #[shared(dynamic)]
    static SMEM: Stages;
    #[shared(align = 16)]
    static ROW: [V4<f32>; 66];
    #[shared]
    static LATE: Late;
    #[shared(align = 128)]
    static SMALL: [u8; 512];
    #[shared(align = 128)]
    static BYTES: [u8; 16384];
    #[constant]
    static TAPS: [f32; 4] = [0.0; 4];
    #[global]
    static G: [u32; 64];
    #[shared]
    static FULL: Mbarrier;

    #[kernel]
    fn k(p: Ptr<Global, f32>, q: Floats, v: Ptr<Global, V4<f32>>, a: TensorMap<A>, n: u32) {
        ptx! {
            .reg .b32 %r<8>;
            .reg .b64 %d<8>;
            .reg .f32 %f<4>;
            mov.u32 %r0, %tid.x;
            mov.u32 %r1, ROW;
            mad.lo.u32 %r2, %r0, 16, %r1;
            ld.shared.v4.f32 {%f0, %f1, %f2, %f3}, [%r2 + 8];
            ld.shared.f32 %f0, [%r1 + 1056];
            ld.global.f32 %f0, [%r1];
            ld.shared.u32 %r3, [%r1];
            ld.param.u64 %d0, [p];
            ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%d0];
            ld.global.f32 %f0, [%d0 + 2];
            ld.global.u32 %r3, [%d0];
            ld.shared.f32 %f0, [%d0];
            ld.param.u64 %d0, [q];
            ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%d0];
            ld.global.u32 %r3, [%d0];
            ld.shared.f32 %f0, [%d0];
            mov.u64 %d1, LATE;
            cvta.shared.u64 %d1, %d1;
            ld.shared.f32 %f0, [%d1];
            ld.f32 %f0, [%d1 + 2];
            ld.f32 %f0, [%d1 + 64];
            mov.u64 %d1, ROW;
            ld.f32 %f0, [%d1];
            mov.u64 %d1, TAPS;
            st.global.f32 [%d1], %f0;
            ret;
        }
    }

    #[kernel]
    fn copies(a: TensorMap<A>, b: TensorMap<B>) {
        ptx! {
            .reg .b32 %r<8>;
            .reg .b64 %d<8>;
            .reg .pred %p;
            .reg .f32 %f<64>;
            mov.b64 %d0, a;
            cvta.param.u64 %d1, %d0;
            mov.u32 %r0, SMEM;
            mov.u32 %r1, SMALL;
            cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r0], [%d0, {%r2, %r3}], [FULL];
            cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%r0], [%d1, {%r2, %r3, %r4}], [FULL];
            mbarrier.arrive.expect_tx.shared.b64 _, [FULL], #(B::TRANSACTION_BYTES);
            cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r0], [%d1, {3, %r3}], [FULL];
        L: mbarrier.try_wait.parity.shared.b64 %p, [FULL], 0;
            @!%p bra L;
            mbarrier.arrive.expect_tx.shared.b64 _, [FULL], 64;
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [G], 128, [FULL];
            mbarrier.arrive.shared.b64 _, [FULL];
            cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%d1, {%r2, %r3}], [FULL];
            add.u32 %r4, %r0, #(offset_of!(Stages, b));
            cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r4], [%d1, {%r2, %r3}], [FULL];
            cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r4], [%d1, {%r2, %r3}], [%r0];
            mov.u32 %r5, BYTES;
            cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r5], [%d1, {%r2, %r3}], [FULL];
            and.b32 %r5, %r0, 0x3ffff;
            shr.u32 %r5, %r5, 4;
            cvt.u64.u32 %d2, %r5;
            or.b64 %d2, %d2, 0x4000002000010000;
            wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%f0, %f1, %f2, %f3}, %d2, %d2, 1, 1, 1, 0, 0;
            #[allow(A021)]
            ld.shared.b32 %r6, [ROW + 2];
            #[allow(A021)]
            ld.shared.b32 %r6, [ROW + 4];
            #[allow(A021, A034)]
            ld.shared.b32 %r6, [LATE + 2];
            ret;
        }
    }
    #[kernel(allow(A021, A020))]
    fn allowed() {
        ptx! {
            .reg .b32 %r;
            ld.shared.b32 %r, [ROW + 2];
            ld.shared.b32 %r, [LATE + #(ODD)];
            ret;
        }
    }
    #[kernel]
    fn inner() {
        const INNER: usize = 6;
        ptx! {
            .reg .b32 %r;
            ld.shared.b32 %r, [ROW + #(INNER)];
            ret;
        }
    }
}

fn main() {}
