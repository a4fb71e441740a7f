//! Bounds, alignment and element types of plain loads and stores.

use super::{Access, Arg, Does, Launch, ONE, Ours};

pub(super) const ACCESSES: &[Access] = &[
    Access {
        title: "A vector access at an offset that is not a multiple of its size",
        ptx: ".shared .align 16 .b8 row[1056];
.visible .entry k(.param .u64 out) {
    // number 264 words of row
    ld.shared.v4.b32 {%r0, %r1, %r2, %r3}, [row + 4];
    st.global.u32 [%out + 4], %r0;
    st.global.u32 [%out + 8], %r1;
    st.global.u32 [%out + 12], %r2;
    st.global.u32 [%out + 16], %r3;
    ret;
}",
        right: &[("[row + 4]", "[row + 16]")],
        launch: ONE,
        shows: 4,
        wrong: "The load faults with a misaligned address, at every launch.",
        does: Does::Fault(716),
        right_shows: &[4, 5, 6, 7],
        ours: Some(Ours { ui: "a021_offset_misaligned", excerpt: "offset 4 into `ROW`" }),
    },
    Access {
        title: "A vector access to a variable that is aligned only for its elements",
        ptx: ".shared .f32 first;
.shared .f32 row[64];
.visible .entry k(.param .u64 out) {
    st.shared.u32 [first], 1;
    // number 64 words of row
    ld.shared.v4.b32 {%r0, %r1, %r2, %r3}, [row];
    st.global.u32 [%out + 4], %r0;
    st.global.u32 [%out + 8], %r1;
    st.global.u32 [%out + 12], %r2;
    st.global.u32 [%out + 16], %r3;
    ret;
}",
        right: &[(".shared .f32 row", ".shared .align 16 .f32 row")],
        launch: ONE,
        shows: 4,
        wrong: "The load faults as soon as another variable moves `row` to an address that is not a multiple of 16.",
        does: Does::Fault(716),
        right_shows: &[0, 1, 2, 3],
        ours: Some(Ours { ui: "a022_base_misaligned", excerpt: "`ROW` is aligned to 4 bytes" }),
    },
    Access {
        title: "An access past the end of a variable",
        ptx: ".shared .align 16 .b8 row[1056];
.extern .shared .align 16 .b8 next[];
.visible .entry k(.param .u64 out) {
    // number 264 words of row
    st.shared.u32 [next], 42;
    ld.shared.b32 %r0, [row + 1056];
    st.global.u32 [%out + 4], %r0;
    ret;
}",
        right: &[("[row + 1056]", "[row + 1052]")],
        launch: Launch { dynamic: 16, ..ONE },
        shows: 1,
        wrong: "It reads or overwrites whatever follows `row`.",
        does: Does::Shows(&[42]),
        right_shows: &[263],
        ours: Some(Ours { ui: "a020_out_of_bounds", excerpt: "[ROW + 1056]" }),
    },
    Access {
        title: "An access before the start of a variable",
        ptx: ".shared .align 16 .b32 last[4];
.extern .shared .align 4 .b8 tail[];
.visible .entry k(.param .u64 out) {
    st.shared.u32 [last + 12], 42;
    st.shared.u32 [tail], 7;
    ld.shared.b32 %r0, [tail + -4];
    st.global.u32 [%out + 4], %r0;
    ret;
}",
        right: &[("[tail + -4]", "[tail + 0]")],
        launch: Launch { dynamic: 16, ..ONE },
        shows: 1,
        wrong: "It reads or overwrites the end of the static shared memory.",
        does: Does::Shows(&[42]),
        right_shows: &[7],
        ours: Some(Ours { ui: "a020_out_of_bounds", excerpt: "[TAIL + -4]" }),
    },
    Access {
        title: "A parameter read wider than it is",
        ptx: ".visible .entry k(.param .u64 out, .param .u32 n, .param .u32 m) {
    ld.param.u64 %d0, [n];
    st.global.u32 [%out + 4], %d0;
    shr.u64 %d0, %d0, 32;
    st.global.u32 [%out + 8], %d0;
    ret;
}",
        right: &[("ld.param.u64 %d0, [n]", "ld.param.u32 %d0, [n]")],
        launch: Launch { args: &[Arg::U32(7), Arg::U32(9)], ..ONE },
        shows: 2,
        wrong: "The upper half is the next parameter, or whatever follows the last one.",
        does: Does::Shows(&[7, 9]),
        right_shows: &[7, 0],
        ours: Some(Ours { ui: "a020_out_of_bounds", excerpt: "ld.param.u64 %d, [n]" }),
    },
    Access {
        title: "A field that a struct passed to a kernel does not have",
        ptx: ".visible .entry k(.param .u64 out, .param .align 4 .b8 config[8], .param .u32 n) {
    ld.param.u32 %r0, [config + 8];
    st.global.u32 [%out + 4], %r0;
    ret;
}",
        right: &[("[config + 8]", "[config + 4]")],
        launch: Launch { args: &[Arg::U64(5 << 32 | 3), Arg::U32(9)], ..ONE },
        shows: 1,
        wrong: "The kernel computes with another parameter, or with whatever follows the last one.",
        does: Does::Shows(&[9]),
        right_shows: &[5],
        ours: Some(Ours { ui: "a020_out_of_bounds", excerpt: "[config + 8]" }),
    },
    Access {
        title: "A parameter read at a misaligned offset",
        ptx: ".visible .entry k(.param .u64 out, .param .u64 n) {
    ld.param.u32 %r0, [n + 2];
    st.global.u32 [%out + 4], %r0;
    ret;
}",
        right: &[("[n + 2]", "[n + 4]")],
        launch: Launch { args: &[Arg::U64(0x8877_6655_4433_2211)], ..ONE },
        shows: 1,
        wrong: "Undefined (6.4.1): constant memory has no misaligned accesses.",
        does: Does::Fault(716),
        right_shows: &[0x8877_6655],
        ours: Some(Ours { ui: "a021_offset_misaligned", excerpt: "offset 2 into `n`" }),
    },
    Access {
        title: "A row of a matrix at an offset that is not a multiple of 16 bytes",
        ptx: ".shared .align 16 .b8 row[1056];
.visible .entry k(.param .u64 out) {
    // number 264 words of row
    ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [row + 8];
    mov.u32 %r1, %laneid;
    mad.wide.u32 %d0, %r1, 4, %out;
    st.global.u32 [%d0 + 4], %r0;
    ret;
}",
        right: &[("[row + 8]", "[row + 16]")],
        launch: Launch { threads: 32, ..ONE },
        shows: 4,
        wrong: "The load faults with a misaligned address.",
        does: Does::Fault(716),
        right_shows: &[4, 5, 6, 7],
        ours: Some(Ours { ui: "a021_offset_misaligned", excerpt: "offset 8 into `ROW`" }),
    },
    Access {
        title: "A store at an offset that is not a multiple of its size",
        ptx: ".shared .align 16 .b8 row[1056];
.visible .entry k(.param .u64 out) {
    st.shared.f32 [row + 6], 0f3F800000;
    ld.shared.b32 %r0, [row + 8];
    st.global.u32 [%out + 4], %r0;
    ret;
}",
        right: &[("[row + 6]", "[row + 8]")],
        launch: ONE,
        shows: 1,
        wrong: "The store faults with a misaligned address.",
        does: Does::Fault(716),
        right_shows: &[0x3f80_0000],
        ours: Some(Ours { ui: "a021_offset_misaligned", excerpt: "offset 6 into `ROW`" }),
    },
    Access {
        title: "A store past the end of a thread's local array",
        ptx: ".visible .entry k(.param .u64 out, .param .u32 n) {
    .local .align 16 .b8 next[16];
    .local .align 16 .b8 stack[16];
    ld.param.u32 %r0, [n];
    mov.u64 %d0, next;
    mov.u64 %d1, stack;
    mad.wide.u32 %d2, %r0, 4, %d0;
    mad.wide.u32 %d3, %r0, 4, %d1;
    st.local.b32 [%d2], 7;
    st.local.b32 [%d3], 7;
    st.local.b32 [stack + 16], 42;
    ld.local.b32 %r1, [%d2];
    st.global.u32 [%out + 4], %r1;
    ret;
}",
        right: &[("[stack + 16]", "[stack + 12]")],
        launch: Launch { args: &[Arg::U32(0)], ..ONE },
        shows: 1,
        wrong: "It overwrites whatever follows `stack`.",
        does: Does::Shows(&[42]),
        right_shows: &[7],
        ours: Some(Ours { ui: "a020_out_of_bounds", excerpt: "[stack + 16]" }),
    },
    Access {
        title: "Integers loaded as floating-point numbers",
        ptx: ".shared .u32 counts[4];
.visible .entry k(.param .u64 out) {
    // number 4 words of counts
    ld.shared.f32 %f0, [counts + 12];
    mul.f32 %f0, %f0, 0f42C80000;
    cvt.rzi.u32.f32 %r0, %f0;
    st.global.u32 [%out + 4], %r0;
    ret;
}",
        right: &[(
            "ld.shared.f32 %f0, [counts + 12];",
            "ld.shared.u32 %r1, [counts + 12];\ncvt.rn.f32.u32 %f0, %r1;",
        )],
        launch: ONE,
        shows: 1,
        wrong: "The bits of 3 are a subnormal number, and 100 times that rounds to 0.",
        does: Does::Shows(&[0]),
        right_shows: &[300],
        ours: Some(Ours {
            ui: "a034_wrong_type",
            excerpt: "`COUNTS` holds `.u32` there, but this uses it as `.f32`",
        }),
    },
    Access {
        title: "A vector access through a pointer parameter that promises less alignment",
        ptx: ".visible .entry k(.param .u64 out, .param .u64 .ptr .global .align 4 data) {
    ld.param.u64 %d0, [data];
    ld.global.v4.b32 {%r0, %r1, %r2, %r3}, [%d0];
    st.global.u32 [%out + 4], %r0;
    st.global.u32 [%out + 8], %r1;
    st.global.u32 [%out + 12], %r2;
    st.global.u32 [%out + 16], %r3;
    ret;
}",
        right: &[(
            "ld.global.v4.b32 {%r0, %r1, %r2, %r3}, [%d0];",
            "ld.global.b32 %r0, [%d0];\nld.global.b32 %r1, [%d0 + 4];\nld.global.b32 %r2, [%d0 + 8];\nld.global.b32 %r3, [%d0 + 12];",
        )],
        launch: Launch { args: &[Arg::Numbers(4)], ..ONE },
        shows: 4,
        wrong: "The host passes what the parameter requires, an address aligned to 4 bytes, and the load faults.",
        does: Does::Fault(716),
        right_shows: &[0x3_0002, 0x5_0004, 0x7_0006, 0x9_0008],
        ours: Some(Ours { ui: "a036_promise_too_low", excerpt: "`p` promises" }),
    },
    Access {
        title: "An access at a misaligned offset from a register",
        ptx: ".visible .entry k(.param .u64 out, .param .u64 .ptr .global .align 16 data) {
    ld.param.u64 %d0, [data];
    ld.global.u32 %r0, [%d0 + 6];
    st.global.u32 [%out + 4], %r0;
    ret;
}",
        right: &[("[%d0 + 6]", "[%d0 + 8]")],
        launch: Launch { args: &[Arg::Numbers(0)], ..ONE },
        shows: 1,
        wrong: "The load faults with a misaligned address, at every launch.",
        does: Does::Fault(716),
        right_shows: &[0x5_0004],
        ours: Some(Ours { ui: "a021_offset_misaligned", excerpt: "offset 6 into `*p`" }),
    },
    Access {
        title: "`ld.global.nc` from memory that the thread has stored to",
        ptx: ".global .u32 x = 7;
.visible .entry k(.param .u64 out) {
    ld.global.nc.u32 %r0, [x];
    add.u32 %r1, %r0, 35;
    st.global.u32 [x], %r1;
    ld.global.nc.u32 %r2, [x];
    st.global.u32 [%out + 4], %r2;
    ret;
}",
        right: &[("ld.global.nc.u32 %r2", "ld.global.u32 %r2")],
        launch: ONE,
        shows: 1,
        wrong: "`.nc` promises that nothing stores there while the kernel runs: ptxas loads only once, and the cache is not coherent.",
        does: Does::Shows(&[7]),
        right_shows: &[42],
        ours: Some(Ours { ui: "a061_stored_before_nc", excerpt: "[A061" }),
    },
];
