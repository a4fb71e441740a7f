//! Definite format mismatches are found, and correct programs are not reported.

mod carried;
mod chance;

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write as _;

use ptx_interpreter::encode;
use ptx_isa::ir::body::Body;
use ptx_isa::ir::{Extent, Function, FunctionKind, Module, Param, Pointer, Type, Variable};
use ptx_isa::rule::Arg;
use ptx_isa::rules::Violation;
use ptx_isa::{ScalarType, Space, Target};

use crate::check::module::check_module;

/// The register families with their sizes.
const REGISTERS: [(&str, &str, ScalarType); 6] = [
    (".reg .pred %p<4>;", "%p", ScalarType::Pred),
    (".reg .b8 %b<4>;", "%b", ScalarType::B8),
    (".reg .b16 %rs<32>;", "%rs", ScalarType::B16),
    (".reg .b32 %r<32>;", "%r", ScalarType::B32),
    (".reg .b64 %d<16>;", "%d", ScalarType::B64),
    (".reg .f32 %f<32>;", "%f", ScalarType::F32),
];

/// The declarations for each format: a pointer, whose value is in a register, and shared memory.
const DECLARED: [(&str, &str, ScalarType); 7] = [
    ("e4", "SE4", ScalarType::E4m3),
    ("e5", "SE5", ScalarType::E5m2x4),
    ("h", "SH", ScalarType::F16),
    ("b", "SB", ScalarType::Bf16),
    ("f", "SF", ScalarType::F32),
    ("u", "SU", ScalarType::B32),
    ("e8", "SE8", ScalarType::Ue8m0x2),
];

/// Returns the findings in a kernel with these statements, in order: the code and the register.
pub(super) fn found(body: &str) -> Vec<String> {
    let types: Vec<[Type<'_>; 2]> = DECLARED
        .iter()
        .map(|(_, _, scalar)| {
            let scalar_type = Type::of_scalar(*scalar);
            [*scalar_type, Type::Array(Extent::Known(1024 / scalar.bytes()), scalar_type)]
        })
        .collect();
    let families: Vec<Type<'_>> = REGISTERS
        .iter()
        .map(|(_, _, scalar)| Type::Family(Extent::Known(32), Type::of_scalar(*scalar)))
        .collect();
    let registers = REGISTERS.iter().zip(&families);
    let registers: Vec<Variable<'_>> =
        registers.map(|((_, name, _), ty)| Variable::new(Space::Reg, name, ty)).collect();
    let locals: Vec<&Variable<'_>> = registers.iter().collect();
    let mut shared = Vec::new();
    let mut params = Vec::new();
    for ((param, name, _), [pointee, array]) in DECLARED.iter().zip(&types) {
        let variable = Variable::new(Space::Shared, name, array);
        shared.push(Variable { align: Some(16), ..variable });
        let pointer = Pointer { space: Some(Space::Global), align: Some(16), pointee };
        let param = Param::new(param, Type::of_scalar(ScalarType::U64));
        params.push(Param { pointer: Some(pointer), ..param });
    }
    let variables: Vec<&Variable<'_>> = shared.iter().collect();
    let mut text = REGISTERS.map(|(text, ..)| text).join("\n") + "\n";
    for (n, (name, ..)) in DECLARED.iter().enumerate() {
        writeln!(text, "ld.param.u64 %d{n}, [{name}];").expect("a string takes all");
    }
    text.push_str("mov.u32 %r9, %clock;\n");
    for line in body.lines() {
        text.push_str(line.trim());
        text.push('\n');
    }
    text.push_str("ret;\n");
    let (text, table) = encode(&text);
    let function = Function {
        params: &params,
        body: Some(Body::new(&text, &table, &[])),
        locals: &locals,
        ..Function::new(FunctionKind::Kernel, "k")
    };
    let module = Module {
        variables: &variables,
        functions: &[&function],
        ..Module::new("formats", Target::Sm120a)
    };
    let finding = |(_, violation): (_, Violation<'_>)| match violation.args[0] {
        Arg::Str(name) => format!("{} {name}", violation.rule.code),
        _ => violation.rule.code.to_string(),
    };
    check_module(&module).into_iter().map(finding).collect()
}

#[track_caller]
pub(super) fn finds(body: &str, expected: &[&str]) {
    assert_eq!(found(body), expected, "{body}");
}

#[track_caller]
pub(super) fn quiet(body: &str) {
    finds(body, &[]);
}

#[test]
fn a_load_as_bits_has_the_format_that_is_declared() {
    let convert = "cvt.rn.f16x2.e4m3x2 %r1, %rs1;";
    finds(&format!("ld.global.b16 %rs1, [%d1];\n{convert}"), &["A080 %rs1"]);
    quiet(&format!("ld.global.b16 %rs1, [%d0];\n{convert}"));
    finds(&format!("ld.shared.b16 %rs1, [SE5+4];\n{convert}"), &["A080 %rs1"]);
    quiet(&format!("ld.global.b16 %rs1, [%d5];\n{convert}"));
    quiet(&format!("ld.shared.u16 %rs1, [SU];\n{convert}"));
    // Each register of a vector.
    let vector = "ld.global.nc.v2.b32 {%r2, %r3}, [%d1+8];\nmov.b32 {%rs1, %rs2}, %r3;";
    finds(&format!("{vector}\n{convert}"), &["A080 %rs1"]);
    // Halves and single bytes, if they are complete.
    quiet("ld.global.b8 %rs1, [%d2];\ncvt.f32.bf16 %f1, %rs1;");
    finds("ld.global.b16 %rs1, [%d2];\ncvt.f32.bf16 %f1, %rs1;", &["A080 %rs1"]);
    finds("ld.global.b32 %r1, [%d2+4];\nadd.f32 %f1, %r1, %f2;", &["A080 %r1"]);
}

#[test]
fn a_format_is_that_of_each_place_that_is_possible() {
    let at = "mov.u32 %r1, %tid.x;\nand.b32 %r1, %r1, 7;\nmov.u32 %r2, SB;";
    let load = "ld.shared.b32 %r3, [%r2];\nfma.rn.f16x2 %r4, %r3, %r3, %r3;";
    finds(&format!("{at}\nmad.lo.u32 %r2, %r1, 4, %r2;\n{load}"), &["A080 %r3"]);
    quiet(&format!("{at}\nmad.lo.u32 %r2, %r1, 4, %r2;\n{}", load.replace("f16", "bf16")));
}

#[test]
fn conversions_and_arithmetic_give_numbers_of_their_types() {
    let pack = "cvt.rn.bf16x2.f32 %r1, %f1, %f2;";
    finds(&format!("{pack}\nadd.f16x2 %r2, %r1, %r1;"), &["A080 %r1"]);
    quiet(&format!("{pack}\nadd.bf16x2 %r2, %r1, %r1;"));
    finds("add.f16 %rs1, %rs2, %rs3;\ncvt.f32.bf16 %f1, %rs1;", &["A080 %rs1"]);
    finds(
        "cvt.rn.satfinite.e5m2x2.f32 %rs1, %f1, %f2;\ncvt.rn.f16x2.e4m3x2 %r1, %rs1;",
        &["A080 %rs1"],
    );
    finds("tanh.approx.f16 %rs1, %rs2;\nex2.approx.ftz.bf16 %rs3, %rs1;", &["A080 %rs1"]);
    finds("fma.rn.f32 %r4, %f2, %f3, %f4;\nfma.rn.f16x2 %r1, %r4, %r2, %r3;", &["A080 %r4"]);
    // With two types, the last operand has the first type.
    let mixed = "ld.global.b16 %rs1, [%d2];\nfma.rn.f32.bf16 %f1, %rs1, %rs1, %f2;";
    finds(mixed, &["A080 %rs1"]);
    quiet(
        "ld.global.b16 %rs1, [%d2];\nfma.rn.f32.f16 %f1, %rs1, %rs1, %f2;\nadd.f32 %f1, %f1, %f1;",
    );
    finds(
        "cvt.f32.f16 %f1, %rs1;\nadd.f32.bf16 %r4, %rs2, %f1;\nadd.f16x2 %r1, %r4, %r2;",
        &["A080 %r4"],
    );
}

#[test]
fn integers_are_bits() {
    quiet("cvt.rn.f32.s32 %r4, %r1;\nadd.u32 %r2, %r4, 1;\nfma.rn.f16x2 %r3, %r2, %r2, %r2;");
    quiet("ld.global.b32 %r1, [%d2];\nmul.lo.u32 %r2, %r1, 3;\nadd.s32 %r3, %r1, %r2;");
    quiet("cvt.rn.bf16x2.f32 %r1, %f1, %f2;\nxor.b32 %r2, %r1, 5;\nadd.f16x2 %r2, %r2, %r2;");
    quiet(
        "cvt.rn.bf16x2.f32 %r1, %f1, %f2;\nlop3.b32 %r2, %r1, %r3, %r4, 150;\nadd.f16x2 %r2, %r2, %r2;",
    );
}

#[test]
fn moves_and_packs_carry_formats() {
    let halves = "ld.global.b16 %rs1, [%d2];\nld.global.b16 %rs2, [%d3];";
    let both = format!("{halves}\nmov.b32 %r1, {{%rs1, %rs2}};");
    finds(&format!("{both}\nadd.f16x2 %r2, %r1, %r1;"), &["A081 %r1"]);
    finds(&format!("{both}\nadd.bf16x2 %r2, %r1, %r1;"), &["A081 %r1"]);
    let apart = format!("{both}\nmov.b32 {{%rs3, %rs4}}, %r1;");
    quiet(&format!("{apart}\nadd.f16 %rs3, %rs3, %rs3;\nadd.bf16 %rs4, %rs4, %rs4;"));
    finds(&format!("{apart}\nadd.bf16 %rs3, %rs3, %rs4;"), &["A080 %rs3"]);
    finds(&format!("{apart}\nmov.b16 %rs5, %rs4;\nadd.f16 %rs3, %rs3, %rs5;"), &["A080 %rs5"]);
    finds(
        &format!(
            "{halves}\nmov.b32 {{_, %rs3}}, %r1;\nmov.b32 %r3, {{%rs2, %rs1}};\nmov.b64 %d8, {{%r2, %r3}};\nmov.b64 {{%r4, %r5}}, %d8;\nadd.bf16x2 %r6, %r5, %r5;"
        ),
        &["A081 %r5"],
    );
    // The same name, overwritten in between.
    quiet(&format!("{halves}\nmov.b16 %rs1, %rs2;\nadd.bf16 %rs1, %rs1, %rs1;"));
    quiet(&format!("{halves}\nmov.b16 %rs1, %rs9;\nadd.bf16 %rs1, %rs1, %rs1;"));
}

#[test]
fn shifts_and_permutations_by_bytes_carry_formats() {
    let pack = "cvt.rn.bf16x2.f32 %r1, %f1, %f2;";
    // The upper half of an `f32`.
    quiet(&format!("{pack}\nshl.b32 %r2, %r1, 16;\nmov.b32 %f3, %r2;\nadd.f32 %f4, %f3, %f3;"));
    quiet(&format!("{pack}\nand.b32 %r2, %r1, 4294901760;\nadd.f32 %f4, %r2, %r2;"));
    quiet(&format!("{pack}\nadd.f32 %f4, %r1, %r1;"));
    quiet(&format!("{pack}\nprmt.b32 %r2, %r1, 0, 21008;\nadd.f32 %f4, %r2, %r2;"));
    let upper = format!("{pack}\nshr.u32 %r2, %r1, 16;\ncvt.u16.u32 %rs1, %r2;");
    finds(&format!("{upper}\ncvt.f32.f16 %f3, %rs1;"), &["A080 %rs1"]);
    quiet(&format!("{upper}\ncvt.f32.bf16 %f3, %rs1;"));
    quiet(&format!(
        "{pack}\nshr.s32 %r2, %r1, 16;\ncvt.u16.u32 %rs1, %r2;\ncvt.f32.f16 %f3, %rs1;"
    ));
    quiet(&format!(
        "{pack}\nshr.u32 %r2, %r1, 15;\ncvt.u16.u32 %rs1, %r2;\ncvt.f32.f16 %f3, %rs1;"
    ));
    finds(
        &format!("{pack}\nprmt.b32 %r2, %r1, %r1, 4146;\nadd.f16x2 %r3, %r2, %r2;"),
        &["A080 %r2"],
    );
    quiet(&format!("{pack}\nprmt.b32 %r2, %r1, %r1, 8961;\nadd.f16x2 %r3, %r2, %r2;"));
    quiet(&format!("{pack}\nprmt.b32.f4e %r2, %r1, %r1, 0;\nadd.f16x2 %r3, %r2, %r2;"));
    // An `e5m2` is the upper byte of an `f16`.
    quiet("ld.global.b32 %r1, [%d1];\nprmt.b32 %r2, %r1, 0, 20548;\nadd.f16x2 %r3, %r2, %r2;");
    quiet(
        "ld.global.b32 %r1, [%d2];\nprmt.b32 %r2, %r1, 0, 17457;\ncvt.u16.u32 %rs1, %r2;\ncvt.rn.f16x2.e5m2x2 %r3, %rs1;",
    );
}

#[test]
fn what_comes_to_the_same_in_both_formats_is_no_mistake() {
    quiet("cvt.rn.bf16x2.f32 %r1, %f1, %f2;\nneg.f16x2 %r2, %r1;\nadd.bf16x2 %r3, %r2, %r2;");
    quiet(
        "mov.b32 %r4, 0;\ncvt.rn.bf16x2.f32 %r1, %f1, %f2;\nmax.bf16x2 %r2, %r1, %r4;\nadd.bf16x2 %r3, %r2, %r2;",
    );
    quiet("cvt.rn.bf16.f32 %rs1, %f1;\nsetp.eq.f16 %p1, %rs1, %rs2;");
    finds(
        "cvt.rn.bf16x2.f32 %r1, %f1, %f2;\nabs.bf16x2 %r2, %r1;\nadd.f16x2 %r3, %r2, %r2;",
        &["A080 %r2"],
    );
}

#[test]
fn zeros_are_of_every_format() {
    quiet("mov.b32 %r1, 0;\nadd.f16x2 %r2, %r1, %r1;\nadd.bf16x2 %r2, %r1, %r1;");
    let guarded = "mov.b32 %r1, 0;\nsetp.eq.u32 %p1, %r9, 0;\n@%p1 ld.global.b32 %r1, [%d3];";
    quiet(&format!("{guarded}\nadd.bf16x2 %r2, %r1, %r1;"));
    finds(&format!("{guarded}\nadd.f16x2 %r2, %r1, %r1;"), &["A080 %r1"]);
    quiet("mov.f32 %r3, 0f00000000;\nadd.f16x2 %r2, %r3, %r3;");
}

#[test]
fn a_format_is_known_if_it_is_the_same_on_every_path() {
    let branch = |one: &str, other: &str, then: &str| {
        format!("setp.eq.u32 %p1, %r9, 0;\n@%p1 bra L1;\n{one}\nbra L2;\nL1:\n{other}\nL2:\n{then}")
    };
    let (half, brain) = ("ld.global.b32 %r1, [%d2];", "ld.global.b32 %r1, [%d3];");
    finds(
        &branch(half, "cvt.rn.f16x2.f32 %r1, %f1, %f2;", "add.bf16x2 %r2, %r1, %r1;"),
        &["A080 %r1"],
    );
    quiet(&branch(half, brain, "add.bf16x2 %r2, %r1, %r1;"));
    quiet(&branch(half, "mov.b32 %r1, %r8;", "add.bf16x2 %r2, %r1, %r1;"));
    let select = format!("{half}\nld.global.b32 %r2, [%d3];\nselp.b32 %r3, %r1, %r2, %p1;");
    quiet(&format!("setp.eq.u32 %p1, %r9, 0;\n{select}\nadd.bf16x2 %r4, %r3, %r3;"));
    finds(
        &format!(
            "setp.eq.u32 %p1, %r9, 0;\n{half}\nselp.b32 %r3, %r1, 0, %p1;\nadd.bf16x2 %r4, %r3, %r3;"
        ),
        &["A080 %r3"],
    );
    // In the second iteration.
    quiet(&format!(
        "{half}\nL1:\nadd.f16x2 %r2, %r1, %r1;\n{brain}\nsetp.eq.u32 %p1, %r9, 0;\n@%p1 bra L1;"
    ));
    finds(
        &format!(
            "{half}\nL1:\nadd.bf16x2 %r2, %r1, %r1;\nadd.u32 %r9, %r9, 1;\nsetp.eq.u32 %p1, %r9, 8;\n@%p1 bra L1;"
        ),
        &["A080 %r1"],
    );
}

#[test]
fn where_control_never_gets_nothing_goes_wrong() {
    let load = "ld.global.b32 %r1, [%d2];";
    quiet(&format!("{load}\nbra L1;\nadd.bf16x2 %r2, %r1, %r1;\nL1:"));
    quiet(&format!(
        "{load}\nmov.u32 %r3, 1;\nsetp.eq.u32 %p1, %r3, 1;\n@%p1 bra L1;\nadd.bf16x2 %r2, %r1, %r1;\nL1:"
    ));
}

#[test]
fn guards_decide_what_a_register_holds() {
    let either =
        "setp.eq.u32 %p1, %r9, 0;\n@%p1 ld.global.b32 %r1, [%d2];\n@!%p1 ld.global.b32 %r1, [%d3];";
    quiet(&format!("{either}\n@%p1 add.f16x2 %r2, %r1, %r1;\n@!%p1 add.bf16x2 %r2, %r1, %r1;"));
}

const MMA: &str = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
const PRODUCT: &str =
    "{%f0, %f1, %f2, %f3}, {%r0, %r1, %r2, %r3}, {%r4, %r5}, {%f0, %f1, %f2, %f3};";

#[test]
fn fragments_are_in_the_format_of_their_matrix() {
    let zeros = "mov.f32 %f0, 0f00000000;\nmov.f32 %f1, 0f00000000;\nmov.f32 %f2, 0f00000000;\nmov.f32 %f3, 0f00000000;";
    let rows = |of: &str| {
        format!(
            "mov.u32 %r8, {of};\nldmatrix.sync.aligned.m8n8.x4.shared.b16 {{%r0, %r1, %r2, %r3}}, [%r8];\nmov.b32 %r4, %r9;\nmov.b32 %r5, %r9;\n{zeros}"
        )
    };
    finds(&format!("{}\n{MMA} {PRODUCT}", rows("SB")), &["A082 %r0"]);
    quiet(&format!("{}\n{MMA} {PRODUCT}", rows("SH")));
    quiet(&format!("{}\n{MMA} {PRODUCT}", rows("SU")));
    quiet(&format!("{}\n{} {PRODUCT}", rows("SB"), MMA.replace("f16.f16", "bf16.bf16")));
    // If transposed, halves of several rows are combined.
    let transposed = rows("SB").replace("x4.shared", "x4.trans.shared");
    finds(&format!("{transposed}\n{MMA} {PRODUCT}"), &["A082 %r0"]);
    let transposed = rows("SF").replace("x4.shared", "x4.trans.shared");
    quiet(&format!("{transposed}\n{MMA} {PRODUCT}"));
    finds(&format!("{}\n{MMA} {PRODUCT}", rows("SF")), &["A082 %r0"]);
    // The upper parts of `f32` numbers are `tf32`.
    let tf32 = "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32";
    quiet(&format!("{}\n{tf32} {PRODUCT}", rows("SF")));
    finds(&format!("{}\n{tf32} {PRODUCT}", rows("SH")), &["A082 %r0"]);
    // A fragment with a wrong format is reported only at its first use.
    let twice = format!("{}\n{MMA} {PRODUCT}\n{MMA} {PRODUCT}", rows("SB"));
    finds(&twice, &["A082 %r0"]);
}

#[test]
fn products_are_in_the_format_of_their_type() {
    let zeros = "mov.f32 %f0, 0f00000000;\nmov.f32 %f1, 0f00000000;\nmov.f32 %f2, 0f00000000;\nmov.f32 %f3, 0f00000000;\nmov.b32 %r0, %r9;\nmov.b32 %r1, %r9;\nmov.b32 %r2, %r9;\nmov.b32 %r3, %r9;\nmov.b32 %r4, %r9;\nmov.b32 %r5, %r9;";
    let next = "{%f4, %f5, %f6, %f7}, {%f0, %f1, %f2, %f3}, {%r4, %r5}, {%f4, %f5, %f6, %f7};";
    finds(&format!("{zeros}\n{MMA} {PRODUCT}\n{MMA} {next}"), &["A082 %f0"]);
    let packed = "cvt.rn.f16x2.f32 %r10, %f1, %f0;\ncvt.rn.f16x2.f32 %r11, %f3, %f2;\ncvt.rn.f16x2.f32 %r12, %r11, %r10;\ncvt.rn.f16x2.f32 %r13, %f3, %r12;";
    finds(
        &format!(
            "{zeros}\n{MMA} {PRODUCT}\n{packed}\n{MMA} {}",
            next.replace("%f0, %f1, %f2, %f3", "%r10, %r11, %r12, %r13")
        ),
        &["A080 %r11", "A080 %r10", "A080 %r12"],
    );
    let apart = "cvt.rn.f16x2.f32 %r0, %f1, %f0;\ncvt.rn.f16x2.f32 %r1, %f3, %f2;\nmov.b32 %f0, %r0;\nmov.b32 %f1, %r1;\nmov.b32 %f2, %r0;\nmov.b32 %f3, %r1;";
    quiet(&format!("{zeros}\n{MMA} {PRODUCT}\n{apart}\n{MMA} {next}"));
    let fp8 = "mma.sync.aligned.kind::f8f6f4.m16n8k32.row.col.f32.e4m3.e5m2.f32";
    let loaded = format!("{zeros}\nld.global.b32 %r4, [%d0];\nld.global.b32 %r5, [%d0+4];");
    finds(&format!("{loaded}\n{fp8} {PRODUCT}"), &["A082 %r4"]);
    quiet(&format!("{loaded}\n{} {PRODUCT}", fp8.replace("e5m2", "e4m3")));
    quiet(&format!(
        "{loaded}\nmma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {{%r10, %r11, %r12, %r13}}, {{%r0, %r1, %r2, %r3}}, {{%r4, %r5}}, {{%r10, %r11, %r12, %r13}};"
    ));
}

#[test]
fn fragments_of_wgmma_are_in_the_format_of_its_left_matrix() {
    let loads = "ld.global.v4.b32 {%r0, %r1, %r2, %r3}, [%d3];";
    let product = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, {%r0, %r1, %r2, %r3}, %d9, 0, 1, 1, 0;";
    let only = |body: &str| -> Vec<String> {
        found(body).into_iter().filter(|found| found.starts_with("A08")).collect()
    };
    assert_eq!(only(&format!("{loads}\n{product}")), ["A082 %r0"]);
    let right = product.replace("f16.f16", "bf16.bf16");
    assert!(only(&format!("{loads}\n{right}")).is_empty());
}

#[test]
fn scales_are_in_the_format_of_their_type() {
    let product = |ty: &str| {
        format!(
            "mma.sync.aligned.kind::mxf4nvf4.block_scale.scale_vec::4X.m16n8k64.row.col.f32.e2m1.e2m1.f32.{ty} {{%f0, %f1, %f2, %f3}}, {{%r0, %r1, %r2, %r3}}, {{%r4, %r5}}, {{%f0, %f1, %f2, %f3}}, {{%r6}}, {{%rs0, %rs1}}, %r7, {{%rs0, %rs1}};"
        )
    };
    let loads = "ld.global.b32 %r6, [%d0];\nld.global.b32 %r7, [%d6];";
    finds(&format!("{loads}\n{}", product("ue4m3")), &["A083 %r7"]);
    finds(&format!("{loads}\n{}", product("ue8m0")), &["A083 %r6"]);
    let byte = "ld.global.b8 %rs5, [%d0];\ncvt.u32.u16 %r6, %rs5;\nmov.b32 %r7, %r6;";
    quiet(&format!("{byte}\n{}", product("ue8m0")));
}

#[test]
fn a_reduction_is_in_the_format_of_the_instruction() {
    let pack = "cvt.rn.f16x2.f32 %r1, %f1, %f2;";
    finds(&format!("{pack}\nred.global.add.noftz.bf16x2 [%d5], %r1;"), &["A080 %r1"]);
    quiet(&format!("{pack}\nred.global.add.noftz.f16x2 [%d5], %r1;"));
    finds("atom.global.add.noftz.f16x2 %r1, [%d5], %r2;\nadd.bf16x2 %r3, %r1, %r1;", &["A080 %r1"]);
    quiet("atom.global.exch.b32 %r1, [%d2], %r2;\nadd.bf16x2 %r3, %r1, %r1;");
}

#[test]
fn what_stores_other_bits_is_not_held_to_its_declaration() {
    let load = "ld.shared.b32 %r2, [SF+64];\nadd.f16x2 %r3, %r2, %r2;";
    finds(load, &["A080 %r2"]);
    // The store comes before or after the load, as in the next iteration.
    quiet(&format!("cvt.rn.f16x2.f32 %r1, %f1, %f2;\nst.shared.b32 [SF], %r1;\n{load}"));
    quiet(&format!("{load}\ncvt.rn.f16x2.f32 %r1, %f1, %f2;\nst.shared.b32 [SF], %r1;"));
    quiet(&format!("st.shared.v2.b32 [SF], {{%r1, %r9}};\n{load}"));
    quiet(&format!(
        "mov.b32 %r8, SF;\nstmatrix.sync.aligned.m8n8.x1.shared.b16 [%r8], {{%r1}};\n{load}"
    ));
    quiet(&format!("cp.async.ca.shared.global [SF], [%d2], 16;\n{load}"));
    // The same bits, or zeros.
    finds(&format!("ld.global.b32 %r1, [%d4];\nst.shared.b32 [SF], %r1;\n{load}"), &["A080 %r2"]);
    finds(&format!("st.shared.b32 [SF], 0;\n{load}"), &["A080 %r2"]);
    finds(&format!("add.f32 %f1, %f1, %f1;\nst.shared.f32 [SF], %f1;\n{load}"), &["A080 %r2"]);
    // Halves moved by a different type.
    quiet(&format!("st.shared.f32 [SF], %f1;\n{load}"));
    finds(&format!("cp.async.ca.shared.global [SF], [%d4], 16;\n{load}"), &["A080 %r2"]);
}

#[test]
fn unknown_control_flow_yields_no_findings() {
    let load = "ld.global.b32 %r1, [%d2];\nadd.bf16x2 %r2, %r1, %r1;";
    finds(load, &["A080 %r1"]);
    assert!(
        found(&format!("{load}\nL1:\nbrx.idx %r9, TABLE;")).iter().all(|it| !it.starts_with("A08"))
    );
}
