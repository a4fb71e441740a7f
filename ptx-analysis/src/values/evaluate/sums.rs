//! Sums and differences.

use alloc::rc::Rc;

use crate::values::address::KnownAddress;
use crate::values::compare::numbers_in;
use crate::values::number::{Linear, Sum};
use crate::values::value::{AbstractValue, Cut};

/// Evaluates a sum.
pub(super) fn add(both: (AbstractValue, AbstractValue), bits: u32) -> AbstractValue {
    match numbers_in(both, bits) {
        // A number added to the lower half of an address; with 64 bits, the upper half may be another's.
        (AbstractValue::LowestBits(addresses), AbstractValue::Number(number))
        | (AbstractValue::Number(number), AbstractValue::LowestBits(addresses))
            if addresses.len() == 1 && (bits == 32 || is_small(&number)) =>
        {
            AbstractValue::Truncated(addresses[0].storage)
        }
        (AbstractValue::Truncated(storage), AbstractValue::Number(number))
        | (AbstractValue::Number(number), AbstractValue::Truncated(storage))
            if bits == 32 || is_small(&number) =>
        {
            AbstractValue::Truncated(storage)
        }
        (AbstractValue::Number(one), AbstractValue::Number(other)) => {
            AbstractValue::Number(one.plus(&other).wrapped(bits))
        }
        (AbstractValue::Address(address), AbstractValue::Number(number))
        | (AbstractValue::Number(number), AbstractValue::Address(address)) => {
            let offset = address.offset.plus(&number).wrapped(bits);
            AbstractValue::Address(KnownAddress { offset, ..address })
        }
        (AbstractValue::Descriptor(address, Cut::Shifted, high), AbstractValue::Number(number))
        | (AbstractValue::Number(number), AbstractValue::Descriptor(address, Cut::Shifted, high)) =>
        {
            // The address field counts units of 16 bytes; the other bits belong to the descriptor.
            let steps = Linear { base: Sum::default(), ..number.clone() };
            let address = address.plus(&steps.times(&Linear::exact(Sum::known(16))));
            match number.base.value() {
                Some(small @ 0..0x3fff) => {
                    let address = address.plus(&Linear::exact(Sum::known(small * 16)));
                    AbstractValue::Descriptor(address, Cut::Shifted, high)
                }
                Some(_) | None => AbstractValue::Descriptor(
                    address,
                    Cut::Shifted,
                    Rc::new(high.plus(&number.base)),
                ),
            }
        }
        (_, _) => AbstractValue::Anything,
    }
}

/// Evaluates a difference.
pub(super) fn subtract(both: (AbstractValue, AbstractValue), bits: u32) -> AbstractValue {
    match numbers_in(both, bits) {
        (AbstractValue::Number(one), AbstractValue::Number(other)) => {
            AbstractValue::Number(one.minus(&other).wrapped(bits))
        }
        (AbstractValue::Address(address), AbstractValue::Number(number)) => {
            let offset = address.offset.minus(&number).wrapped(bits);
            AbstractValue::Address(KnownAddress { offset, ..address })
        }
        (_, _) => AbstractValue::Anything,
    }
}

/// Whether a number fits in 32 bits.
fn is_small(number: &Linear) -> bool {
    const MOST: i128 = 0xffff_ffff;
    number.span().is_some_and(|(least, most)| least >= -MOST && most <= MOST)
}
