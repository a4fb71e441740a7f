//! Tests: comparisons, predicates made of others, and what they prove.

use ptx_types::__private::holds;
use ptx_types::rules::Comparison;

use super::claim::{Claim, Condition, Truth};
use super::evaluate::{MASKS, numbers_in};
use super::fact::{Address, Fact, Linear, Sum};
use super::flow::Resolved;
use super::launch;
use super::storage::Storage;

/// Whether a mask tests the alignment of addresses: it keeps their lowest bits, but for those that
/// their storage says are zero, or may, where a Rust constant says which. The masks of matrix
/// descriptors are not for tests.
pub(super) fn is_test(
    mask: &Linear,
    bits: u32,
    addresses: &[Address],
    storages: &[Storage<'_>],
) -> bool {
    let Some(mask) = mask.value() else { return mask.is_exact() };
    if mask <= 0 || bits > 64 || MASKS.contains(&mask) {
        return false;
    }
    // What is left out, 1 for nothing: a compiler leaves out what it knows.
    let lowest = 1_i128 << mask.trailing_zeros();
    let is_zero_below = |address: &Address| {
        let object = storages[address.storage].choices[0].at(address.is_pointee).0;
        let is_aligned = object.alignment().is_none_or(|align| align as i128 % lowest == 0);
        let offset = &address.offset;
        let mut parts = offset.steps.iter().chain([&offset.base]).map(Sum::value);
        is_aligned && parts.all(|part| part.is_none_or(|part| part % lowest == 0))
    };
    let is_contiguous = (mask + lowest) & mask == 0;
    is_contiguous && (lowest == 1 || addresses.iter().all(is_zero_below))
}

/// The lowest bits of an address that a shift to the left keeps, if it is a test: few of them.
pub(super) fn kept(by: &Linear, bits: u32) -> Option<i128> {
    let left = i128::from(bits) - by.value()?;
    (bits <= 64 && (1..=16).contains(&left)).then(|| (1 << left) - 1)
}

/// What is known of a number that is made of two others.
pub(super) fn truths(
    one: &Fact,
    other: &Fact,
    make: impl Fn(&Truth, &Truth) -> Truth,
) -> Option<Fact> {
    Some(Fact::of_truth(make(&one.truth()?, &other.truth()?)))
}

/// A predicate that is made of two others.
pub(super) fn predicates(one: &Fact, other: &Fact, make: impl Fn(&Truth, &Truth) -> Truth) -> Fact {
    let bit = |fact: &Fact| Some(fact.truth()?.as_bit());
    match (bit(one), bit(other)) {
        (Some(one), Some(other)) => Fact::of_truth(make(&one, &other)),
        (_, _) => Fact::unknown(),
    }
}

/// The first where the third is not zero, else the second.
pub(super) fn select(one: Fact, other: Fact, third: &Fact) -> Fact {
    let Some(third) = third.truth() else { return one.into_number().or(&other.into_number()) };
    match (&third.nonzero, &third.zero) {
        (Some(_), None) => return one,
        (None, Some(_)) => return other,
        (Some(_) | None, _) => {}
    }
    let is_bit = |fact: &Fact| match fact {
        Fact::Number(number) => matches!(number.value(), Some(-1..=1)),
        Fact::Truth(_) => true,
        _ => false,
    };
    match (one.truth(), other.truth()) {
        (Some(mine), Some(others)) if is_bit(&one) && is_bit(&other) => {
            Fact::of_truth(third.select(&mine, &others))
        }
        (_, _) => one.into_number().or(&other.into_number()),
    }
}

/// Whether two numbers compare so.
pub(super) fn compare(
    both: (Fact, Fact),
    comparison: Comparison,
    (bits, is_signed): (u32, bool),
    resolved: &Resolved<'_>,
) -> Fact {
    let known = |holds: bool| Fact::Number(Linear::exact(Sum::known(holds.into())));
    match numbers_in(both, bits) {
        (Fact::Truth(truth), Fact::Number(number)) => {
            of_truth(&truth, comparison, number.value(), is_signed)
        }
        (Fact::Number(number), Fact::Truth(truth)) => {
            of_truth(&truth, comparison.reversed(), number.value(), is_signed)
        }
        (Fact::Number(one), Fact::Number(other)) => {
            if let (Some(one), Some(other)) = (one.value(), other.value()) {
                return known(holds(one, comparison, other, bits, is_signed));
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
                return Fact::Truth(Truth::of(holds, not));
            }
            let (Some(one), Some(other)) = (one.affine(), other.affine()) else {
                return Fact::unknown();
            };
            match launch::compare(&one, comparison, &other, bits, resolved.block) {
                Ok(holds) => known(holds),
                Err(None) => Fact::unknown(),
                Err(Some([holds, not])) => {
                    Fact::Truth(Truth::of(Claim::Launch(holds), Claim::Launch(not)))
                }
            }
        }
        (_, _) => Fact::unknown(),
    }
}

/// How a number compares of which it is known whether it is zero.
fn of_truth(truth: &Truth, comparison: Comparison, with: Option<i128>, is_signed: bool) -> Fact {
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
        (_, _) => return Fact::unknown(),
    };
    let compared = if is_nonzero { truth.as_bit() } else { truth.negated() };
    Fact::of_truth(compared)
}
