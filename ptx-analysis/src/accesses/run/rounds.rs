//! Batches of loop iterations that take the same path and change registers by the same numbers.

use alloc::rc::Rc;
use alloc::vec::Vec;

use ptx_isa::sorted::SortedSet;

use super::{Path, Run, Ways};
use crate::values::launch::{Affine, Fixed, ROUNDS};
use crate::values::number::Linear;
use crate::values::value::AbstractValue;

/// The maximum number of guesses at what iterations have in common.
const MOST_GUESSES: usize = 3;

/// The fraction of the remaining steps that single iterations may take; they are more precise than a batch.
const MOST_OF_REST: usize = 4;

impl<'a> Run<'_, 'a> {
    /// Batches as many iterations of the innermost loop as take the same path and change
    /// registers by the same numbers.
    pub(super) fn rounds_at_once(
        &mut self,
        path: &mut Path,
        ways: &mut Ways<'_, 'a>,
    ) -> Option<()> {
        let n = path.depth;
        let inside = path.inside.last()?;
        let (label, end, before) = (inside.label, inside.end, inside.before.clone()?);
        if n >= ROUNDS.len() {
            return None;
        }
        let mut guess = path.state.clone();
        let (mut linear, mut lost) = (Vec::new(), false);
        for register in path.state.differences(&before) {
            let now = path.state.get(register)?;
            match before.get(register).and_then(|before| in_rounds(before, now, n)) {
                Some(value) => {
                    guess.set(register, Rc::new(value));
                    linear.push(register);
                }
                None => {
                    lost |= is_exact(now);
                    guess.set(register, Rc::new(AbstractValue::Anything));
                }
            }
        }
        for _ in 0..MOST_GUESSES {
            let (mut visits, steps) = (Vec::new(), self.steps);
            let mut start = Path {
                at: label + 1,
                state: guess.clone(),
                coordinates: path.coordinates.with_rounds(n),
                inside: path.inside.clone(),
                depth: n + 1,
                undefined: path.undefined.clone(),
                bounds: (label, end.min(path.bounds.1)),
            };
            start.inside.last_mut()?.at_once = Some(n);
            let round = self.follow(start, &mut Ways::Round(label, &mut visits))?;
            let mut changed: SortedSet<usize> =
                round.state.differences(&guess).into_iter().collect();
            changed.extend(&linear);
            changed.retain(|register| {
                let (was, is) = (guess.get(*register), round.state.get(*register));
                !matches!((was, is), (Some(was), Some(is)) if continues(was, is, n))
            });
            if changed.is_empty() {
                let last = round.coordinates.last_round(n);
                let cost =
                    usize::try_from(last).unwrap_or(usize::MAX).saturating_mul(steps - self.steps);
                // The lost information may matter later.
                if last == 0 || lost && cost < self.steps / MOST_OF_REST {
                    return None;
                }
                match ways {
                    Ways::Several(_) => {
                        for visit in visits {
                            self.reaches.note(visit, &round.coordinates);
                        }
                    }
                    Ways::Round(_, outer) => {
                        let certain = visits.into_iter().flat_map(|visit| visit.in_rounds(n, last));
                        outer.extend(certain);
                    }
                }
                for register in linear {
                    let value = guess.get(register).and_then(|value| after(value, n, last + 1));
                    guess.set(register, Rc::new(value.unwrap_or(AbstractValue::Anything)));
                }
                path.state = guess;
                path.undefined.retain(|register| round.undefined.contains(register));
                path.coordinates = round.coordinates.without_rounds(n);
                let inside = path.inside.last_mut()?;
                inside.round += last + 1;
                inside.next = inside.round + 2;
                return Some(());
            }
            for register in changed {
                if let Some(now) = path.state.get(register) {
                    lost |= is_exact(now);
                }
                linear.retain(|it| *it != register);
                guess.set(register, Rc::new(AbstractValue::Anything));
            }
        }
        None
    }
}

/// Whether the value of a register is known for each thread and iteration.
fn is_exact(value: &AbstractValue) -> bool {
    match value {
        AbstractValue::Number(number) => number.affine().is_some(),
        AbstractValue::Address(address) => address.offset.affine().is_some(),
        _ => false,
    }
}

/// Returns a value as a function of the iteration, if it differs between two iterations only by a number.
fn in_rounds(before: &AbstractValue, now: &AbstractValue, n: usize) -> Option<AbstractValue> {
    let of = |before: &Linear, now: &Linear| {
        let (before, now) = (before.affine()?, now.affine()?);
        let apart = now.plus(&before.times(-1)?)?.value()?;
        Some(Linear::of(now.plus(&Affine::rounds(n, apart))?))
    };
    match (before, now) {
        (AbstractValue::Number(before), AbstractValue::Number(now)) => {
            of(before, now).map(AbstractValue::Number)
        }
        (AbstractValue::Address(before), AbstractValue::Address(now)) => {
            let offset = of(&before.offset, &now.offset)?;
            let is_same = before.at(Linear::unknown()) == now.at(Linear::unknown());
            is_same.then(|| AbstractValue::Address(now.at(offset)))
        }
        (_, _) => None,
    }
}

/// Returns a value in a given iteration.
fn after(value: &AbstractValue, n: usize, round: i128) -> Option<AbstractValue> {
    let of = |number: &Linear| Some(Linear::of(number.affine()?.with(Fixed::Round(n), round)?));
    match value {
        AbstractValue::Number(number) => of(number).map(AbstractValue::Number),
        AbstractValue::Address(address) => {
            Some(AbstractValue::Address(address.at(of(&address.offset)?)))
        }
        _ => None,
    }
}

/// Whether a value after an iteration matches the guess for the next one.
fn continues(was: &AbstractValue, is: &AbstractValue, n: usize) -> bool {
    let next = |was: &Linear, is: &Linear| match (was.affine(), is.affine()) {
        (Some(was), Some(is)) => {
            let apart = was.times_of(Fixed::Round(n));
            was.plus(&Affine::number(apart)).is_some_and(|next| next == is)
        }
        (_, _) => was.join(is) == *was,
    };
    match (was, is) {
        (AbstractValue::Anything, _) => true,
        (AbstractValue::Number(was), AbstractValue::Number(is)) => next(was, is),
        (AbstractValue::Address(was), AbstractValue::Address(is)) => {
            was.at(Linear::unknown()) == is.at(Linear::unknown()) && next(&was.offset, &is.offset)
        }
        (was, is) => was.join(is) == *was,
    }
}

#[cfg(test)]
mod tests;
