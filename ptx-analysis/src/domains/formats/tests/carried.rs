//! Tests of how instructions move the bytes of their operands.

use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;

use ptx_interpreter::encode;
use ptx_isa::ir::body::Body;
use ptx_isa::ir::{Type, Variable};
use ptx_isa::rules::access::Object;
use ptx_isa::{ScalarType, Space};

use super::super::Formats;
use super::{finds, quiet};
use crate::flow::effects::Effects;
use crate::flow::node::{Node, Referent, Resolved};
use crate::flow::object::DeferredObject;
use crate::flow::storage::{Choice, Storage};

/// Loads four bytes of `e4m3`, `f16` and `bf16`, and eight of `e4m3`.
const HELD: &str = "ld.global.b32 %r1, [%d0];\nld.global.b32 %r2, [%d2];\nld.global.b32 %r3, [%d3];\nld.global.b64 %d8, [%d0+8];\nsetp.eq.u32 %p1, %r9, 0;\n";

/// Finds the formats of both halves of `%r10` unless they are `f16`.
const HALVES: &str =
    "mov.b32 {%rs10, %rs11}, %r10;\nadd.f16 %rs1, %rs10, %rs10;\nadd.f16 %rs1, %rs11, %rs11;";

/// Finds the formats of both halves of `%d10`.
const WORDS: &str =
    "mov.b64 {%r10, %r11}, %d10;\nadd.f16x2 %r12, %r10, %r10;\nadd.f16x2 %r12, %r11, %r11;";

#[track_caller]
fn has_formats(body: &str, expected: &[&str]) {
    finds(&format!("{HELD}{body}"), expected);
}

#[test]
fn a_shift_to_the_left_puts_zeros_below() {
    for (bits, expected) in [
        (0, &["A080 %rs10", "A080 %rs11"][..]),
        (8, &["A080 %rs11"]),
        (12, &[]),
        (16, &["A080 %rs11"]),
        (24, &[]),
        (32, &[]),
        (40, &[]),
    ] {
        has_formats(&format!("shl.b32 %r10, %r1, {bits};\n{HALVES}"), expected);
    }
    // Zeros are shifted in at the bottom: with numbers of the format above, all of it has that format.
    let below = |bits: u32| {
        format!("shl.b32 %r10, %r1, {bits};\n@%p1 mov.b32 %r10, %r1;\nadd.f16x2 %r11, %r10, %r10;")
    };
    for bits in [0, 8, 16, 24, 32] {
        has_formats(&below(bits), &["A080 %r10"]);
    }
    for bits in [1, 36, 40] {
        has_formats(&below(bits), &[]);
    }
    let wide = |bits: u32| format!("shl.b64 %d10, %d8, {bits};\n@%p1 mov.b64 %d10, %d8;\n{WORDS}");
    for bits in [8, 56, 64] {
        has_formats(&wide(bits), &["A080 %r10", "A080 %r11"]);
    }
    has_formats(&wide(72), &[]);
    has_formats("mov.b32 %r10, %r1;\nshl.b32 %r10, %r9, 16;\nadd.f16x2 %r11, %r10, %r10;", &[]);
}

#[test]
fn a_shift_to_the_right_puts_zeros_above() {
    for (bits, expected) in [
        (0, &["A080 %rs10", "A080 %rs11"][..]),
        (8, &["A080 %rs10"]),
        (15, &[]),
        (16, &["A080 %rs10"]),
        (24, &[]),
        (32, &[]),
        (40, &[]),
    ] {
        has_formats(&format!("shr.u32 %r10, %r1, {bits};\n{HALVES}"), expected);
    }
    let wide = |bits: u32| format!("shr.u64 %d10, %d8, {bits};\n@%p1 mov.b64 %d10, %d8;\n{WORDS}");
    for bits in [8, 16, 48, 56, 64] {
        has_formats(&wide(bits), &["A080 %r10", "A080 %r11"]);
    }
    has_formats(&wide(72), &[]);
    let above = "shr.u32 %r10, %r1, 16;\n@%p1 mov.b32 %r10, %r1;\nadd.f16x2 %r11, %r10, %r10;";
    has_formats(above, &["A080 %r10"]);
    has_formats(&above.replace("shr.u32", "shr.b32"), &["A080 %r10"]);
    has_formats(&above.replace("shr.u32", "shr.s32"), &[]);
    // Of two formats, the upper one moves down.
    has_formats(
        "mov.b64 %d10, {%r1, %r2};\nshr.u64 %d10, %d10, 32;\nmov.b64 {%r10, %r11}, %d10;\nadd.bf16x2 %r12, %r10, %r10;",
        &["A080 %r10"],
    );
}

#[test]
fn a_permutation_chooses_bytes_of_both_operands() {
    let chosen = |selector: &str| {
        format!("prmt.b32 %r10, %r1, %r2, {selector};\nadd.bf16x2 %r11, %r10, %r10;")
    };
    for (selector, expected) in [
        ("0x3210", &["A080 %r10"][..]),
        ("0x7654", &["A080 %r10"]),
        ("0x5454", &["A080 %r10"]),
        // Lanes from both.
        ("0x5410", &["A081 %r10"]),
        ("0x3276", &["A081 %r10"]),
        // Bytes of halves, in an order that does not form halves.
        ("0x4567", &[]),
        ("0x6565", &[]),
        // Signs, at the bottom and at the top.
        ("0x5481", &["A081 %r10"]),
        ("0x5418", &["A081 %r10"]),
        ("0x8154", &["A081 %r10"]),
        ("0xC154", &["A081 %r10"]),
        ("0x9154", &["A081 %r10"]),
        ("0xCCCC", &[]),
    ] {
        has_formats(&chosen(selector), expected);
    }
    has_formats("prmt.b32.f4e %r10, %r1, %r1, 0;\nadd.bf16x2 %r11, %r10, %r10;", &[]);
    has_formats("prmt.b32 %r10, %r1, %r1, %r9;\nadd.bf16x2 %r11, %r10, %r10;", &[]);
}

#[test]
fn the_lesser_and_the_greater_are_one_of_the_operands() {
    for (instruction, expected) in [
        ("max.u32 %r10, %r2, %r2", &["A080 %r10"][..]),
        ("max.u32 %r10, %r2, 0", &["A080 %r10"]),
        ("max.u32 %r10, %r2, 7", &[]),
        ("min.u32 %r10, %r9, %r2", &[]),
        ("min.u32 %r10, %r2, %r9", &[]),
        ("min.u32 %r10, %r2, %r3", &[]),
        // A literal has the type of the instruction.
        ("max.f32 %r10, %r2, 0f3F800000", &["A080 %r10"]),
        ("max.f32 %r10, %r2, %f1", &[]),
        ("abs.bf16x2 %r10, %r2", &["A080 %r10"]),
        ("neg.bf16x2 %r10, %r2", &["A080 %r10"]),
        ("abs.s32 %r10, %r2", &[]),
        ("neg.s32 %r10, %r2", &[]),
    ] {
        has_formats(&format!("{instruction};\nadd.bf16x2 %r11, %r10, %r10;"), expected);
    }
    // The previous contents of the result do not matter.
    has_formats(
        "mov.b32 %r10, %r3;\nmin.u32 %r10, %r2, %r2;\nadd.bf16x2 %r11, %r10, %r10;",
        &["A080 %r10"],
    );
}

#[test]
fn more_bits_of_an_unsigned_integer_are_zeros() {
    let half = "mov.b32 {%rs10, %rs11}, %r2;\n";
    let joined = "@%p1 mov.b32 %r10, %r2;\nadd.bf16x2 %r11, %r10, %r10;";
    for (instruction, expected) in [
        ("cvt.u32.u16 %r10, %rs10", &["A080 %r10"][..]),
        ("cvt.u32.s16 %r10, %rs10", &[]),
        ("cvt.s32.u16 %r10, %rs10", &[]),
        ("cvt.s32.s16 %r10, %rs10", &[]),
        ("cvt.u32.u32 %r10, %r2", &["A080 %r10"]),
        ("cvt.sat.u32.u32 %r10, %r2", &[]),
    ] {
        has_formats(&format!("{half}{instruction};\n{joined}"), expected);
    }
    for (instruction, expected) in [
        ("cvt.u16.u32 %rs12, %r2", &["A080 %rs12"][..]),
        ("cvt.u16.u64 %rs12, %d10", &["A080 %rs12"]),
        ("cvt.sat.u16.u32 %rs12, %r2", &[]),
        ("cvt.s16.s32 %rs12, %r2", &[]),
        ("cvt.u8.u32 %rs12, %r2", &[]),
        ("cvt.pack.sat.u16.s32 %r12, %r2, %r2;\nmov.b32 {%rs12, _}, %r12", &[]),
    ] {
        let wide = "mov.b64 %d10, {%r2, %r2};\n";
        has_formats(&format!("{wide}{instruction};\nadd.bf16 %rs13, %rs12, %rs12;"), expected);
    }
    let to_wide = "cvt.u64.u32 %d10, %r1;\n@%p1 mov.b64 %d10, %d8;\n";
    has_formats(&format!("{to_wide}{WORDS}"), &["A080 %r10", "A080 %r11"]);
}

#[test]
fn scaled_numbers_are_not_tracked() {
    let scaled = "cvt.rn.scaled::n2::ue8m0.bf16x2.s2f6x2 %r10, %rs9, %rs8;";
    has_formats(&format!("{scaled}\nadd.f16x2 %r11, %r10, %r10;"), &[]);
}

#[test]
fn of_several_results_each_has_its_part() {
    let words = "mov.b64 %d10, {%r2, %r1};\n";
    has_formats(
        &format!("{words}mov.b64 {{_, %r10}}, %d10;\nadd.bf16x2 %r11, %r10, %r10;"),
        &["A080 %r10"],
    );
    has_formats(&format!("{words}mov.b64 {{%r10, _}}, %d10;\nadd.f16x2 %r11, %r10, %r10;"), &[]);
    has_formats(
        &format!("{words}mov.b64 {{%r10, %r11}}, %d10;\nadd.bf16x2 %r12, %r10, %r11;"),
        &["A080 %r10", "A080 %r11"],
    );
    // A register that is written twice holds either.
    has_formats(
        &format!("{words}mov.b64 {{%r10, %r10}}, %d10;\nadd.bf16x2 %r12, %r10, %r10;"),
        &[],
    );
    let loads = "ld.shared.v2.b32 {_, %r10}, [SH+8];\n";
    has_formats(&format!("{loads}add.bf16x2 %r12, %r10, %r10;"), &["A080 %r10"]);
}

#[test]
fn fragments_are_all_three_operands_and_not_the_result() {
    let product = |result: &str, left: &str, right: &str, sum: &str| {
        format!(
            "mov.b32 %r20, %r9;\nmov.b32 %r21, %r9;\nmma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {{{result}, %r21}}, {{{left}, %r20}}, {{{right}}}, {{{sum}, %r20}};"
        )
    };
    has_formats(&product("%r3", "%r2", "%r2", "%r2"), &[]);
    has_formats(&product("%r10", "%r3", "%r2", "%r2"), &["A082 %r3"]);
    has_formats(&product("%r10", "%r2", "%r3", "%r2"), &["A082 %r3"]);
    has_formats(&product("%r10", "%r2", "%r2", "%r3"), &["A082 %r3"]);
    // A different register for each operand.
    has_formats(&product("%r10", "%r3", "%r1", "%r2"), &["A082 %r3", "A082 %r1"]);
    let gives = product("%r10", "%r2", "%r2", "%r2");
    has_formats(&format!("{gives}\nadd.bf16x2 %r11, %r10, %r10;"), &["A080 %r10"]);
}

#[test]
fn rows_of_matrices_are_halves_or_bytes() {
    let row = |words: &str, results: &str, of: &str| {
        format!("mov.u32 %r8, {of};\nldmatrix.sync.aligned.{words} {{{results}}}, [%r8];\n")
    };
    let half = "add.bf16x2 %r11, %r10, %r10;";
    for (words, of, expected) in [
        ("m8n8.x1.shared.b16", "SH", &["A080 %r10"][..]),
        ("m8n8.x1.shared.b16", "SB", &[]),
        ("m8n8.x1.shared.b16", "SE4", &["A080 %r10"]),
        ("m8n8.x1.shared.b16", "SF", &[]),
        ("m8n8.x1.trans.shared.b16", "SH", &["A080 %r10"]),
        ("m8n8.x1.trans.shared.b16", "SE4", &["A080 %r10"]),
        ("m8n8.x1.trans.shared.b16", "SF", &[]),
    ] {
        has_formats(&format!("{}{half}", row(words, "%r10", of)), expected);
    }
    let word = "add.f16x2 %r11, %r10, %r10;";
    has_formats(&format!("{}{word}", row("m8n8.x1.shared.b16", "%r10", "SF")), &["A080 %r10"]);
    has_formats(&format!("{}{word}", row("m8n8.x1.trans.shared.b16", "%r10", "SF")), &[]);
    // Each of several registers, from its first byte on.
    let each = "add.bf16x2 %r11, %r10, %r10;\nadd.bf16x2 %r11, %r12, %r12;";
    has_formats(
        &format!("{}{each}", row("m8n8.x2.shared.b16", "%r10, %r12", "SH")),
        &["A080 %r10", "A080 %r12"],
    );
    let eights = "m16n16.x1.trans.shared.b8";
    has_formats(&format!("{}{word}", row(eights, "%r10, %r12", "SE4")), &["A080 %r10"]);
    has_formats(&format!("{}{half}", row(eights, "%r10, %r12", "SH")), &[]);
}

#[test]
fn a_stored_value_is_compared_with_every_declaration_there() {
    let load = "ld.shared.b32 %r10, [SH+64];\nadd.bf16x2 %r11, %r10, %r10;";
    let at = "mov.b32 %r8, SH;\n";
    let matrix = |name: &str| {
        format!("{at}stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r8], {{{name}}};\n{load}")
    };
    has_formats(&matrix("%r2"), &["A080 %r10"]);
    has_formats(&matrix("%r3"), &[]);
    // The highest byte is replaced.
    has_formats(&format!("prmt.b32 %r12, %r2, %r2, 0x8210;\n{}", matrix("%r12")), &[]);
    has_formats(&format!("prmt.b32 %r12, %r2, %r2, 0x3218;\n{}", matrix("%r12")), &[]);
    let fragments = |ty: &str, registers: &str| {
        format!(
            "{at}wmma.store.d.sync.aligned.row.m16n16k16.shared.{ty} [%r8], {{{registers}}};\n{load}"
        )
    };
    has_formats(&fragments("f16", "%r2, %r2, %r2, %r2"), &["A080 %r10"]);
    has_formats(&fragments("f32", "%f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8"), &["A090 SH"]);
    has_formats(&format!("st.shared.v2.b32 [SH], {{%r2, %r2}};\n{load}"), &["A080 %r10"]);
    has_formats(&format!("st.shared.v2.b32 [SH], {{%r2, %r3}};\n{load}"), &[]);
    has_formats(&format!("st.shared.v2.b32 [SH], {{%r3, %r2}};\n{load}"), &[]);
    has_formats(&format!("st.shared.b32 [SH], 0;\n{load}"), &["A080 %r10"]);
    has_formats(&format!("st.shared.b32 [SH], 1;\n{load}"), &[]);
    has_formats(&format!("st.shared.b16 [SH], %rs9;\n{load}"), &[]);
}

#[test]
fn what_memory_is_changed_by_as_bits_is_not_held_to_its_declaration() {
    let load = "ld.shared.b32 %r10, [SH+64];\nadd.bf16x2 %r11, %r10, %r10;";
    for (instruction, expected) in [
        ("atom.shared.exch.b32 %r12, [SH], %r2;", &[][..]),
        ("atom.shared.cas.b32 %r12, [SH], %r2, %r2;", &[]),
        ("red.shared.or.b32 [SH], %r2;", &[]),
        ("red.shared.add.noftz.f16x2 [SH], %r2;", &["A080 %r10"]),
        ("atom.shared.add.noftz.f16x2 %r12, [SH], %r2;", &["A080 %r10"]),
    ] {
        has_formats(&format!("{instruction}\n{load}"), expected);
    }
    has_formats("red.global.add.noftz.bf16x2 [%d3+4], %r2;", &["A080 %r2"]);
    has_formats("multimem.ld_reduce.global.or.b32 %r10, [%d2];\nadd.bf16x2 %r11, %r10, %r10;", &[]);
    has_formats("red.global.max.noftz.bf16x2 [%d5], %r2;", &[]);
}

#[test]
fn of_two_types_the_last_operand_is_of_the_first() {
    let floats = "mov.b32 %f1, %r2;\n";
    has_formats(&format!("{floats}fma.rn.f32.f16 %f2, %rs1, %rs2, %f1;"), &["A080 %f1"]);
    has_formats(
        "mov.b32 {%rs10, %rs11}, %r3;\nfma.rn.f32.f16 %f2, %rs1, %rs10, %f1;",
        &["A080 %rs10"],
    );
    has_formats(
        "mov.b32 {%rs10, %rs11}, %r3;\nfma.rn.f32.f16 %f2, %rs10, %rs1, %f1;",
        &["A080 %rs10"],
    );
    has_formats(&format!("{floats}add.f32.f16 %f2, %rs1, %f1;"), &["A080 %f1"]);
}

#[test]
fn the_left_matrix_of_a_warpgroup_is_of_the_first_of_both_types() {
    let loads = "ld.global.v4.b32 {%r0, %r1, %r2, %r3}, [%d1];\n";
    let product = |left: &str, types: &str| {
        format!(
            "{loads}wgmma.mma_async.sync.aligned.m64n8k32.f32.{types} {{%f0, %f1, %f2, %f3}}, {left}, %d9, 0, 1, 1;"
        )
    };
    let numbers = |body: &str| {
        let found = super::found(body).into_iter();
        found.filter(|found| found.starts_with("A08")).collect::<Vec<_>>()
    };
    let fragment = "{%r0, %r1, %r2, %r3}";
    assert_eq!(numbers(&product(fragment, "e4m3.e5m2")), ["A082 %r0"]);
    assert!(numbers(&product(fragment, "e5m2.e4m3")).is_empty());
    // Descriptors are not numbers.
    let described = "mov.b64 %d10, {%r0, %r1};\nmov.b64 %d9, %d10;\n";
    let both = product("%d10", "e4m3.e4m3").replace("wgmma", &format!("{described}wgmma"));
    assert!(numbers(&both).is_empty());
    quiet("");
}

/// Whether formats are tracked in a body with this instruction and this storage.
fn is_asked(text: &str, storages: &[&[&'static Type<'static>]]) -> bool {
    let (encoded, table) = encode(text);
    let body = Body::new(&encoded, &table, &[]);
    let statement = body.statements().next().expect("there is one");
    let instruction = statement.instruction(&[]).expect("it is an instruction");
    let effects = Effects::of(&instruction, 0);
    let resolved = Resolved::new(effects, Vec::new(), |_| Referent::Other);
    let choice = |ty: &&'static Type<'static>| {
        let variable = Box::leak(Box::new(Variable::new(Space::Shared, "s", ty)));
        Choice::of_param(Object::Variable(variable), None, DeferredObject::Declaration(0))
    };
    let storage =
        |types: &&[&'static Type<'static>]| Storage::of(types.iter().map(choice).collect());
    let storages: Vec<Storage<'_>> = storages.iter().map(storage).collect();
    Formats::of(&[Node::Instruction(Box::new(resolved)), Node::Nothing], &storages).is_some()
}

#[test]
fn formats_are_followed_where_one_could_be_mistaken_for_another() {
    let (narrow, wide) = (Type::of_scalar(ScalarType::E4m3), Type::of_scalar(ScalarType::F32));
    let (small, large) = ("add.f16 %h1, %h2, %h3;", "add.f32 %f1, %f2, %f3;");
    assert!(is_asked(small, &[]));
    assert!(is_asked(large, &[&[wide], &[narrow]]));
    assert!(is_asked(large, &[&[wide, narrow]]));
    assert!(!is_asked(large, &[&[wide]]));
    assert!(!is_asked(large, &[]));
    // An instruction that uses no numbers cannot mistake their format.
    assert!(!is_asked("mov.b32 %r1, %r2;", &[&[narrow]]));
    assert!(!is_asked("add.u32 %r1, %r2, %r3;", &[&[narrow]]));
    // The control flow is not known.
    assert!(!is_asked("brx.idx %r1, targets;", &[]));
}
