//! Accesses that go out of bounds only in some threads or loop iterations.

use super::{Access, Does, Launch, ONE, Ours};

pub(super) const ACCESSES: &[Access] = &[
    Access {
        title: "More threads than elements, in shared memory",
        ptx: ".shared .align 16 .b32 row[32];
.extern .shared .align 16 .b8 next[];
.visible .entry k(.param .u64 out) .reqntid 64 {
    st.volatile.shared.u32 [next], 99;
    bar.sync 0;
    mov.u32 %r0, %tid.x;
    mov.u32 %r1, row;
    mad.lo.u32 %r1, %r0, 4, %r1;
    st.shared.u32 [%r1], %r0;
    bar.sync 0;
    ld.volatile.shared.u32 %r2, [next];
    st.global.u32 [%out + 4], %r2;
    ret;
}",
        right: &[("row[32]", "row[64]")],
        launch: Launch { threads: 64, dynamic: 16, ..ONE },
        shows: 1,
        wrong: "Thread 32 overwrites whatever follows `row`.",
        does: Does::Shows(&[32]),
        right_shows: &[99],
        ours: Some(Ours { ui: "a020_executions", excerpt: "(by thread 255)" }),
    },
    Access {
        title: "An inverted guard",
        ptx: ".shared .align 16 .b32 row[16];
.extern .shared .align 16 .b8 next[];
.visible .entry k(.param .u64 out) {
    st.volatile.shared.u32 [next + 12], 99;
    ld.global.u32 %r0, [%out];
    shr.u32 %r0, %r0, 2;
    and.b32 %r0, %r0, 31;
    setp.lt.u32 %p0, %r0, 16;
    @%p0 bra DONE;
    mov.u32 %r1, row;
    mad.lo.u32 %r1, %r0, 4, %r1;
    st.shared.u32 [%r1], %r0;
DONE:
    ld.volatile.shared.u32 %r2, [next + 12];
    st.global.u32 [%out + 4], %r2;
    ret;
}",
        right: &[("setp.lt.u32", "setp.ge.u32")],
        launch: Launch { dynamic: 16, ..ONE },
        shows: 1,
        wrong: "Only the indices that are too large are used.",
        does: Does::Shows(&[19]),
        right_shows: &[99],
        ours: Some(Ours { ui: "a020_everywhere", excerpt: "(the nearest of several places)" }),
    },
    Access {
        title: "A loop counter used as an index after the loop",
        ptx: ".shared .align 16 .b32 row[16];
.extern .shared .align 16 .b8 next[];
.visible .entry k(.param .u64 out) {
    st.volatile.shared.u32 [next], 99;
    mov.u32 %r1, row;
    mov.u32 %r0, 0;
CLEAR:
    mad.lo.u32 %r2, %r0, 4, %r1;
    st.shared.u32 [%r2], 0;
    add.u32 %r0, %r0, 1;
    setp.lt.u32 %p0, %r0, 16;
    @%p0 bra CLEAR;
    mad.lo.u32 %r2, %r0, 4, %r1;
    st.shared.u32 [%r2], 7;
    ld.volatile.shared.u32 %r3, [next];
    st.global.u32 [%out + 4], %r3;
    ret;
}",
        right: &[("st.shared.u32 [%r2], 7;", "st.shared.u32 [%r2 + -4], 7;")],
        launch: Launch { dynamic: 16, ..ONE },
        shows: 1,
        wrong: "After the loop the counter is one past the last index, and whatever follows `row` is overwritten.",
        does: Does::Shows(&[7]),
        right_shows: &[99],
        ours: Some(Ours { ui: "a020_everywhere", excerpt: "ends at byte 260" }),
    },
    Access {
        title: "A loop with one iteration too many",
        ptx: ".shared .align 16 .b32 sums[16];
.extern .shared .align 16 .b8 next[];
.visible .entry k(.param .u64 out) {
    st.volatile.shared.u32 [next], 99;
    mov.u32 %r0, 0;
    mov.u32 %r1, sums;
FILL:
    mad.lo.u32 %r2, %r0, 4, %r1;
    st.shared.u32 [%r2], %r0;
    add.u32 %r0, %r0, 1;
    setp.le.u32 %p0, %r0, 16;
    @%p0 bra FILL;
    ld.volatile.shared.u32 %r3, [next];
    st.global.u32 [%out + 4], %r3;
    ret;
}",
        right: &[("setp.le.u32 %p0, %r0, 16", "setp.lt.u32 %p0, %r0, 16")],
        launch: Launch { dynamic: 16, ..ONE },
        shows: 1,
        wrong: "The last iteration overwrites whatever follows `sums`.",
        does: Does::Shows(&[16]),
        right_shows: &[99],
        ours: Some(Ours {
            ui: "a020_executions",
            excerpt: "in iteration 65 of the loop at `FILL`",
        }),
    },
    Access {
        title: "A pointer that goes one element too far",
        ptx: ".shared .align 16 .b32 sums[16];
.extern .shared .align 16 .b8 next[];
.visible .entry k(.param .u64 out) {
    st.volatile.shared.u32 [next], 99;
    mov.u32 %r0, sums;
    add.u32 %r1, %r0, 64;
CLEAR:
    st.shared.u32 [%r0], 7;
    add.u32 %r0, %r0, 4;
    setp.le.u32 %p0, %r0, %r1;
    @%p0 bra CLEAR;
    ld.volatile.shared.u32 %r2, [next];
    st.global.u32 [%out + 4], %r2;
    ret;
}",
        right: &[("setp.le.u32 %p0, %r0, %r1", "setp.lt.u32 %p0, %r0, %r1")],
        launch: Launch { dynamic: 16, ..ONE },
        shows: 1,
        wrong: "The end pointer does not point to an element: the last iteration overwrites whatever follows `sums`.",
        does: Does::Shows(&[7]),
        right_shows: &[99],
        ours: Some(Ours {
            ui: "a020_threads_and_rounds",
            excerpt: "byte 68 of `SUMS`, which has 64 bytes (in iteration 17 of the loop at `CLEAR`)",
        }),
    },
    Access {
        title: "A loop that counts down past zero",
        ptx: ".shared .align 16 .b32 last[4];
.extern .shared .align 16 .b8 tail[];
.visible .entry k(.param .u64 out) {
    st.volatile.shared.u32 [last + 12], 99;
    mov.u32 %r0, 15;
    mov.u32 %r1, tail;
BACK:
    mad.lo.s32 %r2, %r0, 4, %r1;
    st.shared.u32 [%r2], %r0;
    sub.s32 %r0, %r0, 1;
    setp.ge.s32 %p0, %r0, -1;
    @%p0 bra BACK;
    ld.volatile.shared.u32 %r3, [last + 12];
    st.global.u32 [%out + 4], %r3;
    ret;
}",
        right: &[("setp.ge.s32 %p0, %r0, -1", "setp.ge.s32 %p0, %r0, 0")],
        launch: Launch { dynamic: 64, ..ONE },
        shows: 1,
        wrong: "The last iteration overwrites the end of the variable before.",
        does: Does::Shows(&[0xffff_ffff]),
        right_shows: &[99],
        ours: Some(Ours {
            ui: "a020_executions",
            excerpt: "in iteration 65 of the loop at `BACK`",
        }),
    },
    Access {
        title: "Vectors at the stride of their elements",
        ptx: ".shared .align 16 .b8 row[1056];
.visible .entry k(.param .u64 out) .reqntid 64 {
    // number 264 words of row
    bar.sync 0;
    mov.u32 %r0, %tid.x;
    mov.u32 %r1, row;
    mad.lo.u32 %r1, %r0, 4, %r1;
    ld.shared.v4.b32 {%r4, %r5, %r6, %r7}, [%r1];
    mad.wide.u32 %d0, %r0, 4, %out;
    st.global.u32 [%d0 + 4], %r7;
    ret;
}",
        right: &[("mad.lo.u32 %r1, %r0, 4, %r1", "mad.lo.u32 %r1, %r0, 16, %r1")],
        launch: Launch { threads: 64, ..ONE },
        shows: 4,
        wrong: "The vectors overlap: where ptxas sees that the address is not a multiple of 16, it loads four single words; where it does not, the load faults.",
        does: Does::Shows(&[3, 4, 5, 6]),
        right_shows: &[3, 7, 11, 15],
        ours: Some(Ours { ui: "a020_executions", excerpt: "offset 4 into `VECTORS`" }),
    },
    Access {
        title: "Barriers at a stride of four bytes",
        ptx: ".shared .b64 full[4];
.visible .entry k(.param .u64 out) {
    mov.u32 %r0, 0;
    mov.u32 %r1, full;
INIT:
    mad.lo.u32 %r2, %r0, 4, %r1;
    mbarrier.init.shared.b64 [%r2], 1;
    add.u32 %r0, %r0, 1;
    setp.lt.u32 %p0, %r0, 4;
    @%p0 bra INIT;
    ret;
}",
        right: &[("mad.lo.u32 %r2, %r0, 4, %r1", "mad.lo.u32 %r2, %r0, 8, %r1")],
        launch: ONE,
        shows: 0,
        wrong: "The second iteration faults with a misaligned address.",
        does: Does::Fault(716),
        right_shows: &[],
        ours: Some(Ours { ui: "a020_executions", excerpt: "offset 4 into `FULL`" }),
    },
];
