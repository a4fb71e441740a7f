//! Addresses used in the wrong state space.

use super::{Access, Arg, Does, Launch, Map, ONE, Ours};

pub(super) const ACCESSES: &[Access] = &[
    Access {
        title: "A shared address used as a generic one",
        ptx: ".shared .u32 x;
.visible .entry k(.param .u64 out) {
    st.shared.u32 [x], 42;
    mov.u64 %d0, x;
    ld.u32 %r0, [%d0];
    st.global.u32 [%out + 4], %r0;
    ret;
}",
        right: &[("mov.u64 %d0, x;", "mov.u64 %d0, x;\ncvta.shared.u64 %d0, %d0;")],
        launch: ONE,
        shows: 1,
        wrong: "The load goes to an unmapped address.",
        does: Does::Fault(700),
        right_shows: &[42],
        ours: Some(Ours { ui: "a032_not_generic", excerpt: "address of `ROW`" }),
    },
    Access {
        title: "A shared address used as a global one",
        ptx: ".shared .u32 x;
.visible .entry k(.param .u64 out) {
    st.shared.u32 [x], 42;
    mov.u64 %d0, x;
    ld.global.u32 %r0, [%d0];
    st.global.u32 [%out + 4], %r0;
    ret;
}",
        right: &[("ld.global.u32 %r0", "ld.shared.u32 %r0")],
        launch: ONE,
        shows: 1,
        wrong: "The load goes to an unmapped address.",
        does: Does::Fault(700),
        right_shows: &[42],
        ours: Some(Ours {
            ui: "a031_other_space",
            excerpt: "address of `ROW` in `.shared`, but this instruction accesses `.global`",
        }),
    },
    Access {
        title: "A global address used as a shared one",
        ptx: ".visible .entry k(.param .u64 out, .param .u64 .ptr .global .align 16 data) {
    ld.param.u64 %d0, [data];
    ld.shared.u32 %r0, [%d0 + 4];
    st.global.u32 [%out + 4], %r0;
    ret;
}",
        right: &[("ld.shared.u32 %r0", "ld.global.u32 %r0")],
        launch: Launch { args: &[Arg::Numbers(0)], ..ONE },
        shows: 1,
        wrong: "The upper half is cut off, and the load goes to the shared memory of a block that does not exist. If the lower half happens to be an address in the block's window, the load reads from there.",
        does: Does::Fault(715),
        right_shows: &[0x3_0002],
        ours: Some(Ours { ui: "a031_other_space", excerpt: "address of `G`" }),
    },
    Access {
        title: "An address of constant memory used as a generic one",
        ptx: ".const .u32 taps[4] = {2, 3, 5, 7};
.visible .entry k(.param .u64 out) {
    mov.u64 %d0, taps;
    ld.u32 %r0, [%d0 + 4];
    st.global.u32 [%out + 4], %r0;
    ret;
}",
        right: &[("mov.u64 %d0, taps;", "mov.u64 %d0, taps;\ncvta.const.u64 %d0, %d0;")],
        launch: ONE,
        shows: 1,
        wrong: "The load goes to an unmapped address.",
        does: Does::Fault(700),
        right_shows: &[3],
        ours: Some(Ours { ui: "a032_not_generic", excerpt: "address of `TAPS`" }),
    },
    Access {
        title: "A pointer parameter read as 32 bits",
        ptx: ".visible .entry k(.param .u64 out, .param .u64 .ptr .global .align 16 data) {
    ld.param.u32 %r0, [data];
    cvt.u64.u32 %d0, %r0;
    ld.global.u32 %r1, [%d0 + 4];
    st.global.u32 [%out + 4], %r1;
    ret;
}",
        right: &[(
            "ld.param.u32 %r0, [data];\n    cvt.u64.u32 %d0, %r0;",
            "ld.param.u64 %d0, [data];",
        )],
        launch: Launch { args: &[Arg::Numbers(0)], ..ONE },
        shows: 1,
        wrong: "The upper half is cut off, and the load goes to an unmapped address.",
        does: Does::Fault(700),
        right_shows: &[0x3_0002],
        ours: Some(Ours { ui: "a034_wrong_type", excerpt: "`p` holds `.u64` there" }),
    },
    Access {
        title: "A shared address passed to a function that loads global memory",
        ptx: ".shared .u32 x;
.func (.reg .u32 r) load(.reg .u64 p) { ld.global.u32 r, [p]; ret; }
.visible .entry k(.param .u64 out) {
    st.shared.u32 [x], 42;
    mov.u64 %d0, x;
    call (%r0), load, (%d0);
    st.global.u32 [%out + 4], %r0;
    ret;
}",
        right: &[("ld.global.u32 r", "ld.shared.u32 r")],
        launch: ONE,
        shows: 1,
        wrong: "The address is an offset into the window of shared memory, and the function uses it as a global address.",
        does: Does::Fault(700),
        right_shows: &[42],
        ours: Some(Ours {
            ui: "a031_passed",
            excerpt: "`from` holds an address of `ROW` in `.shared`",
        }),
    },
    Access {
        title: "A `.const` variable passed for a pointer to global memory",
        ptx: ".const .u32 taps[2] = {2, 42};
.func (.param .u32 r) load(.param .u64 p) {
    .reg .b64 %p;
    .reg .b32 %r;
    ld.param.u64 %p, [p];
    ld.global.u32 %r, [%p + 4];
    st.param.u32 [r], %r;
    ret;
}
.visible .entry k(.param .u64 out) {
    .param .b64 passed;
    .param .b32 loaded;
    mov.u64 %d0, taps;
    st.param.b64 [passed], %d0;
    call (loaded), load, (passed);
    ld.param.u32 %r0, [loaded];
    st.global.u32 [%out + 4], %r0;
    ret;
}",
        right: &[("ld.global.u32 %r", "ld.const.u32 %r")],
        launch: ONE,
        shows: 1,
        wrong: "The address is an offset into the window of constant memory. In Rust, the parameter is a `Ptr` whose type gives the state space.",
        does: Does::Fault(700),
        right_shows: &[42],
        ours: Some(Ours {
            ui: "c007_argument_space",
            excerpt: "is given an address of `TAPS` in `.const`",
        }),
    },
];

/// Accesses that look like mistakes.
pub(super) const HARMLESS: &[Access] = &[
    Access {
        title: "The address of a function in 32 bits",
        ptx: ".func (.param .u32 result) f() {
    st.param.u32 [result], 42;
    ret;
}
.visible .entry k(.param .u64 out) {
    mov.u32 %r0, f;
    cvt.u64.u32 %d0, %r0;
    st.global.u64 [%out + 8], %d0;
    ld.volatile.global.u64 %d0, [%out + 8];
    mov.b64 {%r2, %r3}, %d0;
    {
    .param .u32 result;
F:  .callprototype (.param .u32 _) _ ();
    call (result), %d0, (), F;
    ld.param.u32 %r1, [result];
    }
    st.global.u32 [%out + 4], %r1;
    st.global.u32 [%out + 8], %r2;
    st.global.u32 [%out + 12], %r3;
    ret;
}",
        right: &[("mov.u32 %r0, f;\n    cvt.u64.u32 %d0, %r0;", "mov.u64 %d0, f;")],
        launch: ONE,
        shows: 3,
        wrong: "The upper half is zero: 32 bits are enough for the code of this module.",
        does: Does::Differs(0),
        right_shows: &[42],
        ours: None,
    },
    Access {
        title: "A generic load that names a shared variable",
        ptx: ".shared .u32 x;
.visible .entry k(.param .u64 out) {
    st.shared.u32 [x], 42;
    ld.u32 %r0, [x];
    st.global.u32 [%out + 4], %r0;
    ret;
}",
        right: &[("ld.u32 %r0, [x]", "ld.shared.u32 %r0, [x]")],
        launch: ONE,
        shows: 1,
        wrong: "ptxas converts the address to a generic one.",
        does: Does::Differs(0),
        right_shows: &[42],
        ours: None,
    },
    Access {
        title: "A generic address used as a shared one",
        ptx: ".shared .u32 x;
.visible .entry k(.param .u64 out) {
    st.shared.u32 [x], 42;
    mov.u64 %d0, x;
    cvta.shared.u64 %d0, %d0;
    st.global.u64 [%out + 8], %d0;
    ld.volatile.global.u64 %d0, [%out + 8];
    ld.shared.u32 %r0, [%d0];
    mov.b64 {%r1, %r2}, %d0;
    st.global.u32 [%out + 4], %r0;
    st.global.u32 [%out + 8], %r1;
    st.global.u32 [%out + 12], %r2;
    ret;
}",
        right: &[("ld.shared.u32 %r0", "ld.u32 %r0")],
        launch: ONE,
        shows: 3,
        wrong: "The upper half is cut off; the window starts at a multiple of 2^32, so the lower half is the shared address.",
        does: Does::Differs(0),
        right_shows: &[42],
        ours: None,
    },
    Access {
        title: "The address of a `.const` variable in 32 bits",
        ptx: ".const .u32 taps[4] = {2, 3, 5, 7};
.visible .entry k(.param .u64 out) {
    mov.u32 %r0, taps;
    cvt.u64.u32 %d0, %r0;
    ld.const.u32 %r0, [%d0 + 4];
    st.global.u32 [%out + 4], %r0;
    ret;
}",
        right: &[("mov.u32 %r0, taps;\n    cvt.u64.u32 %d0, %r0;", "mov.u64 %d0, taps;")],
        launch: ONE,
        shows: 1,
        wrong: "Addresses in a window of 64 KiB fit in 32 bits.",
        does: Does::Differs(0),
        right_shows: &[3],
        ours: None,
    },
    Access {
        title: "The address of a map parameter in 32 bits",
        ptx: ".shared .align 128 .b8 tile[4096];
.shared .b64 full;
.visible .entry k(.param .u64 out, .param .align 64 .b8 map[128]) {
    mbarrier.init.shared.b64 [full], 1;
    fence.proxy.async.shared::cta;
    mov.u32 %r0, map;
    cvt.u64.u32 %d0, %r0;
    cvta.param.u64 %d0, %d0;
    mov.u32 %r0, 0;
    mbarrier.arrive.expect_tx.shared.b64 _, [full], 4096;
    cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%d0, {%r0, %r0}], [full];
    // wait for phase 0 of full
    // show 1024 words of tile
    ret;
}",
        right: &[("mov.u32 %r0, map;\n    cvt.u64.u32 %d0, %r0;", "mov.u64 %d0, map;")],
        launch: Launch { args: &[Arg::Map(Map::Plain)], ..ONE },
        shows: 1024,
        wrong: "Addresses of parameters fit in 32 bits.",
        does: Does::Differs(0),
        right_shows: &[0x1_0000, 0x3_0002, 0x5_0004, 0x7_0006],
        ours: None,
    },
];
