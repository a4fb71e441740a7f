//! Products of `e4m3` with a scale for each 128 elements of a row of `A`, and for each 128 by 128 of `B`.
//!
//! The tensor cores add with fewer bits than `f32` has, so that the sums of a stage are scaled and added by the threads: half of the
//! columns at a time, while the other warpgroup multiplies.

use ptx::prelude::*;

use super::{CLUSTER, D, ROWS, THREADS, chunks, divide, load, place, start, store};

/// The scales of a stage: those of two rows that there are, and of two halves of the columns. If there is a next stage.
#[ptx::fragment]
fn load_scales(
    rows: &mut Reg<[f32; 2]>,
    halves: &mut Reg<[f32; 2]>,
    of_rows: Reg<Ptr<Global, f32>>,
    first: &mut Reg<Ptr<Global, f32>>,
    second: &mut Reg<Ptr<Global, f32>>,
    has: Reg<[bool; 2]>,
    is_next: Reg<bool>,
) {
    ptx! {
        let %loads: bool;
        for r in 0..2 {
            mov.f32     rows[r], 0f00000000;
            and.pred    %loads, has[r], is_next;
            @%loads ld.global.nc.f32 rows[r], [of_rows[8 * r]];
        }
        @is_next ld.global.nc.f32 halves[0], [first];
        @is_next ld.global.nc.f32 halves[1], [second];
        lea.global.u64 first, first[1];
        lea.global.u64 second, second[1];
    }
}

#[ptx::module(target = sm_90a, for(COLUMNS: usize in [256]))]
pub(crate) mod of_blocks {
    use super::*;
    use ptx::lib::{cluster, float, matrix, ring, warp};

    pub(crate) const STAGES: usize = 4;
    /// Elements of a row in one stage.
    const DEPTH: usize = 128;

    #[tensor_map(element = E4M3, box = [DEPTH, ROWS], swizzle = B128, l2_promotion = B128)]
    pub(crate) struct A;
    #[tensor_map(element = E4M3, box = [DEPTH, COLUMNS / CLUSTER], swizzle = B128, l2_promotion = B128)]
    pub(crate) struct B;

    #[ptx::padded]
    #[derive(PtxType)]
    #[repr(C)]
    pub(crate) struct Stages {
        a: [Tile<A>; STAGES],
        b: [[Tile<B>; CLUSTER]; STAGES],
        /// The boxes that a warpgroup stores at a time.
        d: [[Tile<D>; 4]; 2],
        /// The scales of columns that `whole.rs` has here.
        unused: [[f32; 256]; 2],
        full: [Mbarrier; STAGES],
        empty: [Mbarrier; STAGES],
    }

    #[shared(dynamic)]
    pub(crate) static STAGES_OF_BLOCK: Stages;

    /// What the maps say of the tiles as matrices: rows of 128 bytes.
    const LEFT: u64 = matrix::bits(A::matrix_descriptor(Major::K));
    const RIGHT: u64 = matrix::bits(B::matrix_descriptor(Major::K));

    /// Multiplies, with any number of clusters in the grid. The scales of rows lie by the blocks of `k`, those of columns by the
    /// blocks of `n`.
    #[kernel(
        for(SCALES: u32 in [3]),
        launch(block = THREADS, grid = 4, m = 512, n = 768, k = 640),
        maxntid = THREADS, minnctapersm = 1, reqnctapercluster = CLUSTER
    )]
    pub(crate) fn multiply(
        a: TensorMap<A>,
        b: TensorMap<B>,
        d: TensorMap<D>,
        #[readonly] of_a: Ptr<Global, f32>,
        #[readonly] of_b: Ptr<Global, f32, U8>,
        m: u32,
        n: u32,
        k: u32,
    ) {
        ptx! {
            let %a, %b, %d, %left, %right, %lefts, %rights: u64;
            let %thread, %lane, %rank, %stage, %phase, %group, %half, %down, %i, %j: u32;
            let %m, %n, %k, %rows, %columns, %tiles, %tile, %step, %x, %y, %column: u32;
            let %stages, %parts: Ptr<Shared, Stages>;
            let %full, %empty, %theirs, %previous: Ptr<Shared, Mbarrier>;
            let %box: Ptr<Shared, Tile<D>>;
            let %of_a, %of_b, %scales, %blocks, %further: Ptr<Global, f32>;
            let %at: [u32; 2];
            let %pairs: [Bf16x2; COLUMNS / 4];
            let %sum: [f32; COLUMNS / 2];
            let %part: [f32; 64];
            let %row, %of_half: [f32; 2];
            let %factor: [f32; 4];
            let %has: [bool; 2];
            let %other, %done, %more, %signals: bool;

            mov.u32     %thread, %tid.x;
            mov.u32     %rank, %cluster_ctarank;
            lea.shared.u32 %stages, STAGES_OF_BLOCK;
            lea.shared.u32 %full, %stages.full;
            lea.shared.u32 %empty, %stages.empty;
            setp.ne.u32 %other, %thread, 0;
            start::<STAGES> %full, %empty, %other;
            ld.param.u32 %m, [m];
            ld.param.u32 %n, [n];
            ld.param.u32 %k, [k];
            divide::<COLUMNS> %rows, %columns, %tiles, %tile, %step, %m, %n;
            mov.b32     %stage, 0;
            warp::warpgroup %group, %thread;
            setp.ne.u32 %more, %group, 0;
            @%more bra MULTIPLY;

            // One thread loads the tiles.
            setmaxnreg.dec.sync.aligned.u32 40;
            @%other bra END;
            cvta.param.u64 %a, a;
            cvta.param.u64 %b, b;
            mad.lo.u32  %parts, %rank, #(B::STRIDE), %stages;
            // In the first pass, all stages are empty.
            mov.b32     %phase, 1;
            load::<STAGES, COLUMNS, DEPTH, { A::TRANSACTION_BYTES + CLUSTER * B::TRANSACTION_BYTES }>
                %a, %b, %stages.a, %parts.b, %full, %empty, %stage, %phase, %rank, %tile, %step, %tiles, %rows, %columns, %k;
            bra END;

            // Two warpgroups multiply the tiles.
        MULTIPLY:
            setmaxnreg.inc.sync.aligned.u32 232;
            cvta.param.u64 %d, d;
            mov.b32     %phase, 0;
            and.b32     %lane, %thread, 31;
            sub.u32     %half, %group, 1;
            // The matrices: 64 rows of the tile of A, all of the tile of B.
            lea.shared.u32 %i, %stages.a;
            mad.lo.u32  %i, %half, #(A::STRIDE / 2), %i;
            matrix::descriptor %lefts, %i, #(LEFT);
            lea.shared.u32 %i, %stages.b;
            matrix::descriptor %rights, %i, #(RIGHT);
            // One lane for each block of the cluster signals to that block that a stage is empty.
            setp.lt.u32 %signals, %lane, #(CLUSTER);
            rem.u32     %i, %lane, #(CLUSTER);
            mapa.shared::cluster.u32 %theirs, %empty, %i;
            lea.shared.u32 %box, %stages.d[%half];
            chunks      %at, %other, %thread, %lane, %box;
            ld.param.u64 %of_a, [of_a];
            ld.param.u64 %of_b, [of_b];
            // Of each 16 rows, a lane has one and the eighth below it.
            shr.u32     %i, %thread, 5;
            and.b32     %i, %i, 3;
            shr.u32     %down, %lane, 2;
            mad.lo.u32  %down, %i, 16, %down;
        MULTIPLY_TILE:
            setp.ge.u32 %done, %tile, %tiles;
            @%done bra STORED;
            place::<COLUMNS> %column, %y, %tile, %rows, %columns, %rank;
            mad.lo.u32  %y, %half, #(ROWS / 2), %y;
            // The scales of the first stage; those of the next are loaded while one is multiplied.
            add.u32     %i, %y, %down;
            lea.global.u64 %scales, %of_a[%i];
            for r in 0..2 {
                setp.lt.u32 %has[r], %i, %m;
                add.u32     %i, %i, 8;
            }
            add.u32     %j, %k, 127;
            shr.u32     %j, %j, 7;
            shr.u32     %i, %column, 7;
            mul.lo.u32  %i, %i, %j;
            lea.global.u64 %blocks, %of_b[%i];
            add.u32     %i, %column, 128;
            setp.lt.u32 %more, %i, %n;
            selp.u32    %j, %j, 0, %more;
            lea.global.u64 %further, %blocks[%j];
            for i in 0..COLUMNS / 2 {
                mov.f32     %sum[i], 0f00000000;
            }
            setp.eq.u32 %more, 0, 0;
            load_scales %row, %of_half, %scales, %blocks, %further, %has, %more;
            mov.b32     %x, 0;
        STEP:
            ring::wait  %full, %stage, %phase;
            matrix::nth %left, %lefts, %stage, #(A::STRIDE);
            matrix::nth %right, %rights, %stage, #(CLUSTER * B::STRIDE);
            for half in 0..2 {
                for r in 0..2 {
                    mul.f32     %factor[2 * half + r], %row[r], %of_half[half];
                }
            }
            add.u32     %x, %x, #(DEPTH);
            setp.lt.u32 %more, %x, %k;
            lea.global.u64 %scales, %scales[%m];
            load_scales %row, %of_half, %scales, %blocks, %further, %has, %more;
            for half in 0..2 {
                wgmma.fence.sync.aligned;
                for part in 0..4 {
                    add.u64     %a, %left, #(2 * part);
                    add.u64     %b, %right, #(half * B::STRIDE / 16 + 2 * part);
                    wgmma.mma_async.sync.aligned.m64n128k32.f32.e4m3.e4m3
                        {%part[0..64]}, %a, %b, #(if part == 0 { 0 } else { 1 }), 1, 1;
                }
                wgmma.commit_group.sync.aligned;
                wgmma.wait_group.sync.aligned 0;
                if half == 1 {
                    lea.shared.u32 %previous, %theirs[%stage];
                    @%signals mbarrier.arrive.shared::cluster.b64 _, [%previous];
                }
                for i in 0..64 {
                    fma.rn.f32  %sum[64 * half + i], %part[i], %factor[2 * half + i / 2 % 2], %sum[64 * half + i];
                }
            }
            ring::next::<STAGES> %stage, %phase;
            @%more bra STEP;

            for pair in 0..COLUMNS / 4 {
                float::to_bf16x2 %pairs[pair], %sum[2 * pair], %sum[2 * pair + 1];
            }
            // Their registers hold parts of sums while the next tile is multiplied.
            for quarter in 0..4 {
                store::<quarter, COLUMNS> %d, %pairs, %at, %box, %column, %y, %group, %other;
            }
            add.u32     %tile, %tile, %step;
            bra MULTIPLY_TILE;
        STORED:
            cp.async.bulk.wait_group 0;

            // Other blocks may still write to this block's memory: all end together.
        END:
            cluster::sync;
            ret;
        }
    }
}
