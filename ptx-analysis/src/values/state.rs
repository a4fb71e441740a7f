//! The abstract state at a point of a body.

use alloc::borrow::Cow;
use alloc::rc::Rc;
use alloc::vec::Vec;

use ptx_isa::sorted::SortedSet;

use crate::flow::effort::Effort;
use crate::flow::node::{Referent, Resolved};
use crate::flow::solver::Change;
use crate::values::bound::Bound;
use crate::values::claim::{Claim, Claims, MOST_CLAIMS};
use crate::values::number::Linear;
use crate::values::refine::refined;
use crate::values::registers::Registers;
use crate::values::value::AbstractValue;

/// The abstract state at a point: what holds whenever control reaches it.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct State {
    registers: Registers<AbstractValue>,
    /// The facts that tests have proven.
    pub(crate) claims: Vec<Rc<Claim>>,
    /// The registers whose numbers other registers carry information about, each paired with one of those, in the
    /// order in which they were written.
    tests: Vec<(usize, usize)>,
}

/// The maximum number of such pairs.
const MOST_TESTS: usize = 32;

impl State {
    /// Returns the state in which nothing is known: every register, at least up to `last`, holds anything.
    pub(crate) fn anything(last: usize) -> Self {
        let registers = Registers::filled(&Rc::new(AbstractValue::Anything), last);
        Self { registers, ..Self::default() }
    }

    pub(crate) fn get(&self, register: usize) -> Option<&Rc<AbstractValue>> {
        self.registers.get(register)
    }

    pub(crate) fn set(&mut self, register: usize, value: Rc<AbstractValue>) {
        let Self { registers, tests, .. } = self;
        tests.retain(|&(tested, by)| {
            if tested == register && by != register {
                forget(registers, (tested, by));
            }
            tested != register && by != register
        });
        let mut value = value;
        if let AbstractValue::Truth(truth) = &*value {
            let mut tested: Vec<usize> = truth.bounds().map(|bound| bound.register).collect();
            tested.sort_unstable();
            tested.dedup();
            if tested.contains(&register) {
                value = Rc::new(AbstractValue::of_truth(truth.clone().without(register)));
            }
            tested.retain(|tested| *tested != register);
            self.tests.extend(tested.into_iter().map(|tested| (tested, register)));
        }
        self.registers.set(register, value);
        self.forget_the_first();
    }

    /// Forgets the oldest pairs, if there are too many.
    fn forget_the_first(&mut self) {
        let excess = self.tests.len().saturating_sub(MOST_TESTS);
        for test in self.tests.drain(..excess) {
            forget(&mut self.registers, test);
        }
    }

    /// Returns the registers whose values differ between the states.
    pub(crate) fn differences(&self, other: &Self) -> Vec<usize> {
        self.registers.differences(&other.registers)
    }

    /// Returns what follows if the guard of an instruction holds, or does not; `None` if that is
    /// impossible.
    pub(crate) fn follows(&self, resolved: &Resolved<'_>, runs: bool) -> Claims {
        let Some(guard) = &resolved.effects.guard else {
            return runs.then(Vec::new);
        };
        let truth = self.guard(resolved).and_then(AbstractValue::truth);
        truth.map_or_else(
            || Some(Vec::new()),
            |truth| truth.claims(runs == guard.is_negated).clone(),
        )
    }

    /// Returns the value of the guard of an instruction.
    fn guard(&self, resolved: &Resolved<'_>) -> Option<&AbstractValue> {
        match resolved.find(resolved.effects.guard.as_ref()?.name.text)? {
            Referent::Register(register) => self.get(register).map(|value| &**value),
            Referent::Storage(_) | Referent::Other => None,
        }
    }

    /// Returns the ends of the ranges that the guard of an instruction proves, and the numbers next to them.
    pub(crate) fn limits(&self, resolved: &Resolved<'_>) -> Vec<i128> {
        let Some(AbstractValue::Truth(truth)) = self.guard(resolved) else { return Vec::new() };
        let ends = |bound: &Bound| {
            let (least, most) = bound.range;
            [least - 1, least, most, most + 1, 0, i128::from(i32::MAX)]
        };
        truth.bounds().flat_map(ends).collect()
    }

    /// Returns the state in which an instruction executes; `None` if it never does.
    pub(crate) fn where_it_runs(&self, resolved: &Resolved<'_>) -> Option<Cow<'_, Self>> {
        let claims = self.follows(resolved, true)?;
        if claims.is_empty() {
            return Some(Cow::Borrowed(self));
        }
        self.clone().with(claims).map(Cow::Owned)
    }

    /// Returns the state after an instruction that executes, or does not; `None` if that is impossible.
    pub(crate) fn after(&self, resolved: &Resolved<'_>, runs: bool) -> Option<Self> {
        let claims = self.follows(resolved, runs)?;
        let mut state = self.clone().with(claims)?;
        if let Some(guard) = &resolved.effects.guard
            && let Some(Referent::Register(register)) = resolved.find(guard.name.text)
            && let Some(value) = state.get(register)
            && !matches!(&**value, AbstractValue::Number(number) if number.is_exact())
            && let Some(truth) = value.truth()
        {
            let settled = AbstractValue::Truth(truth.settled(runs == guard.is_negated));
            state.registers.set(register, Rc::new(settled));
        }
        Some(state)
    }

    /// Adds these facts to the state; `None` if they contradict it.
    fn with(mut self, claims: Vec<Rc<Claim>>) -> Option<Self> {
        // The latest facts come last.
        self.claims.retain(|claim| !claims.contains(claim));
        let excess = (self.claims.len() + claims.len()).saturating_sub(MOST_CLAIMS);
        self.claims.drain(..excess.min(self.claims.len()));
        for claim in claims {
            let Claim::Bound(bound) = &*claim else {
                self.claims.push(claim);
                continue;
            };
            if let Some(value) = self.registers.get(bound.register) {
                let refined = refined(bound, value)?;
                if !Rc::ptr_eq(&refined, value) {
                    // The number is the same as before, so information about it stays valid.
                    self.registers.set(bound.register, refined);
                }
            }
        }
        Some(self)
    }

    /// Joins the state of another path into this one, and returns what changed. Values that keep changing
    /// are widened as requested.
    pub(crate) fn join(
        &mut self,
        other: &Self,
        widening: Widening<'_>,
        effort: &mut Effort,
    ) -> Change {
        let is_on_one_path = |(_, by): &&(usize, usize)| {
            self.registers.get(*by).is_none() || other.registers.get(*by).is_none()
        };
        let tests = self.tests.iter().chain(&other.tests);
        let lost: Vec<_> = tests.filter(is_on_one_path).copied().collect();
        let before = self.claims.len();
        self.claims.retain(|claim| other.claims.contains(claim));
        let mut is_changed = self.claims.len() < before;
        effort.spend(1 + before * other.claims.len());
        let mut is_widened = false;
        is_changed |= self.registers.join(&other.registers, &mut |mine, value| {
            effort.spend(1);
            if mine == value {
                return None;
            }
            let joined = mine.join(value);
            if joined == **mine {
                return None;
            }
            effort.keep(1);
            let range = joined.range();
            let widened = match widening {
                Widening::None => return Some(Rc::new(joined)),
                Widening::To(limits) => joined.widened_to(mine, limits),
                Widening::Ranges => joined.anywhere(),
                Widening::All => joined.widened(mine),
            };
            is_widened |= widened.range() != range;
            Some(Rc::new(widened)).filter(|widened| widened != mine)
        });
        for test in lost {
            forget(&mut self.registers, test);
        }
        for test in &other.tests {
            if !self.tests.contains(test) {
                self.tests.push(*test);
            }
        }
        let registers = &self.registers;
        self.tests.retain(|(tested, by)| match registers.get(*by).map(|value| &**value) {
            Some(AbstractValue::Truth(truth)) => {
                truth.bounds().any(|bound| bound.register == *tested)
            }
            Some(_) | None => false,
        });
        self.forget_the_first();
        match (is_changed, is_widened) {
            (_, true) => Change::Widened,
            (true, false) => Change::Changed,
            (false, false) => Change::None,
        }
    }
}

/// Forgets what one register states about the number in another.
fn forget(registers: &mut Registers<AbstractValue>, (tested, by): (usize, usize)) {
    if let Some(AbstractValue::Truth(truth)) = registers.get(by).map(|value| &**value) {
        let value = AbstractValue::of_truth(truth.clone().without(tested));
        registers.set(by, Rc::new(value));
    }
}

/// How values that keep changing are widened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Widening<'l> {
    /// Not at all.
    None,
    /// A growing end of a range moves to the next of these numbers; the range is dropped if there is none.
    To(&'l SortedSet<i128>),
    /// Ranges are dropped.
    Ranges,
    /// Everything is dropped.
    All,
}

impl AbstractValue {
    /// Returns the range of the number, if it is known.
    fn range(&self) -> Option<(i128, i128)> {
        match self {
            Self::Number(number) => number.span(),
            Self::Address(address) => address.offset.span(),
            _ => None,
        }
    }

    /// Moves the ends of the range that grew compared to `was` to the next limits.
    fn widened_to(self, was: &Self, limits: &SortedSet<i128>) -> Self {
        let (Self::Number(number), Self::Number(was)) = (&self, was) else {
            return self.anywhere();
        };
        let range = number.span().zip(was.span()).and_then(|((least, most), was)| {
            let least = if least < was.0 { *limits.range(..=least).next_back()? } else { least };
            let most = if most > was.1 { *limits.range(most..).next()? } else { most };
            Some((least, most))
        });
        Self::Number(number.clone().between(range))
    }

    /// Drops the range.
    fn anywhere(self) -> Self {
        match self {
            Self::Number(number) => Self::Number(number.anywhere()),
            Self::Address(address) => {
                let offset = address.offset.clone().anywhere();
                Self::Address(address.at(offset))
            }
            other => other,
        }
    }

    /// Widens a value that keeps changing from `was`.
    fn widened(self, was: &Self) -> Self {
        match self.anywhere() {
            same if same == was.clone().anywhere() => same,
            Self::Number(_) | Self::Truth(_) => Self::unknown(),
            Self::Address(address) => Self::Address(address.plus(&Linear::unknown())),
            Self::Descriptor(..) | Self::LowestBits(_) | Self::Truncated(_) | Self::Anything => {
                Self::Anything
            }
        }
    }
}

#[cfg(test)]
mod tests;
