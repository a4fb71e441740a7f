//! The order of what threads do.

use super::{Access, Arg, Does, Launch, ONE, Ours};

pub(super) const ACCESSES: &[Access] = &[
    Access {
        title: "A read that nothing orders with a write",
        ptx: ".shared .u32 word;
.visible .entry k(.param .u64 out) {
    mov.u32 %r0, %tid.x;
    st.shared.u32 [word], 7;
    bar.sync 0;
    setp.lt.u32 %p0, %r0, 32;
    @%p0 bra READ;
    // pause
    st.shared.u32 [word], 42;
READ:
    bar.warp.sync -1;
    ld.shared.u32 %r1, [word];
    setp.ne.u32 %p1, %r0, 0;
    @%p1 bra END;
    st.global.u32 [%out + 4], %r1;
END:
    ret;
}",
        right: &[("bar.warp.sync -1;", "bar.sync 0;")],
        launch: Launch { threads: 64, ..ONE },
        shows: 1,
        wrong: "The first warp reads before the second one writes, which here takes longer.",
        does: Does::Shows(&[7]),
        right_shows: &[42],
        ours: Some(Ours { ui: "a109_unordered", excerpt: "nothing orders the two" }),
    },
    Access {
        title: "An mbarrier for more arrivals than come",
        ptx: ".shared .b64 full;
.visible .entry k(.param .u64 out) {
    mov.u32 %r0, %tid.x;
    setp.ne.u32 %p0, %r0, 0;
    @%p0 bra READY;
    mbarrier.init.shared.b64 [full], 64;
READY:
    bar.sync 0;
    and.b32 %r1, %r0, 31;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra ARRIVED;
    mbarrier.arrive.shared.b64 %d0, [full];
ARRIVED:
    // wait for phase 0 of full
    ret;
}",
        right: &[("[full], 64;", "[full], 2;")],
        launch: Launch { threads: 64, ..ONE },
        shows: 0,
        wrong: "One thread of each warp arrives, and not each thread: the wait never ends.",
        does: Does::Hangs,
        right_shows: &[],
        ours: Some(Ours { ui: "a110_phase_never_over", excerpt: "arrivals are missing" }),
    },
    Access {
        title: "A bulk copy of a part of 16 bytes",
        ptx: ".shared .align 128 .b8 tile[128];
.shared .b64 full;
.visible .entry k(.param .u64 out, .param .u64 numbers) {
    ld.param.u64 %d0, [numbers];
    mbarrier.init.shared.b64 [full], 1;
    mov.u32 %r0, 100;
    mbarrier.arrive.expect_tx.shared.b64 _, [full], %r0;
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%d0], %r0, [full];
    // wait for phase 0 of full
    // show 1 words of tile
    ret;
}",
        right: &[("%r0, 100;", "%r0, 96;")],
        launch: Launch { args: &[Arg::Numbers(0)], ..ONE },
        shows: 1,
        wrong: "The number of bytes is in a register, where ptxas does not see that 16 does not divide it: the wait never ends.",
        does: Does::Hangs,
        right_shows: &[0x1_0000],
        ours: Some(Ours { ui: "a120_copy_not_whole", excerpt: "not a multiple of 16" }),
    },
    Access {
        title: "Different numbers of threads at a barrier",
        ptx: ".visible .entry k(.param .u64 out) {
    mov.u32 %r0, %tid.x;
    setp.lt.u32 %p0, %r0, 32;
    @%p0 bra ARRIVE;
    bar.sync 1, 64;
    bra END;
ARRIVE:
    bar.arrive 1, 96;
END:
    ret;
}",
        right: &[("bar.arrive 1, 96;", "bar.arrive 1, 64;")],
        launch: Launch { threads: 64, ..ONE },
        shows: 0,
        wrong: "The kernel is stopped.",
        does: Does::Fault(715),
        right_shows: &[],
        ours: Some(Ours { ui: "a126_barrier_counts", excerpt: "where others arrive" }),
    },
    Access {
        title: "Two groups of threads at one barrier",
        ptx: ".shared .u32 word;
.visible .entry k(.param .u64 out) {
    mov.u32 %r0, %tid.x;
    st.shared.u32 [word], 7;
    bar.sync 0;
    setp.ge.u32 %p0, %r0, 64;
    add.u32 %r1, %r0, 32;
    and.b32 %r1, %r1, 64;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra MEET;
    // pause
    @!%p0 st.shared.u32 [word], 42;
MEET:
    @%p0 bra OTHERS;
    bar.sync 1, 64;
    setp.ne.u32 %p2, %r0, 32;
    @%p2 bra END;
    ld.shared.u32 %r2, [word];
    st.global.u32 [%out + 4], %r2;
    bra END;
OTHERS:
    bar.sync 1, 64;
END:
    ret;
}",
        right: &[("OTHERS:\n    bar.sync 1, 64;", "OTHERS:\n    bar.sync 2, 64;")],
        launch: Launch { threads: 128, ..ONE },
        shows: 1,
        wrong: "The second and the third warp come first and meet: the second reads before the first one writes.",
        does: Does::Shows(&[7]),
        right_shows: &[42],
        ours: Some(Ours { ui: "a130_phase_undecided", excerpt: "nothing decides to which phase" }),
    },
    Access {
        title: "A wait for an mbarrier of another block",
        ptx: ".shared .b64 full;
.visible .entry k(.param .u64 out) .reqnctapercluster 2 {
    mov.u32 %r0, %tid.x;
    mov.u64 %d0, full;
    cvta.shared.u64 %d0, %d0;
    mbarrier.init.b64 [%d0], 1;
    fence.mbarrier_init.release.cluster;
    barrier.cluster.arrive;
    barrier.cluster.wait;
    mov.u32 %r1, %cluster_ctarank;
    xor.b32 %r1, %r1, 1;
    mapa.u64 %d1, %d0, %r1;
    mbarrier.arrive.release.cluster.b64 _, [%d0];
AGAIN:
    mbarrier.try_wait.parity.acquire.cluster.b64 %p0, [%d1], 0;
    @!%p0 bra AGAIN;
    barrier.cluster.arrive;
    barrier.cluster.wait;
    ret;
}",
        right: &[
            ("cluster.b64 _, [%d0];", "cluster.b64 _, [%d1];"),
            ("cluster.b64 %p0, [%d1], 0;", "cluster.b64 %p0, [%d0], 0;"),
        ],
        launch: Launch { blocks: 2, ..ONE },
        shows: 0,
        wrong: "The kernel is stopped.",
        does: Does::Fault(715),
        right_shows: &[],
        ours: Some(Ours { ui: "a131_waits_elsewhere", excerpt: "of block 0 of the cluster" }),
    },
    Access {
        title: "A reduction at a barrier that others only wait for",
        ptx: ".visible .entry k(.param .u64 out) {
    mov.u32 %r0, %tid.x;
    setp.lt.u32 %p0, %r0, 32;
    @%p0 bra FIRST;
    bar.sync 1, 64;
    bra END;
FIRST:
    barrier.cta.red.popc.u32 %r1, 1, 64, %p0;
END:
    ret;
}",
        right: &[("    bar.sync 1, 64;", "    barrier.cta.red.popc.u32 %r1, 1, 64, %p0;")],
        launch: Launch { threads: 64, ..ONE },
        shows: 0,
        wrong: "The kernel is stopped.",
        does: Does::Fault(715),
        right_shows: &[],
        ours: Some(Ours { ui: "a133_barrier_mixed", excerpt: "at barrier 1" }),
    },
];
