//! Pointers in halves, with tag bits, null pointers, and pointers that are only sometimes written.

use ptx::prelude::*;

#[ptx::module(target = sm_90a, version = 8.6)]
pub mod pointers {
    use super::*;

    #[shared(align = 16)]
    static BUFFER: [u32; 64];

    #[global]
    pub static HEADS: [u64; 4];

    #[global(align = 16)]
    pub static LOG: [u32; 16];

    /// A pointer in halves, split and recombined in many ways.
    #[kernel(reqntid = 32)]
    pub fn halves(data: Ptr<Global, u32>) {
        ptx! {
            .reg .b32 %x, %low, %high, %zero;
            .reg .b64 %a, %b, %g, %h;
            ld.param.u64        %a, [data];
            mov.u32             %zero, 0;
            mov.b64             {%low, %high}, %a;
            add.cc.u32          %low, %low, 128;
            addc.u32            %high, %high, 0;
            mov.b64             %g, {%low, %high};
            ld.global.u32       %x, [%g];
            cvt.u32.u64         %low, %a;
            shr.u64             %h, %a, 32;
            cvt.u32.u64         %high, %h;
            shfl.sync.idx.b32   %low, %low, 0, 31, -1;
            shfl.sync.idx.b32   %high, %high, 0, 31, -1;
            cvt.u64.u32         %g, %low;
            cvt.u64.u32         %h, %high;
            shl.b64             %h, %h, 32;
            or.b64              %g, %g, %h;
            st.global.u32       [%g], %x;
            cvt.u32.u64         %low, %a;
            cvt.u64.u32         %g, %low;
            shr.u64             %h, %a, 32;
            bfi.b64             %g, %h, %g, 32, 32;
            st.global.u32       [%g], %x;
            and.b64             %h, %a, 0xFFFFFFFF00000000;
            cvt.u32.u64         %low, %a;
            cvt.u64.u32         %g, %low;
            or.b64              %g, %g, %h;
            st.global.u32       [%g], %x;
            cvt.u64.u32         %b, %low;
            add.u64             %g, %h, %b;
            st.global.u32       [%g], %x;
            // The lowest half of a difference, sign-extended.
            mov.u64             %b, LOG;
            cvt.u32.u64         %high, %b;
            sub.s32             %high, %high, %low;
            cvt.s64.s32         %h, %high;
            sub.s64             %g, %b, %h;
            add.s64             %g, %g, %h;
            st.global.u32       [%g + 60], %x;
            // Reversed, encoded, and decoded.
            not.b64             %g, %a;
            not.b64             %g, %g;
            st.global.u32       [%g], %x;
            shl.b64             %g, %a, 48;
            shr.u64             %g, %g, 48;
            shr.u64             %h, %a, 16;
            shl.b64             %h, %h, 16;
            or.b64              %g, %g, %h;
            st.global.u32       [%g], %x;
            rem.u64             %g, %a, 4096;
            sub.u64             %h, %a, %g;
            ld.global.u32       %x, [%h];
            mad.wide.u32        %g, %zero, 4, %a;
            st.global.u32       [%g], %x;
            ret;
        }
    }

    /// A disabled option of a template: a null pointer after every kind of test.
    #[kernel(reqntid = 32)]
    pub fn switched_off(count: u32) {
        ptx! {
            .reg .pred %p, %q, %r;
            .reg .b32 %t, %n, %k;
            .reg .b64 %log;
            mov.u32             %t, %tid.x;
            ld.param.u32        %n, [count];
            mov.u64             %log, 0;
            setp.ne.b64         %p, %log, 0;
            @%p st.global.u32   [%log], %t;
            setp.eq.s64         %q, %log, 0;
            @!%q st.global.u32  [%log], %t;
            setp.gt.u64         %p, %log, 0;
            setp.lt.u32         %r, %t, %n;
            and.pred            %q, %r, %p;
            @%q st.global.u32   [%log], %t;
            set.ne.u32.u64      %k, %log, 0;
            setp.ne.u32         %p, %k, 0;
            @%p st.u32          [%log], %t;
            setp.ne.and.s64     %p, %log, 0, %r;
            selp.u32            %k, 1, 0, %p;
            setp.eq.u32         %q, %k, 1;
            @%q red.global.add.u32 [%log], %t;
            popc.b64            %k, %log;
            setp.eq.u32         %p, %k, 0;
            @%p bra             END;
            st.global.u32       [%log], %t;
        END:
            ret;
        }
    }

    /// Initially null: the last node of a list, a pointer that one path writes, one that an earlier iteration wrote.
    #[kernel(reqntid = 32)]
    pub fn at_first(data: Ptr<Global, u32>, count: u32) {
        ptx! {
            .reg .pred %p, %few;
            .reg .b32 %t, %n, %i;
            .reg .b64 %data, %node, %last, %to, %before, %never;
            mov.u32             %t, %tid.x;
            ld.param.u64        %data, [data];
            ld.param.u32        %n, [count];
            ld.global.u64       %node, [HEADS + 24];
            mov.u64             %last, 0;
        NODE:
            setp.eq.u64         %p, %node, 0;
            @%p bra             LAST;
            mov.u64             %last, %node;
            ld.global.u64       %node, [%node];
            bra                 NODE;
        LAST:
            setp.ne.s64         %p, %last, 0;
            @%p st.global.u64   [%last + 8], %data;
            setp.lt.u32         %few, %t, %n;
            mov.u64             %to, 0;
            @%few mov.u64       %to, %data;
            @%few st.global.u32 [%to], %t;
            selp.b64            %to, %data, 0, %few;
            @!%few bra          ROUNDS;
            st.global.u32       [%to + 4], %t;
        ROUNDS:
            mov.u32             %i, 0;
        NEXT:
            // Written at the end of an iteration, and read from the second on.
            setp.eq.u32         %p, %i, 0;
            @%p bra             FIRST;
            st.global.u32       [%before], %i;
        FIRST:
            mad.wide.u32        %before, %i, 4, %data;
            add.u32             %i, %i, 1;
            setp.lt.u32         %p, %i, %n;
            @%p bra             NEXT;
            setp.ge.u32         %p, %t, 32;
            @%p ld.global.u64   %never, [HEADS];
            @%p st.global.u32   [%never], %t;
            ret;
        }
    }

    /// Registers that several results write: vectors by element, predicate pairs, halves, states, votes.
    #[kernel(reqntid = 32)]
    pub fn by_parts() {
        ptx! {
            .reg .v2 .b32 %pair;
            .reg .v4 .b32 %four;
            .reg .pred %p, %q, %leader, %all, %odd, %unordered;
            .reg .b16 %h, %g;
            .reg .b32 %t, %at, %x, %mask;
            .reg .b64 %wide;
            mov.u32             %t, %tid.x;
            mov.u32             %pair.x, %t;
            mov.u32             %pair.y, 4;
            st.shared.v2.u32    [BUFFER], %pair;
            bar.sync            0;
            ld.shared.v4.u32    %four, [BUFFER];
            mov.u32             %at, BUFFER;
            mad.lo.u32          %at, %pair.x, %pair.y, %at;
            st.shared.u32       [%at], %four.y;
            elect.sync          %x|%leader, -1;
            @%leader st.shared.u32 [%at + 4], %x;
            match.all.sync.b32  %mask|%all, %t, -1;
            @%all st.shared.u32 [BUFFER + 252], %mask;
            setp.lt.u32         %p|%q, %t, 16;
            @%p st.shared.u32   [%at + 192], %t;
            @%q st.shared.u32   [%at + -64], %t;
            lop3.or.b32         %x|%odd, %t, 1, 0, 0xC0, %p;
            @%odd ld.shared.u32 %x, [%at];
            mov.b32             {%h, %g}, %t;
            mov.b32             %x, {%h, %g};
            cvt.u64.u16         %wide, %h;
            shl.b64             %wide, %wide, 2;
            cvt.u32.u64         %x, %wide;
            mov.u32             %at, BUFFER;
            add.u32             %at, %at, %x;
            ld.shared.u32       %x, [%at + 128];
            shfl.sync.up.b32    %x|%unordered, %x, 1, 0, -1;
            @%unordered ld.shared.u32 %x, [%at + -4];
            vote.sync.any.pred  %p, %unordered, -1;
            @%p ld.shared.u32   %x, [%at];
            ret;
        }
    }
}
