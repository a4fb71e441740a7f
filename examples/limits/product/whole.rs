//! Products of `bf16`, and of `e4m3` with scales for whole sums: one number for each matrix (`SCALES` is 1), or one for each row
//! of `A` and of `B` (2).

use ptx::prelude::*;

use super::{CLUSTER, D, ROWS, THREADS, chunks, divide, load, place, start, store};

/// The elements and their suffix, the shapes of `wgmma` for 256 and 224 columns and what follows its operands.
macro_rules! products {
    ($(
        $(#[$about:meta])*
        $name:ident: $element:ident $suffix:ident $wide:ident $narrow:ident ($($transpose:tt)*), scales $scales:tt;
    )*) => {$(
        $(#[$about])*
        #[ptx::module(target = sm_90a, for(COLUMNS: usize in [256, 224]))]
        pub(crate) mod $name {
            use super::*;
            use ptx::lib::{cluster, float, matrix, ring, warp};

            pub(crate) const STAGES: usize = 4;
            /// Elements of a row in one stage.
            const DEPTH: usize = 128 / size_of::<$element>();

            #[tensor_map(element = $element, box = [DEPTH, ROWS], swizzle = B128, l2_promotion = B128)]
            pub(crate) struct A;
            #[tensor_map(element = $element, box = [DEPTH, COLUMNS / CLUSTER], swizzle = B128, l2_promotion = B128)]
            pub(crate) struct B;

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
            const LEFT: u64 = matrix::bits(A::matrix_descriptor(Major::K));
            const RIGHT: u64 = matrix::bits(B::matrix_descriptor(Major::K));

            /// Multiplies, with any number of clusters in the grid.
            #[allow(unused_variables, reason = "without scales")]
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
                    let %thread, %lane, %rank, %stage, %phase, %group, %half, %i, %down: u32;
                    let %m, %n, %k, %rows, %columns, %tiles, %tile, %step, %x, %y, %column, %quarter, %before, %above: u32;
                    let %stages, %parts: Ptr<Shared, Stages>;
                    let %full, %empty, %theirs, %previous: Ptr<Shared, Mbarrier>;
                    let %box: Ptr<Shared, Tile<D>>;
                    let %of_a, %of_b, %scales: Ptr<Global, f32>;
                    let %columns_of, %own: Ptr<Shared, f32>;
                    let %at: [u32; 2];
                    let %pairs: [Bf16x2; COLUMNS / 4];
                    let %sum: [f32; COLUMNS / 2];
                    let %row: [f32; 2];
                    let %scale, %first, %second: f32;
                    let %other, %done, %more, %adds, %signals, %releases: bool;

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
                    mov.u32     %previous, %theirs;
                    lea.shared.u32 %box, %stages.d[%half];
                    chunks      %at, %other, %thread, %lane, %box;
                    ld.param.u64 %of_a, [of_a];
                    ld.param.u64 %of_b, [of_b];
                    if SCALES == 1 {
                        ld.global.nc.f32 %first, [%of_a];
                        ld.global.nc.f32 %second, [%of_b];
                        mul.f32     %scale, %first, %second;
                    }
                    if SCALES == 2 {
                        // Of each 16 rows and 8 columns, a lane has a row, the eighth below it, and two columns.
                        shr.u32     %i, %thread, 5;
                        and.b32     %i, %i, 3;
                        shr.u32     %down, %lane, 2;
                        mad.lo.u32  %down, %i, 16, %down;
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
                    @%done bra MULTIPLIED;
                    place::<COLUMNS> %column, %y, %tile, %rows, %columns, %rank;
                    mad.lo.u32  %y, %half, #(ROWS / 2), %y;
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
                    mov.b32     %x, 0;
                STEP:
                    ring::wait  %full, %stage, %phase;
                    matrix::nth %left, %lefts, %stage, #(A::STRIDE);
                    matrix::nth %right, %rights, %stage, #(CLUSTER * B::STRIDE);
                    setp.ne.u32 %adds, %x, 0;
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
                    // The tile before this one is stored meanwhile, a quarter in each step.
                    for quarter in 0..4 {
                        setp.ne.u32 %more, %quarter, quarter;
                        @%more bra LATER;
                        store::<quarter, COLUMNS> %d, %pairs, %at, %box, %before, %above, %group, %other;
                    LATER:
                    }
                    add.u32     %quarter, %quarter, 1;
                    ring::next::<STAGES> %stage, %phase;
                    add.u32     %x, %x, #(DEPTH);
                    setp.lt.u32 %more, %x, %k;
                    @%more bra STEP;
                    wgmma.wait_group.sync.aligned 0;
                    @%signals mbarrier.arrive.shared::cluster.b64 _, [%previous];

                MULTIPLIED:
                    // What few steps, or the end, have left of the tile before.
                    for quarter in 0..4 {
                        setp.gt.u32 %more, %quarter, quarter;
                        @%more bra BEFORE;
                        store::<quarter, COLUMNS> %d, %pairs, %at, %box, %before, %above, %group, %other;
                    BEFORE:
                    }
                    @%done bra STORED;
                    if SCALES == 2 {
                        bar.sync    %group, 128;
                        st.shared.v2.f32 [%columns_of], {%first, %second};
                        bar.sync    %group, 128;
                    }
                    for pair in 0..COLUMNS / 4 {
                        if SCALES == 1 {
                            mul.f32     %sum[2 * pair], %sum[2 * pair], %scale;
                            mul.f32     %sum[2 * pair + 1], %sum[2 * pair + 1], %scale;
                        }
                        if SCALES == 2 {
                            if pair % 2 == 0 {
                                ld.shared.v2.f32 {%first, %second}, [%own[4 * pair]];
                            }
                            mul.f32     %scale, %row[pair % 2], %first;
                            mul.f32     %sum[2 * pair], %sum[2 * pair], %scale;
                            mul.f32     %scale, %row[pair % 2], %second;
                            mul.f32     %sum[2 * pair + 1], %sum[2 * pair + 1], %scale;
                        }
                        float::to_bf16x2 %pairs[pair], %sum[2 * pair], %sum[2 * pair + 1];
                    }
                    mov.u32     %before, %column;
                    mov.u32     %above, %y;
                    mov.b32     %quarter, 0;
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
    )*};
}

products! {
    /// Products of `bf16`, without scales: it takes them as the others do, and reads none.
    of_bf16: bf16 bf16 m64n256k16 m64n224k16 (, 0, 0), scales [0];
    /// Products of `e4m3`.
    of_e4m3: E4M3 e4m3 m64n256k32 m64n224k32 (), scales [1, 2];
}
