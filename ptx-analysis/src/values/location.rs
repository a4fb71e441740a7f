//! The location that an operand accesses.

use alloc::rc::Rc;

use ptx_isa::rules::AddressKind;

use crate::flow::memory::MemoryOperand;
use crate::flow::node::Referent;
use crate::values::address::KnownAddress;
use crate::values::evaluate::{Evaluator, index_in_bytes};
use crate::values::number::{Linear, view};
use crate::values::value::AbstractValue;

/// The location that an operand accesses.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Located<'a> {
    /// The index of the storage.
    pub(crate) storage: usize,
    /// Whether it is the storage's pointee.
    pub(crate) is_pointee: bool,
    /// The register that holds the address, and the address kind.
    pub(crate) via: Option<(&'a str, AddressKind)>,
    /// The offset from the start in bytes.
    pub(crate) offset: Linear,
    /// The width of the register that holds the address; 0 without a register.
    pub(crate) bits: u32,
    /// The rank of the block whose shared memory it is in, if `mapa` computed the address; otherwise it is in
    /// this block's.
    pub(crate) rank: Option<Rc<Linear>>,
}

impl Located<'_> {
    /// Returns the possible offset that is nearest to the start, in bytes, if all possible offsets are on the
    /// same side of it.
    pub(crate) fn nearest(&self) -> Option<i128> {
        let range = self.offset.span()?;
        let (least, most) = match self.bits {
            bits @ 1..=64 => view(Some(range), bits, true),
            _ => range,
        };
        match (least, most) {
            (0.., _) => Some(least),
            (_, ..0) => Some(most),
            (_, _) => None,
        }
    }
}

/// Locates an operand, as far as that is known.
pub(crate) fn locate<'a>(
    operand: &MemoryOperand<'a>,
    evaluator: Evaluator<'_, 'a>,
) -> Option<Located<'a>> {
    let added = evaluator.amount(operand.offset);
    let name = operand.name.text;
    let mut value = evaluator.value_of(name).into_number();
    if let (Some(index), AbstractValue::Address(address)) = (&operand.index, &value) {
        let index = evaluator.value(index).into_number();
        let added = index_in_bytes(address, index, evaluator.storages);
        value = AbstractValue::Address(address.plus(&added));
    }
    let AbstractValue::Address(address) = value else { return None };
    let KnownAddress { storage, is_pointee, kind, offset, bits, rank } = address;
    let via = match evaluator.resolved.find(name) {
        Some(Referent::Register(_)) => Some((name, kind)),
        Some(Referent::Storage(_) | Referent::Other) | None => None,
    };
    // An offset written after a name is exact and does not wrap.
    let bits = if via.is_some() { bits } else { 0 };
    let offset = offset.plus(&added.wrapped(bits)).wrapped(bits);
    Some(Located { storage, is_pointee, via, offset, bits, rank })
}

#[cfg(test)]
mod tests;
