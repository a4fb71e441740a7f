//! Tensor cores: `wgmma` of tiles, and `tcgen05` with tensor memory.

use ptx::prelude::*;

/// 64 x 64 of bf16.
#[tensor_map(element = bf16, box = [64, 64], swizzle = B128)]
pub struct Square;

const K: u64 = ptx::lib::matrix::bits(Square::matrix_descriptor(Major::K));

/// The bits that `tcgen05` needs in a descriptor, and `wgmma` does not.
const VERSION: u64 = 1 << 46;

/// Tiles of both operands, and a barrier.
#[derive(PtxType)]
#[repr(C)]
pub struct Operands {
    a: [Tile<Square>; 2],
    b: Tile<Square>,
    full: [Mbarrier; 128],
}

#[ptx::module(target = sm_90a, version = 8.6)]
pub mod hopper {
    use super::*;

    #[shared(dynamic)]
    static SMEM: Operands;

    /// One product of 64 x 64 x 64: descriptors from addresses, as CUTLASS makes them.
    #[kernel(reqntid = 128)]
    pub fn multiply(a: TensorMap<Square>, b: TensorMap<Square>, d: Ptr<Global, f32, U16>) {
        ptx! {
            .reg .pred %p, %done;
            .reg .b32 %t, %smem, %x, %i;
            .reg .b64 %a, %b, %da, %db, %d;
            .reg .f32 %f<32>;
            mov.u32             %t, %tid.x;
            mov.u32             %smem, SMEM;
            setp.ne.u32         %p, %t, 0;
            @%p bra             WAIT;
            mov.b64             %a, a;
            cvta.param.u64      %a, %a;
            mov.b64             %b, b;
            cvta.param.u64      %b, %b;
            mbarrier.init.shared::cta.b64 [SMEM + #(offset_of!(Operands, full))], 1;
            fence.proxy.async.shared::cta;
            mbarrier.arrive.expect_tx.shared::cta.b64 _, [SMEM + #(offset_of!(Operands, full))],
                #(3 * Square::TRANSACTION_BYTES);
            mov.u32             %x, %ctaid.x;
            shl.b32             %x, %x, 6;
            cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
                [SMEM], [%a, {0, %x}], [SMEM + #(offset_of!(Operands, full))];
            cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
                [%smem + #(Square::STRIDE)], [%a, {64, %x}], [SMEM + #(offset_of!(Operands, full))];
            cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
                [%smem + #(offset_of!(Operands, b))], [%b, {0, 0}], [%smem + #(offset_of!(Operands, full))];
        WAIT:
            bar.sync            0;
        POLL:
            mbarrier.try_wait.parity.shared::cta.b64 %done, [SMEM + #(offset_of!(Operands, full))], 0;
            @!%done bra         POLL;
            bfe.u32             %x, %smem, 4, 14;
            cvt.u64.u32         %da, %x;
            or.b64              %da, %da, #(K);
            add.u32             %x, %smem, #(offset_of!(Operands, b));
            and.b32             %x, %x, 0x3FFFF;
            shr.b32             %x, %x, 4;
            cvt.u64.u32         %db, %x;
            or.b64              %db, %db, #(K);
            wgmma.fence.sync.aligned;
            wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16
                {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8, %f9, %f10, %f11, %f12, %f13, %f14, %f15,
                 %f16, %f17, %f18, %f19, %f20, %f21, %f22, %f23, %f24, %f25, %f26, %f27, %f28, %f29, %f30, %f31},
                %da, %db, 0, 1, 1, 0, 0;
            add.s64             %da, %da, 2;
            add.s64             %db, %db, 2;
            wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16
                {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8, %f9, %f10, %f11, %f12, %f13, %f14, %f15,
                 %f16, %f17, %f18, %f19, %f20, %f21, %f22, %f23, %f24, %f25, %f26, %f27, %f28, %f29, %f30, %f31},
                %da, %db, 1, 1, 1, 0, 0;
            wgmma.commit_group.sync.aligned;
            wgmma.wait_group.sync.aligned 0;
            ld.param.u64        %d, [d];
            mad.wide.u32        %d, %t, 128, %d;
            st.global.v4.f32    [%d], {%f0, %f1, %f2, %f3};
            st.global.v4.f32    [%d + 16], {%f4, %f5, %f6, %f7};
            st.global.v2.f32    [%d + 120], {%f30, %f31};
            ret;
        }
    }

    /// Scores stay in registers, as in attention kernels: the left operand comes from registers.
    #[kernel(maxntid = 384, minnctapersm = 1)]
    pub fn attend(d: Ptr<Global, f32>) {
        ptx! {
            .reg .pred %p;
            .reg .b32 %t, %group, %r<4>, %x;
            .reg .b64 %db, %d;
            .reg .f32 %f<4>, %m;
            mov.u32             %t, %tid.x;
            shr.u32             %group, %t, 7;
            shfl.sync.idx.b32   %group, %group, 0, 31, -1;
            setp.eq.u32         %p, %group, 0;
            @%p bra             LOADS;
            setmaxnreg.inc.sync.aligned.u32 240;
            mov.u32             %x, SMEM;
            add.u32             %x, %x, #(offset_of!(Operands, b));
            shr.u32             %x, %x, 4;
            and.b32             %x, %x, 0x3FFF;
            cvt.u64.u32         %db, %x;
            or.b64              %db, %db, #(K);
            mov.f32             %m, 0fFF800000;
            mov.f32             %f0, 0f00000000;
            mov.f32             %f1, %f0;
            mov.f32             %f2, %f0;
            mov.f32             %f3, %f0;
            cvt.rn.bf16x2.f32   %r0, %f1, %f0;
            mov.b32             %r1, %r0;
            mov.b32             %r2, %r0;
            mov.b32             %r3, %r0;
            wgmma.fence.sync.aligned;
            wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16
                {%f0, %f1, %f2, %f3}, {%r0, %r1, %r2, %r3}, %db, 1, 1, 1, 0;
            wgmma.commit_group.sync.aligned;
            wgmma.wait_group.sync.aligned 0;
            max.f32             %m, %f0, %m;
            sub.f32             %f0, %f0, %m;
            ex2.approx.ftz.f32  %f0, %f0;
            ld.param.u64        %d, [d];
            mad.wide.u32        %d, %t, 4, %d;
            st.global.f32       [%d], %f0;
            bra                 END;
        LOADS:
            setmaxnreg.dec.sync.aligned.u32 24;
        END:
            ret;
        }
    }
}

#[ptx::module(target = sm_100a, version = 8.8)]
pub mod blackwell {
    use super::*;

    #[shared(dynamic)]
    static SMEM: Operands;

    #[shared]
    static COLUMNS: u32;

    #[shared]
    static MADE: [Mbarrier; 2];

    /// Tensor memory from allocation to deallocation: product, barrier, loads, stores.
    #[kernel(reqntid = 128)]
    pub fn multiply(instruction: u32, d: Ptr<Global, V4<f32>>) {
        ptx! {
            .reg .pred %p, %leads, %adds;
            .reg .b32 %t, %warp, %at, %x, %tensor, %mine, %desc, %r<8>, %who;
            .reg .b64 %a, %b, %d;
            mov.u32         %t, %tid.x;
            shr.u32         %warp, %t, 5;
            setp.ne.u32     %p, %warp, 0;
            mov.u32         %at, COLUMNS;
            @%p bra         ALLOCATED;
            tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%at], 64;
            tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
            elect.sync      _|%leads, -1;
            @%leads mbarrier.init.shared::cta.b64 [MADE], 1;
            @%leads mbarrier.init.shared::cta.b64 [MADE + 8], 1;
            @%leads fence.mbarrier_init.release.cluster;
        ALLOCATED:
            tcgen05.fence::before_thread_sync;
            bar.sync        0;
            tcgen05.fence::after_thread_sync;
            ld.shared.u32   %tensor, [COLUMNS];
            ld.param.u32    %desc, [instruction];
            mov.u32         %x, SMEM;
            bfe.u32         %x, %x, 4, 14;
            cvt.u64.u32     %a, %x;
            or.b64          %a, %a, #(K | VERSION);
            add.u64         %b, %a, #(offset_of!(Operands, b) / 16);
            @%p bra         WAIT;
            elect.sync      %who|%leads, -1;
            @!%leads bra    WAIT;
            setp.ne.u32     %adds, %warp, 0;
            tcgen05.mma.cta_group::1.kind::f16 [%tensor], %a, %b, %desc, %adds;
            add.u64         %a, %a, 2;
            add.u64         %b, %b, 2;
            setp.eq.u32     %adds, %warp, 0;
            tcgen05.mma.cta_group::1.kind::f16 [%tensor], %a, %b, %desc, %adds;
            tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [MADE];
            cvt.u64.u32     %a, %at;
        WAIT:
            mbarrier.try_wait.parity.shared::cta.b64 %adds, [MADE], 0;
            @!%adds bra     WAIT;
            tcgen05.fence::after_thread_sync;
            shl.b32         %mine, %warp, 21;
            add.u32         %mine, %mine, %tensor;
            tcgen05.ld.sync.aligned.32x32b.x4.b32 {%r0, %r1, %r2, %r3}, [%mine];
            tcgen05.ld.sync.aligned.32x32b.x4.b32 {%r4, %r5, %r6, %r7}, [%mine + 4];
            tcgen05.wait::ld.sync.aligned;
            ld.param.u64    %d, [d];
            mad.wide.u32    %d, %t, 32, %d;
            st.global.v4.b32 [%d], {%r0, %r1, %r2, %r3};
            st.global.v4.b32 [%d + 16], {%r4, %r5, %r6, %r7};
            tcgen05.st.sync.aligned.32x32b.x2.b32 [%mine + 8], {%r0, %r7};
            tcgen05.wait::st.sync.aligned;
            tcgen05.fence::before_thread_sync;
            bar.sync        0;
            @%p bra         END;
            tcgen05.fence::after_thread_sync;
            tcgen05.dealloc.cta_group::1.sync.aligned.b32 %tensor, 64;
        END:
            ret;
        }
    }

    /// Two blocks together: scales copied to tensor memory, a block-scaled product, both notified.
    #[kernel(reqntid = 32, reqnctapercluster = 2)]
    pub fn scaled(instruction: u32) {
        ptx! {
            .reg .pred %p, %yes, %done;
            .reg .b16 %both;
            .reg .b32 %x, %tensor, %sa, %sb, %desc, %rank;
            .reg .b64 %a, %b, %s, %g;
            tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [COLUMNS], 128;
            tcgen05.relinquish_alloc_permit.cta_group::2.sync.aligned;
            elect.sync      _|%p, -1;
            mov.u64         %g, MADE;
            cvta.shared.u64 %g, %g;
            @%p mbarrier.init.b64 [%g + 8], 1;
            @%p fence.mbarrier_init.release.cluster;
            bar.warp.sync   -1;
            ld.shared.u32   %tensor, [COLUMNS];
            barrier.cluster.arrive;
            barrier.cluster.wait;
            mov.u32         %rank, %cluster_ctarank;
            setp.ne.or.u32  %yes, %rank, 0, !%p;
            @%yes bra       WAIT;
            mov.u32         %x, SMEM;
            shr.u32         %x, %x, 4;
            cvt.u64.u32     %a, %x;
            and.b64         %a, %a, 0x3FFF;
            or.b64          %a, %a, #(K | VERSION);
            add.u64         %b, %a, #(offset_of!(Operands, b) >> 4);
            add.u64         %s, %a, #(Square::STRIDE / 16);
            add.u32         %sa, %tensor, 64;
            add.u32         %sb, %tensor, 96;
            tcgen05.cp.cta_group::2.32x128b.warpx4 [%sa], %s;
            tcgen05.cp.cta_group::2.32x128b.warpx4 [%tensor + 96], %s;
            ld.param.u32    %desc, [instruction];
            tcgen05.mma.cta_group::2.kind::mxf8f6f4.block_scale.scale_vec::1X
                [%tensor], %a, %b, %desc, [%sa], [%sb], 0;
            tcgen05.shift.cta_group::2.down [%tensor];
            mov.b16         %both, 3;
            tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64
                [MADE + 8], %both;
        WAIT:
            mbarrier.try_wait.parity.b64 %done, [%g + 8], 0;
            @!%done bra     WAIT;
            tcgen05.fence::after_thread_sync;
            barrier.cluster.arrive;
            barrier.cluster.wait;
            tcgen05.dealloc.cta_group::2.sync.aligned.b32 %tensor, 128;
            ret;
        }
    }

    /// A product of one warp's rows, and one with a sparse left operand.
    #[kernel(reqntid = 32)]
    pub fn others(a: u64, b: u64, instruction: u32) {
        ptx! {
            .reg .pred %p, %done;
            .reg .b32 %tensor, %desc, %meta;
            .reg .b64 %a, %b;
            tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [COLUMNS], 64;
            elect.sync      _|%p, -1;
            @%p mbarrier.init.shared::cta.b64 [MADE], 1;
            bar.warp.sync   -1;
            ld.shared.u32   %tensor, [COLUMNS];
            add.u32         %meta, %tensor, 48;
            ld.param.u64    %a, [a];
            ld.param.u64    %b, [b];
            ld.param.u32    %desc, [instruction];
            setp.ne.u32     %done, %desc, 0;
            @%p tcgen05.mma.ws.cta_group::1.kind::f16 [%tensor], %a, %b, %desc, %done;
            @%p tcgen05.mma.sp.cta_group::1.kind::f16 [%tensor], %a, %b, [%meta], %desc, %done;
            @%p tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [MADE];
        WAIT:
            mbarrier.try_wait.parity.shared::cta.b64 %done, [MADE], 0;
            @!%done bra     WAIT;
            tcgen05.fence::after_thread_sync;
            tcgen05.dealloc.cta_group::1.sync.aligned.b32 %tensor, 64;
            tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
            ret;
        }
    }
}

#[ptx::module(target = sm_103a, version = 8.8)]
pub mod ultra {
    use super::*;

    #[shared]
    static SLOT: [u32; 4];

    #[shared]
    static DONE: Mbarrier;

    /// A tensor-core product with both operands in tensor memory, from 4-bit floats.
    #[kernel(reqntid = 128)]
    pub fn tiny(b: u64, instruction: u32, out: Ptr<Global, V2<f32>>) {
        ptx! {
            .reg .pred %p, %leads, %done;
            .reg .b32 %t, %at, %tensor, %a, %desc, %r<2>;
            .reg .b64 %b, %out, %far;
            .reg .f32 %f<2>;
            mov.u32         %t, %tid.x;
            mov.u32         %at, SLOT;
            setp.ge.u32     %p, %t, 32;
            @%p bra         READY;
            tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%at + 8], 32;
            elect.sync      _|%leads, -1;
            @%leads mbarrier.init.shared::cta.b64 [DONE], 1;
        READY:
            tcgen05.fence::before_thread_sync;
            bar.sync        0;
            tcgen05.fence::after_thread_sync;
            ld.shared.u32   %tensor, [SLOT + 8];
            mov.b32         %r0, 0x22222222;
            mov.b32         %r1, %r0;
            add.u32         %a, %tensor, 16;
            {
                .reg .b32 %w;
                shr.u32     %w, %t, 5;
                mad.lo.u32  %w, %w, 0x200000, %a;
                tcgen05.st.sync.aligned.32x32b.x2.b32 [%w], {%r0, %r1};
            }
            tcgen05.wait::st.sync.aligned;
            bar.sync        0;
            ld.param.u64    %b, [b];
            ld.param.u32    %desc, [instruction];
            setp.ne.u32     %p, %t, 0;
            @%p bra         WAIT;
            tcgen05.mma.cta_group::1.kind::f8f6f4 [%tensor], [%a], %b, %desc, 0;
            mov.u64         %far, DONE;
            cvta.shared.u64 %far, %far;
            tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [%far];
        WAIT:
            mbarrier.try_wait.parity.shared::cta.b64 %done, [DONE], 0;
            @!%done bra     WAIT;
            tcgen05.fence::after_thread_sync;
            {
                .reg .b32 %w;
                and.b32     %w, %t, 96;
                shl.b32     %w, %w, 16;
                add.u32     %w, %w, %tensor;
                tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r0, %r1}, [%w];
            }
            tcgen05.wait::ld.sync.aligned;
            mov.b32         %f0, %r0;
            mov.b32         %f1, %r1;
            ld.param.u64    %out, [out];
            mad.wide.u32    %out, %t, 8, %out;
            st.global.v2.f32 [%out], {%f0, %f1};
            bar.sync        0;
            setp.ge.u32     %p, %t, 32;
            @%p bra         END;
            tcgen05.dealloc.cta_group::1.sync.aligned.b32 %tensor, 32;
            tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
        END:
            ret;
        }
    }
}
