//! Tiles in shared memory: transposes, products, swizzles, pipelines of `cp.async`.

use ptx::prelude::*;

#[ptx::module(target = sm_90, version = 8.3)]
pub mod tiles {
    use super::*;

    /// One more column than a warp has lanes, to avoid bank conflicts.
    #[shared]
    static PADDED: [[f32; 33]; 32];

    #[shared]
    static LEFT: [[f32; 16]; 16];

    #[shared]
    static RIGHT: [[f32; 16]; 16];

    #[kernel(reqntid = (32, 8))]
    pub fn transpose(dst: Ptr<Global, f32>, src: Ptr<Global, f32>, width: u32, height: u32) {
        ptx! {
            .reg .pred %p;
            .reg .b32 %tx, %ty, %bx, %by, %x, %y, %i, %w, %h, %slot, %tile, %row;
            .reg .b64 %src, %dst, %pitch;
            .reg .f32 %f;
            mov.u32         %tx, %tid.x;
            mov.u32         %ty, %tid.y;
            mov.u32         %bx, %ctaid.x;
            mov.u32         %by, %ctaid.y;
            ld.param.u32    %w, [width];
            ld.param.u32    %h, [height];
            ld.param.u64    %src, [src];
            ld.param.u64    %dst, [dst];
            mov.u32         %tile, PADDED;
            mad.lo.u32      %x, %bx, 32, %tx;
            mad.lo.u32      %y, %by, 32, %ty;
            mad.lo.u32      %i, %y, %w, %x;
            mad.wide.u32    %src, %i, 4, %src;
            mul.wide.u32    %pitch, %w, 32;
            mad.lo.u32      %slot, %ty, 132, %tile;
            mad.lo.u32      %slot, %tx, 4, %slot;
            mov.u32         %row, 0;
        IN:
            ld.global.f32   %f, [%src];
            st.shared.f32   [%slot], %f;
            add.u64         %src, %src, %pitch;
            add.u32         %slot, %slot, #(8 * 33 * 4);
            add.u32         %row, %row, 8;
            setp.lt.u32     %p, %row, 32;
            @%p bra         IN;
            bar.sync        0;
            mad.lo.u32      %x, %by, 32, %tx;
            mad.lo.u32      %y, %bx, 32, %ty;
            mad.lo.u32      %i, %y, %h, %x;
            mad.wide.u32    %dst, %i, 4, %dst;
            mul.wide.u32    %pitch, %h, 32;
            mad.lo.u32      %slot, %tx, 132, %tile;
            mad.lo.u32      %slot, %ty, 4, %slot;
            mov.u32         %row, 0;
        OUT:
            ld.shared.f32   %f, [%slot];
            st.global.f32   [%dst], %f;
            add.u64         %dst, %dst, %pitch;
            add.u32         %slot, %slot, 32;
            add.u32         %row, %row, 8;
            setp.lt.u32     %p, %row, 32;
            @%p bra         OUT;
            ret;
        }
    }

    /// The matrix product of the programming guide, with the inner loop unrolled by four.
    #[kernel(reqntid = (16, 16))]
    pub fn product(a: Ptr<Global, f32>, b: Ptr<Global, f32>, c: Ptr<Global, f32>, n: u32) {
        ptx! {
            .reg .pred %p;
            .reg .b32 %tx, %ty, %row, %column, %n, %i, %k, %l, %r, %from_l, %from_r;
            .reg .b64 %a, %b, %c, %down;
            .reg .f32 %sum, %u<4>, %v<4>;
            mov.u32         %tx, %tid.x;
            mov.u32         %ty, %tid.y;
            mov.u32         %row, %ctaid.y;
            mov.u32         %column, %ctaid.x;
            mad.lo.u32      %row, %row, 16, %ty;
            mad.lo.u32      %column, %column, 16, %tx;
            ld.param.u32    %n, [n];
            ld.param.u64    %a, [a];
            ld.param.u64    %b, [b];
            ld.param.u64    %c, [c];
            mad.lo.u32      %i, %row, %n, %tx;
            mad.wide.u32    %a, %i, 4, %a;
            mad.lo.u32      %i, %ty, %n, %column;
            mad.wide.u32    %b, %i, 4, %b;
            mul.wide.u32    %down, %n, 64;
            mov.u32         %l, LEFT;
            mov.u32         %r, RIGHT;
            mad.lo.u32      %from_l, %ty, 64, %l;
            mad.lo.u32      %from_r, %tx, 4, %r;
            mad.lo.u32      %l, %tx, 4, %from_l;
            mad.lo.u32      %r, %ty, 64, %from_r;
            mov.f32         %sum, 0f00000000;
            mov.u32         %k, 0;
        STEP:
            ld.global.f32   %u0, [%a];
            ld.global.f32   %v0, [%b];
            st.shared.f32   [%l], %u0;
            st.shared.f32   [%r], %v0;
            bar.sync        0;
            mov.u32         %i, 0;
        {
            .reg .b32 %l, %r; // walk
            mov.u32         %l, %from_l;
            mov.u32         %r, %from_r;
        INNER:
            ld.shared.f32   %u0, [%l];
            ld.shared.f32   %u1, [%l + 4];
            ld.shared.f32   %u2, [%l + 8];
            ld.shared.f32   %u3, [%l + 12];
            ld.shared.f32   %v0, [%r];
            ld.shared.f32   %v1, [%r + 64];
            ld.shared.f32   %v2, [%r + 128];
            ld.shared.f32   %v3, [%r + 192];
            fma.rn.f32      %sum, %u0, %v0, %sum;
            fma.rn.f32      %sum, %u1, %v1, %sum;
            fma.rn.f32      %sum, %u2, %v2, %sum;
            fma.rn.f32      %sum, %u3, %v3, %sum;
            add.u32         %l, %l, 16;
            add.u32         %r, %r, 256;
            add.u32         %i, %i, 4;
            setp.lt.u32     %p, %i, 16;
            @%p bra         INNER;
        }
            bar.sync        0;
            add.u64         %a, %a, 64;
            add.u64         %b, %b, %down;
            add.u32         %k, %k, 16;
            setp.lt.u32     %p, %k, %n;
            @%p bra         STEP;
            mad.lo.u32      %i, %row, %n, %column;
            mad.wide.u32    %c, %i, 4, %c;
            st.global.f32   [%c], %sum;
            ret;
        }
    }

    /// 16 x 64 halves, chunks of 16 bytes xored with their row.
    #[shared(align = 128)]
    static SWIZZLED: [[f16; 64]; 16];

    /// `ldmatrix` of a swizzled tile, `mma`, and `stmatrix` back, as in CUTLASS's atoms.
    #[kernel(reqntid = 32)]
    pub fn fragments(src: Ptr<Global, V4<B32>>, dst: Ptr<Global, V4<B32>>) {
        ptx! {
            .reg .pred %p;
            .reg .b32 %lane, %row, %chunk, %at, %base, %a<4>, %b<4>, %i;
            .reg .b64 %src, %dst;
            .reg .f32 %d<4>;
            mov.u32         %lane, %laneid;
            mov.u32         %base, SWIZZLED;
            ld.param.u64    %src, [src];
            mad.wide.u32    %src, %lane, 16, %src;
            mov.u32         %i, %lane;
        FILL:
            shr.u32         %row, %i, 3;
            xor.b32         %chunk, %i, %row;
            and.b32         %chunk, %chunk, 7;
            shl.b32         %chunk, %chunk, 4;
            shl.b32         %at, %row, 7;
            or.b32          %at, %at, %chunk;
            add.u32         %at, %at, %base;
            ld.global.v4.u32 {%a0, %a1, %a2, %a3}, [%src];
            st.shared.v4.b32 [%at], {%a0, %a1, %a2, %a3};
            add.u64         %src, %src, 512;
            add.u32         %i, %i, 32;
            setp.lt.u32     %p, %i, 128;
            @%p bra         FILL;
            bar.warp.sync   -1;
            and.b32         %row, %lane, 15;
            shr.u32         %chunk, %lane, 4;
            and.b32         %i, %row, 7;
            xor.b32         %chunk, %chunk, %i;
            shl.b32         %chunk, %chunk, 4;
            mad.lo.u32      %at, %row, 128, %base;
            add.u32         %at, %at, %chunk;
            ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%a0, %a1, %a2, %a3}, [%at];
            xor.b32         %i, %at, 32;
            ldmatrix.sync.aligned.m8n8.x4.trans.shared::cta.b16 {%b0, %b1, %b2, %b3}, [%i];
            mov.f32         %d0, 0f00000000;
            mov.f32         %d1, %d0;
            mov.f32         %d2, %d0;
            mov.f32         %d3, %d0;
            mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
                {%d0, %d1, %d2, %d3}, {%a0, %a1, %a2, %a3}, {%b0, %b1}, {%d0, %d1, %d2, %d3};
            cvt.rn.f16x2.f32 %a0, %d1, %d0;
            cvt.rn.f16x2.f32 %a1, %d3, %d2;
            bar.warp.sync   -1;
            stmatrix.sync.aligned.m8n8.x2.shared.b16 [%at], {%a0, %a1};
            xor.b32         %at, %at, 64;
            stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%at], {%a1};
            bar.warp.sync   -1;
            ld.param.u64    %dst, [dst];
            mad.wide.u32    %dst, %lane, 16, %dst;
            shl.b32         %at, %lane, 4;
            add.u32         %at, %base, %at;
            ld.shared.v4.b32 {%a0, %a1, %a2, %a3}, [%at];
            st.global.v4.b32 [%dst], {%a0, %a1, %a2, %a3};
            ret;
        }
    }

    /// Stages of `cp.async`: as many as the launch has memory for.
    #[shared(dynamic, align = 128)]
    static STAGES: [u8];

    /// Three stages of 8 KiB, with registers for the stage that is written and the one that is read.
    #[kernel(maxntid = 128)]
    pub fn pipeline(src: Ptr<Global, V4<f32>>, dst: Ptr<Global, f32>, steps: u32, valid: u32) {
        ptx! {
            .reg .pred %p, %q;
            .reg .b32 %t, %steps, %base, %write, %read, %end, %mine, %i, %ahead, %valid, %a;
            .reg .b64 %src, %dst;
            .reg .f32 %sum, %f<4>;
            mov.u32         %t, %tid.x;
            mov.u32         %base, STAGES;
            add.u32         %end, %base, 24576;
            ld.param.u64    %src, [src];
            mad.wide.u32    %src, %t, 16, %src;
            ld.param.u32    %steps, [steps];
            ld.param.u32    %valid, [valid];
            min.u32         %valid, %valid, 16;
            mad.lo.u32      %mine, %t, 16, %base;
            mov.f32         %sum, 0f00000000;
            // Two steps ahead.
            cp.async.cg.shared.global [%mine], [%src], 16;
            cp.async.cg.shared.global [%mine + 2048], [%src + 2048], 16;
            cp.async.ca.shared.global [%mine + 4096], [%src + 4096], 16;
            cp.async.ca.shared.global.L2::128B [%mine + 6144], [%src + 6144], 16, %valid;
            cp.async.commit_group;
            add.u32         %write, %mine, 8192;
            add.u64         %src, %src, 8192;
            cp.async.cg.shared.global [%write], [%src], 16;
            cp.async.cg.shared.global [%write + 2048], [%src + 2048], 16;
            cp.async.cg.shared.global [%write + 4096], [%src + 4096], 16;
            cp.async.cg.shared.global [%write + 6144], [%src + 6144], 16;
            cp.async.commit_group;
            add.u32         %write, %write, 8192;
            mov.u32         %read, %base;
            mov.u32         %i, 0;
        STEP:
            cp.async.wait_group 1;
            bar.sync        0;
            xor.b32         %a, %t, 1;
            mad.lo.u32      %a, %a, 16, %read;
            ld.shared.v4.f32 {%f0, %f1, %f2, %f3}, [%a];
            add.f32         %sum, %sum, %f0;
            add.f32         %sum, %sum, %f3;
            ld.shared.v2.f32 {%f0, %f1}, [%a + 6152];
            add.f32         %sum, %sum, %f1;
            add.u32         %ahead, %i, 2;
            setp.lt.u32     %q, %ahead, %steps;
            @%q add.u64     %src, %src, 8192;
            @%q cp.async.cg.shared.global [%write], [%src], 16;
            @%q cp.async.cg.shared.global [%write + 2048], [%src + 2048], 16;
            @%q cp.async.cg.shared.global [%write + 4096], [%src + 4096], 16;
            @%q cp.async.ca.shared.global [%write + 6144], [%src + 6144], 8;
            @%q cp.async.ca.shared.global [%write + 6152], [%src + 6152], 4;
            @%q cp.async.ca.shared.global [%write + 6156], [%src + 6156], 4;
            cp.async.commit_group;
            add.u32         %write, %write, 8192;
            setp.ge.u32     %p, %write, %end;
            @%p sub.u32     %write, %write, 24576;
            add.u32         %read, %read, 8192;
            setp.eq.u32     %p, %read, %end;
            selp.b32        %read, %base, %read, %p;
            add.u32         %i, %i, 1;
            setp.lt.u32     %p, %i, %steps;
            @%p bra         STEP;
            cp.async.wait_all;
            ld.param.u64    %dst, [dst];
            mad.wide.u32    %dst, %t, 4, %dst;
            st.global.f32   [%dst], %sum;
            ret;
        }
    }

    /// `wmma`, from global memory and through a shared tile with a padded pitch.
    #[kernel(reqntid = 32)]
    pub fn wmma(
        a: Ptr<Global, f16, U32>,
        b: Ptr<Global, f16, U32>,
        c: Ptr<Global, f32, U32>,
        pitch: u32,
    ) {
        ptx! {
            .reg .b32 %a<8>, %b<8>, %pitch;
            .reg .b64 %pa, %pb, %pc, %g;
            .reg .f32 %c<8>;
            .shared .align 32 .b8 out[#(16 * 20 * 4)];
            .reg .b32 %out;
            ld.param.u64    %pa, [a];
            ld.param.u64    %pb, [b];
            ld.param.u64    %pc, [c];
            ld.param.u32    %pitch, [pitch];
            wmma.load.a.sync.aligned.row.m16n16k16.global.f16
                {%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7}, [%pa], %pitch;
            wmma.load.b.sync.aligned.col.m16n16k16.global.f16
                {%b0, %b1, %b2, %b3, %b4, %b5, %b6, %b7}, [%pb], %pitch;
            cvta.global.u64 %g, %pc;
            wmma.load.c.sync.aligned.row.m16n16k16.f32
                {%c0, %c1, %c2, %c3, %c4, %c5, %c6, %c7}, [%g], %pitch;
            wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32
                {%c0, %c1, %c2, %c3, %c4, %c5, %c6, %c7},
                {%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7},
                {%b0, %b1, %b2, %b3, %b4, %b5, %b6, %b7},
                {%c0, %c1, %c2, %c3, %c4, %c5, %c6, %c7};
            mov.u32         %out, out;
            wmma.store.d.sync.aligned.row.m16n16k16.shared.f32
                [%out], {%c0, %c1, %c2, %c3, %c4, %c5, %c6, %c7}, 20;
            bar.warp.sync   -1;
            wmma.load.c.sync.aligned.row.m16n16k16.shared.f32
                {%c0, %c1, %c2, %c3, %c4, %c5, %c6, %c7}, [out], 20;
            wmma.store.d.sync.aligned.col.m16n16k16.global.f32
                [%pc], {%c0, %c1, %c2, %c3, %c4, %c5, %c6, %c7}, %pitch;
            ret;
        }
    }
}
