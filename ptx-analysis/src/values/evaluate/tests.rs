//! Tests of instructions on numbers and addresses, following PTX ISA: register widths, masked
//! bits, and what remains unknown.

extern crate std;

mod pointers;

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use ptx_interpreter::encode;
use ptx_isa::ir::body::Body;
use ptx_isa::ir::{Extent, Type, Variable};
use ptx_isa::rules::access::Object;
use ptx_isa::{ScalarType, Space};

use super::bitwise::masked;
use super::*;
use crate::flow::effects::Effects;
use crate::flow::object::{DeferredObject, VariableUse};
use crate::flow::storage::Choice;
use crate::values::fixpoint::Setting;

static BYTES: Type<'static> = Type::Array(Extent::Known(4096), &Type::Scalar(ScalarType::B8));
static OF_A: Variable<'static> =
    Variable { align: Some(16), ..Variable::new(Space::Shared, "A", &BYTES) };
static OF_B: Variable<'static> = Variable::new(Space::Global, "B", &BYTES);

fn storages() -> Vec<Storage<'static>> {
    let storage = |index, variable| {
        let id = DeferredObject::Variable(VariableUse { index, member: None });
        let object = Object::Variable(variable);
        let (is_deferred, is_aligned, is_foreign) = (false, true, false);
        let choice = Choice { object, param: None, id, is_deferred, is_aligned, is_foreign };
        Storage::of(vec![choice])
    };
    vec![storage(0, &OF_A), storage(1, &OF_B)]
}

fn referent(name: &str) -> Referent {
    match name {
        "A" => Referent::Storage(0),
        "B" => Referent::Storage(1),
        _ => match name.strip_prefix("%r").and_then(|number| number.parse().ok()) {
            Some(number) => Referent::Register(number),
            None => Referent::Other,
        },
    }
}

/// Returns the value of `%r0` after these instructions.
fn value_of(text: &str) -> AbstractValue {
    let lines = text.replace("; ", ";\n");
    let (encoded, table) = encode(&lines);
    let body = Body::new(&encoded, &table, &[]);
    let storages = storages();
    let setting =
        Setting { storages: &storages, constants: Constants::NONE, coordinates: &Coordinates::ANY };
    let mut state = State::default();
    for (n, statement) in body.statements().enumerate() {
        let instruction = statement.instruction(&[]).expect("there are instructions alone");
        let effects = Effects::of(&instruction, n);
        let resolved = Box::new(Resolved::new(effects, Vec::new(), referent));
        state = setting.after(&resolved, state).expect("control goes on");
    }
    state.get(0).map_or_else(AbstractValue::unknown, |value| (**value).clone())
}

/// Returns the number in `%r0`, as an unsigned number of this width.
fn number(text: &str, bits: u32) -> Option<i128> {
    match value_of(text) {
        AbstractValue::Number(number) => number.value().map(|value| value.rem_euclid(1 << bits)),
        _ => None,
    }
}

/// Returns the greatest power of two known to divide `%r0` up to a remainder, and the remainder.
fn step(text: &str) -> Option<(u64, i128)> {
    match value_of(text) {
        AbstractValue::Number(number) => {
            let (step, _) = number.step();
            Some((step, number.base.value()?.rem_euclid(i128::from(step.max(1)))))
        }
        _ => None,
    }
}

/// Returns the storage and the offset of the address in `%r0`.
fn place(text: &str) -> Option<(usize, i128)> {
    match value_of(text) {
        AbstractValue::Address(address) => Some((address.storage, address.offset.value()?)),
        _ => None,
    }
}

#[test]
fn registers_of_32_bits_wrap() {
    for (text, expected) in [
        ("mov.u32 %r1, 4294967295; add.u32 %r0, %r1, 1;", 0),
        ("mov.u32 %r1, 4294967294; add.u32 %r0, %r1, 1;", 4_294_967_295),
        ("mov.u32 %r1, 0; sub.u32 %r0, %r1, 1;", 4_294_967_295),
        ("mov.u32 %r1, 1; sub.u32 %r0, %r1, 1;", 0),
        ("mov.u32 %r1, 65536; mul.lo.u32 %r0, %r1, 65536;", 0),
        ("mov.u32 %r1, 65536; mul.lo.u32 %r0, %r1, 65535;", 4_294_901_760),
        ("mov.u32 %r1, 65536; mad.lo.u32 %r0, %r1, 65536, 7;", 7),
        ("mov.u32 %r1, 1; shl.b32 %r0, %r1, 31;", 2_147_483_648),
        ("mov.u32 %r1, 3; shl.b32 %r0, %r1, 31;", 2_147_483_648),
        ("mov.u32 %r1, 2147483648; shr.u32 %r0, %r1, 31;", 1),
        ("mov.u32 %r1, 2147483648; shr.s32 %r0, %r1, 31;", 4_294_967_295),
        ("mov.u32 %r1, 2147483647; shr.s32 %r0, %r1, 30;", 1),
        ("mov.u32 %r1, 4294967295; mul.wide.u32 %r0, %r1, 2;", 8_589_934_590),
        ("mov.u32 %r1, 4294967295; mul.wide.s32 %r0, %r1, 2;", (1 << 64) - 2),
    ] {
        let bits = if text.contains("wide") { 64 } else { 32 };
        assert_eq!(number(text, bits), Some(expected), "{text}");
    }
}

#[test]
fn registers_of_64_bits_wrap_later() {
    for (text, expected) in [
        ("mov.u64 %r1, 4294967295; add.u64 %r0, %r1, 1;", 4_294_967_296),
        ("mov.u64 %r1, 18446744073709551615; add.u64 %r0, %r1, 1;", 0),
        ("mov.u64 %r1, 0; sub.u64 %r0, %r1, 1;", (1 << 64) - 1),
        ("mov.u64 %r1, 4294967296; mul.lo.u64 %r0, %r1, 4294967296;", 0),
        ("mov.u64 %r1, 4294967296; mul.lo.u64 %r0, %r1, 4294967295;", (1 << 64) - (1 << 32)),
        ("mov.u64 %r1, 1; shl.b64 %r0, %r1, 63;", 1 << 63),
        ("mov.u64 %r1, 1; shl.b64 %r0, %r1, 32;", 1 << 32),
        ("mov.u64 %r1, 9223372036854775808; shr.u64 %r0, %r1, 63;", 1),
        ("mov.u64 %r1, 9223372036854775808; shr.s64 %r0, %r1, 63;", (1 << 64) - 1),
    ] {
        assert_eq!(number(text, 64), Some(expected), "{text}");
    }
}

#[test]
fn narrowing_keeps_the_lowest_bits() {
    for (text, expected) in [
        ("mov.u32 %r1, 511; cvt.u32.u8 %r0, %r1;", 255),
        ("mov.u32 %r1, 256; cvt.u32.u8 %r0, %r1;", 0),
        ("mov.u32 %r1, 255; cvt.s32.s8 %r0, %r1;", 4_294_967_295),
        ("mov.u32 %r1, 127; cvt.s32.s8 %r0, %r1;", 127),
        ("mov.u32 %r1, 128; cvt.s32.s8 %r0, %r1;", 4_294_967_168),
        ("mov.u32 %r1, 65537; cvt.u32.u16 %r0, %r1;", 1),
        ("mov.u64 %r1, 4294967297; cvt.u32.u64 %r0, %r1;", 1),
        ("mov.u64 %r1, 4294967295; cvt.u32.u64 %r0, %r1;", 4_294_967_295),
    ] {
        assert_eq!(number(text, 32), Some(expected), "{text}");
    }
    let text = "mov.u32 %r1, 4294967295; cvt.u64.u32 %r0, %r1;";
    assert_eq!(number(text, 64), Some(4_294_967_295));
    let text = "mov.u32 %r1, 4294967295; cvt.s64.s32 %r0, %r1;";
    assert_eq!(number(text, 64), Some((1 << 64) - 1));
}

#[test]
fn masks_leave_the_bits_that_they_have() {
    for (text, expected) in [
        ("mov.u32 %r1, 61680; and.b32 %r0, %r1, 255;", 240),
        ("mov.u32 %r1, 61680; and.b32 %r0, %r1, 15;", 0),
        ("mov.u32 %r1, 61680; or.b32 %r0, %r1, 15;", 61_695),
        ("mov.u32 %r1, 61680; or.b32 %r0, %r1, 240;", 61_680),
        ("mov.u32 %r1, 61680; xor.b32 %r0, %r1, 255;", 61_455),
        ("mov.u32 %r1, 61680; xor.b32 %r0, %r1, 61680;", 0),
        ("mov.u32 %r1, 4294967295; and.b32 %r0, %r1, 4294967280;", 4_294_967_280),
        ("mov.u32 %r1, 0; not.b32 %r0, %r1;", 4_294_967_295),
        ("mov.u32 %r1, 17; rem.u32 %r0, %r1, 5;", 2),
        ("mov.u32 %r1, 17; div.u32 %r0, %r1, 5;", 3),
        ("mov.u32 %r1, 17; div.s32 %r0, %r1, -5;", 4_294_967_293),
        ("mov.u32 %r1, 4294967279; div.s32 %r0, %r1, 5;", 4_294_967_293),
        ("mov.u32 %r1, 4294967279; div.s32 %r0, %r1, -5;", 3),
        ("mov.u32 %r1, 17; min.u32 %r0, %r1, 5;", 5),
        ("mov.u32 %r1, 17; max.u32 %r0, %r1, 5;", 17),
        ("mov.u32 %r1, 4294967295; min.s32 %r0, %r1, 5;", 4_294_967_295),
        ("mov.u32 %r1, 4294967295; max.s32 %r0, %r1, 5;", 5),
        ("mov.u32 %r1, 4294967295; min.u32 %r0, %r1, 5;", 5),
    ] {
        assert_eq!(number(text, 32), Some(expected), "{text}");
    }
}

#[test]
fn a_mask_of_an_unknown_value_determines_its_divisor() {
    // `%r9` is unwritten here.
    for (text, expected) in [
        ("and.b32 %r0, %r9, 4294967280;", (16, 0)),
        ("and.b32 %r0, %r9, 4294967288;", (8, 0)),
        ("and.b32 %r0, %r9, 96;", (32, 0)),
        ("shl.b32 %r0, %r9, 4;", (16, 0)),
        ("mul.lo.u32 %r0, %r9, 24;", (8, 0)),
        ("mad.lo.u32 %r0, %r9, 24, 3;", (8, 3)),
        ("shl.b32 %r1, %r9, 4; sub.u32 %r0, %r1, 1;", (16, 15)),
        ("shl.b32 %r1, %r9, 4; or.b32 %r0, %r1, 4;", (16, 4)),
    ] {
        assert_eq!(step(text), Some(expected), "{text}");
    }
    assert_eq!(number("and.b32 %r0, %r9, 0;", 32), Some(0));
    assert_eq!(number("mul.lo.u32 %r0, %r9, 0;", 32), Some(0));
    // Bits shifted out are lost, and a shift by the full width is not tracked.
    assert_eq!(step("shl.b32 %r0, %r9, 32;").map(|(step, _)| step), Some(1));
}

#[test]
fn addresses_advance_by_offsets() {
    for (text, expected) in [
        ("mov.u32 %r0, A;", (0, 0)),
        ("mov.u32 %r1, A; add.u32 %r0, %r1, 16;", (0, 16)),
        ("mov.u32 %r1, A; add.u32 %r1, %r1, 16; sub.u32 %r0, %r1, 20;", (0, -4)),
        ("mov.u64 %r1, B; add.u64 %r0, %r1, 4294967296;", (1, 1 << 32)),
        ("mov.u32 %r1, A; mov.u32 %r2, 4; mad.lo.u32 %r0, %r2, 8, %r1;", (0, 32)),
        // An offset that wraps is negative.
        ("mov.u32 %r1, A; add.u32 %r0, %r1, 4294967292;", (0, -4)),
        // An OR with itself changes nothing.
        ("mov.u32 %r1, A; or.b32 %r0, %r1, %r1;", (0, 0)),
    ] {
        assert_eq!(place(text), Some(expected), "{text}");
    }
    // Setting bits changes it by a multiple of the lowest one.
    match value_of("mov.u32 %r1, A; or.b32 %r0, %r1, 8;") {
        AbstractValue::Address(address) => assert_eq!(address.offset.step().0, 8),
        other => panic!("{other:?}"),
    }
    assert_eq!(place("mov.u32 %r1, A; mul.lo.u32 %r0, %r1, 2;"), None);
    assert_eq!(place("mov.u32 %r1, A; mov.u64 %r2, B; add.u32 %r0, %r1, %r2;"), None);
}

#[test]
fn the_lowest_bits_of_addresses_test_how_they_are_aligned() {
    let is_test = |text: &str| matches!(value_of(text), AbstractValue::Truth(_));
    for (text, expected) in [
        ("mov.u32 %r1, A; and.b32 %r0, %r1, 15;", true),
        ("mov.u32 %r1, A; and.b32 %r0, %r1, 127;", true),
        // The bits below 16 are zero, so compilers leave them out of the mask.
        ("mov.u32 %r1, A; and.b32 %r0, %r1, 112;", true),
        ("mov.u32 %r1, A; and.b32 %r0, %r1, 96;", false),
        ("mov.u32 %r1, A; add.u32 %r1, %r1, 8; and.b32 %r0, %r1, 112;", false),
        ("mov.u32 %r1, A; add.u32 %r1, %r1, 32; and.b32 %r0, %r1, 112;", true),
        ("mov.u32 %r1, A; and.b32 %r0, %r1, 5;", false),
        ("mov.u32 %r1, A; and.b32 %r0, %r1, 16383;", false),
        ("mov.u32 %r1, A; rem.u32 %r0, %r1, 16;", true),
        ("mov.u32 %r1, A; rem.u32 %r0, %r1, 24;", false),
        ("mov.u32 %r1, A; rem.s32 %r0, %r1, 16;", false),
        ("mov.u32 %r1, A; shl.b32 %r0, %r1, 28;", true),
        ("mov.u32 %r1, A; shl.b32 %r0, %r1, 16;", true),
        ("mov.u32 %r1, A; shl.b32 %r0, %r1, 31;", true),
        ("mov.u32 %r1, A; shl.b32 %r0, %r1, 15;", false),
        ("mov.u32 %r1, A; shl.b32 %r0, %r1, 32;", false),
    ] {
        assert_eq!(is_test(text), expected, "{text}: {:?}", value_of(text));
    }
}

#[test]
fn collective_results_may_be_tests() {
    let vote = "mov.u32 %r1, A; and.b32 %r1, %r1, 15; setp.eq.u32 %r2, %r1, 0; \
                vote.sync.ballot.b32 %r3, %r2, 4294967295;";
    let claims = |text: &str| match value_of(&std::format!("{vote} {text}")) {
        AbstractValue::Truth(truth) => (truth.nonzero.is_some(), truth.zero.is_some()),
        _ => (false, false),
    };
    assert_eq!(claims("mov.b32 %r0, %r3;"), (true, true));
    // Their count is also a test.
    assert_eq!(claims("popc.b32 %r0, %r3;"), (true, true));
    assert_eq!(claims("popc.b32 %r0, %r9;"), (false, false));
    assert_eq!(claims("popc.b32 %r0, %r1;"), (false, false));
    // It is not known which lane's register is returned.
    assert_eq!(claims("shfl.sync.idx.b32 %r0, %r1, 0, 31, 4294967295;"), (true, true));
    assert_eq!(claims("shfl.sync.idx.b32 %r0|%r5, %r1, 0, 31, 4294967295;"), (false, false));
}

#[test]
fn fields_of_descriptors_have_the_bits_of_an_address() {
    let cut = |text: &str| match value_of(text) {
        AbstractValue::Descriptor(address, cut, bits) => {
            Some((address.offset.value()?, cut, bits.value()?))
        }
        _ => None,
    };
    for (text, expected) in [
        ("mov.u32 %r1, A; shr.u32 %r0, %r1, 4;", Some((0, Cut::Shifted, 0))),
        ("mov.u32 %r1, A; shr.u32 %r0, %r1, 3;", None),
        ("mov.u32 %r1, A; and.b32 %r0, %r1, 262128;", Some((0, Cut::Masked, 0))),
        ("mov.u32 %r1, A; and.b32 %r0, %r1, 262143;", Some((0, Cut::Masked, 0))),
        (
            "mov.u32 %r1, A; and.b32 %r1, %r1, 262128; shr.u32 %r0, %r1, 4;",
            Some((0, Cut::Shifted, 0)),
        ),
        ("mov.u32 %r1, A; and.b32 %r1, %r1, 262128; shr.u32 %r0, %r1, 5;", None),
        ("mov.u32 %r1, A; bfe.u32 %r0, %r1, 4, 14;", Some((0, Cut::Shifted, 0))),
        ("mov.u32 %r1, A; bfe.u32 %r0, %r1, 4, 13;", None),
        ("mov.u32 %r1, A; bfe.u32 %r0, %r1, 3, 14;", None),
        ("mov.u32 %r1, A; bfe.s32 %r0, %r1, 4, 14;", None),
        // The field counts units of 16 bytes; bits beyond its end are not part of the address.
        ("mov.u32 %r1, A; shr.u32 %r1, %r1, 4; add.u32 %r0, %r1, 2;", Some((32, Cut::Shifted, 0))),
        (
            "mov.u32 %r1, A; shr.u32 %r1, %r1, 4; or.b32 %r0, %r1, 65536;",
            Some((0, Cut::Shifted, 65_536)),
        ),
        (
            "mov.u32 %r1, A; shr.u32 %r1, %r1, 4; or.b32 %r0, %r1, 16382;",
            Some((262_112, Cut::Shifted, 0)),
        ),
        (
            "mov.u32 %r1, A; shr.u32 %r1, %r1, 4; or.b32 %r0, %r1, 16383;",
            Some((0, Cut::Shifted, 16_383)),
        ),
    ] {
        assert_eq!(cut(text), expected, "{text}: {:?}", value_of(text));
    }
}

#[test]
fn a_mask_keeps_a_multiple_of_its_lowest_bit_of_a_number_of_constants() {
    let constant = || {
        let products = vec![crate::values::number::Product { times: 1, of: vec![0] }];
        Linear::exact(Sum { known: 0, products })
    };
    let number = |value: i128| Linear::exact(Sum::known(value));
    let of = |one: &Linear, other: &Linear| match masked(one, other) {
        AbstractValue::Number(number) => (number.step().0, number.value()),
        other => panic!("{other:?}"),
    };
    for (mask, expected) in [
        (0, (0, Some(0))),
        (1, (1, None)),
        (-16, (16, None)),
        (96, (32, None)),
        (1 << 62, (1 << 62, None)),
        (1 << 63, (1 << 63, None)),
        (1 << 64, (1 << 63, None)),
    ] {
        assert_eq!(of(&constant(), &number(mask)), expected, "{mask}");
        assert_eq!(of(&number(mask), &constant()), expected, "{mask}");
    }
    assert_eq!(of(&number(12), &number(10)), (0, Some(8)));
    assert_eq!(of(&constant(), &constant()), (1, None));
}

#[test]
fn a_generic_address_is_in_the_space_of_its_storage() {
    let is =
        |text: &str, space: &str| number(&std::format!("{text} isspacep.{space} %r0, %r1;"), 1);
    let (shared, global) = ("cvta.shared.u64 %r1, A;", "mov.u64 %r1, B;");
    for (text, space, expected) in [
        (shared, "shared", Some(1)),
        (shared, "global", Some(0)),
        (shared, "local", Some(0)),
        (global, "global", Some(1)),
        (global, "shared", Some(0)),
        ("cvta.global.u64 %r1, B;", "global", Some(1)),
        // An address in a state space is not generic.
        ("mov.u64 %r1, A;", "shared", None),
        ("mov.u64 %r1, A;", "global", None),
        ("mov.u64 %r1, 0;", "global", None),
        // This instruction does not test which block's shared memory it is in.
        ("cvta.shared.u64 %r1, A; mapa.u64 %r1, %r1, 1;", "shared", None),
        ("cvta.shared.u64 %r1, A; mapa.u64 %r1, %r1, 1;", "global", Some(0)),
    ] {
        assert_eq!(is(text, space), expected, "{text} {space}");
    }
}
