//! Tests of joins of addresses, and of offsets added to them.

use super::*;
use crate::values::number::Sum;

fn number(value: i128) -> Linear {
    Linear::exact(Sum::known(value))
}

fn address(offset: Linear) -> KnownAddress {
    let (storage, is_pointee, kind, bits, rank) = (0, false, AddressKind::Own, 32, None);
    KnownAddress { storage, is_pointee, kind, offset, bits, rank }
}

#[test]
fn addresses_join_in_the_same_storage_alone() {
    let one = address(number(4));
    assert_eq!(one.join(&one), Some(one.clone()));
    let joined = one.join(&address(number(12)));
    assert_eq!(joined, Some(address(number(4).join(&number(12)))));
    assert_eq!(one.join(&KnownAddress { storage: 1, ..one.clone() }), None);
    assert_eq!(one.join(&KnownAddress { is_pointee: true, ..one.clone() }), None);
    let generic = KnownAddress { kind: AddressKind::Generic, ..one.clone() };
    let unsure = KnownAddress { kind: AddressKind::Unsure, ..one.clone() };
    assert_eq!(one.join(&generic), Some(unsure));
    assert_eq!(generic.join(&generic), Some(generic.clone()));
}

#[test]
fn ranks_that_differ_are_not_followed() {
    let of = |rank: Option<Linear>| KnownAddress { rank: rank.map(Rc::new), ..address(number(4)) };
    for (one, other, expected) in [
        (None, None, None),
        (Some(number(1)), Some(number(1)), Some(number(1))),
        (Some(number(1)), Some(number(2)), Some(Linear::unknown())),
        (Some(number(1)), None, Some(Linear::unknown())),
        (None, Some(number(1)), Some(Linear::unknown())),
    ] {
        let joined = of(one.clone()).join(&of(other.clone()));
        assert_eq!(joined, Some(of(expected)), "{one:?} {other:?}");
    }
}

#[test]
fn a_sum_wraps_in_the_register() {
    let far = address(number((1 << 31) - 4)).plus(&number(8));
    assert_eq!(far.offset.value(), Some(-(1 << 31) + 4));
    let wide = KnownAddress { bits: 64, ..address(number((1 << 31) - 4)) };
    assert_eq!(wide.plus(&number(8)).offset.value(), Some((1 << 31) + 4));
    let (from, to) = (address(number(4)), address(number(1 << 40)));
    assert_eq!(from.at(number(1 << 40)), to);
}
