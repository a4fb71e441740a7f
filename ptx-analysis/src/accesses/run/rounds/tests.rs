//! Tests of register values across loop iterations.

use ptx_isa::rules::AddressKind;

use super::*;
use crate::values::address::KnownAddress;
use crate::values::number::Sum;

fn number(value: i128) -> AbstractValue {
    AbstractValue::Number(Linear::exact(Sum::known(value)))
}

/// Returns a number that depends on the iteration.
fn rounds(n: usize, times: i128, plus: i128) -> AbstractValue {
    let sum = Affine::rounds(n, times).plus(&Affine::number(plus)).expect("it is short");
    AbstractValue::Number(Linear::of(sum))
}

fn address(storage: usize, offset: &AbstractValue) -> AbstractValue {
    let AbstractValue::Number(offset) = offset else { panic!("{offset:?}") };
    let (is_pointee, kind, bits, rank) = (false, AddressKind::Own, 32, None);
    let offset = offset.clone();
    AbstractValue::Address(KnownAddress { storage, is_pointee, kind, offset, bits, rank })
}

#[test]
fn numbers_are_exact_where_each_thread_and_round_has_one() {
    let unknown = AbstractValue::unknown;
    for (value, expected) in [
        (number(4), true),
        (rounds(0, 4, 0), true),
        (unknown(), false),
        (address(0, &number(4)), true),
        (address(0, &unknown()), false),
        (AbstractValue::Anything, false),
        (AbstractValue::Truncated(0), false),
    ] {
        assert_eq!(is_exact(&value), expected, "{value:?}");
    }
}

#[test]
fn what_differs_by_a_number_goes_on_by_it_in_each_round() {
    for (before, now, expected) in [
        (number(4), number(12), Some(rounds(0, 8, 12))),
        (number(4), number(4), Some(number(4))),
        (number(4), AbstractValue::unknown(), None),
        (address(0, &number(4)), address(0, &number(0)), Some(address(0, &rounds(0, -4, 0)))),
        (address(0, &number(4)), address(1, &number(0)), None),
        (address(0, &number(4)), number(0), None),
        (AbstractValue::Anything, AbstractValue::Anything, None),
    ] {
        assert_eq!(in_rounds(&before, &now, 0), expected, "{before:?} {now:?}");
    }
}

#[test]
fn a_guess_is_right_if_the_next_round_begins_with_it() {
    let (any, anything) = (AbstractValue::unknown, || AbstractValue::Anything);
    for (was, is, expected) in [
        (rounds(0, 4, 8), rounds(0, 4, 12), true),
        (rounds(0, 4, 8), rounds(0, 4, 8), false),
        (rounds(0, 4, 8), rounds(0, 4, 16), false),
        (rounds(1, 4, 8), rounds(1, 4, 8), true),
        (number(4), number(4), true),
        (number(4), number(8), false),
        (any(), number(8), true),
        (any(), any(), true),
        (number(8), any(), false),
        (anything(), number(8), true),
        (AbstractValue::Truncated(0), AbstractValue::Truncated(0), true),
        (AbstractValue::Truncated(0), AbstractValue::Truncated(1), false),
        (address(0, &rounds(0, 4, 0)), address(0, &rounds(0, 4, 4)), true),
        (address(0, &rounds(0, 4, 0)), address(0, &rounds(0, 4, 0)), false),
        (address(0, &rounds(0, 4, 0)), address(1, &rounds(0, 4, 4)), false),
        (address(0, &any()), address(1, &number(4)), false),
        (rounds(0, i128::MAX, i128::MAX), rounds(0, 4, 0), false),
    ] {
        assert_eq!(continues(&was, &is, 0), expected, "{was:?} {is:?}");
    }
}

#[test]
fn after_some_rounds_a_number_is_as_many_times_further_on() {
    assert_eq!(after(&rounds(0, 4, 8), 0, 3), Some(number(20)));
    assert_eq!(after(&rounds(1, 4, 8), 0, 3), Some(rounds(1, 4, 8)));
    let far = address(2, &rounds(0, 4, 8));
    assert_eq!(after(&far, 0, 3), Some(address(2, &number(20))));
    assert_eq!(after(&AbstractValue::unknown(), 0, 3), None);
    assert_eq!(after(&AbstractValue::Anything, 0, 3), None);
}
