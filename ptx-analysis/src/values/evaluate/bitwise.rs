//! Shifts and bitwise operations.

use alloc::rc::Rc;
use alloc::vec;
use alloc::vec::Vec;

use super::spaces::is_narrow;
use super::sums::add;
use crate::flow::storage::Storage;
use crate::values::address::KnownAddress;
use crate::values::claim::Truth;
use crate::values::compare::{MASKS, is_test, kept, numbers_in, truths};
use crate::values::number::{Linear, Sum};
use crate::values::operation::Operator;
use crate::values::value::{AbstractValue, Cut};

/// The maximum number of addresses that are followed through a bitwise OR.
const MOST_OR_ED: usize = 8;

/// Evaluates a left shift by a number of bits.
pub(super) fn shift_left(both: (AbstractValue, AbstractValue), bits: u32) -> AbstractValue {
    match both {
        // The remainder is its lowest bits.
        (AbstractValue::Address(address), AbstractValue::Number(by))
            if kept(&by, bits).is_some() =>
        {
            AbstractValue::of_truth(Truth::of_lowest_bits(&[address], kept(&by, bits)).moved())
        }
        (AbstractValue::LowestBits(addresses), AbstractValue::Number(by))
            if kept(&by, bits).is_some() =>
        {
            AbstractValue::of_truth(Truth::of_lowest_bits(&addresses, kept(&by, bits)).moved())
        }
        (AbstractValue::Number(one), AbstractValue::Number(by)) => {
            AbstractValue::Number(match by.value() {
                Some(by) if (0..i128::from(bits)).contains(&by) => {
                    one.times(&Linear::exact(Sum::known(1 << by))).wrapped(bits)
                }
                Some(_) | None => Linear::unknown(),
            })
        }
        // The upper half of a descriptor contains no address bits, and neither does this.
        (_, _) => AbstractValue::Anything,
    }
}

/// Evaluates a right shift by a number of bits.
pub(super) fn shift_right(
    both: (AbstractValue, AbstractValue),
    operator: Operator<'_>,
) -> AbstractValue {
    match both {
        (AbstractValue::Number(one), AbstractValue::Number(by)) => {
            let one = one.wrapped(operator.bits);
            AbstractValue::Number(operator.shift_right(&one, &by))
        }
        (AbstractValue::Descriptor(address, Cut::Masked, bits), AbstractValue::Number(by))
            if by.value() == Some(4) && bits.is_zero() =>
        {
            AbstractValue::Descriptor(address, Cut::Shifted, bits)
        }
        (AbstractValue::Address(address), AbstractValue::Number(by)) if by.value() == Some(4) => {
            AbstractValue::Descriptor(address, Cut::Shifted, Rc::default())
        }
        (_, _) => AbstractValue::Anything,
    }
}

/// Evaluates a bitwise AND; the operator is unsigned.
pub(super) fn and(
    both: (AbstractValue, AbstractValue),
    operator: Operator<'_>,
    storages: &[Storage<'_>],
) -> AbstractValue {
    match numbers_in(both, operator.bits) {
        // This mask takes the lower half; no alignment test uses it.
        (AbstractValue::Address(address), AbstractValue::Number(mask))
        | (AbstractValue::Number(mask), AbstractValue::Address(address))
            if mask.value() == Some(0xffff_ffff)
                && operator.bits == 64
                && !is_narrow(&address, storages) =>
        {
            AbstractValue::LowestBits(vec![address])
        }
        (AbstractValue::Address(address), AbstractValue::Number(mask))
        | (AbstractValue::Number(mask), AbstractValue::Address(address))
            if is_test(&mask, operator.bits, core::slice::from_ref(&address), storages) =>
        {
            AbstractValue::of_truth(Truth::of_lowest_bits(&[address], mask.value()))
        }
        (AbstractValue::LowestBits(addresses), AbstractValue::Number(mask))
        | (AbstractValue::Number(mask), AbstractValue::LowestBits(addresses))
            if is_test(&mask, operator.bits, &addresses, storages) =>
        {
            AbstractValue::of_truth(Truth::of_lowest_bits(&addresses, mask.value()))
        }
        // Unknown mask bits may be zero.
        (AbstractValue::Truth(truth), AbstractValue::Number(mask))
        | (AbstractValue::Number(mask), AbstractValue::Truth(truth)) => {
            AbstractValue::of_truth(truth.masked(mask.value().unwrap_or_default()))
        }
        (AbstractValue::Number(one), AbstractValue::Number(other)) => {
            match operator.and(&one, &other) {
                Some(number) => AbstractValue::Number(number),
                None => masked(&one, &other),
            }
        }
        (AbstractValue::Address(address), AbstractValue::Number(mask)) => match mask.value() {
            Some(mask) if MASKS.contains(&mask) => {
                AbstractValue::Descriptor(address, Cut::Masked, Rc::default())
            }
            Some(_) | None => AbstractValue::Address(address.plus(&Linear::unknown())),
        },
        (AbstractValue::Descriptor(address, cut, bits), AbstractValue::Number(mask))
            if mask.value().is_some_and(|mask| MASKS.contains(&mask)) =>
        {
            AbstractValue::Descriptor(address, cut, bits)
        }
        (one, other) => truths(&one, &other, Truth::and).unwrap_or(AbstractValue::Anything),
    }
}

/// Evaluates a bitwise OR; the operator is unsigned.
pub(super) fn or(both: (AbstractValue, AbstractValue), operator: Operator<'_>) -> AbstractValue {
    match numbers_in(both, operator.bits) {
        (
            one @ (AbstractValue::Address(_) | AbstractValue::LowestBits(_)),
            other @ (AbstractValue::Address(_) | AbstractValue::LowestBits(_)),
        ) => {
            let is_whole =
                matches!((&one, &other), (AbstractValue::Address(_), AbstractValue::Address(_)));
            let addresses = |value| match value {
                AbstractValue::Address(address) => vec![address],
                AbstractValue::LowestBits(addresses) => addresses,
                AbstractValue::Number(_)
                | AbstractValue::Truth(_)
                | AbstractValue::Descriptor(..)
                | AbstractValue::Truncated(_)
                | AbstractValue::Anything => Vec::new(),
            };
            let mut all = addresses(one);
            for address in addresses(other) {
                if !all.contains(&address) {
                    all.push(address);
                }
            }
            match (all.as_slice(), operator.bits) {
                // An OR with itself changes nothing.
                ([address], _) if is_whole => AbstractValue::Address(address.clone()),
                // Half of the address is combined with all of it.
                ([_], 33..) => AbstractValue::Anything,
                ([_, ..], _) if all.len() <= MOST_OR_ED => AbstractValue::LowestBits(all),
                ([..], _) => AbstractValue::Anything,
            }
        }
        (one @ AbstractValue::Truth(_), other) | (one, other @ AbstractValue::Truth(_)) => {
            truths(&one, &other, Truth::or).unwrap_or(AbstractValue::Anything)
        }
        (descriptor @ AbstractValue::Descriptor(..), other)
        | (other, descriptor @ AbstractValue::Descriptor(..)) => {
            add((descriptor, other), operator.bits)
        }
        (AbstractValue::Number(one), AbstractValue::Number(other)) => {
            let bits = || one.with_bits_of(&other);
            AbstractValue::Number(operator.or(&one, &other).unwrap_or_else(bits))
        }
        both => changed(both),
    }
}

/// Evaluates a bitwise exclusive OR; the operator is unsigned.
pub(super) fn exclusive_or(
    both: (AbstractValue, AbstractValue),
    operator: Operator<'_>,
) -> AbstractValue {
    match both {
        (one @ AbstractValue::Truth(_), other) | (one, other @ AbstractValue::Truth(_)) => {
            truths(&one, &other, Truth::exclusive_or).unwrap_or(AbstractValue::Anything)
        }
        both => match numbers_in(both, operator.bits) {
            (AbstractValue::Number(one), AbstractValue::Number(other)) => {
                let bits = || one.with_bits_of(&other);
                AbstractValue::Number(operator.exclusive_or(&one, &other).unwrap_or_else(bits))
            }
            both => changed(both),
        },
    }
}

/// Returns the result of a bitwise operation that may change bits of an address.
fn changed(both: (AbstractValue, AbstractValue)) -> AbstractValue {
    match both {
        (AbstractValue::Address(address), AbstractValue::Number(bits))
        | (AbstractValue::Number(bits), AbstractValue::Address(address)) => {
            let offset = address.offset.with_bits_of(&bits).wrapped(address.bits);
            AbstractValue::Address(KnownAddress { offset, ..address })
        }
        (_, _) => AbstractValue::Anything,
    }
}

/// Returns the AND of two numbers of which not all bits are known.
pub(super) fn masked(one: &Linear, other: &Linear) -> AbstractValue {
    let with = |number: &Linear, mask: i128| {
        let step = 1_i128 << mask.trailing_zeros().min(63);
        match number.value() {
            Some(value) => Linear::exact(Sum::known(value & mask)),
            None => Linear::multiple_of(step),
        }
    };
    AbstractValue::Number(match (one.value(), other.value()) {
        (_, Some(0)) | (Some(0), _) => Linear::exact(Sum::default()),
        (_, Some(mask)) => with(one, mask),
        (Some(mask), None) => with(other, mask),
        (None, None) => Linear::unknown(),
    })
}
