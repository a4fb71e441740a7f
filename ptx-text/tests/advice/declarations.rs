//! Declarations, functions and modules.

use super::Case;

/// An empty kernel.
macro_rules! kernel {
    ($directives:literal) => {
        concat!(".visible .entry k() ", $directives, " { ret; }")
    };
}

pub(crate) const CASES: &[Case] = &[
    // Alignments: at least that of the type, and at most the maximum in PTX.
    Case {
        code: "D005",
        text: ".global .align 3 .b32 g;",
        advice: "write 4",
        ways: &[&[("align 3", "align 4")]],
    },
    Case {
        code: "D005",
        text: ".global .align 0 .b64 g;",
        advice: "write 8",
        ways: &[&[("align 0", "align 8")]],
    },
    Case {
        code: "D005",
        text: ".global .align 6 .b32 g;",
        advice: "write 4 or 8",
        ways: &[&[("align 6", "align 4")], &[("align 6", "align 8")]],
    },
    Case {
        code: "D005",
        text: ".global .align 4294967295 .b8 g;",
        advice: "write 2147483648",
        ways: &[&[("4294967295", "2147483648")]],
    },
    Case {
        code: "D006",
        text: ".global .align 2 .b32 g;",
        advice: "write 4 or more, or leave the alignment out",
        ways: &[&[("align 2", "align 4")], &[("align 2", "align 64")], &[(".align 2 ", "")]],
    },
    Case {
        code: "D030",
        text: ".global .align 4294967296 .b8 g;",
        advice: "write 2147483648 or less",
        ways: &[&[("4294967296", "2147483648")]],
    },
    Case {
        code: "D008",
        text: ".global .b32 g[0];",
        advice: "give every dimension at least 1 element",
        ways: &[&[("g[0]", "g[1]")]],
    },
    Case {
        code: "D007",
        text: ".shared .b32 s = 1;",
        advice: "remove the value",
        ways: &[&[(" = 1", "")]],
    },
    Case {
        code: "D014",
        text: ".global .u8 g = 300;",
        advice: "write a value in that range, or choose another type",
        ways: &[&[("300", "255")], &[("300", "0")], &[(".u8", ".u16")]],
    },
    Case {
        code: "D019",
        text: ".global .u32 g = 1.5;",
        advice: "write integers, or change the type",
        ways: &[&[("1.5", "1")], &[(".u32", ".f32")]],
    },
    Case {
        code: "D034",
        text: ".global .b8 t[4];\n.global .u64 g = t+5;",
        advice: "write an offset in bytes, from 0 to 3",
        ways: &[&[("t+5", "t+3")], &[("t+5", "t+0")]],
    },
    Case {
        code: "D041",
        text: ".global .b8 t[4];\n.global .u8 g = 0xfe(t);",
        advice: "write 0xff, 0xff00",
        ways: &[&[("0xfe", "0xff")], &[("0xfe", "0xff00")], &[("0xfe", "0xff00000000000000")]],
    },
    Case {
        code: "D002",
        text: ".global .b32 g;\n.global .b64 g;",
        advice: "rename one of them",
        ways: &[&[(".b64 g", ".b64 h")]],
    },
    Case {
        code: "D056",
        text: ".func f(.param .b32 a) { ret; }\n.visible .entry k() { .param .align 256 .b32 x; ret; }",
        advice: "align it to 128 or less",
        ways: &[&[("256", "128")]],
    },
    Case {
        code: "F010",
        text: ".func f(.param .align 256 .b8 a[256]) { ret; }",
        advice: "align it to 128 or less",
        ways: &[&[("align 256", "align 128")]],
    },
    // An excess over the limit of a block is not moved to dynamic memory.
    Case {
        code: "F002",
        text: ".shared .b8 a[16];\n.shared .b8 s[240000];\n.visible .entry k() {\n.reg .b32 %r<2>;\nmov.u32 %r0, s;\nmov.u32 %r1, a;\nret;\n}",
        advice: "make `s` smaller: a block has at most 232,448 bytes of shared memory",
        ways: &[&[("240000", "40000")]],
    },
    Case {
        code: "F005",
        text: kernel!(".reqntid 0"),
        advice: "write at least 1",
        ways: &[&[(".reqntid 0", ".reqntid 1")]],
    },
    Case {
        code: "F006",
        text: kernel!(".reqntid 2048"),
        advice: "write a value in that range",
        ways: &[&[("2048", "1024")], &[("2048", "1")]],
    },
    Case {
        code: "F030",
        text: kernel!(".maxnreg 256"),
        advice: "write 255 or less, or leave it out",
        ways: &[&[("256", "255")], &[(".maxnreg 256", "")]],
    },
    Case {
        code: "F007",
        text: kernel!(".maxntid 64 .reqntid 64"),
        advice: "remove one of them",
        ways: &[&[(".maxntid 64 ", "")], &[(".reqntid 64 ", "")]],
    },
    Case {
        code: "F008",
        text: kernel!(".minnctapersm 2"),
        advice: "add `.maxntid` or `.reqntid`",
        ways: &[
            &[(".minnctapersm", ".maxntid 64 .minnctapersm")],
            &[(".minnctapersm", ".reqntid 64 .minnctapersm")],
        ],
    },
    Case {
        code: "T001",
        text: ".version 7.0\n.target sm_90a\n.address_size 64\n.global .b32 g;",
        advice: "write `.version 8.0` or a newer one",
        ways: &[&[("7.0", "8.0")], &[("7.0", "8.7")]],
    },
    Case {
        code: "T002",
        text: ".version 7.9\n.target sm_80\n.address_size 64\n.global .b32 g;",
        advice: "write 7.8 or 8.0",
        ways: &[&[("7.9", "7.8")], &[("7.9", "8.0")]],
    },
];
