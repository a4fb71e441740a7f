//! Conversions of addresses between state spaces.

use alloc::rc::Rc;

use ptx_isa::Space;
use ptx_isa::rules::AddressKind;

use crate::flow::storage::Storage;
use crate::values::address::KnownAddress;
use crate::values::number::{Linear, Sum};
use crate::values::value::AbstractValue;

/// The distance from its start within which shared storage certainly stays in shared memory, in bytes.
const NEAR: i128 = 1 << 20;

/// Converts an address from a state space to a generic one.
pub(super) fn to_generic(
    value: AbstractValue,
    space: Space,
    storages: &[Storage<'_>],
) -> AbstractValue {
    converted(value, space, storages, [AddressKind::Generic, AddressKind::Unsure])
}

/// Converts a generic address to one in a state space.
pub(super) fn from_generic(
    value: AbstractValue,
    space: Space,
    storages: &[Storage<'_>],
) -> AbstractValue {
    converted(value, space, storages, [AddressKind::Own, AddressKind::In(space)])
}

/// Converts an address to the first kind if it refers to storage in this space, and to the second otherwise.
fn converted(
    value: AbstractValue,
    space: Space,
    storages: &[Storage<'_>],
    [inside, outside]: [AddressKind; 2],
) -> AbstractValue {
    match value {
        AbstractValue::Address(address) => {
            let kind = if is_in(&address, space, storages) { inside } else { outside };
            AbstractValue::Address(KnownAddress { kind, ..address })
        }
        other => other,
    }
}

/// Evaluates a test whether a generic address is in a state space.
pub(super) fn is_in_space(
    value: &AbstractValue,
    space: Space,
    storages: &[Storage<'_>],
) -> AbstractValue {
    match value {
        AbstractValue::Address(address) => match generic_space(address, storages) {
            // A different modifier tests which block's shared memory it is in; this block's is in both
            // windows.
            Some(is)
                if is != space
                    || is != Space::Shared
                    || address.rank.is_none() && !address.is_pointee =>
            {
                let holds = is == space;
                AbstractValue::Number(Linear::exact(Sum::known(holds.into())))
            }
            Some(_) | None => AbstractValue::unknown(),
        },
        _ => AbstractValue::unknown(),
    }
}

/// Converts an address to that of the same variable in the block with this rank.
pub(super) fn remote(address: AbstractValue, rank: AbstractValue) -> AbstractValue {
    match address {
        AbstractValue::Address(address) => {
            let rank = match rank {
                AbstractValue::Number(rank) => rank,
                _ => Linear::unknown(),
            };
            // An address outside shared memory maps to a different location in another block.
            let is_near = |(least, most): (i128, i128)| least > -NEAR && most < NEAR;
            let offset = match address.offset.span() {
                Some(range) if !is_near(range) => address.offset.clone().anywhere(),
                Some(_) | None => address.offset.clone(),
            };
            AbstractValue::Address(KnownAddress { rank: Some(Rc::new(rank)), offset, ..address })
        }
        // Shared memory starts at zero, but another block's does not.
        AbstractValue::Number(_) => AbstractValue::unknown(),
        other => other,
    }
}

/// Whether an address in its own state space fits in 32 bits.
pub(super) fn is_narrow(address: &KnownAddress, storages: &[Storage<'_>]) -> bool {
    let storage = &storages[address.storage];
    match (address.is_pointee, storage.points_to()) {
        (true, space) => space.is_some_and(|space| space != Space::Global),
        (false, _) => storage.space() != Some(Space::Global),
    }
}

/// Returns the state space of a generic address, if it is known.
fn generic_space(address: &KnownAddress, storages: &[Storage<'_>]) -> Option<Space> {
    let storage = &storages[address.storage];
    let is = if address.is_pointee { storage.points_to()? } else { storage.space()? };
    // A global address is also a generic one.
    let is_generic = address.kind == AddressKind::Generic
        || address.kind == AddressKind::Own && is == Space::Global && !address.is_pointee;
    // A parameter may be copied to local memory.
    (is_generic && is != Space::Param).then_some(is)
}

/// Whether an address refers to storage in this space.
fn is_in(address: &KnownAddress, space: Space, storages: &[Storage<'_>]) -> bool {
    let storage = &storages[address.storage];
    if address.is_pointee {
        storage.points_to() == Some(space)
    } else {
        storage.space() == Some(space)
    }
}
