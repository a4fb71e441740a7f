//! Traversals of memory: forwards, backwards, by bytes, by fields, to an end.

use ptx::prelude::*;

/// A block's data.
#[derive(Clone, Copy, PtxType)]
#[repr(C)]
pub struct Scratch {
    keys: [u32; 64],
    values: [V2<f32>; 64],
    bytes: [u8; 32],
    heads: [u16; 16],
}

#[ptx::module(target = sm_90, version = 8.3)]
pub mod walks {
    use super::*;

    #[constant]
    static DIGITS: [u8; 16] = *b"0123456789abcdef";

    #[constant]
    pub static WEIGHTS: [[f16; 8]; 4] = [[f16::from_f32_const(0.5); 8]; 4];

    #[shared]
    static SCRATCH: Scratch;

    #[shared(align = 16)]
    static BYTES: [u8; 512];

    /// Hexadecimal digits: a table of bytes, from which pairs are built in shared memory and read as words.
    #[kernel(reqntid = 64)]
    pub fn hex(src: u64, dst: u64) {
        ptx! {
            .reg .pred %p;
            .reg .b16 %c, %d;
            .reg .b32 %t, %x, %i, %to, %r<4>;
            .reg .b64 %src, %dst, %table, %at;
            mov.u32             %t, %tid.x;
            ld.param.u64        %src, [src];
            mad.wide.u32        %src, %t, 4, %src;
            ld.global.u32       %x, [%src];
            mov.u64             %table, DIGITS;
            mov.u32             %to, BYTES;
            mad.lo.u32          %to, %t, 8, %to;
            mov.u32             %i, 4;
        BYTE:
            bfe.u32             %r0, %x, 4, 4;
            cvt.u64.u32         %at, %r0;
            add.u64             %at, %table, %at;
            ld.const.u8         %c, [%at];
            and.b32             %r0, %x, 15;
            cvt.u64.u32         %at, %r0;
            add.u64             %at, %at, %table;
            ld.const.b8         %d, [%at];
            st.shared.v2.u8     [%to], {%c, %d};
            add.u32             %to, %to, 2;
            shr.u32             %x, %x, 8;
            sub.u32             %i, %i, 1;
            setp.ne.u32         %p, %i, 0;
            @%p bra             BYTE;
            bar.sync            0;
            setp.ge.u32         %p, %t, 32;
            @%p bra             END;
            mov.u32             %to, BYTES;
            shl.b32             %i, %t, 4;
            add.u32             %to, %to, %i;
            ld.shared.v4.b32    {%r0, %r1, %r2, %r3}, [%to];
            ld.param.u64        %dst, [dst];
            mad.wide.u32        %dst, %t, 16, %dst;
            st.global.v4.b32    [%dst], {%r0, %r1, %r2, %r3};
            ld.shared.u16       %c, [BYTES + 510];
            ld.shared.b64       %at, [BYTES + 8];
        END:
            ret;
        }
    }

    /// Up to an end address, without a counter.
    #[kernel]
    pub fn dot(a: Ptr<Global, f32>, b: Ptr<Global, f32>, n: u64, out: Ptr<Global, f32>) {
        ptx! {
            .reg .pred %p;
            .reg .b64 %a, %b, %end, %delta, %out;
            .reg .f32 %x, %y, %sum;
            ld.param.u64        %a, [a];
            ld.param.u64        %b, [b];
            ld.param.u64        %end, [n];
            shl.b64             %end, %end, 2;
            add.u64             %end, %end, %a;
            sub.u64             %delta, %b, %a;
            mov.f32             %sum, 0f00000000;
        NEXT:
            setp.eq.u64         %p, %a, %end;
            @%p bra             DONE;
            ld.global.f32       %x, [%a];
            add.u64             %b, %a, %delta;
            ld.global.f32       %y, [%b];
            fma.rn.f32          %sum, %x, %y, %sum;
            add.u64             %a, %a, 4;
            bra                 NEXT;
        DONE:
            ld.param.u64        %out, [out];
            red.global.add.f32  [%out], %sum;
            ret;
        }
    }

    /// From both ends to the middle.
    #[kernel]
    pub fn reverse(data: Ptr<Global, u16>, n: u32) {
        ptx! {
            .reg .pred %p;
            .reg .b16 %x, %y;
            .reg .b32 %n;
            .reg .b64 %low, %high;
            ld.param.u64        %low, [data];
            ld.param.u32        %n, [n];
            mad.wide.u32        %high, %n, 2, %low;
        NEXT:
            add.s64             %high, %high, -2;
            setp.ge.u64         %p, %low, %high;
            @%p bra             DONE;
            ld.global.u16       %x, [%low];
            ld.global.u16       %y, [%high];
            st.global.u16       [%low], %y;
            st.global.u16       [%high], %x;
            add.s64             %low, %low, 2;
            bra                 NEXT;
        DONE:
            ret;
        }
    }

    /// An array parameter with an index that depends on the thread, as nvcc reads it.
    #[kernel]
    pub fn parameters(weights: [f32; 16], rows: [V4<u32>; 4], out: Ptr<Global, f32>) {
        ptx! {
            .reg .b32 %t, %i, %r<4>;
            .reg .b64 %at, %base, %out;
            .reg .f32 %x, %y;
            mov.u32             %t, %tid.x;
            and.b32             %i, %t, 15;
            mul.wide.u32        %at, %i, 4;
            mov.b64             %base, weights;
            add.s64             %at, %base, %at;
            ld.param.f32        %x, [%at];
            ld.param.f32        %y, [weights + 60];
            add.f32             %x, %x, %y;
            shr.u32             %i, %i, 2;
            mul.wide.u32        %at, %i, 16;
            mov.b64             %base, rows;
            add.s64             %at, %at, %base;
            ld.param.v4.u32     {%r0, %r1, %r2, %r3}, [%at];
            ld.param.u64        %out, [out];
            mad.wide.u32        %out, %t, 4, %out;
            st.global.f32       [%out], %x;
            ret;
        }
    }

    /// A struct of arrays in shared memory: each field with an index, and the bytes as whole words.
    #[kernel(reqntid = 64)]
    pub fn fields(src: Ptr<Global, u32>) {
        ptx! {
            .reg .pred %p;
            .reg .b16 %h, %w;
            .reg .b32 %t, %at, %base, %key, %i;
            .reg .b64 %src, %table;
            .reg .f32 %x, %y;
            mov.u32             %t, %tid.x;
            mov.u32             %base, SCRATCH;
            ld.param.u64        %src, [src];
            mad.wide.u32        %src, %t, 4, %src;
            ld.global.u32       %key, [%src];
            mad.lo.u32          %at, %t, 4, %base;
            st.shared.u32       [%at + #(offset_of!(Scratch, keys))], %key;
            cvt.rn.f32.u32      %x, %key;
            neg.f32             %y, %x;
            mad.lo.u32          %at, %t, 8, %base;
            st.shared.v2.f32    [%at + #(offset_of!(Scratch, values))], {%x, %y};
            setp.lt.u32         %p, %t, 32;
            add.u32             %at, %base, %t;
            cvt.u16.u32         %h, %key;
            @%p st.shared.u8    [%at + #(offset_of!(Scratch, bytes))], %h;
            bar.sync            0;
            and.b32             %i, %t, 15;
            mad.lo.u32          %at, %i, 2, %base;
            atom.shared.cas.b16 %w, [%at + #(offset_of!(Scratch, heads))], 0, %h;
            and.b32             %i, %t, 7;
            mad.lo.u32          %at, %i, 4, %base;
            ld.shared.b32       %key, [%at + #(offset_of!(Scratch, bytes))];
            mov.u64             %table, WEIGHTS;
            mul.wide.u32        %src, %i, 2;
            add.u64             %table, %table, %src;
            ld.const.b16        %h, [%table + 48];
            ld.shared.f32       %y, [SCRATCH + #(offset_of!(Scratch, values) + 8 * 63 + 4)];
            ret;
        }
    }

    /// Online softmax of a row: the maximum and the sum are corrected in each step.
    #[kernel(reqntid = 32)]
    pub fn softmax(x: Ptr<Global, f32>, y: Ptr<Global, f32>, columns: u32) {
        ptx! {
            .reg .pred %p;
            .reg .b32 %lane, %i, %n, %row, %b;
            .reg .b64 %x, %y, %at, %pitch;
            .reg .f32 %v, %m, %s, %w, %o, %e;
            mov.u32             %lane, %laneid;
            ld.param.u32        %n, [columns];
            ld.param.u64        %x, [x];
            ld.param.u64        %y, [y];
            mov.u32             %row, %ctaid.x;
            mul.lo.u32          %row, %row, %n;
            mul.wide.u32        %pitch, %row, 4;
            add.u64             %x, %x, %pitch;
            add.u64             %y, %y, %pitch;
            mov.f32             %m, 0fFF7FFFFF;
            mov.f32             %s, 0f00000000;
            mov.u32             %i, %lane;
        FIRST:
            setp.ge.u32         %p, %i, %n;
            @%p bra             FOLD;
            mad.wide.u32        %at, %i, 4, %x;
            ld.global.f32       %v, [%at];
            mul.f32             %v, %v, 0f3FB8AA3B;
            max.f32             %w, %m, %v;
            sub.f32             %o, %m, %w;
            ex2.approx.f32      %o, %o;
            sub.f32             %e, %v, %w;
            ex2.approx.f32      %e, %e;
            fma.rn.f32          %s, %s, %o, %e;
            mov.f32             %m, %w;
            add.u32             %i, %i, 32;
            bra                 FIRST;
        FOLD:
            mov.u32             %i, 16;
        LANES:
            mov.b32             %b, %m;
            shfl.sync.bfly.b32  %b, %b, %i, 31, -1;
            mov.b32             %v, %b;
            mov.b32             %b, %s;
            shfl.sync.bfly.b32  %b, %b, %i, 31, -1;
            mov.b32             %e, %b;
            max.f32             %w, %m, %v;
            sub.f32             %o, %m, %w;
            ex2.approx.f32      %o, %o;
            mul.f32             %s, %s, %o;
            sub.f32             %o, %v, %w;
            ex2.approx.f32      %o, %o;
            fma.rn.f32          %s, %e, %o, %s;
            mov.f32             %m, %w;
            shr.u32             %i, %i, 1;
            setp.ne.u32         %p, %i, 0;
            @%p bra             LANES;
            rcp.approx.f32      %s, %s;
            mul.wide.u32        %pitch, %lane, 4;
            add.u64             %x, %x, %pitch;
            add.u64             %y, %y, %pitch;
            mov.u32             %i, %lane;
        SECOND:
            setp.ge.u32         %p, %i, %n;
            @%p ret;
            ld.global.f32       %v, [%x];
            fma.rn.f32          %v, %v, 0f3FB8AA3B, 0f00000000;
            sub.f32             %v, %v, %m;
            ex2.approx.f32      %v, %v;
            mul.f32             %v, %v, %s;
            st.global.f32       [%y], %v;
            add.u64             %x, %x, 128;
            add.u64             %y, %y, 128;
            add.u32             %i, %i, 32;
            bra                 SECOND;
        }
    }
}
