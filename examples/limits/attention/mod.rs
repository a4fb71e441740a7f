//! Attention on the tensor cores of `sm_90a`, forward: `O = softmax(scale Q Kᵀ) V` for each head of each sequence, in `bf16`
//! with sums and statistics of `f32`.
//!
//! `Q` and `O` are `tokens` rows of `heads` vectors of `DIM` numbers, `K` and `V` the same with the heads that groups of
//! them share. Sequences lie one after the other; what there is to do is a list of tiles, `ROWS` queries of one head of
//! one sequence each, that the host divides among the blocks (`plan.rs`).
//!
//! One warpgroup of a block loads; each of the others has 64 queries. In each round it starts two products: that of its queries
//! and the next `KEYS` keys, and that of the weights of the block before and its values. When the first has ended, its scores
//! become weights while the second still runs: powers of two of what they are less than the largest so far; where that grows,
//! what was summed before is scaled. The warpgroups take turns, so that one has the tensor cores while the others compute
//! exponentials.
//!
//! All numbers have to be finite, and scores greater than -2^100: the last block of a sequence may have keys and values of the
//! next one, whose weights are 0.
//!
//! `kernels.rs` has the kernels; this file has the parts that they share, and `launch.rs` starts them.

mod kernels;

pub(crate) use kernels::{causal_of_64, causal_of_128, of_64, of_128};
use ptx::lib::{float, ring, warp};
use ptx::prelude::*;

/// Queries of one head, for which one block computes all that there is.
#[derive(PtxType, Clone, Copy, Debug)]
#[repr(C, align(16))]
pub(crate) struct Work {
    /// The first token of the tile, and of its sequence.
    pub(crate) row: u32,
    pub(crate) start: u32,
    /// The tokens from the first one of the tile to the end of the sequence.
    pub(crate) rows: u32,
    /// The keys that a query of the tile sees, from the start of the sequence.
    pub(crate) keys: u32,
    pub(crate) head: u32,
    /// The head of the keys and values.
    pub(crate) shared_head: u32,
    pub(crate) padding: [u32; 2],
}

/// Boxes of queries: 64 of them, and 64 of their numbers.
#[tensor_map(element = bf16, box = [64, 1, 64], swizzle = B128, l2_promotion = B256)]
pub(crate) struct Q;

/// Loads a block of keys or values when a stage is empty, and goes on to the next stage.
#[ptx::fragment]
fn load_block<const BOXES: usize, const KEYS: usize, const STAGES: u32>(
    map: Reg<u64>,
    head: Reg<u32>,
    token: Reg<u32>,
    blocks: Reg<u32>,
    empty: Reg<Ptr<Shared, Mbarrier>>,
    full: Reg<Ptr<Shared, Mbarrier>>,
    stage: &mut Reg<u32>,
    phase: &mut Reg<u32>,
) {
    ptx! {
        let %barrier: Ptr<Shared, Mbarrier>;
        let %to, %box: u32;
        ring::wait  empty, stage, phase;
        lea.shared.u32 %barrier, full[stage];
        mbarrier.arrive.expect_tx.shared::cta.b64 _, [%barrier], #(BOXES * KEYS * 128);
        mad.lo.u32  %to, stage, #(BOXES * KEYS * 128), blocks;
        for b in 0..BOXES {
            add.u32     %box, %to, #(b * KEYS * 128);
            cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
                [%box], [map, {#(64 * b), head, token}], [%barrier];
        }
        ring::next::<STAGES> stage, phase;
    }
}

/// Scores of 64 queries and the keys of a block, from the descriptors of both.
#[ptx::fragment]
fn multiply_keys<const KEYS: usize, const DIM: usize>(
    s: &mut Reg<[f32; KEYS / 2]>,
    queries: Reg<u64>,
    keys: Reg<u64>,
) {
    ptx! {
        let %left, %right: u64;
        wgmma.fence.sync.aligned;
        for part in 0..DIM / 16 {
            add.u64     %left, queries, #((part / 4 * 64 * 128 + part % 4 * 32) / 16);
            add.u64     %right, keys, #((part / 4 * KEYS * 128 + part % 4 * 32) / 16);
            if KEYS == 176 {
                wgmma.mma_async.sync.aligned.m64n176k16.f32.bf16.bf16
                    {s[0..88]}, %left, %right, #(if part == 0 { 0 } else { 1 }), 1, 1, 0, 0;
            } else {
                wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16
                    {s[0..64]}, %left, %right, #(if part == 0 { 0 } else { 1 }), 1, 1, 0, 0;
            }
        }
        wgmma.commit_group.sync.aligned;
    }
}

/// Adds the values of a block, times their weights.
#[ptx::fragment]
fn add_values<const KEYS: usize, const DIM: usize>(
    o: &mut Reg<[f32; DIM / 2]>,
    p: Reg<[Bf16x2; KEYS / 4]>,
    values: Reg<u64>,
) {
    ptx! {
        let %right: u64;
        wgmma.fence.sync.aligned;
        for part in 0..KEYS / 16 {
            add.u64     %right, values, #(part * 16 * 128 / 16);
            if DIM == 128 {
                wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16
                    {o[0..64]}, {p[4 * part..4 * part + 4]}, %right, 1, 1, 1, 1;
            } else {
                wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16
                    {o[0..32]}, {p[4 * part..4 * part + 4]}, %right, 1, 1, 1, 1;
            }
        }
        wgmma.commit_group.sync.aligned;
    }
}

/// Multiplies what a lane's two rows have summed by the inverses of the sums of their weights, and stores 16 bytes at a time, if
/// the sequence has the rows: `y` is the first of them in the tile, `rows` says how many there are.
#[ptx::fragment]
fn store<const DIM: usize>(
    o: &mut Reg<[f32; DIM / 2]>,
    inverse: Reg<[f32; 2]>,
    lane: Reg<u32>,
    y: Reg<u32>,
    rows: Reg<u32>,
    row: Reg<u32>,
    heads: Reg<u32>,
    head: Reg<u32>,
    out: Reg<u64>,
) {
    ptx! {
        let %i: u32;
        let %at: u64;
        let %w: [B32; 4];
        let %is_there: bool;
        for r in 0..2 {
            add.u32     %i, y, #(8 * r);
            setp.lt.u32 %is_there, %i, rows;
            add.u32     %i, %i, row;
            mad.lo.u32  %i, %i, heads, head;
            mad.wide.u32 %at, %i, #(2 * DIM), out;
            and.b32     %i, lane, 3;
            mad.wide.u32 %at, %i, 16, %at;
            for c in 0..DIM / 32 {
                for b in 0..4 {
                    for e in 0..2 {
                        mul.f32     o[16 * c + 4 * b + 2 * r + e], o[16 * c + 4 * b + 2 * r + e], inverse[r];
                    }
                    float::to_bf16x2 %w[b], o[16 * c + 4 * b + 2 * r], o[16 * c + 4 * b + 2 * r + 1];
                }
                warp::transpose_4x4 %w, lane;
                @%is_there st.global.v4.b32 [%at + #(64 * c)], {%w[0..4]};
            }
        }
    }
}
