//! Counters that are not linear, and their values after their loops.

#[ptx::module(target = sm_90, version = 8.3)]
pub mod rounds {
    #[shared(align = 16)]
    static LINE: [u32; 64];

    #[shared]
    static HUNDRED: [u32; 100];

    #[shared]
    static QUARTERS: [[u32; 16]; 4];

    /// Squares, Fibonacci numbers, Gray code, a generator of period 64.
    #[kernel(reqntid = 1)]
    pub fn sequences() {
        ptx! {
            .reg .pred %p;
            .reg .b32 %i, %j, %k, %at, %base, %x;
            mov.u32             %base, HUNDRED;
            mov.u32             %i, 0;
            mov.u32             %k, 1;
        SQUARES:
            mad.lo.u32          %at, %i, 4, %base;
            st.shared.u32       [%at], %k;
            add.u32             %i, %i, %k;
            add.u32             %k, %k, 2;
            setp.lt.u32         %p, %i, 100;
            @%p bra             SQUARES;
            mov.u32             %i, 0;
            mov.u32             %j, 1;
        FIBONACCI:
            mad.lo.u32          %at, %i, 4, %base;
            st.shared.u32       [%at + 40], %j; // at most 89
            add.u32             %k, %i, %j;
            mov.u32             %i, %j;
            mov.u32             %j, %k;
            setp.lt.u32         %p, %i, 90;
            @%p bra             FIBONACCI;
            mov.u32             %i, 0;
            mov.u32             %base, LINE;
        GRAY:
            shr.u32             %k, %i, 1;
            xor.b32             %k, %k, %i;
            mad.lo.u32          %at, %k, 4, %base;
            st.shared.u32       [%at], %i;
            add.u32             %i, %i, 1;
            setp.lt.u32         %p, %i, 64;
            @%p bra             GRAY;
            mov.u32             %x, 7;
        PERIOD:
            mad.lo.u32          %at, %x, 4, %base;
            st.shared.u32       [%at], %i;
            mad.lo.u32          %x, %x, 5, 3;
            and.b32             %x, %x, 63;
            setp.ne.u32         %p, %x, 7;
            @%p bra             PERIOD;
            // Counted in reversed bits: 0, 32, 16, 48 .. 63.
            mov.u32             %i, 0;
        REVERSED:
            brev.b32            %k, %i;
            shr.u32             %k, %k, 26;
            mad.lo.u32          %at, %k, 4, %base;
            st.shared.u32       [%at], %i;
            add.u32             %i, %i, 1;
            setp.ne.u32         %p, %i, 64;
            @%p bra             REVERSED;
            ret;
        }
    }

    /// Steps that do not divide the length, down and up, signed and unsigned, in 16 bits.
    #[kernel(reqntid = 1)]
    pub fn steps() {
        ptx! {
            .reg .pred %p;
            .reg .b16 %h;
            .reg .b32 %i, %at, %base, %k;
            mov.u32             %base, HUNDRED;
            mov.u32             %i, 99;
        DOWN:
            mad.lo.s32          %at, %i, 4, %base;
            st.shared.u32       [%at], %i;
            sub.s32             %i, %i, 7;
            setp.ge.s32         %p, %i, 0;
            @%p bra             DOWN;
            st.shared.u32       [%at + 4], %i; // the last one was 1
            add.s32             %i, %i, 6;
            mad.lo.s32          %at, %i, 4, %base;
            st.shared.u32       [%at], %i; // -6 and 6
            mov.u32             %i, 98;
        UNSIGNED:
            mad.lo.u32          %at, %i, 4, %base;
            st.shared.u32       [%at + 4], %i;
            setp.lt.u32         %p, %i, 3;
            sub.u32             %i, %i, 3;
            @!%p bra            UNSIGNED;
            mov.u16             %h, 0;
        HALF:
            cvt.u32.u16         %k, %h;
            mad.lo.u32          %at, %k, 4, %base;
            st.shared.u32       [%at + 12], %k; // 0, 6 .. 96
            add.u16             %h, %h, 6;
            setp.le.u16         %p, %h, 96;
            @%p bra             HALF;
            cvt.u32.u16         %k, %h; // 102
            mad.lo.u32          %at, %k, 4, %base;
            ld.shared.u32       %k, [%at + -12];
            ret;
        }
    }

    /// From both ends to the middle, and once around.
    #[kernel(reqntid = 1)]
    pub fn both_ends() {
        ptx! {
            .reg .pred %p;
            .reg .b32 %low, %high, %x, %y, %i, %mid;
            mov.u32             %low, LINE;
            add.u32             %high, %low, 252;
        SWAP:
            ld.shared.u32       %x, [%low];
            ld.shared.u32       %y, [%high];
            st.shared.u32       [%low], %y;
            st.shared.u32       [%high], %x;
            add.u32             %low, %low, 4;
            add.u32             %high, %high, -4;
            setp.lt.u32         %p, %low, %high;
            @%p bra             SWAP;
            // The counters have crossed.
            ld.shared.u32       %x, [%low + 124];
            ld.shared.u32       %y, [%high + -124];
            sub.u32             %mid, %low, %high;
            shr.u32             %mid, %mid, 2;
            setp.ne.u32         %p, %mid, 1;
            @%p st.shared.u32   [%low + 128], %x;
            mov.u32             %i, 0;
        AROUND:
            add.u32             %i, %i, 1;
            setp.eq.u32         %p, %i, 10;
            @%p bra             BROKEN;
            setp.lt.u32         %p, %i, 64;
            @%p bra             AROUND;
            st.shared.u32       [%low + 256], %i;
        BROKEN:
            mov.u32             %low, LINE;
            mad.lo.u32          %low, %i, 4, %low;
            ld.shared.u32       %x, [%low + 212]; // 10 and 53
            ret;
        }
    }

    /// A loop that is entered again from the code after it, with less to do each time.
    #[kernel(reqntid = 1)]
    pub fn again() {
        ptx! {
            .reg .pred %p;
            .reg .b32 %i, %n, %at, %x;
            mov.u32             %n, 64;
        AGAIN:
            mov.u32             %i, 0;
        NEXT:
            mov.u32             %at, LINE;
            mad.lo.u32          %at, %i, 4, %at;
            ld.shared.u32       %x, [%at];
            add.u32             %i, %i, 1;
            setp.lt.u32         %p, %i, %n;
            @%p bra             NEXT;
            st.shared.u32       [%at], %x; // the last one of this time
            setp.eq.u32         %p, %n, 1;
            @%p ret;
            shr.u32             %n, %n, 1;
            ld.shared.u32       %x, [%at + -4]; // there are two or more
            bra                 AGAIN;
        }
    }

    /// Iterations in which some threads are idle: at the start, at the end, or in turns.
    #[kernel(reqntid = 64)]
    pub fn in_turns() {
        ptx! {
            .reg .pred %few, %p, %q, %mine;
            .reg .b32 %t, %i, %at, %base, %n, %turn;
            mov.u32             %t, %tid.x;
            mov.u32             %base, QUARTERS;
            mad.lo.u32          %base, %t, 4, %base;
            setp.lt.u32         %few, %t, 16;
            mov.u32             %i, 0;
        FEW:
            mad.lo.u32          %at, %i, 64, %base;
            @%few st.shared.u32 [%at], %i;
            add.u32             %i, %i, 1;
            setp.lt.u32         %p, %i, 4;
            @%p bra             FEW;
            // A quarter of the threads in each iteration: 16 * i <= t < 16 * (i + 1).
            mov.u32             %i, 0;
        TURN:
            shr.u32             %turn, %t, 4;
            setp.ne.u32         %mine, %turn, %i;
            @%mine bra          NOT_MINE;
            st.shared.u32       [%base], %turn;
            mad.lo.s32          %at, %i, -64, %base;
            ld.shared.u32       %n, [%at];
        NOT_MINE:
            bar.sync            0;
            add.u32             %i, %i, 1;
            setp.lt.u32         %p, %i, 4;
            @%p bra             TURN;
            // Thread t starts at t and advances by t + 1 while it is in bounds.
            mov.u32             %i, %t;
            add.u32             %n, %t, 1;
        SIEVE:
            setp.ge.u32         %p, %i, 64;
            @%p bra             DONE;
            mov.u32             %at, QUARTERS;
            mad.lo.u32          %at, %i, 4, %at;
            atom.shared.add.u32 %turn, [%at], 1;
            add.u32             %i, %i, %n;
            bra                 SIEVE;
        DONE:
            // As many iterations as the thread's index.
            mov.u32             %i, %t;
            mov.u32             %at, LINE;
        OWN:
            setp.eq.u32         %q, %i, 0;
            @%q ret;
            ld.shared.u32       %n, [%at + 4];
            add.u32             %at, %at, 4;
            sub.u32             %i, %i, 1;
            bra                 OWN;
        }
    }

    /// Rows of an 8 by 4 by 2 block, which advance by the block's dimensions.
    #[kernel(reqntid = (8, 4, 2))]
    pub fn three_dimensions() {
        ptx! {
            .reg .pred %p;
            .reg .b32 %x, %y, %z, %nx, %ny, %nz, %i, %at, %step, %base;
            mov.u32             %x, %tid.x;
            mov.u32             %y, %tid.y;
            mov.u32             %z, %tid.z;
            mov.u32             %nx, %ntid.x;
            mov.u32             %ny, %ntid.y;
            mov.u32             %nz, %ntid.z;
            mad.lo.u32          %i, %z, %ny, %y;
            mad.lo.u32          %i, %i, %nx, %x;
            mov.u32             %base, LINE;
            mad.lo.u32          %at, %i, 4, %base;
            st.shared.u32       [%at], %i;
            mul.lo.u32          %step, %nx, %ny;
            mul.lo.u32          %step, %step, %nz;
            mov.u32             %base, HUNDRED;
        NEXT:
            mad.lo.u32          %at, %i, 4, %base;
            st.shared.u32       [%at], %i;
            add.u32             %i, %i, %step;
            setp.lt.u32         %p, %i, 100;
            @%p bra             NEXT;
            bar.sync            0;
            mad.lo.u32          %i, %x, 8, %z; // 57 at most
            mad.lo.u32          %i, %y, 14, %i;
            mad.lo.u32          %at, %i, 4, %base;
            ld.shared.u32       %i, [%at]; // 99
            sub.u32             %i, %nx, %x;
            mul.lo.u32          %i, %i, %nz;
            add.u32             %i, %i, %z; // 2 to 17
            mad.lo.u32          %at, %i, 4, %base;
            ld.shared.u32       %i, [%at + 328];
            ld.shared.u32       %i, [%at + -8];
            ret;
        }
    }
}
