//! The softmax of each row of a matrix: a block for a row, its threads in strides.

use ptx::prelude::*;

/// Softmax of the rows of a matrix.
#[ptx::module(target = sm_90)]
pub(crate) mod softmax {
    use super::*;

    /// Threads of a block.
    const THREADS: u32 = 256;
    /// Warps of a block.
    const WARPS: u32 = THREADS / 32;

    /// Divides every element before its exponential: low ones sharpen the distribution.
    #[constant]
    pub(crate) static TEMPERATURE: f32 = 1.0;

    /// Counts the rows that were done.
    #[global]
    pub(crate) static ROWS: u64 = 0;

    /// What each warp found.
    #[shared]
    static PARTIAL: [f32; WARPS as usize];

    /// Writes the softmax of `count` rows of `columns` elements each.
    #[kernel(
        reqntid = THREADS,
        requires(columns > 0, columns <= 0x7fff_ffff, src.len() >= count * columns, dst.len() >= count * columns),
        grid = count,
        // The threads of a block stay in its row, of which the contract says that it is there.
        unsafe(safe_launch)
    )]
    pub(crate) fn rows(
        #[readonly] src: Ptr<Global, f32>,
        dst: Ptr<Global, f32>,
        count: u32,
        columns: u32,
    ) {
        ptx! {
            .reg .pred  %p, %first, %last;
            .reg .b32   %thread, %row, %columns, %column, %lane, %warp, %slot, %i, %other;
            .reg .b64   %src, %dst, %row_start, %at, %one;
            .reg .f32   %x, %y, %max, %sum, %scale, %log2e;

            mov.u32         %thread, %tid.x;
            mov.u32         %row, %ctaid.x;
            and.b32         %lane, %thread, 31;
            shr.u32         %warp, %thread, 5;
            mov.u32         %slot, PARTIAL;
            mad.lo.u32      %slot, %warp, 4, %slot;
            ld.param.u32    %columns, [columns];
            mul.wide.u32    %row_start, %row, %columns;
            shl.b64         %row_start, %row_start, 2;
            ld.param.u64    %src, [src];
            add.u64         %src, %src, %row_start;
            ld.param.u64    %dst, [dst];
            add.u64         %dst, %dst, %row_start;
            ld.const.f32    %scale, [TEMPERATURE];
            mov.f32         %log2e, #(core::f32::consts::LOG2_E);
            div.rn.f32      %scale, %log2e, %scale;

            // The greatest element of the row: of each thread, of each warp, of the block.
            mov.f32         %max, #(f32::NEG_INFINITY);
            mov.u32         %column, %thread;
        MAX:
            setp.ge.u32     %p, %column, %columns;
            @%p bra         MAX_OF_WARP;
            mad.wide.u32    %at, %column, 4, %src;
            ld.global.f32   %x, [%at];
            mul.f32         %x, %x, %scale;
            max.f32         %max, %max, %x;
            add.u32         %column, %column, #(THREADS);
            bra             MAX;
        MAX_OF_WARP:
            mov.u32         %i, 16;
        MAX_STEP:
            shfl.sync.bfly.b32 %y, %max, %i, 31, -1;
            max.f32         %max, %max, %y;
            shr.u32         %i, %i, 1;
            setp.ne.u32     %p, %i, 0;
            @%p bra         MAX_STEP;
            setp.eq.u32     %first, %lane, 0;
            @%first st.shared.f32 [%slot], %max;
            bar.sync        0;
            mov.u32         %i, 0;
        MAX_OF_BLOCK:
            mov.u32         %other, PARTIAL;
            mad.lo.u32      %other, %i, 4, %other;
            ld.shared.f32   %y, [%other];
            max.f32         %max, %max, %y;
            add.u32         %i, %i, 1;
            setp.lt.u32     %p, %i, #(WARPS);
            @%p bra         MAX_OF_BLOCK;
            bar.sync        0;

            // The exponentials, and their sum.
            mov.f32         %sum, 0f00000000;
            mov.u32         %column, %thread;
        SUM:
            setp.ge.u32     %p, %column, %columns;
            @%p bra         SUM_OF_WARP;
            mad.wide.u32    %at, %column, 4, %src;
            ld.global.f32   %x, [%at];
            mul.f32         %x, %x, %scale;
            sub.f32         %x, %x, %max;
            ex2.approx.f32  %x, %x;
            add.f32         %sum, %sum, %x;
            mad.wide.u32    %at, %column, 4, %dst;
            st.global.f32   [%at], %x;
            add.u32         %column, %column, #(THREADS);
            bra             SUM;
        SUM_OF_WARP:
            mov.u32         %i, 16;
        SUM_STEP:
            shfl.sync.bfly.b32 %y, %sum, %i, 31, -1;
            add.f32         %sum, %sum, %y;
            shr.u32         %i, %i, 1;
            setp.ne.u32     %p, %i, 0;
            @%p bra         SUM_STEP;
            @%first st.shared.f32 [%slot], %sum;
            bar.sync        0;
            mov.f32         %sum, 0f00000000;
            mov.u32         %i, 0;
        SUM_OF_BLOCK:
            mov.u32         %other, PARTIAL;
            mad.lo.u32      %other, %i, 4, %other;
            ld.shared.f32   %y, [%other];
            add.f32         %sum, %sum, %y;
            add.u32         %i, %i, 1;
            setp.lt.u32     %p, %i, #(WARPS);
            @%p bra         SUM_OF_BLOCK;

            // Each thread divides what it wrote.
            mov.u32         %column, %thread;
        DIVIDE:
            setp.ge.u32     %p, %column, %columns;
            @%p bra         DONE;
            mad.wide.u32    %at, %column, 4, %dst;
            ld.global.f32   %x, [%at];
            div.rn.f32      %x, %x, %sum;
            st.global.f32   [%at], %x;
            add.u32         %column, %column, #(THREADS);
            bra             DIVIDE;
        DONE:
            setp.eq.u32     %last, %thread, 0;
            mov.u64         %one, 1;
            @%last red.global.add.u64 [ROWS], %one;
            ret;
        }
    }
}
