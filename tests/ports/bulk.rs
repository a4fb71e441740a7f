//! Bulk copies, bulk initialisation, and cancelled blocks.

use ptx::prelude::*;

#[ptx::module(target = sm_90a, version = 8.6)]
pub mod bulk {
    use super::*;

    #[shared(align = 128)]
    static TILE: [[f32; 64]; 16];

    #[shared]
    static LOADED: Mbarrier;

    /// Two stages and their barriers, in the launch's dynamic shared memory.
    #[shared(dynamic, align = 16)]
    static SMEM: [u8];

    #[global(align = 16)]
    pub static TABLE: [f32; 1024];

    #[global(align = 16)]
    pub static LEAST: [u64; 32];

    #[shared(align = 16)]
    static KEYS: [u64; 32];

    #[shared(align = 16)]
    static PAIRS: [F16x2; 128];

    /// Loads 4 KiB, doubles them, stores them: `cuda::memcpy_async` with transactions.
    #[kernel(reqntid = 256)]
    pub fn double(data: Ptr<Global, V4<f32>>) {
        ptx! {
            .reg .pred %p, %done;
            .reg .b32 %t, %at, %tile, %b;
            .reg .b64 %data, %state;
            .reg .f32 %f<4>;
            mov.u32             %t, %tid.x;
            mov.u32             %b, %ctaid.x;
            setp.eq.u32         %p, %t, 0;
            ld.param.u64        %data, [data];
            mad.wide.u32        %data, %b, 4096, %data;
            mov.u32             %tile, TILE;
            @%p mbarrier.init.shared::cta.b64 [LOADED], 1;
            @%p fence.proxy.async.shared::cta;
            bar.sync            0;
            @!%p bra            WAIT;
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes
                [%tile], [%data], 2048, [LOADED];
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes
                [TILE + 2048], [%data + 2048], 2048, [LOADED];
            mbarrier.arrive.expect_tx.shared::cta.b64 %state, [LOADED], #(size_of::<[[f32; 64]; 16]>());
        WAIT:
            mbarrier.try_wait.parity.shared::cta.b64 %done, [LOADED], 0;
            @!%done bra         WAIT;
            mad.lo.u32          %at, %t, 16, %tile;
            ld.shared.v4.f32    {%f0, %f1, %f2, %f3}, [%at];
            add.f32             %f0, %f0, %f0;
            add.f32             %f1, %f1, %f1;
            add.f32             %f2, %f2, %f2;
            add.f32             %f3, %f3, %f3;
            st.shared.v4.f32    [%at], {%f0, %f1, %f2, %f3};
            fence.proxy.async.shared::cta;
            bar.sync            0;
            @!%p bra            END;
            cp.async.bulk.global.shared::cta.bulk_group [%data], [%tile], 4096;
            cp.async.bulk.commit_group;
            cp.async.bulk.wait_group.read 0;
        END:
            ret;
        }
    }

    /// A bulk reduction of floats into global memory, with a policy, and one of halves elsewhere.
    #[kernel(reqntid = 128)]
    pub fn accumulate(out: Ptr<Global, V4<f32>>, halves: Ptr<Global, V4<F16x2>>, bytes: u32) {
        ptx! {
            .reg .pred %p;
            .reg .b32 %t, %at, %bytes, %h;
            .reg .b64 %out, %policy, %g;
            .reg .f32 %f;
            mov.u32             %t, %tid.x;
            cvt.rn.f32.u32      %f, %t;
            mov.u32             %at, TILE;
            mad.lo.u32          %at, %t, 4, %at;
            st.shared.f32       [%at], %f;
            cvt.rn.f16x2.f32    %h, %f, %f;
            mov.u32             %at, PAIRS;
            mad.lo.u32          %at, %t, 4, %at;
            st.shared.b32       [%at], %h;
            setp.ge.u32         %p, %t, 32;
            mov.u32             %at, KEYS;
            mad.lo.u32          %at, %t, 8, %at;
            mov.u64             %g, %globaltimer;
            @!%p st.shared.u64  [%at], %g;
            fence.proxy.async.shared::cta;
            bar.sync            0;
            setp.ne.u32         %p, %t, 0;
            @%p bra             END;
            createpolicy.fractional.L2::evict_first.b64 %policy, 1.0;
            ld.param.u64        %out, [out];
            cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.add.f32
                [%out], [TILE], 512, %policy;
            ld.param.u64        %g, [halves];
            ld.param.u32        %bytes, [bytes];
            and.b32             %bytes, %bytes, 0x1F0;
            cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f16
                [%g], [PAIRS], %bytes;
            cp.reduce.async.bulk.global.shared::cta.bulk_group.min.u64 [LEAST], [KEYS], 256;
            cp.async.bulk.commit_group;
            cp.async.bulk.wait_group 0;
        END:
            ret;
        }
    }

    /// One multicast load for all blocks of a cluster after prefetches; each block has its own barrier.
    #[kernel(reqntid = 32, reqnctapercluster = 2)]
    pub fn broadcast(
        data: Ptr<Global, V4<f32>>,
        next: Ptr<Global, V4<f32>>,
        out: Ptr<Global, f32>,
    ) {
        ptx! {
            .reg .pred %p, %done;
            .reg .b16 %everyone;
            .reg .b32 %t, %rank, %at;
            .reg .b64 %data, %next, %out, %policy;
            .reg .f32 %f;
            mov.u32             %t, %tid.x;
            mov.u32             %rank, %cluster_ctarank;
            setp.eq.u32         %p, %t, 0;
            @%p mbarrier.init.shared::cta.b64 [LOADED], 1;
            @%p fence.mbarrier_init.release.cluster;
            @%p mbarrier.arrive.expect_tx.shared::cta.b64 _, [LOADED], 4096;
            barrier.cluster.arrive;
            barrier.cluster.wait;
            ld.param.u64        %next, [next];
            @%p cp.async.bulk.prefetch.L2.global [%next], 4096;
            @%p cp.async.bulk.prefetch.L2.global [TABLE], 1024;
            setp.ne.or.u32      %p, %rank, 0, !%p;
            @%p bra             WAIT;
            ld.param.u64        %data, [data];
            mov.b16             %everyone, 3;
            createpolicy.fractional.L2::evict_last.b64 %policy, 1.0;
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint
                [TILE], [%data], 4096, [LOADED], %everyone, %policy;
        WAIT:
            mbarrier.try_wait.parity.shared::cta.b64 %done, [LOADED], 0;
            @!%done bra         WAIT;
            mov.u32             %at, TILE;
            mad.lo.u32          %at, %t, 4, %at;
            ld.shared.f32       %f, [%at + 3968];
            ld.param.u64        %out, [out];
            mad.wide.u32        %out, %t, 4, %out;
            st.global.f32       [%out], %f;
            barrier.cluster.arrive;
            barrier.cluster.wait;
            ret;
        }
    }

    /// A manual layout: barriers first, then tiles at the next multiple of 128 bytes; the launch gives the sizes.
    #[kernel(maxntid = 128)]
    pub fn carve(src: u64, chunk: u32, chunks: u32) {
        ptx! {
            .reg .pred %p, %done;
            .reg .b32 %t, %smem, %tiles, %tile, %barrier, %chunk, %chunks, %i, %stage, %phase, %x;
            .reg .b64 %src, %gsrc;
            mov.u32             %t, %tid.x;
            mov.u32             %smem, SMEM;
            add.u32             %tiles, %smem, 143;
            and.b32             %tiles, %tiles, -128;
            ld.param.u32        %chunk, [chunk]; // a multiple of 128
            ld.param.u32        %chunks, [chunks];
            ld.param.u64        %src, [src];
            cvta.to.global.u64  %gsrc, %src;
            setp.ne.u32         %p, %t, 0;
            @%p bra             READY;
            mbarrier.init.shared::cta.b64 [%smem], 1;
            mbarrier.init.shared::cta.b64 [%smem + 8], 1;
            fence.proxy.async.shared::cta;
        READY:
            bar.sync            0;
            mov.u32             %i, 0;
        STEP:
            setp.ge.u32         %p, %i, %chunks;
            @%p bra             END;
            and.b32             %stage, %i, 1;
            bfe.u32             %phase, %i, 1, 1;
            mad.lo.u32          %tile, %stage, %chunk, %tiles;
            shl.b32             %barrier, %stage, 3;
            add.u32             %barrier, %barrier, %smem;
            setp.ne.u32         %p, %t, 0;
            @%p bra             WAIT;
            mbarrier.arrive.expect_tx.shared::cta.b64 _, [%barrier], %chunk;
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes
                [%tile], [%gsrc], %chunk, [%barrier];
        WAIT:
            mbarrier.try_wait.parity.shared::cta.b64 %done, [%barrier], %phase;
            @!%done bra         WAIT;
            ld.shared.u32       %x, [%tile];
            bar.sync            0;
            cvt.u64.u32         %src, %chunk;
            add.u64             %gsrc, %gsrc, %src;
            add.u32             %i, %i, 1;
            bra                 STEP;
        END:
            ret;
        }
    }
}

#[ptx::module(target = sm_100a, version = 8.8)]
pub mod newer {
    use super::*;

    #[shared(align = 16)]
    static RESPONSE: [u32; 4];

    #[shared]
    static ANSWERED: Mbarrier;

    #[shared(align = 16)]
    static SCRATCH: [f32; 256];

    /// Blocks that take over the work of blocks that have not started.
    #[kernel(reqntid = 128)]
    pub fn steal(out: Ptr<Global, u32>) {
        ptx! {
            .reg .pred %p, %done, %is_canceled;
            .reg .b32 %t, %x, %y, %z, %w, %phase, %response;
            .reg .b64 %out, %at;
            .reg .b128 %answer;
            mov.u32         %t, %tid.x;
            mov.u32         %x, %ctaid.x;
            mov.u32         %phase, 0;
            mov.u32         %response, RESPONSE;
            ld.param.u64    %out, [out];
            setp.ne.u32     %p, %t, 0;
            @!%p mbarrier.init.shared::cta.b64 [ANSWERED], 1;
            @!%p fence.proxy.async.shared::cta;
        NEXT:
            bar.sync        0;
            @%p bra         WORK;
            fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster;
            clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128
                [%response], [ANSWERED];
            mbarrier.arrive.expect_tx.relaxed.cta.shared::cta.b64 _, [ANSWERED], 16;
        WORK:
            mad.lo.u32      %y, %x, 128, %t;
            mad.wide.u32    %at, %y, 4, %out;
            st.global.u32   [%at], %x;
        WAIT:
            mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %done, [ANSWERED], %phase;
            @!%done bra     WAIT;
            xor.b32         %phase, %phase, 1;
            ld.shared.b128  %answer, [RESPONSE];
            clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %is_canceled, %answer;
            @!%is_canceled bra END;
            clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%x, %y, %z, %w}, %answer;
            fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster;
            bra             NEXT;
        END:
            ret;
        }
    }

    /// Bulk zeroing, in this block and in another block of the cluster.
    #[kernel(reqntid = 32, reqnctapercluster = 2)]
    pub fn clear() {
        ptx! {
            .reg .pred %p;
            .reg .b32 %t, %at, %far;
            .reg .b64 %bytes;
            mov.u32         %t, %tid.x;
            setp.ne.u32     %p, %t, 0;
            @%p bra         END;
            mov.u32         %at, SCRATCH;
            mov.u64         %bytes, 512;
            st.bulk.weak.shared::cta [%at], %bytes, 0;
            cvt.u64.u32     %bytes, %at;
            cvta.shared.u64 %bytes, %bytes;
            st.bulk.weak    [%bytes + 512], 512, 0;
        END:
            barrier.cluster.arrive;
            barrier.cluster.wait;
            ret;
        }
    }

    /// A copy with a byte mask.
    #[kernel(reqntid = 128)]
    pub fn masked(out: Ptr<Global, V4<B32>>, mask: u32) {
        ptx! {
            .reg .pred %p;
            .reg .b16 %m;
            .reg .b32 %t, %at;
            .reg .b64 %out;
            .reg .f32 %f;
            mov.u32         %t, %tid.x;
            mov.u32         %at, SCRATCH;
            mad.lo.u32      %at, %t, 4, %at;
            cvt.rn.f32.u32  %f, %t;
            st.shared.f32   [%at], %f;
            fence.proxy.async.shared::cta;
            bar.sync        0;
            setp.ne.u32     %p, %t, 0;
            @%p bra         END;
            ld.param.b16    %m, [mask];
            ld.param.u64    %out, [out];
            cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%out], [SCRATCH], 512, %m;
            cp.async.bulk.commit_group;
            cp.async.bulk.wait_group 0;
        END:
            ret;
        }
    }
}
