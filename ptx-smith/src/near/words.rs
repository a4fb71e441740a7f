//! The words of choices.

use super::choice::Says::{Allowed, Depends, Forbidden};
use super::choice::Unusual;

/// Types of variables.
pub(super) const TYPES: &[&str] = &[
    ".u8", ".u16", ".u32", ".u64", ".s8", ".s16", ".s32", ".s64", ".b8", ".b16", ".b32", ".b64",
    ".f32", ".f64",
];

/// Other types.
pub(super) const OTHER_TYPES: Unusual = (
    Depends,
    &[
        ".b128",
        ".f16",
        ".f16x2",
        ".bf16",
        ".bf16x2",
        ".tf32",
        ".e4m3",
        ".e4m3x2",
        ".e5m2",
        ".u16x2",
        ".s16x2",
        ".f32x2",
        ".pred",
        ".texref",
        ".samplerref",
        ".surfref",
    ],
);

/// Types in the wrong place, such as that of an integer for another number.
pub(super) const ANY_TYPE: Unusual = (Depends, TYPES);

/// Integers at bounds.
pub(super) const NUMBERS: Unusual = (
    Depends,
    &[
        "0",
        "1",
        "2",
        "3",
        "5",
        "7",
        "8",
        "9",
        "12",
        "15",
        "16",
        "17",
        "31",
        "32",
        "33",
        "40",
        "64",
        "100",
        "127",
        "128",
        "129",
        "255",
        "256",
        "257",
        "512",
        "1023",
        "1024",
        "1025",
        "4096",
        "32764",
        "32765",
        "49152",
        "49153",
        "65535",
        "65536",
        "65537",
        "0x7fffffff",
        "2147483648",
        "4294967295",
        "4294967296",
        "4294967297",
        "0x7fffffffffffffff",
        "0x8000000000000000",
        "18446744073709551612",
        "18446744073709551615",
        "18446744073709551616",
        "18446744073709551617",
        "-1",
        "1.5",
        "0f3F800000",
    ],
);

/// Alignments: any power of two.
pub(super) const ALIGNMENTS: &[Unusual] = &[
    (Allowed, &["32", "64", "128", "256", "512", "1024"]),
    (Depends, &["0", "1", "2", "3", "4", "2147483648", "4294967296", "4294967300"]),
];

/// Names of what is declared in one module or another.
pub(super) const DECLARED: Unusual = (
    Depends,
    &["x", "y", "t", "s", "k", "b", "b", "f", "p", "q", "r", "%r", "%r0", "%r1", "%f0", "%d"],
);

/// Names that are declared there, that mean something by themselves, or are unusual.
pub(super) const NAMES: &[Unusual] = &[
    (Allowed, &["$x", "%x", "_1", "x$", "r1"]),
    DECLARED,
    (
        Depends,
        &["%laneid", "%tid", "%clock64", "%envreg0", "WARP_SZ", "_", "_", "sm_90a", "%undeclared"],
    ),
    (Forbidden("An instruction as a name"), &["add", "ld", "bra", "tex"]),
];

/// State spaces of variables.
pub(super) const SPACES: Unusual =
    (Depends, &[".global", ".const", ".shared", ".local", ".param", ".reg", ".tex", ".sreg"]);

/// Extents of arrays.
pub(super) const EXTENTS: Unusual = (
    Depends,
    &[
        "[]", "[0]", "[2]", "[][2]", "[2][]", "[0][2]", "[2][0]", "<2>", "<0>", "[x]", "[1.5]",
        "[1+1]",
    ],
);

/// Linkages.
pub(super) const LINKAGES: Unusual = (Depends, &[".extern", ".weak", ".common", ".visible .weak"]);

/// Attributes.
pub(super) const ATTRIBUTES: Unusual =
    (Depends, &[".attribute(.managed)", ".attribute(.unified(1, 2))", ".attribute()"]);

/// Numbers in decimal and hexadecimal notation that are unusual.
pub(super) const FLOATS: Unusual = (
    Allowed,
    &[
        "1e-310",
        "4.5e-320",
        "1e308",
        "0d0000000000000001",
        "0d7FF0000000000000",
        "0f7F800000",
        "1.",
        ".5",
    ],
);
