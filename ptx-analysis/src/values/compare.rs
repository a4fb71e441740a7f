//! Tests: comparisons, combined predicates, and what they prove.

use ptx_isa::rules::Comparison;

use crate::flow::storage::Storage;
use crate::values::address::KnownAddress;
use crate::values::claim::{Claim, Condition, Truth};
use crate::values::coordinates::{Compared, Coordinates};
use crate::values::number::{Linear, Sum};
use crate::values::value::AbstractValue;

/// The known address masks of matrix descriptors: 18 bits, and the 14 of them that are kept.
pub(crate) const MASKS: [i128; 3] = [0x3ffff, 0x3fff0, 0x3fff];

/// Returns the values as an instruction of this width reads them.
pub(crate) fn numbers_in(
    (one, other): (AbstractValue, AbstractValue),
    bits: u32,
) -> (AbstractValue, AbstractValue) {
    let wrapped = |value| match value {
        AbstractValue::Number(number) => AbstractValue::Number(number.wrapped(bits)),
        other => other,
    };
    (wrapped(one), wrapped(other))
}

/// Whether a mask tests the alignment of addresses: it keeps their lowest bits, except for those that
/// are zero because of the storage's alignment, or may be, if a Rust constant specifies it. The masks of
/// matrix descriptors are not tests.
pub(crate) fn is_test(
    mask: &Linear,
    bits: u32,
    addresses: &[KnownAddress],
    storages: &[Storage<'_>],
) -> bool {
    let Some(mask) = mask.value() else { return mask.is_exact() };
    if mask <= 0 || bits > 64 || MASKS.contains(&mask) {
        return false;
    }
    // The lowest bit kept, 1 if none are dropped: compilers drop bits that they know to be zero.
    let lowest = 1_i128 << mask.trailing_zeros();
    let is_zero_below = |address: &KnownAddress| {
        let object = storages[address.storage].choices[0].at(address.is_pointee).0;
        let is_aligned = object.alignment().is_none_or(|align| align as i128 % lowest == 0);
        let offset = &address.offset;
        let mut parts = offset.steps.iter().chain([&offset.base]).map(Sum::value);
        is_aligned && parts.all(|part| part.is_none_or(|part| part % lowest == 0))
    };
    let is_contiguous = (mask + lowest) & mask == 0;
    is_contiguous && addresses.iter().all(is_zero_below)
}

/// Returns the mask of the lowest address bits that a left shift keeps, if it is a test: there are few.
pub(crate) fn kept(by: &Linear, bits: u32) -> Option<i128> {
    let left = i128::from(bits) - by.value()?;
    (bits <= 64 && (1..=16).contains(&left)).then(|| (1 << left) - 1)
}

/// Combines two numbers for which the consequences of being zero or not are tracked.
pub(crate) fn truths(
    one: &AbstractValue,
    other: &AbstractValue,
    make: impl Fn(&Truth, &Truth) -> Truth,
) -> Option<AbstractValue> {
    Some(AbstractValue::of_truth(make(&one.truth()?, &other.truth()?)))
}

/// Combines two predicates.
pub(crate) fn predicates(
    one: &AbstractValue,
    other: &AbstractValue,
    make: impl Fn(&Truth, &Truth) -> Truth,
) -> AbstractValue {
    let bit = |value: &AbstractValue| Some(value.truth()?.as_bit());
    match (bit(one), bit(other)) {
        (Some(one), Some(other)) => AbstractValue::of_truth(make(&one, &other)),
        (_, _) => AbstractValue::unknown(),
    }
}

/// Returns the first if the third is not zero, otherwise the second.
pub(crate) fn select(
    one: AbstractValue,
    other: AbstractValue,
    third: &AbstractValue,
) -> AbstractValue {
    let Some(third) = third.truth() else { return one.into_number().join(&other.into_number()) };
    match (&third.nonzero, &third.zero) {
        (Some(_), None) => return one,
        (None, Some(_)) => return other,
        (Some(_) | None, _) => {}
    }
    let is_bit = |value: &AbstractValue| match value {
        AbstractValue::Number(number) => matches!(number.value(), Some(-1..=1)),
        // Only tests have outcomes beside numbers.
        _ => true,
    };
    match (one.truth(), other.truth()) {
        (Some(mine), Some(others)) if is_bit(&one) && is_bit(&other) => {
            AbstractValue::of_truth(third.select(&mine, &others))
        }
        (_, _) => one.into_number().join(&other.into_number()),
    }
}

/// Compares two values.
pub(crate) fn compare(
    both: (AbstractValue, AbstractValue),
    comparison: Comparison,
    (bits, is_signed): (u32, bool),
    coordinates: &Coordinates,
) -> AbstractValue {
    match numbers_in(both, bits) {
        (AbstractValue::Truth(truth), AbstractValue::Number(number)) => {
            of_truth(&truth, comparison, number.value(), is_signed)
        }
        (AbstractValue::Number(number), AbstractValue::Truth(truth)) => {
            of_truth(&truth, comparison.reversed(), number.value(), is_signed)
        }
        (AbstractValue::Number(one), AbstractValue::Number(other)) => {
            if let (Some(one), Some(other)) = (one.value(), other.value()) {
                return known(comparison.holds_in(one, other, bits, is_signed));
            }
            if one.is_exact() && other.is_exact() && bits <= 64 {
                let condition = |comparison| {
                    Claim::Constants(Condition {
                        one: one.base.clone(),
                        comparison,
                        other: other.base.clone(),
                        bits,
                        is_signed,
                    })
                };
                let (holds, not) = (condition(comparison), condition(comparison.negated()));
                return AbstractValue::Truth(Truth::of(holds, not));
            }
            of_sums(&one, comparison, &other, (bits, is_signed), coordinates)
        }
        // The start of storage is not known, but it is not this close to the end of the address space.
        (AbstractValue::Address(one), AbstractValue::Address(other))
            if (one.storage, one.is_pointee) == (other.storage, other.is_pointee) =>
        {
            let is_inside = |offset: &Linear| {
                let range = offset.affine().and_then(|offset| coordinates.range_of(&offset));
                matches!(range, Some((least, most)) if least >= 0 && most < far(bits))
            };
            if is_inside(&one.offset) && is_inside(&other.offset) {
                of_sums(&one.offset, comparison, &other.offset, (bits, false), coordinates)
            } else {
                AbstractValue::unknown()
            }
        }
        (_, _) => AbstractValue::unknown(),
    }
}

/// Returns the distance from the start of storage within which addresses of this width do not wrap.
const fn far(bits: u32) -> i128 {
    if bits < 64 { 1 << 20 } else { 1 << 40 }
}

/// Returns the comparison, if the launch and constants determine it.
pub(crate) fn compared(
    both: (AbstractValue, AbstractValue),
    comparison: Comparison,
    (bits, is_signed): (u32, bool),
) -> Option<Compared> {
    let of = |one: &Linear, other: &Linear, is_signed| {
        let (one, other) = (one.affine()?, other.affine()?);
        Some(Compared { one, comparison, other, bits, is_signed })
    };
    match numbers_in(both, bits) {
        (AbstractValue::Number(one), AbstractValue::Number(other)) => of(&one, &other, is_signed),
        (AbstractValue::Address(one), AbstractValue::Address(other))
            if (one.storage, one.is_pointee) == (other.storage, other.is_pointee) =>
        {
            of(&one.offset, &other.offset, false)
        }
        (_, _) => None,
    }
}

/// Compares two numbers that the launch and constants determine.
fn of_sums(
    one: &Linear,
    comparison: Comparison,
    other: &Linear,
    (bits, is_signed): (u32, bool),
    coordinates: &Coordinates,
) -> AbstractValue {
    let (Some(one), Some(other)) = (one.affine(), other.affine()) else {
        return AbstractValue::unknown();
    };
    match coordinates.compare(&Compared { one, comparison, other, bits, is_signed }) {
        Ok(holds) => known(holds),
        Err(None) => AbstractValue::unknown(),
        Err(Some([holds, not])) => {
            AbstractValue::Truth(Truth::of(Claim::Launch(holds), Claim::Launch(not)))
        }
    }
}

fn known(holds: bool) -> AbstractValue {
    AbstractValue::Number(Linear::exact(Sum::known(holds.into())))
}

/// Compares a number for which the consequences of being zero or not are tracked.
fn of_truth(
    truth: &Truth,
    comparison: Comparison,
    with: Option<i128>,
    is_signed: bool,
) -> AbstractValue {
    let is_bit = truth.is_bit();
    let is_positive = !is_signed || truth.mask >= 0;
    let is_nonzero = match (with, comparison) {
        (Some(0), Comparison::NotEqual) => true,
        (Some(0), Comparison::Equal) => false,
        (Some(1), Comparison::Equal) if is_bit => true,
        (Some(1), Comparison::NotEqual) if is_bit => false,
        (Some(0), Comparison::Greater) | (Some(1), Comparison::GreaterOrEqual) if is_positive => {
            true
        }
        (Some(0), Comparison::LessOrEqual) | (Some(1), Comparison::Less) if is_positive => false,
        (_, _) => return AbstractValue::of_truth(truth.whichever().as_bit()),
    };
    let compared = if is_nonzero { truth.as_bit() } else { truth.negated() };
    AbstractValue::of_truth(compared)
}

#[cfg(test)]
mod tests;
