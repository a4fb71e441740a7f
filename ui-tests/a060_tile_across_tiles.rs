//! A060: a tile that starts in one tile and ends in the next, in one copy or in an iteration of a loop.
#![allow(unused)]
use ptx::prelude::*;

/// A tile of 64 rows of 128 bytes.
#[tensor_map(element = bf16, box = [64, 64], swizzle = B128)]
struct A;

/// Eight rows of it.
#[tensor_map(element = bf16, box = [64, 8], swizzle = B128)]
struct Rows;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared]
    static TILES: [Tile<A>; 2];
    #[shared]
    static STAGES: [Tile<A>; 4];
    #[shared]
    static FULL: Mbarrier;

    #[kernel(allow(A066))]
    fn k(a: TensorMap<A>, rows: TensorMap<Rows>) {
        ptx! {
            .reg .b64 %a, %rows;
            .reg .b32 %x, %to;
            mov.b64 %a, a;
            cvta.param.u64 %a, %a;
            mov.b64 %rows, rows;
            cvta.param.u64 %rows, %rows;
            mov.u32 %x, 0;
            mbarrier.arrive.expect_tx.shared.b64 _, [FULL], 17408;
            cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes
                [TILES + 1024], [%a, {%x, %x}], [FULL];
            cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes
                [TILES + 8192], [%a, {%x, %x}], [FULL];
            // Some rows of a tile.
            cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes
                [TILES + 1024], [%rows, {%x, %x}], [FULL];
            ret;
        }
    }

    /// The stride is half a tile: iteration 2 starts in the middle of the first tile.
    #[kernel(allow(A066))]
    fn stages(a: TensorMap<A>) {
        ptx! {
            .reg .b64 %a;
            .reg .b32 %x, %stage, %to;
            .reg .pred %p;
            mov.b64 %a, a;
            cvta.param.u64 %a, %a;
            mov.u32 %x, 0;
            mov.u32 %stage, 0;
            mov.u32 %to, STAGES;
        FILL:
            mbarrier.arrive.expect_tx.shared.b64 _, [FULL], 8192;
            cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes
                [%to], [%a, {%x, %x}], [FULL];
            add.u32 %to, %to, 4096;
            add.u32 %stage, %stage, 1;
            setp.lt.u32 %p, %stage, 4;
            @%p bra FILL;
            ret;
        }
    }
}

fn main() {}
