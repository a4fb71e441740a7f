//! The number that an instruction computes, as far as its operands tell.

use ptx_types::rules::access::Object;
use ptx_types::rules::{Comparison, Held};
use ptx_types::{Space, special};

use super::claim::{Claim, Condition, Truth};
use super::fact::{Address, Cut, Fact, Linear, Sum};
use super::flow::{Facts, Referent, Resolved};
use super::launch;
use super::memory::Amount;
use super::step::{Operand, Value};
use super::storage::Storage;

/// The known address masks of matrix descriptors: 18 bits, and the 14 of them that are kept.
const MASKS: [i128; 3] = [0x3ffff, 0x3fff0, 0x3fff];

/// The address of storage that an operand names.
pub(super) fn address_of(storage: usize, storages: &[Storage<'_>]) -> Fact {
    let held = match storages[storage].object() {
        // Where the address of a parameter of a function lies, the ABI says.
        Object::Input(_) | Object::Return(_) | Object::LocalParam(_) => Held::Unsure,
        Object::Variable(_) | Object::EntryParam(_) | Object::Pointee(_) => Held::Own,
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
                if is_test(&mask, core::slice::from_ref(&address), storages) =>
            {
                Fact::of_truth(Truth::of_lowest_bits(&[address], mask.value()))
            }
            (Fact::LowestBits(addresses), Fact::Number(mask))
            | (Fact::Number(mask), Fact::LowestBits(addresses))
                if is_test(&mask, &addresses, storages) =>
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
                all.extend(addresses(other));
                Fact::LowestBits(all)
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
                held: if is_in(&address, *space, storages) { Held::Generic } else { Held::Unsure },
                ..address
            }),
            other => other,
        },
        Value::FromGeneric(space, one) => match of(one) {
            Fact::Address(address) => Fact::Address(Address {
                held: if is_in(&address, *space, storages) { Held::Own } else { Held::In(*space) },
                ..address
            }),
            other => other,
        },
        Value::Narrow(one, bits) => match whole(one) {
            Fact::Number(number) => Fact::Number(number.wrapped(*bits)),
            Fact::Truth(truth) => Fact::of_truth(truth.masked((1_i128 << (*bits).min(64)) - 1)),
            Fact::Address(address)
                if *bits == 32
                    && address.held == Held::Own
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
            Fact::Address(address) => Fact::Address(Address { bits: 64, ..address }),
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
    let (held, bits) = (Held::Own, 64);
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
fn numbers_in((one, other): (Fact, Fact), bits: u32) -> (Fact, Fact) {
    let wrapped = |fact| match fact {
        Fact::Number(number) => Fact::Number(number.wrapped(bits)),
        other => other,
    };
    (wrapped(one), wrapped(other))
}

/// Whether a mask tests the alignment of addresses: it keeps their lowest bits, but for those that
/// their storage says are zero, or may, where a Rust constant says which. The masks of matrix
/// descriptors are not for tests.
fn is_test(mask: &Linear, addresses: &[Address], storages: &[Storage<'_>]) -> bool {
    let Some(mask) = mask.value() else { return mask.is_exact() };
    if mask <= 0 || MASKS.contains(&mask) {
        return false;
    }
    // What is left out, 1 for nothing: a compiler leaves out what it knows.
    let lowest = 1_i128 << mask.trailing_zeros();
    let is_zero_below = |address: &Address| {
        let object = storages[address.storage].choices[0].at(address.is_pointee).0;
        let is_aligned = object.alignment().is_none_or(|align| align as i128 % lowest == 0);
        let offset = &address.offset;
        let mut parts = offset.steps.iter().chain([&offset.base]).map(Sum::value);
        is_aligned && parts.all(|part| part.is_none_or(|part| part % lowest == 0))
    };
    let is_contiguous = (mask + lowest) & mask == 0;
    is_contiguous && (lowest == 1 || addresses.iter().all(is_zero_below))
}

/// What is known of a number that is made of two others.
fn truths(one: &Fact, other: &Fact, make: impl Fn(&Truth, &Truth) -> Truth) -> Option<Fact> {
    Some(Fact::of_truth(make(&one.truth()?, &other.truth()?)))
}

/// A predicate that is made of two others.
fn predicates(one: &Fact, other: &Fact, make: impl Fn(&Truth, &Truth) -> Truth) -> Fact {
    let bit = |fact: &Fact| Some(Truth { mask: 1, ..fact.truth()? });
    match (bit(one), bit(other)) {
        (Some(one), Some(other)) => Fact::of_truth(make(&one, &other)),
        (_, _) => Fact::unknown(),
    }
}

/// The first where the third is not zero, else the second.
fn select(one: Fact, other: Fact, third: &Fact) -> Fact {
    let Some(third) = third.truth() else { return one.into_number().or(&other.into_number()) };
    match (&third.nonzero, &third.zero) {
        (Some(_), None) => return one,
        (None, Some(_)) => return other,
        (Some(_) | None, _) => {}
    }
    let is_bit = |fact: &Fact| match fact {
        Fact::Number(number) => matches!(number.value(), Some(0 | 1)),
        Fact::Truth(_) => true,
        _ => false,
    };
    match (one.truth(), other.truth()) {
        (Some(mine), Some(others)) if is_bit(&one) && is_bit(&other) => {
            Fact::of_truth(third.select(&mine, &others))
        }
        (_, _) => one.into_number().or(&other.into_number()),
    }
}

/// Whether two numbers compare so.
fn compare(
    both: (Fact, Fact),
    comparison: Comparison,
    (bits, is_signed): (u32, bool),
    resolved: &Resolved<'_>,
) -> Fact {
    let known = |holds: bool| Fact::Number(Linear::exact(Sum::known(holds.into())));
    match numbers_in(both, bits) {
        (Fact::Truth(truth), Fact::Number(number)) | (Fact::Number(number), Fact::Truth(truth))
            if number.value() == Some(0) =>
        {
            match comparison {
                Comparison::NotEqual => Fact::Truth(Truth { mask: 1, ..truth }),
                Comparison::Equal => Fact::Truth(truth.negated()),
                _ => Fact::unknown(),
            }
        }
        (Fact::Number(one), Fact::Number(other)) => {
            if let (Some(one), Some(other)) = (one.value(), other.value()) {
                let read = |value: i128| {
                    if is_signed { value } else { value.rem_euclid(1 << bits.min(64)) }
                };
                return known(comparison.holds(read(one), read(other)));
            }
            if one.is_exact() && other.is_exact() {
                let condition = |comparison| {
                    Claim::Constants(Condition {
                        one: one.base.clone(),
                        comparison,
                        other: other.base.clone(),
                        bits,
                        is_signed,
                    })
                };
                let (holds, not) = (condition(comparison), condition(comparison.negated()));
                return Fact::Truth(Truth::of(holds, not));
            }
            let (Some(one), Some(other)) = (one.affine(), other.affine()) else {
                return Fact::unknown();
            };
            match launch::compare(&one, comparison, &other, bits, resolved.block) {
                Ok(holds) => known(holds),
                Err(None) => Fact::unknown(),
                Err(Some([holds, not])) => {
                    Fact::Truth(Truth::of(Claim::Launch(holds), Claim::Launch(not)))
                }
            }
        }
        (_, _) => Fact::unknown(),
    }
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
