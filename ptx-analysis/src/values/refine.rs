//! What comparisons prove about the numbers in registers.

use alloc::rc::Rc;
use alloc::vec::Vec;

use ptx_isa::rules::{Comparison, signed_in};

use crate::values::bound::Bound;
use crate::values::claim::{Claim, Truth};
use crate::values::coordinates::Inputs;
use crate::values::number::{Linear, Sum, view};
use crate::values::value::AbstractValue;

/// An operand of a comparison: the register, if it is one, and its value.
pub(crate) type Side<'v> = (Option<usize>, &'v AbstractValue);

/// Extends the outcome of a comparison with what the ranges of both sides decide, and with
/// what it proves about their registers; what is assumed of inputs decides only where something is.
pub(crate) fn with_bounds(
    value: AbstractValue,
    (one, other): (Side<'_>, Side<'_>),
    comparison: Comparison,
    (bits, is_signed): (u32, bool),
    inputs: Inputs,
) -> AbstractValue {
    let (AbstractValue::Number(number), AbstractValue::Number(other_number)) = (one.1, other.1)
    else {
        return value;
    };
    let is_decided = matches!(&value, AbstractValue::Number(number) if number.is_exact());
    if is_decided || !(1..=64).contains(&bits) {
        return value;
    }
    let range = |number: &Linear| view(number.clone().wrapped(bits).span(), bits, is_signed);
    let (mine, others) = (range(number), range(other_number));
    if let Some(holds) = comparison.holds_between(mine.0 - others.1, mine.1 - others.0) {
        return AbstractValue::Number(Linear::exact(Sum::known(holds.into())));
    }
    let is_given = |number: &Linear| number.is_given && inputs != Inputs::Any;
    let shows_several = |comparison: Comparison| {
        let shows = |number: &Linear, was: (i128, i128), range: (i128, i128)| {
            is_given(number) && number.launch.is_none() && range.0 > 1 && was.0 < range.0
        };
        shows(number, mine, narrowed(mine, comparison, others))
            || shows(other_number, others, narrowed(others, comparison.reversed(), mine))
    };
    // Inputs fail such tests.
    let holds = [comparison, comparison.negated()].map(shows_several);
    if holds[0] != holds[1] {
        return AbstractValue::Number(Linear::exact(Sum::known(holds[1].into())));
    }
    let proven = |comparison: Comparison| {
        // What the launch decides is not limited by inputs that are assumed to be small.
        let register = |of: Side<'_>, number: &Linear, by: &Linear| {
            of.0.filter(|_| number.launch.is_none() || !is_given(by))
        };
        let (mine_in, others_in) =
            (register(one, number, other_number), register(other, other_number, number));
        let ranges = [
            (mine_in, mine, narrowed(mine, comparison, others)),
            (others_in, others, narrowed(others, comparison.reversed(), mine)),
        ];
        let bound = |(register, was, range): (Option<usize>, _, _)| {
            let register = register.filter(|_| was != range)?;
            Some(Rc::new(Claim::Bound(Bound { register, range, bits, is_signed })))
        };
        ranges.into_iter().filter_map(bound).collect::<Vec<_>>()
    };
    let (holds, fails) = (proven(comparison), proven(comparison.negated()));
    if holds.is_empty() && fails.is_empty() {
        return value;
    }
    let known = value.truth().filter(Truth::is_bit).unwrap_or_else(Truth::unknown).as_bit();
    AbstractValue::Truth(known.with(holds, fails))
}

/// Returns the part of a range in which a comparison with a value in another range may hold.
fn narrowed(
    (least, most): (i128, i128),
    comparison: Comparison,
    other: (i128, i128),
) -> (i128, i128) {
    match comparison {
        Comparison::Less => (least, most.min(other.1 - 1)),
        Comparison::LessOrEqual => (least, most.min(other.1)),
        Comparison::Greater => (least.max(other.0 + 1), most),
        Comparison::GreaterOrEqual => (least.max(other.0), most),
        Comparison::Equal => (least.max(other.0), most.min(other.1)),
        Comparison::NotEqual if other.0 == other.1 && least == other.0 => (least + 1, most),
        Comparison::NotEqual if other.0 == other.1 && most == other.0 => (least, most - 1),
        Comparison::NotEqual => (least, most),
    }
}

/// Refines the value of a register by a bound; `None` if the two contradict each other.
pub(crate) fn refined(bound: &Bound, value: &Rc<AbstractValue>) -> Option<Rc<AbstractValue>> {
    let AbstractValue::Number(number) = &**value else { return Some(Rc::clone(value)) };
    if number.is_exact() && number.value().is_none() {
        return Some(Rc::clone(value));
    }
    let was = view(number.span(), bound.bits, bound.is_signed);
    let (least, most) = (was.0.max(bound.range.0), was.1.min(bound.range.1));
    // The first and the last possible number.
    let base = number.base.known;
    let step = number.offset().map_or(1, |offset| i128::from(offset.step.max(1)));
    let least = least + (base - least).rem_euclid(step);
    let most = most - (most - base).rem_euclid(step);
    if least > most {
        return None;
    }
    if was == (least, most) && number.span().is_some() {
        return Some(Rc::clone(value));
    }
    // A launch-dependent sum stays symbolic, so that it can join with itself on another path.
    let refined = if least == most && number.launch.is_none() {
        Linear::exact(Sum::known(signed_in(least, bound.bits)))
    } else {
        number.clone().between(Some((least, most))).tested(true)
    };
    Some(Rc::new(AbstractValue::Number(refined)))
}

#[cfg(test)]
mod tests;
