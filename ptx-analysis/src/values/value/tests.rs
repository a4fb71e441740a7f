//! Tests of joins of two values.

use alloc::vec;

use ptx_isa::rules::AddressKind;

use super::*;

fn address(storage: usize, offset: i128) -> KnownAddress {
    let offset = Linear::exact(Sum::known(offset));
    let (is_pointee, kind, bits, rank) = (false, AddressKind::Own, 32, None);
    KnownAddress { storage, is_pointee, kind, offset, bits, rank }
}

fn descriptor(storage: usize, cut: Cut, bits: i128) -> AbstractValue {
    AbstractValue::Descriptor(address(storage, 0), cut, Rc::new(Sum::known(bits)))
}

#[test]
fn equal_values_survive_a_join() {
    for value in [
        AbstractValue::Number(Linear::exact(Sum::known(4))),
        AbstractValue::Address(address(0, 4)),
        descriptor(0, Cut::Shifted, 5),
        AbstractValue::LowestBits(vec![address(0, 0), address(1, 0)]),
        AbstractValue::Truncated(1),
        AbstractValue::Truth(Truth::of_lowest_bits(&[address(0, 0)], Some(15))),
        AbstractValue::Anything,
    ] {
        assert_eq!(value.join(&value), value);
        for other in [AbstractValue::Anything, AbstractValue::Truncated(7)] {
            assert_eq!(value.join(&other), AbstractValue::Anything, "{value:?}");
            assert_eq!(other.join(&value), AbstractValue::Anything, "{value:?}");
        }
    }
}

#[test]
fn different_values_join_to_anything() {
    let lowest = |storage| AbstractValue::LowestBits(vec![address(storage, 0)]);
    for (one, other) in [
        (AbstractValue::Address(address(0, 0)), AbstractValue::Address(address(1, 0))),
        (lowest(0), lowest(1)),
        (lowest(0), AbstractValue::LowestBits(vec![address(0, 0), address(1, 0)])),
        (AbstractValue::Truncated(0), AbstractValue::Truncated(1)),
        (descriptor(0, Cut::Shifted, 5), descriptor(0, Cut::Masked, 5)),
        (descriptor(0, Cut::Shifted, 5), descriptor(0, Cut::Shifted, 6)),
        (descriptor(0, Cut::Shifted, 5), descriptor(0, Cut::Masked, 6)),
        (descriptor(0, Cut::Shifted, 5), descriptor(1, Cut::Shifted, 5)),
    ] {
        assert_eq!(one.join(&other), AbstractValue::Anything, "{one:?} {other:?}");
        assert_eq!(other.join(&one), AbstractValue::Anything, "{one:?} {other:?}");
    }
}
