//! Changes of width.

use alloc::rc::Rc;
use alloc::vec;

use ptx_isa::Space;
use ptx_isa::rules::AddressKind;

use super::spaces::is_narrow;
use crate::flow::storage::Storage;
use crate::values::address::KnownAddress;
use crate::values::bits::lowest;
use crate::values::number::Sum;
use crate::values::operation::Operator;
use crate::values::value::AbstractValue;

/// Takes the lowest bits of a value, as many as the unsigned operator has.
pub(super) fn narrowed(
    value: AbstractValue,
    operator: Operator<'_>,
    storages: &[Storage<'_>],
) -> AbstractValue {
    match value {
        AbstractValue::Number(number) => AbstractValue::Number(operator.narrowed(number)),
        AbstractValue::Truth(truth) => {
            AbstractValue::of_truth(truth.masked(lowest(operator.bits).into()))
        }
        AbstractValue::Address(address)
            if operator.bits == 32
                && address.kind == AddressKind::Own
                && is_narrow(&address, storages) =>
        {
            let offset = address.offset.wrapped(32);
            AbstractValue::Address(KnownAddress { offset, bits: 32, ..address })
        }
        AbstractValue::Descriptor(address, cut, others) => {
            AbstractValue::Descriptor(address, cut, lowest_bits(&others, operator.bits))
        }
        other @ (AbstractValue::LowestBits(_) | AbstractValue::Truncated(_)) => other,
        AbstractValue::Address(address) => AbstractValue::LowestBits(vec![address]),
        AbstractValue::Anything => AbstractValue::Anything,
    }
}

/// Extends a value of as many bits as the operator has.
pub(super) fn extended(value: AbstractValue, operator: Operator<'_>) -> AbstractValue {
    match (value, operator.bits) {
        (AbstractValue::Number(number), _) => AbstractValue::Number(operator.extended(number)),
        // With 32 bits, only addresses that fit survive.
        (AbstractValue::Address(address), 32..) if fits(&address, operator.bits) => {
            AbstractValue::Address(KnownAddress { bits: 64, ..address })
        }
        (AbstractValue::Address(address), _) => AbstractValue::LowestBits(vec![address]),
        (AbstractValue::Descriptor(..), ..32) => AbstractValue::Anything,
        (AbstractValue::Truth(truth), _) => {
            AbstractValue::of_truth(truth.masked(lowest(operator.bits).into()))
        }
        (other, _) => other,
    }
}

/// Whether an address in a register of this width has the same offset in a wider one.
fn fits(address: &KnownAddress, bits: u32) -> bool {
    let limit = 1_i128 << (bits - 1);
    address.offset.span().is_none_or(|(least, most)| -limit <= least && most < limit)
}

/// Combines a lower and an upper half.
pub(super) fn halves(
    both: (AbstractValue, AbstractValue),
    storages: &[Storage<'_>],
) -> AbstractValue {
    match both {
        (AbstractValue::Number(_), AbstractValue::Number(_)) => AbstractValue::unknown(),
        // The address of a parameter has no upper half.
        (AbstractValue::Address(address), AbstractValue::Number(high))
            if high.value() == Some(0)
                && address.kind == AddressKind::Own
                && !address.is_pointee
                && storages[address.storage].space() == Some(Space::Param) =>
        {
            AbstractValue::Address(KnownAddress { bits: 64, ..address })
        }
        (AbstractValue::Descriptor(address, cut, low), AbstractValue::Number(high))
            if high.is_exact() =>
        {
            let high = high.base.times(&Sum::known(1 << 32));
            let low = lowest_bits(&low, 32);
            AbstractValue::Descriptor(address, cut, Rc::new(low.plus(&high)))
        }
        (
            half @ (AbstractValue::LowestBits(_) | AbstractValue::Truncated(_)),
            AbstractValue::Number(high),
        ) if high.value() == Some(0) => half,
        (_, _) => AbstractValue::Anything,
    }
}

/// Returns the lowest of the descriptor bits other than the address, if they are known.
fn lowest_bits(of: &Rc<Sum>, bits: u32) -> Rc<Sum> {
    let kept = |value: i128| Rc::new(Sum::known(value & i128::from(lowest(bits))));
    of.value().map_or_else(|| Rc::clone(of), kept)
}
