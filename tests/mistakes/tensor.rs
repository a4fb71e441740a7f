//! Tensor copies.

use super::{Access, Arg, Does, Launch, Map, ONE, Ours};

const PLAIN: Launch = Launch { args: &[Arg::Map(Map::Plain)], ..ONE };

pub(super) const ACCESSES: &[Access] = &[
    Access {
        title: "A tensor copy into shared memory that is aligned to 16 bytes",
        ptx: ".shared .align 16 .b8 first[16];
.extern .shared .align 16 .b8 tile[];
.shared .b64 full;
.visible .entry k(.param .u64 out, .param .align 64 .b8 map[128]) {
    // number 4 words of first
    mbarrier.init.shared.b64 [full], 1;
    fence.proxy.async.shared::cta;
    mov.b64 %d0, map;
    cvta.param.u64 %d0, %d0;
    mov.u32 %r0, 0;
    mbarrier.arrive.expect_tx.shared.b64 _, [full], 4096;
    cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%d0, {%r0, %r0}], [full];
    // wait for phase 0 of full
    // show 1024 words of tile
    ret;
}",
        right: &[(".align 16 .b8 tile", ".align 128 .b8 tile")],
        launch: Launch { dynamic: 4096, ..PLAIN },
        shows: 1024,
        wrong: "The copy faults or not, depending on where other variables move the tile.",
        does: Does::Fault(716),
        right_shows: &[0x1_0000, 0x3_0002, 0x5_0004, 0x7_0006],
        ours: Some(Ours { ui: "a022_base_misaligned", excerpt: "`TILE` is aligned to 16 bytes" }),
    },
    Access {
        title: "A buffer in place of a tensor map",
        ptx: ".shared .align 128 .b8 tile[4096];
.shared .b64 full;
.global .align 64 .f32 buffer[64];
.visible .entry k(.param .u64 out, .param .align 64 .b8 map[128]) {
    mbarrier.init.shared.b64 [full], 1;
    fence.proxy.async.shared::cta;
    mov.b64 %d0, buffer;
    cvta.global.u64 %d0, %d0;
    mov.u32 %r0, 0;
    mbarrier.arrive.expect_tx.shared.b64 _, [full], 4096;
    cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%d0, {%r0, %r0}], [full];
    // wait for phase 0 of full
    // show 1024 words of tile
    ret;
}",
        right: &[("mov.b64 %d0, buffer;\n    cvta.global", "mov.b64 %d0, map;\n    cvta.param")],
        launch: PLAIN,
        shows: 1024,
        wrong: "The copy takes the data for a descriptor and faults.",
        does: Does::Fault(715),
        right_shows: &[0x1_0000, 0x3_0002, 0x5_0004, 0x7_0006],
        ours: Some(Ours { ui: "a025_not_a_map", excerpt: "`BUFFER`" }),
    },
    Access {
        title: "A three-dimensional copy through a two-dimensional map",
        ptx: ".shared .align 128 .b8 tile[4096];
.shared .b64 full;
.visible .entry k(.param .u64 out, .param .align 64 .b8 map[128]) {
    mbarrier.init.shared.b64 [full], 1;
    fence.proxy.async.shared::cta;
    mov.b64 %d0, map;
    cvta.param.u64 %d0, %d0;
    mov.u32 %r0, 0;
    mbarrier.arrive.expect_tx.shared.b64 _, [full], 4096;
    cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%d0, {%r0, %r0, %r0}], [full];
    // wait for phase 0 of full
    // show 1024 words of tile
    ret;
}",
        right: &[("tensor.3d", "tensor.2d"), ("{%r0, %r0, %r0}", "{%r0, %r0}")],
        launch: PLAIN,
        shows: 1024,
        wrong: "The instruction and the descriptor disagree, which only the hardware detects.",
        does: Does::Fault(715),
        right_shows: &[0x1_0000, 0x3_0002, 0x5_0004, 0x7_0006],
        ours: Some(Ours { ui: "a026_wrong_rank", excerpt: "[A026" }),
    },
    Access {
        title: "A copy in a mode other than its map's",
        ptx: ".shared .align 128 .b8 tile[4096];
.shared .b64 full;
.visible .entry k(.param .u64 out, .param .align 64 .b8 map[128]) {
    mbarrier.init.shared.b64 [full], 1;
    fence.proxy.async.shared::cta;
    mov.b64 %d0, map;
    cvta.param.u64 %d0, %d0;
    mov.u32 %r0, 0;
    mov.u16 %h0, 0;
    mbarrier.arrive.expect_tx.shared.b64 _, [full], 4096;
    cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [tile], [%d0, {%r0, %r0, %r0}], [full], {%h0};
    // wait for phase 0 of full
    // show 1024 words of tile
    ret;
}",
        right: &[
            ("tensor.3d", "tensor.2d"),
            ("global.im2col", "global.tile"),
            ("{%r0, %r0, %r0}", "{%r0, %r0}"),
            (", {%h0}", ""),
        ],
        launch: PLAIN,
        shows: 1024,
        wrong: "The instruction and the descriptor disagree, which only the hardware detects.",
        does: Does::Fault(715),
        right_shows: &[0x1_0000, 0x3_0002, 0x5_0004, 0x7_0006],
        ours: Some(Ours { ui: "a027_wrong_mode", excerpt: "[A027" }),
    },
    Access {
        title: "A prefetch in a mode other than its map's",
        ptx: ".visible .entry k(.param .u64 out, .param .align 64 .b8 map[128]) {
    mov.b64 %d0, map;
    cvta.param.u64 %d0, %d0;
    mov.u32 %r0, 0;
    mov.u16 %h0, 0;
    cp.async.bulk.prefetch.tensor.3d.L2.global.im2col [%d0, {%r0, %r0, %r0}], {%h0};
    // pause
    ret;
}",
        right: &[
            ("tensor.3d", "tensor.2d"),
            ("global.im2col", "global.tile"),
            ("{%r0, %r0, %r0}", "{%r0, %r0}"),
            (", {%h0}", ""),
        ],
        launch: PLAIN,
        shows: 0,
        wrong: "The instruction and the descriptor disagree, which only the hardware detects.",
        does: Does::Fault(715),
        right_shows: &[],
        ours: Some(Ours { ui: "a027_wrong_mode", excerpt: "[A027" }),
    },
    Access {
        title: "A tensor copy into a variable smaller than the tile",
        ptx: ".shared .align 128 .b8 tile[2048];
.shared .b64 full;
.extern .shared .align 16 .b8 next[];
.visible .entry k(.param .u64 out, .param .align 64 .b8 map[128]) {
    // number 1024 words of next
    mbarrier.init.shared.b64 [full], 1;
    fence.proxy.async.shared::cta;
    mov.b64 %d0, map;
    cvta.param.u64 %d0, %d0;
    mov.u32 %r0, 0;
    mbarrier.arrive.expect_tx.shared.b64 _, [full], 4096;
    cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%d0, {%r0, %r0}], [full];
    // wait for phase 0 of full
    // show 1024 words of next
    ret;
}",
        right: &[("tile[2048]", "tile[4096]")],
        launch: Launch { dynamic: 4096, ..PLAIN },
        shows: 1024,
        wrong: "The copy overwrites whatever follows `tile`: `full`, which the hardware keeps elsewhere, and `next`.",
        does: Does::Differs(508),
        right_shows: &[0, 1, 2, 3],
        ours: Some(Ours { ui: "a037_tile_too_small", excerpt: "`SMALL` has room for 512" }),
    },
    Access {
        title: "Stages that a loop fills half a tile apart",
        ptx: ".shared .align 1024 .b8 tiles[8192];
.shared .b64 full;
.visible .entry k(.param .u64 out, .param .align 64 .b8 map[128]) {
    mbarrier.init.shared.b64 [full], 1;
    fence.proxy.async.shared::cta;
    mov.b64 %d0, map;
    cvta.param.u64 %d0, %d0;
    mov.u32 %r0, 0;
    mov.u32 %r1, 0;
    mov.u32 %r2, tiles;
FILL:
    mbarrier.arrive.expect_tx.shared.b64 _, [full], 4096;
    cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%d0, {%r0, %r0}], [full];
FULL:
    mbarrier.test_wait.parity.shared.b64 %p0, [full], %r1;
    @!%p0 bra FULL;
    add.u32 %r2, %r2, 2048;
    add.u32 %r1, %r1, 1;
    setp.lt.u32 %p0, %r1, 2;
    @%p0 bra FILL;
    // show 1024 words of tiles
    ret;
}",
        right: &[("%r2, 2048", "%r2, 4096")],
        launch: Launch { args: &[Arg::Map(Map::Swizzled)], ..ONE },
        shows: 1024,
        wrong: "The second tile overwrites the lower half of the first.",
        does: Does::Differs(512),
        right_shows: &[0x1_0000, 0x3_0002, 0x5_0004, 0x7_0006],
        ours: Some(Ours {
            ui: "a060_tile_across_tiles",
            excerpt: "(in iteration 2 of the loop at `FILL`)",
        }),
    },
    Access {
        title: "A tensor copy into a tile that is not aligned to its swizzle",
        ptx: ".shared .align 128 .b8 first[128];
.extern .shared .align 128 .b8 tile[];
.visible .entry k(.param .u64 out, .param .align 64 .b8 map[128]) {
    mbarrier.init.shared.b64 [first], 1;
    fence.proxy.async.shared::cta;
    mov.b64 %d0, map;
    cvta.param.u64 %d0, %d0;
    mov.u32 %r0, 0;
    mbarrier.arrive.expect_tx.shared.b64 _, [first], 4096;
    cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%d0, {%r0, %r0}], [first];
    // wait for phase 0 of first
    // show 1024 words of tile
    ret;
}",
        right: &[(".align 128 .b8 tile", ".align 1024 .b8 tile")],
        launch: Launch { dynamic: 4096, args: &[Arg::Map(Map::Swizzled)], ..ONE },
        shows: 1024,
        wrong: "The swizzle depends on the address, not on the offset in the tile: each row is where the next row's pattern puts it.",
        does: Does::Differs(1024),
        right_shows: &[0x1_0000, 0x3_0002, 0x5_0004, 0x7_0006],
        ours: Some(Ours { ui: "a038_tile_misaligned", excerpt: "`BYTES` is aligned to 128" }),
    },
    Access {
        title: "A tensor copy into the tile of another map",
        ptx: ".shared .align 1024 .b8 tile_b[4096];
.shared .b64 full;
.visible .entry k(.param .u64 out, .param .align 64 .b8 a[128], .param .align 64 .b8 b[128]) {
    mbarrier.init.shared.b64 [full], 1;
    fence.proxy.async.shared::cta;
    mov.b64 %d0, a;
    cvta.param.u64 %d0, %d0;
    mov.u32 %r0, 0;
    mbarrier.arrive.expect_tx.shared.b64 _, [full], 4096;
    cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [tile_b], [%d0, {%r0, %r0}], [full];
    // wait for phase 0 of full
    ld.shared.u32 %r1, [tile_b + 144];
    st.global.u32 [%out + 4], %r1;
    ret;
}",
        right: &[("mov.b64 %d0, a;", "mov.b64 %d0, b;")],
        launch: Launch { args: &[Arg::Map(Map::Plain), Arg::Map(Map::Swizzled)], ..ONE },
        shows: 1,
        wrong: "The kernel looks for the first element of row 1 where the swizzle of `b` puts it, and finds a different element.",
        does: Does::Shows(&[0x49_0048]),
        right_shows: &[0x41_0040],
        ours: Some(Ours { ui: "a039_tile_of_another", excerpt: "[A039" }),
    },
    Access {
        title: "The address of a map parameter without `cvta.param`",
        ptx: ".shared .align 128 .b8 tile[4096];
.shared .b64 full;
.visible .entry k(.param .u64 out, .param .align 64 .b8 map[128]) {
    mbarrier.init.shared.b64 [full], 1;
    fence.proxy.async.shared::cta;
    mov.b64 %d0, map;
    mov.u32 %r0, 0;
    mbarrier.arrive.expect_tx.shared.b64 _, [full], 4096;
    cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%d0, {%r0, %r0}], [full];
    // wait for phase 0 of full
    // show 1024 words of tile
    ret;
}",
        right: &[("mov.b64 %d0, map;", "mov.b64 %d0, map;\ncvta.param.u64 %d0, %d0;")],
        launch: PLAIN,
        shows: 1024,
        wrong: "The offset of the parameter is taken for a generic address, which is not a multiple of 64.",
        does: Does::Fault(716),
        right_shows: &[0x1_0000, 0x3_0002, 0x5_0004, 0x7_0006],
        ours: Some(Ours { ui: "a043_map_not_generic", excerpt: "[A043" }),
    },
    Access {
        title: "A first coordinate that is not a multiple of 16 bytes",
        ptx: ".shared .align 128 .b8 tile[4096];
.shared .b64 full;
.visible .entry k(.param .u64 out, .param .align 64 .b8 map[128]) {
    mbarrier.init.shared.b64 [full], 1;
    fence.proxy.async.shared::cta;
    mov.b64 %d0, map;
    cvta.param.u64 %d0, %d0;
    mbarrier.arrive.expect_tx.shared.b64 _, [full], 4096;
    cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%d0, {4, 0}], [full];
    // wait for phase 0 of full
    // show 1024 words of tile
    ret;
}",
        right: &[("{4, 0}", "{8, 0}")],
        launch: PLAIN,
        shows: 1024,
        wrong: "The copy faults as an illegal instruction.",
        does: Does::Fault(715),
        right_shows: &[0x9_0008, 0xb_000a],
        ours: Some(Ours { ui: "a040_coordinate_misaligned", excerpt: "element 4" }),
    },
];
