//! The order in which barriers, copies, proxies and blocks of a cluster are used.

use super::{Access, Arg, Does, Launch, Map, ONE, Ours};

/// A block of four warps.
const WARPS: Launch = Launch { threads: 128, ..ONE };

/// A copy into a tile that holds other words before.
const COPIED: Launch = Launch { args: &[Arg::Map(Map::Plain)], ..ONE };

/// A cluster of two blocks.
const CLUSTER: Launch = Launch { blocks: 2, ..ONE };

pub(super) const ACCESSES: &[Access] = &[
    Access {
        title: "A wait whose result is never read",
        ptx: ".shared .align 128 .b8 tile[4096];
.shared .b64 full;
.visible .entry k(.param .u64 out, .param .align 64 .b8 map[128]) {
    // number 4 words of tile
    mbarrier.init.shared.b64 [full], 1;
    fence.proxy.async.shared::cta;
    mov.b64 %d0, map;
    cvta.param.u64 %d0, %d0;
    mov.u32 %r0, 0;
    mbarrier.arrive.expect_tx.shared.b64 _, [full], 4096;
    cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%d0, {%r0, %r0}], [full];
    mbarrier.test_wait.parity.shared.b64 %p0, [full], 0;
    // show 4 words of tile
    // pause
    ret;
}",
        right: &[(
            "mbarrier.test_wait.parity.shared.b64 %p0, [full], 0;",
            "// wait for phase 0 of full",
        )],
        launch: COPIED,
        shows: 4,
        wrong: "The phase is tested once, and the tile is read before it has arrived.",
        does: Does::Shows(&[0, 1, 2, 3]),
        right_shows: &[0x1_0000, 0x3_0002, 0x5_0004, 0x7_0006],
        ours: Some(Ours { ui: "a063_answer_unused", excerpt: "[A063" }),
    },
    Access {
        title: "A barrier that is initialised twice",
        ptx: ".shared .b64 full;
.visible .entry k(.param .u64 out) {
    mbarrier.init.shared.b64 [full], 2;
    mbarrier.arrive.shared.b64 %d0, [full];
    mbarrier.init.shared.b64 [full], 2;
    mbarrier.arrive.shared.b64 %d0, [full];
    // wait for phase 0 of full
    st.global.u32 [%out + 4], 1;
    ret;
}",
        right: &[("    mbarrier.init.shared.b64 [full], 2;\n    mbarrier.arrive.shared.b64 %d0, [full];\n    // wait", "    mbarrier.arrive.shared.b64 %d0, [full];\n    // wait")],
        launch: ONE,
        shows: 1,
        wrong: "The ISA leaves the result undefined. Here the earlier arrival is lost, and the wait never ends.",
        does: Does::Hangs,
        right_shows: &[1],
        ours: Some(Ours { ui: "a064_initialised_twice", excerpt: "[A064" }),
    },
    Access {
        title: "A barrier that is used after its invalidation",
        ptx: ".shared .b64 full;
.visible .entry k(.param .u64 out) {
    mbarrier.init.shared.b64 [full], 1;
    mbarrier.inval.shared.b64 [full];
    st.shared.u64 [full], 42;
    mbarrier.arrive.shared.b64 %d0, [full];
    // pause
    // show 1 words of full
    ret;
}",
        right: &[("    mbarrier.arrive.shared.b64 %d0, [full];\n", "")],
        launch: ONE,
        shows: 1,
        wrong: "The memory holds data again, and the arrival takes its bits for a barrier's.",
        does: Does::Fault(719),
        right_shows: &[42],
        ours: Some(Ours { ui: "a065_used_after_inval", excerpt: "[A065" }),
    },
    Access {
        title: "A barrier that is never initialised",
        ptx: ".shared .b64 full;
.visible .entry k(.param .u64 out) {
    // nothing
    mbarrier.arrive.shared.b64 %d0, [full];
    st.global.u32 [%out + 4], 1;
    ret;
}",
        right: &[("// nothing", "mbarrier.init.shared.b64 [full], 1;")],
        launch: ONE,
        shows: 1,
        wrong: "Whatever lies there is taken for a barrier.",
        does: Does::Fault(719),
        right_shows: &[1],
        ours: Some(Ours { ui: "a066_never_initialised", excerpt: "[A066" }),
    },
    Access {
        title: "A barrier for all threads, on which only one arrives",
        ptx: ".shared .b64 full;
.visible .entry k(.param .u64 out) .reqntid 128 {
    mov.u32 %r0, %tid.x;
    setp.eq.u32 %p0, %r0, 0;
    @%p0 mbarrier.init.shared.b64 [full], 128;
    bar.sync 0;
    @%p0 mbarrier.arrive.shared.b64 %d0, [full];
    // wait for phase 0 of full
    st.global.u32 [%out + 4], 1;
    ret;
}",
        right: &[("@%p0 mbarrier.arrive", "mbarrier.arrive")],
        launch: WARPS,
        shows: 1,
        wrong: "The wait never ends.",
        does: Does::Hangs,
        right_shows: &[1],
        ours: Some(Ours { ui: "a067_too_few_arrivals", excerpt: "[A067" }),
    },
    Access {
        title: "A wait for parity 1 on a fresh barrier",
        ptx: ".shared .align 128 .b8 tile[4096];
.shared .b64 full;
.visible .entry k(.param .u64 out, .param .align 64 .b8 map[128]) {
    // number 4 words of tile
    mbarrier.init.shared.b64 [full], 1;
    fence.proxy.async.shared::cta;
    mov.b64 %d0, map;
    cvta.param.u64 %d0, %d0;
    mov.u32 %r0, 0;
    mbarrier.arrive.expect_tx.shared.b64 _, [full], 4096;
    cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%d0, {%r0, %r0}], [full];
    // wait for phase 1 of full
    // show 4 words of tile
    // pause
    ret;
}",
        right: &[("phase 1", "phase 0")],
        launch: COPIED,
        shows: 4,
        wrong: "The phase before the first counts as complete, so the wait ends at once, and the tile is read before it has arrived.",
        does: Does::Shows(&[0, 1, 2, 3]),
        right_shows: &[0x1_0000, 0x3_0002, 0x5_0004, 0x7_0006],
        ours: Some(Ours { ui: "a068_parity_of_no_phase", excerpt: "[A068" }),
    },
    Access {
        title: "A barrier that other warps use without waiting for its initialisation",
        ptx: ".shared .b64 full;
.visible .entry k(.param .u64 out) .reqntid 128 {
    mov.u32 %r0, %tid.x;
    setp.eq.u32 %p0, %r0, 0;
    @%p0 nanosleep.u32 100000;
    @%p0 mbarrier.init.shared.b64 [full], 128;
    // nothing
    mbarrier.arrive.shared.b64 %d0, [full];
    // wait for phase 0 of full
    st.global.u32 [%out + 4], 1;
    ret;
}",
        right: &[("// nothing", "bar.sync 0;")],
        launch: WARPS,
        shows: 1,
        wrong: "The other warps arrive on memory that is not a barrier yet.",
        does: Does::Fault(719),
        right_shows: &[1],
        ours: Some(Ours { ui: "a069_not_published", excerpt: "[A069" }),
    },
    Access {
        title: "The destination of `cp.async`, read at once",
        ptx: ".shared .align 16 .b8 tile[16];
.visible .entry k(.param .u64 out, .param .u64 in) {
    // number 4 words of tile
    ld.param.u64 %d0, [in];
    cp.async.cg.shared.global [tile], [%d0], 16;
    cp.async.commit_group;
    cp.async.wait_group 1;
    // show 4 words of tile
    cp.async.wait_all;
    ret;
}",
        right: &[("wait_group 1", "wait_group 0")],
        launch: Launch { args: &[Arg::Numbers(0)], ..ONE },
        shows: 4,
        wrong: "The wait allows one pending group, and there is only one: it does not wait at all.",
        does: Does::Shows(&[0, 1]),
        right_shows: &[0x1_0000, 0x3_0002, 0x5_0004, 0x7_0006],
        ours: Some(Ours { ui: "a070_read_before_wait", excerpt: "[A070" }),
    },
    Access {
        title: "The destination of a bulk copy, read without a wait for its barrier",
        ptx: ".shared .align 8 .b64 full;
.shared .align 16 .b8 tile[16];
.visible .entry k(.param .u64 out, .param .u64 in) {
    // number 4 words of tile
    fence.proxy.async.shared::cta;
    ld.param.u64 %d0, [in];
    mbarrier.init.shared.b64 [full], 1;
    mbarrier.arrive.expect_tx.shared.b64 %d1, [full], 16;
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%d0], 16, [full];
    // nothing
    // show 4 words of tile
    // wait for phase 0 of full
    ret;
}",
        right: &[("// nothing", "// wait for phase 0 of full")],
        launch: Launch { args: &[Arg::Numbers(0)], ..ONE },
        shows: 4,
        wrong: "It reads what was there before the copy.",
        does: Does::Shows(&[0, 1, 2, 3]),
        right_shows: &[0x1_0000, 0x3_0002, 0x5_0004, 0x7_0006],
        ours: Some(Ours { ui: "a085_completion_not_awaited", excerpt: "[A085" }),
    },
    Access {
        title: "The source of a bulk copy, written at once",
        ptx: ".shared .align 16 .b8 tile[8192];
.visible .entry k(.param .u64 out) {
    // number 2048 words of tile
    fence.proxy.async.shared::cta;
    add.u64 %d0, %out, 8192;
    cp.async.bulk.global.shared::cta.bulk_group [%d0], [tile], 8192;
    cp.async.bulk.commit_group;
    cp.async.bulk.wait_group.read 1;
    st.shared.u32 [tile + 8188], 7;
    cp.async.bulk.wait_group 0;
    ld.volatile.global.u32 %r0, [%d0 + 8188];
    st.global.u32 [%out + 4], %r0;
    ret;
}",
        right: &[("wait_group.read 1", "wait_group.read 0")],
        launch: ONE,
        shows: 1,
        wrong: "The copy reads the new word.",
        does: Does::Shows(&[7]),
        right_shows: &[2047],
        ours: Some(Ours { ui: "a071_source_overwritten", excerpt: "[A071" }),
    },
    Access {
        title: "Stores that a bulk copy reads without a proxy fence",
        ptx: ".shared .align 16 .b8 tile[16];
.visible .entry k(.param .u64 out) {
    // number 4 words of tile
    add.u64 %d0, %out, 8192;
    // nothing
    cp.async.bulk.global.shared::cta.bulk_group [%d0], [tile], 16;
    cp.async.bulk.commit_group;
    cp.async.bulk.wait_group 0;
    ld.volatile.global.u32 %r0, [%d0 + 12];
    st.global.u32 [%out + 4], %r0;
    ret;
}",
        right: &[("// nothing", "fence.proxy.async.shared::cta;")],
        launch: ONE,
        shows: 1,
        wrong: "The copy may read the old contents. With a single block it did not on an H100; with 1,024 blocks, 1,509 of 5,120 copies did.",
        does: Does::Shows(&[3]),
        right_shows: &[3],
        ours: Some(Ours { ui: "a072_proxy_not_fenced", excerpt: "[A072" }),
    },
    Access {
        title: "The shared memory of a block that may not have started",
        ptx: ".shared .u32 x;
.visible .entry k(.param .u64 out) .reqntid 1 .reqnctapercluster 2 {
    mov.u32 %r0, %cluster_ctarank;
    xor.b32 %r0, %r0, 1;
    mov.u32 %r1, x;
    mapa.shared::cluster.u32 %r1, %r1, %r0;
    // nothing
    st.shared::cluster.u32 [%r1], 42;
    barrier.cluster.arrive.aligned;
    barrier.cluster.wait.aligned;
    ld.shared.u32 %r2, [x];
    st.global.u32 [%out + 4], %r2;
    ret;
}",
        right: &[("// nothing", "barrier.cluster.arrive.aligned;\n    barrier.cluster.wait.aligned;")],
        launch: CLUSTER,
        shows: 1,
        wrong: "The other block may not have started. An H100 started both early enough in all of 20,480 clusters, but nothing guarantees that.",
        does: Does::Shows(&[42]),
        right_shows: &[42],
        ours: Some(Ours { ui: "a073_block_not_started", excerpt: "[A073" }),
    },
    Access {
        title: "The shared memory of a block that has ended",
        ptx: ".shared .u32 x;
.visible .entry k(.param .u64 out) .reqntid 1 .reqnctapercluster 2 {
    st.shared.u32 [x], 42;
    barrier.cluster.arrive.aligned;
    barrier.cluster.wait.aligned;
    mov.u32 %r0, %cluster_ctarank;
    setp.eq.u32 %p0, %r0, 1;
    @%p0 bra DONE;
    // pause
    mov.u32 %r1, x;
    mapa.shared::cluster.u32 %r1, %r1, 1;
    ld.shared::cluster.u32 %r2, [%r1];
    st.global.u32 [%out + 4], %r2;
DONE:
    // nothing
    ret;
}",
        right: &[("// nothing", "barrier.cluster.arrive.aligned;\n    barrier.cluster.wait.aligned;")],
        launch: CLUSTER,
        shows: 1,
        wrong: "The other block has ended, and its shared memory with it.",
        does: Does::Fault(719),
        right_shows: &[42],
        ours: Some(Ours { ui: "a074_block_may_end", excerpt: "[A074" }),
    },
];
