//! Shared tiles whose rows are padded or permuted, as CUTLASS and Triton address them.

use ptx::prelude::*;

#[ptx::module(target = sm_90, version = 8.3)]
pub mod swizzles {
    use super::*;

    /// 64 rows of 64 halves: `Swizzle<3, 3, 3>`.
    #[shared(align = 1024)]
    static HALVES: [[f16; 64]; 64];

    /// 64 halves and 8 of padding.
    #[shared(align = 16)]
    static PITCHED: [[f16; 72]; 17];

    #[shared(align = 16)]
    static SQUARE: [[u32; 32]; 32];

    #[shared]
    static PADDED: [[f32; 33]; 32];

    #[shared(align = 8)]
    static PAIRS: [[V2<f32>; 17]; 16];

    #[shared(dynamic, align = 16)]
    static GLOBAL_SMEM: [B8];

    /// `cp.async` into a swizzled tile and `ldmatrix` out of it.
    #[kernel(reqntid = 128)]
    pub fn cutlass(src: Ptr<Global, V4<u32>>) {
        ptx! {
            .reg .pred %p;
            .reg .b32 %t, %lane, %warp, %row, %chunk, %at, %x, %base, %k, %r<8>;
            .reg .b64 %src;
            mov.u32             %t, %tid.x;
            and.b32             %lane, %t, 31;
            shr.u32             %warp, %t, 5;
            ld.param.u64        %src, [src];
            mad.wide.u32        %src, %t, 16, %src;
            mov.u32             %base, HALVES;
            // 8 threads per row, 16 rows per iteration, 4 iterations.
            shl.b32             %at, %t, 4;
            shr.u32             %x, %at, 3;
            and.b32             %x, %x, 112;
            xor.b32             %at, %at, %x;
            add.s32             %at, %base, %at;
            cp.async.cg.shared.global [%at], [%src], 16;
            cp.async.cg.shared.global [%at + 2048], [%src + 2048], 16;
            cp.async.cg.shared.global [%at + 4096], [%src + 4096], 16;
            cp.async.cg.shared.global [%at + 6144], [%src + 6144], 16;
            cp.async.commit_group;
            cp.async.wait_group 0;
            bar.sync            0;
            // Rows from the low 4 bits of the lane, halves of 16 columns from bit 4.
            and.b32             %row, %lane, 15;
            mad.lo.u32          %row, %warp, 16, %row;
            shr.u32             %chunk, %lane, 4;
            and.b32             %x, %row, 7;
            shl.b32             %row, %row, 7;
            add.s32             %row, %base, %row;
            mov.u32             %k, 0;
        K:
            mad.lo.u32          %at, %k, 2, %chunk;
            xor.b32             %at, %at, %x;
            mad.lo.u32          %at, %at, 16, %row;
            ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r0, %r1, %r2, %r3}, [%at];
            ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r4, %r5}, [%at];
            add.u32             %k, %k, 1;
            setp.lt.u32         %p, %k, 4;
            @%p bra             K;
            bar.sync            0;
            // The offset is changed by `xor`: 0, 32, 64, 96 bytes further, without a carry.
            shl.b32             %at, %chunk, 4;
            shl.b32             %x, %x, 4;
            xor.b32             %at, %at, %x;
            add.s32             %at, %row, %at;
            xor.b32             %r6, %at, 96;
            st.shared.v4.b32    [%r6], {%r0, %r1, %r2, %r3};
            ret;
        }
    }

    /// `ldmatrix` and `stmatrix` with a pitch of 144 bytes, which is a multiple of 16.
    #[kernel(reqntid = 32)]
    pub fn pitched() {
        ptx! {
            .reg .pred %p;
            .reg .b32 %lane, %row, %column, %at, %base, %end, %r<4>;
            mov.u32             %lane, %laneid;
            mov.u32             %base, PITCHED;
            and.b32             %row, %lane, 15;
            shr.u32             %column, %lane, 4;
            shl.b32             %column, %column, 3;
            mad.lo.u32          %at, %row, 72, %column;
            mad.lo.u32          %at, %at, 2, %base;
            add.u32             %end, %at, 128;
        NEXT:
            ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r0, %r1, %r2, %r3}, [%at];
            stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%at], {%r0, %r1, %r2, %r3};
            add.u32             %at, %at, 32;
            setp.ne.u32         %p, %at, %end;
            @%p bra             NEXT;
            // The padding of a row, and that of the last row.
            st.shared.v4.b32    [%at], {%r0, %r1, %r2, %r3};
            // `(lane & 7) + (lane & 16) / 2` rows, `lane & 8` columns: the other operand's order.
            and.b32             %row, %lane, 7;
            bfe.u32             %end, %lane, 4, 1;
            bfi.b32             %row, %end, %row, 3, 1;
            and.b32             %column, %lane, 8;
            mad.lo.u32          %at, %row, 72, %column;
            shl.b32             %at, %at, 1;
            add.u32             %at, %at, %base;
            ldmatrix.sync.aligned.m8n8.x4.trans.shared::cta.b16 {%r0, %r1, %r2, %r3}, [%at + 96];
            stmatrix.sync.aligned.m8n8.x1.shared.b16 [%at + 112], {%r0};
            ret;
        }
    }

    /// A transpose without padding: column `c` of row `r` lies at `c ^ r`.
    #[kernel(reqntid = (32, 8))]
    pub fn crossed() {
        ptx! {
            .reg .pred %p;
            .reg .b32 %x, %y, %c, %at, %base, %f;
            mov.u32             %x, %tid.x;
            mov.u32             %y, %tid.y;
            mov.u32             %base, SQUARE;
        IN:
            xor.b32             %c, %x, %y;
            shl.b32             %at, %y, 5;
            or.b32              %at, %at, %c;
            mad.lo.u32          %at, %at, 4, %base;
            st.shared.u32       [%at], %y;
            add.u32             %y, %y, 8;
            setp.lt.u32         %p, %y, 32;
            @%p bra             IN;
            bar.sync            0;
        OUT:
            sub.u32             %y, %y, 8;
            xor.b32             %c, %x, %y;
            mad.lo.u32          %at, %x, 128, %base;
            mad.lo.u32          %at, %c, 4, %at;
            ld.shared.u32       %f, [%at];
            setp.gt.u32         %p, %y, 7;
            @%p bra             OUT;
            st.shared.u32       [%at], %f;
            ret;
        }
    }

    /// Transposes with a column of padding, in words and in pairs of them.
    #[kernel(reqntid = (32, 8))]
    pub fn padded() {
        ptx! {
            .reg .pred %p;
            .reg .b32 %x, %y, %t, %at, %to, %base, %i;
            .reg .f32 %f, %g;
            mov.u32             %x, %tid.x;
            mov.u32             %y, %tid.y;
            mov.u32             %base, PADDED;
            cvt.rn.f32.u32      %f, %x;
            mad.lo.u32          %at, %y, 33, %x;
            mad.lo.u32          %at, %at, 4, %base;
            st.shared.f32       [%at], %f;
            st.shared.f32       [%at + 1056], %f;
            st.shared.f32       [%at + 2112], %f;
            st.shared.f32       [%at + 3168], %f;
            bar.sync            0;
            mad.lo.u32          %to, %x, 33, %y;
            mad.lo.u32          %to, %to, 4, %base;
            ld.shared.f32       %f, [%to];
            ld.shared.f32       %g, [%to + 96];
            add.f32             %f, %f, %g;
            mad.lo.u32          %t, %y, 32, %x;
            and.b32             %i, %t, 15;
            bfe.u32             %t, %t, 4, 4;
            mov.u32             %base, PAIRS;
            mad.lo.u32          %at, %t, 136, %base;
            mad.lo.u32          %at, %i, 8, %at;
            st.shared.v2.f32    [%at], {%f, %g};
            bar.sync            0;
            mad.lo.u32          %at, %i, 136, %base;
            mad.lo.u32          %at, %t, 8, %at;
            ld.shared.v2.f32    {%f, %g}, [%at];
            setp.eq.u32         %p, %t, 15;
            @%p st.shared.v2.f32 [%at + 8], {%g, %f};
            ret;
        }
    }

    /// A layout conversion in Triton's style, with the offsets of lanes and warps combined by `or`.
    #[kernel(reqntid = 128)]
    pub fn triton(
        #[allow(A036)] x_ptr: Ptr<Global, B8, U1>,
        #[allow(A036)] y_ptr: Ptr<Global, B8, U1>,
    ) {
        ptx! {
            .reg .b32 %r<40>;
            .reg .b64 %rd<8>;
            ld.param.b64 %rd1, [x_ptr];
            ld.param.b64 %rd2, [y_ptr];
            mov.u32 %r1, %tid.x;
            and.b32 %r2, %r1, 31;
            shr.u32 %r3, %r1, 5;
            and.b32 %r4, %r1, 127;
            shl.b32 %r5, %r4, 3;
            mul.wide.u32 %rd3, %r5, 2;
            add.s64 %rd4, %rd1, %rd3;
            ld.global.v4.b32 { %r6, %r7, %r8, %r9 }, [ %rd4 + 0 ];
            // offset = (lane << 4) & 112 | warp << 9 | (lane & 24) << 4, crossed with bits 7..9
            shl.b32 %r10, %r2, 4;
            and.b32 %r11, %r10, 112;
            bfe.u32 %r12, %r1, 3, 2;
            shl.b32 %r13, %r12, 7;
            or.b32 %r14, %r13, %r11;
            shl.b32 %r15, %r3, 9;
            or.b32 %r16, %r14, %r15;
            bfe.s32 %r17, %r1, 2, 1;
            and.b32 %r18, %r17, 80;
            xor.b32 %r19, %r16, %r18;
            mov.b32 %r20, GLOBAL_SMEM;
            add.s32 %r21, %r20, %r19;
            st.shared.v4.b32 [ %r21 ], { %r6, %r7, %r8, %r9 };
            bar.sync 0;
            // (lane & 7) << 7 | warp's 16 bytes, with `lop3` for `(a & 0x70) ^ b`
            shl.b32 %r22, %r1, 4;
            lop3.b32 %r23, %r22, 112, %r16, 0x6A;
            lop3.b32 %r24, %r23, 2032, 0, 0xC0;
            add.s32 %r25, %r20, %r24;
            ld.shared.v4.b32 { %r26, %r27, %r28, %r29 }, [ %r25 ];
            xor.b32 %r30, %r24, 64;
            add.s32 %r31, %r20, %r30;
            ld.shared.v2.b32 { %r32, %r33 }, [ %r31 + 8 ];
            xor.b32 %r34, %r24, 16;
            add.s32 %r35, %r20, %r34;
            ld.shared.b32 %r36, [ %r35 + 12 ];
            add.s64 %rd5, %rd2, %rd3;
            st.global.v4.b32 [ %rd5 + 0 ], { %r26, %r27, %r32, %r36 };
            ret;
        }
    }

    /// A swizzle by a table of nibbles, by `prmt` and by `bfi`: each is a permutation of 8 chunks.
    #[kernel(reqntid = 64)]
    pub fn permuted() {
        ptx! {
            .reg .b32 %t, %row, %chunk, %at, %base, %x, %high, %r<4>;
            mov.u32             %t, %tid.x;
            mov.u32             %base, HALVES;
            shr.u32             %row, %t, 3;
            and.b32             %chunk, %t, 7;
            shl.b32             %x, %chunk, 2;
            shr.u32             %x, 0x46570213, %x;
            and.b32             %x, %x, 7;
            bfi.b32             %at, %row, %x, 3, 6;
            mad.lo.u32          %at, %at, 16, %base;
            mov.u32             %r0, %t;
            mov.u32             %r1, %t;
            mov.u32             %r2, %t;
            mov.u32             %r3, %t;
            st.shared.v4.b32    [%at], {%r0, %r1, %r2, %r3};
            mov.u32             %high, 0x76543210;
            prmt.b32            %x, 0x70605040, 0x30201000, %chunk;
            and.b32             %x, %x, 112; // a byte of 0, 16 .. 112
            mad.lo.u32          %at, %row, 128, %x;
            add.u32             %at, %at, %base;
            ld.shared.v4.b32    {%r0, %r1, %r2, %r3}, [%at];
            st.shared.v4.b32    [%at + 7168], {%r3, %r2, %r1, %r0};
            shl.b32             %x, %chunk, 2;
            shf.r.wrap.b32      %x, %high, %high, %x;
            and.b32             %x, %x, 7;
            add.u32             %x, %x, %row;
            and.b32             %x, %x, 7; // turned by the row
            mad.lo.u32          %at, %row, 8, %x;
            mad.lo.u32          %at, %at, 16, %base;
            st.shared.v4.b32    [%at + 2048], {%r0, %r1, %r2, %r3};
            ret;
        }
    }
}
