//! Loops as compilers transform them: unrolled, rotated, counted down, with end pointers, with remainders.

use ptx::prelude::*;

#[ptx::module(target = sm_90, version = 8.3)]
pub mod loops {
    use super::*;

    #[shared]
    static THOUSAND: [f32; 1000];

    #[shared]
    static ODD: [u32; 17];

    #[shared(align = 16)]
    static LINE: [u32; 64];

    #[shared]
    static PACKED: [f32; 136];

    #[shared]
    static SQUARE: [[f32; 16]; 16];

    #[shared]
    static POWERS: [u32; 256];

    /// `for (i = t; i < 1000; i += 64)`, four iterations at a time, then single ones.
    #[kernel(reqntid = 64)]
    pub fn unrolled(src: Ptr<Global, f32>) {
        ptx! {
            .reg .pred %p<5>;
            .reg .b32 %r<8>;
            .reg .b64 %rd<4>;
            .reg .f32 %f<5>;
            ld.param.u64    %rd1, [src];
            mov.u32         %r1, %tid.x;
            mul.wide.u32    %rd2, %r1, 4;
            add.s64         %rd3, %rd1, %rd2;
            shl.b32         %r2, %r1, 2;
            mov.u32         %r3, THOUSAND;
            add.s32         %r4, %r3, %r2;
            setp.gt.u32     %p1, %r1, 807;
            @%p1 bra        $REST;
        $FOUR:
            ld.global.f32   %f1, [%rd3];
            ld.global.f32   %f2, [%rd3 + 256];
            ld.global.f32   %f3, [%rd3 + 512];
            ld.global.f32   %f4, [%rd3 + 768];
            st.shared.f32   [%r4], %f1;
            st.shared.f32   [%r4 + 256], %f2;
            st.shared.f32   [%r4 + 512], %f3;
            st.shared.f32   [%r4 + 768], %f4;
            add.s64         %rd3, %rd3, 1024;
            add.s32         %r4, %r4, 1024;
            add.s32         %r1, %r1, 256;
            setp.lt.u32     %p2, %r1, 808;
            @%p2 bra        $FOUR;
        $REST:
            setp.gt.s32     %p3, %r1, 999;
            @%p3 bra        $END;
        $ONE:
            ld.global.f32   %f1, [%rd3];
            st.shared.f32   [%r4], %f1;
            add.s64         %rd3, %rd3, 256;
            add.s32         %r4, %r4, 256;
            add.s32         %r1, %r1, 64;
            setp.lt.s32     %p4, %r1, 1000;
            @%p4 bra        $ONE;
        $END:
            ret;
        }
    }

    /// A counter that goes down while an address goes up; the first iteration is peeled off.
    #[kernel(reqntid = 1)]
    pub fn counted_down(out: Ptr<Global, u32>) {
        ptx! {
            .reg .pred %p<3>;
            .reg .b32 %r<8>;
            .reg .b64 %rd<3>;
            mov.u32         %r1, ODD;
            mov.u32         %r2, 1;
            st.shared.u32   [%r1], %r2;
            mov.u32         %r3, 16;
        $UP:
            ld.shared.u32   %r4, [%r1];
            mad.lo.s32      %r4, %r4, 5, 1;
            st.shared.u32   [%r1 + 4], %r4;
            add.s32         %r1, %r1, 4;
            add.s32         %r3, %r3, -1;
            setp.ne.s32     %p1, %r3, 0;
            @%p1 bra        $UP;
            // And back: `while (i-- > 0)`, with the address from the counter.
            mov.u32         %r5, 0;
            mov.u32         %r3, 17;
            mov.u32         %r6, ODD;
            bra.uni         $TEST;
        $DOWN:
            shl.b32         %r1, %r3, 2;
            add.s32         %r1, %r6, %r1;
            ld.shared.u32   %r4, [%r1];
            add.s32         %r5, %r5, %r4;
        $TEST:
            add.s32         %r3, %r3, -1;
            setp.gt.s32     %p2, %r3, -1;
            @%p2 bra        $DOWN;
            ld.param.u64    %rd1, [out];
            st.global.u32   [%rd1], %r5;
            ret;
        }
    }

    /// `for (p = a; p < a + 64; p++)` in 32 bits, in generic addresses, and two at a time.
    #[kernel(reqntid = 1)]
    pub fn to_an_end(out: Ptr<Global, u32>) {
        ptx! {
            .reg .pred %p<4>;
            .reg .b32 %r<6>;
            .reg .b64 %rd<6>;
            mov.u32         %r1, LINE;
            add.s32         %r2, %r1, 256;
            mov.u32         %r3, 0;
        $FILL:
            add.s32         %r1, %r1, 4;
            st.shared.u32   [%r1 + -4], %r3;
            add.s32         %r3, %r3, 3;
            setp.ne.s32     %p1, %r1, %r2;
            @%p1 bra        $FILL;
            mov.u64         %rd1, LINE;
            cvta.shared.u64 %rd2, %rd1;
            add.s64         %rd3, %rd2, 256;
            mov.u32         %r4, 0;
        $SUM:
            ld.u32          %r5, [%rd2];
            add.s32         %r4, %r4, %r5;
            add.s64         %rd2, %rd2, 4;
            setp.lt.u64     %p2, %rd2, %rd3;
            @%p2 bra        $SUM;
            mov.u64         %rd4, LINE;
            add.s64         %rd5, %rd4, 248;
        $PAIRS:
            ld.shared.v2.u32 {%r1, %r5}, [%rd5];
            sub.s32         %r4, %r4, %r5;
            setp.gt.u64     %p3, %rd5, %rd4;
            add.s64         %rd5, %rd5, -8;
            @%p3 bra        $PAIRS;
            ld.param.u64    %rd1, [out];
            st.global.u32   [%rd1], %r4;
            ret;
        }
    }

    /// One element ahead: each iteration loads the next one's element, and the last loads nothing.
    #[kernel(reqntid = 1)]
    pub fn ahead(out: Ptr<Global, u32>) {
        ptx! {
            .reg .pred %more;
            .reg .b32 %i, %next, %at, %x, %y, %sum;
            .reg .b64 %out;
            mov.u32             %i, 0;
            mov.u32             %at, LINE;
            mov.u32             %sum, 0;
            ld.shared.u32       %x, [%at];
        NEXT:
            add.u32             %next, %i, 1;
            setp.lt.u32         %more, %next, 64;
            @%more ld.shared.u32 %y, [%at + 4];
            mad.lo.u32          %sum, %x, %i, %sum;
            mov.u32             %x, %y;
            mov.u32             %i, %next;
            add.u32             %at, %at, 4;
            @%more bra          NEXT;
            ld.param.u64        %out, [out];
            st.global.u32       [%out], %sum;
            ret;
        }
    }

    /// A packed triangle, and the triangle above the diagonal of a square; both end exactly at their ends.
    #[kernel(reqntid = 1)]
    pub fn triangles() {
        ptx! {
            .reg .pred %p, %q;
            .reg .b32 %i, %j, %at, %to, %first;
            .reg .f32 %f;
            mov.u32             %i, 0;
        ROW:
            mov.u32             %j, 0;
        COLUMN:
            mad.lo.u32          %at, %i, %i, %i;
            shr.u32             %at, %at, 1;
            add.u32             %at, %at, %j;
            shl.b32             %at, %at, 2;
            mov.u32             %to, PACKED;
            add.u32             %to, %to, %at;
            cvt.rn.f32.u32      %f, %j;
            st.shared.f32       [%to], %f;
            add.u32             %j, %j, 1;
            setp.le.u32         %p, %j, %i;
            @%p bra             COLUMN;
            add.u32             %i, %i, 1;
            setp.ne.u32         %p, %i, 16;
            @%p bra             ROW;

            mov.u32             %i, 0;
            mov.u32             %first, SQUARE;
        ABOVE:
            add.u32             %j, %i, 1;
            mad.lo.u32          %to, %i, 68, %first;
        RIGHT:
            setp.gt.u32         %q, %j, 15;
            @%q bra             DONE;
            ld.shared.f32       %f, [%to + 4];
            add.f32             %f, %f, %f;
            st.shared.f32       [%to + 4], %f;
            add.u32             %to, %to, 4;
            add.u32             %j, %j, 1;
            bra                 RIGHT;
        DONE:
            add.u32             %i, %i, 1;
            setp.lt.u32         %p, %i, 16;
            @%p bra             ABOVE;
            ret;
        }
    }

    /// Counters that cross zero: up from -64, 16 bits that wrap, and a remainder by a mask.
    #[kernel(reqntid = 1)]
    pub fn over_zero() {
        ptx! {
            .reg .pred %p;
            .reg .b16 %h;
            .reg .b32 %i, %at, %k, %n;
            .reg .b64 %offset, %end;
            mov.u32             %i, -64;
            mov.u64             %end, LINE;
            add.s64             %end, %end, 256;
        UP:
            mul.wide.s32        %offset, %i, 4;
            add.s64             %offset, %end, %offset;
            st.shared.u32       [%offset], %i;
            add.s32             %i, %i, 1;
            setp.ne.s32         %p, %i, 0;
            @%p bra             UP;

            mov.u16             %h, 0xFF80;
        HALF:
            cvt.u32.u16         %k, %h;
            sub.u32             %k, %k, 0xFF80;
            mov.u32             %at, LINE;
            mad.lo.u32          %at, %k, 2, %at;
            st.shared.u32       [%at], %k;
            add.u16             %h, %h, 2;
            setp.ne.u16         %p, %h, 0;
            @%p bra             HALF;

            mov.u32             %i, 60;
            mov.u32             %n, 1000;
        ROUND:
            and.b32             %k, %i, 63;
            shl.b32             %k, %k, 2;
            mov.u32             %at, LINE;
            add.u32             %at, %at, %k;
            st.shared.u32       [%at], %n;
            add.u32             %i, %i, 7;
            sub.u32             %n, %n, 1;
            setp.ne.u32         %p, %n, 0;
            @%p bra             ROUND;
            ret;
        }
    }

    /// Doubled, halved and tripled counters.
    #[kernel(reqntid = 1)]
    pub fn powers() {
        ptx! {
            .reg .pred %p;
            .reg .b32 %i, %at, %base, %x;
            mov.u32             %base, POWERS;
            mov.u32             %i, 1;
        TWICE:
            shl.b32             %at, %i, 3;
            add.u32             %at, %at, %base;
            st.shared.u32       [%at + -4], %i; // 2 * i - 1
            shl.b32             %i, %i, 1;
            setp.le.u32         %p, %i, 128;
            @%p bra             TWICE;
        HALF:
            shr.u32             %i, %i, 1;
            mad.lo.u32          %at, %i, 4, %base;
            ld.shared.u32       %x, [%at];
            st.shared.u32       [%at + 508], %x;
            setp.gt.u32         %p, %i, 1;
            @%p bra             HALF;
            mov.u32             %i, 1;
        THRICE:
            mad.lo.u32          %at, %i, 4, %base;
            st.shared.u32       [%at + 48], %i;
            mul.lo.u32          %i, %i, 3;
            setp.lt.u32         %p, %i, 256;
            @%p bra             THRICE;
            ret;
        }
    }
}
