//! Correct bodies on which rules once reported: addresses that are never accessed, and blocks that only larger
//! clusters have.

use ptx::prelude::*;

#[ptx::module(target = sm_90a, version = 8.6)]
pub mod quiet {
    use super::*;

    #[shared(align = 16)]
    static ROWS: [u32; 32];

    #[shared(align = 16)]
    static TWO: [u32; 64];

    #[shared(align = 16)]
    static STAGE: [u32; 128];

    #[shared]
    static DONE_LOADING: Mbarrier;

    #[global(align = 16)]
    pub static TABLE: [u32; 100];

    /// With eight or sixteen rows, only the addresses of as many lanes are used.
    #[kernel(reqntid = 32)]
    pub fn few_rows() {
        ptx! {
            .reg .b32 %t, %at, %x, %y;
            mov.u32             %t, %tid.x;
            mov.u32             %at, ROWS;
            mad.lo.u32          %at, %t, 16, %at;
            ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%x}, [%at];
            stmatrix.sync.aligned.m8n8.x1.shared.b16 [%at], {%x};
            mov.u32             %at, TWO;
            mad.lo.u32          %at, %t, 16, %at;
            ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%x, %y}, [%at];
            stmatrix.sync.aligned.m8n8.x2.shared.b16 [%at], {%x, %y};
            ret;
        }
    }

    /// A copy with zeros past the end: by the number of valid bytes, and by a predicate.
    #[kernel(reqntid = 32)]
    pub fn filled() {
        ptx! {
            .reg .pred %p;
            .reg .b32 %t, %at, %n, %o;
            .reg .b64 %from, %wide;
            mov.u32             %t, %tid.x;
            shl.b32             %o, %t, 4;
            mov.u32             %at, STAGE;
            add.u32             %at, %at, %o;
            mov.u64             %from, TABLE;
            cvt.u64.u32         %wide, %o;
            add.u64             %from, %from, %wide;
            sub.s32             %n, 400, %o;
            max.s32             %n, %n, 0;
            min.s32             %n, %n, 16;
            cp.async.cg.shared.global [%at], [%from], 16, %n;
            setp.gt.u32         %p, %t, 24;
            cp.async.cg.shared.global [%at], [%from], 16, %p;
            cp.async.ca.shared.global [STAGE], [TABLE + 400], 4, 0;
            cp.async.wait_all;
            ret;
        }
    }

    /// Prefetches ahead of a loop, and past the end.
    #[kernel(reqntid = 1)]
    pub fn ahead() {
        ptx! {
            .reg .pred %p;
            .reg .b32 %i, %x;
            .reg .b64 %at;
            mov.u64             %at, TABLE;
            mov.u32             %i, 0;
        NEXT:
            prefetch.global.L2  [%at + 64];
            ld.global.u32       %x, [%at];
            add.u64             %at, %at, 4;
            add.u32             %i, %i, 1;
            setp.lt.u32         %p, %i, 100;
            @%p bra             NEXT;
            prefetch.global.L1  [TABLE + 400];
            ret;
        }
    }

    /// Clamped between 0 and 31 by one instruction: `__vimin_s32_relu`.
    #[kernel(reqntid = 34)]
    pub fn clamped() {
        ptx! {
            .reg .b32 %i, %at, %x;
            mov.u32             %i, %tid.x;
            add.s32             %i, %i, -1;
            min.s32.relu        %i, %i, 31;
            mov.u32             %at, ROWS;
            mad.lo.s32          %at, %i, 4, %at;
            ld.shared.u32       %x, [%at];
            mov.s32             %i, -7;
            max.s32.relu        %i, %i, -1;
            mov.u32             %at, ROWS;
            mad.lo.s32          %at, %i, 4, %at;
            ld.shared.u32       %x, [%at];
            ret;
        }
    }

    /// CUTLASS's waits: each in its own scope, with the same labels.
    #[kernel(reqntid = 1)]
    pub fn waits(data: Ptr<Global, f32>) {
        ptx! {
            .reg .pred %p;
            .reg .b32 %t;
            .reg .b64 %data, %low, %log;
            .reg .f32 %f<4>;
            ld.param.u64        %data, [data];
            mov.u32             %t, %tid.x;
            mov.u64             %log, 0;
            mbarrier.init.shared::cta.b64 [DONE_LOADING], 1;
            mbarrier.arrive.shared::cta.b64 _, [DONE_LOADING];
            and.b64             %low, %data, 15;
            setp.ne.s64         %p, %low, 0;
            @%p bra             OTHER;
            {
                .reg .pred P1;
            LAB_WAIT:
                mbarrier.try_wait.parity.shared::cta.b64 P1, [DONE_LOADING], 0;
                @P1 bra DONE;
                bra LAB_WAIT;
            DONE:
            }
            ld.global.v4.f32    {%f0, %f1, %f2, %f3}, [%data];
            setp.eq.s64         %p, %log, 0;
            @%p bra             END;
            {
                .reg .pred P1;
            LAB_WAIT:
                mbarrier.try_wait.parity.shared::cta.b64 P1, [DONE_LOADING], 0;
                @P1 bra DONE;
                bra LAB_WAIT;
            DONE:
            }
            st.global.u32       [%log], %t;
            st.shared.u32       [ROWS + 128], %t;
        END:
            ret;
        OTHER:
            {
                .reg .pred P1;
            LAB_WAIT:
                mbarrier.try_wait.parity.shared::cta.b64 P1, [DONE_LOADING], 0;
                @P1 bra DONE;
                bra LAB_WAIT;
            DONE:
            }
            ld.global.f32       %f0, [%data];
            ret;
        }
    }

    /// A function that does not return.
    #[device(noreturn)]
    fn fails(code: Reg<u32>) {
        ptx! { trap; }
    }

    /// `assert((address & 15) == 0)`, by a function that does not return.
    #[kernel(reqntid = 32)]
    pub fn asserted(data: Ptr<Global, f32>) {
        ptx! {
            .reg .pred %p;
            .reg .b32 %code;
            .reg .b64 %data, %low;
            .reg .f32 %f<4>;
            ld.param.u64        %data, [data];
            and.b64             %low, %data, 15;
            setp.eq.s64         %p, %low, 0;
            @%p bra             GOOD;
            mov.u32             %code, 7;
            call                fails, (%code);
        GOOD:
            ld.global.v4.f32    {%f0, %f1, %f2, %f3}, [%data];
            ret;
        }
    }

    /// A pointer that is advanced by `or`, and blocks that a smaller cluster does not have.
    #[kernel(reqntid = 32, reqnctapercluster = 2)]
    pub fn template(data: Ptr<Global, u32>) {
        ptx! {
            .reg .pred %p;
            .reg .b32 %n, %far, %x;
            .reg .b64 %data, %same;
            ld.param.u64        %data, [data];
            or.b64              %same, %data, %data;
            ld.global.u32       %x, [%same];
            mov.u32             %n, %cluster_nctarank;
            mapa.shared::cluster.u32 %far, ROWS, 1;
            setp.gt.u32         %p, %n, 2;
            @%p mapa.shared::cluster.u32 %far, ROWS, 2;
            ret;
        }
    }

    /// Indices that tests keep in bounds: from both sides, in steps, by a test of another register, by one of an
    /// outdated value, by one that decides nothing.
    #[kernel]
    pub fn tested(first: i32, step: u32) {
        ptx! {
            .reg .pred %p, %q, %in, %none;
            .reg .b32 %i, %j, %k, %at, %rows, %flag;
            .reg .b64 %wide, %table;
            mov.u32             %rows, ROWS;
            ld.param.s32        %i, [first];
            setp.ge.s32         %p, %i, 0;
            setp.lt.and.s32     %in, %i, 32, %p;
            mad.lo.s32          %at, %i, 4, %rows;
            @%in st.shared.u32  [%at], %i;
            // Not the value that was tested.
            setp.gt.s32         %q, %i, 31;
            and.b32             %i, %i, 31;
            mad.lo.s32          %at, %i, 4, %rows;
            @%q st.shared.u32   [%at], %i;
            // By the sign alone, and by the rest of the value.
            ld.param.s32        %j, [first];
            setp.lt.s32         %p, %j, 0;
            @%p neg.s32         %j, %j;
            rem.u32             %k, %j, 32;
            mad.lo.s32          %at, %k, 4, %rows;
            st.shared.u32       [%at], %k;
            // Up to a number that it does not take.
            mov.u32             %i, 0;
        STEP:
            setp.ge.s32         %p, %i, 30;
            @%p bra             BEHIND;
            mad.lo.s32          %at, %i, 4, %rows;
            st.shared.v2.u32    [%at], {%i, %j};
            add.s32             %i, %i, 4;
            bra                 STEP;
        BEHIND:
            mad.lo.s32          %at, %i, 4, %rows;
            st.shared.u32       [%at + -4], %i;
            // In unknown steps.
            ld.param.u32        %k, [step];
            mov.u32             %i, 0;
        FURTHER:
            add.u32             %i, %i, %k;
            setp.lt.u32         %p, %i, 32;
            @%p bra             FURTHER;
            sub.u32             %i, %i, 32;
            min.u32             %i, %i, 31;
            mad.lo.u32          %at, %i, 4, %rows;
            st.shared.u32       [%at], %i;
            // After both paths join, neither test is known.
            setp.lt.u32         %p, %k, 32;
            @%p bra             SMALL;
            mov.u32             %flag, 1;
            bra                 BOTH;
        SMALL:
            mov.u32             %flag, 0;
        BOTH:
            mad.lo.u32          %at, %k, 4, %rows;
            @%p st.shared.u32   [%at], %flag;
            setp.eq.u32         %q, %flag, 0;
            @%q st.shared.u32   [%at], %flag;
            ret;
        }
    }
}
