//! Limits of rules, from both sides: the last number that is accepted, and the first that is not.

use ptx::text::{Kind, Parsed};

/// A limit: the rule's code, a text with `#` in place of the number, the numbers that are accepted, and those
/// that are not.
struct Edge {
    code: &'static str,
    text: &'static str,
    taken: &'static [&'static str],
    refused: &'static [&'static str],
}

const fn edge(
    code: &'static str,
    text: &'static str,
    taken: &'static [&'static str],
    refused: &'static [&'static str],
) -> Edge {
    Edge { code, text, taken, refused }
}

const EDGES: &[Edge] = &[
    // Declarations.
    edge("D030", ".global .align # .b8 x[4];", &["2147483648"], &["4294967296"]),
    edge("D005", ".global .align # .b8 x[4];", &["1", "2", "128"], &["0", "3", "127"]),
    edge("D006", ".global .align # .b32 x;", &["4"], &["2"]),
    edge("D008", ".global .b8 x[#];", &["1"], &["0"]),
    edge("D009", ".const .b8 x[#];", &["65536"], &["65537"]),
    edge("T003", ".const .b8 a[4]; .const .b8 x[#];", &["65532"], &["65533"]),
    edge("D014", ".global .u8 x = #;", &["0", "255", "-128"], &["256", "-129"]),
    edge("D014", ".global .s16 x = #;", &["32767", "-32768", "65535"], &["65536", "-32769"]),
    edge("D014", ".global .s8 x = #;", &["127", "-128", "255"], &["256", "-129"]),
    edge("D014", ".global .u32 x = #;", &["4294967295"], &["4294967296"]),
    edge("D029", ".global .f32 x = #;", &["3.4028235e38"], &["3.4028237e38"]),
    edge("D034", ".global .b8 x[8]; .global .u64 y = x+#;", &["0", "7"], &["8"]),
    edge(
        "D041",
        ".global .b32 x; .global .u8 y = #(x);",
        &["0xff", "0xff00000000000000"],
        &["0", "0xfe", "0x1ff", "0xff0"],
    ),
    edge("D056", ".entry k() { .param .align # .b8 x[256]; ret; }", &["128"], &["256"]),
    edge("D021", ".entry k(.param .u64 .ptr .global .align # p) { ret; }", &["1", "2"], &[]),
    edge(
        "D020",
        ".entry k(.param .u64 .ptr .global .align # p) { ret; }",
        &["1", "2", "64"],
        &["0", "3", "65"],
    ),
    edge("D015", ".global .align 16 .v# .f32 x;", &["2", "4"], &[]),
    // Directives.
    edge("F005", ".entry k() .maxntid # { ret; }", &["1"], &["0"]),
    edge("F006", ".entry k() .reqntid # { ret; }", &["1024"], &["1025"]),
    edge("F006", ".entry k() .reqntid 1, # { ret; }", &["1024"], &["1025"]),
    edge("F006", ".entry k() .reqntid 1, 1, # { ret; }", &["64"], &["65", "1024", "1025"]),
    edge("F006", ".entry k() .maxntid 1, 1, # { ret; }", &["65", "1024"], &[]),
    edge("F006", ".entry k() .reqnctapercluster # { ret; }", &["1"], &["0"]),
    edge("F006", ".entry k() .maxclusterrank # { ret; }", &["0", "64"], &[]),
    edge("F030", ".entry k() .maxntid # { ret; }", &["1025", "2048"], &["2049"]),
    edge("F030", ".entry k() .maxnreg # { ret; }", &["255"], &["256"]),
    edge("F030", ".entry k() .maxntid 32 .minnctapersm # { ret; }", &["32"], &["33"]),
    edge("F039", ".entry k() .maxntid # .minnctapersm 3 { ret; }", &["672"], &["673", "700"]),
    edge("F010", ".func k(.param .align # .b8 x[256]) { ret; }", &["128"], &["256"]),
    edge("F016", ".extern .func k(.param .align # .b8 x[256]);", &["128"], &["256"]),
    // Kernels.
    edge("F001", ".entry k(.param .b8 x[#]) { ret; }", &["32764"], &["32765"]),
    edge(
        "F002",
        ".entry k() { .shared .b8 x[#]; st.shared.b8 [x], 0; ret; }",
        &["49152"],
        &["49153"],
    ),
    // Accesses.
    edge(
        "A020",
        ".entry k() { .shared .align 4 .b8 x[64]; st.shared.b32 [x+#], 0; ret; }",
        &["0", "60"],
        &["64", "-4"],
    ),
    edge(
        "A021",
        ".entry k() { .shared .align 8 .b8 x[64]; st.shared.b64 [x+#], 0; ret; }",
        &["0", "8", "56"],
        &["4", "7", "9"],
    ),
    edge(
        "A022",
        ".entry k() { .shared .align # .b8 x[64]; st.shared.b64 [x], 0; ret; }",
        &["8", "16"],
        &["4"],
    ),
    edge(
        "A020",
        ".entry k() { .shared .align 16 .b8 x[64]; st.shared.v4.b32 [x+#], {0, 0, 0, 0}; ret; }",
        &["48"],
        &["64"],
    ),
    edge(
        "A020",
        ".entry k() { .reg .b32 %r; .shared .b8 x[64]; ld.shared.u8 %r, [x+#]; ret; }",
        &["63"],
        &["64"],
    ),
    edge(
        "A021",
        ".entry k() { .shared .align 16 .b8 x[64]; st.shared.v4.b32 [x+#], {0, 0, 0, 0}; ret; }",
        &["16", "32"],
        &["8", "12", "4"],
    ),
    // Fragments need less than the PTX ISA asks for.
    edge(
        "A021",
        ".entry k() { .reg .b32 %r<4>; .shared .align 32 .b8 x[2048]; wmma.load.a.sync.aligned.row.m16n16k8.shared.tf32 {%r0, %r1, %r2, %r3}, [x+#], 16; ret; }",
        &["0", "4", "8"],
        &["2"],
    ),
    edge(
        "A090",
        ".entry k() { .reg .b32 %r<4>; .shared .align 32 .b8 x[2048]; wmma.load.a.sync.aligned.row.m16n16k8.shared.tf32 {%r0, %r1, %r2, %r3}, [x+#], 16; ret; }",
        &["0", "16", "-16"],
        &["4", "8", "12"],
    ),
    edge(
        "A090",
        ".entry k() { .reg .b32 %r<4>; .shared .align # .b8 x[2048]; wmma.load.a.sync.aligned.row.m16n16k8.shared.tf32 {%r0, %r1, %r2, %r3}, [x], 16; ret; }",
        &["16", "32"],
        &["8", "4"],
    ),
    edge(
        "A021",
        ".entry k() { .reg .f32 %f<8>; .shared .align 32 .b8 x[2048]; wmma.store.d.sync.aligned.row.m16n16k8.shared.f32 [x+#], {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}, 16; ret; }",
        &["0", "8"],
        &["4"],
    ),
    edge(
        "A021",
        ".entry k() { .reg .f32 %f<8>; .shared .align 32 .b8 x[2048]; wmma.store.d.sync.aligned.col.m16n16k8.shared.f32 [x+#], {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}, 16; ret; }",
        &["4"],
        &["2"],
    ),
    edge(
        "A022",
        ".entry k() { .reg .f32 %f<8>; .shared .align # .b8 x[2048]; wmma.store.d.sync.aligned.row.m16n16k8.shared.f32 [x], {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}, 16; ret; }",
        &["8", "16", "32"],
        &["4"],
    ),
    edge(
        "A090",
        ".entry k() { .reg .f32 %f<8>; .shared .align # .b8 x[2048]; wmma.store.d.sync.aligned.row.m16n16k8.shared.f32 [x], {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}, 16; ret; }",
        &["32"],
        &["8", "16"],
    ),
    // An alignment of 1 promises nothing: compilers write it on every pointer.
    edge(
        "A036",
        ".entry k(.param .u64 .ptr .global .align # p) { .reg .b32 %r; .reg .b64 %d; ld.param.u64 %d, [p]; ld.global.u32 %r, [%d]; ret; }",
        &["1", "4", "8"],
        &["2"],
    ),
    edge(
        "A059",
        ".entry k() .reqnctapercluster 4 { .reg .b32 %r; .shared .b32 x; mapa.shared::cluster.u32 %r, x, #; ret; }",
        &["0", "3"],
        &["4"],
    ),
    edge(
        "A054",
        ".entry k(.param .u64 .ptr .global .align 16 p) { .reg .b64 %d; .shared .align 8 .b64 b; .shared .align 16 .b8 x[64]; ld.param.u64 %d, [p]; mbarrier.init.shared.b64 [b], 1; mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [b], #; cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [x], [%d], 64, [b]; ret; }",
        &["64", "16"],
        &["65", "62"],
    ),
    // Barriers.
    edge(
        "A047",
        ".entry k() { .shared .align 8 .b64 b; mbarrier.init.shared.b64 [b], #; ret; }",
        &["1", "1048575"],
        &["0", "1048576"],
    ),
    edge(
        "A047",
        ".entry k() { .shared .align 8 .b64 b; mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [b], #; ret; }",
        &["0", "1048572"],
        &["1048576", "-4"],
    ),
];

#[test]
fn limits_hold_on_both_sides() {
    let mut wrong = Vec::new();
    for Edge { code, text, taken, refused } in EDGES {
        for (numbers, is_refused) in [(taken, false), (refused, true)] {
            for number in *numbers {
                let text = text.replace('#', number);
                let module = format!(".version 8.7\n.target sm_90\n.address_size 64\n{text}\n");
                let found = Parsed::new(module).check();
                let grammar = found.iter().find(|found| found.kind == Kind::Syntax);
                let is_found = found.iter().any(|found| found.code == Some(*code));
                if is_found != is_refused || grammar.is_some() {
                    wrong.push(format!("{code} {text}: {found:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
