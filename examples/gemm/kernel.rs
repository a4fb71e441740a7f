//! Multiplies matrices of `bf16` with the tensor cores of `sm_90a`: `D = A Bᵀ`.
//!
//! `A` is `m` rows of `k` elements, `B` is `n` rows of `k`, `D` is `m` rows of `n`, all of them
//! `bf16` and row by row, `k` and `n` multiples of 8; sums are of 32 bits. Tensor maps load and
//! store the tiles and know where the matrices end.
//!
//! A block has three warpgroups. One thread of the first keeps a ring of stages full; each of the
//! other two multiplies 64 rows of `A` by 256 of `B`, all sums in registers, and stores them through
//! shared memory. Blocks stay until there are no more tiles. Those of a cluster share the tile of
//! `B`: each loads a part of it into all of them.

use ptx::prelude::*;
use ptx::tensor::Major;

/// Declares modules: the stages of the ring, the blocks of a cluster, and how many rows of the
/// clusters' tiles go through all columns before the next rows do, for what the L2 cache holds.
macro_rules! gemm {
    ($(
        $(#[$about:meta])*
        $name:ident: $stages:literal stages, clusters of $cluster:literal, groups of $group:literal;
    )*) => {$(
        gemm! {
            $(#[$about])*
            $name, $stages, $cluster, $group,
            // Which sums a thread packs, into which chunk of a row of which of two boxes.
            left {
                c0 of 0: d0 d1 d2 d3 d4 d5 d6 d7;
                c1 of 0: d8 d9 d10 d11 d12 d13 d14 d15;
                c2 of 0: d16 d17 d18 d19 d20 d21 d22 d23;
                c3 of 0: d24 d25 d26 d27 d28 d29 d30 d31;
                c0 of 1: d32 d33 d34 d35 d36 d37 d38 d39;
                c1 of 1: d40 d41 d42 d43 d44 d45 d46 d47;
                c2 of 1: d48 d49 d50 d51 d52 d53 d54 d55;
                c3 of 1: d56 d57 d58 d59 d60 d61 d62 d63;
            }
            right {
                c0 of 0: d64 d65 d66 d67 d68 d69 d70 d71;
                c1 of 0: d72 d73 d74 d75 d76 d77 d78 d79;
                c2 of 0: d80 d81 d82 d83 d84 d85 d86 d87;
                c3 of 0: d88 d89 d90 d91 d92 d93 d94 d95;
                c0 of 1: d96 d97 d98 d99 d100 d101 d102 d103;
                c1 of 1: d104 d105 d106 d107 d108 d109 d110 d111;
                c2 of 1: d112 d113 d114 d115 d116 d117 d118 d119;
                c3 of 1: d120 d121 d122 d123 d124 d125 d126 d127;
            }
        }
    )*};
    (
        $(#[$about:meta])*
        $name:ident, $stages:literal, $cluster:literal, $group:literal,
        left { $(
            $lchunk:ident of $lbox:literal:
            $l0:ident $l1:ident $l2:ident $l3:ident $l4:ident $l5:ident $l6:ident $l7:ident;
        )* }
        right { $(
            $rchunk:ident of $rbox:literal:
            $r0:ident $r1:ident $r2:ident $r3:ident $r4:ident $r5:ident $r6:ident $r7:ident;
        )* }
    ) => {
        $(#[$about])*
        #[ptx::module(target = sm_90a)]
        pub(crate) mod $name {
            use super::*;

            /// Rows of `A` that a block multiplies at once.
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
            /// Waits for a barrier, of a tenth of a millisecond each, until the kernel gives up.
            const PATIENCE: usize = 100_000;

            /// Tiles of `A`.
            #[tensor_map(element = bf16, box = [DEPTH, ROWS], swizzle = B128, l2_promotion = B256)]
            pub(crate) struct A;

            /// Parts of tiles of `B`.
            #[tensor_map(element = bf16, box = [DEPTH, PART], swizzle = B128, l2_promotion = B256)]
            pub(crate) struct B;

            /// What a warpgroup stores at once; it has two of them.
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
                // To the next multiple of the tiles' alignment.
                rest: [Mbarrier; 128 - 2 * STAGES],
            }

            #[shared(dynamic)]
            pub(crate) static STAGES_OF_BLOCK: Stages;

            /// Multiplies, with any number of clusters.
            #[kernel(maxntid = THREADS, minnctapersm = 1, reqnctapercluster = CLUSTER)]
            pub(crate) fn multiply(
                a: TensorMap<A>, b: TensorMap<B>, d: TensorMap<D>, m: u32, n: u32, k: u32,
            ) {
                ptx! {
                    .reg .b64 %a, %b, %d, %left, %right, %lefts, %rights;
                    .reg .b32 %thread, %lane, %rank, %stages, %full, %empty, %barrier, %stage, %phase, %i;
                    .reg .b32 %m, %n, %k, %rows, %columns, %tiles, %tile, %step, %x, %y, %line;
                    .reg .b32 %width, %set, %first, %height, %to, %parts, %theirs, %previous;
                    .reg .b32 %half, %named, %box, %chunk, %c<4>, %h<4>;
                    .reg .b16 %everyone;
                    .reg .pred %other, %done, %more, %wraps, %adds, %signals, %releases;
                    .reg .f32 $(%$l0, %$l1, %$l2, %$l3, %$l4, %$l5, %$l6, %$l7),*;
                    .reg .f32 $(%$r0, %$r1, %$r2, %$r3, %$r4, %$r5, %$r6, %$r7),*;

                    mov.u32 %thread, %tid.x;
                    mov.u32 %rank, %cluster_ctarank;
                    mov.u32 %stages, STAGES_OF_BLOCK;
                    add.u32 %full, %stages, #(offset_of!(Stages, full));
                    add.u32 %empty, %stages, #(offset_of!(Stages, empty));
                    setp.ne.u32 %other, %thread, 0;
                    @%other bra READY;
                    mov.b32 %i, 0;
                INIT:
                    mad.lo.u32 %barrier, %i, #(size_of::<Mbarrier>()), %full;
                    mbarrier.init.shared::cta.b64 [%barrier], 1;
                    mad.lo.u32 %barrier, %i, #(size_of::<Mbarrier>()), %empty;
                    // Each of the 8 warps that multiply, of each block.
                    mbarrier.init.shared::cta.b64 [%barrier], #(8 * CLUSTER);
                    add.u32 %i, %i, 1;
                    setp.lt.u32 %more, %i, #(STAGES);
                    @%more bra INIT;
                    fence.mbarrier_init.release.cluster;
                    fence.proxy.async.shared::cta;
                READY:
                    bar.warp.sync 0xffffffff;
                    barrier.cluster.arrive;
                    barrier.cluster.wait;

                    // Tiles of D: the rows that a cluster multiplies at once, by columns.
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
                    // The same for a warp, which ptxas has to see: else it runs `wgmma` one by one.
                    shr.u32 %named, %thread, 7;
                    shfl.sync.idx.b32 %named, %named, 0, 31, 0xffffffff;
                    setp.ne.u32 %more, %named, 0;
                    @%more bra MULTIPLY;

                    // One thread loads.
                    setmaxnreg.dec.sync.aligned.u32 40;
                    @%other bra END;
                    mov.b64 %a, a;
                    cvta.param.u64 %a, %a;
                    mov.b64 %b, b;
                    cvta.param.u64 %b, %b;
                    mov.b16 %everyone, #((1 << CLUSTER) - 1);
                    mul.lo.u32 %parts, %rank, #(B::STRIDE);
                    add.u32 %parts, %parts, %stages;
                    // The first time around nobody has to empty a stage.
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
                    mad.lo.u32 %barrier, %stage, #(size_of::<Mbarrier>()), %empty;
                    mov.b32 %i, 0;
                EMPTY:
                    add.u32 %i, %i, 1;
                    setp.gt.u32 %more, %i, #(PATIENCE);
                    @%more trap;
                    mbarrier.try_wait.parity.shared::cta.b64 %done, [%barrier], %phase, 100000;
                    @!%done bra EMPTY;
                    mad.lo.u32 %barrier, %stage, #(size_of::<Mbarrier>()), %full;
                    mbarrier.arrive.expect_tx.shared::cta.b64 _, [%barrier],
                        #(A::TRANSACTION_BYTES + CLUSTER * B::TRANSACTION_BYTES);
                    mad.lo.u32 %to, %stage, #(A::STRIDE), %stages;
                    cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
                        [%to + #(offset_of!(Stages, a))], [%a, {%x, %y}], [%barrier];
                    mad.lo.u32 %to, %stage, #(CLUSTER * B::STRIDE), %parts;
                    cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster
                        [%to + #(offset_of!(Stages, b))], [%b, {%x, %line}], [%barrier], %everyone;
                    add.u32 %stage, %stage, 1;
                    setp.eq.u32 %wraps, %stage, #(STAGES);
                    @%wraps mov.b32 %stage, 0;
                    @%wraps xor.b32 %phase, %phase, 1;
                    add.u32 %x, %x, #(DEPTH);
                    setp.lt.u32 %more, %x, %k;
                    @%more bra LOAD;
                    add.u32 %tile, %tile, %step;
                    bra LOAD_TILE;

                    // Two warpgroups multiply.
                MULTIPLY:
                    setmaxnreg.inc.sync.aligned.u32 232;
                    mov.b64 %d, d;
                    cvta.param.u64 %d, %d;
                    mov.b32 %phase, 0;
                    and.b32 %lane, %thread, 31;
                    sub.u32 %half, %named, 1;
                    // As matrices: 64 rows of the tile of A, all of the tile of B.
                    mad.lo.u32 %i, %half, #(A::STRIDE / 2), %stages;
                    add.u32 %i, %i, #(offset_of!(Stages, a));
                    and.b32 %i, %i, 0x3ffff;
                    shr.u32 %i, %i, 4;
                    cvt.u64.u32 %lefts, %i;
                    or.b64 %lefts, %lefts, #(LEFT);
                    add.u32 %i, %stages, #(offset_of!(Stages, b));
                    and.b32 %i, %i, 0x3ffff;
                    shr.u32 %i, %i, 4;
                    cvt.u64.u32 %rights, %i;
                    or.b64 %rights, %rights, #(RIGHT);
                    // A lane for each block of the cluster says there that a stage is empty.
                    setp.lt.u32 %signals, %lane, #(CLUSTER);
                    rem.u32 %i, %lane, #(CLUSTER);
                    mapa.shared::cluster.u32 %theirs, %empty, %i;
                    mov.u32 %previous, %theirs;
                    // Where the thread's row of 8 numbers goes in a box: four chunks of it, of eight.
                    and.b32 %i, %thread, 127;
                    setp.ne.u32 %other, %i, 0;
                    mad.lo.u32 %box, %half, #(2 * D::STRIDE), %stages;
                    add.u32 %box, %box, #(offset_of!(Stages, d));
                    shr.u32 %i, %i, 5;
                    shl.b32 %i, %i, 4;
                    and.b32 %chunk, %lane, 15;
                    add.u32 %i, %i, %chunk;
                    mad.lo.u32 %to, %i, 128, %box;
                    and.b32 %i, %i, 7;
                    shr.u32 %chunk, %lane, 4;
                    xor.b32 %chunk, %chunk, %i;
                    shl.b32 %chunk, %chunk, 4;
                    add.u32 %c0, %to, %chunk;
                    xor.b32 %i, %chunk, 32;
                    add.u32 %c1, %to, %i;
                    xor.b32 %i, %chunk, 64;
                    add.u32 %c2, %to, %i;
                    xor.b32 %i, %chunk, 96;
                    add.u32 %c3, %to, %i;
                MULTIPLY_TILE:
                    setp.ge.u32 %done, %tile, %tiles;
                    @%done bra STORED;
                    mov.b32 %x, 0;
                STEP:
                    mad.lo.u32 %barrier, %stage, #(size_of::<Mbarrier>()), %full;
                    mov.b32 %i, 0;
                FULL:
                    add.u32 %i, %i, 1;
                    setp.gt.u32 %more, %i, #(PATIENCE);
                    @%more trap;
                    mbarrier.try_wait.parity.shared::cta.b64 %done, [%barrier], %phase, 100000;
                    @!%done bra FULL;
                    mul.wide.u32 %left, %stage, #(A::STRIDE / 16);
                    add.u64 %left, %left, %lefts;
                    mul.wide.u32 %right, %stage, #(CLUSTER * B::STRIDE / 16);
                    add.u64 %right, %right, %rights;
                    setp.ne.u32 %adds, %x, 0;
                    wgmma.fence.sync.aligned;
                    wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16
                        {$(%$l0, %$l1, %$l2, %$l3, %$l4, %$l5, %$l6, %$l7),*,
                         $(%$r0, %$r1, %$r2, %$r3, %$r4, %$r5, %$r6, %$r7),*},
                        %left, %right, %adds, 1, 1, 0, 0;
                    add.u64 %left, %left, #(16 * size_of::<bf16>() / 16);
                    add.u64 %right, %right, #(16 * size_of::<bf16>() / 16);
                    wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16
                        {$(%$l0, %$l1, %$l2, %$l3, %$l4, %$l5, %$l6, %$l7),*,
                         $(%$r0, %$r1, %$r2, %$r3, %$r4, %$r5, %$r6, %$r7),*},
                        %left, %right, 1, 1, 1, 0, 0;
                    add.u64 %left, %left, #(16 * size_of::<bf16>() / 16);
                    add.u64 %right, %right, #(16 * size_of::<bf16>() / 16);
                    wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16
                        {$(%$l0, %$l1, %$l2, %$l3, %$l4, %$l5, %$l6, %$l7),*,
                         $(%$r0, %$r1, %$r2, %$r3, %$r4, %$r5, %$r6, %$r7),*},
                        %left, %right, 1, 1, 1, 0, 0;
                    add.u64 %left, %left, #(16 * size_of::<bf16>() / 16);
                    add.u64 %right, %right, #(16 * size_of::<bf16>() / 16);
                    wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16
                        {$(%$l0, %$l1, %$l2, %$l3, %$l4, %$l5, %$l6, %$l7),*,
                         $(%$r0, %$r1, %$r2, %$r3, %$r4, %$r5, %$r6, %$r7),*},
                        %left, %right, 1, 1, 1, 0, 0;
                    wgmma.commit_group.sync.aligned;
                    // The step before has been multiplied: its stage is empty. Nothing was written that
                    // a wider `release` had to order: it would wait for all of memory.
                    wgmma.wait_group.sync.aligned 1;
                    and.pred %releases, %signals, %adds;
                    @%releases mbarrier.arrive.shared::cluster.b64 _, [%previous];
                    mad.lo.u32 %previous, %stage, #(size_of::<Mbarrier>()), %theirs;
                    add.u32 %stage, %stage, 1;
                    setp.eq.u32 %wraps, %stage, #(STAGES);
                    @%wraps mov.b32 %stage, 0;
                    @%wraps xor.b32 %phase, %phase, 1;
                    add.u32 %x, %x, #(DEPTH);
                    setp.lt.u32 %more, %x, %k;
                    @%more bra STEP;
                    wgmma.wait_group.sync.aligned 0;
                    @%signals mbarrier.arrive.shared::cluster.b64 _, [%previous];

                    // The left half of the columns, then the right one.
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
                    // The boxes may be written again.
                    cp.async.bulk.wait_group.read 0;
                    bar.sync %named, 128;
                    $(
                        cvt.rn.bf16x2.f32 %h0, %$l1, %$l0;
                        cvt.rn.bf16x2.f32 %h1, %$l3, %$l2;
                        cvt.rn.bf16x2.f32 %h2, %$l5, %$l4;
                        cvt.rn.bf16x2.f32 %h3, %$l7, %$l6;
                        stmatrix.sync.aligned.m8n8.x4.shared.b16
                            [%$lchunk + #($lbox * D::STRIDE)], {%h0, %h1, %h2, %h3};
                    )*
                    fence.proxy.async.shared::cta;
                    bar.sync %named, 128;
                    @%other bra LEFT_STORED;
                    cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%d, {%x, %y}], [%box];
                    add.u32 %i, %x, 64;
                    cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%d, {%i, %y}], [%box + #(D::STRIDE)];
                    cp.async.bulk.commit_group;
                LEFT_STORED:
                    add.u32 %x, %x, 128;
                    // The boxes may be written again.
                    cp.async.bulk.wait_group.read 0;
                    bar.sync %named, 128;
                    $(
                        cvt.rn.bf16x2.f32 %h0, %$r1, %$r0;
                        cvt.rn.bf16x2.f32 %h1, %$r3, %$r2;
                        cvt.rn.bf16x2.f32 %h2, %$r5, %$r4;
                        cvt.rn.bf16x2.f32 %h3, %$r7, %$r6;
                        stmatrix.sync.aligned.m8n8.x4.shared.b16
                            [%$rchunk + #($rbox * D::STRIDE)], {%h0, %h1, %h2, %h3};
                    )*
                    fence.proxy.async.shared::cta;
                    bar.sync %named, 128;
                    @%other bra RIGHT_STORED;
                    cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%d, {%x, %y}], [%box];
                    add.u32 %i, %x, 64;
                    cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%d, {%i, %y}], [%box + #(D::STRIDE)];
                    cp.async.bulk.commit_group;
                RIGHT_STORED:
                    add.u32 %tile, %tile, %step;
                    bra MULTIPLY_TILE;
                STORED:
                    cp.async.bulk.wait_group 0;

                    // Others may still write to this block: all end together.
                END:
                    bar.warp.sync 0xffffffff;
                    barrier.cluster.arrive;
                    barrier.cluster.wait;
                    ret;
                }
            }

            const LEFT: u64 = match A::matrix_descriptor(Major::K) {
                Some(matrix) => matrix.bits(),
                None => panic!("rows of 128 bytes have one"),
            };
            const RIGHT: u64 = match B::matrix_descriptor(Major::K) {
                Some(matrix) => matrix.bits(),
                None => panic!("rows of 128 bytes have one"),
            };
        }
    };
}

gemm! {
    /// Products of tiles of 128 by 256.
    gemm: 4 stages, clusters of 2, groups of 16;
}
