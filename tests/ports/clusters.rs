//! Distributed shared memory of a cluster.

use ptx::prelude::*;

#[ptx::module(target = sm_90a, version = 8.6)]
pub mod clusters {
    use super::*;

    #[shared(align = 128)]
    static SLOTS: [f32; 256];

    #[shared(align = 16)]
    static INBOX: [u32; 64];

    #[shared]
    static ARRIVED: Mbarrier;

    #[shared(dynamic, align = 128)]
    static LARGE: [V4<f32>];

    /// A sum over a cluster: each block reads the others' results.
    #[kernel(reqntid = 256, reqnctapercluster = 8)]
    pub fn sum(data: Ptr<Global, f32>) {
        ptx! {
            .reg .pred %p;
            .reg .b32 %t, %mine, %theirs, %rank, %n, %check;
            .reg .b64 %data;
            .reg .f32 %f, %sum;
            mov.u32             %t, %tid.x;
            ld.param.u64        %data, [data];
            mad.wide.u32        %data, %t, 4, %data;
            ld.global.f32       %f, [%data];
            mov.u32             %mine, SLOTS;
            mad.lo.u32          %mine, %t, 4, %mine;
            st.shared.f32       [%mine], %f;
            barrier.cluster.arrive.release;
            mov.u32             %n, %cluster_nctarank;
            mov.u32             %rank, 0;
            mov.f32             %sum, 0f00000000;
            barrier.cluster.wait.acquire;
        NEXT:
            mapa.shared::cluster.u32 %theirs, %mine, %rank;
            getctarank.shared::cluster.u32 %check, %theirs;
            ld.shared::cluster.f32 %f, [%theirs];
            add.f32             %sum, %sum, %f;
            add.u32             %rank, %check, 1;
            setp.lt.u32         %p, %rank, %n;
            @%p bra             NEXT;
            st.global.f32       [%data], %sum;
            barrier.cluster.arrive;
            barrier.cluster.wait;
            ret;
        }
    }

    /// A histogram over the shared memory of two blocks.
    #[kernel(reqntid = 64, reqnctapercluster = 2)]
    pub fn histogram(src: Ptr<Global, u32>) {
        ptx! {
            .reg .b32 %t, %at, %x, %who, %old, %z;
            .reg .b64 %src, %g;
            mov.u32             %t, %tid.x;
            mov.u32             %at, INBOX;
            mad.lo.u32          %at, %t, 4, %at;
            mov.u32             %z, 0;
            st.shared::cta.u32  [%at], %z;
            barrier.cluster.arrive.release;
            barrier.cluster.wait.acquire;
            ld.param.u64        %src, [src];
            mad.wide.u32        %src, %t, 4, %src;
            ld.global.u32       %x, [%src];
            and.b32             %who, %x, 1;
            bfe.u32             %x, %x, 1, 6;
            mapa.shared::cluster.u32 %at, INBOX, %who;
            mad.lo.u32          %at, %x, 4, %at;
            atom.shared::cluster.add.u32 %old, [%at], 1;
            red.relaxed.cluster.shared::cluster.max.u32 [%at], %old;
            mov.u64             %g, INBOX;
            cvta.shared.u64     %g, %g;
            mapa.u64            %g, %g, %who;
            atom.relaxed.cluster.or.b32 %old, [%g + 252], 1;
            ld.acquire.cluster.u32 %old, [%g];
            barrier.cluster.arrive;
            barrier.cluster.wait;
            ret;
        }
    }

    /// Stores and reductions that complete on the receiver's barrier: 32 threads, 16 + 4 + 8 bytes each.
    #[kernel(reqntid = 32, reqnctapercluster = 2)]
    pub fn send() {
        ptx! {
            .reg .pred %p, %done;
            .reg .b32 %t, %rank, %other, %inbox, %slots, %barrier, %r<4>, %at;
            .reg .b64 %d;
            mov.u32             %t, %tid.x;
            mov.u32             %rank, %cluster_ctarank;
            xor.b32             %other, %rank, 1;
            setp.eq.u32         %p, %t, 0;
            @!%p bra            READY;
            mbarrier.init.shared::cta.b64 [ARRIVED], 1;
            mbarrier.arrive.expect_tx.shared::cta.b64 _, [ARRIVED], #(32 * (16 + 4 + 8));
            fence.mbarrier_init.release.cluster;
        READY:
            barrier.cluster.arrive;
            barrier.cluster.wait;
            mapa.shared::cluster.u32 %inbox, INBOX, %other;
            mapa.shared::cluster.u32 %slots, SLOTS, %other;
            mapa.shared::cluster.u32 %barrier, ARRIVED, %other;
            mov.u32             %r0, %t;
            mov.u32             %r1, %t;
            mov.u32             %r2, %t;
            mov.u32             %r3, %t;
            mad.lo.u32          %at, %t, 16, %slots;
            st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b32
                [%at], {%r0, %r1, %r2, %r3}, [%barrier];
            mad.lo.u32          %at, %t, 4, %inbox;
            red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32
                [%at], %r0, [%barrier];
            cvt.u64.u32         %d, %t;
            mad.lo.u32          %at, %t, 8, %slots;
            st.async.shared::cluster.mbarrier::complete_tx::bytes.b64 [%at + 512], %d, [%barrier];
        WAIT:
            mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %done, [ARRIVED], 0;
            @!%done bra         WAIT;
            barrier.cluster.arrive;
            barrier.cluster.wait;
            ret;
        }
    }

    /// A bulk copy of a tile of 1 KiB to the next block.
    #[kernel(reqntid = 64, reqnctapercluster = 4)]
    pub fn pass_on(src: Ptr<Global, V4<f32>>) {
        ptx! {
            .reg .pred %p, %done;
            .reg .b32 %t, %rank, %next, %n, %from, %to, %barrier, %bytes;
            .reg .b64 %src;
            .reg .f32 %f<4>;
            mov.u32             %t, %tid.x;
            mov.u32             %from, LARGE;
            mad.lo.u32          %to, %t, 16, %from;
            ld.param.u64        %src, [src];
            mad.wide.u32        %src, %t, 16, %src;
            ld.global.v4.f32    {%f0, %f1, %f2, %f3}, [%src];
            st.shared.v4.f32    [%to], {%f0, %f1, %f2, %f3};
            setp.eq.u32         %p, %t, 0;
            @%p mbarrier.init.shared::cta.b64 [ARRIVED], 1;
            @%p fence.mbarrier_init.release.cluster;
            fence.proxy.async.shared::cta;
            barrier.cluster.arrive;
            barrier.cluster.wait;
            @!%p bra            WAIT;
            mbarrier.arrive.expect_tx.shared::cta.b64 _, [ARRIVED], 1024;
            mov.u32             %rank, %cluster_ctarank;
            mov.u32             %n, %cluster_nctarank;
            add.u32             %next, %rank, 1;
            rem.u32             %next, %next, %n;
            add.u32             %to, %from, 1024;
            mapa.shared::cluster.u32 %to, %to, %next;
            mapa.shared::cluster.u32 %barrier, ARRIVED, %next;
            mov.u32             %bytes, 1024;
            cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes
                [%to], [%from], %bytes, [%barrier];
        WAIT:
            mbarrier.try_wait.parity.shared::cta.b64 %done, [ARRIVED], 0;
            @!%done bra         WAIT;
            mad.lo.u32          %to, %t, 16, %from;
            ld.shared.v4.f32    {%f0, %f1, %f2, %f3}, [%to + 1024];
            st.global.v4.f32    [%src], {%f3, %f2, %f1, %f0};
            barrier.cluster.arrive;
            barrier.cluster.wait;
            ret;
        }
    }

    /// Bulk reductions of one block's counts into another's, and of its own into global memory.
    #[kernel(reqntid = 32, reqnctapercluster = 2)]
    pub fn reduce(counts: Ptr<Global, V4<u32>>) {
        ptx! {
            .reg .pred %p, %done;
            .reg .b32 %t, %rank, %to, %barrier, %at, %z;
            .reg .b64 %counts;
            mov.u32             %t, %tid.x;
            mov.u32             %rank, %cluster_ctarank;
            mov.u32             %at, INBOX;
            mad.lo.u32          %at, %t, 8, %at;
            mov.u32             %z, 1;
            st.shared.v2.u32    [%at], {%z, %t};
            setp.eq.u32         %p, %t, 0;
            @%p mbarrier.init.shared::cta.b64 [ARRIVED], 1;
            @%p fence.mbarrier_init.release.cluster;
            fence.proxy.async;
            barrier.cluster.arrive;
            barrier.cluster.wait;
            setp.ne.or.u32      %p, %rank, 1, !%p;
            @%p bra             OWN;
            mapa.shared::cluster.u32 %to, SLOTS_OF_COUNTS, 0;
            mapa.shared::cluster.u32 %barrier, ARRIVED, 0;
            cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32
                [%to], [INBOX], 256, [%barrier];
        OWN:
            or.b32              %z, %rank, %t;
            setp.ne.u32         %p, %z, 0;
            @%p bra             END;
            mbarrier.arrive.expect_tx.shared::cta.b64 _, [ARRIVED], 256;
        WAIT:
            mbarrier.try_wait.parity.shared::cta.b64 %done, [ARRIVED], 0;
            @!%done bra         WAIT;
            ld.param.u64        %counts, [counts];
            cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%counts], [INBOX], 256;
            cp.async.bulk.commit_group;
            cp.async.bulk.wait_group 0;
        END:
            barrier.cluster.arrive;
            barrier.cluster.wait;
            ret;
        }
    }

    /// The first block sets the expected bytes on the barriers of all blocks, and multicasts the data.
    #[kernel(reqntid = 32, reqnctapercluster = 2)]
    pub fn announce(src: Ptr<Global, V4<f32>>, out: Ptr<Global, f32>) {
        ptx! {
            .reg .pred %p, %first, %done;
            .reg .b16 %both;
            .reg .b32 %t, %rank, %theirs, %at;
            .reg .b64 %src, %out;
            .reg .f32 %f;
            mov.u32             %t, %tid.x;
            mov.u32             %rank, %cluster_ctarank;
            setp.eq.u32         %p, %t, 0;
            @%p mbarrier.init.shared::cta.b64 [ARRIVED], 1;
            @%p fence.mbarrier_init.release.cluster;
            barrier.cluster.arrive;
            barrier.cluster.wait;
            setp.eq.u32         %first, %rank, 0;
            setp.lt.and.u32     %p, %t, 2, %first;
            and.b32             %at, %t, 1;
            mapa.shared::cluster.u32 %theirs, ARRIVED, %at;
            @%p mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [%theirs], 512;
            setp.eq.and.u32     %p, %t, 0, %first;
            ld.param.u64        %src, [src];
            mov.b16             %both, 3;
            @%p cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster
                [LARGE + 256], [%src], 512, [ARRIVED], %both;
        WAIT:
            mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %done, [ARRIVED], 0;
            @!%done bra         WAIT;
            mov.u32             %at, LARGE;
            mad.lo.u32          %at, %t, 16, %at;
            ld.shared.f32       %f, [%at + 256];
            ld.param.u64        %out, [out];
            mad.wide.u32        %out, %t, 4, %out;
            st.global.f32       [%out], %f;
            barrier.cluster.arrive;
            barrier.cluster.wait;
            ret;
        }
    }

    #[shared(align = 16)]
    static SLOTS_OF_COUNTS: [u32; 64];

    /// The window of an address, and the rank of its block: `cluster_group::query_shared_rank`.
    #[device]
    pub fn rank_of(address: Reg<u64>) -> Reg<u32> {
        ptx! {
            .reg .pred %here, %near;
            .reg .b64 %s;
            mov.u32             returned, -1;
            isspacep.shared::cluster %near, address;
            @!%near bra         END;
            isspacep.shared::cta %here, address;
            @%here mov.u32      returned, %cluster_ctarank;
            @!%here getctarank.u64 returned, address;
        END:
            ret;
        }
    }
}
