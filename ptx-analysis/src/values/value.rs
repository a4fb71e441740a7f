//! Abstract values of registers.

use alloc::rc::Rc;
use alloc::vec::Vec;

use crate::values::address::KnownAddress;
use crate::values::claim::Truth;
use crate::values::number::{Linear, Sum};

/// The abstract value of a register.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum AbstractValue {
    /// A number.
    Number(Linear),
    /// An address.
    Address(KnownAddress),
    /// A matrix descriptor with an address field: the address of a tile, and the other bits.
    Descriptor(KnownAddress, Cut, Rc<Sum>),
    /// A number that records what follows if it is zero, and if it is not.
    Truth(Truth),
    /// Anything whose lowest bits are those of the bitwise OR of these addresses.
    LowestBits(Vec<KnownAddress>),
    /// The lowest 32 bits of an address of this storage, plus any number.
    Truncated(usize),
    /// Anything, possibly computed from addresses.
    Anything,
}

/// The part of an address that a matrix descriptor contains.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cut {
    /// Its lowest 18 bits.
    Masked,
    /// Its lowest 18 bits without the lowest four.
    Shifted,
}

impl AbstractValue {
    pub(crate) fn unknown() -> Self {
        Self::Number(Linear::unknown())
    }

    /// Returns the value, if it is a number, as one that the caller decides.
    pub(crate) fn given(self) -> Self {
        match self {
            Self::Number(number) => Self::Number(Linear { is_given: true, ..number }),
            other => other,
        }
    }

    /// Returns what holds for both.
    pub(crate) fn join(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Number(one), Self::Number(other)) => Self::Number(one.join(other)),
            (Self::Address(one), Self::Address(other)) => match one.join(other) {
                Some(address) => Self::Address(address),
                None => Self::Anything,
            },
            (Self::Descriptor(one, cut, bits), Self::Descriptor(other, other_cut, other_bits))
                if cut == other_cut && bits == other_bits =>
            {
                match one.join(other) {
                    Some(address) => Self::Descriptor(address, *cut, bits.clone()),
                    None => Self::Anything,
                }
            }
            (Self::LowestBits(one), Self::LowestBits(other)) if one == other => self.clone(),
            (Self::Truncated(one), Self::Truncated(other)) if one == other => self.clone(),
            (Self::Truth(_), Self::Truth(_) | Self::Number(_))
            | (Self::Number(_), Self::Truth(_)) => match (self.truth(), other.truth()) {
                (Some(one), Some(other)) => Self::of_truth(one.join(&other)),
                (_, _) => Self::unknown(),
            },
            (
                Self::Number(_)
                | Self::Address(_)
                | Self::Descriptor(..)
                | Self::Truth(_)
                | Self::LowestBits(_)
                | Self::Truncated(_)
                | Self::Anything,
                _,
            ) => Self::Anything,
        }
    }

    /// Returns what follows if it is zero, and if it is not; `None` if it is not a number.
    pub(crate) fn truth(&self) -> Option<Truth> {
        match self {
            Self::Number(number) => Some(Truth::of_number(number)),
            Self::Truth(truth) => Some(truth.clone()),
            Self::Address(_)
            | Self::Descriptor(..)
            | Self::LowestBits(_)
            | Self::Truncated(_)
            | Self::Anything => None,
        }
    }

    /// Creates a number from what follows if it is zero or not.
    pub(crate) fn of_truth(truth: Truth) -> Self {
        if truth.is_known() { Self::Truth(truth) } else { Self::unknown() }
    }

    /// Converts it to a plain number or address, and drops what follows if it is zero.
    pub(crate) fn into_number(self) -> Self {
        match self {
            Self::Truth(Truth { address: Some(address), .. }) => Self::Address(*address),
            Self::Truth(_) => Self::unknown(),
            other => other,
        }
    }
}

#[cfg(test)]
mod tests;
