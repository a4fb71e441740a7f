//! Barriers in shared memory, in various protocols.

use ptx::prelude::*;

/// A ring of four stages and its barriers.
#[derive(Clone, Copy, PtxType)]
#[repr(C)]
pub struct Ring {
    stages: [[V4<f32>; 64]; 4],
    full: [Mbarrier; 4],
    empty: [Mbarrier; 4],
}

#[ptx::module(target = sm_90a, version = 8.6)]
pub mod barriers {
    use super::*;

    #[shared]
    static RING: Ring;

    #[shared]
    static GATE: Mbarrier;

    /// A barrier, as declared by older code.
    #[shared]
    static PLAIN: [u64; 2];

    #[shared(align = 16)]
    static BUFFER: [f32; 512];

    /// One warp fills, the other sums: full and empty barriers, with stages counted in registers.
    #[kernel(reqntid = 64)]
    pub fn ring(src: Ptr<Global, V4<f32>>, dst: Ptr<Global, f32>, steps: u32) {
        ptx! {
            .reg .pred %p, %q, %done;
            .reg .b32 %t, %lane, %warp, %steps, %i, %stage, %phase, %full, %empty, %at, %base, %o;
            .reg .b64 %src, %dst, %state;
            .reg .f32 %f<4>, %sum;
            mov.u32             %t, %tid.x;
            and.b32             %lane, %t, 31;
            shr.u32             %warp, %t, 5;
            setp.ge.u32         %p, %t, 4;
            mov.u32             %base, RING;
            mad.lo.u32          %full, %t, 8, %base;
            @!%p mbarrier.init.shared::cta.b64 [%full + #(offset_of!(Ring, full))], 32;
            @!%p mbarrier.init.shared::cta.b64 [%full + #(offset_of!(Ring, empty))], 32;
            bar.sync            0;
            ld.param.u32        %steps, [steps];
            ld.param.u64        %src, [src];
            mad.wide.u32        %src, %lane, 16, %src;
            mov.u32             %i, 0;
            mov.u32             %stage, 0;
            mov.f32             %sum, 0f00000000;
            setp.ne.u32         %q, %warp, 0;
            selp.b32            %phase, 0, 1, %q;
        STEP:
            setp.ge.u32         %p, %i, %steps;
            @%p bra             END;
            shl.b32             %o, %stage, 3;
            add.u32             %full, %base, %o;
            add.u32             %empty, %full, #(offset_of!(Ring, empty));
            add.u32             %full, %full, #(offset_of!(Ring, full));
            shl.b32             %at, %stage, 10;
            add.u32             %at, %at, %base;
            mad.lo.u32          %at, %lane, 16, %at;
            @%q bra             TAKE;
        FREE:
            mbarrier.try_wait.parity.shared::cta.b64 %done, [%empty], %phase;
            @!%done bra         FREE;
            ld.global.v4.f32    {%f0, %f1, %f2, %f3}, [%src];
            st.shared.v4.f32    [%at], {%f0, %f1, %f2, %f3};
            st.shared.v4.f32    [%at + 512], {%f3, %f2, %f1, %f0};
            add.u64             %src, %src, 512;
            mbarrier.arrive.shared::cta.b64 %state, [%full];
            bra                 NEXT;
        TAKE:
            mbarrier.try_wait.parity.shared::cta.b64 %done, [%full], %phase, 1000;
            @!%done bra         TAKE;
            ld.shared.v2.f32    {%f0, %f1}, [%at + 8];
            ld.shared.f32       %f2, [%at + 512];
            add.f32             %sum, %sum, %f0;
            add.f32             %sum, %sum, %f1;
            add.f32             %sum, %sum, %f2;
            mbarrier.arrive.release.cta.shared::cta.b64 _, [%empty];
        NEXT:
            add.u32             %i, %i, 1;
            add.u32             %stage, %stage, 1;
            and.b32             %stage, %stage, 3;
            setp.eq.u32         %p, %stage, 0;
            @%p xor.b32         %phase, %phase, 1;
            bra                 STEP;
        END:
            ld.param.u64        %dst, [dst];
            mad.wide.u32        %dst, %lane, 4, %dst;
            @%q st.global.f32   [%dst], %sum;
            ret;
        }
    }

    /// States instead of parities, as in `cuda::barrier`: `arrive`, `test_wait`, drops, counts.
    #[kernel(reqntid = 128)]
    pub fn states() {
        ptx! {
            .reg .pred %p, %first;
            .reg .b32 %t, %n, %at;
            .reg .b64 %state, %other, %g;
            mov.u32                                 %t, %tid.x;
            setp.eq.u32                             %first, %t, 0;
            @%first mbarrier.init.shared.b64        [PLAIN], 128;
            @%first mbarrier.init.shared.b64        [PLAIN + 8], 256;
            bar.sync                                0;
            mbarrier.arrive.shared.b64              %state, [PLAIN];
        WAIT:
            mbarrier.test_wait.shared.b64           %p, [PLAIN], %state;
            @!%p bra                                WAIT;
            mov.u32                                 %at, PLAIN;
            add.u32                                 %at, %at, 8;
            mbarrier.arrive.noComplete.shared.b64   %other, [%at], 1;
            mbarrier.pending_count.b64              %n, %other;
            setp.gt.u32                             %p, %n, 128;
            @%p mbarrier.arrive.shared.b64          %other, [%at];
            @!%p mbarrier.arrive.shared.b64         %other, [%at], 1;
        WAIT2:
            mbarrier.test_wait.acquire.cta.shared::cta.b64 %p, [%at], %other;
            @!%p bra                                WAIT2;
            cvt.u64.u32                             %g, %at;
            cvta.shared.u64                         %g, %g;
            setp.ge.u32                             %p, %t, 64;
            @%p mbarrier.arrive_drop.b64            %other, [%g];
            @!%p mbarrier.arrive_drop.noComplete.shared.b64 %other, [PLAIN + 8], 1;
            bar.sync                                0;
            @%first mbarrier.inval.shared.b64       [PLAIN];
            @%first mbarrier.inval.b64              [%g];
            ret;
        }
    }

    /// `cp.async` that arrives on a barrier, from threads that each expect their own copies.
    #[kernel(reqntid = 128)]
    pub fn copies(src: Ptr<Global, V4<f32>>, dst: Ptr<Global, f32>) {
        ptx! {
            .reg .pred %p, %first;
            .reg .b32 %t, %at, %gate, %o;
            .reg .b64 %src, %dst, %state;
            .reg .f32 %f;
            mov.u32                     %t, %tid.x;
            mov.u32                     %gate, GATE;
            setp.eq.u32                 %first, %t, 0;
            @%first mbarrier.init.shared::cta.b64 [%gate], 128;
            bar.sync                    0;
            ld.param.u64                %src, [src];
            mad.wide.u32                %src, %t, 16, %src;
            mov.u32                     %at, BUFFER;
            mad.lo.u32                  %at, %t, 16, %at;
            cp.async.cg.shared.global   [%at], [%src], 16;
            cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%gate];
        WAIT:
            mbarrier.test_wait.parity.shared::cta.b64 %p, [GATE], 0;
            @!%p bra                    WAIT;
            xor.b32                     %o, %t, 127;
            mov.u32                     %at, BUFFER;
            mad.lo.u32                  %at, %o, 16, %at;
            ld.shared.f32               %f, [%at + 12];
            // Another phase, in which the copies count in addition to the arrivals.
            cp.async.ca.shared.global   [%at], [%src], 4;
            cp.async.mbarrier.arrive.shared.b64 [GATE];
            mbarrier.arrive.shared.b64  %state, [GATE];
        WAIT2:
            mbarrier.test_wait.shared.b64 %p, [GATE], %state;
            @!%p bra                    WAIT2;
            ld.param.u64                %dst, [dst];
            mad.wide.u32                %dst, %t, 4, %dst;
            st.global.f32               [%dst], %f;
            ret;
        }
    }

    /// Bytes that are expected and completed by hand.
    #[kernel(reqntid = 32)]
    pub fn transactions() {
        ptx! {
            .reg .pred %p, %leads;
            .reg .b32 %who;
            .reg .b64 %g, %state;
            elect.sync          %who|%leads, 0xffffffff;
            @!%leads bra        DONE;
            mbarrier.init.shared::cta.b64 [RING + #(offset_of!(Ring, full) + 16)], 3;
            fence.mbarrier_init.release.cluster;
            mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [RING + #(offset_of!(Ring, full) + 16)], 96;
            mbarrier.arrive.shared::cta.b64 _, [RING + #(offset_of!(Ring, full) + 16)];
            mov.u64             %g, RING;
            cvta.shared.u64     %g, %g;
            add.u64             %g, %g, #(offset_of!(Ring, full) + 16);
            mbarrier.arrive.expect_tx.release.cta.b64 %state, [%g], 32;
            mbarrier.arrive_drop.expect_tx.shared::cta.b64 _, [RING + #(offset_of!(Ring, full) + 16)], 16;
            mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [RING + #(offset_of!(Ring, full) + 16)], 144;
        WAIT:
            mbarrier.try_wait.acquire.cta.b64 %p, [%g], %state;
            @!%p bra            WAIT;
            mbarrier.inval.shared::cta.b64 [RING + #(offset_of!(Ring, full) + 16)];
        DONE:
            bar.warp.sync       0xffffffff;
            ret;
        }
    }

    /// CUTLASS's wait: a nested scope in a function, with the barrier's address in a register.
    #[device]
    pub fn wait(barrier: Reg<u32>, phase: Reg<u32>) {
        ptx! {
            {
                .reg .pred P1;
            LAB_WAIT:
                mbarrier.try_wait.parity.shared::cta.b64 P1, [barrier], phase;
                @P1 bra DONE;
                bra     LAB_WAIT;
            DONE:
            }
            ret;
        }
    }

    /// Arrives on a barrier of each block of the cluster, and waits for all of them.
    #[kernel(reqntid = 32, reqnctapercluster = 4)]
    pub fn greet(out: Ptr<Global, u32>) {
        ptx! {
            .reg .pred %p, %q;
            .reg .b32 %t, %gate, %theirs, %rank, %z;
            .reg .b64 %out, %g, %far;
            mov.u32             %t, %tid.x;
            mov.u32             %gate, GATE;
            setp.eq.u32         %p, %t, 0;
            @%p mbarrier.init.shared::cta.b64 [%gate], 9;
            @%p fence.mbarrier_init.release.cluster;
            barrier.cluster.arrive.release.aligned;
            barrier.cluster.wait.acquire.aligned;
            setp.lt.u32         %q, %t, 4;
            @!%q bra            WAIT;
            mapa.shared::cluster.u32 %theirs, %gate, %t;
            mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%theirs];
            mov.u64             %g, GATE;
            cvta.shared.u64     %g, %g;
            mapa.u64            %far, %g, %t;
            mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%theirs], 1;
            getctarank.u64      %rank, %far;
            setp.ne.u32         %q, %rank, %t;
            @%q trap;
        WAIT:
            @%p mbarrier.arrive.release.cta.shared::cta.b64 _, [%gate];
            mov.u32             %z, 0;
            call                wait, (%gate, %z);
            fence.acq_rel.cluster;
            ld.param.u64        %out, [out];
            @%p st.global.u32   [%out], %t;
            barrier.cluster.arrive.aligned;
            barrier.cluster.wait.aligned;
            ret;
        }
    }

    /// A named barrier hands a tile from one half of the block to the other, as in attention kernels.
    #[kernel(reqntid = 256)]
    pub fn hand_over(dst: Ptr<Global, f32>) {
        ptx! {
            .reg .pred %p;
            .reg .b32 %t, %at, %id;
            .reg .b64 %dst;
            .reg .f32 %f;
            mov.u32         %t, %tid.x;
            mov.u32         %id, 3;
            and.b32         %at, %t, 127;
            shl.b32         %at, %at, 2;
            {
                .reg .b32 %base;
                mov.u32     %base, BUFFER;
                add.u32     %at, %at, %base;
            }
            setp.lt.u32     %p, %t, 128;
            @!%p bra        TAKE;
            cvt.rn.f32.u32  %f, %t;
            st.shared.f32   [%at], %f;
            barrier.cta.arrive %id, 256;
            bra             END;
        TAKE:
            barrier.cta.sync 3, 256;
            ld.shared.f32   %f, [%at];
            ld.param.u64    %dst, [dst];
            mad.wide.u32    %dst, %t, 4, %dst;
            st.global.f32   [%dst + -512], %f;
        END:
            ret;
        }
    }
}
