//! A persistent kernel: warps that load and warps that multiply, tile after tile.

use ptx::prelude::*;

/// 64 x 64 halves.
#[tensor_map(element = f16, box = [64, 64], swizzle = B128)]
pub struct Block;

/// Three pairs of tiles and their barriers.
#[derive(PtxType)]
#[repr(C)]
pub struct Tiles {
    a: [Tile<Block>; 3],
    b: [Tile<Block>; 3],
    full: [Mbarrier; 3],
    empty: [Mbarrier; 3],
    rest: [u8; 976],
}

#[ptx::module(target = sm_90a, version = 8.6)]
pub mod pipelines {
    use super::*;

    #[shared(dynamic)]
    static TILES: Tiles;

    const K: u64 = ptx::lib::matrix::bits(Block::matrix_descriptor(Major::K));

    /// A product of tiles by two warpgroups, one of which loads: tile after tile, in grid strides.
    #[kernel(reqntid = 256)]
    pub fn persistent(
        a: TensorMap<Block>,
        b: TensorMap<Block>,
        d: Ptr<Global, f32, U16>,
        tiles: u32,
        steps: u32,
    ) {
        ptx! {
            .reg .pred %p, %q, %done;
            .reg .b32 %t, %warp, %tile, %tiles, %grid, %k, %steps, %stage, %phase, %smem, %full, %at, %x;
            .reg .b64 %a, %b, %d, %da, %db, %to;
            .reg .f32 %f<4>;
            mov.u32             %t, %tid.x;
            mov.u32             %smem, TILES;
            shr.u32             %warp, %t, 5;
            shfl.sync.idx.b32   %warp, %warp, 0, 31, -1;
            setp.lt.u32         %p, %t, 3;
            mad.lo.u32          %full, %t, 8, %smem;
            @%p mbarrier.init.shared::cta.b64 [%full + #(offset_of!(Tiles, full))], 1;
            @%p mbarrier.init.shared::cta.b64 [%full + #(offset_of!(Tiles, empty))], 128;
            @%p fence.mbarrier_init.release.cluster;
            bar.sync            0;
            ld.param.u32        %tiles, [tiles];
            ld.param.u32        %steps, [steps];
            mov.u32             %tile, %ctaid.x;
            mov.u32             %grid, %nctaid.x;
            mov.u32             %stage, 0;
            mov.u32             %phase, 0;
            setp.gt.u32         %p, %warp, 3;
            @%p bra             CONSUMER;
            setmaxnreg.dec.sync.aligned.u32 40;
            setp.ne.u32         %p, %warp, 0;
            @%p bra             END;
            elect.sync          _|%q, -1;
            @!%q bra            END;
            mov.b64             %a, a;
            cvta.param.u64      %a, %a;
            mov.b64             %b, b;
            cvta.param.u64      %b, %b;
        LOAD_TILE:
            setp.ge.u32         %p, %tile, %tiles;
            @%p bra             END;
            mov.u32             %k, 0;
        LOAD_STEP:
            setp.ge.u32         %p, %k, %steps;
            @%p bra             LOADED_TILE;
            mad.lo.u32          %full, %stage, 8, %smem;
            xor.b32             %x, %phase, 1;
        FREE:
            mbarrier.try_wait.parity.shared::cta.b64 %done, [%full + #(offset_of!(Tiles, empty))], %x;
            @!%done bra         FREE;
            add.u32             %full, %full, #(offset_of!(Tiles, full));
            mbarrier.arrive.expect_tx.shared::cta.b64 _, [%full], #(2 * Block::TRANSACTION_BYTES);
            shl.b32             %x, %k, 6;
            shl.b32             %at, %stage, 13;
            add.u32             %at, %at, %smem;
            cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
                [%at], [%a, {%x, %tile}], [%full];
            add.u32             %at, %at, #(offset_of!(Tiles, b));
            cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
                [%at], [%b, {%x, %tile}], [%full];
            add.u32             %stage, %stage, 1;
            setp.eq.u32         %p, %stage, 3;
            selp.b32            %stage, 0, %stage, %p;
            selp.b32            %x, 1, 0, %p;
            xor.b32             %phase, %phase, %x;
            add.u32             %k, %k, 1;
            bra                 LOAD_STEP;
        LOADED_TILE:
            add.u32             %tile, %tile, %grid;
            bra                 LOAD_TILE;
        CONSUMER:
            setmaxnreg.inc.sync.aligned.u32 232;
            ld.param.u64        %d, [d];
            sub.u32             %x, %t, 128;
            mad.wide.u32        %d, %x, 16, %d;
        TILE:
            setp.ge.u32         %p, %tile, %tiles;
            @%p bra             END;
            mov.f32             %f0, 0f00000000;
            mov.f32             %f1, %f0;
            mov.f32             %f2, %f0;
            mov.f32             %f3, %f0;
            mov.u32             %k, %steps;
        STEP:
            setp.eq.u32         %p, %k, 0;
            @%p bra             DONE;
            mad.lo.u32          %full, %stage, 8, %smem;
            add.u32             %full, %full, #(offset_of!(Tiles, full));
        WAIT:
            mbarrier.try_wait.parity.shared::cta.b64 %done, [%full], %phase;
            @!%done bra         WAIT;
            shl.b32             %at, %stage, 13;
            add.u32             %at, %at, %smem;
            bfe.u32             %x, %at, 4, 14;
            cvt.u64.u32         %da, %x;
            or.b64              %da, %da, #(K);
            add.u32             %at, %at, #(offset_of!(Tiles, b));
            shr.u32             %x, %at, 4;
            and.b32             %x, %x, 16383;
            cvt.u64.u32         %db, %x;
            or.b64              %db, %db, #(K);
            mov.u32             %x, 4;
            wgmma.fence.sync.aligned;
        INNER:
            wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16
                {%f0, %f1, %f2, %f3}, %da, %db, 1, 1, 1, 0, 0;
            add.s64             %da, %da, 2;
            add.s64             %db, %db, 2;
            add.s32             %x, %x, -1;
            setp.ne.s32         %p, %x, 0;
            @%p bra             INNER;
            wgmma.commit_group.sync.aligned;
            wgmma.wait_group.sync.aligned 0;
            mbarrier.arrive.shared::cta.b64 _, [%full + #(offset_of!(Tiles, empty) - offset_of!(Tiles, full))];
            add.u32             %stage, %stage, 1;
            setp.eq.u32         %p, %stage, 3;
            selp.b32            %stage, 0, %stage, %p;
            @%p xor.b32         %phase, %phase, 1;
            sub.u32             %k, %k, 1;
            bra                 STEP;
        DONE:
            mad.wide.u32        %to, %tile, 2048, %d;
            st.global.v4.f32    [%to], {%f0, %f1, %f2, %f3};
            add.u32             %tile, %tile, %grid;
            bra                 TILE;
        END:
            ret;
        }
    }
}
