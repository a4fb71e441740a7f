//! Tensor copies of one to five dimensions, in every mode, and maps that kernels modify.

use ptx::prelude::*;

/// A row.
#[tensor_map(element = f32, box = [128])]
pub struct Row;

/// A brick.
#[tensor_map(element = f32, box = [16, 8, 4])]
pub struct Brick;

/// A patch of images, with channels innermost.
#[tensor_map(element = f16, box = [32, 8, 4, 2], swizzle = B64)]
pub struct Patch;

/// Five dimensions.
#[tensor_map(element = u8, box = [32, 4, 4, 2, 2])]
pub struct Five;

/// Pixels of a filter's window.
#[tensor_map(
    element = f16, mode = im2col, lower = [-1, -1], upper = [-1, -1], channels_per_pixel = 64,
    pixels_per_column = 32, swizzle = B128
)]
pub struct Images;

#[ptx::module(target = sm_90a, version = 8.6)]
pub mod tensors {
    use super::*;

    #[shared]
    static ROW: Tile<Row>;

    #[shared]
    static BRICK: Tile<Brick>;

    #[shared]
    static PATCH: Tile<Patch>;

    #[shared]
    static FIVE: Tile<Five>;

    #[shared]
    static IMAGES: Tile<Images>;

    #[shared]
    static LOADED: Mbarrier;

    #[shared(dynamic)]
    pub static RING: Ring;

    /// Ranks 1, 3, 4 and 5, and image windows, on one barrier; then everything is stored back.
    #[kernel(maxntid = 32)]
    pub fn ranks(
        row: TensorMap<Row>,
        brick: TensorMap<Brick>,
        patch: TensorMap<Patch>,
        five: TensorMap<Five>,
        images: TensorMap<Images>,
        w: i32,
    ) {
        ptx! {
            .reg .pred %p, %done;
            .reg .b16 %dw, %dh;
            .reg .b32 %x, %y, %z, %w, %n;
            .reg .b64 %row, %brick, %patch, %five, %images;
            mov.u32             %x, %tid.x;
            setp.ne.u32         %p, %x, 0;
            @%p bra             END;
            mov.b64             %row, row;
            cvta.param.u64      %row, %row;
            mov.b64             %brick, brick;
            cvta.param.u64      %brick, %brick;
            mov.b64             %patch, patch;
            cvta.param.u64      %patch, %patch;
            mov.b64             %five, five;
            cvta.param.u64      %five, %five;
            mov.b64             %images, images;
            cvta.param.u64      %images, %images;
            prefetch.tensormap  [%row];
            prefetch.tensormap  [%images];
            prefetch.param.tensormap [brick];
            mbarrier.init.shared::cta.b64 [LOADED], 1;
            fence.proxy.async.shared::cta;
            mov.u32             %x, %ctaid.x;
            mov.u32             %y, 0;
            mov.u32             %z, 0;
            ld.param.s32        %w, [w];
            mov.u32             %n, 0;
            mov.u16             %dw, 1;
            mov.u16             %dh, 2;
            mbarrier.arrive.expect_tx.shared::cta.b64 _, [LOADED],
                #(Row::TRANSACTION_BYTES + Brick::TRANSACTION_BYTES + Patch::TRANSACTION_BYTES
                    + Five::TRANSACTION_BYTES + Images::TRANSACTION_BYTES);
            cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
                [ROW], [%row, {%x}], [LOADED];
            cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes
                [BRICK], [%brick, {%x, %y, %z}], [LOADED];
            cp.async.bulk.tensor.4d.shared::cta.global.tile.mbarrier::complete_tx::bytes
                [PATCH], [%patch, {%x, %y, %z, %w}], [LOADED];
            cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
                [FIVE], [%five, {%x, %y, %z, %w, %n}], [LOADED];
            cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes
                [IMAGES], [%images, {%x, %y, %z, %n}], [LOADED], {%dw, %dh};
        WAIT:
            mbarrier.try_wait.parity.shared::cta.b64 %done, [LOADED], 0;
            @!%done bra         WAIT;
            cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [%row, {%x}], [ROW];
            cp.async.bulk.tensor.3d.global.shared::cta.bulk_group [%brick, {%x, %y, %z}], [BRICK];
            cp.reduce.async.bulk.tensor.4d.global.shared::cta.add.tile.bulk_group
                [%patch, {%x, %y, %z, %w}], [PATCH];
            cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.bulk_group [%row, {%y}], [ROW];
            cp.async.bulk.tensor.4d.global.shared::cta.im2col_no_offs.bulk_group
                [%images, {%x, %y, %z, %n}], [IMAGES];
            cp.async.bulk.commit_group;
            cp.async.bulk.wait_group.read 0;
        END:
            ret;
        }
    }

    /// A pipeline of tiles: one thread loads, a warp reads; each stage's address is computed from its number.
    #[kernel(reqntid = 64, reqnctapercluster = 2)]
    pub fn pipeline(a: TensorMap<Half>, out: Ptr<Global, u32>, steps: u32) {
        ptx! {
            .reg .pred %p, %q, %done;
            .reg .b16 %all;
            .reg .b32 %t, %lane, %base, %full, %empty, %stage, %phase, %i, %steps, %x, %y, %at, %part;
            .reg .b32 %r<4>, %theirs, %rank;
            .reg .b64 %a, %out, %policy;
            mov.u32             %t, %tid.x;
            and.b32             %lane, %t, 31;
            mov.u32             %rank, %cluster_ctarank;
            mov.u32             %base, RING;
            mov.b64             %a, a;
            cvta.param.u64      %a, %a;
            ld.param.u32        %steps, [steps];
            setp.ne.u32         %p, %t, 0;
            @%p bra             READY;
            mov.u32             %i, 0;
        INIT:
            mad.lo.u32          %at, %i, 8, %base;
            mbarrier.init.shared::cta.b64 [%at + #(offset_of!(Ring, full))], 1;
            mbarrier.init.shared::cta.b64 [%at + #(offset_of!(Ring, empty))], 2;
            add.u32             %i, %i, 1;
            setp.lt.u32         %q, %i, 3;
            @%q bra             INIT;
            fence.mbarrier_init.release.cluster;
        READY:
            barrier.cluster.arrive.relaxed;
            barrier.cluster.wait;
            mov.u32             %i, 0;
            mov.u32             %stage, 0;
            mov.u32             %y, %ctaid.y;
            shl.b32             %y, %y, 7;
            shl.b32             %part, %rank, 13; // half of a tile
            mov.b16             %all, 3;
            setp.ge.u32         %q, %t, 32;
            selp.b32            %phase, 0, 1, %q;
            createpolicy.fractional.L2::evict_first.b64 %policy, 1.0;
        STEP:
            setp.ge.u32         %p, %i, %steps;
            @%p bra             END;
            mad.lo.u32          %full, %stage, 8, %base;
            add.u32             %empty, %full, #(offset_of!(Ring, empty));
            add.u32             %full, %full, #(offset_of!(Ring, full));
            @%q bra             READ;
            setp.ne.u32         %p, %lane, 0;
            @%p bra             NEXT;
        EMPTY:
            mbarrier.try_wait.parity.shared::cta.b64 %done, [%empty], %phase;
            @!%done bra         EMPTY;
            mbarrier.arrive.expect_tx.shared::cta.b64 _, [%full], #(2 * Half::TRANSACTION_BYTES);
            mad.lo.u32          %at, %stage, #(2 * Half::STRIDE), %base;
            add.u32             %at, %at, %part;
            shl.b32             %x, %i, 6;
            mad.lo.u32          %r0, %rank, 64, %y;
            cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint
                [%at], [%a, {%x, %r0}], [%full], %all, %policy;
            add.u32             %x, %x, 192;
            cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%a, {%x, %r0}];
            bra                 NEXT;
        READ:
            mbarrier.try_wait.parity.shared::cta.b64 %done, [%full], %phase;
            @!%done bra         READ;
            mad.lo.u32          %at, %stage, #(2 * Half::STRIDE), %base;
            and.b32             %x, %lane, 7;
            shl.b32             %x, %x, 4;
            mad.lo.u32          %at, %lane, 128, %at;
            xor.b32             %at, %at, %x;
            ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r0, %r1, %r2, %r3}, [%at];
            setp.lt.u32         %p, %lane, 2;
            @%p mapa.shared::cluster.u32 %theirs, %empty, %lane;
            @%p mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%theirs];
        NEXT:
            add.u32             %i, %i, 1;
            add.u32             %stage, %stage, 1;
            setp.eq.u32         %p, %stage, 3;
            @%p mov.u32         %stage, 0;
            @%p xor.b32         %phase, %phase, 1;
            bra.uni             STEP;
        END:
            ld.param.u64        %out, [out];
            mad.wide.u32        %out, %t, 4, %out;
            @%q st.global.u32   [%out], %r0;
            barrier.cluster.arrive;
            barrier.cluster.wait;
            ret;
        }
    }

    #[shared(align = 128)]
    static DRAFT: [u8; 128];

    #[global]
    pub static CHANGED: TensorMap<Half>;

    /// A map for another problem of a group: copied, modified in shared memory, published, used.
    #[kernel(reqntid = 32)]
    pub fn grouped(
        template: TensorMap<Half>,
        maps: u64,
        matrix: u64,
        columns: u32,
        rows: u32,
        pitch: u64,
    ) {
        ptx! {
            .reg .pred %p, %done;
            .reg .b32 %t, %x, %n;
            .reg .b64 %from, %map, %matrix, %pitch;
            mov.u32             %t, %tid.x;
            shl.b32             %x, %t, 2;
            mov.b64             %from, template;
            cvta.param.u64      %from, %from;
            cvt.u64.u32         %map, %x;
            add.u64             %from, %from, %map;
            ld.u32              %n, [%from];
            mov.u32             %t, DRAFT;
            add.u32             %t, %t, %x;
            st.shared.u32       [%t], %n;
            bar.warp.sync       -1;
            setp.ne.u32         %p, %x, 0;
            @%p bra             PUBLISH;
            ld.param.u64        %matrix, [matrix];
            ld.param.u32        %n, [columns];
            ld.param.u64        %pitch, [pitch];
            tensormap.replace.tile.global_address.shared::cta.b1024.b64 [DRAFT], %matrix;
            tensormap.replace.tile.rank.shared::cta.b1024.b32 [DRAFT], 1;
            tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [DRAFT], 0, %n;
            ld.param.u32        %n, [rows];
            tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%t], 1, %n;
            tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%t], 0, %pitch;
        PUBLISH:
            bar.warp.sync       -1;
            ld.param.u64        %map, [maps];
            mov.u32             %n, %ctaid.x;
            mad.wide.u32        %map, %n, 128, %map;
            tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned
                [%map], [DRAFT], 128;
            fence.proxy.tensormap::generic.acquire.gpu [%map], 128;
            @%p bra             END;
            prefetch.tensormap  [%map];
            mbarrier.init.shared::cta.b64 [LOADED], 1;
            fence.proxy.async.shared::cta;
            mbarrier.arrive.expect_tx.shared::cta.b64 _, [LOADED], #(Half::TRANSACTION_BYTES);
            cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
                [RING], [%map, {0, 0}], [LOADED];
        WAIT:
            mbarrier.try_wait.parity.shared::cta.b64 %done, [LOADED], 0;
            @!%done bra         WAIT;
            // One in global memory, modified in place.
            mov.u64             %map, CHANGED;
            tensormap.replace.tile.global_address.global.b1024.b64 [%map], %matrix;
            fence.proxy.tensormap::generic.release.gpu;
            fence.proxy.tensormap::generic.acquire.gpu [%map], 128;
            cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [CHANGED, {0, 0}], [RING];
            cp.async.bulk.commit_group;
            cp.async.bulk.wait_group 0;
        END:
            ret;
        }
    }
}

/// Half of a tile.
#[tensor_map(element = bf16, box = [64, 64], swizzle = B128)]
pub struct Half;

/// Three tiles, two halves each, and their barriers.
#[derive(PtxType)]
#[repr(C)]
pub struct Ring {
    tiles: [[Tile<Half>; 2]; 3],
    full: [Mbarrier; 64],
    empty: [Mbarrier; 64],
}

/// Gathered rows of a matrix.
#[tensor_map(element = bf16, mode = tile::gather4, row = 64, swizzle = B128, target = sm_100a)]
pub struct Rows;

/// Scattered rows.
#[tensor_map(element = bf16, mode = tile::scatter4, row = 64, swizzle = B128, target = sm_100a)]
pub struct Scattered;

/// A row of pixels and those around it.
#[tensor_map(
    element = f16, mode = im2col::w, rank = 4, lower = -1, upper = 0, channels_per_pixel = 64,
    pixels_per_column = 128, swizzle = B128, target = sm_100a
)]
pub struct Wide;

#[ptx::module(target = sm_100a, version = 8.6)]
pub mod modes {
    use super::*;

    #[shared]
    static PICKED: [Tile<Rows>; 2];

    #[shared]
    static LOADED: Mbarrier;

    /// Eight rows gathered by number and scattered to others; windows of a row.
    #[kernel(maxntid = 32)]
    pub fn pick(
        rows: TensorMap<Rows>,
        to: TensorMap<Scattered>,
        wide: TensorMap<Wide>,
        numbers: Ptr<Global, V4<i32>>,
    ) {
        ptx! {
            .reg .pred %p, %done;
            .reg .b16 %halo, %offset;
            .reg .b32 %r<4>, %x, %tile;
            .reg .b64 %rows, %to, %wide, %numbers;
            mov.u32         %x, %tid.x;
            setp.ne.u32     %p, %x, 0;
            @%p bra         END;
            mov.b64         %rows, rows;
            cvta.param.u64  %rows, %rows;
            mov.b64         %to, to;
            cvta.param.u64  %to, %to;
            mov.b64         %wide, wide;
            cvta.param.u64  %wide, %wide;
            ld.param.u64    %numbers, [numbers];
            mbarrier.init.shared::cta.b64 [LOADED], 1;
            fence.proxy.async.shared::cta;
            mbarrier.arrive.expect_tx.shared::cta.b64 _, [LOADED], #(2 * Rows::TRANSACTION_BYTES);
            mov.u32         %tile, PICKED;
            ld.global.v4.s32 {%r0, %r1, %r2, %r3}, [%numbers];
            cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4.mbarrier::complete_tx::bytes
                [%tile], [%rows, {%x, %r0, %r1, %r2, %r3}], [LOADED];
            cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4.mbarrier::complete_tx::bytes
                [PICKED + #(Rows::STRIDE)], [%rows, {%x, %r3, %r2, %r1, %r0}], [LOADED];
        WAIT:
            mbarrier.try_wait.parity.shared::cta.b64 %done, [LOADED], 0;
            @!%done bra     WAIT;
            ld.global.v4.s32 {%r0, %r1, %r2, %r3}, [%numbers + 16];
            cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group
                [%to, {%x, %r0, %r1, %r2, %r3}], [PICKED];
            cp.async.bulk.commit_group;
            mov.u16         %halo, 1;
            mov.u16         %offset, 0;
            cp.async.bulk.prefetch.tensor.4d.L2.global.im2col::w
                [%wide, {%x, %x, %x, %x}], {%halo, %offset};
            cp.async.bulk.wait_group 0;
        END:
            ret;
        }
    }
}
