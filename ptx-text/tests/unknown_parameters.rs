//! Bytes of parameters that no launch gives are not known: nothing is found that only some of their values make wrong.

use ptx_text::{Diagnostic, Parsed};

/// The codes of what is found in a kernel of 128 threads with these parameters and statements, in blocks of a cluster of two.
fn codes(params: &str, body: &str) -> Vec<&'static str> {
    let text = format!(
        ".version 8.6\n.target sm_90a\n.address_size 64\n.visible .entry k({params})\n.reqntid 128, 1, 1\n\
         .reqnctapercluster 2, 1, 1\n{{\n.reg .pred %p<8>;\n.reg .b16 %h<8>;\n.reg .b32 %r<16>;\n.reg .b64 %d<8>;\n\
         .shared .align 16 .b8 s[2048];\n.shared .align 16 .b8 far[64];\n.shared .align 8 .b64 bar;\n\
         mov.u32 %r0, %tid.x;\nsetp.eq.u32 %p0, %r0, 0;\n{body}\nret;\n}}\n"
    );
    Parsed::new(&text).check().iter().filter_map(|found: &Diagnostic| found.code).collect()
}

/// How a number comes out of a parameter that is an array of bytes, as C passes a struct, into `%r1`.
const LOADED: &[(&str, &str)] = &[
    ("the first word", "ld.param.u32 %r1, [A];"),
    ("a word", "ld.param.u32 %r1, [A+4];"),
    ("another word", "ld.param.u32 %r1, [A+20];"),
    ("a byte", "ld.param.u8 %r1, [A+21];"),
    ("a signed half", "ld.param.s16 %h1, [A+18];\ncvt.s32.s16 %r1, %h1;"),
    ("a half", "ld.param.u16 %h1, [A+18];\ncvt.u32.u16 %r1, %h1;"),
    ("a float's bits", "ld.param.b32 %r1, [A+28];"),
    ("the lower half of two words", "ld.param.u64 %d1, [A+8];\ncvt.u32.u64 %r1, %d1;"),
    ("the upper half of two words", "ld.param.u64 %d1, [A+8];\nmov.b64 {%r2, %r1}, %d1;"),
    ("two words", "ld.param.v2.u32 {%r1, %r2}, [A+16];"),
    ("the second of two words", "ld.param.v2.u32 {%r2, %r1}, [A+8];"),
    (
        "words put together",
        "ld.param.u32 %r2, [A+4];\nmov.b64 %d1, {%r2, %r2};\ncvt.u32.u64 %r1, %d1;",
    ),
    ("an address by mov", "mov.b64 %d1, A;\nld.param.u32 %r1, [%d1+20];"),
    ("a generic address", "mov.b64 %d1, A;\ncvta.param.u64 %d1, %d1;\nld.u32 %r1, [%d1+12];"),
    (
        "a word that was stored",
        "ld.param.u64 %d1, [A+8];\n@%p0 st.shared.u64 [s], %d1;\nbar.sync 0;\nld.shared.u32 %r1, [s];",
    ),
    (
        "a word that was stored wider",
        "ld.param.u32 %r2, [A+4];\ncvt.u64.u32 %d1, %r2;\n@%p0 st.shared.u64 [s], %d1;\nbar.sync 0;\nld.shared.u32 %r1, [s];",
    ),
];

/// What a kernel does with the number in `%r1`, all of which is right with some number.
const USES: &[(&str, &str)] = &[
    ("a mask", "bar.warp.sync %r1;"),
    ("a mask of a shuffle", "shfl.sync.bfly.b32 %r3, %r0, 1, 31, %r1;"),
    ("a number of threads", "bar.sync 1, %r1;"),
    ("the number of a barrier", "bar.sync %r1, 128;"),
    (
        "a rank",
        "mapa.shared::cluster.u32 %r3, s, %r1;\nbarrier.cluster.arrive;\nbarrier.cluster.wait;\nst.shared::cluster.u32 [%r3], 1;\nbarrier.cluster.arrive;\nbarrier.cluster.wait;",
    ),
    (
        "a number of arrivals",
        "@%p0 mbarrier.init.shared.b64 [bar], %r1;\nbar.sync 0;\nmbarrier.arrive.shared.b64 _, [bar];\nL: mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0;\n@!%p1 bra L;",
    ),
    (
        "bytes that are expected",
        "@%p0 mbarrier.init.shared.b64 [bar], 1;\nbar.sync 0;\n@!%p0 bra L;\nmbarrier.arrive.expect_tx.shared.b64 _, [bar], %r1;\ncp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%d3], 1024, [bar];\nL: mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0;\n@!%p1 bra L;\nld.shared.u32 %r4, [s];",
    ),
    (
        "bytes that are copied",
        "@%p0 mbarrier.init.shared.b64 [bar], 1;\nbar.sync 0;\n@!%p0 bra L;\nmbarrier.arrive.expect_tx.shared.b64 _, [bar], 1024;\ncp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%d3], %r1, [bar];\nL: mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0;\n@!%p1 bra L;\nld.shared.u32 %r4, [s];",
    ),
    (
        "a parity",
        "@%p0 mbarrier.init.shared.b64 [bar], 128;\nbar.sync 0;\nmbarrier.arrive.shared.b64 _, [bar];\nL: mbarrier.try_wait.parity.shared.b64 %p1, [bar], %r1;\n@!%p1 bra L;",
    ),
];

#[test]
fn a_number_of_a_struct_is_not_its_place() {
    for (from, load) in LOADED {
        for (to, uses) in USES {
            let found = codes(
                ".param .align 8 .b8 A[32], .param .u64 .ptr .global .align 16 g",
                &format!("ld.param.u64 %d3, [g];\n{load}\n{uses}"),
            );
            assert!(found.is_empty(), "{from} as {to}: {found:?}");
        }
    }
}

/// A loop whose rounds `%r1` counts.
const ROUNDS: &str =
    "mov.u32 %r6, 0;\nROUND: add.u32 %r6, %r6, 1;\nsetp.lt.u32 %p7, %r6, %r1;\n@%p7 bra ROUND;";

#[test]
fn a_number_of_rounds_may_be_one_of_something_else() {
    let loaded = LOADED.iter().map(|(from, load)| (".align 8 .b8 A[32]", *from, *load));
    let wide = (".u64 A", "64 bits", "ld.param.u64 %d1, [A];\ncvt.u32.u64 %r1, %d1;");
    for (param, from, load) in loaded.chain([wide]) {
        for (to, uses) in USES {
            let found = codes(
                &format!(".param {param}, .param .u64 .ptr .global .align 16 g"),
                &format!("ld.param.u64 %d3, [g];\n{load}\n{ROUNDS}\n{uses}"),
            );
            assert!(found.is_empty(), "{from} as rounds and as {to}: {found:?}");
        }
    }
}

#[test]
fn no_value_that_is_tried_decides_what_another_may_make_right() {
    for (to, uses) in USES {
        for scalar in ["u32", "s32", "u16"] {
            let (load, of) = match scalar {
                "u16" => ("ld.param.u16 %h1, [n];\ncvt.u32.u16 %r1, %h1;", "of 16 bits"),
                _ => ("ld.param.u32 %r1, [n];", "of 32 bits"),
            };
            let found = codes(
                &format!(".param .{scalar} n, .param .u64 .ptr .global .align 16 g"),
                &format!("ld.param.u64 %d3, [g];\n{load}\n{uses}"),
            );
            assert!(found.is_empty(), "a number {of} as {to}: {found:?}");
        }
    }
}

/// Where an array starts in shared memory may be a parameter: those that two start at are two numbers.
#[test]
fn two_parameters_are_two_numbers() {
    let exchange = |second: &str| {
        format!(
            "ld.param.u32 %r1, [a];\nld.param.u32 %r2, [{second}];\nmov.u32 %r3, s;\nadd.u32 %r1, %r1, %r3;\n\
             add.u32 %r2, %r2, %r3;\nmad.lo.u32 %r1, %r0, 4, %r1;\nxor.b32 %r4, %r0, 64;\nmad.lo.u32 %r2, %r4, 4, %r2;\n\
             st.shared.u32 [%r1], %r0;\nld.shared.u32 %r5, [%r2];"
        )
    };
    let params = ".param .u32 a, .param .u32 b";
    assert_eq!(codes(params, &exchange("b")), [""; 0]);
    assert_eq!(codes(params, &exchange("a")), ["A109"]);
}

/// The host may pass how many rounds there are in two ways: in two parameters, or in two members of a struct.
#[test]
fn two_numbers_of_rounds_may_fit() {
    let rounds = |one: &str, other: &str| {
        format!(
            "@%p0 mbarrier.init.shared.b64 [bar], 1;\n@%p0 mbarrier.init.shared.b64 [far], 96;\nbar.sync 0;\n\
             mov.u32 %r4, 0;\nmov.u32 %r5, 0;\n{}\n{}\n\
             add.u32 %r1, %r1, 63;\nshr.u32 %r1, %r1, 6;\nsetp.lt.u32 %p1, %r0, 96;\n@%p1 bra TAKE;\n\
             setp.ne.u32 %p1, %r0, 96;\n@%p1 ret;\n\
             MAKE: setp.ge.u32 %p1, %r4, %r1;\n@%p1 ret;\nmbarrier.arrive.shared.b64 _, [bar];\n\
             ROOM: mbarrier.try_wait.parity.shared.b64 %p2, [far], %r5;\n@!%p2 bra ROOM;\nxor.b32 %r5, %r5, 1;\n\
             add.u32 %r4, %r4, 1;\nbra MAKE;\n\
             TAKE: setp.ge.u32 %p1, %r4, %r2;\n@%p1 ret;\n\
             WAIT: mbarrier.try_wait.parity.shared.b64 %p2, [bar], %r5;\n@!%p2 bra WAIT;\nxor.b32 %r5, %r5, 1;\n\
             mbarrier.arrive.shared.b64 _, [far];\nadd.u32 %r4, %r4, 1;\nbra TAKE;",
            one.replace("%n", "%r1"),
            other.replace("%n", "%r2").replace("%d1", "%d2"),
        )
    };
    let wide = |name: &str| format!("ld.param.u64 %d1, [{name}];\ncvt.u32.u64 %n, %d1;");
    for (params, one, other) in [
        (".param .u32 a, .param .u32 b", "ld.param.u32 %n, [a];", "ld.param.u32 %n, [b];"),
        (".param .u64 a, .param .u64 b", &wide("a"), &wide("b")),
        (".param .align 8 .b8 a[24]", "ld.param.u32 %n, [a+4];", "ld.param.u32 %n, [a+16];"),
        (".param .align 8 .b8 a[24]", &wide("a"), &wide("a+16")),
        (".param .align 8 .b8 a[24]", &wide("a"), "ld.param.u32 %n, [a+8];"),
    ] {
        assert_eq!(codes(params, &rounds(one, other)), [""; 0], "{one} {other}");
        assert_eq!(codes(params, &rounds(one, one)), ["A110"], "{one}");
        assert_eq!(codes(params, &rounds(other, other)), ["A110"], "{other}");
    }
}

/// Numbers with which threads leave an array are not meant: not even if another one that is used lies after it.
#[test]
fn what_leaves_an_array_is_not_meant() {
    let row = "ld.param.u32 %r1, [n];\nmov.u32 %r2, %r0;\n\
         L: setp.ge.u32 %p1, %r2, %r1;\n@%p1 bra M;\nmov.u32 %r3, s;\n\
         mad.lo.u32 %r3, %r2, 4, %r3;\nst.shared.u32 [%r3], %r2;\nadd.u32 %r2, %r2, 128;\nbra L;\n\
         M: setp.eq.u32 %p3, %r0, 64;\n@%p3 st.shared.u32 [far+8], 1;";
    assert_eq!(codes(".param .u32 n", row), [""; 0]);
    let after = format!(
        "{row}\nxor.b32 %r4, %r0, 64;\nmov.u32 %r3, s;\nmad.lo.u32 %r3, %r4, 4, %r3;\nld.shared.u32 %r5, [%r3];"
    );
    assert_eq!(codes(".param .u32 n", &after), ["A109"]);
}
