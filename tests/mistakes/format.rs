//! Numbers used in the wrong format.

use super::{Access, Does, Launch, ONE, Ours};

pub(super) const ACCESSES: &[Access] = &[
    Access {
        title: "Bytes in `e5m2` that are converted as `e4m3`",
        ptx: ".visible .entry k(.param .u64 out) {
    mov.f32 %f0, 0f42200000;
    cvt.rn.satfinite.e5m2x2.f32 %h0, %f0, %f0;
    cvt.rn.f16x2.e4m3x2 %r0, %h0;
    mov.b32 {%h1, %h2}, %r0;
    cvt.f32.f16 %f1, %h1;
    cvt.rzi.u32.f32 %r1, %f1;
    st.global.u32 [%out + 4], %r1;
    ret;
}",
        right: &[("f16x2.e4m3x2", "f16x2.e5m2x2")],
        launch: ONE,
        shows: 1,
        wrong: "Both are bytes in a `.b16` register. One format has an extra exponent bit, the other an extra mantissa bit, so 40 becomes 9.",
        does: Does::Shows(&[9]),
        right_shows: &[40],
        ours: Some(Ours { ui: "a080_number_of_other_format", excerpt: "takes it as `e4m3x2`" }),
    },
    Access {
        title: "Numbers in `bf16` that are added as `f16`",
        ptx: ".visible .entry k(.param .u64 out) {
    mov.f32 %f0, 0f3F800000;
    cvt.rn.bf16x2.f32 %r0, %f0, %f0;
    add.rn.f16x2 %r1, %r0, %r0;
    st.global.u32 [%out + 4], %r1;
    ret;
}",
        right: &[("add.rn.f16x2", "add.rn.bf16x2")],
        launch: ONE,
        shows: 1,
        wrong: "Both are halves of a `.b32` register. 1 becomes 1.875, and the sum is wrong in either format.",
        does: Does::Shows(&[0x4380_4380]),
        right_shows: &[0x4000_4000],
        ours: Some(Ours { ui: "a080_number_of_other_format", excerpt: "takes it as `f16x2`" }),
    },
    Access {
        title: "Numbers of two formats in one register",
        ptx: ".visible .entry k(.param .u64 out) {
    mov.f32 %f0, 0f3F800000;
    cvt.rn.f16.f32 %h0, %f0;
    cvt.rn.bf16.f32 %h1, %f0;
    mov.b32 %r0, {%h0, %h1};
    add.rn.f16x2 %r1, %r0, %r0;
    st.global.u32 [%out + 4], %r1;
    ret;
}",
        right: &[("cvt.rn.bf16.f32", "cvt.rn.f16.f32")],
        launch: ONE,
        shows: 1,
        wrong: "The sum of the upper halves is wrong, and that of the lower halves is right.",
        does: Does::Shows(&[0x4380_4000]),
        right_shows: &[0x4000_4000],
        ours: Some(Ours { ui: "a081_lane_of_other_format", excerpt: "[A081" }),
    },
    Access {
        title: "Fragments in `bf16` that are multiplied as `f16`",
        ptx: ".visible .entry k(.param .u64 out) {
    mov.f32 %f0, 0f3F800000;
    cvt.rn.bf16x2.f32 %r0, %f0, %f0;
    mov.f32 %f1, 0f00000000;
    mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f2, %f3, %f4, %f5}, {%r0, %r0, %r0, %r0}, {%r0, %r0}, {%f1, %f1, %f1, %f1};
    cvt.rzi.u32.f32 %r1, %f2;
    st.global.u32 [%out + 4], %r1;
    ret;
}",
        right: &[("f32.f16.f16.f32", "f32.bf16.bf16.f32")],
        launch: Launch { threads: 32, ..ONE },
        shows: 1,
        wrong: "Fragments of both formats are `.b32` registers. The product of ones over 16 columns is not 16.",
        does: Does::Shows(&[56]),
        right_shows: &[16],
        ours: Some(Ours { ui: "a082_fragment_of_other_format", excerpt: "[A082" }),
    },
];
