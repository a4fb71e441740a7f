//! Addresses, as far as they are known.

use alloc::rc::Rc;

use ptx_types::rules::AddressKind;

use crate::number::Linear;

/// An address, as far as it is known.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct KnownAddress {
    /// What it is an address of, by its index among what the body names.
    pub(crate) storage: usize,
    /// Whether it is of what that points to.
    pub(crate) is_pointee: bool,
    /// What kind of address it is.
    pub(crate) kind: AddressKind,
    /// How far from the start it is, in bytes.
    pub(crate) offset: Linear,
    /// The bits of the register that holds it.
    pub(crate) bits: u32,
    /// The rank of the block in whose shared memory it is, if `mapa` made it; else it is in this block's.
    pub(crate) rank: Option<Rc<Linear>>,
}

impl KnownAddress {
    pub(crate) fn join(&self, other: &Self) -> Option<Self> {
        let is_same = self.storage == other.storage && self.is_pointee == other.is_pointee;
        let kind = if self.kind == other.kind { self.kind } else { AddressKind::Unsure };
        // Ranks that differ are not followed: a loop would take as many rounds to find all of them.
        let rank = || match (&self.rank, &other.rank) {
            (one, other) if one == other => one.clone(),
            (_, _) => Some(Rc::new(Linear::unknown())),
        };
        let offset = || self.offset.join(&other.offset);
        is_same.then(|| Self { kind, offset: offset(), rank: rank(), ..self.clone() })
    }

    /// An address in the same storage, so far from the start.
    pub(crate) fn at(&self, offset: Linear) -> Self {
        Self { offset, ..self.clone() }
    }

    pub(crate) fn plus(&self, number: &Linear) -> Self {
        Self { offset: self.offset.plus(number).wrapped(self.bits), ..self.clone() }
    }
}

#[cfg(test)]
mod tests;
