//! Copies by bytes, words and vectors, with unaligned heads and tails.

use ptx::prelude::*;

#[ptx::module(target = sm_80, version = 7.8)]
pub mod copies {
    use super::*;

    #[shared(align = 16)]
    static WORDS: [u32; 96];

    /// `memcpy`: bytes until the destination is aligned, then 16 bytes at a time, then the remaining bytes.
    #[kernel(reqntid = 1)]
    pub fn memcpy(to: Ptr<Global, u8>, from: Ptr<Global, u8>, bytes: u64) {
        ptx! {
            .reg .pred %p, %q;
            .reg .b16 %c;
            .reg .b32 %r<4>;
            .reg .b64 %to, %from, %n, %low, %end;
            ld.param.u64        %to, [to];
            ld.param.u64        %from, [from];
            ld.param.u64        %n, [bytes];
            xor.b64             %low, %to, %from;
            and.b64             %low, %low, 15;
            setp.ne.s64         %p, %low, 0;
            @%p bra             TAIL;
        HEAD:
            and.b64             %low, %to, 15;
            setp.eq.s64         %p, %low, 0;
            @%p bra             BODY;
            setp.eq.s64         %q, %n, 0;
            @%q ret;
            ld.global.u8        %c, [%from];
            st.global.u8        [%to], %c;
            add.s64             %to, %to, 1;
            add.s64             %from, %from, 1;
            add.s64             %n, %n, -1;
            bra                 HEAD;
        BODY:
            and.b64             %low, %from, 15;
            setp.ne.s64         %p, %low, 0;
            @%p bra             TAIL;
            setp.lt.u64         %q, %n, 16;
            @%q bra             TAIL;
            ld.global.v4.b32    {%r0, %r1, %r2, %r3}, [%from];
            st.global.v4.b32    [%to], {%r0, %r1, %r2, %r3};
            add.s64             %from, %from, 16;
            add.s64             %to, %to, 16;
            add.s64             %n, %n, -16;
            bra                 BODY;
        TAIL:
            add.s64             %end, %from, %n;
            setp.ge.u64         %p, %from, %end;
            @%p ret;
        LAST:
            ld.global.u8        %c, [%from];
            st.global.u8        [%to], %c;
            add.s64             %from, %from, 1;
            add.s64             %to, %to, 1;
            setp.lt.u64         %p, %from, %end;
            @%p bra             LAST;
            ret;
        }
    }

    /// `memset` in shared memory: words, then a halfword, then a byte, depending on the remaining size.
    #[kernel(reqntid = 32)]
    pub fn memset(bytes: u32) {
        ptx! {
            .reg .pred %p;
            .reg .b16 %z;
            .reg .b32 %t, %n, %words, %at, %end, %zero, %bit;
            mov.u32             %t, %tid.x;
            ld.param.u32        %n, [bytes];
            min.u32             %n, %n, 383;
            mov.u32             %zero, 0;
            mov.u16             %z, 0;
            and.b32             %words, %n, -4;
            mov.u32             %at, WORDS;
            add.s32             %end, %at, %words;
            mad.lo.s32          %at, %t, 4, %at;
        NEXT:
            setp.ge.u32         %p, %at, %end;
            @%p bra             DONE;
            st.shared.u32       [%at], %zero;
            add.s32             %at, %at, 128;
            bra                 NEXT;
        DONE:
            setp.ne.s32         %p, %t, 0;
            @%p ret;
            and.b32             %bit, %n, 2;
            setp.eq.s32         %p, %bit, 0;
            @!%p st.shared.u16  [%end], %z;
            add.s32             %end, %end, %bit;
            and.b32             %bit, %n, 1;
            setp.eq.s32         %p, %bit, 0;
            @%p ret;
            st.shared.u8        [%end], %z;
            ret;
        }
    }

    /// Rows of any width: `ld.global.nc.v4` while four elements remain and the row is aligned, then single elements.
    #[kernel(reqntid = 1)]
    pub fn tails(src: Ptr<Global, f32>, dst: Ptr<Global, f32>, pitch: u32, width: u32) {
        ptx! {
            .reg .pred %p, %aligned;
            .reg .b32 %row, %pitch, %width, %i, %low;
            .reg .b64 %src, %o, %dst;
            .reg .f32 %f<4>, %sum;
            mov.u32             %row, %ctaid.x;
            ld.param.u32        %pitch, [pitch];
            ld.param.u32        %width, [width];
            ld.param.u64        %src, [src];
            mul.wide.u32        %o, %row, %pitch;
            shl.b64             %o, %o, 2;
            add.s64             %src, %src, %o;
            mov.f32             %sum, 0f00000000;
            mov.u32             %i, %width;
            cvt.u32.u64         %low, %src;
            and.b32             %low, %low, 15;
            setp.eq.s32         %aligned, %low, 0;
        FOUR:
            setp.gt.and.s32     %p, %i, 3, %aligned;
            @!%p bra            ONE;
            ld.global.nc.v4.f32 {%f0, %f1, %f2, %f3}, [%src];
            add.f32             %f0, %f0, %f1;
            add.f32             %f2, %f2, %f3;
            add.f32             %f0, %f0, %f2;
            add.f32             %sum, %sum, %f0;
            add.s64             %src, %src, 16;
            add.s32             %i, %i, -4;
            bra                 FOUR;
        ONE:
            setp.lt.s32         %p, %i, 1;
            @%p bra             DONE;
            ld.global.nc.f32    %f0, [%src];
            add.f32             %sum, %sum, %f0;
            add.s64             %src, %src, 4;
            add.s32             %i, %i, -1;
            bra                 ONE;
        DONE:
            ld.param.u64        %dst, [dst];
            mad.wide.u32        %dst, %row, 4, %dst;
            st.global.f32       [%dst], %sum;
            ret;
        }
    }
}
