//! Evaluates the number that an instruction computes, as far as its operands are known.

mod bitwise;
mod spaces;
mod sums;
mod widths;

use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::vec::Vec;

use ptx_isa::instruction::Computes;
use ptx_isa::ir::body::{Amount, Name};
use ptx_isa::rules::AddressKind;
use ptx_isa::rules::access::Object;

use self::bitwise::{and, exclusive_or, or, shift_left, shift_right};
use self::spaces::{from_generic, is_in_space, remote, to_generic};
use self::sums::{add, subtract};
use self::widths::{extended, halves, narrowed};
use crate::flow::expression::Expression;
use crate::flow::node::{Referent, Resolved};
use crate::flow::storage::Storage;
use crate::values::address::KnownAddress;
use crate::values::claim::{Truth, both};
use crate::values::compare::{compare, compared, numbers_in, predicates, select};
use crate::values::constants::Constants;
use crate::values::coordinates::{Compared, Coordinates, Inputs};
use crate::values::launch::Fixed;
use crate::values::number::{Linear, Sum};
use crate::values::operation::Operator;
use crate::values::refine::with_bounds;
use crate::values::state::State;
use crate::values::value::{AbstractValue, Cut};

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
        // How many there are is an input, too.
        let is_number = |(of, _)| matches!(of, Fixed::Threads(_) | Fixed::Blocks(_));
        let is_given = self.coordinates.inputs != Inputs::Any
            && number.launch.as_ref().is_some_and(|sum| sum.terms().any(is_number));
        self.here(&AbstractValue::Number(Linear { is_given, ..number.between(span) }))
    }

    /// Returns the value of a register.
    pub(crate) fn held_in(self, register: usize) -> AbstractValue {
        let value = self.state.get(register);
        value.map_or_else(AbstractValue::unknown, |value| self.here(value))
    }

    /// Returns the value of a name.
    pub(crate) fn value_of(self, name: &str) -> AbstractValue {
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
        let counted = possible_result(counted);
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
        let computed = self.computed(value);
        let is_small = match self.coordinates.inputs {
            Inputs::Any => return computed,
            Inputs::Few => false,
            Inputs::Small => true,
        };
        let is_read = matches!(value, Expression::Param(_) | Expression::Made(_));
        match computed {
            AbstractValue::Anything if is_small && is_read => small(),
            AbstractValue::Number(number) if !number.is_exact() => {
                let mut is_given = number.is_given || is_read && is_unlimited(&number);
                value.each_name(&mut |name| is_given |= self.is_given(name));
                if is_small && is_given && is_unlimited(&number) {
                    return small();
                }
                AbstractValue::Number(Linear { is_given, ..number })
            }
            computed => computed,
        }
    }

    /// Whether a number is computed from inputs.
    fn is_given(self, name: Name<'_>) -> bool {
        match self.resolved.find(name.text) {
            Some(Referent::Register(register)) => {
                let value = self.state.get(register).map(|value| &**value);
                matches!(value, Some(AbstractValue::Number(number)) if number.is_given)
            }
            // Clocks and the like.
            Some(Referent::Other) => is_unlimited(&Linear::special(name.text, name.element)),
            Some(Referent::Storage(_)) | None => false,
        }
    }

    fn computed(self, value: &Expression<'_>) -> AbstractValue {
        let storages = self.storages;
        let whole = |value: &Expression<'_>| self.value(value);
        let of = |value: &Expression<'_>| whole(value).into_number();
        let both = |two: &[Expression<'_>; 2]| (of(&two[0]), of(&two[1]));
        match value {
            Expression::Name(name) => self.value_of(name.text),
            Expression::Amount(amount) => AbstractValue::Number(self.amount(*amount)),
            Expression::Special(name) => self.special(name.text, name.element),
            Expression::Element(element) => match self.value_of(element.0.text) {
                AbstractValue::Address(address) => {
                    let added = index_in_bytes(&address, of(&element.1), storages);
                    AbstractValue::Address(address.plus(&added))
                }
                _ => AbstractValue::Anything,
            },
            Expression::Param(loaded) => self.param(loaded),
            Expression::Add(two, bits) => add(both(two), *bits),
            Expression::Subtract(two, bits) => subtract(both(two), *bits),
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
            Expression::ShiftLeft(two, bits) => shift_left(both(two), *bits),
            Expression::ShiftRight(two, bits, is_signed) => {
                shift_right(both(two), self.operator(*bits, *is_signed))
            }
            Expression::And(two, 1) => predicates(&whole(&two[0]), &whole(&two[1]), Truth::and),
            Expression::Or(two, 1) => predicates(&whole(&two[0]), &whole(&two[1]), Truth::or),
            Expression::ExclusiveOr(two, 1) => {
                predicates(&whole(&two[0]), &whole(&two[1]), Truth::exclusive_or)
            }
            Expression::And(two, bits) => {
                and((whole(&two[0]), whole(&two[1])), self.unsigned(*bits), storages)
            }
            Expression::Or(two, bits) => or((whole(&two[0]), whole(&two[1])), self.unsigned(*bits)),
            Expression::ExclusiveOr(two, bits) => {
                exclusive_or((whole(&two[0]), whole(&two[1])), self.unsigned(*bits))
            }
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
                with_bounds(compared, sides, *comparison, how, self.coordinates.inputs)
            }
            Expression::Halves(two) => halves(both(two), storages),
            Expression::ToGeneric(space, one) => to_generic(of(one), *space, storages),
            Expression::FromGeneric(space, one) => from_generic(of(one), *space, storages),
            Expression::IsInSpace(space, one) => is_in_space(&of(one), *space, storages),
            Expression::Narrow(one, bits) => narrowed(whole(one), self.unsigned(*bits), storages),
            Expression::Extend(one, bits, is_signed) => {
                extended(whole(one), self.operator(*bits, *is_signed))
            }
            Expression::Remote(two) => remote(of(&two[0]), of(&two[1])),
            Expression::Made(names) => {
                if names.iter().all(|name| self.holds_number(name.text)) {
                    let values = names.iter().map(|name| self.value_of(name.text));
                    possible_result(values.filter_map(|value| match value {
                        AbstractValue::Truth(truth) => Some(truth),
                        _ => None,
                    }))
                } else {
                    AbstractValue::Anything
                }
            }
        }
    }

    /// Returns the value at this offset of a parameter.
    fn param(self, (name, offset, bytes): &(Name<'_>, Amount, usize)) -> AbstractValue {
        let storages = self.storages;
        match self.resolved.find(name.text) {
            Some(Referent::Storage(storage))
                if *bytes == 8 && offset.known() == Some(0) && storages[storage].may_point() =>
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
            Some(Referent::Register(_) | Referent::Other) | None => AbstractValue::unknown(),
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

/// Whether nothing limits a number.
fn is_unlimited(number: &Linear) -> bool {
    number.span().is_none() && number.launch.is_none() && number.is_without_constants()
}

/// Returns what is not known, where it is known to be small.
fn small() -> AbstractValue {
    AbstractValue::Number(Linear::unknown().between(Some((0, 1)))).given()
}

/// Returns a number computed from test results by `vote` or `redux`.
fn possible_result(truths: impl Iterator<Item = Truth>) -> AbstractValue {
    let all = truths.map(|truth| truth.possible());
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

#[cfg(test)]
mod tests;
