//! Tests of the expressions of instructions, following PTX ISA: their width and signedness, and what is not
//! tracked.

extern crate std;

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use ptx_interpreter::encode;
use ptx_isa::ir::body::Body;

use super::*;

fn with<T>(text: &str, read: impl FnOnce(&Instruction<'_>) -> T) -> T {
    let (encoded, table) = encode(text);
    let body = Body::new(&encoded, &table, &[]);
    let statement = body.statements().next().expect("there is one");
    read(&statement.instruction(&[]).expect("it is an instruction"))
}

/// Formats an expression: `add.32(%r1, 4)`.
fn short(expression: &Expression<'_>) -> String {
    use Expression as E;
    let two = |two: &[E<'_>; 2]| format!("({}, {})", short(&two[0]), short(&two[1]));
    let read =
        |bits: &u32, is_signed: &bool| format!("{}{bits}", if *is_signed { "s" } else { "u" });
    let amount = |amount: &Amount| match amount {
        Amount::Known(known) => known.to_string(),
        Amount::Constant(n) => format!("constant {n}"),
        Amount::Unknown => "?".to_string(),
    };
    match expression {
        E::Name(name) => name.text.to_string(),
        E::Amount(number) => amount(number),
        E::Special(name) => format!("special {}.{}", name.text, name.element),
        E::Element(of) => format!("{}[{}]", of.0.text, short(&of.1)),
        E::Param(of) => format!("{} bytes at {}+{}", of.2, of.0.text, amount(&of.1)),
        E::Add(of, bits) => format!("add.{bits}{}", two(of)),
        E::Subtract(of, bits) => format!("sub.{bits}{}", two(of)),
        E::Multiply(of, bits) => format!("mul.{bits}{}", two(of)),
        E::ShiftLeft(of, bits) => format!("left.{bits}{}", two(of)),
        E::ShiftRight(of, bits, is_signed) => format!("right.{}{}", read(bits, is_signed), two(of)),
        E::Remainder(of, bits, is_signed) => format!("rem.{}{}", read(bits, is_signed), two(of)),
        E::And(of, bits) => format!("and.{bits}{}", two(of)),
        E::Or(of, bits) => format!("or.{bits}{}", two(of)),
        E::ExclusiveOr(of, bits) => format!("xor.{bits}{}", two(of)),
        E::Operation(how, of, bits, is_signed) => {
            let of: Vec<String> = of.iter().map(short).collect();
            format!("{how:?}.{}({})", read(bits, is_signed), of.join(", "))
        }
        E::Select(of, third) => format!("{} ? {}", short(third), two(of)),
        E::Compare(of, how, bits, is_signed) => {
            format!("{how:?}.{}{}", read(bits, is_signed), two(of))
        }
        E::Not(one) => format!("!{}", short(one)),
        E::Halves(of) => format!("halves{}", two(of)),
        E::ToGeneric(space, one) => format!("generic of {space:?} {}", short(one)),
        E::FromGeneric(space, one) => format!("{space:?} of generic {}", short(one)),
        E::IsInSpace(space, one) => format!("{} is in {space:?}", short(one)),
        E::Narrow(one, bits) => format!("narrow.{bits}({})", short(one)),
        E::Extend(one, bits, is_signed) => {
            format!("extend.{}({})", read(bits, is_signed), short(one))
        }
        E::Remote(of) => format!("remote{}", two(of)),
        E::Made(of) => {
            let of: Vec<&str> = of.iter().map(|name| name.text).collect();
            format!("made of {}", of.join(", "))
        }
    }
}

#[track_caller]
fn check(rows: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for (text, expected) in rows {
        let found = with(text, |instruction| short(&Expression::written(instruction)));
        if found != *expected {
            wrong.push(format!("{text} {found}, and not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_copied_value_is_truncated_to_the_type() {
    check(&[
        ("mov.u32 %r0, %r1;", "narrow.32(%r1)"),
        ("mov.b16 %h0, %h1;", "narrow.16(%h1)"),
        ("mov.u64 %d0, %d1;", "%d1"),
        ("mov.b128 %d0, %d1;", "%d1"),
        ("mov.pred %p0, %p1;", "%p1"),
        ("mov.u32 %r0, A;", "narrow.32(A)"),
        ("mov.u32 %r0, %tid.x;", "narrow.32(special %tid.x)"),
        ("mov.u32 %r0, %laneid;", "narrow.32(%laneid)"),
        ("mov.u64 %d0, A+16;", "add.64(A, 16)"),
        ("mov.u64 %d0, A[%r1];", "A[%r1]"),
        ("mov.u64 %d0, 7;", "7"),
        // Only special registers have elements that are tracked.
        ("mov.u32 %r0, %r1.x;", "narrow.32(?)"),
        ("mov.u64 %d0, %r1.x+4;", "?"),
        ("mov.u64 %d0, %r1.x[3];", "?"),
        ("mov.f32 %f0, %f1;", "made of %f1"),
        ("mov.b64 %d0, {%r0, %r1};", "halves(%r0, %r1)"),
        ("mov.b32 %r0, {%h0, %h1};", "made of %h0, %h1"),
        ("mov.b128 %q0, {%d0, %d1};", "made of %d0, %d1"),
        ("mov.b64 %d0, {%h0, %h1, %h2, %h0};", "made of %h0, %h1, %h2, %h0"),
    ]);
}

#[test]
fn a_parameter_is_loaded_from_the_offset_of_the_operand() {
    check(&[
        ("ld.param.u64 %d0, [p];", "8 bytes at p+0"),
        ("ld.param.u32 %r0, [p+4];", "4 bytes at p+4"),
        ("ld.param.b8 %r0, [p];", "1 bytes at p+0"),
        ("ld.param::entry.u64 %d0, [p+8];", "8 bytes at p+8"),
        ("ld.param.u64 %d0, [p[%r1]];", "8 bytes at p+?"),
        ("ld.param.u64 %d0, [p.x];", "8 bytes at p+?"),
        ("ld.param %d0, [p];", "0 bytes at p+0"),
        ("ld.shared.u64 %d0, [A];", "made of "),
        ("ld.u64 %d0, [%d1];", "made of "),
    ]);
}

#[test]
fn sums_and_products_have_the_bits_of_their_type() {
    check(&[
        ("add.u32 %r0, %r1, 4;", "add.32(%r1, 4)"),
        ("add.s64 %d0, %d1, %d2;", "add.64(%d1, %d2)"),
        // Without a type, the operation has the full width and no sign.
        ("add %d0, %d1, %d2;", "add.64(%d1, %d2)"),
        ("rem %d0, %d1, %d2;", "rem.u64(%d1, %d2)"),
        ("add.u16 %h0, %h1, 1;", "add.16(%h1, 1)"),
        // It saturates, or operates on several numbers.
        ("add.sat.s32 %r0, %r1, 4;", "made of %r1"),
        ("add.u16x2 %r0, %r1, %r2;", "made of %r1, %r2"),
        ("add.f32 %f0, %f1, %f2;", "made of %f1, %f2"),
        ("sub.s32 %r0, %r1, %r2;", "sub.32(%r1, %r2)"),
        ("mul.lo.s32 %r0, %r1, %r2;", "mul.32(%r1, %r2)"),
        ("mul.lo.u64 %d0, %d1, 8;", "mul.64(%d1, 8)"),
        ("mul.wide.s32 %d0, %r1, 4;", "mul.64(extend.s32(%r1), extend.s32(4))"),
        ("mul.wide.u16 %r0, %h1, 4;", "mul.32(extend.u16(%h1), extend.u16(4))"),
        ("mul.hi.u32 %r0, %r1, %r2;", "HighProduct.u32(%r1, %r2)"),
        ("mul.hi.s64 %d0, %d1, %d2;", "HighProduct.s64(%d1, %d2)"),
        ("mul24.lo.s32 %r0, %r1, %r2;", "Product24.s32(%r1, %r2)"),
        ("mul24.hi.s32 %r0, %r1, %r2;", "made of %r1, %r2"),
        ("mad.lo.u32 %r0, %r1, %r2, %r3;", "add.32(mul.32(%r1, %r2), %r3)"),
        (
            "mad.wide.u32 %d0, %r1, %r2, %d3;",
            "add.64(mul.64(extend.u32(%r1), extend.u32(%r2)), %d3)",
        ),
        ("mad.hi.s32 %r0, %r1, %r2, %r3;", "add.32(HighProduct.s32(%r1, %r2), %r3)"),
        ("mad.hi.sat.s32 %r0, %r1, %r2, %r3;", "made of %r1, %r2, %r3"),
        ("mad24.lo.u32 %r0, %r1, %r2, %r3;", "add.32(Product24.u32(%r1, %r2), %r3)"),
        ("mad24.hi.u32 %r0, %r1, %r2, %r3;", "made of %r1, %r2, %r3"),
        ("neg.s32 %r0, %r1;", "sub.32(0, %r1)"),
        ("not.b32 %r0, %r1;", "sub.32(-1, %r1)"),
        ("not.b64 %d0, %d1;", "sub.64(-1, %d1)"),
        ("not.pred %p0, %p1;", "!%p1"),
        ("cnot.b32 %r0, %r1;", "Equal.u32(%r1, 0) ? (1, 0)"),
    ]);
}

#[test]
fn bits_are_combined_and_moved() {
    check(&[
        ("and.b32 %r0, %r1, 15;", "and.32(%r1, 15)"),
        ("and.pred %p0, %p1, %p2;", "and.1(%p1, %p2)"),
        ("or.b64 %d0, %d1, %d2;", "or.64(%d1, %d2)"),
        ("or.pred %p0, %p1, !%p2;", "or.1(%p1, !%p2)"),
        ("xor.b16 %h0, %h1, %h2;", "xor.16(%h1, %h2)"),
        ("xor.pred %p0, %p1, %p2;", "xor.1(%p1, %p2)"),
        ("shl.b32 %r0, %r1, 4;", "left.32(%r1, 4)"),
        ("shr.u32 %r0, %r1, 4;", "right.u32(%r1, 4)"),
        ("shr.b32 %r0, %r1, 4;", "right.u32(%r1, 4)"),
        ("shr.s64 %d0, %d1, 4;", "right.s64(%d1, 4)"),
        ("rem.u32 %r0, %r1, %r2;", "rem.u32(%r1, %r2)"),
        ("rem.s64 %d0, %d1, %d2;", "rem.s64(%d1, %d2)"),
        ("div.s32 %r0, %r1, %r2;", "Quotient.s32(%r1, %r2)"),
        ("abs.s64 %d0, %d1;", "Absolute.s64(%d1)"),
        ("min.u32 %r0, %r1, %r2;", "Minimum.u32(%r1, %r2)"),
        ("max.s32 %r0, %r1, %r2;", "Maximum.s32(%r1, %r2)"),
        ("max.s32.relu %r0, %r1, %r2;", "made of %r1, %r2"),
        ("min.s16x2 %r0, %r1, %r2;", "made of %r1, %r2"),
        ("sad.u32 %r0, %r1, %r2, %r3;", "SumOfDifference.u32(%r1, %r2, %r3)"),
        ("bfe.u32 %r0, %r1, 4, 14;", "ExtractField.u32(%r1, 4, 14)"),
        ("bfe.s64 %d0, %d1, 4, 14;", "ExtractField.s64(%d1, 4, 14)"),
        ("bfi.b32 %r0, %r1, %r2, 4, 8;", "InsertField.u32(%r1, %r2, 4, 8)"),
        ("brev.b64 %d0, %d1;", "Reversal.u64(%d1)"),
        ("popc.b64 %r0, %d1;", "Population.u64(%d1)"),
        ("clz.b32 %r0, %r1;", "LeadingZeros.u32(%r1)"),
        ("bfind.s32 %r0, %r1;", "FirstBit.s32(%r1)"),
        ("bfind.shiftamt.s32 %r0, %r1;", "made of %r1"),
        ("lop3.b32 %r0, %r1, %r2, %r3, 234;", "Table.u32(%r1, %r2, %r3, 234)"),
        ("prmt.b32 %r0, %r1, %r2, 4660;", "Permutation.u32(%r1, %r2, 4660)"),
        ("prmt.b32.f4e %r0, %r1, %r2, 1;", "made of %r1, %r2"),
        ("shf.l.wrap.b32 %r0, %r1, %r2, %r3;", "FunnelShift.u32(%r1, %r2, %r3, 1, 1)"),
        ("shf.r.wrap.b32 %r0, %r1, %r2, %r3;", "FunnelShift.u32(%r1, %r2, %r3, 0, 1)"),
        ("shf.l.clamp.b32 %r0, %r1, %r2, %r3;", "FunnelShift.u32(%r1, %r2, %r3, 1, 0)"),
    ]);
}

#[test]
fn the_third_operand_decides_which_is_selected() {
    check(&[
        ("selp.b32 %r0, %r1, %r2, %p1;", "%p1 ? (%r1, %r2)"),
        ("slct.u32.s32 %r0, %r1, %r2, %r3;", "GreaterOrEqual.s32(%r3, 0) ? (%r1, %r2)"),
        ("slct.u32.f32 %r0, %r1, %r2, %f3;", "made of %r1, %r2, %f3"),
        ("slct %r0, %r1, %r2, %r3;", "made of %r1, %r2, %r3"),
    ]);
}

#[test]
fn comparisons_are_of_the_last_type() {
    check(&[
        ("setp.lt.u32 %p0, %r1, 4;", "Less.u32(%r1, 4)"),
        ("setp.lt.s64 %p0, %d1, 4;", "Less.s64(%d1, 4)"),
        ("setp.eq.b16 %p0, %h1, 4;", "Equal.u16(%h1, 4)"),
        // The comparison is unsigned, whatever the type.
        ("setp.hi.u32 %p0, %r1, 4;", "Greater.u32(%r1, 4)"),
        ("setp.ls.u32 %p0, %r1, 4;", "LessOrEqual.u32(%r1, 4)"),
        ("setp.lt.and.s32 %p0, %r1, 4, %p1;", "and.1(Less.s32(%r1, 4), %p1)"),
        ("setp.lt.or.s32 %p0, %r1, 4, !%p1;", "or.1(Less.s32(%r1, 4), !%p1)"),
        ("setp.lt.xor.s32 %p0, %r1, 4, %p1;", "xor.1(Less.s32(%r1, 4), %p1)"),
        ("setp.lt.f32 %p0, %f1, %f2;", "made of %f1, %f2"),
        ("set.lt.u32.s32 %r0, %r1, 4;", "Less.s32(%r1, 4) ? (-1, 0)"),
        ("set.lt.and.u32.s32 %r0, %r1, 4, %p1;", "and.1(Less.s32(%r1, 4), %p1) ? (-1, 0)"),
        ("set.lt.f32.s32 %f0, %r1, 4;", "made of %r1"),
    ]);
}

#[test]
fn conversions_extend_narrower_values_and_truncate_wider_ones() {
    check(&[
        ("cvt.u64.u32 %d0, %r1;", "extend.u32(%r1)"),
        ("cvt.s64.s32 %d0, %r1;", "extend.s32(%r1)"),
        ("cvt.u64.s32 %d0, %r1;", "extend.s32(%r1)"),
        ("cvt.u32.u64 %r0, %d1;", "narrow.32(%d1)"),
        ("cvt.u32.s32 %r0, %r1;", "narrow.32(%r1)"),
        ("cvt.u64.s64 %d0, %d1;", "narrow.64(%d1)"),
        ("cvt.u16.u32 %r0, %r1;", "extend.u16(narrow.16(%r1))"),
        ("cvt.s8.u32 %r0, %r1;", "extend.s8(narrow.8(%r1))"),
        ("cvt.u16.u8 %h0, %r1;", "extend.u8(%r1)"),
        ("cvt.sat.u16.u32 %r0, %r1;", "made of %r1"),
        ("cvt.rn.f32.u32 %f0, %r1;", "made of %r1"),
    ]);
}

#[test]
fn addresses_go_from_one_space_to_another() {
    check(&[
        ("cvta.shared.u64 %d0, %d1;", "generic of Shared %d1"),
        ("cvta.to.global.u64 %d0, %d1;", "Global of generic %d1"),
        ("isspacep.local %p0, %d1;", "%d1 is in Local"),
        ("mapa.shared::cluster.u32 %r0, %r1, %r2;", "remote(%r1, %r2)"),
        ("mapa.u64 %d0, %d1, 3;", "remote(%d1, 3)"),
    ]);
}

#[test]
fn an_unknown_value_depends_on_the_registers_that_are_read() {
    check(&[
        ("ex2.approx.f32 %f0, %f1;", "made of %f1"),
        ("fma.rn.f32 %f0, %f1, %f2, %f3;", "made of %f1, %f2, %f3"),
        ("dp4a.u32.u32 %r0, %r1, %r2, %r3;", "made of %r1, %r2, %r3"),
        ("unheard.of %r0, %r1, _, {%r2, %r3}, 4;", "made of %r1, %r2, %r3"),
        ("unheard.of %r0;", "made of "),
    ]);
}

#[test]
fn the_lower_half_of_64_bits_goes_to_the_first_of_two_registers() {
    let half = |text| {
        with(text, |it| {
            Expression::lower_half(it).map(|(to, half)| (to.text.to_string(), short(&half)))
        })
    };
    let found = |to: &str, half: &str| Some((to.to_string(), half.to_string()));
    for (text, expected) in [
        ("mov.b64 {%r0, %r1}, %d1;", found("%r0", "narrow.32(%d1)")),
        ("mov.b64 {%r0, _}, %d1;", found("%r0", "narrow.32(%d1)")),
        ("mov.b64 {_, %r1}, %d1;", None),
        ("mov.b32 {%h0, %h1}, %r1;", None),
        ("mov.b128 {%d0, %d1}, %q1;", None),
        ("mov.b64 {%h0, %h1, %h2, %h3}, %d1;", None),
        ("mov.b64 %d0, {%r0, %r1};", None),
        ("mov.b64 %d0, %d1;", None),
        ("ld.shared.b64 {%r0, %r1}, [A];", None),
        ("unheard.b64 {%r0, %r1}, %d1;", None),
        ("mov {%r0, %r1}, %d1;", None),
    ] {
        assert_eq!(half(text), expected, "{text}");
    }
}

#[test]
fn only_a_set_of_16_bits_to_32_ignores_its_guard() {
    for (text, expected) in [
        ("@%p1 set.lt.u32.s16 %r0, %h1, %h2;", true),
        ("@!%p1 set.lt.s32.u16 %r0, %h1, %h2;", true),
        ("set.lt.u32.s16 %r0, %h1, %h2;", false),
        ("@%p1 set.lt.u32.s32 %r0, %r1, %r2;", false),
        ("@%p1 set.lt.u32.s64 %r0, %d1, %d2;", false),
        ("@%p1 cvt.u32.u16 %r0, %h1;", false),
    ] {
        #[allow(clippy::redundant_closure)] // the function is one for each lifetime
        let ignores = with(text, |it| Expression::ignores_guard(it));
        assert_eq!(ignores, expected, "{text}");
    }
}

#[test]
fn each_name_in_an_expression_is_visited() {
    for (text, expected) in [
        ("mov.u64 %d0, %d1;", "%d1"),
        ("mov.u32 %r0, %tid.x;", ""),
        ("mov.u64 %d0, 7;", ""),
        ("mov.u64 %d0, A[%r1];", "A %r1"),
        ("mov.b64 %d0, {%r1, %r2};", "%r1 %r2"),
        ("ld.param.u64 %d0, [p];", "p"),
        ("add.u32 %r0, %r1, %r2;", "%r1 %r2"),
        ("sub.u32 %r0, %r1, %r2;", "%r1 %r2"),
        ("mad.wide.s32 %d0, %r1, %r2, %d3;", "%r1 %r2 %d3"),
        ("shl.b32 %r0, %r1, %r2;", "%r1 %r2"),
        ("shr.b32 %r0, %r1, %r2;", "%r1 %r2"),
        ("rem.u32 %r0, %r1, %r2;", "%r1 %r2"),
        ("and.b32 %r0, %r1, %r2;", "%r1 %r2"),
        ("or.b32 %r0, %r1, %r2;", "%r1 %r2"),
        ("xor.b32 %r0, %r1, %r2;", "%r1 %r2"),
        ("setp.lt.and.s32 %p0, %r1, %r2, !%p1;", "%r1 %r2 %p1"),
        ("selp.b32 %r0, %r1, %r2, %p1;", "%r1 %r2 %p1"),
        ("bfe.u32 %r0, %r1, %r2, %r3;", "%r1 %r2 %r3"),
        ("cvta.shared.u64 %d0, %d1;", "%d1"),
        ("cvta.to.shared.u64 %d0, %d1;", "%d1"),
        ("isspacep.local %p0, %d1;", "%d1"),
        ("mapa.u64 %d0, %d1, %r2;", "%d1 %r2"),
        ("cvt.s8.u32 %r0, %r1;", "%r1"),
        ("ex2.approx.f32 %f0, %f1;", "%f1"),
    ] {
        let found = with(text, |instruction| {
            let mut names = Vec::new();
            Expression::written(instruction)
                .each_name(&mut |name| names.push(name.text.to_string()));
            names.join(" ")
        });
        assert_eq!(found, expected, "{text}");
    }
}
