//! Facts that run-time tests prove: about the alignment of addresses, about the launch, and about
//! Rust constants.

use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::vec;
use alloc::vec::Vec;

use ptx_isa::rules::Comparison;

use crate::values::address::KnownAddress;
use crate::values::bound::Bound;
use crate::values::number::{Linear, Sum};
use ptx_isa::rules::LaunchCondition;

/// The maximum number of facts tracked together; the latest are kept.
pub(crate) const MOST_CLAIMS: usize = 512;

/// A fact that holds wherever control gets after a test with a certain outcome.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Claim {
    /// An address, at this offset into storage, is a multiple of `to` bytes, or of any required
    /// alignment if a Rust constant determines it.
    Aligned { storage: usize, is_pointee: bool, offset: Linear, to: Option<i128> },
    /// A condition on the launch.
    Launch(Rc<LaunchCondition>),
    /// A comparison of Rust constants.
    Constants(Condition),
    /// The value of a register lies in this range, until it is overwritten.
    Bound(Bound),
}

/// A comparison of constants.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Condition {
    /// The left side.
    pub one: Sum,
    /// The operator.
    pub comparison: Comparison,
    /// The right side.
    pub other: Sum,
    /// The width of both.
    pub bits: u32,
    /// Whether they are signed.
    pub is_signed: bool,
}

/// Facts that hold together; `None` if that is impossible, so that everything follows.
pub(crate) type Claims = Option<Vec<Rc<Claim>>>;

/// A number with what follows if it is zero, and if it is not: a predicate, or the
/// lowest bits of an address.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Truth {
    /// What follows if it is not zero.
    pub(crate) nonzero: Claims,
    /// What follows if it is zero.
    pub(crate) zero: Claims,
    /// A mask of its possible bits, which are the lowest.
    pub(crate) mask: i128,
    /// The address it may also be: a mask that is a Rust constant may test an address, or align it down.
    pub(crate) address: Option<Box<KnownAddress>>,
}

/// Returns the facts of both.
pub(crate) fn both(one: &Claims, other: &Claims) -> Claims {
    let (one, other) = (one.as_ref()?, other.as_ref()?);
    let mut all = one.clone();
    all.extend(other.iter().filter(|claim| !one.contains(claim)).cloned());
    all.drain(..all.len().saturating_sub(MOST_CLAIMS));
    Some(all)
}

/// Returns the facts that both have.
pub(crate) fn either(one: &Claims, other: &Claims) -> Claims {
    match (one, other) {
        (None, claims) | (claims, None) => claims.clone(),
        (Some(one), Some(other)) => {
            Some(one.iter().filter(|claim| other.contains(claim)).cloned().collect())
        }
    }
}

impl Truth {
    /// Nothing follows.
    pub(crate) fn unknown() -> Self {
        Self { nonzero: Some(Vec::new()), zero: Some(Vec::new()), mask: -1, address: None }
    }

    /// Creates a predicate from the facts that follow if it holds, and if it does not.
    pub(crate) fn of(nonzero: Claim, zero: Claim) -> Self {
        let claims = |claim| Some(vec![Rc::new(claim)]);
        Self { nonzero: claims(nonzero), zero: claims(zero), mask: 1, address: None }
    }

    /// Creates one from a number, if its value is known.
    pub(crate) fn of_number(number: &Linear) -> Self {
        match number.value() {
            Some(0) => Self { nonzero: None, zero: Some(Vec::new()), mask: 1, address: None },
            Some(value) => Self {
                nonzero: Some(Vec::new()),
                zero: None,
                mask: if value == 1 { 1 } else { -1 },
                address: None,
            },
            None => Self::unknown(),
        }
    }

    /// Creates one from a masked OR of addresses; an unknown mask is a Rust constant. The bits below the mask are zero.
    pub(crate) fn of_lowest_bits(addresses: &[KnownAddress], mask: Option<i128>) -> Self {
        let aligned = |address: &KnownAddress| {
            Rc::new(Claim::Aligned {
                storage: address.storage,
                is_pointee: address.is_pointee,
                offset: address.offset.clone(),
                to: mask.map(|mask| mask + (1 << mask.trailing_zeros())),
            })
        };
        let zero = Some(addresses.iter().map(aligned).collect());
        let address = match (mask, addresses) {
            (None, [address]) => Some(Box::new(address.plus(&Linear::unknown()))),
            (_, _) => None,
        };
        Self { nonzero: Some(Vec::new()), zero, mask: mask.unwrap_or(-1), address }
    }

    /// Returns a number that may prove what this outcome proves: it also depends on other threads.
    pub(crate) fn possible(&self) -> Self {
        let mut all = Vec::new();
        for claim in self.nonzero.iter().chain(&self.zero).flatten() {
            if let Claim::Aligned { storage, is_pointee, offset, .. } = &**claim {
                let (is_pointee, offset) = (*is_pointee, offset.clone());
                let claim = Claim::Aligned { storage: *storage, is_pointee, offset, to: None };
                all.push(Rc::new(claim));
            }
        }
        Self { nonzero: Some(all.clone()), zero: Some(all), mask: -1, address: None }
    }

    /// Returns one in which zero and nonzero have the same consequences.
    pub(crate) fn whichever(&self) -> Self {
        let both = either(&self.nonzero, &self.zero);
        Self { nonzero: both.clone(), zero: both, mask: -1, address: None }
    }

    /// Whether anything follows from it.
    pub(crate) fn is_known(&self) -> bool {
        let has_claims = |claims: &Claims| claims.as_ref().is_none_or(|claims| !claims.is_empty());
        has_claims(&self.nonzero) || has_claims(&self.zero)
    }

    /// Whether it is 0 or 1.
    pub(crate) fn is_bit(&self) -> bool {
        self.mask == 1
    }

    /// Returns the facts that follow if it is zero, or if it is not.
    pub(crate) fn claims(&self, is_zero: bool) -> &Claims {
        if is_zero { &self.zero } else { &self.nonzero }
    }

    /// Adds facts that follow if it is not zero, and if it is.
    pub(crate) fn with(mut self, nonzero: Vec<Rc<Claim>>, zero: Vec<Rc<Claim>>) -> Self {
        for (claims, more) in [(&mut self.nonzero, nonzero), (&mut self.zero, zero)] {
            if let Some(claims) = claims {
                claims.extend(more);
            }
        }
        self
    }

    /// Returns the number, known to be zero or not.
    pub(crate) fn settled(self, is_zero: bool) -> Self {
        if is_zero { Self { nonzero: None, ..self } } else { Self { zero: None, ..self } }
    }

    /// Returns the bounds on registers that follow from it.
    pub(crate) fn bounds(&self) -> impl Iterator<Item = &Bound> {
        [&self.nonzero, &self.zero].into_iter().flatten().flatten().filter_map(|claim| {
            match &**claim {
                Claim::Bound(bound) => Some(bound),
                Claim::Aligned { .. } | Claim::Launch(_) | Claim::Constants(_) => None,
            }
        })
    }

    /// Returns the number after a write to a register, without the facts about that register.
    pub(crate) fn without(mut self, register: usize) -> Self {
        let is_other = |claim: &Rc<Claim>| match &**claim {
            Claim::Bound(bound) => bound.register != register,
            Claim::Aligned { .. } | Claim::Launch(_) | Claim::Constants(_) => true,
        };
        for claims in [&mut self.nonzero, &mut self.zero].into_iter().flatten() {
            claims.retain(is_other);
        }
        self
    }

    /// Returns the logical negation: one if it is zero, and zero if it is not.
    pub(crate) fn negated(&self) -> Self {
        Self { nonzero: self.zero.clone(), zero: self.nonzero.clone(), mask: 1, address: None }
    }

    /// Returns one if it is not zero, and zero if it is.
    pub(crate) fn as_bit(&self) -> Self {
        Self { mask: 1, address: None, ..self.clone() }
    }

    /// Returns the number with its bits at other positions.
    pub(crate) fn moved(self) -> Self {
        Self { mask: -1, ..self }
    }

    pub(crate) fn and(&self, other: &Self) -> Self {
        // For other numbers, both may not have the same bit.
        let are_bits = self.is_bit() && other.is_bit();
        let zero = if are_bits { either(&self.zero, &other.zero) } else { Some(Vec::new()) };
        let mask = if other.mask < 0 { self.mask } else { self.mask & other.mask };
        Self { nonzero: both(&self.nonzero, &other.nonzero), zero, mask, address: None }
    }

    pub(crate) fn or(&self, other: &Self) -> Self {
        Self {
            nonzero: either(&self.nonzero, &other.nonzero),
            zero: both(&self.zero, &other.zero),
            mask: self.mask | other.mask,
            address: None,
        }
    }

    /// Returns the bitwise XOR.
    pub(crate) fn exclusive_or(&self, other: &Self) -> Self {
        match (self.is_bit() && other.is_bit(), &other.nonzero, &other.zero) {
            (true, Some(_), None) => self.negated(),
            (true, None, Some(_)) => self.clone(),
            _ => Self::unknown(),
        }
    }

    /// Returns the bits that a mask keeps.
    pub(crate) fn masked(&self, mask: i128) -> Self {
        if self.mask >= 0 && self.mask & mask == self.mask {
            self.clone()
        } else {
            Self { zero: Some(Vec::new()), address: None, ..self.clone() }
        }
    }

    /// Returns one of two numbers: the first if `self` is not zero.
    pub(crate) fn select(&self, one: &Self, other: &Self) -> Self {
        let of = |mine: &Claims, other_is: &Claims, one: &Claims, other: &Claims| {
            either(&both(mine, one), &both(other_is, other))
        };
        Self {
            nonzero: of(&self.nonzero, &self.zero, &one.nonzero, &other.nonzero),
            zero: of(&self.nonzero, &self.zero, &one.zero, &other.zero),
            mask: one.mask | other.mask,
            address: None,
        }
    }

    /// Returns what holds for both.
    pub(crate) fn join(&self, other: &Self) -> Self {
        Self {
            nonzero: either(&self.nonzero, &other.nonzero),
            zero: either(&self.zero, &other.zero),
            mask: self.mask | other.mask,
            address: None,
        }
    }
}

/// Returns the conditions on Rust constants among these facts.
pub(crate) fn conditions(claims: &[Rc<Claim>]) -> Vec<Condition> {
    let condition = |claim: &Rc<Claim>| match &**claim {
        Claim::Constants(condition) => Some(condition.clone()),
        Claim::Aligned { .. } | Claim::Launch(_) | Claim::Bound(_) => None,
    };
    claims.iter().filter_map(condition).collect()
}

/// Returns the latest launch condition among these facts.
pub(crate) fn only_where(claims: &[Rc<Claim>]) -> Option<Rc<LaunchCondition>> {
    let decided = |claim: &Rc<Claim>| match &**claim {
        Claim::Launch(condition) => Some(Rc::clone(condition)),
        Claim::Aligned { .. } | Claim::Constants(_) | Claim::Bound(_) => None,
    };
    claims.iter().rev().find_map(decided)
}

impl Claim {
    /// Whether this proves the alignment of an access at this offset into this storage that needs
    /// this alignment.
    pub(crate) fn proves(
        &self,
        (storage, is_pointee): (usize, bool),
        offset: &Linear,
        align: Option<i128>,
    ) -> bool {
        match self {
            Self::Aligned { storage: of, is_pointee: of_pointee, offset: tested, to } => {
                if (*of, *of_pointee) != (storage, is_pointee) {
                    return false;
                }
                match (align, to) {
                    (Some(align), Some(to)) if *to < align => false,
                    // If their distance is unknown, the access cannot be shown to be misaligned.
                    (Some(align), _) => offset
                        .minus(tested)
                        .value()
                        .is_none_or(|apart| align == 0 || apart % align == 0),
                    (None, _) => true,
                }
            }
            Self::Launch(_) | Self::Constants(_) | Self::Bound(_) => false,
        }
    }
}

#[cfg(test)]
mod tests;
