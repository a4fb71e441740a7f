//! A085: the destination of a bulk copy is read, but nothing waits for the barrier on which the copy completes.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[tensor_map(element = f32, box = [32, 8])]
    pub struct A;

    #[shared]
    static TILE: Tile<A>;
    #[shared(align = 16)]
    static ROW: [f32; 64];
    #[shared]
    static FULL: Mbarrier;
    #[shared]
    static EMPTY: Mbarrier;

    #[kernel(reqntid = 1)]
    fn a_row(row: Ptr<Global, f32, U16>) {
        ptx! {
            .reg .b64 %row;
            .reg .f32 %f;
            ld.param.u64 %row, [row];
            mbarrier.init.shared.b64 [FULL], 1;
            mbarrier.arrive.expect_tx.shared.b64 _, [FULL], 256;
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [ROW], [%row], 256, [FULL];
            ld.shared.f32 %f, [ROW + 4];
            ret;
        }
    }

    #[kernel(reqntid = 1)]
    fn another_barrier(map: TensorMap<A>) {
        ptx! {
            .reg .pred %done;
            .reg .b32 %x;
            .reg .b64 %map;
            .reg .f32 %f;
            mov.b32 %x, 0;
            mov.b64 %map, map;
            cvta.param.u64 %map, %map;
            mbarrier.init.shared.b64 [FULL], 1;
            mbarrier.init.shared.b64 [EMPTY], 1;
            mbarrier.arrive.expect_tx.shared.b64 _, [FULL], 1024;
            cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [TILE], [%map, {%x, %x}], [FULL];
            mbarrier.arrive.shared.b64 _, [EMPTY];
        WAIT:
            mbarrier.try_wait.parity.shared.b64 %done, [EMPTY], 0;
            @!%done bra WAIT;
            ld.shared.f32 %f, [TILE];
            ret;
        }
    }

    #[kernel(reqntid = 1)]
    fn awaited(row: Ptr<Global, f32, U16>) {
        ptx! {
            .reg .pred %done;
            .reg .b64 %row;
            .reg .f32 %f;
            ld.param.u64 %row, [row];
            mbarrier.init.shared.b64 [FULL], 1;
            mbarrier.arrive.expect_tx.shared.b64 _, [FULL], 256;
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [ROW], [%row], 256, [FULL];
        WAIT:
            mbarrier.try_wait.parity.shared.b64 %done, [FULL], 0;
            @!%done bra WAIT;
            ld.shared.f32 %f, [ROW + 4];
            ret;
        }
    }
}

fn main() {}
