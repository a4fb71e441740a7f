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

use ptx::prelude::*;
use ptx::tensor::Major;

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

/// Exchanges between four lanes, each of which has two columns of each of four blocks of 8 columns: then each has one block.
#[ptx::fragment]
fn gather(v: &mut Reg<[B32; 4]>, lane: Reg<u32>) {
    ptx! {
        let %bit: u32;
        let %is_odd, %is_upper: bool;
        let %send, %keep: [B32; 2];
        and.b32     %bit, lane, 1;
        setp.ne.u32 %is_odd, %bit, 0;
        and.b32     %bit, lane, 2;
        setp.ne.u32 %is_upper, %bit, 0;
        for i in 0..2 {
            selp.b32    %send[i], v[2 * i], v[2 * i + 1], %is_odd;
            selp.b32    %keep[i], v[2 * i + 1], v[2 * i], %is_odd;
            shfl.sync.bfly.b32 %send[i], %send[i], 1, 0x1f, 0xffffffff;
            selp.b32    v[2 * i], %send[i], %keep[i], %is_odd;
            selp.b32    v[2 * i + 1], %keep[i], %send[i], %is_odd;
        }
        for i in 0..2 {
            selp.b32    %send[i], v[i], v[2 + i], %is_upper;
            selp.b32    %keep[i], v[2 + i], v[i], %is_upper;
            shfl.sync.bfly.b32 %send[i], %send[i], 2, 0x1f, 0xffffffff;
            selp.b32    v[i], %send[i], %keep[i], %is_upper;
            selp.b32    v[2 + i], %keep[i], %send[i], %is_upper;
        }
    }
}

macro_rules! attentions {
    ($(
        $(#[$about:meta])*
        $name:ident: $dim:literal, $groups:literal warpgroups, $keys:literal keys, stages $of_queries:literal $stages:literal, registers $few:literal $many:literal,
            $scores:ident $sums:ident, causal $causal:literal;
    )*) => {$(
        $(#[$about])*
        #[ptx::module(target = sm_90a)]
        pub(crate) mod $name {
            use super::*;
            use ptx::lib::{float, matrix, mbarrier, ring};

            /// Numbers of a vector.
            pub(crate) const DIM: usize = $dim;
            /// Warpgroups that multiply, each 64 queries.
            const GROUPS: usize = $groups;
            /// Queries of a tile, and keys of a block.
            pub(crate) const ROWS: usize = 64 * GROUPS;
            pub(crate) const KEYS: usize = $keys;
            pub(crate) const IS_CAUSAL: bool = $causal;
            /// Whether a tile may have queries that do not see all of a block before its last one: unless tiles end where blocks end.
            const MASKS_MORE: bool = IS_CAUSAL && KEYS % ROWS != 0;
            pub(crate) const THREADS: u32 = 128 * (1 + $groups);
            /// Stages of the queries, and of the keys and values.
            const AHEAD: usize = $of_queries;
            const STAGES: usize = $stages;
            /// Boxes of 64 numbers, 128 bytes, in a vector.
            const BOXES: usize = DIM / 64;
            /// What is masked, -2^100: less than the scores that there are; and a power of two, so that the difference of two is
            /// 0 when scaled.
            const NOTHING: f32 = -1_267_650_600_228_229_401_496_703_205_376.0;

            #[tensor_map(element = bf16, box = [64, 1, 64], swizzle = B128, l2_promotion = B256)]
            pub(crate) struct Q;
            #[tensor_map(element = bf16, box = [64, 1, KEYS], swizzle = B128, l2_promotion = B256)]
            pub(crate) struct K;

            #[ptx::padded]
            #[derive(PtxType)]
            #[repr(C)]
            pub(crate) struct Stages {
                q: [[[Tile<Q>; BOXES]; GROUPS]; AHEAD],
                k: [[Tile<K>; BOXES]; STAGES],
                v: [[Tile<K>; BOXES]; STAGES],
                full_q: [[Mbarrier; GROUPS]; AHEAD],
                empty_q: [[Mbarrier; GROUPS]; AHEAD],
                full_k: [Mbarrier; STAGES],
                empty_k: [Mbarrier; STAGES],
                full_v: [Mbarrier; STAGES],
                empty_v: [Mbarrier; STAGES],
            }

            #[shared(dynamic)]
            pub(crate) static STAGES_OF_BLOCK: Stages;

            const QUERIES: u64 = bits(Q::matrix_descriptor(Major::K));
            const SCORES: u64 = bits(K::matrix_descriptor(Major::K));
            const VALUES: u64 = bits(K::matrix_descriptor(Major::Mn));

            /// Loads a block of keys or values when a stage is empty, and goes on to the next stage.
            #[fragment]
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
                    lea.shared.u32 %barrier, empty[stage];
                    mbarrier::wait %barrier, phase;
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
            #[fragment]
            fn multiply_keys<const KEYS: usize, const DIM: usize>(s: &mut Reg<[f32; KEYS / 2]>, queries: Reg<u64>, keys: Reg<u64>) {
                ptx! {
                    let %left, %right: u64;
                    wgmma.fence.sync.aligned;
                    for part in 0..DIM / 16 {
                        add.u64     %left, queries, #((part / 4 * 64 * 128 + part % 4 * 32) / 16);
                        add.u64     %right, keys, #((part / 4 * KEYS * 128 + part % 4 * 32) / 16);
                        wgmma.mma_async.sync.aligned.$scores.f32.bf16.bf16
                            {s[0..KEYS / 2]}, %left, %right, #(if part == 0 { 0 } else { 1 }), 1, 1, 0, 0;
                    }
                    wgmma.commit_group.sync.aligned;
                }
            }

            /// Adds the values of a block, times their weights.
            #[fragment]
            fn add_values<const KEYS: usize, const DIM: usize>(o: &mut Reg<[f32; DIM / 2]>, p: Reg<[Bf16x2; KEYS / 4]>, values: Reg<u64>) {
                ptx! {
                    let %right: u64;
                    wgmma.fence.sync.aligned;
                    for part in 0..KEYS / 16 {
                        add.u64     %right, values, #(part * 16 * 128 / 16);
                        wgmma.mma_async.sync.aligned.$sums.f32.bf16.bf16
                            {o[0..DIM / 2]}, {p[4 * part..4 * part + 4]}, %right, 1, 1, 1, 1;
                    }
                    wgmma.commit_group.sync.aligned;
                }
            }

            /// Leaves of each row the scores of as many keys as it sees, from the lane's first column.
            #[fragment]
            fn mask<const KEYS: usize>(s: &mut Reg<[f32; KEYS / 2]>, see: Reg<[i32; 2]>) {
                ptx! {
                    let %sees: bool;
                    for i in 0..KEYS / 2 {
                        setp.gt.s32 %sees, see[i / 2 % 2], #(i / 4 * 8 + i % 2);
                        selp.f32    s[i], s[i], #(NOTHING), %sees;
                    }
                }
            }

            /// Turns scores into weights: powers of two of what they are less than the largest so far. What was summed
            /// before is to be multiplied by `shrink`.
            #[fragment]
            fn weigh<const KEYS: usize>(
                s: &mut Reg<[f32; KEYS / 2]>,
                max: &mut Reg<[f32; 2]>,
                sum: &mut Reg<[f32; 2]>,
                shrink: &mut Reg<[f32; 2]>,
                scale: Reg<f32>,
            ) {
                ptx! {
                    let %most, %other: f32;
                    let %shift: [f32; 2];
                    for r in 0..2 {
                        mov.f32     %most, max[r];
                        for i in 0..KEYS / 8 {
                            max.f32     %most, %most, s[4 * i + 2 * r];
                            max.f32     %most, %most, s[4 * i + 2 * r + 1];
                        }
                        for far in 0..2 {
                            shfl.sync.bfly.b32 %other, %most, #(1 + far), 0x1f, 0xffffffff;
                            max.f32     %most, %most, %other;
                        }
                        sub.f32     shrink[r], max[r], %most;
                        mul.f32     shrink[r], shrink[r], scale;
                        ex2.approx.ftz.f32 shrink[r], shrink[r];
                        mov.f32     max[r], %most;
                        mul.f32     %shift[r], %most, scale;
                        neg.f32     %shift[r], %shift[r];
                        mul.f32     sum[r], sum[r], shrink[r];
                    }
                    for i in 0..KEYS / 2 {
                        fma.rn.f32  s[i], s[i], scale, %shift[i / 2 % 2];
                        ex2.approx.ftz.f32 s[i], s[i];
                        add.f32     sum[i / 2 % 2], sum[i / 2 % 2], s[i];
                    }
                }
            }

            /// Computes the tiles of a list: those of a block lie between two numbers of `first`.
            #[kernel(
                // Some tiles of sequences of 300 and 100 tokens: four for the first block, one for the second.
                launch(block = THREADS, grid = 2, heads = 2, first = [0, 4, 5], work = [
                    192, 0, 108, 300, 0, 0, 0, 0,
                    300, 300, 100, 100, 0, 0, 0, 0,
                    300, 300, 100, 100, 1, 0, 0, 0,
                    0, 0, 300, 128, 0, 0, 0, 0,
                    192, 0, 108, 300, 1, 0, 0, 0,
                ]),
                maxntid = THREADS, minnctapersm = 1
            )]
            pub(crate) fn attend(
                q: TensorMap<Q>,
                k: TensorMap<K>,
                v: TensorMap<K>,
                o: Ptr<Global, bf16, U16>,
                #[readonly] work: Ptr<Global, Work, U16>,
                #[readonly] first: Ptr<Global, u32>,
                heads: u32,
                scale: f32,
            ) {
                ptx! {
                    let %q, %k, %v, %first_queries, %queries, %scores, %values, %right: u64;
                    let %thread, %lane, %group, %half, %block, %i, %j: u32;
                    let %item, %last, %row, %start, %rows, %keys, %head, %shared_head, %heads: u32;
                    let %blocks, %x: u32;
                    let %k_stage, %k_phase, %v_stage, %v_phase, %q_stage, %q_phase, %next, %y: u32;
                    let %column: i32;
                    let %see: [i32; 2];
                    let %stages: Ptr<Shared, Stages>;
                    let %barrier, %full_k, %empty_k, %full_v, %empty_v, %previous: Ptr<Shared, Mbarrier>;
                    let %to, %of_k, %of_v: u32;
                    let %work: Ptr<Global, Work>;
                    let %first: Ptr<Global, u32>;
                    let %out: u64;
                    let %at: u64;
                    let %s: [f32; KEYS / 2];
                    let %o: [f32; DIM / 2];
                    let %p: [Bf16x2; KEYS / 4];
                    let %w: [B32; 4];
                    let %max, %sum, %shrink: [f32; 2];
                    let %scale, %other: f32;
                    let %is_other, %done, %more, %signals, %releases, %sees: bool;

                    mov.u32     %thread, %tid.x;
                    mov.u32     %block, %ctaid.x;
                    lea.shared.u32 %stages, STAGES_OF_BLOCK;
                    lea.shared.u32 %full_k, %stages.full_k;
                    lea.shared.u32 %empty_k, %stages.empty_k;
                    lea.shared.u32 %full_v, %stages.full_v;
                    lea.shared.u32 %empty_v, %stages.empty_v;
                    setp.ne.u32 %is_other, %thread, 0;
                    @%is_other bra READY;
                    // One arrival of each warp that multiplies.
                    for stage in 0..AHEAD {
                        for group in 0..GROUPS {
                            mbarrier.init.shared::cta.b64 [%stages.full_q[stage][group]], 1;
                            mbarrier.init.shared::cta.b64 [%stages.empty_q[stage][group]], 4;
                        }
                    }
                    for stage in 0..STAGES {
                        mbarrier.init.shared::cta.b64 [%full_k[stage]], 1;
                        mbarrier.init.shared::cta.b64 [%empty_k[stage]], #(4 * GROUPS);
                        mbarrier.init.shared::cta.b64 [%full_v[stage]], 1;
                        mbarrier.init.shared::cta.b64 [%empty_v[stage]], #(4 * GROUPS);
                    }
                    fence.proxy.async.shared::cta;
                READY:
                    bar.sync    0;

                    // The tiles of this block.
                    lea.global.u64 %first, first[%block];
                    ld.global.nc.u32 %item, [%first];
                    ld.global.nc.u32 %last, [%first[1]];
                    mov.b32     %k_stage, 0;
                    mov.b32     %v_stage, 0;
                    mov.b32     %q_stage, 0;
                    // Broadcast from lane 0, so that ptxas sees a warp-uniform value: otherwise it serialises `wgmma`.
                    shr.u32     %group, %thread, 7;
                    shfl.sync.idx.b32 %group, %group, 0, 31, 0xffffffff;
                    setp.ne.u32 %more, %group, 0;
                    @%more bra MULTIPLY;

                    // One thread loads the queries of a tile, and its keys and values from the last block to the first.
                    setmaxnreg.dec.sync.aligned.u32 $few;
                    @%is_other bra END;
                    cvta.param.u64 %q, q;
                    cvta.param.u64 %k, k;
                    cvta.param.u64 %v, v;
                    lea.shared.u32 %of_k, %stages.k;
                    lea.shared.u32 %of_v, %stages.v;
                    // In the first pass, all stages are empty.
                    mov.b32     %k_phase, 1;
                    mov.b32     %v_phase, 1;
                    mov.b32     %q_phase, 1;
                LOAD_TILE:
                    setp.ge.u32 %done, %item, %last;
                    @%done bra END;
                    lea.global.u64 %work, work[%item];
                    ld.global.nc.v4.u32 {%row, %start, %rows, %keys}, [%work];
                    ld.global.nc.v2.u32 {%head, %shared_head}, [%work.head];
                    add.u32     %blocks, %keys, #(KEYS - 1);
                    div.u32     %blocks, %blocks, #(KEYS);
                    mad.lo.u32  %x, %blocks, #(KEYS), %start;
                    sub.u32     %x, %x, #(KEYS);
                    mov.u32     %y, %x;
                    for group in 0..GROUPS {
                        lea.shared.u32 %barrier, %stages.empty_q[%q_stage][group];
                        mbarrier::wait %barrier, %q_phase;
                        lea.shared.u32 %barrier, %stages.full_q[%q_stage][group];
                        mbarrier.arrive.expect_tx.shared::cta.b64 _, [%barrier], #(BOXES * Q::TRANSACTION_BYTES);
                        for b in 0..BOXES {
                            lea.shared.u32 %to, %stages.q[%q_stage][group][b];
                            cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
                                [%to], [%q, {#(64 * b), %head, %row}], [%barrier];
                        }
                        add.u32     %row, %row, 64;
                        // The first warpgroup may start before the others end the tile before.
                        if group == 0 {
                            load_block::<BOXES, KEYS, STAGES>
                                %k, %shared_head, %x, %of_k, %empty_k, %full_k, %k_stage, %k_phase;
                        }
                    }
                    ring::next::<AHEAD> %q_stage, %q_phase;
                LOAD:
                    // Keys are needed one round before the values of their block.
                    sub.u32     %blocks, %blocks, 1;
                    setp.eq.u32 %done, %blocks, 0;
                    @%done bra LOAD_VALUES;
                    sub.u32     %x, %x, #(KEYS);
                    load_block::<BOXES, KEYS, STAGES>
                                %k, %shared_head, %x, %of_k, %empty_k, %full_k, %k_stage, %k_phase;
                LOAD_VALUES:
                    load_block::<BOXES, KEYS, STAGES>
                                %v, %shared_head, %y, %of_v, %empty_v, %full_v, %v_stage, %v_phase;
                    sub.u32     %y, %y, #(KEYS);
                    @!%done bra LOAD;
                    add.u32     %item, %item, 1;
                    bra LOAD_TILE;

                    // The others multiply.
                MULTIPLY:
                    setmaxnreg.inc.sync.aligned.u32 $many;
                    mov.b32     %k_phase, 0;
                    mov.b32     %v_phase, 0;
                    mov.b32     %q_phase, 0;
                    ld.param.f32 %scale, [scale];
                    ld.param.u32 %heads, [heads];
                    ld.param.u64 %out, [o];
                    and.b32     %lane, %thread, 31;
                    setp.eq.u32 %signals, %lane, 0;
                    sub.u32     %half, %group, 1;
                    lea.shared.u32 %i, %stages.q[0][%half];
                    matrix::descriptor %first_queries, %i, #(QUERIES);
                    lea.shared.u32 %i, %stages.k;
                    matrix::descriptor %scores, %i, #(SCORES);
                    lea.shared.u32 %i, %stages.v;
                    matrix::descriptor %values, %i, #(VALUES);
                    // The first warpgroup has the first turn.
                    rem.u32     %next, %group, #(GROUPS);
                    add.u32     %next, %next, 1;
                    setp.ne.u32 %more, %half, 0;
                    @%more bra TILE;
                    bar.arrive  1, 256;

                TILE:
                    setp.ge.u32 %done, %item, %last;
                    @%done bra DONE;
                    lea.global.u64 %work, work[%item];
                    ld.global.nc.v4.u32 {%row, %start, %rows, %keys}, [%work];
                    ld.global.nc.u32 %head, [%work.head];
                    add.u32     %blocks, %keys, #(KEYS - 1);
                    div.u32     %blocks, %blocks, #(KEYS);
                    // The row that a lane has in each 16 rows of a warp, and the eighth below it.
                    and.b32     %i, %thread, 0x60;
                    shr.u32     %i, %i, 1;
                    shr.u32     %j, %lane, 2;
                    add.u32     %i, %i, %j;
                    mad.lo.u32  %y, %half, 64, %i;
                    // How many of the last block's keys each row sees, from the lane's first column.
                    sub.u32     %column, %blocks, 1;
                    mul.lo.s32  %column, %column, #(KEYS);
                    and.b32     %i, %lane, 3;
                    mad.lo.s32  %column, %i, 2, %column;
                    sub.s32     %see[0], %keys, %column;
                    mov.b32     %see[1], %see[0];
                    if IS_CAUSAL {
                        sub.u32     %i, %row, %start;
                        add.u32     %i, %i, %y;
                        add.u32     %i, %i, 1;
                        for r in 0..2 {
                            sub.s32     %j, %i, %column;
                            min.s32     %see[r], %see[r], %j;
                            add.u32     %i, %i, 8;
                        }
                    }

                    lea.shared.u32 %barrier, %stages.full_q[%q_stage][%half];
                    mbarrier::wait %barrier, %q_phase;
                    mul.wide.u32 %queries, %q_stage, #(GROUPS * BOXES * Q::STRIDE / 16);
                    add.u64     %queries, %queries, %first_queries;
                    lea.shared.u32 %barrier, %full_k[%k_stage];
                    mbarrier::wait %barrier, %k_phase;
                    mul.wide.u32 %right, %k_stage, #(BOXES * K::STRIDE / 16);
                    add.u64     %right, %right, %scores;
                    for r in 0..2 {
                        mov.f32     %max[r], #(NOTHING);
                        mov.f32     %sum[r], 0f00000000;
                    }
                    for i in 0..DIM / 2 {
                        mov.f32     %o[i], 0f00000000;
                    }
                    multiply_keys::<KEYS, DIM> %s, %queries, %right;
                    wgmma.wait_group.sync.aligned 0;
                    lea.shared.u32 %barrier, %empty_k[%k_stage];
                    @%signals mbarrier.arrive.shared::cta.b64 _, [%barrier];
                    ring::next::<STAGES> %k_stage, %k_phase;
                    if IS_CAUSAL {
                        mask::<KEYS> %s, %see;
                    } else {
                        // Every query sees all keys of a whole block.
                        mul.lo.u32  %i, %blocks, #(KEYS);
                        setp.eq.u32 %sees, %i, %keys;
                        @%sees bra SEEN;
                        mask::<KEYS> %s, %see;
                    SEEN:
                    }
                    weigh::<KEYS> %s, %max, %sum, %shrink, %scale;
                    setp.ne.u32 %releases, 0, 0;
                    mov.u32     %previous, %empty_v;

                ROUND:
                    // The block before: its values have been multiplied; the weights of this one come next. The round ends
                    // where the exponentials do: ptxas would else compute them after this wait.
                    wgmma.wait_group.sync.aligned 0;
                    @%releases mbarrier.arrive.shared::cta.b64 _, [%previous];
                    for i in 0..DIM / 2 {
                        mul.f32     %o[i], %o[i], %shrink[i / 2 % 2];
                    }
                    for i in 0..KEYS / 4 {
                        float::to_bf16x2 %p[i], %s[2 * i], %s[2 * i + 1];
                    }
                    sub.u32     %blocks, %blocks, 1;
                    setp.eq.u32 %done, %blocks, 0;
                    @%done bra ROUNDED;
                    lea.shared.u32 %barrier, %full_k[%k_stage];
                    mbarrier::wait %barrier, %k_phase;
                    bar.sync    %group, 256;
                    mul.wide.u32 %right, %k_stage, #(BOXES * K::STRIDE / 16);
                    add.u64     %right, %right, %scores;
                    multiply_keys::<KEYS, DIM> %s, %queries, %right;
                    lea.shared.u32 %barrier, %full_v[%v_stage];
                    mbarrier::wait %barrier, %v_phase;
                    mul.wide.u32 %right, %v_stage, #(BOXES * K::STRIDE / 16);
                    add.u64     %right, %right, %values;
                    add_values::<KEYS, DIM> %o, %p, %right;
                    lea.shared.u32 %previous, %empty_v[%v_stage];
                    ring::next::<STAGES> %v_stage, %v_phase;
                    bar.arrive  %next, 256;
                    wgmma.wait_group.sync.aligned 1;
                    lea.shared.u32 %barrier, %empty_k[%k_stage];
                    @%signals mbarrier.arrive.shared::cta.b64 _, [%barrier];
                    ring::next::<STAGES> %k_stage, %k_phase;
                    if MASKS_MORE {
                        // Not all queries of the tile see all keys of the block yet.
                        add.s32     %see[0], %see[0], #(KEYS);
                        add.s32     %see[1], %see[1], #(KEYS);
                        sub.u32     %i, %row, %start;
                        mul.lo.u32  %j, %blocks, #(KEYS);
                        setp.ge.u32 %sees, %i, %j;
                        @%sees bra SEEN;
                        mask::<KEYS> %s, %see;
                    SEEN:
                    }
                    weigh::<KEYS> %s, %max, %sum, %shrink, %scale;
                    mov.pred    %releases, %signals;
                    bra ROUND;

                ROUNDED:
                    // The queries have been read.
                    lea.shared.u32 %barrier, %stages.empty_q[%q_stage][%half];
                    @%signals mbarrier.arrive.shared::cta.b64 _, [%barrier];
                    ring::next::<AHEAD> %q_stage, %q_phase;
                    lea.shared.u32 %barrier, %full_v[%v_stage];
                    mbarrier::wait %barrier, %v_phase;
                    mul.wide.u32 %right, %v_stage, #(BOXES * K::STRIDE / 16);
                    add.u64     %right, %right, %values;
                    add_values::<KEYS, DIM> %o, %p, %right;
                    for r in 0..2 {
                        for far in 0..2 {
                            shfl.sync.bfly.b32 %other, %sum[r], #(1 + far), 0x1f, 0xffffffff;
                            add.f32     %sum[r], %sum[r], %other;
                        }
                        rcp.approx.ftz.f32 %sum[r], %sum[r];
                    }
                    wgmma.wait_group.sync.aligned 0;
                    lea.shared.u32 %barrier, %empty_v[%v_stage];
                    @%signals mbarrier.arrive.shared::cta.b64 _, [%barrier];
                    ring::next::<STAGES> %v_stage, %v_phase;

                    // Each lane stores 16 bytes at a time of its rows, if the sequence has them.
                    for r in 0..2 {
                        add.u32     %i, %y, #(8 * r);
                        setp.lt.u32 %sees, %i, %rows;
                        add.u32     %i, %i, %row;
                        mad.lo.u32  %i, %i, %heads, %head;
                        mad.wide.u32 %at, %i, #(2 * DIM), %out;
                        and.b32     %i, %lane, 3;
                        mad.wide.u32 %at, %i, 16, %at;
                        for c in 0..DIM / 32 {
                            for b in 0..4 {
                                for e in 0..2 {
                                    mul.f32     %o[16 * c + 4 * b + 2 * r + e], %o[16 * c + 4 * b + 2 * r + e], %sum[r];
                                }
                                float::to_bf16x2 %w[b], %o[16 * c + 4 * b + 2 * r], %o[16 * c + 4 * b + 2 * r + 1];
                            }
                            gather      %w, %lane;
                            @%sees st.global.v4.b32 [%at + #(64 * c)], {%w[0..4]};
                        }
                    }
                    add.u32     %item, %item, 1;
                    bra TILE;
                DONE:
                    // The last turn, which nobody takes.
                    setp.ne.u32 %more, %half, 0;
                    @%more bra END;
                    bar.sync    1, 256;
                END:
                    ret;
                }
            }
        }
    )*};
}

/// The bits of a descriptor.
const fn bits(matrix: Result<ptx::tensor::MatrixDescriptor, ptx::tensor::MatrixError>) -> u64 {
    match matrix {
        Ok(matrix) => matrix.bits(),
        Err(_) => panic!("rows of 128 bytes have one"),
    }
}

attentions! {
    of_128: 128, 2 warpgroups, 176 keys, stages 1 2, registers 24 240, m64n176k16 m64n128k16, causal false;
    causal_of_128: 128, 2 warpgroups, 128 keys, stages 2 2, registers 24 240, m64n128k16 m64n128k16, causal true;
    of_64: 64, 3 warpgroups, 128 keys, stages 2 3, registers 32 160, m64n128k16 m64n64k16, causal false;
    causal_of_64: 64, 3 warpgroups, 128 keys, stages 2 3, registers 32 160, m64n128k16 m64n64k16, causal true;
}
