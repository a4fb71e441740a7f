//! Completion, also in what is half written.

use expect_test::{Expect, expect};
use lsp_types::CompletionItem;

use super::SCALE;
use crate::client::{Client, cursor};

/// The best of what is offered at the cursor, with how many there are in all.
fn offered(text: &str) -> String {
    let (text, position) = cursor(text);
    let mut client = Client::new();
    client.open("a.ptx", &text);
    let items = client.ask("completion", "a.ptx", position);
    client.end();
    let mut items: Vec<CompletionItem> = serde_json::from_value(items).expect("items");
    items.sort_by(|one, other| one.sort_text.cmp(&other.sort_text));
    let count = items.len();
    let shown = items.iter().take(12).map(|item| item.label.as_str()).collect::<Vec<_>>();
    format!("{count}: {}\n", shown.join(" "))
}

fn check(text: &str, expected: &Expect) {
    expected.assert_eq(&offered(text));
}

/// The same, with a statement in the place of one of the kernel, and where the text ends with it.
fn in_body(statement: &str, expected: &Expect) {
    let (head, rest) = SCALE.split_once("    mul.wide.u32 %rd2, %r2, 4;\n").expect("it is there");
    let found = offered(&format!("{head}    {statement}\n{rest}"));
    expected.assert_eq(&found);
    // `DONE` is not there any more.
    if !statement.contains("bra") {
        assert_eq!(offered(&format!("{head}    {statement}")), found, "{statement}");
    }
}

#[test]
fn declarations_start_with_a_directive() {
    check(
        "¦",
        &expect![[r#"
        16: .address_size .alias .common .const .entry .extern .file .func .global .pragma .section .shared
    "#]],
    );
    check(
        ".ver¦",
        &expect![[r#"
        16: .address_size .alias .common .const .entry .extern .file .func .global .pragma .section .shared
    "#]],
    );
    check(
        ".visible .entry k(.param .¦",
        &expect![[r#"
        29: .align .attribute .b128 .b16 .b32 .b64 .b8 .f16 .f16x2 .f32 .f64 .pred
    "#]],
    );
    check(
        ".entry k()\n.¦\n{ ret; }",
        &expect![[r#"
            12: .abi_preserve .abi_preserve_control .blocksareclusters .explicitcluster .local_maxnreg .maxclusterrank .maxnreg .maxntid .minnctapersm .noreturn .reqnctapercluster .reqntid
        "#]],
    );
}

#[test]
fn statements_start_with_an_opcode_or_a_directive() {
    in_body(
        "¦",
        &expect![[r#"
        150: abs activemask add addc alloca and applypriority atom bar barrier bfe bfi
    "#]],
    );
    in_body(
        "mu¦",
        &expect![[r#"
        150: abs activemask add addc alloca and applypriority atom bar barrier bfe bfi
    "#]],
    );
}

#[test]
fn modifiers_follow_those_that_are_written() {
    in_body(
        "ld.¦",
        &expect![[r#"
        39: .L1 .L2::128B .L2::256B .L2::64B .L2::cache_hint .acquire .b128 .b16 .b32 .b64 .b8 .cluster
    "#]],
    );
    in_body(
        "ld.shared.¦",
        &expect![[r#"
            29: .L1 .L2::128B .L2::256B .L2::64B .L2::cache_hint .acquire .b128 .b16 .b32 .b64 .b8 .cluster
        "#]],
    );
    in_body(
        "cp.¦",
        &expect![[r#"
        2: .async .reduce
    "#]],
    );
    in_body(
        "cp.async.bulk.¦",
        &expect![[r#"
        15: .L2::128B .L2::256B .L2::64B .L2::cache_hint .bulk_group .commit_group .complete_tx .cp_mask .global .mbarrier .prefetch .shared::cluster
    "#]],
    );
    in_body(
        "mbarrier.try_wait.¦",
        &expect![[r#"
        6: .acquire .b64 .parity .relaxed .shared .shared::cta
    "#]],
    );
    in_body(
        "atom.shared.add.¦",
        &expect![[r#"
            33: .L2::cache_hint .acq_rel .acquire .and .b128 .b16 .bf16 .bf16x2 .cas .cluster .cta .dec
        "#]],
    );
    in_body(
        "fma.r¦",
        &expect![[r#"
        373: .bf16 .bf16x2 .f16 .f16x2 .f32 .f32x2 .f64 .oob .relu .0 .1 .1d
    "#]],
    );
}

#[test]
fn operands_are_what_is_in_scope() {
    in_body(
        "add.f32 ¦",
        &expect![[r#"
        75: %f0 %f1 %f2 %f3 %r0 %r1 %r2 %r3 total %p0 %p1 %rd0
    "#]],
    );
    in_body(
        "add.u32 %r1, %¦",
        &expect![[r#"
        75: %r0 %r1 %r2 %r3 %f0 %f1 %f2 %f3 %p0 %p1 %rd0 %rd1
    "#]],
    );
    in_body(
        "add.u32 %r1, %r2, ¦;",
        &expect![[r#"
        75: %r0 %r1 %r2 %r3 %f0 %f1 %f2 %f3 %p0 %p1 %rd0 %rd1
    "#]],
    );
    in_body(
        "ld.shared.f32 %f1, [¦",
        &expect![[r#"
            75: %r0 %r1 %r2 %r3 %rd0 %rd1 %rd2 dynamic row %f0 %f1 %f2
        "#]],
    );
    in_body(
        "ld.param.u32 %r1, [co¦",
        &expect![[r#"
            75: count data %f0 %f1 %f2 %f3 %p0 %p1 %r0 %r1 %r2 %r3
        "#]],
    );
    in_body(
        "bra ¦",
        &expect![[r#"
        1: DONE
    "#]],
    );
    in_body(
        "@¦",
        &expect![[r#"
        14: %p0 %p1 %f0 %f1 %f2 %f3 %r0 %r1 %r2 %r3 %rd0 %rd1
    "#]],
    );
    in_body(
        "@!%p¦ bra DONE;",
        &expect![[r#"
        14: %p0 %p1 %f0 %f1 %f2 %f3 %r0 %r1 %r2 %r3 %rd0 %rd1
    "#]],
    );
    in_body(
        "call (total), ¦",
        &expect![[r#"
        76: half %f0 %f1 %f2 %f3 %p0 %p1 %r0 %r1 %r2 %r3 %rd0
    "#]],
    );
}

#[test]
fn types_stand_in_declarations_and_nothing_in_comments() {
    in_body(
        ".reg .¦",
        &expect![[r#"
        29: .align .attribute .b128 .b16 .b32 .b64 .b8 .f16 .f16x2 .f32 .f64 .pred
    "#]],
    );
    in_body(
        "// ld¦",
        &expect![[r#"
        0: 
    "#]],
    );
    in_body(
        ".pragma \"no¦",
        &expect![[r#"
        0: 
    "#]],
    );
    in_body(
        ".reg .b32 na¦",
        &expect![[r#"
        0: 
    "#]],
    );
}
