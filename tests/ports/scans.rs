//! Sums, prefixes, sorts and histograms of a block.

use ptx::prelude::*;

#[ptx::module(target = sm_90, version = 8.3)]
pub mod scans {
    use super::*;

    #[shared]
    static SUMS: [f32; 256];

    #[shared]
    static SCAN: [[u32; 128]; 2];

    #[shared]
    static TREE: [u32; 256];

    #[shared(align = 8)]
    static KEYS: [u32; 256];

    #[shared]
    static BINS: [[u32; 33]; 8];

    #[shared]
    static TOTALS: [f32; 8];

    #[global]
    pub static COUNTS: [u32; 32];

    /// A reduction tree, halved down to a warp, whose last steps are unrolled without a barrier.
    #[kernel(reqntid = 256)]
    pub fn tree(src: Ptr<Global, f32>, dst: Ptr<Global, f32>) {
        ptx! {
            .reg .pred %p, %q;
            .reg .b32 %t, %s, %half, %at, %other, %o;
            .reg .b64 %src, %dst;
            .reg .f32 %f, %g;
            mov.u32             %t, %tid.x;
            ld.param.u64        %src, [src];
            mad.wide.u32        %src, %t, 4, %src;
            ld.global.f32       %f, [%src];
            mov.u32             %at, SUMS;
            mad.lo.u32          %at, %t, 4, %at;
            st.shared.f32       [%at], %f;
            mov.u32             %s, %ntid.x;
        HALVE:
            bar.sync            0;
            shr.u32             %half, %s, 1;
            setp.ge.u32         %p, %t, %half;
            @%p bra             SKIP;
            add.u32             %o, %t, %half;
            mov.u32             %other, SUMS;
            mad.lo.u32          %other, %o, 4, %other;
            ld.shared.f32       %g, [%other];
            ld.shared.f32       %f, [%at];
            add.f32             %f, %f, %g;
            st.shared.f32       [%at], %f;
        SKIP:
            setp.gt.u32         %q, %s, 131;
            mov.u32             %s, %half;
            @%q bra             HALVE;
            bar.sync            0;
            setp.gt.u32         %p, %t, 31;
            @%p bra             END;
            ld.volatile.shared.f32 %g, [%at + 128];
            ld.volatile.shared.f32 %f, [%at];
            add.f32             %f, %f, %g;
            st.volatile.shared.f32 [%at], %f;
            mov.u32             %o, 16;
        LANES:
            shfl.sync.down.b32  %g|%p, %f, %o, 31, -1;
            @%p add.f32         %f, %f, %g;
            setp.gt.u32         %p, %o, 1;
            shr.u32             %o, %o, 1;
            @%p bra             LANES;
            ld.param.u64        %dst, [dst];
            setp.eq.u32         %p, %t, 0;
            @%p st.global.f32   [%dst], %f;
        END:
            ret;
        }
    }

    /// Warps first, then the first warp scans the eight sums of the warps; its other lanes are idle.
    #[kernel(reqntid = 256)]
    pub fn warps(dst: Ptr<Global, f32>) {
        ptx! {
            .reg .pred %p, %in;
            .reg .b32 %t, %lane, %warp, %at, %totals, %n;
            .reg .b64 %dst;
            .reg .f32 %f, %g;
            mov.u32             %t, %tid.x;
            mov.u32             %lane, %laneid;
            shr.u32             %warp, %t, 5;
            cvt.rn.f32.u32      %f, %t;
            shfl.sync.bfly.b32  %g, %f, 16, 31, -1;
            add.f32             %f, %f, %g;
            shfl.sync.bfly.b32  %g, %f, 8, 31, -1;
            add.f32             %f, %f, %g;
            mov.u32             %totals, TOTALS;
            mad.lo.u32          %at, %warp, 4, %totals;
            setp.eq.u32         %p, %lane, 0;
            @%p st.shared.f32   [%at], %f;
            bar.sync            0;
            mov.u32             %n, %ntid.x;
            shr.u32             %n, %n, 5;
            setp.lt.u32         %in, %t, %n;
            mad.lo.u32          %at, %lane, 4, %totals;
            mov.f32             %f, 0f00000000;
            @!%in bra           NOTHING;
            ld.shared.f32       %f, [%at];
        NOTHING:
            setp.ne.u32         %p, %warp, 0;
            @%p bra             END;
            shfl.sync.bfly.b32  %g, %f, 4, 7, -1;
            add.f32             %f, %f, %g;
            @%in st.shared.f32  [%at], %f;
            ld.param.u64        %dst, [dst];
            setp.eq.s32         %p, %t, 0;
            @%p red.global.add.f32 [%dst], %f;
        END:
            ret;
        }
    }

    /// Hillis and Steele: if `t >= d`, adds the element `d` before, from one buffer to the other.
    #[kernel(reqntid = 128)]
    pub fn inclusive(data: Ptr<Global, u32>) {
        ptx! {
            .reg .pred %p, %q;
            .reg .b32 %t, %d, %in, %out, %at, %x, %y, %base;
            .reg .b64 %data;
            mov.u32             %t, %tid.x;
            ld.param.u64        %data, [data];
            mad.wide.u32        %data, %t, 4, %data;
            ld.global.u32       %x, [%data];
            mov.u32             %base, SCAN;
            mad.lo.u32          %base, %t, 4, %base;
            st.shared.u32       [%base], %x;
            mov.u32             %in, 0;
            mov.u32             %out, 1;
            mov.u32             %d, 1;
        NEXT:
            bar.sync            0;
            mad.lo.u32          %at, %in, 512, %base;
            ld.shared.u32       %x, [%at];
            setp.lt.u32         %p, %t, %d;
            @%p bra             KEEP;
            mad.lo.s32          %at, %d, -4, %at;
            ld.shared.u32       %y, [%at];
            add.u32             %x, %x, %y;
        KEEP:
            mad.lo.u32          %at, %out, 512, %base;
            st.shared.u32       [%at], %x;
            sub.u32             %in, 1, %in;
            sub.u32             %out, 1, %out;
            shl.b32             %d, %d, 1;
            setp.lt.u32         %q, %d, 128;
            @%q bra             NEXT;
            st.global.u32       [%data], %x;
            ret;
        }
    }

    /// Blelloch: up and down a tree of 256 with 128 threads.
    #[kernel(reqntid = 128)]
    pub fn exclusive() {
        ptx! {
            .reg .pred %p, %q;
            .reg .b32 %t, %d, %o, %a, %b, %x, %y, %base, %twice, %z;
            mov.u32             %t, %tid.x;
            shl.b32             %twice, %t, 1;
            mov.u32             %base, TREE;
            mov.u32             %o, 1;
            mov.u32             %d, 128;
        UP:
            bar.sync            0;
            setp.ge.u32         %p, %t, %d;
            @%p bra             UPPER;
            add.u32             %a, %twice, 1;
            mul.lo.u32          %a, %a, %o;
            add.u32             %b, %a, %o;
            mad.lo.u32          %a, %a, 4, %base;
            mad.lo.u32          %b, %b, 4, %base;
            ld.shared.u32       %x, [%a + -4];
            ld.shared.u32       %y, [%b + -4];
            add.u32             %x, %x, %y;
            st.shared.u32       [%b + -4], %x;
        UPPER:
            shl.b32             %o, %o, 1;
            shr.u32             %d, %d, 1;
            setp.ne.u32         %q, %d, 0;
            @%q bra             UP;
            setp.ne.u32         %p, %t, 0;
            mov.u32             %z, 0;
            @!%p st.shared.u32  [TREE + 1020], %z;
            mov.u32             %d, 1;
        DOWN:
            shr.u32             %o, %o, 1;
            bar.sync            0;
            setp.ge.u32         %p, %t, %d;
            @%p bra             LOWER;
            mad.lo.u32          %a, %twice, %o, %o;
            mad.lo.u32          %b, %twice, %o, %o;
            add.u32             %b, %b, %o;
            mad.lo.u32          %a, %a, 4, %base;
            mad.lo.u32          %b, %b, 4, %base;
            ld.shared.u32       %x, [%a + -4];
            ld.shared.u32       %y, [%b + -4];
            st.shared.u32       [%a + -4], %y;
            add.u32             %y, %y, %x;
            st.shared.u32       [%b + -4], %y;
        LOWER:
            shl.b32             %d, %d, 1;
            setp.lt.u32         %q, %d, 256;
            @%q bra             DOWN;
            ret;
        }
    }

    /// Bitonic: `k` doubles, `j` halves, the partner is `t ^ j`, and the lower of both compares.
    #[kernel(reqntid = 256)]
    pub fn bitonic() {
        ptx! {
            .reg .pred %p, %q, %up;
            .reg .b32 %t, %k, %j, %partner, %bit, %a, %b, %x, %y, %base;
            mov.u32             %t, %tid.x;
            mov.u32             %base, KEYS;
            mad.lo.u32          %a, %t, 4, %base;
            mov.u32             %k, 2;
        LENGTH:
            shr.u32             %j, %k, 1;
        STEP:
            xor.b32             %partner, %t, %j;
            setp.le.u32         %p, %partner, %t;
            @%p bra             WAIT;
            mad.lo.u32          %b, %partner, 4, %base;
            ld.shared.u32       %x, [%a];
            ld.shared.u32       %y, [%b];
            and.b32             %bit, %t, %k;
            setp.eq.u32         %up, %bit, 0;
            setp.gt.u32         %q, %x, %y;
            xor.pred            %q, %q, %up;
            @%q bra             WAIT;
            st.shared.u32       [%a], %y;
            st.shared.u32       [%b], %x;
        WAIT:
            bar.sync            0;
            shr.u32             %j, %j, 1;
            setp.gt.s32         %p, %j, 0;
            @%p bra             STEP;
            shl.b32             %k, %k, 1;
            setp.le.u32         %p, %k, 256;
            @%p bra             LENGTH;
            // Odd and even neighbours once more; the last element has none on its right.
            and.b32             %bit, %t, 1;
            add.u32             %partner, %t, 1;
            setp.lt.u32         %p, %partner, 256;
            setp.ne.and.u32     %q, %bit, 0, %p;
            @%q ld.shared.u32   %y, [%a + 4];
            @%q st.shared.u32   [%a + 4], %y;
            bar.sync            0;
            setp.eq.u32         %p, %bit, 0;
            @%p ld.shared.v2.u32 {%x, %y}, [%a];
            ret;
        }
    }

    /// Zeroes in a strided loop, adds in shared memory with a copy for each warp, then sums the copies.
    #[kernel(reqntid = 96)]
    pub fn histogram(src: Ptr<Global, V4<u8>>, n: u32) {
        ptx! {
            .reg .pred %p;
            .reg .b16 %c<4>;
            .reg .b32 %t, %i, %n, %at, %base, %step, %bin, %x, %y, %old, %z, %end;
            .reg .b64 %src, %bins;
            mov.u32             %t, %tid.x;
            mov.u32             %step, %ntid.x;
            mov.u32             %base, BINS;
            mov.u32             %z, 0;
            mov.u32             %i, %t;
        ZERO:
            shl.b32             %at, %i, 2;
            add.u32             %at, %at, %base;
            st.shared.u32       [%at], %z;
            add.u32             %i, %i, %step;
            setp.lt.u32         %p, %i, #(8 * 33);
            @%p bra             ZERO;
            bar.sync            0;
            ld.param.u32        %n, [n];
            ld.param.u64        %src, [src];
            mad.wide.u32        %src, %t, 4, %src;
            shr.u32             %at, %t, 5;
            mad.lo.u32          %base, %at, 132, %base;
            mov.u32             %i, %t;
            setp.ge.u32         %p, %i, %n;
            @%p bra             COUNTED;
        COUNT:
            ld.global.v4.u8     {%c0, %c1, %c2, %c3}, [%src];
            cvt.u32.u16         %bin, %c0;
            shr.u32             %bin, %bin, 3;
            mad.lo.u32          %at, %bin, 4, %base;
            atom.shared.add.u32 %old, [%at], 1;
            cvt.u32.u16         %bin, %c3;
            and.b32             %bin, %bin, 248;
            shr.u32             %bin, %bin, 1;
            add.u32             %at, %base, %bin;
            red.shared.inc.u32  [%at], %n;
            setp.gt.u32         %p, %old, 254;
            @%p red.shared.add.u32 [%base + 128], 1;
            add.s64             %src, %src, 384;
            add.u32             %i, %i, %step;
            setp.lt.u32         %p, %i, %n;
            @%p bra             COUNT;
        COUNTED:
            bar.sync            0;
            setp.gt.u32         %p, %t, 31;
            @%p ret;
            mov.u32             %at, BINS;
            mad.lo.u32          %at, %t, 4, %at;
            add.u32             %end, %at, 396;
            mov.u32             %x, 0;
        SUM:
            ld.shared.u32       %y, [%at];
            add.u32             %x, %x, %y;
            add.u32             %at, %at, 132;
            setp.lt.u32         %p, %at, %end;
            @%p bra             SUM;
            mov.u64             %bins, COUNTS;
            mad.wide.u32        %bins, %t, 4, %bins;
            red.global.add.u32  [%bins], %x;
            ret;
        }
    }

    /// Digits of a radix sort, four bits at a time: equal lanes find each other.
    #[kernel(reqntid = 256)]
    pub fn radix() {
        ptx! {
            .reg .pred %p, %leader;
            .reg .b32 %t, %key, %bit, %digit, %peers, %below, %rank, %n, %at, %warp, %base, %keys, %old;
            mov.u32             %t, %tid.x;
            shr.u32             %warp, %t, 5;
            mov.u32             %keys, KEYS;
            mad.lo.u32          %keys, %t, 4, %keys;
            ld.shared.u32       %key, [%keys];
            mov.u32             %base, BINS;
            mad.lo.u32          %base, %warp, 132, %base;
            mov.u32             %bit, 0;
        PASS:
            shr.u32             %digit, %key, %bit;
            and.b32             %digit, %digit, 15;
            match.any.sync.b32  %peers, %digit, -1;
            mov.u32             %below, %lanemask_lt;
            and.b32             %below, %below, %peers;
            popc.b32            %rank, %below;
            popc.b32            %n, %peers;
            setp.eq.u32         %leader, %rank, 0;
            mad.lo.u32          %at, %digit, 8, %base;
            @%leader atom.shared.add.u32 %old, [%at], %n;
            add.u32             %n, %n, %rank;
            shr.u32             %n, %n, 1;
            mad.lo.u32          %at, %n, 4, %base;
            st.shared.u32       [%at + 4], %rank;
            add.u32             %bit, %bit, 4;
            setp.lt.u32         %p, %bit, 32;
            @%p bra             PASS;
            ret;
        }
    }
}
