//! Products of matrices on the tensor cores of `sm_90a`, `D = A Bᵀ`, of `bf16` and of `e4m3`.
//!
//! `A` is `m` rows of `k` elements, `B` is `n` rows of `k`, `D` is `m` rows of `n` numbers of `bf16`, all row-major. Rows are
//! multiples of 16 bytes; tensor maps load and store the tiles and handle the edges.
//!
//! A block has three warpgroups. One thread of the first keeps a ring of stages full, each of which has 128 bytes of 128 rows
//! of `A` and of `COLUMNS` rows of `B`; each of the other two multiplies 64 rows of `A` by all of `B`, with the sums in
//! registers. The two blocks of a cluster have the same rows of `B`, of which each loads one half into both. Blocks are
//! persistent: they run until no tiles are left.

use ptx::prelude::*;
use ptx::tensor::Major;

/// Threads of a block: three warpgroups.
pub(crate) const THREADS: u32 = 384;
/// Rows of `D` in a tile.
pub(crate) const ROWS: usize = 128;
/// Blocks of a cluster.
pub(crate) const CLUSTER: usize = 2;

/// The place of a tile among those of `D`: `GROUP` rows of tiles go through all columns before the next rows do, so that
/// their data stays in the L2 cache.
#[ptx::fragment(returns(column, row))]
fn place<const GROUP: u32>(
    tile: Reg<u32>,
    rows: Reg<u32>,
    columns: Reg<u32>,
) -> (Reg<u32>, Reg<u32>) {
    ptx! {
        .reg .u32 %width, %set, %first, %height, %i;
        mul.lo.u32  %width, columns, GROUP;
        div.u32     %set, tile, %width;
        mul.lo.u32  %first, %set, GROUP;
        sub.u32     %height, rows, %first;
        min.u32     %height, %height, GROUP;
        mul.lo.u32  %i, %set, %width;
        sub.u32     %i, tile, %i;
        div.u32     column, %i, %height;
        mul.lo.u32  row, column, %height;
        sub.u32     row, %i, row;
        add.u32     row, row, %first;
    }
}

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

/// Stores a quarter of the columns of 64 rows of a tile, in boxes of 32 columns, of which a warpgroup has four places.
#[ptx::fragment]
fn store<const QUARTER: usize, const BOXES: usize, const PAIRS: usize>(
    d: Reg<u64>,
    pairs: Reg<[Bf16x2; PAIRS]>,
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
        for b in 2 * QUARTER..2 * QUARTER + 2 - QUARTER / 3 * (8 - BOXES) {
            for part in 0..2 {
                stmatrix.sync.aligned.m8n8.x4.shared.b16
                    [at[part] + #(b % 4 * 4096)], {pairs[8 * b + 4 * part..8 * b + 4 * part + 4]};
            }
        }
        fence.proxy.async.shared::cta;
        bar.sync    group, 128;
        @waits bra STORED;
        for b in 2 * QUARTER..2 * QUARTER + 2 - QUARTER / 3 * (8 - BOXES) {
            add.u32     %i, column, #(32 * b);
            cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group
                [d, {%i, row}], [boxes + #(b % 4 * 4096)];
        }
        cp.async.bulk.commit_group;
    STORED:
    }
}

/// The family: elements and their suffix, the shapes of `wgmma` for 256, 224 and 128 columns and what follows its operands, and
/// how products are scaled: not at all (0), by a number for each matrix (1), by one for each row of `A` and `B` (2), or by one
/// for each 128 elements of a row of `A` and each 128 by 128 of `B` (3), which a stage has.
macro_rules! products {
    ($(
        $(#[$about:meta])*
        $name:ident: $element:ident $suffix:ident $wide:ident $narrow:ident $half:ident ($($transpose:tt)*), columns $columns:tt, scales $scales:tt;
    )*) => {$(
        $(#[$about])*
        #[ptx::module(target = sm_90a, for(COLUMNS: usize in $columns))]
        pub(crate) mod $name {
            use super::*;
            use ptx::lib::{float, matrix, mbarrier, ring};

            pub(crate) const STAGES: usize = 4;
            /// Boxes of 32 columns in a row of a tile.
            const BOXES: usize = COLUMNS / 32;
            /// Elements of a row in one stage.
            const DEPTH: usize = 128 / size_of::<$element>();
            /// Rows of `B` that a block loads for its cluster.
            const PART: usize = COLUMNS / CLUSTER;

            #[tensor_map(element = $element, box = [DEPTH, ROWS], swizzle = B128, l2_promotion = B256)]
            pub(crate) struct A;
            #[tensor_map(element = $element, box = [DEPTH, PART], swizzle = B128, l2_promotion = B256)]
            pub(crate) struct B;
            #[tensor_map(element = bf16, box = [32, 64], swizzle = B64)]
            pub(crate) struct D;

            #[ptx::padded]
            #[derive(PtxType)]
            #[repr(C)]
            pub(crate) struct Stages {
                a: [Tile<A>; STAGES],
                b: [[Tile<B>; CLUSTER]; STAGES],
                /// The boxes that a warpgroup stores at a time.
                d: [[Tile<D>; 4]; 2],
                /// The scales of the columns, for each warpgroup.
                scales: [[f32; 256]; 2],
                full: [Mbarrier; STAGES],
                empty: [Mbarrier; STAGES],
            }

            #[shared(dynamic)]
            pub(crate) static STAGES_OF_BLOCK: Stages;

            /// What the maps say of the tiles as matrices: rows of 128 bytes.
            const LEFT: u64 = bits(A::matrix_descriptor(Major::K));
            const RIGHT: u64 = bits(B::matrix_descriptor(Major::K));

            /// Multiplies, with any number of clusters in the grid.
            #[allow(unused_variables, unused_labels)] // products without scales, and by blocks
            #[kernel(
                for(SCALES: u32 in $scales),
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
                    let %thread, %lane, %rank, %stage, %phase, %group, %half, %i, %j: u32;
                    let %m, %n, %k, %rows, %columns, %tiles, %tile, %step, %x, %y, %column, %to, %down: u32;
                    let %columns_of, %own: Ptr<Shared, f32>;
                    let %stages, %parts: Ptr<Shared, Stages>;
                    let %full, %empty, %barrier, %theirs, %previous: Ptr<Shared, Mbarrier>;
                    let %box: Ptr<Shared, Tile<D>>;
                    let %of_a, %of_b: Ptr<Global, f32>;
                    let %at: [u32; 2];
                    let %pairs: [Bf16x2; COLUMNS / 4];
                    let %quarter, %before, %above: u32;
                    let %sum: [f32; COLUMNS / 2];
                    let %part: [f32; 64];
                    let %everyone: B16;
                    let %other, %done, %more, %adds, %signals, %releases: bool;
                    let %scales, %blocks, %further: Ptr<Global, f32>;
                    let %scale, %first, %second: f32;
                    let %row, %of_half: [f32; 2];
                    let %factor: [f32; 4];
                    let %has: [bool; 2];

                    mov.u32     %thread, %tid.x;
                    mov.u32     %rank, %cluster_ctarank;
                    lea.shared.u32 %stages, STAGES_OF_BLOCK;
                    lea.shared.u32 %full, %stages.full;
                    lea.shared.u32 %empty, %stages.empty;
                    setp.ne.u32 %other, %thread, 0;
                    @%other bra READY;
                    for stage in 0..STAGES {
                        mbarrier.init.shared::cta.b64 [%full[stage]], 1;
                        // One arrival of each of the 8 multiplying warps of each block.
                        mbarrier.init.shared::cta.b64 [%empty[stage]], #(8 * CLUSTER);
                    }
                    fence.mbarrier_init.release.cluster;
                    fence.proxy.async.shared::cta;
                READY:
                    bar.warp.sync 0xffffffff;
                    barrier.cluster.arrive;
                    barrier.cluster.wait;

                    // The numbers of tiles of D: by the rows that a cluster multiplies at once, and by columns.
                    ld.param.u32 %m, [m];
                    ld.param.u32 %n, [n];
                    ld.param.u32 %k, [k];
                    add.u32     %rows, %m, #(CLUSTER * ROWS - 1);
                    div.u32     %rows, %rows, #(CLUSTER * ROWS);
                    add.u32     %columns, %n, #(COLUMNS - 1);
                    div.u32     %columns, %columns, #(COLUMNS);
                    mul.lo.u32  %tiles, %rows, %columns;
                    mov.u32     %tile, %clusterid.x;
                    mov.u32     %step, %nclusterid.x;
                    mov.b32     %stage, 0;
                    // Broadcast from lane 0, so that ptxas sees a warp-uniform value: otherwise it serialises `wgmma`.
                    shr.u32     %group, %thread, 7;
                    shfl.sync.idx.b32 %group, %group, 0, 31, 0xffffffff;
                    setp.ne.u32 %more, %group, 0;
                    @%more bra MULTIPLY;

                    // One thread loads the tiles.
                    setmaxnreg.dec.sync.aligned.u32 40;
                    @%other bra END;
                    cvta.param.u64 %a, a;
                    cvta.param.u64 %b, b;
                    mad.lo.u32  %parts, %rank, #(B::STRIDE), %stages;
                    mov.b16     %everyone, #((1 << CLUSTER) - 1);
                    // In the first pass, all stages are empty.
                    mov.b32     %phase, 1;
                LOAD_TILE:
                    setp.ge.u32 %done, %tile, %tiles;
                    @%done bra END;
                    place::<16> %j, %y, %tile, %rows, %columns;
                    mad.lo.u32  %y, %y, #(CLUSTER), %rank;
                    mul.lo.u32  %y, %y, #(ROWS);
                    mul.lo.u32  %j, %j, #(COLUMNS);
                    mad.lo.u32  %j, %rank, #(PART), %j;
                    mov.b32     %x, 0;
                LOAD:
                    lea.shared.u32 %barrier, %empty[%stage];
                    mbarrier::wait %barrier, %phase;
                    lea.shared.u32 %barrier, %full[%stage];
                    mbarrier.arrive.expect_tx.shared::cta.b64 _, [%barrier],
                        #(A::TRANSACTION_BYTES + CLUSTER * B::TRANSACTION_BYTES);
                    lea.shared.u32 %to, %stages.a[%stage];
                    cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
                        [%to], [%a, {%x, %y}], [%barrier];
                    lea.shared.u32 %to, %parts.b[%stage];
                    cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster
                        [%to], [%b, {%x, %j}], [%barrier], %everyone;
                    ring::next::<STAGES> %stage, %phase;
                    add.u32     %x, %x, #(DEPTH);
                    setp.lt.u32 %more, %x, %k;
                    @%more bra LOAD;
                    add.u32     %tile, %tile, %step;
                    bra LOAD_TILE;

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
                    mov.u32     %previous, %theirs;
                    // Where a lane stores 16 bytes of a row: in two chunks of the row, which the swizzle exchanges.
                    and.b32     %i, %thread, 127;
                    setp.ne.u32 %other, %i, 0;
                    lea.shared.u32 %box, %stages.d[%half];
                    shr.u32     %i, %i, 5;
                    and.b32     %j, %lane, 15;
                    mad.lo.u32  %i, %i, 16, %j;
                    mad.lo.u32  %to, %i, 64, %box;
                    shr.u32     %j, %lane, 4;
                    shr.u32     %i, %lane, 1;
                    and.b32     %i, %i, 3;
                    xor.b32     %j, %j, %i;
                    shl.b32     %j, %j, 4;
                    for c in 0..2 {
                        xor.b32 %i, %j, #(32 * c);
                        add.u32 %at[c], %to, %i;
                    }
                    ld.param.u64 %of_a, [of_a];
                    ld.param.u64 %of_b, [of_b];
                    if SCALES == 1 {
                        ld.global.nc.f32 %first, [%of_a];
                        ld.global.nc.f32 %second, [%of_b];
                        mul.f32     %scale, %first, %second;
                    }
                    if SCALES >= 2 {
                        // Of each 16 rows and 8 columns, a lane has a row, the eighth below it, and two columns.
                        shr.u32     %i, %thread, 5;
                        and.b32     %i, %i, 3;
                        shr.u32     %down, %lane, 2;
                        mad.lo.u32  %down, %i, 16, %down;
                    }
                    if SCALES == 2 {
                        lea.shared.u32 %columns_of, %stages.scales[%half];
                        and.b32     %i, %lane, 3;
                        shl.b32     %i, %i, 1;
                        lea.shared.u32 %own, %columns_of[%i];
                        and.b32     %i, %thread, 127;
                        shl.b32     %i, %i, 1;
                        lea.shared.u32 %columns_of, %columns_of[%i];
                    }
                    // No tile is left to be stored.
                    mov.b32     %quarter, 4;
                MULTIPLY_TILE:
                    setp.ge.u32 %done, %tile, %tiles;
                    if SCALES < 3 {
                        @%done bra MULTIPLIED;
                    } else {
                        @%done bra STORED;
                    }
                    place::<16> %column, %y, %tile, %rows, %columns;
                    mad.lo.u32  %y, %y, #(CLUSTER), %rank;
                    mul.lo.u32  %y, %y, #(ROWS);
                    mad.lo.u32  %y, %half, #(ROWS / 2), %y;
                    mul.lo.u32  %column, %column, #(COLUMNS);
                    if SCALES == 2 {
                        // The scales of the rows that a lane has, and of two columns for all; nothing waits for them yet.
                        add.u32     %i, %y, %down;
                        lea.global.u64 %scales, %of_a[%i];
                        for r in 0..2 {
                            mov.f32     %row[r], 0f00000000;
                            setp.lt.u32 %more, %i, %m;
                            @%more ld.global.nc.f32 %row[r], [%scales[8 * r]];
                            add.u32     %i, %i, 8;
                        }
                        and.b32     %i, %thread, 127;
                        shl.b32     %i, %i, 1;
                        setp.lt.u32 %more, %i, #(COLUMNS);
                        add.u32     %i, %i, %column;
                        setp.lt.and.u32 %more, %i, %n, %more;
                        lea.global.u64 %scales, %of_b[%i];
                        mov.f32     %first, 0f00000000;
                        mov.f32     %second, 0f00000000;
                        @%more ld.global.nc.v2.f32 {%first, %second}, [%scales];
                    }
                    if SCALES == 3 {
                        // The scales of the first stage; those of the next are loaded while one is multiplied. Those of rows
                        // lie by the blocks of k, those of columns by the blocks of n.
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
                    }
                    mov.b32     %x, 0;
                STEP:
                    lea.shared.u32 %barrier, %full[%stage];
                    mbarrier::wait %barrier, %phase;
                    mul.wide.u32 %left, %stage, #(A::STRIDE / 16);
                    add.u64     %left, %left, %lefts;
                    mul.wide.u32 %right, %stage, #(CLUSTER * B::STRIDE / 16);
                    add.u64     %right, %right, %rights;
                    setp.ne.u32 %adds, %x, 0;
                    if SCALES == 3 {
                        for half in 0..2 {
                            for r in 0..2 {
                                mul.f32     %factor[2 * half + r], %row[r], %of_half[half];
                            }
                        }
                        add.u32     %i, %x, #(DEPTH);
                        setp.lt.u32 %more, %i, %k;
                        lea.global.u64 %scales, %scales[%m];
                        load_scales %row, %of_half, %scales, %blocks, %further, %has, %more;
                        for half in 0..2 {
                            wgmma.fence.sync.aligned;
                            for part in 0..4 {
                                add.u64     %a, %left, #(2 * part);
                                add.u64     %b, %right, #(half * B::STRIDE / 16 + 2 * part);
                                wgmma.mma_async.sync.aligned.$half.f32.$suffix.$suffix
                                    {%part[0..64]}, %a, %b, #(if part == 0 { 0 } else { 1 }), 1, 1 $($transpose)*;
                            }
                            wgmma.commit_group.sync.aligned;
                            wgmma.wait_group.sync.aligned 0;
                            if half == 1 {
                                lea.shared.u32 %previous, %theirs[%stage];
                                @%signals mbarrier.arrive.shared::cluster.b64 _, [%previous];
                            }
                            // Sums of many blocks in the precision of the tensor cores would lose what is small.
                            for i in 0..64 {
                                fma.rn.f32  %sum[64 * half + i], %part[i], %factor[2 * half + i / 2 % 2], %sum[64 * half + i];
                            }
                        }
                    } else {
                        wgmma.fence.sync.aligned;
                        // Sums start at 0 in the first step; 32 bytes of each row at a time.
                        for part in 0..4 {
                            if part > 0 {
                                add.u64     %left, %left, 2;
                                add.u64     %right, %right, 2;
                                setp.eq.u32 %adds, 0, 0;
                            }
                            if COLUMNS == 256 {
                                wgmma.mma_async.sync.aligned.$wide.f32.$suffix.$suffix
                                    {%sum[0..128]}, %left, %right, %adds, 1, 1 $($transpose)*;
                            } else {
                                wgmma.mma_async.sync.aligned.$narrow.f32.$suffix.$suffix
                                    {%sum[0..112]}, %left, %right, %adds, 1, 1 $($transpose)*;
                            }
                        }
                        wgmma.commit_group.sync.aligned;
                        // The previous step has been multiplied: its stage is empty. There are no writes that
                        // a wider `release` would have to order; it would wait for all of memory.
                        wgmma.wait_group.sync.aligned 1;
                        setp.ne.and.u32 %releases, %x, 0, %signals;
                        @%releases mbarrier.arrive.shared::cluster.b64 _, [%previous];
                        lea.shared.u32 %previous, %theirs[%stage];
                    }
                    if SCALES < 3 {
                        // The tile before this one is stored meanwhile, a quarter in each step.
                        for quarter in 0..4 {
                            setp.ne.u32 %more, %quarter, quarter;
                            @%more bra LATER;
                            store::<quarter, BOXES, { COLUMNS / 4 }> %d, %pairs, %at, %box, %before, %above, %group, %other;
                        LATER:
                        }
                        add.u32     %quarter, %quarter, 1;
                    }
                    ring::next::<STAGES> %stage, %phase;
                    add.u32     %x, %x, #(DEPTH);
                    setp.lt.u32 %more, %x, %k;
                    @%more bra STEP;
                    if SCALES < 3 {
                        wgmma.wait_group.sync.aligned 0;
                        @%signals mbarrier.arrive.shared::cluster.b64 _, [%previous];
                    }

                MULTIPLIED:
                    if SCALES < 3 {
                        // What few steps, or the end, have left of the tile before.
                        for quarter in 0..4 {
                            setp.gt.u32 %more, %quarter, quarter;
                            @%more bra BEFORE;
                            store::<quarter, BOXES, { COLUMNS / 4 }> %d, %pairs, %at, %box, %before, %above, %group, %other;
                        BEFORE:
                        }
                        @%done bra STORED;
                    }
                    if SCALES == 2 {
                        bar.sync    %group, 128;
                        st.shared.v2.f32 [%columns_of], {%first, %second};
                        bar.sync    %group, 128;
                    }
                    for part in 0..COLUMNS / 16 {
                        for pair in 0..4 {
                            if SCALES == 1 {
                                mul.f32     %sum[8 * part + 2 * pair], %sum[8 * part + 2 * pair], %scale;
                                mul.f32     %sum[8 * part + 2 * pair + 1], %sum[8 * part + 2 * pair + 1], %scale;
                            }
                            if SCALES == 2 {
                                if pair % 2 == 0 {
                                    ld.shared.v2.f32 {%first, %second}, [%own[16 * part + 4 * pair]];
                                }
                                mul.f32     %scale, %row[pair % 2], %first;
                                mul.f32     %sum[8 * part + 2 * pair], %sum[8 * part + 2 * pair], %scale;
                                mul.f32     %scale, %row[pair % 2], %second;
                                mul.f32     %sum[8 * part + 2 * pair + 1], %sum[8 * part + 2 * pair + 1], %scale;
                            }
                            float::to_bf16x2 %pairs[4 * part + pair], %sum[8 * part + 2 * pair], %sum[8 * part + 2 * pair + 1];
                        }
                    }
                    if SCALES < 3 {
                        mov.u32     %before, %column;
                        mov.u32     %above, %y;
                        mov.b32     %quarter, 0;
                    } else {
                        // Their registers hold parts of sums while the next tile is multiplied.
                        for quarter in 0..4 {
                            store::<quarter, BOXES, { COLUMNS / 4 }> %d, %pairs, %at, %box, %column, %y, %group, %other;
                        }
                    }
                    add.u32     %tile, %tile, %step;
                    bra MULTIPLY_TILE;
                STORED:
                    cp.async.bulk.wait_group 0;

                    // Other blocks may still write to this block's memory: all end together.
                END:
                    bar.warp.sync 0xffffffff;
                    barrier.cluster.arrive;
                    barrier.cluster.wait;
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

products! {
    /// Products of `bf16`.
    of_bf16: bf16 bf16 m64n256k16 m64n224k16 m64n128k16 (, 0, 0), columns [256, 224], scales [0];
    /// Products of `e4m3`, whose sums a scale multiplies.
    of_e4m3: E4M3 e4m3 m64n256k32 m64n224k32 m64n128k32 (), columns [256, 224], scales [1, 2];
    /// The same with a scale for each 128 elements of a row of `A`, and for each 128 by 128 of `B`.
    of_blocks: E4M3 e4m3 m64n256k32 m64n224k32 m64n128k32 (), columns [256], scales [3];
}
