//! Tests of the problems of a whole module: which are kept, their places, and the requirements on declarations.

use alloc::string::String;

use expect_test::{Expect, expect};

use ptx_isa::Target;

use super::*;
use crate::tests::sample::Sample;

#[track_caller]
fn finds(text: &str, found: &Expect) {
    let all: String = Sample::of(text).checked().iter().map(|line| line.clone() + "\n").collect();
    found.assert_eq(&all);
}

#[test]
fn places_are_those_of_the_first_token_or_of_its_statement() {
    finds(
        ".entry k() | places {
             .shared .align 4 .b32 x[4];
             .reg .b32 %r<4>;
             .pragma 1;
             ld.shared.b32 %r1, [x+16];
             ld.global.b32 %r1, [x];
             ret;
         }
         .entry other() | places {
             .shared .align 4 .b32 x[4];
             .reg .b32 %r<4>;
             ld.global.b32 %r1, [x];
         }
         .entry nowhere() {
             .shared .align 4 .b32 x[4];
             .reg .b32 %r<4>;
             ld.global.b32 %r1, [x];
         }",
        &expect![[r#"
            k[3] at sample.rs:103:1 A020 this access ends at byte 20 of `x`, which has 16 bytes; offsets count bytes, and the last that fits is 12 [A020, PTX ISA 6.4.1]
            k[4] at sample.rs:104:21 A018 `x` is in `.shared`, but this instruction accesses `.global`; write `.shared` in place of `.global`, or use a variable in `.global` [A018, PTX ISA 6.4.1]
            other[2] at sample.rs:502:21 A018 `x` is in `.shared`, but this instruction accesses `.global`; write `.shared` in place of `.global`, or use a variable in `.global` [A018, PTX ISA 6.4.1]
            nowhere[2] A018 `x` is in `.shared`, but this instruction accesses `.global`; write `.shared` in place of `.global`, or use a variable in `.global` [A018, PTX ISA 6.4.1]
        "#]],
    );
}

#[test]
fn demands_of_accesses_are_reported_once_for_each_declaration() {
    finds(
        ".shared .align 4 .b32 module[8];
         .global .b32 family<4>;
         .func (.param .align 4 .b8 back[16]) f(.param .align 4 .b8 a[16]) | places {
             .reg .b64 %d<4>;
             .shared .align 4 .b32 own[8];
             ld.param.b64 %d1, [a];
             st.param.b64 [back], %d1;
             ld.shared.b64 %d1, [own];
             ld.shared.b64 %d1, [module];
             ret;
         }
         .entry k(.param .align 4 .b8 a[16], .param .u64 .ptr .global .align 4 .b32 p, .param .pair pair) | places {
             .reg .b32 %r<4>;
             .reg .b64 %d<4>;
             .shared .align 4 .b32 own[8];
             .shared .align 4 .b32 allowed[8];
             ld.param.b64 %d1, [a];
             ld.param.b64 %d2, [p];
             ld.global.b64 %d1, [%d2];
             ld.param.b64 %d2, [pair+8];
             ld.global.b64 %d1, [%d2];
             ld.shared.b64 %d1, [own];
             ld.shared.b64 %d1, [own+8];
             ld.shared.v2.b64 {%d1, %d2}, [own+16];
             ld.shared.b64 %d1, [module];
             ld.shared.b64 %d1, [allowed]; // allow A022
             ld.global.b32 %r1, [family1];
             ret;
         }",
        &expect![[r#"
            A022 `module` is aligned to 4 bytes, but 2 accesses need 8, the first on line 105; align it to 8 bytes, or access fewer bytes at a time [A022, PTX ISA 6.4.1]
            A022 `a` is aligned to 4 bytes, but the access on line 102 needs 8; align it to 8 bytes, or access fewer bytes at a time [A022, PTX ISA 6.4.1]
            A022 `back` is aligned to 4 bytes, but the access on line 103 needs 8; align it to 8 bytes, or access fewer bytes at a time [A022, PTX ISA 6.4.1]
            A022 `own` is aligned to 4 bytes, but the access on line 104 needs 8; align it to 8 bytes, or access fewer bytes at a time [A022, PTX ISA 6.4.1]
            A022 `a` is aligned to 4 bytes, but the access on line 104 needs 8; align it to 8 bytes, or access fewer bytes at a time [A022, PTX ISA 6.4.1]
            A022 `own` is aligned to 4 bytes, but 3 accesses need up to 16, the first on line 109; align it to 16 bytes, or access fewer bytes at a time [A022, PTX ISA 6.4.1]
            A036 `p` promises an alignment of 4 bytes, but the access on line 106 needs 8; point to a type with that alignment, promise it (`U8` after the type in `Ptr`), or test the address first [A036, PTX ISA 5.1.6.3]
            A036 `pair.words` promises an alignment of 4 bytes, but the access on line 108 needs 8; point to a type with that alignment, promise it (`U8` after the type in `Ptr`), or test the address first [A036, PTX ISA 5.1.6.3]
        "#]],
    );
}

#[test]
fn extents_of_blocks_and_clusters_are_what_directives_say() {
    let body = ".shared .align 4 .b32 x[8];
        .reg .b32 %r<8>;
        mov.u32 %r1, %tid.x;
        mov.u32 %r2, x;
        mad.lo.u32 %r3, %r1, 4, %r2;
        st.shared.b32 [%r3], %r1;
        mapa.shared::cluster.u32 %r4, %r2, 3;
        mapa.shared::cluster.u32 %r4, %r2, 4;
        ret;
        }";
    let kernel =
        |name: &str, options: &str| alloc::format!(".entry {name}() {options} {{\n{body}\n");
    let text = [
        kernel("of_8", "| reqntid 8 1 1"),
        kernel("of_9", "| reqntid 9 1 1"),
        kernel("along_y", "| reqntid 8 2 1"),
        kernel("at_most_9", "| maxntid 9 1 1"),
        kernel("exact", "| maxntid 32 1 1 | reqntid 8 1 1"),
        kernel("cluster", "| reqntid 8 1 1 | reqnctapercluster 2 2 1"),
        kernel("greater", "| reqntid 8 1 1 | reqnctapercluster 2 4 1"),
        kernel("ranks", "| reqntid 8 1 1 | maxclusterrank 4"),
    ];
    finds(
        &text.concat(),
        &expect![[r#"
            F007 `.maxntid` and `.reqntid` cannot be combined; remove one of them [F007, PTX ISA 11.4]
            of_9[5] A020 this access ends at byte 36 of `x`, which has 32 bytes (by thread 8); offsets count bytes, and the last that fits is 28 [A020, PTX ISA 6.4.1]
            cluster[7] A059 this names block 4 of the cluster, but a cluster of this kernel has 4; name a block below 4, or declare a larger cluster [A059, PTX ISA 9.7.9]
            ranks[7] A059 this names block 4 of the cluster, but a cluster of this kernel has 4; name a block below 4, or declare a larger cluster [A059, PTX ISA 9.7.9]
        "#]],
    );
}

#[test]
fn special_registers_are_reported_where_a_body_names_them() {
    let text = |body: &str| {
        alloc::format!(
            ".func f() | specials %cluster_ctaid {{
                 .reg .b32 %r<4>;
                 {body}
                 ret;
             }}
             .func g() | specials %is_explicit_cluster {{
                 ret;
             }}"
        )
    };
    let codes = |text: &str| Sample::of(text).on(Target::Sm80).findings_in_words();
    let named = codes(&text("mov.u32 %r1, %cluster_ctaid.x;"));
    let unnamed = codes(&text(""));
    expect![[r#"
        (
            [
                "S002: `%is_explicit_cluster` needs sm_90 or newer, but the target is sm_80; choose a newer target [S002, PTX ISA 5.1.2]",
                "f: S002 at %cluster_ctaid.x: `%cluster_ctaid` needs sm_90 or newer, but the target is sm_80; choose a newer target [S002, PTX ISA 5.1.2]",
            ],
            [
                "S002: `%cluster_ctaid` needs sm_90 or newer, but the target is sm_80; choose a newer target [S002, PTX ISA 5.1.2]",
                "S002: `%is_explicit_cluster` needs sm_90 or newer, but the target is sm_80; choose a newer target [S002, PTX ISA 5.1.2]",
            ],
        )
    "#]].assert_debug_eq(&(named, unnamed));
}

#[test]
fn constant_pointers_of_kernels_forbid_their_conversion() {
    let text = |kernel: &str, other: &str| {
        alloc::format!(
            ".const .b32 c;
             {kernel} {{
                 ret;
             }}
             {other} {{
                 ret;
             }}
             .func f() {{
                 .reg .b64 %d<4>;
                 mov.u64 %d1, c;
                 cvta.const.u64 %d2, %d1;
                 ret;
             }}"
        )
    };
    finds(
        &text(
            ".entry k(.param .u64 .ptr .const .align 4 .b32 p)",
            ".entry other(.param .u64 .ptr .const .align 4 .b32 q)",
        ),
        &expect![[r#"
        f[2] A012 this makes a generic address of a constant, but `p` is a kernel's pointer to constant memory: ptxas accepts only one of the two in a module; pass `p` as `Ptr<Global, T>`, or load the constant with `ld.const` [A012, PTX ISA 5.1.6.1]
    "#]],
    );
    finds(
        &text(
            ".func g(.param .u64 .ptr .const .align 4 .b32 p)",
            ".entry other(.param .u64 .ptr .const .align 4 .b32 q)",
        ),
        &expect![[r#"
        f[2] A012 this makes a generic address of a constant, but `q` is a kernel's pointer to constant memory: ptxas accepts only one of the two in a module; pass `q` as `Ptr<Global, T>`, or load the constant with `ld.const` [A012, PTX ISA 5.1.6.1]
    "#]],
    );
}

#[test]
fn other_parameters_of_kernels_do_not() {
    for param in
        [".param .u32 n", ".param .u64 .ptr .global .align 4 .b32 p", ".param .u64 .ptr .b32 p"]
    {
        let text = alloc::format!(
            ".const .b32 c;
             .entry k({param}) {{
                 .reg .b64 %d<4>;
                 mov.u64 %d1, c;
                 cvta.const.u64 %d2, %d1;
                 ret;
             }}"
        );
        assert!(Sample::of(&text).checked().is_empty(), "{param}");
    }
}

#[test]
fn problems_of_a_declaration_and_of_a_body_are_both_reported() {
    finds(
        ".global .b32 twice;
         .global .b32 twice;
         .entry k() {
             .reg .b32 twice;
             .reg .b32 twice;
             ret;
         }",
        &expect![[r#"
            D002 `twice` is declared twice in this scope; rename one of them [D002, PTX ISA 4.4]
            k[1] D002 `twice` is declared twice in this scope; rename one of them [D002, PTX ISA 4.4]
        "#]],
    );
}

#[test]
fn allowances_are_listed_for_functions_with_findings() {
    let sample = Sample::of(
        ".func none() {
             .shared .align 4 .b32 x[4];
             .reg .b32 %r<4>;
             ld.shared.b32 %r1, [x+16];
             ret;
         }
         .func unneeded() | allow A020 {
             ret;
         }
         .func needed() | allow A020 {
             .shared .align 4 .b32 x[4];
             .reg .b32 %r<4>;
             ld.shared.b32 %r1, [x+16];
             ret;
         }",
    );
    let report = sample.report();
    let needs = report.allowances.iter();
    let needs: Vec<(usize, Vec<bool>)> =
        needs.map(|(n, all)| (*n, all.iter().map(|it| it.is_needed).collect())).collect();
    assert_eq!(needs, [(1, vec![false])]);
}

#[test]
fn unknown_lines_are_not_reported() {
    finds(
        ".shared .align 4 .b32 x[4];
         .entry k() {
             .reg .b64 %d<4>;
             ld.shared.b64 %d1, [x];
             ret;
         }",
        &expect![[r#"
            A022 `x` is aligned to 4 bytes, but the access needs 8; align it to 8 bytes, or access fewer bytes at a time [A022, PTX ISA 6.4.1]
        "#]],
    );
}

#[test]
fn so_many_are_kept_and_the_first_error_of_the_others() {
    let text = ".entry k() {
            .shared .align 4 .b32 x[4];
            .reg .b32 %r<4>;
            ld.shared.b32 %r1, [x]; // allow A020
            ld.shared.b32 %r1, [x+16];
            ld.shared.b32 %r1, [x]; // allow A021
            ld.shared.b32 %r1, [x+2];
            ret;
        }
        .entry other() {
            .shared .align 4 .b32 x[4];
            .reg .b32 %r<4>;
            .reg .b64 %d<4>;
            ld.shared.b64 %d1, [x];
            ld.shared.b32 %r1, [x+20];
            ret;
        }";
    let all = Sample::of(text).findings_in_words();
    expect![[r#"
        [
            "k: A020 at 16: this access ends at byte 20 of `x`, which has 16 bytes; offsets count bytes, and the last that fits is 12 [A020, PTX ISA 6.4.1]",
            "k: A021 at 2: offset 2 into `x` is not a multiple of 4, which this access needs; write a multiple of 4, or access fewer bytes at a time [A021, PTX ISA 6.4.1]",
            "k: unneeded 0 at ld",
            "k: unneeded 1 at ld",
            "other: A020 at 20: this access ends at byte 24 of `x`, which has 16 bytes; offsets count bytes, and the last that fits is 12 [A020, PTX ISA 6.4.1]",
            "A022: `x` is aligned to 4 bytes, but the access on line 3 needs 8; align it to 8 bytes, or access fewer bytes at a time [A022, PTX ISA 6.4.1]",
        ]
    "#]].assert_debug_eq(&all);
    for most in 0..all.len() + 2 {
        let mut sample = Sample::of(text);
        sample.most = most;
        assert_eq!(sample.findings_in_words(), all[..most.min(all.len())], "{most}");
        let more = sample.report().more;
        assert_eq!(more.is_some(), most < all.len(), "{most}");
    }
}

#[test]
fn functions_with_addresses_in_initial_values_may_be_called_by_others() {
    let text = |initial: &str| {
        alloc::format!(
            ".shared .align 16 .b8 t[128];
             .global .u64 table[1]{initial};
             .func f(.reg .b32 a) {{
                 st.shared.b32 [a+2], 1;
                 ret;
             }}
             .entry k(.param .u32 n) {{
                 .reg .pred %p<4>;
                 .reg .b32 %r<8>;
                 ld.param.u32 %r2, [n];
                 setp.eq.u32 %p1, %r2, 0;
                 mov.u32 %r1, t;
                 @%p1 call f, (%r1);
                 ret;
             }}"
        )
    };
    finds(
        &text(""),
        &expect![[r#"
        f[0] A021 offset 2 into `t` is not a multiple of 4, which this access needs; write a multiple of 4, or access fewer bytes at a time [A021, PTX ISA 6.4.1]
    "#]],
    );
    finds(&text(" = {f}"), &expect![[""]]);
}

#[test]
fn declarations_are_found_whether_they_are_named_or_not() {
    finds(
        ".entry k() {
             .shared .align 4 .b32 first;
             .idle .shared .align 4 .b32 idle;
             .shared .align 4 .b32 second[2];
             .reg .b32 %r<4>;
             .idle .shared .align 4 .b32 last;
             ld.shared.b32 %r1, [first+4];
             ld.shared.b32 %r1, [second+4];
             ld.shared.b32 %r1, [second+8];
             ret;
         }",
        &expect![[r#"
            k[5] A020 this access ends at byte 8 of `first`, which has 4 bytes; offsets count bytes, and the last that fits is 0 [A020, PTX ISA 6.4.1]
            k[7] A020 this access ends at byte 12 of `second`, which has 8 bytes; offsets count bytes, and the last that fits is 4 [A020, PTX ISA 6.4.1]
        "#]],
    );
}

#[test]
fn whole_numbers_are_integers() {
    let int = |negative, magnitude| whole(&Number::Int { negative, magnitude });
    assert_eq!([int(false, 0), int(false, 5), int(true, 5)], [Some(0), Some(5), Some(-5)]);
    let most = i128::MAX.unsigned_abs();
    assert_eq!([int(false, most), int(true, most)], [Some(i128::MAX), Some(-i128::MAX)]);
    assert_eq!(int(false, most + 1), None);
    for number in [Number::Bits(5), Number::F32(5), Number::F64(5)] {
        assert_eq!(whole(&number), None);
    }
}

#[test]
fn constants_of_a_module_are_known() {
    finds(
        ".entry k() | is N 16 | is M -4 {
             .shared .align 4 .b32 x[4];
             .reg .b32 %r<4>;
             ld.shared.b32 %r1, [x+$N];
             ld.shared.b32 %r1, [x+$M];
             ret;
         }",
        &expect![[r#"
            k[2] A020 this access ends at byte 20 of `x`, which has 16 bytes; offsets count bytes, and the last that fits is 12 [A020, PTX ISA 6.4.1]
            k[3] A020 this access starts at byte -4 of `x`, which has 16 bytes; offsets count bytes, and the first is 0 [A020, PTX ISA 6.4.1]
        "#]],
    );
}
