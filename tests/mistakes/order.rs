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
    Access {
        title: "More arrivals than an mbarrier expects",
        ptx: ".shared .b64 full;
.visible .entry k(.param .u64 out) {
    mbarrier.init.shared.b64 [full], 2;
    mov.u32 %r0, 3;
    mbarrier.arrive.shared.b64 %d0, [full], %r0;
    // wait for phase 0 of full
    ret;
}",
        right: &[("%r0, 3;", "%r0, 2;")],
        launch: Launch { ..ONE },
        shows: 0,
        wrong: "A phase counts two arrivals, and here three come at once: the launch fails.",
        does: Does::Fault(719),
        right_shows: &[],
        ours: Some(Ours { ui: "a111_too_many_arrivals", excerpt: "more than the" }),
    },
    Access {
        title: "A barrier that half of a warp executes",
        ptx: ".visible .entry k(.param .u64 out) {
    mov.u32 %r0, %tid.x;
    setp.lt.u32 %p0, %r0, 16;
    setp.eq.u32 %p1, %r0, %r0;
    mov.u32 %r1, 0;
    @%p0 barrier.cta.red.popc.aligned.u32 %r1, 0, %p1;
    setp.ne.u32 %p2, %r0, 0;
    @%p2 bra END;
    st.global.u32 [%out + 4], %r1;
END:
    ret;
}",
        right: &[("@%p0 barrier", "barrier")],
        launch: Launch { threads: 32, ..ONE },
        shows: 1,
        wrong: "The other half does not take part: 16 threads are counted, and not 32.",
        does: Does::Shows(&[16]),
        right_shows: &[32],
        ours: Some(Ours { ui: "a113_warp_diverges", excerpt: "lane 16 does not" }),
    },
    Access {
        title: "A wait at the barrier of a cluster without an arrival",
        ptx: ".visible .entry k(.param .u64 out) .reqnctapercluster 2 {
    mov.u32 %r0, %cluster_ctarank;
    setp.ne.u32 %p0, %r0, 0;
    @%p0 bra WAIT;
    barrier.cluster.arrive;
WAIT:
    barrier.cluster.wait;
    ret;
}",
        right: &[("    @%p0 bra WAIT;\n", "")],
        launch: Launch { blocks: 2, ..ONE },
        shows: 0,
        wrong: "Undefined (9.7.13.4). Here the thread goes on, although it has waited for nobody.",
        does: Does::Differs(0),
        right_shows: &[],
        ours: Some(Ours {
            ui: "a114_cluster_never_met",
            excerpt: "does not arrive at the barrier of the cluster",
        }),
    },
    Access {
        title: "A shuffle with lanes that do not take part",
        ptx: ".visible .entry k(.param .u64 out) {
    mov.u32 %r0, %tid.x;
    add.u32 %r2, %r0, 100;
    mov.u32 %r1, 0;
    setp.ge.u32 %p0, %r0, 16;
    @%p0 bra END;
    shfl.sync.idx.b32 %r1, %r2, 16, 31, -1;
    setp.ne.u32 %p1, %r0, 0;
    @%p1 bra END;
    st.global.u32 [%out + 4], %r1;
END:
    ret;
}",
        right: &[("    @%p0 bra END;\n", "")],
        launch: Launch { threads: 32, ..ONE },
        shows: 1,
        wrong: "Lane 16 does not execute the shuffle, so what lane 0 gets from it is undefined.",
        does: Does::Shows(&[0]),
        right_shows: &[116],
        ours: Some(Ours { ui: "a115_mask_of_absent", excerpt: "which does not get here" }),
    },
    Access {
        title: "A mask without the lane that gives it",
        ptx: ".visible .entry k(.param .u64 out) {
    mov.u32 %r0, %tid.x;
    setp.eq.u32 %p0, %r0, %r0;
    vote.sync.ballot.b32 %r1, %p0, 0xffff;
    setp.ne.u32 %p1, %r0, 16;
    @%p1 bra END;
    st.global.u32 [%out + 4], %r1;
END:
    ret;
}",
        right: &[("%p0, 0xffff;", "%p0, -1;")],
        launch: Launch { threads: 32, ..ONE },
        shows: 1,
        wrong: "Undefined: the mask has to name the thread itself. Here it is counted all the same.",
        does: Does::Differs(0),
        right_shows: &[0xffff_ffff],
        ours: Some(Ours { ui: "a116_mask_without_own", excerpt: "which executes this" }),
    },
    Access {
        title: "A barrier that a block does not have",
        ptx: ".visible .entry k(.param .u64 out) {
    mov.u32 %r0, 16;
    bar.sync %r0, 32;
    ret;
}",
        right: &[("%r0, 16;", "%r0, 15;")],
        launch: Launch { threads: 32, ..ONE },
        shows: 0,
        wrong: "A block has the barriers 0 to 15 (9.7.13.1), and ptxas does not see the number in the register.",
        does: Does::Differs(0),
        right_shows: &[],
        ours: Some(Ours { ui: "a119_no_such_barrier", excerpt: "there is no barrier 16" }),
    },
    Access {
        title: "A store to a part of an mbarrier",
        ptx: ".shared .align 8 .b8 row[16];
.visible .entry k(.param .u64 out) {
    mov.u32 %r0, %tid.x;
    mov.u32 %r1, row;
    mbarrier.init.shared.b64 [%r1], 1;
    add.u32 %r2, %r1, 4;
    st.shared.u32 [%r2], 0;
    mbarrier.arrive.shared.b64 %d0, [%r1];
    mbarrier.inval.shared.b64 [%r1];
    ld.shared.u32 %r3, [row + 12];
    ret;
}",
        right: &[("%r1, 4;", "%r1, 8;")],
        launch: Launch { ..ONE },
        shows: 0,
        wrong: "It changes a barrier in use. The hardware keeps the last barriers outside shared memory, so that nothing shows here.",
        does: Does::Differs(0),
        right_shows: &[],
        ours: Some(Ours {
            ui: "a121_barrier_overwritten",
            excerpt: "where an `mbarrier` is in use",
        }),
    },
    Access {
        title: "A store to another block that completes on the block's own barrier",
        ptx: ".shared .b64 full;
.shared .u32 word;
.visible .entry k(.param .u64 out) .reqnctapercluster 2 {
    mov.u32 %r0, %cluster_ctarank;
    xor.b32 %r1, %r0, 1;
    mov.u32 %r2, full;
    mov.u32 %r3, word;
    mbarrier.init.shared.b64 [full], 1;
    fence.mbarrier_init.release.cluster;
    barrier.cluster.arrive;
    barrier.cluster.wait;
    mapa.shared::cluster.u32 %r3, %r3, %r1;
    mapa.shared::cluster.u32 %r4, %r2, %r0;
    mbarrier.arrive.expect_tx.shared.b64 _, [full], 4;
    st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r3], 42, [%r4];
    // wait for phase 0 of full
    ld.shared.u32 %r5, [word];
    barrier.cluster.arrive;
    barrier.cluster.wait;
    st.global.u32 [%out + 4], %r5;
    ret;
}",
        right: &[("%r4, %r2, %r0;", "%r4, %r2, %r1;")],
        launch: Launch { blocks: 2, ..ONE },
        shows: 1,
        wrong: "The barrier of the other block does not count the bytes, so that it may read before they come. Here they come in time.",
        does: Does::Differs(0),
        right_shows: &[42],
        ours: Some(Ours {
            ui: "a123_completes_elsewhere",
            excerpt: "completes on a barrier of block",
        }),
    },
    Access {
        title: "A part of a warpgroup",
        ptx: ".visible .entry k(.param .u64 out) {
    mov.u32 %r0, %tid.x;
    setp.ge.u32 %p0, %r0, 96;
    @%p0 bra END;
    wgmma.fence.sync.aligned;
    mov.b64 %d0, 0x4000004000010000;
    wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %d0, %d0, 0, 1, 1, 0, 0;
    wgmma.commit_group.sync.aligned;
    wgmma.wait_group.sync.aligned 0;
END:
    ret;
}",
        right: &[("    @%p0 bra END;\n", "")],
        launch: Launch { threads: 128, dynamic: 65536, ..ONE },
        shows: 0,
        wrong: "The fourth warp does not take part in the multiplication: the kernel is stopped.",
        does: Does::Fault(715),
        right_shows: &[],
        ours: Some(Ours { ui: "a124_partial_warpgroup", excerpt: "of them execute this" }),
    },
    Access {
        title: "The shared memory of the block after the last one",
        ptx: ".shared .u32 word;
.visible .entry k(.param .u64 out) .reqnctapercluster 2 {
    mov.u32 %r0, %cluster_ctarank;
    add.u32 %r1, %r0, 1;
    mov.u32 %r2, word;
    add.u32 %r3, %r0, 7;
    st.shared.u32 [word], %r3;
    mapa.shared::cluster.u32 %r2, %r2, %r1;
    barrier.cluster.arrive;
    barrier.cluster.wait;
    ld.shared::cluster.u32 %r4, [%r2];
    barrier.cluster.arrive;
    barrier.cluster.wait;
    setp.ne.u32 %p0, %r0, 1;
    @%p0 bra END;
    st.global.u32 [%out + 4], %r4;
END:
    ret;
}",
        right: &[("add.u32 %r1, %r0, 1;", "xor.b32 %r1, %r0, 1;")],
        launch: Launch { blocks: 2, ..ONE },
        shows: 1,
        wrong: "The last block names one that does not exist: the launch fails.",
        does: Does::Fault(719),
        right_shows: &[7],
        ours: Some(Ours { ui: "a125_no_such_block", excerpt: "names block 2 of the cluster" }),
    },
];
