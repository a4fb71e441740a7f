#![allow(unused)]
use ptx::prelude::*;

type Late = [u8; 1024];

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[tensor_map(element = bf16, box = [64, 128], swizzle = B128)]
    pub struct A;
    #[tensor_map(element = bf16, box = [32, 128], swizzle = B64)]
    pub struct B;
    /// Four rows of a tile of A.
    #[tensor_map(element = bf16, box = [64, 4], swizzle = B128)]
    pub struct Piece;

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
    #[shared(align = 128)]
    static BYTES: [u8; 16384];
    #[shared(align = 1024)]
    static MORE: [u8; 20480];
    #[shared]
    static TILE: Tile<A>;
    #[shared(align = 128)]
    static LATE: Late;

    #[kernel(allow(A053, A066))]
    fn k(a: TensorMap<A>) {
        ptx! {
            .reg .b32 %r<8>;
            .reg .b64 %d<8>;
            .reg .pred %p;
            mov.b64 %d0, a;
            cvta.param.u64 %d0, %d0;
            mov.u32 %r0, STAGES;
            mov.u32 %r1, BYTES;
            cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes
                [%r1], [%d0, {%r6, %r7}], [FULL];
            mov.u32 %r1, MORE;
            cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes
                [%r1 + 128], [%d0, {%r6, %r7}], [FULL];
            mad.lo.u32 %r1, %r5, 2048, %r1;
            cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes
                [%r1 + 512], [%d0, {%r6, %r7}], [FULL];
            cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes
                [%r1 + 1024], [%d0, {%r6, %r7}], [FULL];
            // The alignment of an address that the kernel aligns itself is not known either.
            mov.u32 %r1, BYTES;
            add.u32 %r1, %r1, 1023;
            and.b32 %r1, %r1, -1024;
            cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes
                [%r1], [%d0, {%r6, %r7}], [FULL];
            ret;
        }
    }

    /// A swizzle depends on addresses: a tile may be filled piece by piece.
    #[kernel(allow(A053, A066))]
    fn by_pieces(piece: TensorMap<Piece>) {
        ptx! {
            .reg .b32 %r<8>;
            .reg .b64 %d<8>;
            mov.b64 %d0, piece;
            cvta.param.u64 %d0, %d0;
            mov.u32 %r1, TILE;
            cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes
                [%r1 + 512], [%d0, {%r6, %r7}], [FULL];
            mov.u32 %r1, MORE;
            mad.lo.u32 %r1, %r5, 512, %r1;
            cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes
                [%r1], [%d0, {%r6, %r7}], [FULL];
            mov.u32 %r1, LATE;
            cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes
                [%r1 + 512], [%d0, {%r6, %r7}], [FULL];
            ret;
        }
    }
}

fn main() {}
