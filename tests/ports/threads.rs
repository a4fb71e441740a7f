//! Code of single threads of a block: halos, clamps, guards, divisions, bits, early exits.

use ptx::prelude::*;

#[ptx::module(target = sm_90, version = 8.3)]
pub mod threads {
    use super::*;

    #[shared]
    static HALO: [f32; 130];

    #[shared]
    static ROW: [f32; 64];

    #[shared]
    static WINDOW: [u32; 32];

    #[shared]
    static THIRDS: [u32; 86];

    #[shared]
    static WARPS: [u32; 8];

    #[shared(align = 16)]
    static GRID: [[f32; 34]; 10];

    #[shared(align = 16)]
    static QUADS: [V4<u32>; 32];

    #[global]
    pub static EDGES: [f32; 128];

    /// A stencil: 128 threads, 130 elements; the first two load the two at the ends.
    #[kernel(reqntid = 128)]
    pub fn halo(src: Ptr<Global, f32>, dst: Ptr<Global, f32>) {
        ptx! {
            .reg .pred %p;
            .reg .b32 %t, %at, %slot, %i;
            .reg .b64 %src, %dst, %o;
            .reg .f32 %f<4>;
            mov.u32             %t, %tid.x;
            mul.wide.u32        %o, %t, 4;
            ld.param.u64        %src, [src];
            ld.param.u64        %dst, [dst];
            add.s64             %src, %src, %o;
            add.s64             %dst, %dst, %o;
            ld.global.f32       %f0, [%src + 4];
            mov.u32             %at, HALO;
            shl.b32             %i, %t, 2;
            add.s32             %slot, %at, %i;
            st.shared.f32       [%slot + 4], %f0;
            setp.gt.u32         %p, %t, 1;
            @%p bra             LOADED;
            mul.wide.u32        %o, %t, 512;
            add.s64             %src, %src, %o;
            ld.global.f32       %f0, [%src];
            mad.lo.s32          %at, %t, 516, %at;
            st.shared.f32       [%at], %f0;
        LOADED:
            bar.sync            0;
            ld.shared.f32       %f1, [%slot];
            ld.shared.f32       %f2, [%slot + 4];
            ld.shared.f32       %f3, [%slot + 8];
            add.f32             %f1, %f1, %f3;
            fma.rn.f32          %f1, %f2, 0fC0000000, %f1;
            st.global.f32       [%dst], %f1;
            ret;
        }
    }

    /// Neighbours clamped to the ends: by `min` and `max`, by `selp`, by a predicate.
    #[kernel(reqntid = 64)]
    pub fn clamped() {
        ptx! {
            .reg .pred %first, %last;
            .reg .b32 %t, %i, %row, %at, %slot;
            .reg .b64 %o, %wide;
            .reg .f32 %f<5>;
            mov.u32             %t, %tid.x;
            mov.u32             %row, ROW;
            add.s32             %i, %t, -1;
            max.s32             %i, %i, 0;
            mad.lo.s32          %at, %i, 4, %row;
            ld.shared.f32       %f0, [%at];
            add.u32             %i, %t, 1;
            min.u32             %i, %i, 63;
            mul.wide.u32        %o, %i, 4;
            mov.u64             %wide, ROW;
            add.s64             %wide, %wide, %o;
            ld.shared.f32       %f1, [%wide];
            setp.eq.u32         %first, %t, 0;
            setp.ge.u32         %last, %t, 62;
            mad.lo.s32          %slot, %t, 4, %row;
            selp.b32            %i, 0, -4, %first;
            add.s32             %at, %slot, %i;
            ld.shared.f32       %f2, [%at];
            mov.f32             %f3, %f0;
            @!%last ld.shared.f32 %f3, [%slot + 8];
            // A reflection: -1 is 0, 64 is 63.
            sub.s32             %i, 62, %t;
            shr.s32             %at, %i, 31;
            xor.b32             %i, %i, %at;
            mad.lo.s32          %at, %i, 4, %row;
            ld.shared.f32       %f4, [%at];
            bar.sync            0;
            add.f32             %f0, %f0, %f1;
            add.f32             %f2, %f2, %f3;
            add.f32             %f0, %f0, %f2;
            add.f32             %f0, %f0, %f4;
            st.shared.f32       [%slot], %f0;
            ret;
        }
    }

    /// `lo <= t && t < hi` as one comparison, as two with `and`, and with both results of a `setp`.
    #[kernel(reqntid = 128)]
    pub fn windows() {
        ptx! {
            .reg .pred %in, %out, %p, %q, %none;
            .reg .b32 %t, %i, %at, %window, %flag;
            mov.u32             %t, %tid.x;
            mov.u32             %window, WINDOW;
            add.s32             %i, %t, -48;
            setp.gt.u32         %out, %i, 31;
            @%out bra           SECOND;
            shl.b32             %at, %i, 2;
            add.s32             %at, %at, %window;
            st.shared.u32       [%at], %t;
        SECOND:
            bar.sync            0;
            setp.gt.s32         %p, %t, 15;
            setp.lt.and.s32     %in|%out, %t, 48, %p;
            mad.lo.s32          %at, %t, 4, %window;
            @%in st.shared.u32  [%at + -64], %t;
            bar.sync            0;
            setp.lt.u32         %p, %t, 16;
            setp.gt.u32         %q, %t, 47;
            or.pred             %none, %p, %q;
            selp.u32            %flag, 1, 0, %none;
            setp.ne.s32         %p, %flag, 0;
            @%p bra             DONE;
            ld.shared.u32       %i, [%at + -64];
            not.pred            %q, %p;
            xor.pred            %q, %q, %p; // always
            @%q st.shared.u32   [%at + -64], %i;
            and.pred            %q, %p, %q; // never
            @%q st.shared.u32   [%at + 4096], %i;
        DONE:
            ret;
        }
    }

    /// Quotients and remainders by constants, as multiplications and shifts.
    #[kernel(reqntid = 256)]
    pub fn divided() {
        ptx! {
            .reg .b32 %t, %q, %r, %at, %base, %s;
            .reg .b64 %w;
            mov.u32             %t, %tid.x;
            mov.u32             %base, THIRDS;
            mul.hi.u32          %q, %t, 0xAAAAAAAB;
            shr.u32             %q, %q, 1;
            mad.lo.u32          %at, %q, 4, %base;
            red.shared.add.u32  [%at], %t; // t / 3
            mul.lo.u32          %r, %q, 3;
            sub.u32             %r, %t, %r;
            mad.lo.u32          %at, %r, 4, %base;
            red.shared.add.u32  [%at + 332], %t; // t % 3
            mul.wide.u32        %w, %t, 0x24924925;
            shr.u64             %w, %w, 32;
            cvt.u32.u64         %q, %w;
            sub.u32             %r, %t, %q;
            shr.u32             %r, %r, 1;
            add.u32             %r, %r, %q;
            shr.u32             %q, %r, 2;
            mad.lo.u32          %at, %q, 4, %base;
            red.shared.add.u32  [%at + 196], %t; // t / 7
            shr.s32             %s, %t, 31;
            shr.u32             %s, %s, 27;
            add.s32             %s, %t, %s;
            shr.s32             %q, %s, 5;
            mov.u32             %base, WARPS;
            mad.lo.s32          %at, %q, 4, %base;
            red.shared.add.u32  [%at], %t; // t / 32, signed
            and.b32             %s, %s, -32;
            sub.s32             %r, %t, %s;
            mov.u32             %base, WINDOW;
            mad.lo.s32          %at, %r, 4, %base;
            red.shared.add.u32  [%at], %t; // t % 32, signed
            mul.lo.u32          %r, %t, 37;
            rem.u32             %r, %r, 86;
            mov.u32             %base, THIRDS;
            mad.lo.u32          %at, %r, 4, %base;
            red.shared.add.u32  [%at], %t;
            div.u32             %q, 255, %t;
            min.u32             %q, %q, 85;
            mad.lo.u32          %at, %q, 4, %base;
            red.shared.add.u32  [%at], %t;
            ret;
        }
    }

    /// Ranks among lanes: population counts, leading zeros, reversed bits, the first voting lane.
    #[kernel(reqntid = 256)]
    pub fn lanes(src: Ptr<Global, u32>) {
        ptx! {
            .reg .pred %p, %leader;
            .reg .b32 %t, %x, %m, %below, %rank, %at, %base, %n, %warp, %old;
            .reg .b64 %src;
            mov.u32             %t, %tid.x;
            ld.param.u64        %src, [src];
            mad.wide.u32        %src, %t, 4, %src;
            ld.global.u32       %x, [%src];
            mov.u32             %base, WINDOW;
            setp.gt.s32         %p, %x, 0;
            vote.sync.ballot.b32 %m, %p, -1;
            mov.u32             %below, %lanemask_lt;
            and.b32             %below, %below, %m;
            popc.b32            %rank, %below;
            mad.lo.u32          %at, %rank, 4, %base;
            @%p st.shared.u32   [%at], %x;
            popc.b32            %n, %m;
            setp.eq.u32         %p, %m, 0;
            @%p bra             EMPTY;
            clz.b32             %n, %m;
            mad.lo.u32          %at, %n, 4, %base;
            st.shared.u32       [%at], %x;
            bfind.u32           %n, %m;
            mad.lo.u32          %at, %n, 4, %base;
            st.shared.u32       [%at], %x;
            brev.b32            %n, %m;
            bfind.shiftamt.u32  %n, %n; // the first of them
            mad.lo.u32          %at, %n, 4, %base;
            st.shared.u32       [%at], %x;
        EMPTY:
            shr.u32             %warp, %t, 5;
            shfl.sync.idx.b32   %warp, %warp, 0, 31, -1;
            elect.sync          _|%leader, -1;
            mov.u32             %base, WARPS;
            mad.lo.u32          %at, %warp, 4, %base;
            setp.ge.u32         %p, %t, 256;
            @%leader atom.shared.add.u32 %old, [%at], %n;
            @%p st.shared.u32   [%at + 32], %n;
            brev.b32            %n, %t;
            shr.u32             %n, %n, 24; // 8 bits, reversed
            shr.u32             %n, %n, 5;
            mad.lo.u32          %at, %n, 4, %base;
            red.shared.add.u32  [%at], 1;
            ret;
        }
    }

    /// A block of 32 by 8 with a border of one all around.
    #[kernel(reqntid = (32, 8))]
    pub fn border(src: Ptr<Global, f32>, pitch: u32) {
        ptx! {
            .reg .pred %p;
            .reg .b32 %x, %y, %nx, %linear, %at, %grid, %pitch, %i;
            .reg .b64 %src;
            .reg .f32 %f<5>;
            mov.u32             %x, %tid.x;
            mov.u32             %y, %tid.y;
            mov.u32             %nx, %ntid.x;
            mad.lo.u32          %linear, %y, %nx, %x;
            mov.u32             %grid, GRID;
            ld.param.u32        %pitch, [pitch];
            ld.param.u64        %src, [src];
            // 340 elements by 256 threads: a second iteration for the first 84.
            mov.u32             %i, %linear;
        NEXT:
            mad.wide.u32        %src, %pitch, 4, %src;
            ld.global.f32       %f0, [%src];
            mad.lo.u32          %at, %i, 4, %grid;
            st.shared.f32       [%at], %f0;
            add.u32             %i, %i, 256;
            setp.lt.u32         %p, %i, 340;
            @%p bra             NEXT;
            bar.sync            0;
            mad.lo.u32          %at, %y, 136, %grid;
            mad.lo.u32          %at, %x, 4, %at;
            ld.shared.f32       %f0, [%at + 4];
            ld.shared.f32       %f1, [%at + 136];
            ld.shared.f32       %f2, [%at + 140];
            ld.shared.f32       %f3, [%at + 144];
            ld.shared.f32       %f4, [%at + 276];
            add.f32             %f0, %f0, %f1;
            add.f32             %f0, %f0, %f2;
            add.f32             %f0, %f0, %f3;
            add.f32             %f0, %f0, %f4;
            bar.sync            0;
            st.shared.f32       [%at + 140], %f0;
            shr.u32             %i, %linear, 5;
            mov.u32             %grid, WARPS;
            mad.lo.u32          %at, %i, 4, %grid;
            st.shared.u32       [%at], %linear;
            ret;
        }
    }

    /// Warps that exit early, and a barrier for the remaining ones.
    #[kernel(reqntid = 256)]
    pub fn early() {
        ptx! {
            .reg .pred %p;
            .reg .b32 %t, %warp, %at, %x, %quads;
            .reg .b32 %r<4>;
            mov.u32             %t, %tid.x;
            shr.u32             %warp, %t, 5;
            setp.ge.u32         %p, %warp, 4;
            @%p exit;
            mov.u32             %quads, QUADS;
            mad.lo.u32          %at, %t, 4, %quads;
            st.shared.u32       [%at], %t;
            bar.sync            1, 128;
            setp.ne.u32         %p, %warp, 0;
            @%p bra             OTHERS;
            mad.lo.u32          %at, %t, 16, %quads;
            ld.shared.v4.u32    {%r0, %r1, %r2, %r3}, [%at];
            add.u32             %r0, %r0, %r3;
            mov.u32             %at, WINDOW;
            mad.lo.u32          %at, %t, 4, %at;
            st.shared.u32       [%at], %r0;
            bar.sync            1, 128;
            ret;
        OTHERS:
            sub.u32             %warp, %warp, 1;
            and.b32             %x, %t, 3;
            setp.ne.u32         %p, %x, 0;
            mad.lo.u32          %at, %t, 4, %quads;
            @!%p ld.shared.v4.u32 {%r0, %r1, %r2, %r3}, [%at];
            bar.sync            1, 128;
            @!%p st.shared.v4.u32 [%at + -128], {%r3, %r2, %r1, %r0};
            setp.lt.u32         %p, %t, 96;
            @%p ret;
            mov.u32             %at, WINDOW;
            mad.lo.u32          %at, %t, 4, %at;
            ld.shared.u32       %x, [%at + -384];
            mad.lo.u32          %at, %warp, -4, %at;
            ld.shared.u32       %r0, [%at + -376];
            ret;
        }
    }

    /// Global elements on both sides of a block; the first block has none on its left.
    #[kernel(reqntid = 32, maxnreg = 64)]
    pub fn sides() {
        ptx! {
            .reg .pred %p, %q;
            .reg .b32 %b, %n, %t, %i;
            .reg .b64 %at, %o, %null;
            .reg .f32 %left, %right;
            mov.u32             %b, %ctaid.x;
            mov.u32             %n, %nctaid.x;
            mov.u32             %t, %tid.x;
            mad.lo.u32          %i, %b, 32, %t;
            setp.gt.u32         %p, %i, 127;
            @%p ret;
            mov.u64             %at, EDGES;
            mul.wide.u32        %o, %i, 4;
            add.s64             %at, %at, %o;
            mov.f32             %left, 0f00000000;
            mov.f32             %right, %left;
            setp.eq.u32         %p, %i, 0;
            @%p bra             RIGHT;
            ld.global.f32       %left, [%at + -4];
        RIGHT:
            setp.ne.u32         %q, %i, 127;
            mov.u64             %null, 0;
            selp.b64            %null, %at, %null, %q;
            @%q ld.global.f32   %right, [%null + 4];
            setp.eq.u64         %p, %null, 0;
            @%p bra             STORE;
            ld.global.f32       %right, [%null + 4];
        STORE:
            add.f32             %left, %left, %right;
            st.global.f32       [%at], %left;
            ret;
        }
    }
}
