//! What tests at run time prove: of the alignment of addresses, of what the launch decides, and of
//! Rust constants.

use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::vec;
use alloc::vec::Vec;

use ptx_types::rules::Comparison;

use crate::address::KnownAddress;
use crate::bound::Bound;
use crate::number::{Linear, Sum};
use ptx_types::rules::LaunchCondition;

/// How many claims are followed that hold together: those that were proven last.
pub(crate) const MOST_CLAIMS: usize = 512;

/// What holds wherever control gets after a test with a certain outcome.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Claim {
    /// An address, this far into storage, is a multiple of so many bytes; of as many as anyone asks
    /// for, where a Rust constant says how many.
    Aligned { storage: usize, is_pointee: bool, offset: Linear, to: Option<i128> },
    /// What the launch decides is so.
    Launch(Rc<LaunchCondition>),
    /// Rust constants compare so.
    Constants(Condition),
    /// A register holds a number of this range, until it is written.
    Bound(Bound),
}

/// A comparison of constants.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Condition {
    /// What is compared.
    pub one: Sum,
    /// How.
    pub comparison: Comparison,
    /// With what.
    pub other: Sum,
    /// The bits of both.
    pub bits: u32,
    /// Whether they are signed.
    pub is_signed: bool,
}

/// Claims that hold together; `None` where that never happens, and everything follows.
pub(crate) type Claims = Option<Vec<Rc<Claim>>>;

/// A number of which it is known what follows if it is zero, and if it is not: a predicate, the
/// lowest bits of an address.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Truth {
    /// What follows if it is not zero.
    pub(crate) nonzero: Claims,
    /// What follows if it is zero.
    pub(crate) zero: Claims,
    /// It has no bits but these, the lowest.
    pub(crate) mask: i128,
    /// What else it may be: a mask that is a Rust constant may test an address, or align it down.
    pub(crate) address: Option<Box<KnownAddress>>,
}

/// The claims of both.
pub(crate) fn both(one: &Claims, other: &Claims) -> Claims {
    let (one, other) = (one.as_ref()?, other.as_ref()?);
    let mut all = one.clone();
    all.extend(other.iter().filter(|claim| !one.contains(claim)).cloned());
    all.drain(..all.len().saturating_sub(MOST_CLAIMS));
    Some(all)
}

/// The claims that each of both has.
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

    /// A predicate, and what follows if it holds and if it does not.
    pub(crate) fn of(nonzero: Claim, zero: Claim) -> Self {
        let claims = |claim| Some(vec![Rc::new(claim)]);
        Self { nonzero: claims(nonzero), zero: claims(zero), mask: 1, address: None }
    }

    /// What is known of a number, if its value is known.
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

    /// The bits of addresses, or'ed, that a mask keeps: Rust's if it is unknown. The bits below are zero.
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

    /// A number that may prove what a test proves of which this is the outcome: other threads have a say.
    pub(crate) fn perhaps(&self) -> Self {
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

    /// What follows whether it is zero or not.
    pub(crate) fn whichever(&self) -> Self {
        let both = either(&self.nonzero, &self.zero);
        Self { nonzero: both.clone(), zero: both, mask: -1, address: None }
    }

    /// Whether it says anything.
    pub(crate) fn is_known(&self) -> bool {
        let says = |claims: &Claims| claims.as_ref().is_none_or(|claims| !claims.is_empty());
        says(&self.nonzero) || says(&self.zero)
    }

    /// Whether it is 0 or 1.
    pub(crate) fn is_bit(&self) -> bool {
        self.mask == 1
    }

    /// The claims where it is zero, or is not.
    pub(crate) fn claims(&self, is_zero: bool) -> &Claims {
        if is_zero { &self.zero } else { &self.nonzero }
    }

    /// The same number, of which more follows if it is not zero, and if it is.
    pub(crate) fn with(mut self, nonzero: Vec<Rc<Claim>>, zero: Vec<Rc<Claim>>) -> Self {
        for (claims, more) in [(&mut self.nonzero, nonzero), (&mut self.zero, zero)] {
            if let Some(claims) = claims {
                claims.extend(more);
            }
        }
        self
    }

    /// The same number, of which it is known whether it is zero.
    pub(crate) fn settled(self, is_zero: bool) -> Self {
        if is_zero { Self { nonzero: None, ..self } } else { Self { zero: None, ..self } }
    }

    /// What it says of the numbers in registers.
    pub(crate) fn bounds(&self) -> impl Iterator<Item = &Bound> {
        [&self.nonzero, &self.zero].into_iter().flatten().flatten().filter_map(|claim| {
            match &**claim {
                Claim::Bound(bound) => Some(bound),
                Claim::Aligned { .. } | Claim::Launch(_) | Claim::Constants(_) => None,
            }
        })
    }

    /// The same number, where a register that it says something of is written.
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

    /// One where this is zero, zero where it is not.
    pub(crate) fn negated(&self) -> Self {
        Self { nonzero: self.zero.clone(), zero: self.nonzero.clone(), mask: 1, address: None }
    }

    /// One where this is not zero, zero where it is.
    pub(crate) fn as_bit(&self) -> Self {
        Self { mask: 1, address: None, ..self.clone() }
    }

    /// The same bits in other places.
    pub(crate) fn moved(self) -> Self {
        Self { mask: -1, ..self }
    }

    pub(crate) fn and(&self, other: &Self) -> Self {
        // Of others, no bit may be in both.
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

    /// Bits that differ.
    pub(crate) fn exclusive_or(&self, other: &Self) -> Self {
        match (self.is_bit() && other.is_bit(), &other.nonzero, &other.zero) {
            (true, Some(_), None) => self.negated(),
            (true, None, Some(_)) => self.clone(),
            _ => Self::unknown(),
        }
    }

    /// With no bits but those of a mask.
    pub(crate) fn masked(&self, mask: i128) -> Self {
        if self.mask >= 0 && self.mask & mask == self.mask {
            self.clone()
        } else {
            Self { zero: Some(Vec::new()), address: None, ..self.clone() }
        }
    }

    /// One of two numbers: the first where a third is not zero.
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

    /// What is known of one of both.
    pub(crate) fn join(&self, other: &Self) -> Self {
        Self {
            nonzero: either(&self.nonzero, &other.nonzero),
            zero: either(&self.zero, &other.zero),
            mask: self.mask | other.mask,
            address: None,
        }
    }
}

/// The conditions on Rust constants among claims.
pub(crate) fn conditions(claims: &[Rc<Claim>]) -> Vec<Condition> {
    let condition = |claim: &Rc<Claim>| match &**claim {
        Claim::Constants(condition) => Some(condition.clone()),
        Claim::Aligned { .. } | Claim::Launch(_) | Claim::Bound(_) => None,
    };
    claims.iter().filter_map(condition).collect()
}

/// What was proven last of what the launch decides.
pub(crate) fn only_where(claims: &[Rc<Claim>]) -> Option<Rc<LaunchCondition>> {
    let decided = |claim: &Rc<Claim>| match &**claim {
        Claim::Launch(condition) => Some(Rc::clone(condition)),
        Claim::Aligned { .. } | Claim::Constants(_) | Claim::Bound(_) => None,
    };
    claims.iter().rev().find_map(decided)
}

impl Claim {
    /// Whether this proves an access to be aligned that starts so far into this storage and needs
    /// so much.
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
                    // Where it is not known how far they are apart, nobody can say that it is wrong.
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
