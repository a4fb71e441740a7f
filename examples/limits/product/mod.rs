//! Products of matrices on the tensor cores of `sm_90a`, `D = A Bᵀ`, of `bf16`, and of `e4m3` with a scale for each matrix
//! or row (`whole.rs`), or for each block of elements (`blocks.rs`). This file has the parts that they share.
//!
//! `A` is `m` rows of `k` elements, `B` is `n` rows of `k`, `D` is `m` rows of `n` numbers of `bf16`, all row-major. Rows are
//! multiples of 16 bytes; tensor maps load and store the tiles and handle the edges.
//!
//! A block has three warpgroups. One thread of the first keeps a ring of stages full, each of which has 128 bytes of 128 rows
//! of `A` and of `COLUMNS` rows of `B`; each of the other two multiplies 64 rows of `A` by all of `B`, with the sums in
//! registers. The two blocks of a cluster have the same rows of `B`, of which each loads one half into both. Blocks are
//! persistent: they run until no tiles are left.

mod blocks;
mod whole;

pub(crate) use blocks::of_blocks;
use ptx::lib::{cluster, ring, tile};
use ptx::prelude::*;
pub(crate) use whole::{of_bf16, of_e4m3};

/// Threads of a block: three warpgroups.
pub(crate) const THREADS: u32 = 384;
/// Rows of `D` in a tile.
pub(crate) const ROWS: usize = 128;
/// Blocks of a cluster.
pub(crate) const CLUSTER: usize = 2;

/// Boxes of `D`: the columns and rows that a warpgroup stores at a time, of which it has four places.
#[tensor_map(element = bf16, box = [32, 64], swizzle = B64)]
pub(crate) struct D;

/// Initialises the ring, by one thread of each block, before any thread of the cluster goes on.
#[ptx::fragment]
fn start<const STAGES: usize>(
    full: &[Mbarrier; STAGES],
    empty: &[Mbarrier; STAGES],
    is_other: Reg<bool>,
) {
    ptx! {
        @is_other bra READY;
        // One arrival of each of the 8 multiplying warps of each block.
        ring::init::<STAGES> full, empty, #(8 * CLUSTER);
        fence.mbarrier_init.release.cluster;
        fence.proxy.async.shared::cta;
    READY:
        cluster::sync;
    }
}

/// How the tiles of `D` are divided: the numbers of rows and columns of tiles and of all tiles, where a row is what a cluster
/// multiplies at once; the first tile of this cluster, and how far it is to its next.
#[ptx::fragment(returns(rows, columns, tiles, tile, step))]
fn divide<const COLUMNS: usize>(
    m: Reg<u32>,
    n: Reg<u32>,
) -> (Reg<u32>, Reg<u32>, Reg<u32>, Reg<u32>, Reg<u32>) {
    ptx! {
        add.u32     rows, m, #(CLUSTER * ROWS - 1);
        div.u32     rows, rows, #(CLUSTER * ROWS);
        add.u32     columns, n, #(COLUMNS - 1);
        div.u32     columns, columns, #(COLUMNS);
        mul.lo.u32  tiles, rows, columns;
        mov.u32     tile, %clusterid.x;
        mov.u32     step, %nclusterid.x;
    }
}

/// The first column and row of a tile that this block of the cluster multiplies. Sixteen rows of tiles go through all columns
/// before the next rows do.
#[ptx::fragment(returns(column, row))]
fn place<const COLUMNS: usize>(
    tile: Reg<u32>,
    rows: Reg<u32>,
    columns: Reg<u32>,
    rank: Reg<u32>,
) -> (Reg<u32>, Reg<u32>) {
    ptx! {
        tile::grouped::<16> column, row, tile, rows, columns;
        mad.lo.u32  row, row, #(CLUSTER), rank;
        mul.lo.u32  row, row, #(ROWS);
        mul.lo.u32  column, column, #(COLUMNS);
    }
}

/// Loads all tiles of a cluster, a stage as soon as it is empty: this block's rows of `A`, and its part of the rows of `B` for
/// both blocks. A stage has `DEPTH` elements of a row, and `BYTES` bytes.
#[ptx::fragment]
fn load<const STAGES: usize, const COLUMNS: usize, const DEPTH: usize, const BYTES: usize>(
    a: Reg<u64>,
    b: Reg<u64>,
    stages: &[[u8; 128]; STAGES],
    parts: &[[u8; 128]; STAGES],
    full: &[Mbarrier; STAGES],
    empty: &[Mbarrier; STAGES],
    stage: &mut Reg<u32>,
    phase: &mut Reg<u32>,
    rank: Reg<u32>,
    tile: &mut Reg<u32>,
    step: Reg<u32>,
    tiles: Reg<u32>,
    rows: Reg<u32>,
    columns: Reg<u32>,
    k: Reg<u32>,
) {
    ptx! {
        let %barrier, %x, %row, %column, %to: u32;
        let %everyone: B16;
        let %more: bool;
        mov.b16     %everyone, #((1 << CLUSTER) - 1);
    TILE:
        setp.ge.u32 %more, tile, tiles;
        @%more bra LOADED;
        place::<COLUMNS> %column, %row, tile, rows, columns, rank;
        mad.lo.u32  %column, rank, #(COLUMNS / 2), %column;
        mov.b32     %x, 0;
    LOAD:
        ring::wait  empty, stage, phase;
        lea.shared.u32 %barrier, full[stage];
        mbarrier.arrive.expect_tx.shared::cta.b64 _, [%barrier], #(BYTES);
        lea.shared.u32 %to, stages[stage];
        cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
            [%to], [a, {%x, %row}], [%barrier];
        lea.shared.u32 %to, parts[stage];
        cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster
            [%to], [b, {%x, %column}], [%barrier], %everyone;
        ring::next::<STAGES> stage, phase;
        add.u32     %x, %x, #(DEPTH);
        setp.lt.u32 %more, %x, k;
        @%more bra LOAD;
        add.u32     tile, tile, step;
        bra TILE;
    LOADED:
    }
}

/// Where a lane stores 16 bytes of a row of a box: in two chunks of the row, which the swizzle exchanges. And whether it is
/// another one than that which starts the copies of the warpgroup's boxes.
#[ptx::fragment(returns(at, is_other))]
fn chunks(thread: Reg<u32>, lane: Reg<u32>, boxes: Reg<u32>) -> (Reg<[u32; 2]>, Reg<bool>) {
    ptx! {
        let %row, %i, %chunk: u32;
        and.b32     %row, thread, 127;
        setp.ne.u32 is_other, %row, 0;
        shr.u32     %row, %row, 5;
        and.b32     %i, lane, 15;
        mad.lo.u32  %row, %row, 16, %i;
        mad.lo.u32  %row, %row, 64, boxes;
        shr.u32     %chunk, lane, 4;
        shr.u32     %i, lane, 1;
        and.b32     %i, %i, 3;
        xor.b32     %chunk, %chunk, %i;
        shl.b32     %chunk, %chunk, 4;
        for c in 0..2 {
            xor.b32 %i, %chunk, #(32 * c);
            add.u32 at[c], %row, %i;
        }
    }
}

/// Stores a quarter of the columns of 64 rows of a tile, in boxes of 32 columns, of which a warpgroup has four places.
#[ptx::fragment]
fn store<const QUARTER: usize, const COLUMNS: usize>(
    d: Reg<u64>,
    pairs: Reg<[Bf16x2; COLUMNS / 4]>,
    at: Reg<[u32; 2]>,
    boxes: Reg<u32>,
    column: Reg<u32>,
    row: Reg<u32>,
    group: Reg<u32>,
    waits: Reg<bool>,
) {
    ptx! {
        .reg .u32 %i;
        // The store before the last has read its boxes, so that they may be overwritten.
        cp.async.bulk.wait_group.read 1;
        bar.sync    group, 128;
        for b in 2 * QUARTER..2 * QUARTER + 2 - QUARTER / 3 * (8 - COLUMNS / 32) {
            for part in 0..2 {
                stmatrix.sync.aligned.m8n8.x4.shared.b16
                    [at[part] + #(b % 4 * 4096)], {pairs[8 * b + 4 * part..8 * b + 4 * part + 4]};
            }
        }
        fence.proxy.async.shared::cta;
        bar.sync    group, 128;
        @waits bra STORED;
        for b in 2 * QUARTER..2 * QUARTER + 2 - QUARTER / 3 * (8 - COLUMNS / 32) {
            add.u32     %i, column, #(32 * b);
            cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group
                [d, {%i, row}], [boxes + #(b % 4 * 4096)];
        }
        cp.async.bulk.commit_group;
    STORED:
    }
}
