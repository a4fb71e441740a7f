//! Evaluates the number that an instruction computes, as far as its operands are known.

use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::vec;
use alloc::vec::Vec;

use ptx_types::Space;
use ptx_types::instruction::Computes;
use ptx_types::ir::body::Amount;
use ptx_types::rules::AddressKind;
use ptx_types::rules::access::Object;

use crate::address::KnownAddress;
use crate::bits::lowest;
use crate::claim::{Truth, both};
use crate::compare::{
    MASKS, compare, compared, is_test, kept, numbers_in, predicates, select, truths,
};
use crate::constants::Constants;
use crate::coordinates::{Compared, Coordinates};
use crate::expression::Expression;
use crate::node::{Referent, Resolved};
use crate::number::{Linear, Sum};
use crate::operation::Operator;
use crate::refine::with_bounds;
use crate::state::State;
use crate::storage::Storage;
use crate::value::{AbstractValue, Cut};

/// The maximum number of addresses that are followed through a bitwise OR.
const MOST_OR_ED: usize = 8;

/// The distance from its start within which shared storage certainly stays in shared memory, in bytes.
const NEAR: i128 = 1 << 20;

/// Returns the address of storage that an operand names.
pub(crate) fn address_of(storage: usize, storages: &[Storage<'_>]) -> AbstractValue {
    let kind = match storages[storage].object() {
        // The ABI decides where the address of a function parameter lies.
        Object::Input(_) | Object::Return(_) | Object::LocalParam(_) => AddressKind::Unsure,
        Object::Variable(_)
        | Object::Member(..)
        | Object::EntryParam(_)
        | Object::Pointee(_)
        | Object::FieldPointee(..) => AddressKind::Own,
    };
    let offset = Linear::exact(Sum::default());
    let (is_pointee, rank) = (false, None);
    AbstractValue::Address(KnownAddress { storage, is_pointee, kind, offset, bits: 64, rank })
}

/// The context in which an expression is evaluated.
#[derive(Clone, Copy)]
pub(crate) struct Evaluator<'e, 'a> {
    /// The instruction with its resolved names.
    pub(crate) resolved: &'e Resolved<'a>,
    /// The storage that the body names.
    pub(crate) storages: &'e [Storage<'a>],
    /// What is known about constants.
    pub(crate) constants: Constants<'e>,
    /// The ranges of special registers.
    pub(crate) coordinates: &'e Coordinates,
    /// The contents of registers.
    pub(crate) state: &'e State,
}

impl Evaluator<'_, '_> {
    /// Converts an amount to a number.
    pub(crate) fn amount(self, amount: Amount) -> Linear {
        Sum::of(amount, &self.constants).map_or_else(Linear::unknown, Linear::exact)
    }

    /// Restricts a value to these ranges of special registers.
    fn here(self, value: &AbstractValue) -> AbstractValue {
        if let AbstractValue::Number(number) = value
            && let Some(sum) = &number.launch
            && let Some(value) = self.coordinates.value_of(sum)
        {
            return AbstractValue::Number(Linear::exact(Sum::known(value)));
        }
        value.clone()
    }

    /// Returns the value of a special register.
    fn special(self, name: &str, element: &str) -> AbstractValue {
        let number = Linear::special(name, element);
        let span = number.launch.as_ref().and_then(|sum| self.coordinates.range_of(sum));
        self.here(&AbstractValue::Number(number.between(span)))
    }

    /// Returns the value of a register.
    pub(crate) fn held_in(self, register: usize) -> AbstractValue {
        let value = self.state.get(register);
        value.map_or_else(AbstractValue::unknown, |value| self.here(value))
    }

    /// Returns the value of a name.
    pub(crate) fn held(self, name: &str) -> AbstractValue {
        let storages = self.storages;
        match self.resolved.find(name) {
            Some(Referent::Register(register)) => self.held_in(register),
            Some(Referent::Storage(storage)) => address_of(storage, storages),
            // Nothing is known about a name that is not a special register.
            Some(Referent::Other) => self.special(name, ""),
            None => AbstractValue::unknown(),
        }
    }

    /// Returns the arithmetic in this context.
    fn operator(&self, bits: u32, is_signed: bool) -> Operator<'_> {
        Operator { bits, is_signed, coordinates: self.coordinates }
    }

    /// Returns unsigned arithmetic in this context.
    fn unsigned(&self, bits: u32) -> Operator<'_> {
        self.operator(bits, false)
    }

    /// Evaluates an operation.
    fn operation(
        self,
        how: Computes,
        operands: &[Expression<'_>],
        operator: Operator<'_>,
    ) -> AbstractValue {
        let values: Vec<AbstractValue> = operands.iter().map(|value| self.value(value)).collect();
        // For example, the number of threads whose alignment test succeeded.
        let counted = values.iter().filter_map(|value| match value {
            AbstractValue::Truth(truth) => Some(truth.whichever()),
            _ => None,
        });
        let counted = perhaps(counted);
        if matches!(counted, AbstractValue::Truth(_)) {
            return counted;
        }
        let values: Vec<AbstractValue> =
            values.into_iter().map(AbstractValue::into_number).collect();
        // The bit field of an address that matrix descriptors contain.
        if let (Computes::ExtractField, [AbstractValue::Address(address), first, length]) =
            (how, values.as_slice())
        {
            let value = |value: &AbstractValue| match value {
                AbstractValue::Number(number) => number.value(),
                _ => None,
            };
            if !operator.is_signed && (value(first), value(length)) == (Some(4), Some(14)) {
                return AbstractValue::Descriptor(address.clone(), Cut::Shifted, Rc::default());
            }
        }
        let mut numbers = Vec::new();
        for value in values {
            match value {
                AbstractValue::Number(number) => numbers.push(number.wrapped(operator.bits)),
                _ => return AbstractValue::Anything,
            }
        }
        let number = operator.compute(how, &numbers);
        AbstractValue::Number(number.unwrap_or_else(Linear::unknown))
    }

    /// Returns a comparison in an expression that differs among threads or iterations.
    pub(crate) fn undecided(self, value: &Expression<'_>) -> Option<Compared> {
        match value {
            Expression::Compare(two, comparison, bits, is_signed) => {
                let of = |value: &Expression<'_>| self.value(value).into_number();
                let both = (of(&two[0]), of(&two[1]));
                let compared = compared(both, *comparison, (*bits, *is_signed))?;
                self.coordinates.compare(&compared).is_err().then_some(compared)
            }
            Expression::And(two, 1) | Expression::Or(two, 1) | Expression::ExclusiveOr(two, 1) => {
                two.iter().find_map(|value| self.undecided(value))
            }
            _ => None,
        }
    }

    /// Evaluates an expression.
    pub(crate) fn value(self, value: &Expression<'_>) -> AbstractValue {
        let storages = self.storages;
        let whole = |value: &Expression<'_>| self.value(value);
        let of = |value: &Expression<'_>| whole(value).into_number();
        let both = |two: &[Expression<'_>; 2]| (of(&two[0]), of(&two[1]));
        match value {
            Expression::Name(name) => self.held(name.text),
            Expression::Amount(amount) => AbstractValue::Number(self.amount(*amount)),
            Expression::Special(name) => self.special(name.text, name.element),
            Expression::Element(element) => match self.held(element.0.text) {
                AbstractValue::Address(address) => {
                    let added = index_in_bytes(&address, of(&element.1), storages);
                    AbstractValue::Address(address.plus(&added))
                }
                _ => AbstractValue::Anything,
            },
            Expression::Param(loaded) => {
                let (name, offset, bytes) = &**loaded;
                match self.resolved.find(name.text) {
                    Some(Referent::Storage(storage))
                        if *bytes == 8
                            && offset.known() == Some(0)
                            && storages[storage].points_perhaps() =>
                    {
                        pointer(storage)
                    }
                    Some(Referent::Storage(storage)) => {
                        let Storage { content, .. } = &storages[storage];
                        if *bytes == 8
                            && let Some(field) = storages[storage].pointer_at(offset.known())
                        {
                            return pointer(field);
                        }
                        let is_whole = matches!(*bytes, 4 | 8)
                            && offset.known() == Some(0)
                            && storages[storage].object().bytes() == Some(*bytes);
                        match content.filter(|_| is_whole) {
                            Some(content) => self.held_in(content),
                            None => AbstractValue::unknown(),
                        }
                    }
                    Some(Referent::Register(_) | Referent::Other) | None => {
                        AbstractValue::unknown()
                    }
                }
            }
            Expression::Add(two, bits) => add(both(two), *bits),
            Expression::Subtract(two, bits) => match numbers_in(both(two), *bits) {
                (AbstractValue::Number(one), AbstractValue::Number(other)) => {
                    AbstractValue::Number(one.minus(&other).wrapped(*bits))
                }
                (AbstractValue::Address(address), AbstractValue::Number(number)) => {
                    let offset = address.offset.minus(&number).wrapped(*bits);
                    AbstractValue::Address(KnownAddress { offset, ..address })
                }
                (_, _) => AbstractValue::Anything,
            },
            Expression::Multiply(two, bits) => match numbers_in(both(two), *bits) {
                (AbstractValue::Number(one), AbstractValue::Number(other)) => {
                    AbstractValue::Number(one.times(&other).wrapped(*bits))
                }
                (_, _) => AbstractValue::Anything,
            },
            Expression::Remainder(two, bits, is_signed) => match numbers_in(both(two), *bits) {
                (AbstractValue::Number(one), AbstractValue::Number(by)) => {
                    AbstractValue::Number(self.operator(*bits, *is_signed).remainder(&one, &by))
                }
                // The lowest bits of an address.
                (
                    AbstractValue::Address(_) | AbstractValue::LowestBits(_),
                    AbstractValue::Number(by),
                ) if !is_signed => match by.value() {
                    Some(by) if u64::try_from(by).is_ok_and(u64::is_power_of_two) => {
                        let [one, _] = &**two;
                        let mask = Expression::Amount(Amount::Known(by - 1));
                        self.value(&Expression::And(Box::new([one.clone(), mask]), *bits))
                    }
                    Some(_) | None => AbstractValue::Anything,
                },
                (_, _) => AbstractValue::Anything,
            },
            Expression::Operation(how, operands, bits, is_signed) => {
                self.operation(*how, operands, self.operator(*bits, *is_signed))
            }
            Expression::ShiftLeft(two, bits) => match both(two) {
                // The remainder is its lowest bits.
                (AbstractValue::Address(address), AbstractValue::Number(by))
                    if kept(&by, *bits).is_some() =>
                {
                    AbstractValue::of_truth(
                        Truth::of_lowest_bits(&[address], kept(&by, *bits)).moved(),
                    )
                }
                (AbstractValue::LowestBits(addresses), AbstractValue::Number(by))
                    if kept(&by, *bits).is_some() =>
                {
                    AbstractValue::of_truth(
                        Truth::of_lowest_bits(&addresses, kept(&by, *bits)).moved(),
                    )
                }
                (AbstractValue::Number(one), AbstractValue::Number(by)) => {
                    AbstractValue::Number(match by.value() {
                        Some(by) if (0..i128::from(*bits)).contains(&by) => {
                            one.times(&Linear::exact(Sum::known(1 << by))).wrapped(*bits)
                        }
                        Some(_) | None => Linear::unknown(),
                    })
                }
                // The upper half of a descriptor contains no address bits, and neither does this.
                (_, _) => AbstractValue::Anything,
            },
            Expression::ShiftRight(two, bits, is_signed) => match both(two) {
                (AbstractValue::Number(one), AbstractValue::Number(by)) => {
                    let one = one.wrapped(*bits);
                    AbstractValue::Number(self.operator(*bits, *is_signed).shift_right(&one, &by))
                }
                (
                    AbstractValue::Descriptor(address, Cut::Masked, bits),
                    AbstractValue::Number(by),
                ) if by.value() == Some(4) && bits.is_zero() => {
                    AbstractValue::Descriptor(address, Cut::Shifted, bits)
                }
                (AbstractValue::Address(address), AbstractValue::Number(by))
                    if by.value() == Some(4) =>
                {
                    AbstractValue::Descriptor(address, Cut::Shifted, Rc::default())
                }
                (_, _) => AbstractValue::Anything,
            },
            Expression::And(two, 1) => predicates(&whole(&two[0]), &whole(&two[1]), Truth::and),
            Expression::Or(two, 1) => predicates(&whole(&two[0]), &whole(&two[1]), Truth::or),
            Expression::ExclusiveOr(two, 1) => {
                predicates(&whole(&two[0]), &whole(&two[1]), Truth::exclusive_or)
            }
            Expression::And(two, bits) => match numbers_in((whole(&two[0]), whole(&two[1])), *bits)
            {
                // This mask takes the lower half; no alignment test uses it.
                (AbstractValue::Address(address), AbstractValue::Number(mask))
                | (AbstractValue::Number(mask), AbstractValue::Address(address))
                    if mask.value() == Some(0xffff_ffff)
                        && *bits == 64
                        && !is_narrow(&address, storages) =>
                {
                    AbstractValue::LowestBits(vec![address])
                }
                (AbstractValue::Address(address), AbstractValue::Number(mask))
                | (AbstractValue::Number(mask), AbstractValue::Address(address))
                    if is_test(&mask, *bits, core::slice::from_ref(&address), storages) =>
                {
                    AbstractValue::of_truth(Truth::of_lowest_bits(&[address], mask.value()))
                }
                (AbstractValue::LowestBits(addresses), AbstractValue::Number(mask))
                | (AbstractValue::Number(mask), AbstractValue::LowestBits(addresses))
                    if is_test(&mask, *bits, &addresses, storages) =>
                {
                    AbstractValue::of_truth(Truth::of_lowest_bits(&addresses, mask.value()))
                }
                // Unknown mask bits may be zero.
                (AbstractValue::Truth(truth), AbstractValue::Number(mask))
                | (AbstractValue::Number(mask), AbstractValue::Truth(truth)) => {
                    AbstractValue::of_truth(truth.masked(mask.value().unwrap_or_default()))
                }
                (AbstractValue::Number(one), AbstractValue::Number(other)) => {
                    match self.unsigned(*bits).and(&one, &other) {
                        Some(number) => AbstractValue::Number(number),
                        None => and(&one, &other),
                    }
                }
                (AbstractValue::Address(address), AbstractValue::Number(mask)) => {
                    match mask.value() {
                        Some(mask) if MASKS.contains(&mask) => {
                            AbstractValue::Descriptor(address, Cut::Masked, Rc::default())
                        }
                        Some(_) | None => AbstractValue::Address(address.plus(&Linear::unknown())),
                    }
                }
                (AbstractValue::Descriptor(address, cut, bits), AbstractValue::Number(mask))
                    if mask.value().is_some_and(|mask| MASKS.contains(&mask)) =>
                {
                    AbstractValue::Descriptor(address, cut, bits)
                }
                (one, other) => truths(&one, &other, Truth::and).unwrap_or(AbstractValue::Anything),
            },
            Expression::Or(two, bits) => {
                match numbers_in((whole(&two[0]), whole(&two[1])), *bits) {
                    (
                        one @ (AbstractValue::Address(_) | AbstractValue::LowestBits(_)),
                        other @ (AbstractValue::Address(_) | AbstractValue::LowestBits(_)),
                    ) => {
                        let is_whole = matches!(
                            (&one, &other),
                            (AbstractValue::Address(_), AbstractValue::Address(_))
                        );
                        let addresses = |value| match value {
                            AbstractValue::Address(address) => vec![address],
                            AbstractValue::LowestBits(addresses) => addresses,
                            AbstractValue::Number(_)
                            | AbstractValue::Truth(_)
                            | AbstractValue::Descriptor(..)
                            | AbstractValue::Truncated(_)
                            | AbstractValue::Anything => Vec::new(),
                        };
                        let mut all = addresses(one);
                        for address in addresses(other) {
                            if !all.contains(&address) {
                                all.push(address);
                            }
                        }
                        match (all.as_slice(), *bits) {
                            // An OR with itself changes nothing.
                            ([address], _) if is_whole => AbstractValue::Address(address.clone()),
                            // Half of the address is combined with all of it.
                            ([_], 33..) => AbstractValue::Anything,
                            ([_, ..], _) if all.len() <= MOST_OR_ED => {
                                AbstractValue::LowestBits(all)
                            }
                            ([..], _) => AbstractValue::Anything,
                        }
                    }
                    (one @ AbstractValue::Truth(_), other)
                    | (one, other @ AbstractValue::Truth(_)) => {
                        truths(&one, &other, Truth::or).unwrap_or(AbstractValue::Anything)
                    }
                    (descriptor @ AbstractValue::Descriptor(..), other)
                    | (other, descriptor @ AbstractValue::Descriptor(..)) => {
                        add((descriptor, other), *bits)
                    }
                    (AbstractValue::Number(one), AbstractValue::Number(other)) => {
                        let operator = self.unsigned(*bits);
                        let bits = || one.with_bits_of(&other);
                        AbstractValue::Number(operator.or(&one, &other).unwrap_or_else(bits))
                    }
                    both => changed(both),
                }
            }
            Expression::ExclusiveOr(two, bits) => match (whole(&two[0]), whole(&two[1])) {
                (one @ AbstractValue::Truth(_), other) | (one, other @ AbstractValue::Truth(_)) => {
                    truths(&one, &other, Truth::exclusive_or).unwrap_or(AbstractValue::Anything)
                }
                both => match numbers_in(both, *bits) {
                    (AbstractValue::Number(one), AbstractValue::Number(other)) => {
                        let operator = self.unsigned(*bits);
                        let bits = || one.with_bits_of(&other);
                        AbstractValue::Number(
                            operator.exclusive_or(&one, &other).unwrap_or_else(bits),
                        )
                    }
                    both => changed(both),
                },
            },
            Expression::Select(two, third) => select(whole(&two[0]), whole(&two[1]), &whole(third)),
            Expression::Not(one) => match whole(one) {
                AbstractValue::Number(number) => AbstractValue::Number(match number.value() {
                    Some(value) => Linear::exact(Sum::known((value == 0).into())),
                    None => Linear::unknown(),
                }),
                AbstractValue::Truth(truth) => AbstractValue::Truth(truth.negated()),
                _ => AbstractValue::Anything,
            },
            Expression::Compare(two, comparison, bits, is_signed) => {
                let (one, other) = (whole(&two[0]), whole(&two[1]));
                let how = (*bits, *is_signed);
                let both = (one.clone(), other.clone());
                let compared = compare(both, *comparison, how, self.coordinates);
                let register = |of: &Expression<'_>| match of {
                    Expression::Name(name) => self.register(name.text),
                    _ => None,
                };
                let sides = ((register(&two[0]), &one), (register(&two[1]), &other));
                with_bounds(compared, sides, *comparison, how)
            }
            Expression::Halves(two) => match both(two) {
                (AbstractValue::Number(_), AbstractValue::Number(_)) => AbstractValue::unknown(),
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
            },
            Expression::ToGeneric(space, one) => match of(one) {
                AbstractValue::Address(address) => AbstractValue::Address(KnownAddress {
                    kind: if is_in(&address, *space, storages) {
                        AddressKind::Generic
                    } else {
                        AddressKind::Unsure
                    },
                    ..address
                }),
                other => other,
            },
            Expression::FromGeneric(space, one) => match of(one) {
                AbstractValue::Address(address) => AbstractValue::Address(KnownAddress {
                    kind: if is_in(&address, *space, storages) {
                        AddressKind::Own
                    } else {
                        AddressKind::In(*space)
                    },
                    ..address
                }),
                other => other,
            },
            Expression::IsInSpace(space, one) => match of(one) {
                AbstractValue::Address(address) => match generic_space(&address, storages) {
                    // A different modifier tests which block's shared memory it is in; this block's is in both
                    // windows.
                    Some(is)
                        if is != *space
                            || is != Space::Shared
                            || address.rank.is_none() && !address.is_pointee =>
                    {
                        let holds = is == *space;
                        AbstractValue::Number(Linear::exact(Sum::known(holds.into())))
                    }
                    Some(_) | None => AbstractValue::unknown(),
                },
                _ => AbstractValue::unknown(),
            },
            Expression::Narrow(one, bits) => match whole(one) {
                AbstractValue::Number(number) => {
                    AbstractValue::Number(self.unsigned(*bits).narrowed(number))
                }
                AbstractValue::Truth(truth) => {
                    AbstractValue::of_truth(truth.masked(lowest(*bits).into()))
                }
                AbstractValue::Address(address)
                    if *bits == 32
                        && address.kind == AddressKind::Own
                        && is_narrow(&address, storages) =>
                {
                    let offset = address.offset.wrapped(32);
                    AbstractValue::Address(KnownAddress { offset, bits: 32, ..address })
                }
                AbstractValue::Descriptor(address, cut, others) => {
                    AbstractValue::Descriptor(address, cut, lowest_bits(&others, *bits))
                }
                other @ (AbstractValue::LowestBits(_) | AbstractValue::Truncated(_)) => other,
                AbstractValue::Address(address) => AbstractValue::LowestBits(vec![address]),
                AbstractValue::Anything => AbstractValue::Anything,
            },
            Expression::Extend(one, bits, is_signed) => match (whole(one), *bits) {
                (AbstractValue::Number(number), _) => {
                    AbstractValue::Number(self.operator(*bits, *is_signed).extended(number))
                }
                // With 32 bits, only addresses that fit survive.
                (AbstractValue::Address(address), 32..) => {
                    AbstractValue::Address(KnownAddress { bits: 64, ..address })
                }
                (AbstractValue::Address(address), _) => AbstractValue::LowestBits(vec![address]),
                (AbstractValue::Descriptor(..), ..32) => AbstractValue::Anything,
                (AbstractValue::Truth(truth), _) => {
                    AbstractValue::of_truth(truth.masked(lowest(*bits).into()))
                }
                (other, _) => other,
            },
            Expression::Remote(two) => match of(&two[0]) {
                AbstractValue::Address(address) => {
                    let rank = match of(&two[1]) {
                        AbstractValue::Number(rank) => rank,
                        _ => Linear::unknown(),
                    };
                    // An address outside shared memory maps to a different location in another block.
                    let is_near = |(least, most): (i128, i128)| least > -NEAR && most < NEAR;
                    let offset = match address.offset.span() {
                        Some(range) if !is_near(range) => address.offset.clone().anywhere(),
                        Some(_) | None => address.offset.clone(),
                    };
                    AbstractValue::Address(KnownAddress {
                        rank: Some(Rc::new(rank)),
                        offset,
                        ..address
                    })
                }
                // Shared memory starts at zero, but another block's does not.
                AbstractValue::Number(_) => AbstractValue::unknown(),
                other => other,
            },
            Expression::Made(names) => {
                if names.iter().all(|name| self.holds_number(name.text)) {
                    let values = names.iter().map(|name| self.held(name.text));
                    perhaps(values.filter_map(|value| match value {
                        AbstractValue::Truth(truth) => Some(truth),
                        _ => None,
                    }))
                } else {
                    AbstractValue::Anything
                }
            }
        }
    }

    /// Returns the register that a name refers to.
    fn register(self, name: &str) -> Option<usize> {
        match self.resolved.find(name)? {
            Referent::Register(register) => Some(register),
            Referent::Storage(_) | Referent::Other => None,
        }
    }

    /// Whether a name holds a number.
    fn holds_number(self, name: &str) -> bool {
        match self.resolved.find(name) {
            Some(Referent::Register(register)) => match self.state.get(register).map(|it| &**it) {
                None | Some(AbstractValue::Number(_)) => true,
                Some(AbstractValue::Truth(truth)) => truth.address.is_none(),
                Some(
                    AbstractValue::Address(_)
                    | AbstractValue::Descriptor(..)
                    | AbstractValue::LowestBits(_)
                    | AbstractValue::Truncated(_)
                    | AbstractValue::Anything,
                ) => false,
            },
            Some(Referent::Storage(_)) => false,
            Some(Referent::Other) | None => true,
        }
    }
}

/// Returns a number computed from test results by `vote` or `redux`.
fn perhaps(truths: impl Iterator<Item = Truth>) -> AbstractValue {
    let all = truths.map(|truth| truth.perhaps());
    all.reduce(|one, other| Truth {
        nonzero: both(&one.nonzero, &other.nonzero),
        zero: both(&one.zero, &other.zero),
        ..one
    })
    .map_or_else(AbstractValue::unknown, AbstractValue::of_truth)
}

/// Returns the byte offset of an index into storage.
pub(crate) fn index_in_bytes(
    address: &KnownAddress,
    index: AbstractValue,
    storages: &[Storage<'_>],
) -> Linear {
    let stride = storages[address.storage].object().indexed_bytes();
    match (index, stride.and_then(|bytes| i128::try_from(bytes).ok())) {
        (AbstractValue::Number(index), Some(stride)) => {
            index.times(&Linear::exact(Sum::known(stride)))
        }
        (_, _) => Linear::unknown(),
    }
}

/// Returns the value of a parameter that is a pointer, or that rustc may find to be one.
pub(crate) fn pointer(storage: usize) -> AbstractValue {
    let offset = Linear::exact(Sum::default());
    let (kind, bits) = (AddressKind::Own, 64);
    AbstractValue::Address(KnownAddress {
        storage,
        is_pointee: true,
        kind,
        offset,
        bits,
        rank: None,
    })
}

/// Whether an address in its own state space fits in 32 bits.
fn is_narrow(address: &KnownAddress, storages: &[Storage<'_>]) -> bool {
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

/// Returns the result of a bitwise operation that may change bits of an address.
fn changed(both: (AbstractValue, AbstractValue)) -> AbstractValue {
    match both {
        (AbstractValue::Address(address), AbstractValue::Number(bits))
        | (AbstractValue::Number(bits), AbstractValue::Address(address)) => {
            let offset = address.offset.with_bits_of(&bits).wrapped(address.bits);
            AbstractValue::Address(KnownAddress { offset, ..address })
        }
        (_, _) => AbstractValue::Anything,
    }
}

/// Returns the lowest of the descriptor bits other than the address, if they are known.
fn lowest_bits(of: &Rc<Sum>, bits: u32) -> Rc<Sum> {
    let kept = |value: i128| Rc::new(Sum::known(value & i128::from(lowest(bits))));
    of.value().map_or_else(|| Rc::clone(of), kept)
}

/// Whether a number fits in 32 bits.
fn is_small(number: &Linear) -> bool {
    const MOST: i128 = 0xffff_ffff;
    number.span().is_some_and(|(least, most)| least >= -MOST && most <= MOST)
}

fn add(both: (AbstractValue, AbstractValue), bits: u32) -> AbstractValue {
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

fn and(one: &Linear, other: &Linear) -> AbstractValue {
    let masked = |number: &Linear, mask: i128| {
        let step = 1_i128 << mask.trailing_zeros().min(63);
        match number.value() {
            Some(value) => Linear::exact(Sum::known(value & mask)),
            None => Linear::multiple_of(step),
        }
    };
    AbstractValue::Number(match (one.value(), other.value()) {
        (_, Some(0)) | (Some(0), _) => Linear::exact(Sum::default()),
        (_, Some(mask)) => masked(one, mask),
        (Some(mask), None) => masked(other, mask),
        (None, None) => Linear::unknown(),
    })
}

#[cfg(test)]
mod pointers;
#[cfg(test)]
mod tests;
