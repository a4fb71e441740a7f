//! What is known at a place of a body.

use alloc::borrow::Cow;
use alloc::rc::Rc;
use alloc::vec::Vec;

use crate::claim::{Claim, Claims};
use crate::node::{Referent, Resolved};
use crate::number::Linear;
use crate::registers::Registers;
use crate::value::AbstractValue;

/// What is known wherever control gets to a place.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct State {
    registers: Registers,
    /// What tests have proven.
    pub(crate) claims: Vec<Rc<Claim>>,
}

impl State {
    pub(crate) fn get(&self, register: usize) -> Option<&Rc<AbstractValue>> {
        self.registers.get(register)
    }

    pub(crate) fn set(&mut self, register: usize, value: Rc<AbstractValue>) {
        self.registers.set(register, value);
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
        let truth = match resolved.find(guard.name.text) {
            Some(Referent::Register(register)) => {
                self.get(register).and_then(|value| value.truth())
            }
            Some(Referent::Storage(_) | Referent::Other) | None => None,
        };
        truth.map_or_else(
            || Some(Vec::new()),
            |truth| truth.claims(runs == guard.is_negated).clone(),
        )
    }

    /// What is known where an instruction runs; `None` if it never does.
    pub(crate) fn where_it_runs(&self, resolved: &Resolved<'_>) -> Option<Cow<'_, Self>> {
        let claims = self.follows(resolved, true)?;
        if claims.is_empty() {
            return Some(Cow::Borrowed(self));
        }
        Some(Cow::Owned(self.clone().with(claims)))
    }

    /// What is known where these hold, too.
    pub(crate) fn with(mut self, claims: Vec<Rc<Claim>>) -> Self {
        // What was proven last stands last.
        self.claims.retain(|claim| !claims.contains(claim));
        self.claims.extend(claims);
        self
    }

    /// Adds what is known on another path to here; whether that changes what is known. What still
    /// changes is widened as far as that is asked for.
    pub(crate) fn join(&mut self, other: &Self, widening: Widening) -> bool {
        let before = self.claims.len();
        self.claims.retain(|claim| other.claims.contains(claim));
        let mut is_changed = self.claims.len() < before;
        is_changed |= self.registers.join(&other.registers, &|mine, value| {
            if mine == value {
                return None;
            }
            match (mine.join(value), widening) {
                (joined, _) if joined == **mine => None,
                (joined, Widening::None) => Some(Rc::new(joined)),
                (joined, Widening::Ranges) => Some(Rc::new(joined.anywhere())),
                (joined, Widening::All) => Some(Rc::new(joined.widened(mine))),
            }
        });
        is_changed
    }
}

/// How much of what still changes is given up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Widening {
    /// Nothing.
    None,
    /// Between which numbers it is.
    Ranges,
    /// All.
    All,
}

impl AbstractValue {
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
