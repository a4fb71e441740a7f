//! Blocks of a cluster that access each other's memory, and the elected thread of each.

use ptx::prelude::*;

#[ptx::module(target = sm_90a, version = 8.6)]
pub mod blocks {
    use super::*;

    #[shared(align = 16)]
    static OUTBOX: [f32; 128];

    #[shared(align = 16)]
    static INBOXES: [[f32; 128]; 4];

    #[shared]
    static ARRIVED: [Mbarrier; 4];

    /// Pairs: `rank ^ 1`, with an arrival on a barrier of the other block.
    #[kernel(reqntid = 128, reqnctapercluster = 2)]
    pub fn pairs() {
        ptx! {
            .reg .pred %p, %done;
            .reg .b32 %t, %rank, %other, %at, %far, %barrier;
            .reg .f32 %f;
            mov.u32             %t, %tid.x;
            mov.u32             %rank, %cluster_ctarank;
            xor.b32             %other, %rank, 1;
            setp.lt.u32         %p, %t, 4;
            mov.u32             %at, ARRIVED;
            mad.lo.u32          %at, %t, 8, %at;
            @%p mbarrier.init.shared::cta.b64 [%at], 128;
            @%p fence.mbarrier_init.release.cluster;
            barrier.cluster.arrive.aligned;
            barrier.cluster.wait.aligned;
            cvt.rn.f32.u32      %f, %t;
            mov.u32             %at, OUTBOX;
            mad.lo.u32          %at, %t, 4, %at;
            mapa.shared::cluster.u32 %far, %at, %other;
            st.shared::cluster.f32 [%far], %f;
            mapa.shared::cluster.u32 %barrier, ARRIVED, %other;
            mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%barrier + 24];
        WAIT:
            mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %done, [ARRIVED + 24], 0;
            @!%done bra         WAIT;
            ld.shared.f32       %f, [%at];
            barrier.cluster.arrive.aligned;
            barrier.cluster.wait.aligned;
            ret;
        }
    }

    /// A ring of four blocks: to the next one, `rank == 3 ? 0 : rank + 1`, and from all others.
    #[kernel(reqntid = 128, reqnctapercluster = 4)]
    pub fn ring() {
        ptx! {
            .reg .pred %p;
            .reg .b32 %t, %rank, %next, %slot, %far, %i, %n, %who, %at;
            .reg .f32 %f;
            mov.u32             %t, %tid.x;
            mov.u32             %rank, %cluster_ctarank;
            mov.u32             %n, %cluster_nctarank;
            add.u32             %next, %rank, 1;
            setp.eq.u32         %p, %next, 4;
            selp.b32            %next, 0, %next, %p;
            mov.u32             %slot, INBOXES;
            mad.lo.u32          %slot, %rank, 512, %slot;
            mad.lo.u32          %slot, %t, 4, %slot;
            cvt.rn.f32.u32      %f, %t;
            mapa.shared::cluster.u32 %far, %slot, %next;
            barrier.cluster.arrive.relaxed;
            barrier.cluster.wait;
            st.shared::cluster.f32 [%far], %f;
            // The opposite block, by a remainder that is a mask, and the mirrored one.
            add.u32             %next, %rank, 2;
            and.b32             %next, %next, 3;
            mapa.shared::cluster.u32 %far, %slot, %next;
            st.shared::cluster.f32 [%far], %f;
            sub.u32             %next, 3, %rank;
            mapa.shared::cluster.u32 %far, %slot, %next;
            st.shared::cluster.f32 [%far], %f;
            barrier.cluster.arrive.release;
            barrier.cluster.wait.acquire;
            mov.u32             %i, 1;
        OTHERS:
            add.u32             %who, %rank, %i;
            rem.u32             %who, %who, 4;
            mov.u32             %at, INBOXES;
            mad.lo.u32          %at, %who, 512, %at;
            mad.lo.u32          %at, %t, 4, %at;
            mapa.shared::cluster.u32 %far, %at, %who;
            ld.shared::cluster.f32 %f, [%far];
            add.u32             %i, %i, 1;
            setp.lt.u32         %p, %i, %n;
            @%p bra             OTHERS;
            // Neighbours in a row without wrapping.
            setp.eq.u32         %p, %rank, 3;
            @%p bra             END;
            add.u32             %who, %rank, 1;
            mapa.shared::cluster.u32 %far, OUTBOX, %who;
            mad.lo.u32          %far, %t, 4, %far;
            ld.shared::cluster.f32 %f, [%far];
        END:
            barrier.cluster.arrive;
            barrier.cluster.wait;
            ret;
        }
    }

    /// Clusters of two by two: the rank from both coordinates, row and column neighbours.
    #[kernel(reqntid = 32, reqnctapercluster = (2, 2))]
    pub fn square(out: Ptr<Global, f32>) {
        ptx! {
            .reg .b32 %t, %x, %y, %nx, %rank, %far, %at;
            .reg .b64 %g, %out;
            .reg .f32 %f, %h;
            mov.u32             %t, %laneid;
            mov.u32             %x, %cluster_ctaid.x;
            mov.u32             %y, %cluster_ctaid.y;
            mov.u32             %nx, %cluster_nctaid.x;
            mov.u32             %at, OUTBOX;
            mad.lo.u32          %at, %t, 16, %at;
            barrier.cluster.arrive;
            barrier.cluster.wait;
            mad.lo.u32          %rank, %y, %nx, %x;
            xor.b32             %rank, %rank, 1;
            mapa.shared::cluster.u32 %far, %at, %rank;
            ld.shared::cluster.f32 %f, [%far + 12];
            xor.b32             %y, %y, 1;
            mad.lo.u32          %rank, %y, %nx, %x;
            cvt.u64.u32         %g, %at;
            cvta.shared.u64     %g, %g;
            mapa.u64            %g, %g, %rank;
            ld.f32              %h, [%g + 4];
            add.f32             %f, %f, %h;
            barrier.cluster.arrive;
            barrier.cluster.wait;
            ld.param.u64        %out, [out];
            mad.wide.u32        %out, %t, 4, %out;
            st.global.f32       [%out], %f;
            ret;
        }
    }

    /// A multicast copy to all blocks of a cluster, which each expect it: a mask from the size, an elected thread.
    #[kernel(reqntid = 128, reqnctapercluster = 4)]
    pub fn shares(src: Ptr<Global, V4<f32>>) {
        ptx! {
            .reg .pred %p, %leader, %done;
            .reg .b16 %mask;
            .reg .b32 %t, %rank, %at, %m, %i, %n;
            .reg .b64 %src;
            .reg .f32 %f;
            mov.u32             %t, %tid.x;
            mov.u32             %rank, %cluster_ctarank;
            setp.gt.u32         %p, %t, 31;
            @%p bra             MADE;
            elect.sync          _|%leader, -1;
            @!%leader bra       MADE;
            mbarrier.init.shared::cta.b64 [ARRIVED], 1;
            fence.mbarrier_init.release.cluster;
            mbarrier.arrive.expect_tx.relaxed.cta.shared::cta.b64 _, [ARRIVED], 2048;
        MADE:
            barrier.cluster.arrive.release;
            barrier.cluster.wait.acquire;
            setp.ne.u32         %p, %t, 0;
            @%p bra             WAIT;
            mov.u32             %n, %cluster_nctarank;
            mov.u32             %m, 1;
            shl.b32             %m, %m, %n;
            sub.u32             %m, %m, 1;
            cvt.u16.u32         %mask, %m;
            mov.u32             %at, INBOXES;
            mad.lo.u32          %at, %rank, 512, %at;
            ld.param.u64        %src, [src];
            mad.wide.u32        %src, %rank, 512, %src;
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster
                [%at], [%src], 512, [ARRIVED], %mask;
        WAIT:
            mbarrier.try_wait.parity.shared::cta.b64 %done, [ARRIVED], 0;
            @!%done bra         WAIT;
            mov.u32             %i, 3;
        READ:
            mov.u32             %at, INBOXES;
            mad.lo.u32          %at, %i, 512, %at;
            mad.lo.u32          %at, %t, 4, %at;
            ld.shared.f32       %f, [%at];
            add.s32             %i, %i, -1;
            setp.ge.s32         %p, %i, 0;
            @%p bra             READ;
            ret;
        }
    }
}
