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
    #[global(align = 16)]
    static DATA: [u8; 1024];
    #[shared(align = 16)]
    static ROW: [u8; 1024];

    #[kernel]
    fn known() {
        ptx! {
            .reg .b32 %r<8>;
            .reg .pred %p;
            mbarrier.arrive.expect_tx.shared.b64 _, [FULL], 64;
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes
                [ROW], [DATA], 128, [FULL];
        WAIT:
            mbarrier.try_wait.parity.shared.b64 %p, [FULL], 0;
            @!%p bra WAIT;
            mov.u32 %r0, 512;
            mbarrier.arrive.expect_tx.shared.b64 _, [FULL], %r0;
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes
                [ROW], [DATA], 128, [FULL];
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes
                [ROW + 128], [DATA + 128], 128, [FULL];
            ret;
        }
    }

    #[kernel]
    fn k(a: TensorMap<A>, b: TensorMap<B>) {
        ptx! {
            .reg .b32 %r<8>;
            .reg .b64 %d<8>;
            .reg .pred %p;
            mov.b64 %d0, a;
            cvta.param.u64 %d0, %d0;
            mov.u32 %r0, STAGES;
            mov.b64 %d1, b;
            cvta.param.u64 %d1, %d1;
            mov.u32 %r1, %tid.x;
            mad.lo.u32 %r2, %r1, 8, %r0;
            mbarrier.arrive.expect_tx.shared.b64 _, [%r2 + #(offset_of!(Stages, full))],
                #(A::TRANSACTION_BYTES);
            cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes
                [%r0 + #(offset_of!(Stages, a))], [%d0, {%r6, %r7}], [%r2 + #(offset_of!(Stages, full))];
            cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes
                [%r0 + #(offset_of!(Stages, b))], [%d1, {%r6, %r7}], [%r2 + #(offset_of!(Stages, full))];
        WAIT:
            mbarrier.try_wait.parity.shared.b64 %p, [%r2 + #(offset_of!(Stages, full))], 0;
            @!%p bra WAIT;
            mbarrier.arrive.expect_tx.shared.b64 _, [%r2 + #(offset_of!(Stages, full))],
                #(A::TRANSACTION_BYTES + B::TRANSACTION_BYTES);
            cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes
                [%r0 + #(offset_of!(Stages, a))], [%d0, {%r6, %r7}], [%r2 + #(offset_of!(Stages, full))];
            cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes
                [%r0 + #(offset_of!(Stages, b))], [%d1, {%r6, %r7}], [%r2 + #(offset_of!(Stages, full))];
            ret;
        }
    }
}

fn main() {}
