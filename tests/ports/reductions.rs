//! Sums, scans, histograms, locks: shuffles, shared memory and atomics.

use ptx::prelude::*;

#[ptx::module(target = sm_90, version = 8.3)]
pub mod reductions {
    use super::*;

    const BINS: usize = 256;

    #[shared(align = 16)]
    static PARTIAL: [f32; 32];

    #[shared]
    static COUNTS: [u32; BINS];

    #[shared]
    static IS_LAST: u32;

    #[global]
    static FINISHED: u32 = 0;

    #[global]
    pub static BEST: u64 = 0;

    /// A block-wide sum: within warps, then over the warps.
    #[kernel(reqntid = 1024)]
    pub fn sum(src: Ptr<Global, f32>, dst: Ptr<Global, f32>, n: u32) {
        ptx! {
            .reg .pred %p<5>;
            .reg .b32 %r<14>;
            .reg .f32 %f<14>;
            .reg .b64 %rd<6>;
            ld.param.u64        %rd1, [src];
            ld.param.u32        %r1, [n];
            mov.u32             %r2, %tid.x;
            mov.f32             %f1, 0f00000000;
            mul.wide.u32        %rd2, %r2, 4;
            add.s64             %rd3, %rd1, %rd2;
            mov.u32             %r3, %r2;
            setp.ge.u32         %p1, %r3, %r1;
            @%p1 bra            $FOLD;
        $NEXT:
            ld.global.nc.f32    %f2, [%rd3];
            add.f32             %f1, %f1, %f2;
            add.s64             %rd3, %rd3, 4096;
            add.u32             %r3, %r3, 1024;
            setp.lt.u32         %p1, %r3, %r1;
            @%p1 bra            $NEXT;
        $FOLD:
            mov.b32             %r4, %f1;
            shfl.sync.bfly.b32  %r5, %r4, 16, 31, -1;
            mov.b32             %f3, %r5;
            add.f32             %f4, %f1, %f3;
            mov.b32             %r6, %f4;
            shfl.sync.bfly.b32  %r7, %r6, 8, 31, -1;
            mov.b32             %f5, %r7;
            add.f32             %f6, %f4, %f5;
            mov.b32             %r4, %f6;
            shfl.sync.bfly.b32  %r5, %r4, 4, 31, -1;
            mov.b32             %f3, %r5;
            add.f32             %f6, %f6, %f3;
            mov.b32             %r4, %f6;
            shfl.sync.bfly.b32  %r5, %r4, 2, 31, -1;
            mov.b32             %f3, %r5;
            add.f32             %f6, %f6, %f3;
            mov.b32             %r4, %f6;
            shfl.sync.bfly.b32  %r5, %r4, 1, 31, -1;
            mov.b32             %f3, %r5;
            add.f32             %f6, %f6, %f3;
            and.b32             %r8, %r2, 31;
            setp.ne.s32         %p2, %r8, 0;
            shr.u32             %r9, %r2, 5;
            shl.b32             %r10, %r9, 2;
            mov.u32             %r11, PARTIAL;
            add.s32             %r12, %r11, %r10;
            @%p2 bra            $STORED;
            st.shared.f32       [%r12], %f6;
        $STORED:
            bar.sync            0;
            setp.ne.u32         %p3, %r2, 0;
            @%p3 bra            $END;
            ld.shared.v4.f32    {%f7, %f8, %f9, %f10}, [PARTIAL];
            add.f32             %f7, %f7, %f8;
            add.f32             %f9, %f9, %f10;
            add.f32             %f7, %f7, %f9;
            mov.u32             %r13, 4;
        $WARPS:
            shl.b32             %r10, %r13, 2;
            add.s32             %r12, %r11, %r10;
            ld.shared.f32       %f11, [%r12];
            add.f32             %f7, %f7, %f11;
            add.u32             %r13, %r13, 1;
            setp.ne.u32         %p4, %r13, 32;
            @%p4 bra            $WARPS;
            ld.param.u64        %rd4, [dst];
            red.global.add.f32  [%rd4], %f7;
        $END:
            ret;
        }
    }

    /// The reduction tree of the first CUDA samples, in dynamic shared memory.
    #[kernel]
    pub fn tree(data: Ptr<Global, i32>) {
        ptx! {
            .reg .pred %p, %q;
            .reg .b32 %t, %half, %mine, %other, %a, %b;
            .reg .b64 %at;
            mov.u32         %t, %tid.x;
            shl.b32         %mine, %t, 2;
            mov.u32         %a, TREE;
            add.u32         %mine, %mine, %a;
            ld.param.u64    %at, [data];
            mad.wide.u32    %at, %t, 4, %at;
            ld.global.s32   %a, [%at];
            st.shared.s32   [%mine], %a;
            mov.u32         %half, %ntid.x;
        FOLD:
            shr.u32         %half, %half, 1;
            setp.eq.u32     %q, %half, 0;
            @%q bra         DONE;
            bar.sync        0;
            setp.ge.u32     %p, %t, %half;
            @%p bra         FOLD;
            shl.b32         %other, %half, 2;
            add.u32         %other, %mine, %other;
            ld.volatile.shared.s32 %a, [%mine];
            ld.volatile.shared.s32 %b, [%other];
            max.s32         %a, %a, %b;
            st.volatile.shared.s32 [%mine], %a;
            bra             FOLD;
        DONE:
            setp.ne.u32     %p, %t, 0;
            @%p ret;
            ld.shared.s32   %a, [TREE];
            ld.param.u64    %at, [data];
            st.global.s32   [%at], %a;
            ret;
        }
    }

    #[shared(dynamic)]
    static TREE: [i32];

    /// Prefix sums: two halves of shared memory that alternate.
    #[kernel(reqntid = 256)]
    pub fn scan(data: Ptr<Global, u32>) {
        ptx! {
            .reg .pred %p, %more;
            .reg .b32 %t, %from, %to, %base, %step, %x, %y, %i, %at<2>;
            .reg .b64 %g;
            .shared .align 4 .b8 halves[2048];
            mov.u32         %t, %tid.x;
            mov.u32         %from, halves;
            add.u32         %to, %from, 1024;
            ld.param.u64    %g, [data];
            mad.wide.u32    %g, %t, 4, %g;
            ld.global.u32   %x, [%g];
            mad.lo.u32      %at0, %t, 4, %from;
            st.shared.u32   [%at0], %x;
            mov.u32         %step, 1;
        NEXT:
            bar.sync        0;
            mad.lo.u32      %at0, %t, 4, %from;
            mad.lo.u32      %at1, %t, 4, %to;
            ld.shared.u32   %x, [%at0];
            setp.lt.u32     %p, %t, %step;
            shl.b32         %i, %step, 2;
            @!%p sub.u32    %at0, %at0, %i;
            @!%p ld.shared.u32 %y, [%at0];
            @!%p add.u32    %x, %x, %y;
            st.shared.u32   [%at1], %x;
            mov.u32         %base, %from;
            mov.u32         %from, %to;
            mov.u32         %to, %base;
            shl.b32         %step, %step, 1;
            setp.lt.u32     %more, %step, 256;
            @%more bra      NEXT;
            st.global.u32   [%g], %x;
            ret;
        }
    }

    /// CUB's warp scan: `shfl.up` with a predicate that shows whether the source lane exists.
    #[device]
    pub fn warp_scan(x: Reg<u32>) -> Reg<u32> {
        ptx! {
            .reg .b32 %sum;
            mov.u32 %sum, x;
            { .reg .u32 r0; .reg .pred p; shfl.sync.up.b32 r0|p, %sum, 1, 0, -1; @p add.u32 r0, r0, %sum; mov.u32 %sum, r0; }
            { .reg .u32 r0; .reg .pred p; shfl.sync.up.b32 r0|p, %sum, 2, 0, -1; @p add.u32 r0, r0, %sum; mov.u32 %sum, r0; }
            { .reg .u32 r0; .reg .pred p; shfl.sync.up.b32 r0|p, %sum, 4, 0, -1; @p add.u32 r0, r0, %sum; mov.u32 %sum, r0; }
            { .reg .u32 r0; .reg .pred p; shfl.sync.up.b32 r0|p, %sum, 8, 0, -1; @p add.u32 r0, r0, %sum; mov.u32 %sum, r0; }
            { .reg .u32 r0; .reg .pred p; shfl.sync.up.b32 r0|p, %sum, 16, 0, -1; @p add.u32 r0, r0, %sum; mov.u32 %sum, r0; }
            mov.u32 returned, %sum;
            ret;
        }
    }

    /// Counts bytes: a histogram per block, then over all blocks.
    #[kernel(reqntid = 256)]
    pub fn histogram(bytes: u64, words: u32, bins: Ptr<Global, u32>) {
        ptx! {
            .reg .pred %p;
            .reg .b32 %r<12>;
            .reg .b64 %rd<5>;
            mov.u32             %r0, %tid.x;
            mov.u32             %r1, COUNTS;
            shl.b32             %r2, %r0, 2;
            add.u32             %r3, %r1, %r2;
            mov.b32             %r4, 0;
            st.shared.u32       [%r3], %r4;
            bar.sync            0;
            ld.param.u64        %rd0, [bytes];
            ld.param.u32        %r5, [words];
            mov.u32             %r6, %ctaid.x;
            mad.lo.u32          %r7, %r6, 256, %r0;
            setp.ge.u32         %p, %r7, %r5;
            @%p bra             FLUSH;
            mad.wide.u32        %rd1, %r7, 4, %rd0;
            ld.global.u32       %r8, [%rd1];
            bfe.u32             %r9, %r8, 0, 8;
            mad.lo.u32          %r9, %r9, 4, %r1;
            atom.shared.add.u32 %r10, [%r9], 1;
            shr.u32             %r9, %r8, 6;
            and.b32             %r9, %r9, 0x3FC;
            add.u32             %r9, %r1, %r9;
            red.shared.add.u32  [%r9], 1;
            shr.u32             %r9, %r8, 14;
            and.b32             %r9, %r9, 0x3FC;
            add.u32             %r9, %r9, %r1;
            red.shared::cta.add.u32 [%r9 + 0], 1;
            shr.u32             %r9, %r8, 24;
            shl.b32             %r9, %r9, 2;
            add.u32             %r9, %r9, %r1;
            atom.shared.inc.u32 %r10, [%r9], 0xFFFFFFFF;
        FLUSH:
            bar.sync            0;
            ld.shared.u32       %r11, [%r3];
            ld.param.u64        %rd2, [bins];
            cvt.u64.u32         %rd3, %r2;
            add.u64             %rd4, %rd2, %rd3;
            red.relaxed.gpu.global.add.u32 [%rd4], %r11;
            ret;
        }
    }

    /// The last block to finish sums the results of all.
    #[kernel]
    pub fn last_block(partial: Ptr<Global, f64>, out: Ptr<Global, f64>) {
        ptx! {
            .reg .pred %p, %last;
            .reg .b32 %t, %b, %n, %i, %ticket;
            .reg .b64 %rd<4>;
            .reg .f64 %x, %y;
            mov.u32             %t, %tid.x;
            setp.ne.u32         %p, %t, 0;
            @%p bra             WAIT;
            mov.u32             %b, %ctaid.x;
            mov.u32             %n, %nctaid.x;
            ld.param.u64        %rd0, [partial];
            mad.wide.u32        %rd1, %b, 8, %rd0;
            cvt.rn.f64.u32      %x, %b;
            st.global.f64       [%rd1], %x;
            membar.gl;
            sub.u32             %i, %n, 1;
            atom.global.inc.u32 %ticket, [FINISHED], %i;
            fence.acq_rel.gpu;
            setp.eq.u32         %last, %ticket, %i;
            selp.u32            %i, 1, 0, %last;
            st.shared.u32       [IS_LAST], %i;
        WAIT:
            bar.sync            0;
            ld.shared.u32       %i, [IS_LAST];
            setp.eq.u32         %last, %i, 0;
            or.pred             %p, %p, %last;
            @%p bra             END;
            mov.f64             %y, 0d0000000000000000;
        SUM:
            ld.relaxed.gpu.global.f64 %x, [%rd0];
            add.f64             %y, %y, %x;
            add.u64             %rd0, %rd0, 8;
            sub.u32             %n, %n, 1;
            setp.ne.u32         %p, %n, 0;
            @%p bra             SUM;
            ld.param.u64        %rd2, [out];
            st.global.f64       [%rd2], %y;
        END:
            ret;
        }
    }

    /// A lock in global memory and the data that it guards, in one struct.
    #[kernel]
    pub fn locked(lock: Ptr<Generic, Guarded>) {
        ptx! {
            .reg .pred %p;
            .reg .b32 %old;
            .reg .b64 %at, %value;
            ld.param.u64        %at, [lock];
        TRY:
            atom.acquire.gpu.cas.b32 %old, [%at], 0, 1;
            setp.ne.s32         %p, %old, 0;
            @%p nanosleep.u32   64;
            @%p bra             TRY;
            ld.u64              %value, [%at + #(offset_of!(Guarded, value))];
            add.u64             %value, %value, 1;
            st.u64              [%at + #(offset_of!(Guarded, value))], %value;
            st.release.gpu.u32  [%at], 0;
            ret;
        }
    }

    /// The maximum and its index, packed in 64 bits.
    #[kernel]
    pub fn argmax(src: Ptr<Global, f32>) {
        ptx! {
            .reg .b32 %t, %bits, %key, %sign;
            .reg .b64 %at, %both;
            .reg .pred %p;
            mov.u32             %t, %tid.x;
            ld.param.u64        %at, [src];
            mad.wide.u32        %at, %t, 4, %at;
            ld.global.b32       %bits, [%at];
            shr.s32             %sign, %bits, 31;
            or.b32              %sign, %sign, 0x80000000;
            xor.b32             %key, %bits, %sign;
            mov.b64             %both, {%t, %key};
            redux.sync.max.u32  %sign, %key, 0xffffffff;
            setp.eq.u32         %p, %sign, %key;
            @%p atom.global.max.u64 %both, [BEST], %both;
            ret;
        }
    }

    /// One atomic for all lanes that need a slot.
    #[kernel]
    pub fn compact(src: Ptr<Global, u32>, dst: Ptr<Global, u32>, count: Ptr<Global, u32>) {
        ptx! {
            .reg .pred %keep, %leads;
            .reg .b32 %x, %t, %mask, %below, %n, %lane, %first, %at;
            .reg .b64 %rd, %to;
            mov.u32             %t, %tid.x;
            ld.param.u64        %rd, [src];
            mad.wide.u32        %rd, %t, 4, %rd;
            ld.global.u32       %x, [%rd];
            setp.gt.u32         %keep, %x, 100;
            vote.sync.ballot.b32 %mask, %keep, 0xffffffff;
            @!%keep bra         END;
            mov.u32             %below, %lanemask_lt;
            and.b32             %below, %below, %mask;
            popc.b32            %below, %below;
            popc.b32            %n, %mask;
            setp.eq.u32         %leads, %below, 0;
            brev.b32            %first, %mask;
            bfind.shiftamt.u32  %first, %first;
            ld.param.u64        %rd, [count];
            @%leads atom.global.add.u32 %at, [%rd], %n;
            shfl.sync.idx.b32   %at, %at, %first, 31, %mask;
            add.u32             %at, %at, %below;
            ld.param.u64        %to, [dst];
            mad.wide.u32        %to, %at, 4, %to;
            st.global.u32       [%to], %x;
        END:
            ret;
        }
    }
}

/// A lock and the data that it guards.
#[derive(Clone, Copy, PtxType)]
#[repr(C)]
pub struct Guarded {
    lock: [u32; 2],
    value: u64,
}
