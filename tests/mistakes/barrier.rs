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
        ours: Some(Ours { ui: "a021_offset_misaligned", says: "byte 4 of `BARRIERS`" }),
    },
    Access {
        title: "A barrier that plain loads and stores go to",
        ptx: ".shared .b64 full;
.visible .entry k(.param .u64 out) {
    mbarrier.init.shared.b64 [full], 2;
    // pause
    ld.shared.u64 %d0, [full];
    mbarrier.arrive.shared.b64 %d1, [full];
    // pause
    st.shared.u64 [full], %d0;
    // pause
    mbarrier.arrive.shared.b64 %d1, [full];
    // wait for phase 0 of full
    ret;
}",
        right: &[("st.shared.u64 [full], %d0;", "")],
        launch: ONE,
        shows: 0,
        wrong: "What its bits mean is nobody's business but the hardware's (9.7.13). The store loses an arrival, and the wait never ends. (Without the pauses the load has come before the barrier was initialised: plain accesses and barriers are not ordered.)",
        does: Does::Hangs,
        right_shows: &[],
        ours: Some(Ours { ui: "a023_barrier_touched", says: "[BARRIER]" }),
    },
    Access {
        title: "A barrier where data lies",
        ptx: ".shared .align 8 .f32 row[64];
.shared .b64 full;
.visible .entry k(.param .u64 out) {
    // number 64 words of row
    mbarrier.init.shared.b64 [row], 1;
    // pause
    // show 64 words of row
    ret;
}",
        right: &[("mbarrier.init.shared.b64 [row]", "mbarrier.init.shared.b64 [full]")],
        launch: ONE,
        shows: 64,
        wrong: "It overwrites two elements, and the next store to them breaks the barrier.",
        does: Does::Differs(2),
        right_shows: &[0, 1, 2, 3],
        ours: Some(Ours { ui: "a024_not_a_barrier", says: "`ROW`" }),
    },
    Access {
        title: "A barrier that expects more bytes than come",
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
        ours: None,
    },
    Access {
        title: "A barrier that expects fewer bytes than come",
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
        wrong: "The phase ends with the first tile, and the other one is read before it has come: the word is what lay there before.",
        does: Does::Shows(&[1023]),
        right_shows: &[0x7ff_07fe],
        ours: None,
    },
    Access {
        title: "A barrier that expects fewer bytes than come, and is used again",
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
        wrong: "The count goes below zero. Where it was seen at zero, the phase ends early, and the next one, which expects none of the other bytes, never does; else this one never ends. Both were seen.",
        does: Does::Hangs,
        right_shows: &[1],
        ours: None,
    },
];
