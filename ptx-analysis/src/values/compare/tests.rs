//! Tests of which masks and shifts test the alignment of addresses, and of comparisons of addresses and of
//! test outcomes.

use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

use ptx_isa::ir::{Extent, Type, Variable};
use ptx_isa::rules::AddressKind;
use ptx_isa::rules::access::Object;
use ptx_isa::{ScalarType, Space};

use super::*;
use crate::flow::object::{DeferredObject, VariableUse};
use crate::flow::storage::Choice;
use crate::values::claim::Claims;

static BYTES: Type<'static> = Type::Array(Extent::Known(4096), &Type::Scalar(ScalarType::B8));
static OF_A: Variable<'static> =
    Variable { align: Some(16), ..Variable::new(Space::Shared, "A", &BYTES) };
static OF_B: Variable<'static> = Variable::new(Space::Shared, "B", &BYTES);

/// Returns `A`, which is aligned to 16 bytes, and `B`, which is aligned to 1.
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

fn number(value: i128) -> Linear {
    Linear::exact(Sum::known(value))
}

fn thread(times: i128, plus: i128) -> Linear {
    Linear::special("%tid", "x").times(&number(times)).plus(&number(plus))
}

fn address(storage: usize, offset: Linear) -> KnownAddress {
    let (is_pointee, kind, bits, rank) = (false, AddressKind::Own, 64, None);
    KnownAddress { storage, is_pointee, kind, offset, bits, rank }
}

#[test]
fn masks_test_the_lowest_bits_of_addresses_that_are_not_known_to_be_zero() {
    let storages = storages();
    let is = |mask: i128, bits, addresses: &[KnownAddress]| {
        is_test(&number(mask), bits, addresses, &storages)
    };
    let a = |offset: i128| address(0, number(offset));
    for (mask, of, expected) in [
        (0, a(0), false),
        (-1, a(0), false),
        (1, a(0), true),
        (2, a(0), true),
        (3, a(1), true),
        (15, a(1), true),
        (5, a(0), false),
        (6, a(0), true),
        (6, a(1), false),
        (6, a(2), true),
        (0x10, a(0), true),
        (0x20, a(0), false),
        (0x70, a(16), true),
        (0x70, a(8), false),
        // Steps also have to leave these bits zero.
        (0x70, address(0, Linear::multiple_of(16)), true),
        (0x70, address(0, Linear::multiple_of(8)), false),
        (0x70, address(0, Linear::multiple_of(16).plus(&number(8))), false),
        (1, address(1, number(0)), true),
        (3, address(1, number(0)), true),
        (2, address(1, number(0)), false),
        (6, address(1, number(0)), false),
        (0x3ffff, a(0), false),
        (0x3fff0, a(0), false),
        (0x3fff, a(0), false),
        (0x7fff, a(0), true),
    ] {
        assert_eq!(is(mask, 64, core::slice::from_ref(&of)), expected, "{mask:#x} of {of:?}");
    }
    assert!(is(0x70, 64, &[a(0), a(16)]));
    assert!(!is(0x70, 64, &[a(0), a(8)]));
    assert!(is(15, 32, &[a(0)]));
    assert!(!is(15, 65, &[a(0)]));
    // A Rust constant may be any such mask; an unknown number is none.
    let constant =
        Sum { products: vec![crate::values::number::Product { times: 1, of: vec![0] }], known: 0 };
    assert!(is_test(&Linear::exact(constant.clone()), 64, &[a(0)], &storages));
    assert!(!is_test(&Linear::unknown(), 64, &[a(0)], &storages));
    // An added constant may be a multiple of the tested alignment.
    assert!(is(0x70, 64, &[address(0, Linear::exact(constant))]));
}

#[test]
fn a_shift_keeps_from_1_to_16_of_the_lowest_bits() {
    for (by, bits, expected) in [
        (32, 32, None),
        (31, 32, Some(1)),
        (28, 32, Some(15)),
        (16, 32, Some(0xffff)),
        (15, 32, None),
        (64, 64, None),
        (63, 64, Some(1)),
        (48, 64, Some(0xffff)),
        (47, 64, None),
        (-1, 8, Some(0x1ff)),
        (64, 65, None),
    ] {
        assert_eq!(kept(&number(by), bits), expected, "by {by} of {bits}");
    }
    assert_eq!(kept(&Linear::unknown(), 32), None);
}

/// Describes the outcome of a comparison of addresses, and whether the launch decides it.
fn shown(
    one: KnownAddress,
    comparison: Comparison,
    other: KnownAddress,
    bits: u32,
) -> &'static str {
    let both = (AbstractValue::Address(one), AbstractValue::Address(other));
    match compare(both, comparison, (bits, true), &Coordinates::ANY) {
        AbstractValue::Number(number) => match number.value() {
            Some(1) => "yes",
            Some(_) => "no",
            None => "unknown",
        },
        AbstractValue::Truth(_) => "the launch decides",
        other => panic!("{other:?}"),
    }
}

#[test]
fn addresses_of_the_same_storage_compare_as_their_offsets_do_near_its_start() {
    use Comparison::{Less, LessOrEqual};
    let a = |offset: i128| address(0, number(offset));
    let (near, far) = (1 << 20, 1 << 40);
    for (one, comparison, other, bits, expected) in [
        (a(0), Less, a(4), 64, "yes"),
        (a(4), Less, a(4), 64, "no"),
        (a(4), LessOrEqual, a(4), 64, "yes"),
        (a(0), Less, address(1, number(4)), 64, "unknown"),
        (a(-1), Less, a(4), 64, "unknown"),
        (a(4), Less, a(-1), 64, "unknown"),
        (a(-1), Less, a(-4), 64, "unknown"),
        (a(0), Less, a(near - 1), 32, "yes"),
        (a(0), Less, a(near), 32, "unknown"),
        (a(near), Less, a(0), 32, "unknown"),
        (a(0), Less, a(near), 63, "unknown"),
        (a(0), Less, a(near), 64, "yes"),
        (a(0), Less, a(far - 1), 64, "yes"),
        (a(0), Less, a(far), 64, "unknown"),
        (a(0), Less, a(far - 1), 65, "yes"),
        (address(0, Linear::unknown()), Less, a(4), 64, "unknown"),
        (a(4), Less, address(0, Linear::unknown()), 64, "unknown"),
        (address(0, thread(4, 0)), Less, a(64), 64, "the launch decides"),
        (address(0, thread(4, -4)), Less, a(64), 64, "unknown"),
        (address(0, thread(4, 0)), Less, a(4096), 64, "yes"),
        // Addresses are unsigned, whatever the comparison specifies.
        (address(0, thread(1, 0)), Less, a(1 << 17), 18, "yes"),
    ] {
        let text = format!("{one:?} {comparison:?} {other:?} in {bits} bits");
        assert_eq!(shown(one, comparison, other, bits), expected, "{text}");
    }
}

#[test]
fn what_the_launch_decides_is_compared_of_numbers_and_of_addresses_of_the_same_storage() {
    let of = |both: (AbstractValue, AbstractValue)| {
        compared(both, Comparison::Less, (32, true)).map(|compared| compared.is_signed)
    };
    let at = |storage, offset| AbstractValue::Address(address(storage, offset));
    let four = || AbstractValue::Number(number(4));
    assert_eq!(of((AbstractValue::Number(thread(1, 0)), four())), Some(true));
    assert_eq!(of((AbstractValue::Number(Linear::unknown()), four())), None);
    assert_eq!(of((at(0, thread(1, 0)), at(0, number(4)))), Some(false));
    assert_eq!(of((at(0, thread(1, 0)), at(1, number(4)))), None);
    assert_eq!(of((at(0, thread(1, 0)), four())), None);
}

#[test]
fn constants_are_compared_in_registers_of_64_bits_at_most() {
    let constant = || {
        let products = vec![crate::values::number::Product { times: 1, of: vec![0] }];
        AbstractValue::Number(Linear::exact(Sum { known: 0, products }))
    };
    let claims = |bits| {
        let both = (constant(), AbstractValue::Number(number(4)));
        match compare(both, Comparison::Less, (bits, false), &Coordinates::ANY) {
            AbstractValue::Truth(truth) => match &truth.nonzero.expect("it may hold")[0] {
                claim if matches!(**claim, Claim::Constants(_)) => "constants decide",
                other => panic!("{other:?}"),
            },
            _ => "unknown",
        }
    };
    for (bits, expected) in [
        (32, "constants decide"),
        (63, "constants decide"),
        (64, "constants decide"),
        (65, "unknown"),
    ] {
        assert_eq!(claims(bits), expected, "{bits} bits");
    }
}

#[test]
fn numbers_that_are_known_are_compared() {
    let of = |one, comparison, other, is_signed| {
        let both = (AbstractValue::Number(number(one)), AbstractValue::Number(number(other)));
        match compare(both, comparison, (32, is_signed), &Coordinates::ANY) {
            AbstractValue::Number(number) => number.value(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(of(5, Comparison::Less, 6, false), Some(1));
    assert_eq!(of(6, Comparison::Less, 5, false), Some(0));
    assert_eq!(of(-1, Comparison::Less, 5, true), Some(1));
    assert_eq!(of(-1, Comparison::Less, 5, false), Some(0));
    assert_eq!(of(1 << 32, Comparison::Equal, 0, false), Some(1));
}

/// Describes a test: whether `A` is aligned if it is zero, or if it is not.
fn outcome(value: &AbstractValue) -> &'static str {
    let follows = |claims: &Claims| claims.as_ref().is_none_or(|claims| !claims.is_empty());
    match value {
        AbstractValue::Truth(truth) => match (follows(&truth.nonzero), follows(&truth.zero)) {
            (true, false) => "where it is not zero",
            (false, true) => "where it is zero",
            (_, _) => "both",
        },
        AbstractValue::Number(_) => "nothing",
        other => panic!("{other:?}"),
    }
}

fn aligned(mask: i128) -> Truth {
    Truth { mask, ..Truth::of_lowest_bits(&[address(0, number(0))], Some(15)) }
}

#[test]
fn comparisons_with_0_and_1_say_whether_a_test_was_zero() {
    use Comparison::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
    let (zero, not) = ("where it is zero", "where it is not zero");
    // The bits below four, a bit, and any bits, as signed numbers.
    for (comparison, with, [few, bit, any]) in [
        (Equal, 0, [not, not, not]),
        (NotEqual, 0, [zero, zero, zero]),
        (Greater, 0, [zero, zero, "nothing"]),
        (LessOrEqual, 0, [not, not, "nothing"]),
        (GreaterOrEqual, 1, [zero, zero, "nothing"]),
        (Less, 1, [not, not, "nothing"]),
        (Equal, 1, ["nothing", zero, "nothing"]),
        (NotEqual, 1, ["nothing", not, "nothing"]),
        (Equal, 2, ["nothing"; 3]),
        (Less, 0, ["nothing"; 3]),
        (GreaterOrEqual, 0, ["nothing"; 3]),
        (Greater, 1, ["nothing"; 3]),
    ] {
        for (mask, expected) in [(15, few), (1, bit), (-1, any)] {
            let test = || AbstractValue::Truth(aligned(mask));
            let with = || AbstractValue::Number(number(with));
            let signed =
                |both, comparison| compare(both, comparison, (32, true), &Coordinates::ANY);
            let found = signed((test(), with()), comparison);
            assert_eq!(outcome(&found), expected, "{mask} {comparison:?} {with:?}", with = with());
            let found = signed((with(), test()), comparison.reversed());
            assert_eq!(outcome(&found), expected, "{mask} {comparison:?} {with:?}", with = with());
            // Unsigned numbers are never below zero.
            let unsigned = compare((test(), with()), comparison, (32, false), &Coordinates::ANY);
            let expected = if mask == -1 { few } else { expected };
            assert_eq!(outcome(&unsigned), expected, "{mask} {comparison:?}");
        }
    }
}

#[test]
fn a_mask_of_no_bits_is_of_a_number_without_a_sign() {
    let both = (AbstractValue::Truth(aligned(0)), AbstractValue::Number(number(0)));
    let found = compare(both, Comparison::Greater, (32, true), &Coordinates::ANY);
    assert_eq!(outcome(&found), "where it is zero");
}

#[test]
fn a_selection_of_0_and_1_is_the_test_that_decides_it() {
    let bit = |value: i128| AbstractValue::Number(number(value));
    let test = || AbstractValue::Truth(aligned(1));
    let (zero, not) = ("where it is zero", "where it is not zero");
    for (one, other, expected) in [
        (bit(1), bit(0), zero),
        (bit(0), bit(1), not),
        (bit(-1), bit(0), zero),
        (bit(2), bit(0), "nothing"),
        (bit(-2), bit(0), "nothing"),
        (test(), bit(0), zero),
        (bit(0), test(), not),
        (bit(2), test(), "nothing"),
    ] {
        let text = format!("{one:?}, else {other:?}");
        assert_eq!(outcome(&select(one, other, &test())), expected, "{text}");
    }
    // An address is not a bit.
    let of = |one, other| select(one, other, &test());
    let address = || AbstractValue::Address(address(0, number(0)));
    assert_eq!(of(address(), address()), address());
    assert_eq!(of(address(), bit(0)), AbstractValue::Anything);
    // If the condition is known, its case is selected.
    assert_eq!(select(bit(7), bit(8), &bit(1)), bit(7));
    assert_eq!(select(bit(7), bit(8), &bit(0)), bit(8));
    assert_eq!(select(bit(7), bit(8), &address()).truth(), bit(7).join(&bit(8)).truth());
}
