//! What is known at a place of a body.

use alloc::borrow::Cow;
use alloc::collections::BTreeSet;
use alloc::rc::Rc;
use alloc::vec::Vec;

use crate::bound::Bound;
use crate::claim::{Claim, Claims, MOST_CLAIMS};
use crate::effort::Effort;
use crate::node::{Referent, Resolved};
use crate::number::Linear;
use crate::refine::refined;
use crate::registers::Registers;
use crate::value::AbstractValue;

/// What is known wherever control gets to a place.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct State {
    registers: Registers<AbstractValue>,
    /// What tests have proven.
    pub(crate) claims: Vec<Rc<Claim>>,
    /// The registers whose numbers others say something of, each with one of those, in the order in which
    /// they were written.
    tests: Vec<(usize, usize)>,
}

/// Of how many registers it is followed what others say of them.
const MOST_TESTS: usize = 32;

impl State {
    /// What is known where nothing is: registers hold anything, up to one with this number and perhaps more.
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

    /// Forgets what was said first of registers, if too much is.
    fn forget_the_first(&mut self) {
        let excess = self.tests.len().saturating_sub(MOST_TESTS);
        for test in self.tests.drain(..excess) {
            forget(&mut self.registers, test);
        }
    }

    /// The registers that do not hold the same as elsewhere.
    pub(crate) fn differences(&self, other: &Self) -> Vec<usize> {
        self.registers.differences(&other.registers)
    }

    /// What follows from the guard of an instruction that runs, or does not; `None` if it never comes
    /// to that.
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

    /// What the guard of an instruction holds.
    fn guard(&self, resolved: &Resolved<'_>) -> Option<&AbstractValue> {
        match resolved.find(resolved.effects.guard.as_ref()?.name.text)? {
            Referent::Register(register) => self.get(register).map(|value| &**value),
            Referent::Storage(_) | Referent::Other => None,
        }
    }

    /// The ends of the ranges that the guard of an instruction proves, and what is next to them.
    pub(crate) fn limits(&self, resolved: &Resolved<'_>) -> Vec<i128> {
        let Some(AbstractValue::Truth(truth)) = self.guard(resolved) else { return Vec::new() };
        let ends = |bound: &Bound| {
            let (least, most) = bound.range;
            [least - 1, least, most, most + 1, 0, i128::from(i32::MAX)]
        };
        truth.bounds().flat_map(ends).collect()
    }

    /// What is known where an instruction runs; `None` if it never does.
    pub(crate) fn where_it_runs(&self, resolved: &Resolved<'_>) -> Option<Cow<'_, Self>> {
        let claims = self.follows(resolved, true)?;
        if claims.is_empty() {
            return Some(Cow::Borrowed(self));
        }
        self.clone().with(claims).map(Cow::Owned)
    }

    /// What is known behind an instruction that runs, or does not; `None` if it never comes to that.
    pub(crate) fn behind(&self, resolved: &Resolved<'_>, runs: bool) -> Option<Self> {
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

    /// What is known where these hold, too; `None` if they never do.
    fn with(mut self, claims: Vec<Rc<Claim>>) -> Option<Self> {
        // What was proven last stands last.
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
                    // It is the same number as before, so what others say of it stands.
                    self.registers.set(bound.register, refined);
                }
            }
        }
        Some(self)
    }

    /// Adds what is known on another path to here; what that changes. What still changes is widened as far
    /// as that is asked for.
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

/// Forgets what one register says of the number in another.
fn forget(registers: &mut Registers<AbstractValue>, (tested, by): (usize, usize)) {
    if let Some(AbstractValue::Truth(truth)) = registers.get(by).map(|value| &**value) {
        let value = AbstractValue::of_truth(truth.clone().without(tested));
        registers.set(by, Rc::new(value));
    }
}

/// What a join changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Change {
    /// Nothing.
    None,
    /// What is known.
    Changed,
    /// The same, and a range is wider than it is on both paths.
    Widened,
}

/// How much of what still changes is given up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Widening<'l> {
    /// Nothing.
    None,
    /// An end of a range that grows, up to the next of these numbers; the range if there is none.
    To(&'l BTreeSet<i128>),
    /// Between which numbers it is.
    Ranges,
    /// All.
    All,
}

impl AbstractValue {
    /// Between which numbers it is, if anything is known of that.
    fn range(&self) -> Option<(i128, i128)> {
        match self {
            Self::Number(number) => number.span(),
            Self::Address(address) => address.offset.span(),
            _ => None,
        }
    }

    /// The same value, whose range goes on to the next of some numbers where it grew from what it was.
    fn widened_to(self, was: &Self, limits: &BTreeSet<i128>) -> Self {
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

    /// The same value, of which it is not known between which numbers it is.
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

    /// What is left of it where it changes again and again from what it was.
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
