//! Barriers.

use super::{Access, Arg, Does, Launch, Map, ONE, Ours};

pub(super) const ACCESSES: &[Access] = &[
    Access {
        title: "A barrier at an offset of four bytes",
        ptx: ".extern .shared .align 8 .b8 barriers[];
.visible .entry k(.param .u64 out) {
    mbarrier.init.shared.b64 [barriers + 4], 1;
    ret;
}",
        right: &[("[barriers + 4]", "[barriers + 8]")],
        launch: Launch { dynamic: 64, ..ONE },
        shows: 0,
        wrong: "The instruction faults with a misaligned address.",
        does: Does::Fault(716),
        right_shows: &[],
        ours: Some(Ours { ui: "a021_offset_misaligned", excerpt: "offset 4 into `BARRIERS`" }),
    },
    Access {
        title: "A barrier that is read with plain loads",
        ptx: ".shared .b64 full;
.visible .entry k(.param .u64 out) {
    mbarrier.init.shared.b64 [full], 1;
    ld.volatile.shared.u64 %d0, [full];
    mbarrier.arrive.shared.b64 %d1, [full];
    // pause
    ld.volatile.shared.u64 %d2, [full];
    setp.ne.u64 %p0, %d0, %d2;
    selp.u32 %r0, 1, 0, %p0;
    st.global.u32 [%out + 4], %r0;
    ret;
}",
        right: &[("setp.ne.u64 %p0, %d0, %d2;", "mbarrier.test_wait.shared.b64 %p0, [full], %d1;")],
        launch: ONE,
        shows: 1,
        wrong: "The barrier's bits are opaque (9.7.13), and the hardware keeps them elsewhere: the loads see the bytes from before the initialisation, and a loop that waits for them to change never ends.",
        does: Does::Shows(&[0]),
        right_shows: &[1],
        ours: Some(Ours { ui: "a023_barrier_touched", excerpt: "ld.shared.u64 %d, [BARRIER]" }),
    },
    Access {
        title: "Data stored over a barrier",
        ptx: ".shared .b64 full;
.shared .align 8 .b8 others[256];
.visible .entry k(.param .u64 out) {
    mbarrier.init.shared.b64 [full], 1;
    st.shared.u64 [full], 42;
    mov.u32 %r0, others;
    add.u32 %r1, %r0, 256;
NEXT:
    mbarrier.init.shared.b64 [%r0], 1;
    add.u32 %r0, %r0, 8;
    setp.lt.u32 %p0, %r0, %r1;
    @%p0 bra NEXT;
    // pause
    ld.volatile.shared.u32 %r0, [full];
    st.global.u32 [%out + 4], %r0;
    ret;
}",
        right: &[("st.shared.u64 [full], 42;", "mbarrier.inval.shared.b64 [full];\nst.shared.u64 [full], 42;")],
        launch: ONE,
        shows: 1,
        wrong: "The barrier is still live, and its bits overwrite the data once there are 32 others, because the hardware needs the space for those.",
        does: Does::Shows(&[0x1f_fffe]),
        right_shows: &[42],
        ours: Some(Ours { ui: "a023_barrier_touched", excerpt: "st.shared.u64 [STAGES" }),
    },
    Access {
        title: "A barrier on top of data",
        ptx: ".shared .align 8 .f32 row[64];
.shared .b64 full;
.visible .entry k(.param .u64 out) {
    // number 64 words of row
    mbarrier.init.shared.b64 [row], 1;
    mbarrier.inval.shared.b64 [row];
    // pause
    // show 64 words of row
    ret;
}",
        right: &[
            ("mbarrier.init.shared.b64 [row]", "mbarrier.init.shared.b64 [full]"),
            ("mbarrier.inval.shared.b64 [row]", "mbarrier.inval.shared.b64 [full]"),
        ],
        launch: ONE,
        shows: 64,
        wrong: "It overwrites two elements, though not immediately: the hardware keeps the barrier elsewhere until it is invalidated, or until there are 32 others.",
        does: Does::Differs(2),
        right_shows: &[0, 1, 2, 3],
        ours: Some(Ours { ui: "a024_not_a_barrier", excerpt: "`ROW`" }),
    },
    Access {
        title: "A barrier that expects more bytes than arrive",
        ptx: ".shared .align 128 .b8 tile[4096];
.shared .b64 full;
.visible .entry k(.param .u64 out, .param .align 64 .b8 map[128]) {
    mbarrier.init.shared.b64 [full], 1;
    fence.proxy.async.shared::cta;
    mov.b64 %d0, map;
    cvta.param.u64 %d0, %d0;
    mov.u32 %r0, 0;
    mbarrier.arrive.expect_tx.shared.b64 _, [full], 8192;
    cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%d0, {%r0, %r0}], [full];
    // wait for phase 0 of full
    // show 4 words of tile
    ret;
}",
        right: &[("8192", "4096")],
        launch: Launch { args: &[Arg::Map(Map::Plain)], ..ONE },
        shows: 4,
        wrong: "The wait never ends.",
        does: Does::Hangs,
        right_shows: &[0x1_0000, 0x3_0002, 0x5_0004, 0x7_0006],
        ours: Some(Ours { ui: "a041_transactions_differ", excerpt: "expects 512 bytes" }),
    },
    Access {
        title: "A barrier that expects fewer bytes than arrive",
        ptx: ".shared .align 128 .b8 tile[4096];
.shared .align 128 .b8 next[4096];
.shared .b64 full;
.visible .entry k(.param .u64 out, .param .align 64 .b8 map[128]) {
    // number 1024 words of next
    mbarrier.init.shared.b64 [full], 1;
    fence.proxy.async.shared::cta;
    mov.b64 %d0, map;
    cvta.param.u64 %d0, %d0;
    mov.u32 %r0, 0;
    mbarrier.arrive.expect_tx.shared.b64 _, [full], 4096;
    cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%d0, {%r0, %r0}], [full];
    // pause
    cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [next], [%d0, {%r0, %r0}], [full];
    // wait for phase 0 of full
    ld.shared.u32 %r1, [next + 4092];
    st.global.u32 [%out + 4], %r1;
    // pause
    ret;
}",
        right: &[("[full], 4096;", "[full], 8192;")],
        launch: Launch { args: &[Arg::Map(Map::Plain)], ..ONE },
        shows: 1,
        wrong: "The phase ends with the first tile, and the second is read before it has arrived: the word is the one from before the copy.",
        does: Does::Shows(&[1023]),
        right_shows: &[0x7ff_07fe],
        ours: Some(Ours { ui: "a041_transactions_differ", excerpt: "expects 64 bytes" }),
    },
    Access {
        title: "A barrier that expects fewer bytes than arrive, and is used again",
        ptx: ".shared .align 128 .b8 tile[4096];
.shared .b64 full;
.visible .entry k(.param .u64 out, .param .align 64 .b8 map[128]) {
    mbarrier.init.shared.b64 [full], 1;
    fence.proxy.async.shared::cta;
    mov.b64 %d0, map;
    cvta.param.u64 %d0, %d0;
    mov.u32 %r0, 0;
    mbarrier.arrive.expect_tx.shared.b64 _, [full], 2048;
    cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%d0, {%r0, %r0}], [full];
    // wait for phase 0 of full
    st.global.u32 [%out + 4], 1;
    mbarrier.arrive.shared.b64 %d1, [full];
    // wait for phase 1 of full
    ret;
}",
        right: &[("2048", "4096")],
        launch: Launch { args: &[Arg::Map(Map::Plain)], ..ONE },
        shows: 1,
        wrong: "The pending count goes below zero. If the hardware saw it at zero, the phase ends early, and the next phase, which does not expect the remaining bytes, never ends; otherwise this phase never ends. Both were observed.",
        does: Does::Hangs,
        right_shows: &[1],
        ours: Some(Ours { ui: "a041_transactions_differ", excerpt: "expects 16384 bytes" }),
    },
];
