//! A 5-tap blur of image rows: constant taps, a shared row, a struct parameter.

use ptx::prelude::*;

/// The image that a launch works on: rows of `width` groups of four pixels.
#[derive(Clone, Copy, PtxType)]
#[repr(C)]
pub(crate) struct Image {
    /// Groups of four pixels in a row.
    pub(crate) width: u32,
    /// Groups of four pixels from one row to the next.
    pub(crate) pitch: u32,
    /// Factor for every result.
    pub(crate) gain: f32,
}

/// Blurs rows of an image.
#[ptx::module(target = sm_90a)]
pub(crate) mod blur {
    use super::*;

    /// Threads of a block; each blurs four pixels of a row.
    pub(crate) const THREADS: u32 = 64;

    /// Filter taps; the host may replace them before a launch.
    #[constant]
    pub(crate) static TAPS: [f32; 5] = [0.0625, 0.25, 0.375, 0.25, 0.0625];

    /// Counts the rows that were blurred.
    #[global]
    pub(crate) static ROWS: u32 = 0;

    /// A segment of a row, with one more group of four pixels on each side.
    #[shared(align = 16)]
    static ROW: [V4<f32>; THREADS as usize + 2];

    /// Blurs the segment of the row `%ctaid.y` that starts at group `64 * %ctaid.x`. Pixels outside
    /// the row count as zero.
    #[kernel(reqntid = THREADS)]
    pub(crate) fn rows(
        #[readonly] src: Ptr<Global, V4<f32>>,
        dst: Ptr<Global, V4<f32>>,
        image: Image,
    ) {
        ptx! {
            let %thread, %block, %group, %width, %pitch, %row, %i, %next: u32;
            let %from, %to: Ptr<Global, V4<f32>>;
            let %slot: Ptr<Shared, V4<f32>>;
            let %in: [f32; 12];
            let %tap: [f32; 5];
            let %out: [f32; 4];
            let %gain: f32;
            let %inside, %other: bool;

            // The group of four pixels: %group in the row, %slot in shared memory.
            mov.u32        %thread, %tid.x;
            mov.u32        %block, %ctaid.x;
            mad.lo.u32     %group, %block, #(THREADS), %thread;
            ld.param.u32   %width, [image.width];
            ld.param.u32   %pitch, [image.pitch];
            ld.param.f32   %gain, [image.gain];
            mov.u32        %row, %ctaid.y;
            mad.lo.u32     %i, %row, %pitch, %group;
            lea.global.u64 %from, src[%i];
            lea.shared.u32 %slot, ROW[%thread];

            // The thread's own group goes to slot tid + 1.
            setp.lt.u32    %inside, %group, %width;
            for i in 4..8 { mov.f32 %in[i], 0f00000000; }
            @%inside ld.global.v4.f32 {%in[4..8]}, [%from];
            st.shared.v4.f32 [%slot[1]], {%in[4..8]};

            // The first thread loads the group before the segment, the last thread the group after it.
            setp.ne.u32    %other, %thread, 0;
            @%other bra    AFTER_LEFT;
            for i in 0..4 { mov.f32 %in[i], 0f00000000; }
            setp.ne.u32    %other, %group, 0;
            @%other ld.global.v4.f32 {%in[0..4]}, [%from[-1]];
            st.shared.v4.f32 [ROW], {%in[0..4]};
        AFTER_LEFT:
            setp.ne.u32    %other, %thread, #(THREADS - 1);
            @%other bra    AFTER_RIGHT;
            add.u32        %next, %group, 1;
            setp.lt.u32    %other, %next, %width;
            for i in 8..12 { mov.f32 %in[i], 0f00000000; }
            @%other ld.global.v4.f32 {%in[8..12]}, [%from[1]];
            st.shared.v4.f32 [ROW[THREADS + 1]], {%in[8..12]};
        AFTER_RIGHT:
            bar.sync       0;

            @!%inside bra  DONE;
            ld.shared.v4.f32 {%in[0..4]}, [%slot];
            ld.shared.v4.f32 {%in[8..12]}, [%slot[2]];
            for i in 0..5 { ld.const.f32 %tap[i], [TAPS[i]]; }
            for i in 0..4 {
                mul.rn.f32     %out[i], %in[i + 2], %tap[0];
                for tap in 1..5 {
                    fma.rn.f32     %out[i], %in[i + tap + 2], %tap[tap], %out[i];
                }
            }
            for i in 0..4 { mul.rn.f32 %out[i], %out[i], %gain; }

            lea.global.u64 %to, dst[%i];
            st.global.v4.f32 [%to], {%out[0..4]};
            setp.ne.u32    %other, %group, 0;
            @!%other red.global.add.u32 [ROWS], 1;
        DONE:
            ret;
        }
    }
}
