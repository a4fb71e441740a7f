//! The number that an instruction computes, as far as its operands tell.

use ptx_types::rules::AddressKind;
use ptx_types::rules::access::Object;
use ptx_types::{Space, special};

use super::claim::Truth;
use super::compare::{compare, is_test, kept, predicates, select, truths};
use super::fact::{Address, Cut, Fact, Linear, Sum};
use super::flow::{Facts, Referent, Resolved};
use super::memory::Amount;
use super::storage::Storage;
use super::value::{Operand, Value};

/// The known address masks of matrix descriptors: 18 bits, and the 14 of them that are kept.
pub(super) const MASKS: [i128; 3] = [0x3ffff, 0x3fff0, 0x3fff];

/// The most addresses that are followed where they are or'ed.
const MOST_OR_ED: usize = 8;

/// The address of storage that an operand names.
pub(super) fn address_of(storage: usize, storages: &[Storage<'_>]) -> Fact {
    let held = match storages[storage].object() {
        // Where the address of a parameter of a function lies, the ABI says.
        Object::Input(_) | Object::Return(_) | Object::LocalParam(_) => AddressKind::Unsure,
        Object::Variable(_) | Object::EntryParam(_) | Object::Pointee(_) => AddressKind::Own,
    };
    let offset = Linear::exact(Sum::default());
    let (is_pointee, is_remote) = (false, false);
    Fact::Address(Address { storage, is_pointee, held, offset, bits: 64, is_remote })
}

/// What a name holds.
pub(super) fn held(
    name: &str,
    resolved: &Resolved<'_>,
    storages: &[Storage<'_>],
    facts: &Facts,
) -> Fact {
    match resolved.find(name) {
        Some(Referent::Register(register)) => {
            facts.get(register).map_or_else(Fact::unknown, |fact| (**fact).clone())
        }
        Some(Referent::Storage(storage)) => address_of(storage, storages),
        Some(Referent::Other) if special::is_special(name) => Fact::Number(Linear::special(name)),
        Some(Referent::Other) | None => Fact::unknown(),
    }
}

/// The number that a value is.
pub(super) fn evaluate(
    value: &Value,
    resolved: &Resolved<'_>,
    storages: &[Storage<'_>],
    facts: &Facts,
) -> Fact {
    let whole = |value: &Value| evaluate(value, resolved, storages, facts);
    let of = |value: &Value| whole(value).into_number();
    let both = |two: &[Value; 2]| (of(&two[0]), of(&two[1]));
    match value {
        Value::Operand(Operand::Name(name)) => held(&name.text, resolved, storages, facts),
        Value::Operand(Operand::Amount(amount)) => number(amount),
        Value::Operand(Operand::Special(name)) => Fact::Number(Linear::special(name)),
        Value::Element(name, index) => match held(&name.text, resolved, storages, facts) {
            Fact::Address(address) => {
                let added = index_in_bytes(&address, of(index), storages);
                Fact::Address(address.plus(&added))
            }
            _ => Fact::Anything,
        },
        Value::Param(name, offset, bytes) => match resolved.find(&name.text) {
            Some(Referent::Storage(storage))
                if *bytes == 8
                    && offset.known() == Some(0)
                    && storages[storage].points_perhaps() =>
            {
                pointer(storage)
            }
            Some(_) | None => Fact::unknown(),
        },
        Value::Add(two, bits) => add(both(two), *bits),
        Value::Subtract(two, bits) => match numbers_in(both(two), *bits) {
            (Fact::Number(one), Fact::Number(other)) => {
                Fact::Number(one.minus(&other).wrapped(*bits))
            }
            (Fact::Address(address), Fact::Number(number)) => {
                let offset = address.offset.minus(&number).wrapped(*bits);
                Fact::Address(Address { offset, ..address })
            }
            (_, _) => Fact::Anything,
        },
        Value::Multiply(two, bits) => match numbers_in(both(two), *bits) {
            (Fact::Number(one), Fact::Number(other)) => {
                Fact::Number(one.times(&other).wrapped(*bits))
            }
            (_, _) => Fact::Anything,
        },
        Value::ShiftLeft(two, bits) => match both(two) {
            // What is left are its lowest bits.
            (Fact::Address(address), Fact::Number(by)) if kept(&by, *bits).is_some() => {
                Fact::of_truth(Truth::of_lowest_bits(&[address], kept(&by, *bits)).moved())
            }
            (Fact::LowestBits(addresses), Fact::Number(by)) if kept(&by, *bits).is_some() => {
                Fact::of_truth(Truth::of_lowest_bits(&addresses, kept(&by, *bits)).moved())
            }
            (Fact::Number(one), Fact::Number(by)) => Fact::Number(match by.value() {
                Some(by) if (0..i128::from(*bits)).contains(&by) => {
                    one.times(&Linear::exact(Sum::known(1 << by))).wrapped(*bits)
                }
                Some(_) | None => Linear::unknown(),
            }),
            // The upper half of a descriptor is not made of addresses, nor is this.
            (_, _) => Fact::Anything,
        },
        Value::ShiftRight(two, bits, is_signed) => match both(two) {
            (Fact::Number(one), Fact::Number(by)) => {
                let one = one.extended(*bits, *is_signed);
                Fact::Number(match (one.value(), by.value()) {
                    (Some(one), Some(by)) if (0..i128::from(*bits)).contains(&by) => {
                        Linear::exact(Sum::known(one >> by)).wrapped(*bits)
                    }
                    (_, _) => Linear::unknown(),
                })
            }
            (Fact::Descriptor(address, Cut::Masked, bits), Fact::Number(by))
                if by.value() == Some(4) && bits.is_zero() =>
            {
                Fact::Descriptor(address, Cut::Shifted, bits)
            }
            (Fact::Address(address), Fact::Number(by)) if by.value() == Some(4) => {
                Fact::Descriptor(address, Cut::Shifted, Sum::default())
            }
            (_, _) => Fact::Anything,
        },
        Value::And(two, 1) => predicates(&whole(&two[0]), &whole(&two[1]), Truth::and),
        Value::Or(two, 1) => predicates(&whole(&two[0]), &whole(&two[1]), Truth::or),
        Value::ExclusiveOr(two, 1) => {
            predicates(&whole(&two[0]), &whole(&two[1]), Truth::exclusive_or)
        }
        Value::And(two, bits) => match numbers_in((whole(&two[0]), whole(&two[1])), *bits) {
            (Fact::Address(address), Fact::Number(mask))
            | (Fact::Number(mask), Fact::Address(address))
                if is_test(&mask, *bits, core::slice::from_ref(&address), storages) =>
            {
                Fact::of_truth(Truth::of_lowest_bits(&[address], mask.value()))
            }
            (Fact::LowestBits(addresses), Fact::Number(mask))
            | (Fact::Number(mask), Fact::LowestBits(addresses))
                if is_test(&mask, *bits, &addresses, storages) =>
            {
                Fact::of_truth(Truth::of_lowest_bits(&addresses, mask.value()))
            }
            (Fact::Truth(truth), Fact::Number(mask)) | (Fact::Number(mask), Fact::Truth(truth))
                if mask.value().is_some() =>
            {
                Fact::of_truth(truth.masked(mask.value().unwrap_or_default()))
            }
            (Fact::Number(one), Fact::Number(other)) => and(&one, &other),
            (Fact::Address(address), Fact::Number(mask)) => match mask.value() {
                Some(mask) if MASKS.contains(&mask) => {
                    Fact::Descriptor(address, Cut::Masked, Sum::default())
                }
                Some(_) | None => Fact::Address(address.plus(&Linear::unknown())),
            },
            (Fact::Descriptor(address, cut, bits), Fact::Number(mask))
                if mask.value().is_some_and(|mask| MASKS.contains(&mask)) =>
            {
                Fact::Descriptor(address, cut, bits)
            }
            (one, other) => truths(&one, &other, Truth::and).unwrap_or(Fact::Anything),
        },
        Value::Or(two, bits) => match numbers_in((whole(&two[0]), whole(&two[1])), *bits) {
            (
                one @ (Fact::Address(_) | Fact::LowestBits(_)),
                other @ (Fact::Address(_) | Fact::LowestBits(_)),
            ) => {
                let addresses = |fact| match fact {
                    Fact::Address(address) => vec![address],
                    Fact::LowestBits(addresses) => addresses,
                    Fact::Number(_) | Fact::Truth(_) | Fact::Descriptor(..) | Fact::Anything => {
                        Vec::new()
                    }
                };
                let mut all = addresses(one);
                for address in addresses(other) {
                    if !all.contains(&address) {
                        all.push(address);
                    }
                }
                if all.len() > MOST_OR_ED { Fact::Anything } else { Fact::LowestBits(all) }
            }
            (one @ Fact::Truth(_), other) | (one, other @ Fact::Truth(_)) => {
                truths(&one, &other, Truth::or).unwrap_or(Fact::Anything)
            }
            (descriptor @ Fact::Descriptor(..), other)
            | (other, descriptor @ Fact::Descriptor(..)) => add((descriptor, other), 64),
            both => bitwise(both, |one, other| one | other),
        },
        Value::ExclusiveOr(two, bits) => match (whole(&two[0]), whole(&two[1])) {
            (one @ Fact::Truth(_), other) | (one, other @ Fact::Truth(_)) => {
                truths(&one, &other, Truth::exclusive_or).unwrap_or(Fact::Anything)
            }
            both => bitwise(numbers_in(both, *bits), |one, other| one ^ other),
        },
        Value::Either(two) => {
            let (one, other) = both(two);
            one.or(&other)
        }
        Value::Select(two, third) => select(whole(&two[0]), whole(&two[1]), &whole(third)),
        Value::Not(one) => match whole(one) {
            Fact::Number(number) => Fact::Number(match number.value() {
                Some(value) => Linear::exact(Sum::known((value == 0).into())),
                None => Linear::unknown(),
            }),
            Fact::Truth(truth) => Fact::Truth(truth.negated()),
            _ => Fact::Anything,
        },
        Value::Compare(two, comparison, bits, is_signed) => {
            compare((whole(&two[0]), whole(&two[1])), *comparison, (*bits, *is_signed), resolved)
        }
        Value::Halves(two) => match both(two) {
            (Fact::Number(_), Fact::Number(_)) => Fact::unknown(),
            (Fact::Descriptor(address, cut, low), Fact::Number(high)) if high.is_exact() => {
                let high = high.base.times(&Sum::known(1 << 32));
                Fact::Descriptor(address, cut, low.plus(&high))
            }
            (_, _) => Fact::Anything,
        },
        Value::ToGeneric(space, one) => match of(one) {
            Fact::Address(address) => Fact::Address(Address {
                held: if is_in(&address, *space, storages) {
                    AddressKind::Generic
                } else {
                    AddressKind::Unsure
                },
                ..address
            }),
            other => other,
        },
        Value::FromGeneric(space, one) => match of(one) {
            Fact::Address(address) => Fact::Address(Address {
                held: if is_in(&address, *space, storages) {
                    AddressKind::Own
                } else {
                    AddressKind::In(*space)
                },
                ..address
            }),
            other => other,
        },
        Value::Narrow(one, bits) => match whole(one) {
            Fact::Number(number) => Fact::Number(number.wrapped(*bits)),
            Fact::Truth(truth) => Fact::of_truth(truth.masked((1_i128 << (*bits).min(64)) - 1)),
            Fact::Address(address)
                if *bits == 32
                    && address.held == AddressKind::Own
                    && storages[address.storage].space() != Some(Space::Global) =>
            {
                let offset = address.offset.wrapped(32);
                Fact::Address(Address { offset, bits: 32, ..address })
            }
            other @ (Fact::Descriptor(..) | Fact::LowestBits(_)) => other,
            Fact::Address(address) => Fact::LowestBits(vec![address]),
            Fact::Anything => Fact::Anything,
        },
        Value::Extend(one, bits, is_signed) => match whole(one) {
            Fact::Number(number) => Fact::Number(number.extended(*bits, *is_signed)),
            // Where there are 32 bits, addresses are no more than that.
            Fact::Address(address) if *bits >= 32 => Fact::Address(Address { bits: 64, ..address }),
            Fact::Address(address) => Fact::LowestBits(vec![address]),
            Fact::Descriptor(..) if *bits < 32 => Fact::Anything,
            Fact::Truth(truth) => Fact::of_truth(truth.masked((1_i128 << (*bits).min(64)) - 1)),
            other => other,
        },
        Value::Remote(one) => match of(one) {
            Fact::Address(address) => Fact::Address(Address { is_remote: true, ..address }),
            other => other,
        },
        Value::Made(values) => {
            let is_number = |value: &Value| matches!(of(value), Fact::Number(_));
            if values.iter().all(is_number) { Fact::unknown() } else { Fact::Anything }
        }
    }
}

/// How far into storage an index goes, in bytes.
pub(super) fn index_in_bytes(address: &Address, index: Fact, storages: &[Storage<'_>]) -> Linear {
    let stride = storages[address.storage].object().indexed_bytes();
    match (index, stride.and_then(|bytes| i128::try_from(bytes).ok())) {
        (Fact::Number(index), Some(stride)) => index.times(&Linear::exact(Sum::known(stride))),
        (_, _) => Linear::unknown(),
    }
}

/// The value of a parameter that is a pointer, or that rustc may find to be one.
pub(super) fn pointer(storage: usize) -> Fact {
    let offset = Linear::exact(Sum::default());
    let (held, bits) = (AddressKind::Own, 64);
    Fact::Address(Address { storage, is_pointee: true, held, offset, bits, is_remote: false })
}

/// Whether an address is one of storage in this space.
fn is_in(address: &Address, space: Space, storages: &[Storage<'_>]) -> bool {
    let storage = &storages[address.storage];
    if address.is_pointee {
        storage.points_to() == Some(space)
    } else {
        storage.space() == Some(space)
    }
}

fn number(amount: &Amount) -> Fact {
    Fact::Number(Sum::of(amount).map_or_else(Linear::unknown, Linear::exact))
}

/// Numbers as an instruction of so many bits takes them.
pub(super) fn numbers_in((one, other): (Fact, Fact), bits: u32) -> (Fact, Fact) {
    let wrapped = |fact| match fact {
        Fact::Number(number) => Fact::Number(number.wrapped(bits)),
        other => other,
    };
    (wrapped(one), wrapped(other))
}

/// What an instruction makes of two numbers bit by bit, if ones in one of them change the other.
fn bitwise(both: (Fact, Fact), exact: impl Fn(i128, i128) -> i128) -> Fact {
    match both {
        (Fact::Number(one), Fact::Number(other)) => {
            Fact::Number(match (one.value(), other.value()) {
                (Some(one), Some(other)) => Linear::exact(Sum::known(exact(one, other))),
                (_, _) => one.with_bits_of(&other),
            })
        }
        (Fact::Address(address), Fact::Number(bits))
        | (Fact::Number(bits), Fact::Address(address)) => {
            let offset = address.offset.with_bits_of(&bits).wrapped(address.bits);
            Fact::Address(Address { offset, ..address })
        }
        (_, _) => Fact::Anything,
    }
}

fn add(both: (Fact, Fact), bits: u32) -> Fact {
    match numbers_in(both, bits) {
        (Fact::Number(one), Fact::Number(other)) => Fact::Number(one.plus(&other).wrapped(bits)),
        (Fact::Address(address), Fact::Number(number))
        | (Fact::Number(number), Fact::Address(address)) => {
            let offset = address.offset.plus(&number).wrapped(bits);
            Fact::Address(Address { offset, ..address })
        }
        (Fact::Descriptor(address, Cut::Shifted, high), Fact::Number(number))
        | (Fact::Number(number), Fact::Descriptor(address, Cut::Shifted, high)) => {
            // The lowest bits go on by 16 bytes each; the others are the descriptor's own.
            let steps = Linear { base: Sum::default(), ..number.clone() };
            let address = address.plus(&steps.times(&Linear::exact(Sum::known(16))));
            match number.base.value() {
                Some(small) if (0..0x3fff).contains(&small) => {
                    let address = address.plus(&Linear::exact(Sum::known(small * 16)));
                    Fact::Descriptor(address, Cut::Shifted, high)
                }
                Some(_) | None => Fact::Descriptor(address, Cut::Shifted, high.plus(&number.base)),
            }
        }
        (_, _) => Fact::Anything,
    }
}

fn and(one: &Linear, other: &Linear) -> Fact {
    let masked = |number: &Linear, mask: i128| {
        let step = 1_i128 << mask.trailing_zeros().min(63);
        match number.value() {
            Some(value) => Linear::exact(Sum::known(value & mask)),
            None => Linear::multiple_of(step),
        }
    };
    Fact::Number(match (one.value(), other.value()) {
        (_, Some(0)) | (Some(0), _) => Linear::exact(Sum::default()),
        (_, Some(mask)) => masked(one, mask),
        (Some(mask), None) => masked(other, mask),
        (None, None) => Linear::unknown(),
    })
}
