//! Addresses, as far as they are known.

use alloc::rc::Rc;

use ptx_isa::rules::AddressKind;

use crate::values::number::Linear;

/// An address, as far as it is known.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct KnownAddress {
    /// The storage that it refers to, by its index among what the body names.
    pub(crate) storage: usize,
    /// Whether it refers to the storage's pointee.
    pub(crate) is_pointee: bool,
    /// The address kind.
    pub(crate) kind: AddressKind,
    /// The offset from the start in bytes.
    pub(crate) offset: Linear,
    /// The width of the register that holds it.
    pub(crate) bits: u32,
    /// The rank of the block whose shared memory it is in, if `mapa` computed it; otherwise it is in this block's.
    pub(crate) rank: Option<Rc<Linear>>,
}

impl KnownAddress {
    pub(crate) fn join(&self, other: &Self) -> Option<Self> {
        let is_same = self.storage == other.storage && self.is_pointee == other.is_pointee;
        let kind = if self.kind == other.kind { self.kind } else { AddressKind::Unsure };
        // Differing ranks are not tracked: a loop would take as many iterations to collect them all.
        let rank = || match (&self.rank, &other.rank) {
            (one, other) if one == other => one.clone(),
            (_, _) => Some(Rc::new(Linear::unknown())),
        };
        let offset = || self.offset.join(&other.offset);
        is_same.then(|| Self { kind, offset: offset(), rank: rank(), ..self.clone() })
    }

    /// Returns an address in the same storage, at this offset.
    pub(crate) fn at(&self, offset: Linear) -> Self {
        Self { offset, ..self.clone() }
    }

    pub(crate) fn plus(&self, number: &Linear) -> Self {
        Self { offset: self.offset.plus(number).wrapped(self.bits), ..self.clone() }
    }
}

#[cfg(test)]
mod tests;
