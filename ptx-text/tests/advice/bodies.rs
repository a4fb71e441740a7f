//! Statements.

use super::Case;

pub(crate) const CASES: &[Case] = &[
    Case {
        code: "A009",
        text: kernel!("", (".param .u32 n"), "ld.param::func.u32 %r0, [n];"),
        advice: "write `.param::entry`, or `.param` alone",
        ways: &[&[("::func", "::entry")], &[("::func", "")]],
    },
    // A space other than the storage's.
    Case {
        code: "A018",
        text: kernel!(".shared .b32 s; .global .b32 g;", (), "ld.global.u32 %r0, [s];"),
        advice: "write `.shared` in place of `.global`, or use a variable in `.global`",
        ways: &[&[("ld.global", "ld.shared")], &[("[s]", "[g]")]],
    },
    Case {
        code: "A018",
        text: kernel!("", (".param .u64 p"), "ld.global.f32 %f0, [p];"),
        advice: "load the address that it holds with `ld.param` first",
        ways: &[&[("ld.global.f32 %f0, [p]", "ld.param.u64 %d0, [p]; ld.global.f32 %f0, [%d0]")]],
    },
    Case {
        code: "A018",
        text: kernel!("", (".param .u32 n"), "ld.global.u32 %r0, [n];"),
        advice: "write `.param` in place of `.global`",
        ways: &[&[("ld.global", "ld.param")]],
    },
    // An instruction that can name no other space, and one with a sub-qualifier.
    Case {
        code: "A018",
        text: kernel!(
            ".shared .b32 s; .shared .b32 t; .global .b32 g;",
            (),
            "cp.async.ca.shared.global [t], [s], 4;"
        ),
        advice: "use a variable in `.global`",
        ways: &[&[("[s]", "[g]")]],
    },
    Case {
        code: "A018",
        text: kernel!(".const .b32 c; .global .b32 g;", (), "atom.global.add.u32 %r0, [c], 1;"),
        advice: "use a variable in `.global`",
        ways: &[&[("[c]", "[g]")]],
    },
    Case {
        code: "A018",
        text: kernel!(
            ".shared .b32 s; .global .b32 g;",
            (),
            "atom.shared::cta.add.u32 %r0, [g], 1;"
        ),
        advice: "write `.global` in place of `.shared::cta`, or use a variable in `.shared`",
        ways: &[&[(".shared::cta", ".global")], &[("[g]", "[s]")]],
    },
    Case {
        code: "A093",
        text: kernel!("", (".param .u32 n"), "@n ret;"),
        advice: "load the value with `ld.param.u32`, and compare it with `setp`",
        ways: &[&[("@n ret", "ld.param.u32 %r0, [n]; setp.ne.u32 %p0, %r0, 0; @%p0 ret")]],
    },
    Case {
        code: "A031",
        text: kernel!(
            ".shared .b32 s; .global .b32 g;",
            (),
            "mov.u64 %d0, s;\nld.global.u32 %r0, [%d0];"
        ),
        advice: "write `.shared` in place of `.global`, or take the address of a variable in `.global`",
        ways: &[&[("ld.global", "ld.shared")], &[("%d0, s", "%d0, g")]],
    },
    Case {
        code: "A031",
        text: kernel!("", (".param .u64 p"), "mov.u64 %d0, p;\nld.global.f32 %f0, [%d0];"),
        advice: "load the address that it holds with `ld.param` first",
        ways: &[&[("mov.u64 %d0, p", "ld.param.u64 %d0, [p]")]],
    },
    Case {
        code: "A019",
        text: kernel!(".const .b32 c;", (), "ld.u32 %r0, [c];"),
        advice: "add `.const` to the instruction",
        ways: &[&[("ld.u32", "ld.const.u32")]],
    },
    Case {
        code: "A032",
        text: kernel!(".shared .b32 s;", (), "mov.u64 %d0, s;\nld.u32 %r0, [%d0];"),
        advice: "convert it with `cvta.shared`, or add `.shared` to the instruction",
        ways: &[
            &[("ld.u32 %r0, [%d0]", "cvta.shared.u64 %d1, %d0; ld.u32 %r0, [%d1]")],
            &[("ld.u32", "ld.shared.u32")],
        ],
    },
    Case {
        code: "A033",
        text: kernel!(".shared .b32 s;", (), "cvta.shared.u64 %d0, s;\nld.shared.u32 %r0, [%d0];"),
        advice: "convert it with `cvta.to.shared`, or remove `.shared`",
        ways: &[
            &[(
                "ld.shared.u32 %r0, [%d0]",
                "cvta.to.shared.u64 %d1, %d0; ld.shared.u32 %r0, [%d1]",
            )],
            &[("ld.shared", "ld")],
        ],
    },
    // The last offset is aligned as well.
    Case {
        code: "A020",
        text: kernel!(".shared .b32 s[32];", (), "ld.shared.u32 %r0, [s+128];"),
        advice: "offsets count bytes, and the last that fits is 124",
        ways: &[&[("s+128", "s+124")]],
    },
    Case {
        code: "A020",
        text: kernel!(".shared .align 8 .b32 s[3];", (), "ld.shared.b64 %d0, [s+8];"),
        advice: "the last that fits is 0",
        ways: &[&[("s+8", "s+0")]],
    },
    Case {
        code: "A020",
        text: kernel!(".shared .b32 s[32];", (), "ld.shared.u32 %r0, [s+-4];"),
        advice: "the first is 0",
        ways: &[&[("s+-4", "s+0")]],
    },
    Case {
        code: "A020",
        text: kernel!(
            ".shared .align 16 .b32 s;",
            (),
            "ld.shared.v4.u32 {%r0, %r1, %r2, %r3}, [s];"
        ),
        advice: "it accesses 16 bytes: access fewer, or declare more",
        ways: &[&[("v4.u32 {%r0, %r1, %r2, %r3}", "u32 %r0")], &[(".b32 s", ".b32 s[4]")]],
    },
    Case {
        code: "A021",
        text: kernel!(
            ".shared .align 16 .b32 s[16];",
            (),
            "ld.shared.v4.u32 {%r0, %r1, %r2, %r3}, [s+8];"
        ),
        advice: "write a multiple of 16, or access fewer bytes at a time",
        ways: &[&[("s+8", "s+16")], &[("v4.u32 {%r0, %r1, %r2, %r3}", "v2.u32 {%r0, %r1}")]],
    },
    Case {
        code: "A022",
        text: kernel!(
            ".shared .align 4 .b32 s[8];",
            (),
            "ld.shared.v4.u32 {%r0, %r1, %r2, %r3}, [s];"
        ),
        advice: "align it to 16 bytes, or access fewer bytes at a time",
        ways: &[&[(".align 4", ".align 16")], &[("v4.u32 {%r0, %r1, %r2, %r3}", "u32 %r0")]],
    },
    // The text does not show whether a tile is swizzled.
    Case {
        code: "A022",
        text: kernel!(
            ".shared .align 16 .b8 s[1024]; .shared .align 8 .b64 bar;",
            (".param .align 64 .b8 map[128]"),
            "mov.u64 %d0, map;\ncvta.param.u64 %d0, %d0;\n\
             cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%d0, {%r0, %r1}], [bar];"
        ),
        advice: "align it to 128 bytes, or to 1,024 for a swizzled tile",
        ways: &[&[(".align 16", ".align 128")], &[(".align 16", ".align 1024")]],
    },
    Case {
        code: "A034",
        text: kernel!(
            ".global .f32 g;",
            (),
            "mov.b32 %r0, 0;\nadd.f16x2 %r1, %r0, %r0;\nst.global.b32 [g], %r1;"
        ),
        advice: "convert it to `.f32` with `cvt` first",
        ways: &[&[(
            "st.global.b32 [g], %r1",
            ".reg .b16 %h<2>; mov.b32 {%h0, %h1}, %r1;\ncvt.f32.f16 %f0, %h0;\nst.global.f32 [g], %f0",
        )]],
    },
    Case {
        code: "A034",
        text: kernel!(
            ".global .f16x2 g;",
            (),
            "mov.b32 %f0, 0;\nadd.f32 %f1, %f0, %f0;\nst.global.b32 [g], %f1;"
        ),
        advice: "convert it to `.f16x2` with `cvt` first",
        ways: &[&[(
            "st.global.b32 [g], %f1",
            "cvt.rn.f16x2.f32 %r0, %f1, %f0;\nst.global.b32 [g], %r0",
        )]],
    },
    Case {
        code: "A034",
        text: kernel!(
            "",
            (".param .u64 .ptr .global .align 16 p"),
            "ld.param.u32 %r0, [p];\ncvt.u64.u32 %d0, %r0;\nld.global.u32 %r1, [%d0];"
        ),
        advice: "load all of it, as `.u64`",
        ways: &[&[("ld.param.u32 %r0, [p];\ncvt.u64.u32 %d0, %r0;", "ld.param.u64 %d0, [p];")]],
    },
    Case {
        code: "A034",
        text: kernel!(
            ".global .f16x2 g;",
            (),
            "mov.b32 %f1, 0;\nadd.f32 %f1, %f1, %f1;\natom.global.add.f32 %f0, [g], %f1;"
        ),
        advice: "declare it as bits, `.b32`, which any type can access",
        ways: &[&[(".f16x2 g", ".b32 g")]],
    },
    Case {
        code: "A041",
        text: kernel!(
            ".shared .align 16 .b8 s[64]; .shared .align 8 .b64 bar;",
            (".param .u64 p"),
            "ld.param.u64 %d0, [p];\n\
             mbarrier.init.shared.b64 [bar], 1;\n\
             mbarrier.arrive.expect_tx.shared.b64 _, [bar], 32;\n\
             cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%d0], 64, [bar];"
        ),
        advice: "expect 64, or copy only 32",
        ways: &[&[("[bar], 32", "[bar], 64")], &[("[%d0], 64", "[%d0], 32")]],
    },
    Case {
        code: "A041",
        text: kernel!(
            ".shared .align 16 .b8 s[64]; .shared .align 8 .b64 bar;",
            (".param .u64 p"),
            "ld.param.u64 %d0, [p];\n\
             mbarrier.init.shared.b64 [bar], 1;\n\
             mbarrier.arrive.expect_tx.shared.b64 _, [bar], 64;\n\
             cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%d0], 32, [bar];"
        ),
        advice: "expect 32, or copy 64",
        ways: &[&[("[bar], 64", "[bar], 32")], &[("[%d0], 32", "[%d0], 64")]],
    },
    Case {
        code: "A046",
        text: kernel!(".global .b32 g;", (), "mov.u32 %r0, g;"),
        advice: "write `.u64`, and use a 64-bit register",
        ways: &[&[("mov.u32 %r0", "mov.u64 %d0")]],
    },
    Case {
        code: "A047",
        text: kernel!(".shared .align 8 .b64 bar;", (), "mbarrier.init.shared.b64 [bar], 0;"),
        advice: "stay in that range",
        ways: &[&[("[bar], 0", "[bar], 1")], &[("[bar], 0", "[bar], 1048575")]],
    },
    Case {
        code: "A052",
        text: kernel!(
            "",
            (".param .u64 p"),
            "ld.param.u64 %d0, [p];\ncvt.u32.u64 %r1, %d0;\nld.global.u32 %r0, [%r1];"
        ),
        advice: "declare it `.b64`",
        ways: &[&[("cvt.u32.u64 %r1, %d0", "mov.u64 %d1, %d0"), ("[%r1]", "[%d1]")]],
    },
    Case {
        code: "A055",
        text: kernel!(".global .u32 g;", (), "mov.u64 %d0, g[1];"),
        advice: "write `[g]` to access it or `g` for its address, or declare an array",
        ways: &[
            &[("mov.u64 %d0, g[1]", "ld.global.u32 %r0, [g]")],
            &[("g[1]", "g")],
            &[(".u32 g;", ".u32 g[2];")],
        ],
    },
    Case {
        code: "A059",
        text: kernel!(
            ".shared .b32 s;",
            (),
            "mov.u32 %r1, s;\nmapa.shared::cluster.u32 %r0, %r1, 2;",
            ".reqnctapercluster 2"
        ),
        advice: "name a block below 2, or declare a larger cluster",
        ways: &[&[("%r1, 2", "%r1, 1")], &[("cluster 2", "cluster 4")]],
    },
    Case {
        code: "A064",
        text: kernel!(
            ".shared .align 8 .b64 bar;",
            (),
            "mbarrier.init.shared.b64 [bar], 1;\nmbarrier.init.shared.b64 [bar], 2;"
        ),
        advice: "write `mbarrier.inval` before this",
        ways: &[
            &[("\nmbarrier.init.shared.b64 [bar], 2;", "")],
            &[(
                "\nmbarrier.init.shared.b64 [bar], 2",
                "\nmbarrier.inval.shared.b64 [bar]; mbarrier.init.shared.b64 [bar], 2",
            )],
        ],
    },
    Case {
        code: "A070",
        text: kernel!(
            ".shared .align 16 .b32 s[4];",
            (".param .u64 p"),
            "ld.param.u64 %d0, [p];\ncp.async.ca.shared.global [s], [%d0], 16;\nld.shared.u32 %r0, [s];"
        ),
        advice: "wait for the copy first, with `cp.async.wait_all`",
        ways: &[
            &[("\nld.shared", "\ncp.async.wait_all; ld.shared")],
            &[("\nld.shared", "\ncp.async.commit_group; cp.async.wait_group 0; ld.shared")],
        ],
    },
    Case {
        code: "A076",
        text: kernel!("", (), "barrier.sync 0, 40;", ".reqntid 64"),
        advice: "count the threads that arrive, a multiple of 32",
        ways: &[&[("0, 40", "0, 64")]],
    },
    Case {
        code: "A030",
        text: kernel!(".shared .b32 s;", (), "_fetch.u32 %r0, [s];"),
        advice: "write `// ptx: allow(A030)` on the line before",
        ways: &[&[("_fetch.u32", "// ptx: allow(A030)\n_fetch.u32")]],
    },
    Case {
        code: "S001",
        text: ".version 7.7\n.target sm_80\n.address_size 64\n.visible .entry k() {\n.reg .pred %p;\nmov.pred %p, %is_explicit_cluster;\nret;\n}",
        advice: "write `.version 7.8` or a newer one",
        ways: &[&[("7.7", "7.8")]],
    },
    Case {
        code: "C002",
        text: ".func f(.param .b32 a) { ret; }\n.visible .entry k() {\n.reg .b32 %r<2>;\nmov.b32 %r0, 1;\ncall f, (%r0, %r0);\nret;\n}",
        advice: "pass one for each parameter",
        ways: &[&[("(%r0, %r0)", "(%r0)")]],
    },
    Case {
        code: "C006",
        text: ".func f(.param .align 8 .b8 a[8]) { ret; }\n.visible .entry k() {\n.param .align 4 .b8 x[8];\nst.param.b32 [x], 1;\ncall f, (x);\nret;\n}",
        advice: "declare the argument with `.align 8`",
        ways: &[&[(".align 4", ".align 8")]],
    },
];
