//! Multiplies matrices of `bf16` with the tensor cores of `sm_90a`: `D = A Bᵀ`.
//!
//! `A` is `m` rows of `k` elements, `B` is `n` rows of `k`, `D` is `m` rows of `n`, all of them
//! `bf16` and row-major, `k` and `n` multiples of 8; sums are 32-bit floats. Tensor maps load and
//! store the tiles and handle the edges of the matrices.
//!
//! A block has three warpgroups. One thread of the first keeps a ring of stages full; each of the
//! other two multiplies 64 rows of `A` by 256 of `B`, with all sums in registers, and stores them through
//! shared memory. Blocks are persistent: they run until no tiles are left. Those of a cluster share the tile of
//! `B`: each loads a part of it into all of them.

use ptx::prelude::*;

/// Declares modules: the number of stages in the ring, the blocks of a cluster, and how many rows of
/// cluster tiles go through all columns before the next rows do, so that their data stays in the L2 cache.
macro_rules! gemm {
    ($(
        $(#[$about:meta])*
        $name:ident: $stages:literal stages, clusters of $cluster:literal, groups of $group:literal;
    )*) => {$(
        $(#[$about])*
        #[ptx::module(target = sm_90a)]
        pub(crate) mod $name {
            use super::*;
            use ptx::lib::{cluster, matrix, mbarrier, ring, warp};

            /// Rows of `A` that a block multiplies at a time.
            pub(crate) const ROWS: usize = 128;
            /// Rows of `B`, which are columns of `D`.
            pub(crate) const COLUMNS: usize = 256;
            /// Elements of a row in one stage.
            const DEPTH: usize = 64;
            /// Threads of a block: three warpgroups.
            pub(crate) const THREADS: usize = 384;
            /// Blocks of a cluster.
            pub(crate) const CLUSTER: usize = $cluster;
            const STAGES: usize = $stages;
            /// Rows of `B` that a block loads for its cluster.
            const PART: usize = COLUMNS / CLUSTER;
            /// The number of waits for a barrier, a tenth of a millisecond each, before the kernel gives up.
            const PATIENCE: usize = 100_000;

            /// Tiles of `A`.
            #[tensor_map(element = bf16, box = [DEPTH, ROWS], swizzle = B128, l2_promotion = B256)]
            pub(crate) struct A;

            /// Parts of tiles of `B`.
            #[tensor_map(element = bf16, box = [DEPTH, PART], swizzle = B128, l2_promotion = B256)]
            pub(crate) struct B;

            /// The box that a warpgroup stores at a time; it has two of them.
            #[tensor_map(element = bf16, box = [64, 64], swizzle = B128)]
            pub(crate) struct D;

            /// The shared memory of a block.
            #[derive(PtxType)]
            #[repr(C)]
            pub(crate) struct Stages {
                a: [Tile<A>; STAGES],
                b: [[Tile<B>; CLUSTER]; STAGES],
                d: [[Tile<D>; 2]; 2],
                full: [Mbarrier; STAGES],
                empty: [Mbarrier; STAGES],
                // Pads to the next multiple of the tiles' alignment.
                rest: [Mbarrier; 128 - 2 * STAGES],
            }

            #[shared(dynamic)]
            pub(crate) static STAGES_OF_BLOCK: Stages;

            /// Multiplies, with any number of clusters in the grid.
            #[kernel(maxntid = THREADS, minnctapersm = 1, reqnctapercluster = CLUSTER)]
            pub(crate) fn multiply(
                a: TensorMap<A>, b: TensorMap<B>, d: TensorMap<D>, m: u32, n: u32, k: u32,
            ) {
                ptx! {
                    let %a, %b, %d, %left, %right, %lefts, %rights: u64;
                    let %thread, %lane, %rank, %stage, %phase, %i: u32;
                    let %m, %n, %k, %rows, %columns, %tiles, %tile, %step, %x, %y, %line: u32;
                    let %width, %set, %first, %height, %half, %named, %to, %chunk: u32;
                    let %stages, %parts: Ptr<Shared, Stages>;
                    let %full, %empty, %barrier, %theirs, %previous: Ptr<Shared, Mbarrier>;
                    let %box: Ptr<Shared, Tile<D>>;
                    // The offsets in a box where a thread stores eight numbers of a row: four chunks of the row.
                    let %c: [u32; 4];
                    let %h: [Bf16x2; 4];
                    let %sum: [f32; 128];
                    let %everyone: B16;
                    let %other, %done, %more, %adds, %signals, %releases: bool;

                    mov.u32 %thread, %tid.x;
                    mov.u32 %rank, %cluster_ctarank;
                    lea.shared.u32 %stages, STAGES_OF_BLOCK;
                    lea.shared.u32 %full, %stages.full;
                    lea.shared.u32 %empty, %stages.empty;
                    setp.ne.u32 %other, %thread, 0;
                    @%other bra READY;
                    // One arrival of each of the 8 multiplying warps of each block.
                    ring::init::<STAGES> %full, %empty, #(8 * CLUSTER);
                    fence.mbarrier_init.release.cluster;
                    fence.proxy.async.shared::cta;
                READY:
                    cluster::sync;

                    // The numbers of tiles of D: by the rows that a cluster multiplies at once, and by columns.
                    ld.param.u32 %m, [m];
                    ld.param.u32 %n, [n];
                    ld.param.u32 %k, [k];
                    add.u32 %rows, %m, #(CLUSTER * ROWS - 1);
                    div.u32 %rows, %rows, #(CLUSTER * ROWS);
                    add.u32 %columns, %n, #(COLUMNS - 1);
                    div.u32 %columns, %columns, #(COLUMNS);
                    mul.lo.u32 %tiles, %rows, %columns;
                    mul.lo.u32 %width, %columns, $group;
                    mov.u32 %tile, %ctaid.x;
                    div.u32 %tile, %tile, #(CLUSTER);
                    mov.u32 %step, %nctaid.x;
                    div.u32 %step, %step, #(CLUSTER);
                    mov.b32 %stage, 0;
                    warp::warpgroup %named, %thread;
                    setp.ne.u32 %more, %named, 0;
                    @%more bra MULTIPLY;

                    // One thread loads the tiles.
                    setmaxnreg.dec.sync.aligned.u32 40;
                    @%other bra END;
                    cvta.param.u64 %a, a;
                    cvta.param.u64 %b, b;
                    // The first parts of B that this block loads start here.
                    mad.lo.u32 %parts, %rank, #(B::STRIDE), %stages;
                    mov.b16 %everyone, #((1 << CLUSTER) - 1);
                    // In the first pass, all stages are empty.
                    mov.b32 %phase, 1;
                LOAD_TILE:
                    setp.ge.u32 %done, %tile, %tiles;
                    @%done bra END;
                    div.u32 %set, %tile, %width;
                    mul.lo.u32 %first, %set, $group;
                    sub.u32 %height, %rows, %first;
                    min.u32 %height, %height, $group;
                    mul.lo.u32 %i, %set, %width;
                    sub.u32 %i, %tile, %i;
                    div.u32 %line, %i, %height;
                    rem.u32 %y, %i, %height;
                    add.u32 %y, %y, %first;
                    mad.lo.u32 %y, %y, #(CLUSTER), %rank;
                    mul.lo.u32 %y, %y, #(ROWS);
                    mul.lo.u32 %line, %line, #(COLUMNS);
                    mad.lo.u32 %line, %rank, #(PART), %line;
                    mov.b32 %x, 0;
                LOAD:
                    lea.shared.u32 %barrier, %empty[%stage];
                    mbarrier::wait_or_trap %barrier, %phase, 100000, #(PATIENCE);
                    lea.shared.u32 %barrier, %full[%stage];
                    mbarrier.arrive.expect_tx.shared::cta.b64 _, [%barrier],
                        #(A::TRANSACTION_BYTES + CLUSTER * B::TRANSACTION_BYTES);
                    lea.shared.u32 %to, %stages.a[%stage];
                    cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
                        [%to], [%a, {%x, %y}], [%barrier];
                    lea.shared.u32 %to, %parts.b[%stage];
                    cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster
                        [%to], [%b, {%x, %line}], [%barrier], %everyone;
                    ring::next::<STAGES> %stage, %phase;
                    add.u32 %x, %x, #(DEPTH);
                    setp.lt.u32 %more, %x, %k;
                    @%more bra LOAD;
                    add.u32 %tile, %tile, %step;
                    bra LOAD_TILE;

                    // Two warpgroups multiply the tiles.
                MULTIPLY:
                    setmaxnreg.inc.sync.aligned.u32 232;
                    cvta.param.u64 %d, d;
                    mov.b32 %phase, 0;
                    and.b32 %lane, %thread, 31;
                    sub.u32 %half, %named, 1;
                    // The matrix descriptors: 64 rows of the tile of A, all of the tile of B.
                    lea.shared.u32 %i, %stages.a;
                    mad.lo.u32 %i, %half, #(A::STRIDE / 2), %i;
                    matrix::descriptor %lefts, %i, #(LEFT);
                    lea.shared.u32 %i, %stages.b;
                    matrix::descriptor %rights, %i, #(RIGHT);
                    // One lane for each block of the cluster signals to that block that a stage is empty.
                    setp.lt.u32 %signals, %lane, #(CLUSTER);
                    rem.u32 %i, %lane, #(CLUSTER);
                    mapa.shared::cluster.u32 %theirs, %empty, %i;
                    mov.u32 %previous, %theirs;
                    and.b32 %i, %thread, 127;
                    setp.ne.u32 %other, %i, 0;
                    lea.shared.u32 %box, %stages.d[%half];
                    shr.u32 %i, %i, 5;
                    shl.b32 %i, %i, 4;
                    and.b32 %chunk, %lane, 15;
                    add.u32 %i, %i, %chunk;
                    mad.lo.u32 %to, %i, 128, %box;
                    and.b32 %i, %i, 7;
                    shr.u32 %chunk, %lane, 4;
                    xor.b32 %chunk, %chunk, %i;
                    shl.b32 %chunk, %chunk, 4;
                    for c in 0..4 {
                        xor.b32 %i, %chunk, #(32 * c);
                        add.u32 %c[c], %to, %i;
                    }
                MULTIPLY_TILE:
                    setp.ge.u32 %done, %tile, %tiles;
                    @%done bra STORED;
                    mov.b32 %x, 0;
                STEP:
                    lea.shared.u32 %barrier, %full[%stage];
                    mbarrier::wait_or_trap %barrier, %phase, 100000, #(PATIENCE);
                    matrix::nth %left, %lefts, %stage, #(A::STRIDE);
                    matrix::nth %right, %rights, %stage, #(CLUSTER * B::STRIDE);
                    setp.ne.u32 %adds, %x, 0;
                    wgmma.fence.sync.aligned;
                    wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16
                        {%sum[0..128]}, %left, %right, %adds, 1, 1, 0, 0;
                    for _ in 1..DEPTH / 16 {
                        add.u64 %left, %left, #(16 * size_of::<bf16>() / 16);
                        add.u64 %right, %right, #(16 * size_of::<bf16>() / 16);
                        wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16
                            {%sum[0..128]}, %left, %right, 1, 1, 1, 0, 0;
                    }
                    wgmma.commit_group.sync.aligned;
                    // The previous step has been multiplied: its stage is empty. There are no writes that
                    // a wider `release` would have to order; it would wait for all of memory.
                    wgmma.wait_group.sync.aligned 1;
                    and.pred %releases, %signals, %adds;
                    @%releases mbarrier.arrive.shared::cluster.b64 _, [%previous];
                    lea.shared.u32 %previous, %theirs[%stage];
                    ring::next::<STAGES> %stage, %phase;
                    add.u32 %x, %x, #(DEPTH);
                    setp.lt.u32 %more, %x, %k;
                    @%more bra STEP;
                    wgmma.wait_group.sync.aligned 0;
                    @%signals mbarrier.arrive.shared::cluster.b64 _, [%previous];

                    div.u32 %set, %tile, %width;
                    mul.lo.u32 %first, %set, $group;
                    sub.u32 %height, %rows, %first;
                    min.u32 %height, %height, $group;
                    mul.lo.u32 %i, %set, %width;
                    sub.u32 %i, %tile, %i;
                    div.u32 %x, %i, %height;
                    rem.u32 %y, %i, %height;
                    add.u32 %y, %y, %first;
                    mad.lo.u32 %y, %y, #(CLUSTER), %rank;
                    mul.lo.u32 %y, %y, #(ROWS);
                    mad.lo.u32 %y, %half, #(ROWS / 2), %y;
                    mul.lo.u32 %x, %x, #(COLUMNS);
                    // The left half of the columns, then the right half, in two boxes each.
                    for half in 0..2 {
                        // Earlier stores have read the boxes, so that they may be overwritten.
                        cp.async.bulk.wait_group.read 0;
                        bar.sync %named, 128;
                        for chunk in 0..8 {
                            for pair in 0..4 {
                                cvt.rn.bf16x2.f32 %h[pair],
                                    %sum[64 * half + 8 * chunk + 2 * pair + 1],
                                    %sum[64 * half + 8 * chunk + 2 * pair];
                            }
                            stmatrix.sync.aligned.m8n8.x4.shared.b16
                                [%c[chunk % 4] + #(chunk / 4 * D::STRIDE)], {%h[0..4]};
                        }
                        fence.proxy.async.shared::cta;
                        bar.sync %named, 128;
                        @%other bra HALF_STORED;
                        cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%d, {%x, %y}], [%box];
                        add.u32 %i, %x, 64;
                        cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%d, {%i, %y}], [%box[1]];
                        cp.async.bulk.commit_group;
                    HALF_STORED:
                        add.u32 %x, %x, 128;
                    }
                    add.u32 %tile, %tile, %step;
                    bra MULTIPLY_TILE;
                STORED:
                    cp.async.bulk.wait_group 0;

                    // Other blocks may still write to this block's memory: all end together.
                END:
                    cluster::sync;
                    ret;
                }
            }

            const LEFT: u64 = matrix::bits(A::matrix_descriptor(Major::K));
            const RIGHT: u64 = matrix::bits(B::matrix_descriptor(Major::K));
        }
    )*};
}

gemm! {
    /// Products of tiles of 128 by 256.
    gemm: 4 stages, clusters of 2, groups of 16;
}
