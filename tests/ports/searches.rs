//! Loops that end depending on data, that have several entries or exits, or whose counters are spilled to memory.

use ptx::prelude::*;

#[ptx::module(target = sm_90, version = 8.3)]
pub mod searches {
    use super::*;

    #[shared]
    static KEYS: [u32; 100];

    #[shared]
    static WATCHED: [u32; 65];

    #[shared(align = 16)]
    static TEXT: [u8; 64];

    #[constant]
    pub static STARTS: [u32; 33] = [7; 33];

    /// The first key that is not less: `lower_bound`.
    #[kernel(reqntid = 128)]
    pub fn halving(wanted: Ptr<Global, u32>, found: Ptr<Global, u32>) {
        ptx! {
            .reg .pred %p, %less;
            .reg .b32 %t, %key, %low, %high, %middle, %at, %x, %base;
            .reg .b64 %wanted, %found;
            mov.u32             %t, %tid.x;
            ld.param.u64        %wanted, [wanted];
            mad.wide.u32        %wanted, %t, 4, %wanted;
            ld.global.u32       %key, [%wanted];
            mov.u32             %base, KEYS;
            mov.u32             %low, 0;
            mov.u32             %high, 100;
        NEXT:
            add.u32             %middle, %low, %high;
            shr.u32             %middle, %middle, 1;
            mad.lo.u32          %at, %middle, 4, %base;
            ld.shared.u32       %x, [%at];
            setp.lt.u32         %less, %x, %key;
            @%less add.u32      %low, %middle, 1;
            @!%less mov.u32     %high, %middle;
            setp.lt.u32         %p, %low, %high;
            @%p bra             NEXT;
            mov.u32             %x, -1;
            setp.eq.u32         %p, %low, 100;
            mad.lo.u32          %at, %low, 4, %base;
            @!%p ld.shared.u32  %x, [%at];
            ld.param.u64        %found, [found];
            mad.wide.u32        %found, %t, 4, %found;
            st.global.u32       [%found], %x;
            ret;
        }
    }

    /// Linear search, once with a bound and once with a sentinel.
    #[kernel(reqntid = 1)]
    pub fn watched(key: u32, out: Ptr<Global, u32>) {
        ptx! {
            .reg .pred %p;
            .reg .b32 %key, %i, %at, %x, %first;
            .reg .b64 %out;
            ld.param.u32        %key, [key];
            ld.param.u64        %out, [out];
            mov.u32             %i, 0;
            mov.u32             %at, WATCHED;
        BOUND:
            setp.ge.u32         %p, %i, 64;
            @%p bra             NONE;
            ld.shared.u32       %x, [%at];
            setp.eq.u32         %p, %x, %key;
            @%p bra             FOUND;
            add.u32             %i, %i, 1;
            add.u32             %at, %at, 4;
            bra                 BOUND;
        NONE:
            st.shared.u32       [WATCHED + 256], %key;
            mov.u32             %at, WATCHED;
        UNTIL:
            ld.shared.u32       %x, [%at];
            add.u32             %at, %at, 4;
            setp.ne.u32         %p, %x, %key;
            @%p bra             UNTIL;
            mov.u32             %first, WATCHED;
            sub.u32             %at, %at, %first;
            shr.u32             %i, %at, 2;
            sub.u32             %i, %i, 1;
        FOUND:
            st.global.u32       [%out], %i;
            ret;
        }
    }

    /// Duff's device: a jump into the middle of a loop that is unrolled by four.
    #[kernel(reqntid = 1)]
    pub fn into_the_middle(count: u32, value: u32) {
        ptx! {
            .reg .pred %p;
            .reg .b32 %n, %v, %at, %which, %back;
            ld.param.u32        %n, [count];
            ld.param.u32        %v, [value];
            setp.eq.u32         %p, %n, 0;
            @%p ret;
            min.u32             %n, %n, 64;
            mov.u32             %at, WATCHED;
            and.b32             %which, %n, 3;
            add.u32             %n, %n, 3;
            shr.u32             %n, %n, 2;
            // Back by the elements that the first iteration skips.
            neg.s32             %back, %which;
            and.b32             %back, %back, 3;
            mad.lo.s32          %at, %back, -4, %at;
        entries:
            .branchtargets FOUR, ONE, TWO, THREE;
            brx.idx             %which, entries;
        FOUR:
            st.shared.u32       [%at], %v;
        THREE:
            st.shared.u32       [%at + 4], %v;
        TWO:
            st.shared.u32       [%at + 8], %v;
        ONE:
            st.shared.u32       [%at + 12], %v;
            add.u32             %at, %at, 16;
            sub.u32             %n, %n, 1;
            setp.ne.u32         %p, %n, 0;
            @%p bra             FOUR;
            ret;
        }
    }

    /// A counter that is spilled, and stepped by one or two.
    #[kernel(reqntid = 1)]
    pub fn spilled() {
        ptx! {
            .local .align 8 .b8 depot[16];
            .reg .pred %p;
            .reg .b32 %i, %x, %y, %at;
            .reg .b64 %spl, %sp;
            mov.u64             %spl, depot;
            cvta.local.u64      %sp, %spl;
            mov.u32             %i, 0;
            st.local.u32        [%spl + 8], %i;
        NEXT:
            ld.u32              %i, [%sp + 8];
            setp.gt.u32         %p, %i, 98;
            @%p bra             DONE;
            mov.u32             %at, KEYS;
            mad.lo.u32          %at, %i, 4, %at;
            ld.shared.u32       %x, [%at];
            ld.shared.u32       %y, [%at + 4];
            setp.le.u32         %p, %x, %y;
            @!%p st.shared.u32  [%at], %y;
            @!%p st.shared.u32  [%at + 4], %x;
            selp.b32            %x, 1, 2, %p;
            add.u32             %i, %i, %x;
            st.u32              [%sp + 8], %i;
            bra                 NEXT;
        DONE:
            ret;
        }
    }

    /// `strlen` and `atoi`, a word and then a byte at a time; a state machine with a jump table.
    #[kernel(reqntid = 1)]
    pub fn machine(out: Ptr<Global, u32>) {
        ptx! {
            .reg .pred %p, %q;
            .reg .b16 %c;
            .reg .b32 %at, %end, %state, %value, %d;
            .reg .b64 %out;
            mov.u32             %at, TEXT;
            add.u32             %end, %at, 63;
            mov.u32             %value, 0;
            mov.u32             %state, 0;
        STEP:
            ld.shared.u8        %c, [%at];
            cvt.u32.u16         %d, %c;
        states:
            .branchtargets SPACES, DIGITS, AFTER;
            brx.idx             %state, states;
        SPACES:
            setp.eq.u32         %p, %d, 32;
            @%p bra             NEXT;
            mov.u32             %state, 1;
        DIGITS:
            sub.u32             %d, %d, 48;
            setp.lt.u32         %p, %d, 10;
            @%p mad.lo.u32      %value, %value, 10, %d;
            @!%p mov.u32        %state, 2;
            bra                 NEXT;
        AFTER:
            setp.eq.u32         %p, %d, 0;
            @%p bra             DONE;
        NEXT:
            setp.eq.u32         %q, %at, %end;
            @!%q add.u32        %at, %at, 1;
            @!%q bra            STEP;
        DONE:
            ld.param.u64        %out, [out];
            st.global.u32       [%out], %value;
            ret;
        }
    }

    /// Rows of different lengths: the bounds of a thread's row are adjacent entries of a table.
    #[kernel(reqntid = 32)]
    pub fn rows(columns: Ptr<Global, u32>, y: Ptr<Global, u32>) {
        ptx! {
            .reg .pred %p;
            .reg .b32 %t, %i, %end, %c, %at, %x, %sum;
            .reg .b64 %row, %columns, %y;
            mov.u32             %t, %tid.x;
            mul.wide.u32        %row, %t, 4;
            ld.param.u64        %y, [y];
            add.s64             %y, %y, %row;
            {
                .reg .b64 %table;
                mov.u64             %table, STARTS;
                add.s64             %row, %table, %row;
            }
            ld.const.u32        %i, [%row];
            ld.const.u32        %end, [%row + 4];
            mov.u32             %sum, 0;
            setp.ge.s32         %p, %i, %end;
            @%p bra             STORE;
            ld.param.u64        %columns, [columns];
            mul.wide.s32        %row, %i, 4;
            add.s64             %columns, %columns, %row;
            sub.s32             %i, %end, %i;
        NEXT:
            ld.global.nc.u32    %c, [%columns];
            min.u32             %c, %c, 99;
            mov.u32             %at, KEYS;
            mad.lo.u32          %at, %c, 4, %at;
            ld.shared.u32       %x, [%at];
            add.u32             %sum, %sum, %x;
            add.s64             %columns, %columns, 4;
            add.s32             %i, %i, -1;
            setp.ne.s32         %p, %i, 0;
            @%p bra             NEXT;
        STORE:
            st.global.u32       [%y], %sum;
            ret;
        }
    }
}
