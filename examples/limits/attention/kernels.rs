//! The kernels of attention, for heads of 128 and of 64 numbers, causal and not.

use ptx::prelude::*;

use super::{Q, Work, add_values, load_block, multiply_keys, store};

macro_rules! attentions {
    ($(
        $(#[$about:meta])*
        $name:ident: $dim:literal, $groups:literal warpgroups, $keys:literal keys, stages $of_queries:literal $stages:literal, registers $few:literal $many:literal, causal $causal:literal;
    )*) => {$(
        $(#[$about])*
        #[ptx::module(target = sm_90a)]
        pub(crate) mod $name {
            use super::*;
            use ptx::lib::{float, matrix, mbarrier, ring, softmax, warp};

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

            const QUERIES: u64 = matrix::bits(Q::matrix_descriptor(Major::K));
            const SCORES: u64 = matrix::bits(K::matrix_descriptor(Major::K));
            const VALUES: u64 = matrix::bits(K::matrix_descriptor(Major::Mn));

            /// Computes the tiles of a list: those of a block lie between two numbers of `first`.
            #[kernel(
                // Some tiles of sequences of 300 and 100 tokens: four for the first block, one for the second.
                launch(block = THREADS, grid = 2, heads = 2, first = [0, 4, 5], work = [
                    192, 0, 108, 300, 0, 0, 0, 0,   300, 300, 100, 100, 0, 0, 0, 0,   300, 300, 100, 100, 1, 0, 0, 0,
                    0, 0, 300, 128, 0, 0, 0, 0,   192, 0, 108, 300, 1, 0, 0, 0,
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
                    let %q, %k, %v, %first_queries, %queries, %scores, %values, %right, %out: u64;
                    let %thread, %lane, %group, %half, %block, %blocks, %to, %of_k, %of_v, %i, %j: u32;
                    let %item, %last, %row, %start, %rows, %keys, %head, %shared_head, %heads: u32;
                    let %k_stage, %k_phase, %v_stage, %v_phase, %q_stage, %q_phase, %next, %x, %y: u32;
                    let %column: i32;
                    let %see: [i32; 2];
                    let %stages: Ptr<Shared, Stages>;
                    let %barrier, %full_k, %empty_k, %full_v, %empty_v, %previous: Ptr<Shared, Mbarrier>;
                    let %work: Ptr<Global, Work>;
                    let %first: Ptr<Global, u32>;
                    let %s: [f32; KEYS / 2];
                    let %o: [f32; DIM / 2];
                    let %p: [Bf16x2; KEYS / 4];
                    let %max, %sum, %shrink: [f32; 2];
                    let %scale: f32;
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
                        ring::init::<GROUPS> %stages.full_q[stage], %stages.empty_q[stage], 4;
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
                    warp::warpgroup %group, %thread;
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
                    matrix::nth %queries, %first_queries, %q_stage, #(GROUPS * BOXES * Q::STRIDE);
                    ring::wait  %full_k, %k_stage, %k_phase;
                    matrix::nth %right, %scores, %k_stage, #(BOXES * K::STRIDE);
                    for r in 0..2 {
                        mov.f32     %max[r], #(softmax::MASKED);
                        mov.f32     %sum[r], 0f00000000;
                    }
                    for i in 0..DIM / 2 {
                        mov.f32     %o[i], 0f00000000;
                    }
                    multiply_keys::<KEYS, DIM> %s, %queries, %right;
                    wgmma.wait_group.sync.aligned 0;
                    ring::release::<STAGES> %empty_k, %k_stage, %k_phase, %signals;
                    if IS_CAUSAL {
                        softmax::mask::<KEYS> %s, %see;
                    } else {
                        // Every query sees all keys of a whole block.
                        mul.lo.u32  %i, %blocks, #(KEYS);
                        setp.eq.u32 %sees, %i, %keys;
                        @%sees bra SEEN;
                        softmax::mask::<KEYS> %s, %see;
                    SEEN:
                    }
                    softmax::weigh::<KEYS> %s, %max, %sum, %shrink, %scale;
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
                    ring::wait  %full_k, %k_stage, %k_phase;
                    bar.sync    %group, 256;
                    matrix::nth %right, %scores, %k_stage, #(BOXES * K::STRIDE);
                    multiply_keys::<KEYS, DIM> %s, %queries, %right;
                    ring::wait  %full_v, %v_stage, %v_phase;
                    matrix::nth %right, %values, %v_stage, #(BOXES * K::STRIDE);
                    add_values::<KEYS, DIM> %o, %p, %right;
                    lea.shared.u32 %previous, %empty_v[%v_stage];
                    ring::next::<STAGES> %v_stage, %v_phase;
                    bar.arrive  %next, 256;
                    wgmma.wait_group.sync.aligned 1;
                    ring::release::<STAGES> %empty_k, %k_stage, %k_phase, %signals;
                    if MASKS_MORE {
                        // Not all queries of the tile see all keys of the block yet.
                        add.s32     %see[0], %see[0], #(KEYS);
                        add.s32     %see[1], %see[1], #(KEYS);
                        sub.u32     %i, %row, %start;
                        mul.lo.u32  %j, %blocks, #(KEYS);
                        setp.ge.u32 %sees, %i, %j;
                        @%sees bra SEEN;
                        softmax::mask::<KEYS> %s, %see;
                    SEEN:
                    }
                    softmax::weigh::<KEYS> %s, %max, %sum, %shrink, %scale;
                    mov.pred    %releases, %signals;
                    bra ROUND;

                ROUNDED:
                    // The queries have been read.
                    lea.shared.u32 %barrier, %stages.empty_q[%q_stage][%half];
                    @%signals mbarrier.arrive.shared::cta.b64 _, [%barrier];
                    ring::next::<AHEAD> %q_stage, %q_phase;
                    ring::wait  %full_v, %v_stage, %v_phase;
                    matrix::nth %right, %values, %v_stage, #(BOXES * K::STRIDE);
                    add_values::<KEYS, DIM> %o, %p, %right;
                    for r in 0..2 {
                        warp::sum_of_four::<f32> %sum[r], %sum[r];
                        rcp.approx.ftz.f32 %sum[r], %sum[r];
                    }
                    wgmma.wait_group.sync.aligned 0;
                    ring::release::<STAGES> %empty_v, %v_stage, %v_phase, %signals;

                    store::<DIM> %o, %sum, %lane, %y, %rows, %row, %heads, %head, %out;
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

attentions! {
    of_128: 128, 2 warpgroups, 176 keys, stages 1 2, registers 24 240, causal false;
    causal_of_128: 128, 2 warpgroups, 128 keys, stages 2 2, registers 24 240, causal true;
    of_64: 64, 3 warpgroups, 128 keys, stages 2 3, registers 32 160, causal false;
    causal_of_64: 64, 3 warpgroups, 128 keys, stages 2 3, registers 32 160, causal true;
}
