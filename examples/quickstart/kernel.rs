//! A 5-tap blur of image rows: constant taps, a shared row, a struct parameter.

use ptx::prelude::*;

/// What a launch says about the image: rows of `width` groups of four pixels.
#[derive(Clone, Copy, PtxType)]
#[repr(C)]
pub(crate) struct Image {
    /// Groups of four pixels in a row.
    pub(crate) width: u32,
    /// Groups of four pixels from one row to the next.
    pub(crate) pitch: u32,
    /// Multiplies every result.
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

    /// A stretch of a row, with one group of four pixels more on each side.
    #[shared(align = 16)]
    static ROW: [V4<f32>; THREADS as usize + 2];

    /// Blurs the stretch of the row `%ctaid.y` that starts at group `64 * %ctaid.x`. Pixels outside
    /// the row count as zero.
    #[kernel(reqntid = THREADS)]
    pub(crate) fn rows(
        #[readonly] src: Ptr<Global, V4<f32>>,
        dst: Ptr<Global, V4<f32>>,
        image: Image,
    ) {
        ptx! {
            .reg .pred  %p<6>;
            .reg .b32   %r<14>, %slot;
            .reg .b64   %rd<8>;
            .reg .f32   %in<12>, %w<5>, %out<4>, %gain, %zero;

            // Which group of four pixels: %r3 in the row, %slot in shared memory.
            mov.u32        %r1, %tid.x;
            mov.u32        %r2, %ctaid.x;
            mad.lo.u32     %r3, %r2, #(THREADS), %r1;
            ld.param.u32   %r4, [image + #(offset_of!(Image, width))];
            ld.param.u32   %r5, [image + #(offset_of!(Image, pitch))];
            ld.param.f32   %gain, [image + #(offset_of!(Image, gain))];
            mov.u32        %r6, %ctaid.y;
            mul.lo.u32     %r7, %r6, %r5;
            ld.param.u64   %rd1, [src];
            mul.wide.u32   %rd2, %r7, #(size_of::<V4<f32>>());
            add.u64        %rd3, %rd1, %rd2;
            mov.b32        %r8, ROW;
            mad.lo.u32     %slot, %r1, 16, %r8;
            mov.f32        %zero, #(0.0_f32);

            // The thread's own group goes to slot tid + 1.
            setp.lt.u32    %p1, %r3, %r4;
            mov.f32        %in4, %zero;
            mov.f32        %in5, %zero;
            mov.f32        %in6, %zero;
            mov.f32        %in7, %zero;
            mul.wide.u32   %rd4, %r3, 16;
            add.u64        %rd5, %rd3, %rd4;
            @%p1 ld.global.v4.f32 {%in4, %in5, %in6, %in7}, [%rd5];
            st.shared.v4.f32 [%slot + 16], {%in4, %in5, %in6, %in7};

            // The first thread fetches the group before, the last the group behind.
            setp.ne.u32    %p2, %r1, 0;
            @%p2 bra       AFTER_LEFT;
            mov.f32        %in0, %zero;
            mov.f32        %in1, %zero;
            mov.f32        %in2, %zero;
            mov.f32        %in3, %zero;
            setp.ne.u32    %p3, %r3, 0;
            @%p3 ld.global.v4.f32 {%in0, %in1, %in2, %in3}, [%rd5 + -16];
            st.shared.v4.f32 [ROW], {%in0, %in1, %in2, %in3};
        AFTER_LEFT:
            setp.ne.u32    %p4, %r1, #(THREADS - 1);
            @%p4 bra       AFTER_RIGHT;
            add.u32        %r9, %r3, 1;
            setp.lt.u32    %p5, %r9, %r4;
            mov.f32        %in8, %zero;
            mov.f32        %in9, %zero;
            mov.f32        %in10, %zero;
            mov.f32        %in11, %zero;
            @%p5 ld.global.v4.f32 {%in8, %in9, %in10, %in11}, [%rd5 + 16];
            st.shared.v4.f32 [ROW + #(16 * (THREADS + 1))], {%in8, %in9, %in10, %in11};
        AFTER_RIGHT:
            bar.sync       0;

            @!%p1 bra      DONE;
            ld.shared.v4.f32 {%in0, %in1, %in2, %in3}, [%slot];
            ld.shared.v4.f32 {%in8, %in9, %in10, %in11}, [%slot + 32];
            ld.const.f32   %w0, [TAPS];
            ld.const.f32   %w1, [TAPS + 4];
            ld.const.f32   %w2, [TAPS + 8];
            ld.const.f32   %w3, [TAPS + 12];
            ld.const.f32   %w4, [TAPS + 16];

            mul.rn.f32     %out0, %in2, %w0;
            fma.rn.f32     %out0, %in3, %w1, %out0;
            fma.rn.f32     %out0, %in4, %w2, %out0;
            fma.rn.f32     %out0, %in5, %w3, %out0;
            fma.rn.f32     %out0, %in6, %w4, %out0;
            mul.rn.f32     %out1, %in3, %w0;
            fma.rn.f32     %out1, %in4, %w1, %out1;
            fma.rn.f32     %out1, %in5, %w2, %out1;
            fma.rn.f32     %out1, %in6, %w3, %out1;
            fma.rn.f32     %out1, %in7, %w4, %out1;
            mul.rn.f32     %out2, %in4, %w0;
            fma.rn.f32     %out2, %in5, %w1, %out2;
            fma.rn.f32     %out2, %in6, %w2, %out2;
            fma.rn.f32     %out2, %in7, %w3, %out2;
            fma.rn.f32     %out2, %in8, %w4, %out2;
            mul.rn.f32     %out3, %in5, %w0;
            fma.rn.f32     %out3, %in6, %w1, %out3;
            fma.rn.f32     %out3, %in7, %w2, %out3;
            fma.rn.f32     %out3, %in8, %w3, %out3;
            fma.rn.f32     %out3, %in9, %w4, %out3;
            mul.rn.f32     %out0, %out0, %gain;
            mul.rn.f32     %out1, %out1, %gain;
            mul.rn.f32     %out2, %out2, %gain;
            mul.rn.f32     %out3, %out3, %gain;

            ld.param.u64   %rd6, [dst];
            add.u64        %rd7, %rd6, %rd2;
            add.u64        %rd7, %rd7, %rd4;
            st.global.v4.f32 [%rd7], {%out0, %out1, %out2, %out3};
            setp.ne.u32    %p3, %r3, 0;
            @!%p3 red.global.add.u32 [ROWS], 1;
        DONE:
            ret;
        }
    }
}
