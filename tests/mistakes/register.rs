//! Registers with wrong values that are used as addresses, guards and ranks in a cluster.

use super::{Access, Does, Launch, ONE, Ours};

pub(super) const ACCESSES: &[Access] = &[
    Access {
        title: "A guard that is never written",
        ptx: ".visible .entry k(.param .u64 out) {
    mov.u32 %r0, %tid.x;
    st.global.u32 [%out + 4], 7;
    setp.eq.u32 %p1, %r0, 0;
    @%p0 st.global.u32 [%out + 4], 42;
    ret;
}",
        right: &[("@%p0", "@%p1")],
        launch: ONE,
        shows: 1,
        wrong: "Whether the store happens depends on what an earlier program left in the hardware's predicate.",
        does: Does::Shows(&[7]),
        right_shows: &[42],
        ours: Some(Ours { ui: "a056_register_not_written", excerpt: "`%p` is the guard here" }),
    },
    Access {
        title: "An address that is never written",
        ptx: ".global .u32 x = 42;
.visible .entry k(.param .u64 out) {
    mov.u64 %d1, x;
    ld.global.u32 %r0, [%d0];
    st.global.u32 [%out + 4], %r0;
    ret;
}",
        right: &[("[%d0]", "[%d1]")],
        launch: ONE,
        shows: 1,
        wrong: "The load uses whatever an earlier program left in the hardware's registers, which is rarely a valid address.",
        does: Does::Fault(700),
        right_shows: &[42],
        ours: Some(Ours { ui: "a056_register_not_written", excerpt: "`%from` is an address here" }),
    },
    Access {
        title: "An address computed from a register that is never written",
        ptx: ".global .u32 x[4] = {2, 3, 5, 42};
.visible .entry k(.param .u64 out) {
    mov.u64 %d1, x;
    mov.u32 %r0, 3;
    mul.wide.u32 %d2, %r0, 4;
    add.u64 %d3, %d0, %d2;
    ld.global.u32 %r1, [%d3];
    st.global.u32 [%out + 4], %r1;
    ret;
}",
        right: &[("%d0, %d2", "%d1, %d2")],
        launch: ONE,
        shows: 1,
        wrong: "The load uses whatever an earlier program left in the hardware's registers, plus the offset.",
        does: Does::Fault(700),
        right_shows: &[42],
        ours: Some(Ours {
            ui: "a056_register_not_written",
            excerpt: "no earlier instruction writes `%base`, from which it is computed",
        }),
    },
    Access {
        title: "An offset taken for an address",
        ptx: ".global .u32 x[4] = {2, 3, 5, 42};
.visible .entry k(.param .u64 out) {
    mov.u64 %d0, x;
    mov.u32 %r0, 3;
    mul.wide.u32 %d1, %r0, 4;
    add.u64 %d2, %d0, %d1;
    ld.global.u32 %r1, [%d1];
    st.global.u32 [%out + 4], %r1;
    ret;
}",
        right: &[("[%d1]", "[%d2]")],
        launch: ONE,
        shows: 1,
        wrong: "The load goes to an unmapped address.",
        does: Does::Fault(700),
        right_shows: &[42],
        ours: Some(Ours { ui: "a057_number_as_address", excerpt: "accesses address 16 at most" }),
    },
    Access {
        title: "An address that has lost its upper half",
        ptx: ".global .u32 x = 42;
.visible .entry k(.param .u64 out) {
    mov.u64 %d0, x;
    cvt.u32.u64 %r0, %d0;
    cvt.u64.u32 %d1, %r0;
    ld.global.u32 %r1, [%d1];
    st.global.u32 [%out + 4], %r1;
    ret;
}",
        right: &[("[%d1]", "[%d0]")],
        launch: ONE,
        shows: 1,
        wrong: "Global memory lies above 4 GiB: the load goes to an unmapped address.",
        does: Does::Fault(700),
        right_shows: &[42],
        ours: Some(Ours { ui: "a058_truncated_address", excerpt: "[A058" }),
    },
    Access {
        title: "A global address masked to its lower half",
        ptx: ".global .u32 x = 42;
.visible .entry k(.param .u64 out) {
    mov.u64 %d0, x;
    and.b64 %d1, %d0, 0xffffffff;
    ld.global.u32 %r1, [%d1];
    st.global.u32 [%out + 4], %r1;
    ret;
}",
        right: &[("0xffffffff", "-1")],
        launch: ONE,
        shows: 1,
        wrong: "Global memory lies above 4 GiB: the load goes to an unmapped address.",
        does: Does::Fault(700),
        right_shows: &[42],
        ours: Some(Ours {
            ui: "a058_truncated_address",
            excerpt: "`%half` holds the lowest 32 bits",
        }),
    },
    Access {
        title: "A rank that is not in the cluster",
        ptx: ".shared .u32 x;
.visible .entry k(.param .u64 out) .reqntid 1 .reqnctapercluster 2 {
    st.shared.u32 [x], 42;
    barrier.cluster.arrive.aligned;
    barrier.cluster.wait.aligned;
    mov.u32 %r0, x;
    mapa.shared::cluster.u32 %r1, %r0, 2;
    ld.shared::cluster.u32 %r2, [%r1];
    st.global.u32 [%out + 4], %r2;
    barrier.cluster.arrive.aligned;
    barrier.cluster.wait.aligned;
    ret;
}",
        right: &[("mapa.shared::cluster.u32 %r1, %r0, 2", "mapa.shared::cluster.u32 %r1, %r0, 1")],
        launch: Launch { blocks: 2, ..ONE },
        shows: 1,
        wrong: "Ranks start at 0. The load goes to the shared memory of a block that does not exist.",
        does: Does::Fault(719),
        right_shows: &[42],
        ours: Some(Ours { ui: "a059_rank_beyond_cluster", excerpt: "[A059" }),
    },
    Access {
        title: "An argument that is never stored",
        ptx: ".func (.param .u32 r) add(.param .u32 a, .param .u32 b) {
    .reg .b32 %r<3>;
    ld.param.u32 %r1, [a];
    ld.param.u32 %r2, [b];
    add.u32 %r1, %r1, %r2;
    st.param.u32 [r], %r1;
    ret;
}
.visible .entry k(.param .u64 out) {
    .param .b32 first, second, sum;
    st.param.b32 [first], 11;
    st.param.b32 [first], 31;
    call (sum), add, (first, second);
    ld.param.u32 %r0, [sum];
    st.global.u32 [%out + 4], %r0;
    ret;
}",
        right: &[("st.param.b32 [first], 11", "st.param.b32 [second], 11")],
        launch: ONE,
        shows: 1,
        wrong: "The function adds whatever is in the argument's location.",
        does: Does::Differs(1),
        right_shows: &[42],
        ours: Some(Ours { ui: "c008_argument_not_set", excerpt: "`second` is passed for `b`" }),
    },
    Access {
        title: "Another block's shared memory taken for the block's own",
        ptx: ".shared .u32 x;
.visible .entry k(.param .u64 out) .reqntid 1 .reqnctapercluster 2 {
    mov.u32 %r3, %cluster_ctarank;
    add.u32 %r4, %r3, 41;
    st.shared.u32 [x], %r4;
    barrier.cluster.arrive.aligned;
    barrier.cluster.wait.aligned;
    mov.u32 %r0, x;
    mapa.shared::cluster.u32 %r1, %r0, 1;
    ld.shared.u32 %r2, [%r1];
    st.global.u32 [%out + 4], %r2;
    barrier.cluster.arrive.aligned;
    barrier.cluster.wait.aligned;
    ret;
}",
        right: &[("ld.shared.u32 %r2", "ld.shared::cluster.u32 %r2")],
        launch: Launch { blocks: 2, ..ONE },
        shows: 1,
        wrong: "`.shared` means `.shared::cta`, the window of the executing block, and the result of `mapa` lies in the window of the cluster.",
        does: Does::Fault(715),
        right_shows: &[42],
        ours: Some(Ours {
            ui: "a062_address_in_other_block",
            excerpt: "`%to` holds an address of `SUMS` in another block",
        }),
    },
    Access {
        title: "Another block's barrier taken for the block's own",
        ptx: ".shared .align 8 .b64 b;
.visible .entry k(.param .u64 out) .reqntid 1 .reqnctapercluster 2 {
    mbarrier.init.shared.b64 [b], 1;
    barrier.cluster.arrive.aligned;
    barrier.cluster.wait.aligned;
    mov.u32 %r0, %cluster_ctarank;
    xor.b32 %r0, %r0, 1;
    mov.u32 %r1, b;
    mapa.shared::cluster.u32 %r1, %r1, %r0;
    mbarrier.arrive.release.cluster.shared::cta.b64 _, [%r1];
    barrier.cluster.arrive.aligned;
    barrier.cluster.wait.aligned;
    st.global.u32 [%out + 4], 42;
    ret;
}",
        right: &[("shared::cta.b64 _", "shared::cluster.b64 _")],
        launch: Launch { blocks: 2, ..ONE },
        shows: 1,
        wrong: "The other block's barrier is not in this block's window.",
        does: Does::Fault(715),
        right_shows: &[42],
        ours: Some(Ours {
            ui: "a062_address_in_other_block",
            excerpt: "`%to` holds an address of `FULL` in another block",
        }),
    },
];
