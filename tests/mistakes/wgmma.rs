//! Matrix descriptors.

use super::{Access, Arg, Does, Launch, Map, ONE, Ours};

/// Two tiles with a swizzle of 128 bytes, and the product of their first 16 columns, with this descriptor for
/// the left tile.
macro_rules! product {
    ($left:literal) => {
        concat!(
            ".shared .align 1024 .b8 left[8192];
.shared .align 1024 .b8 right[1024];
.shared .b64 full;
.visible .entry k(.param .u64 out, .param .align 64 .b8 a[128], .param .align 64 .b8 b[128]) {
    mov.u32 %r0, %tid.x;
    setp.ne.u32 %p0, %r0, 0;
    @%p0 bra LOADED;
    mbarrier.init.shared.b64 [full], 1;
    fence.proxy.async.shared::cta;
    mov.b64 %d0, a;
    cvta.param.u64 %d0, %d0;
    mov.b64 %d1, b;
    cvta.param.u64 %d1, %d1;
    mov.u32 %r1, 0;
    mbarrier.arrive.expect_tx.shared.b64 _, [full], 9216;
    cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [left], [%d0, {%r1, %r1}], [full];
    cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [right], [%d1, {%r1, %r1}], [full];
LOADED:
    bar.sync 0;
    // wait for phase 0 of full
    mov.u64 %d2, left;
    shr.b64 %d2, %d2, 4;
    or.b64 %d2, %d2, ",
            $left,
            ";
    mov.u64 %d3, right;
    shr.b64 %d3, %d3, 4;
    or.b64 %d3, %d3, 0x4000004000010000;
    mov.f32 %f0, 0f00000000;
    mov.f32 %f1, 0f00000000;
    mov.f32 %f2, 0f00000000;
    mov.f32 %f3, 0f00000000;
    wgmma.fence.sync.aligned;
    wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%f0, %f1, %f2, %f3}, %d2, %d3, 1, 1, 1, 0, 0;
    wgmma.commit_group.sync.aligned;
    wgmma.wait_group.sync.aligned 0;
    mad.wide.u32 %d4, %r0, 16, %out;
    cvt.rzi.s32.f32 %r1, %f0;
    st.global.u32 [%d4 + 4], %r1;
    cvt.rzi.s32.f32 %r1, %f1;
    st.global.u32 [%d4 + 8], %r1;
    cvt.rzi.s32.f32 %r1, %f2;
    st.global.u32 [%d4 + 12], %r1;
    cvt.rzi.s32.f32 %r1, %f3;
    st.global.u32 [%d4 + 16], %r1;
    ret;
}"
        )
    };
}

const LAUNCH: Launch =
    Launch { threads: 128, args: &[Arg::Map(Map::Left), Arg::Map(Map::Right)], ..ONE };

pub(super) const ACCESSES: &[Access] = &[
    Access {
        title: "A matrix descriptor with a swizzle other than the tile's",
        ptx: product!("0x8000004000010000"),
        right: &[("or.b64 %d2, %d2, 0x8000004000010000", "or.b64 %d2, %d2, 0x4000004000010000")],
        launch: LAUNCH,
        shows: 512,
        wrong: "The descriptor specifies 64 bytes, the tile has 128: the product uses the wrong elements.",
        does: Does::Differs(443),
        right_shows: &[227, 0xffff_ff93, 0xffff_ffd5, 0xffff_ffdd],
        ours: Some(Ours {
            ui: "a042_descriptor_differs",
            excerpt: "is 2 in this descriptor, but 1 for `A`",
        }),
    },
    Access {
        title: "A matrix descriptor without the tile's swizzle",
        ptx: product!("0x0000004000010000"),
        right: &[("or.b64 %d2, %d2, 0x0000004000010000", "or.b64 %d2, %d2, 0x4000004000010000")],
        launch: LAUNCH,
        shows: 512,
        wrong: "The descriptor specifies none, the tile has 128 bytes: the product uses the wrong elements.",
        does: Does::Differs(444),
        right_shows: &[227, 0xffff_ff93, 0xffff_ffd5, 0xffff_ffdd],
        ours: Some(Ours {
            ui: "a042_descriptor_differs",
            excerpt: "is 0 in this descriptor, but 1 for `A`",
        }),
    },
    Access {
        title: "A matrix descriptor with a stride other than the tile's",
        ptx: product!("0x4000002000010000"),
        right: &[("or.b64 %d2, %d2, 0x4000002000010000", "or.b64 %d2, %d2, 0x4000004000010000")],
        launch: LAUNCH,
        shows: 512,
        wrong: "Each group of eight rows starts 1,024 bytes after the previous one, but the descriptor specifies 512: the product uses the wrong elements.",
        does: Does::Differs(443),
        right_shows: &[227, 0xffff_ff93, 0xffff_ffd5, 0xffff_ffdd],
        ours: Some(Ours {
            ui: "a042_descriptor_differs",
            excerpt: "is 512 in this descriptor, but 1024 for `A`",
        }),
    },
];
