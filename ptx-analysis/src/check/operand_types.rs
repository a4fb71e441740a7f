//! Checks the types of an instruction's operands.

use ptx_isa::instruction::{
    Computes, GivenOperand, InstructionTypes, OperandType, Role, Row, WantedOperand, WrongOperand,
};
use ptx_isa::ir::Type;
use ptx_isa::ir::body::{Immediate, Instruction, Name, Operand, OperandKind, TokenRange};
use ptx_isa::rules::Arg;
use ptx_isa::rules::form::Form;
use ptx_isa::{Class, ScalarType, special};

use crate::check::form;
use crate::flow::node::Referent;
use crate::flow::place::Place;
use crate::names::resolver::Resolver;

/// The modifier with which the last operand is a cache policy; only a mask of bytes follows it.
const CACHE_HINT: &str = "cache_hint";

/// The modifier with which the last operand is a mask of bytes.
const BYTE_MASK: &str = "cp_mask";

/// A predicate.
const PREDICATE: WantedOperand =
    WantedOperand { ty: ScalarType::Pred, is_relaxed: false, any_kind: false };

/// An operand that does not fit, and its place.
type WrongTypeAt<'a> = (Arg<'a>, TokenRange, WantedOperand, GivenOperand);

/// Reports the guard if it is not a predicate, and the first operand that is not of the type that the instruction
/// takes.
pub(crate) fn check_operand_types<'a>(
    resolver: &mut Resolver<'_, 'a, '_>,
    statement: usize,
    instruction: &Instruction<'a>,
) {
    if let Some(guard) = instruction.guard
        && let Some((what, at, wanted, given)) = of_name(resolver, guard.name, PREDICATE)
    {
        let wrong = WrongOperand { list: None, types: [None; 2], wanted, given, is_written: false };
        resolver.check_form(Form::OperandType(what, wrong), Place::new(statement, at));
    }
    let Some(row) = instruction.row else { return };
    if row.has_result
        && let Some(result) = instruction.operands.first()
        && let Some((what, at)) = not_a_register(resolver, result)
    {
        resolver.check_form(Form::ResultInPlaceOf(what, row.opcode), Place::new(statement, at));
        return;
    }
    if form::sub_word_type(instruction).is_some() {
        return;
    }
    // What an unknown modifier means for the operands is unknown, too. A type that the instruction does not have is
    // reported itself, and so is a number of operands.
    if !form::knows_modifiers(instruction)
        || form::wrong_type(resolver, instruction).is_some()
        || form::wrong_count(resolver, instruction).is_some()
    {
        return;
    }
    let listed = Listed::of(row, instruction);
    let pairs = instruction.pairs();
    let types = InstructionTypes::of(&pairs);
    // Between vectors, `mov` copies each element.
    let is_by_element = row.computes == Computes::Copy && form::lanes(instruction).is_some();
    if is_by_element {
        return;
    }
    for (n, operand) in instruction.operands.iter().enumerate() {
        let ty = listed.nth(n);
        let is_written = listed.is_result(row, n);
        let is_texel =
            n == 0 && row.has_result && row.addresses.iter().any(|it| it.role == Role::Texture);
        if let Some((what, at, wanted, given)) = wrong(resolver, operand, ty, &types, is_texel) {
            let row = Row::number(instruction.opcode, &pairs).unwrap_or_default();
            let list = u16::try_from(row).ok().zip(u8::try_from(listed.index).ok());
            let types = types.last_two();
            let wrong = WrongOperand { list, types, wanted, given, is_written };
            resolver.check_form(Form::OperandType(what, wrong), Place::new(statement, at));
            return;
        }
    }
}

/// The types that the table has for the operands of an instruction.
pub(crate) struct Listed {
    /// The index of the list in the row.
    index: usize,
    types: &'static [OperandType],
    /// The index of the cache policy, which no list has.
    policy: Option<usize>,
}

impl Listed {
    pub(crate) fn of(row: &Row, instruction: &Instruction<'_>) -> Self {
        let (index, types) = row.operand_types(|word| instruction.has(word)).unwrap_or_default();
        let masks = usize::from(instruction.has(BYTE_MASK));
        let policy = instruction.operands.len().checked_sub(1 + masks);
        let policy = policy.filter(|_| instruction.has(CACHE_HINT));
        Self { index, types, policy }
    }

    /// Whether the operand with this index has the place of the cache policy.
    pub(crate) fn is_policy(&self, n: usize) -> bool {
        self.policy == Some(n)
    }

    /// Returns the type of the operand with this index.
    pub(crate) fn nth(&self, n: usize) -> OperandType {
        if self.is_policy(n) {
            return OperandType::Is(ScalarType::U64);
        }
        self.types.get(self.listed_before(n)).copied().unwrap_or(OperandType::Any)
    }

    /// Whether the operand with this index is written.
    pub(crate) fn is_result(&self, row: &Row, n: usize) -> bool {
        n == 0 && (row.has_result || self.nth(1).is_address() == Some(true))
    }

    /// Whether an operand before the one with this index is an address in brackets.
    pub(crate) fn has_address_before(&self, n: usize) -> bool {
        let mut before = self.types.iter().take(self.listed_before(n));
        before.any(|ty| ty.is_address() == Some(true))
    }

    /// The number of operands before the one with this index, without a cache policy.
    fn listed_before(&self, n: usize) -> usize {
        n - usize::from(self.policy.is_some_and(|policy| policy < n))
    }
}

/// Returns the part of a result that is a number, or the name of storage.
fn not_a_register<'a>(
    resolver: &mut Resolver<'_, 'a, '_>,
    result: &Operand<'a>,
) -> Option<(Arg<'a>, TokenRange)> {
    match &result.kind {
        OperandKind::Name(name) => matches!(resolver.referent(name.text), Referent::Storage(_))
            .then_some((Arg::Name(name.text), name.at())),
        OperandKind::Immediate(Immediate::Integer(value)) => Some((Arg::Int(*value), result.at?)),
        OperandKind::Immediate(_) => Some((Arg::Str("this"), result.at?)),
        OperandKind::Vector(elements) => {
            // ptxas takes a variable for an element.
            let mut constants =
                elements.iter().filter(|element| !matches!(element.kind, OperandKind::Name(_)));
            constants.find_map(|element| not_a_register(resolver, element))
        }
        OperandKind::Offset(..)
        | OperandKind::Element(..)
        | OperandKind::Not(_)
        | OperandKind::Pair(..)
        | OperandKind::Address(_)
        | OperandKind::Arguments(_)
        | OperandKind::Other(_) => None,
    }
}

/// Returns the part of an operand that is not of its type.
fn wrong<'a>(
    resolver: &Resolver<'_, 'a, '_>,
    operand: &Operand<'a>,
    ty: OperandType,
    types: &InstructionTypes,
    is_texel: bool,
) -> Option<WrongTypeAt<'a>> {
    let each = |elements: &[Operand<'a>]| {
        // ptxas does not compare the types in a vector with a number.
        if elements.iter().any(|it| matches!(it.kind, OperandKind::Immediate(_))) {
            return None;
        }
        // An element of bits makes a vector of bits, and so may one of an unknown type.
        let mut names = elements.iter().filter_map(Operand::name);
        let any_kind = names.any(|name| {
            let ty = register(resolver, name).and_then(Type::scalar);
            name.text != "_" && ty.is_none_or(|ty| ty.class() == Class::Bits)
        });
        let wanted = ty.wanted(types, elements.len())?;
        let wanted = WantedOperand { any_kind: wanted.any_kind || any_kind, ..wanted };
        elements.iter().find_map(|element| of_operand(resolver, element, wanted))
    };
    match &operand.kind {
        OperandKind::Vector(elements) => each(elements),
        OperandKind::Address(inner) => inner.iter().find_map(|inner| match &inner.kind {
            OperandKind::Vector(elements) => each(elements),
            _ => None,
        }),
        OperandKind::Name(name) if is_whole(resolver, *name, ty, types) => None,
        OperandKind::Name(name) if is_vector(resolver, *name) => {
            of_name(resolver, *name, ty.wanted(types, 1)?)
        }
        // The vector that a texture is read into, with a predicate: `{%a, %b, %c, %d}|%p`.
        OperandKind::Other(names) if is_texel => {
            let (predicate, elements) = names.split_last()?;
            let wanted = ty.wanted(types, elements.len())?;
            elements
                .iter()
                .find_map(|name| of_name(resolver, *name, wanted))
                .or_else(|| of_name(resolver, *predicate, PREDICATE))
        }
        // The second is a predicate, whatever the first is.
        OperandKind::Pair(first, second) => of_name(resolver, *first, ty.wanted(types, 0)?)
            .or_else(|| of_name(resolver, *second, PREDICATE)),
        _ => of_operand(resolver, operand, ty.wanted(types, 0)?),
    }
}

/// An operand that is an integer.
fn integer(value: i128) -> GivenOperand {
    GivenOperand::Integer(i64::try_from(value).unwrap_or_default())
}

fn of_operand<'a>(
    resolver: &Resolver<'_, 'a, '_>,
    operand: &Operand<'a>,
    wanted: WantedOperand,
) -> Option<WrongTypeAt<'a>> {
    let (what, given) = match &operand.kind {
        OperandKind::Name(name) => return of_name(resolver, *name, wanted),
        OperandKind::Not(inner) => return of_operand(resolver, inner, wanted),
        OperandKind::Immediate(Immediate::Integer(value)) => (Arg::Int(*value), integer(*value)),
        OperandKind::Immediate(Immediate::Expression(amount)) => {
            (Arg::Str("this"), integer(amount.known()?))
        }
        OperandKind::Immediate(Immediate::Float(bytes)) => {
            (Arg::Str("this"), GivenOperand::Float(*bytes))
        }
        OperandKind::Immediate(Immediate::Constant(number, amount)) => {
            let given = match resolver.unit.body.constants().get(*number)? {
                ptx_isa::Number::F32(_) => GivenOperand::Float(4),
                ptx_isa::Number::F64(_) => GivenOperand::Float(8),
                ptx_isa::Number::Int { .. } | ptx_isa::Number::Bits(_) => integer(amount.known()?),
            };
            (Arg::Str("this"), given)
        }
        // An expression in parentheses.
        OperandKind::Arguments(inner) => {
            return match inner.as_slice() {
                [one] if matches!(one.kind, OperandKind::Immediate(_)) => {
                    of_operand(resolver, one, wanted)
                }
                _ => None,
            };
        }
        // Their types are not known, or they have none.
        OperandKind::Offset(..)
        | OperandKind::Element(..)
        | OperandKind::Pair(..)
        | OperandKind::Address(_)
        | OperandKind::Vector(_)
        | OperandKind::Other(_) => return None,
    };
    (!wanted.takes(given)).then_some((what, operand.at?, wanted, given))
}

fn of_name<'a>(
    resolver: &Resolver<'_, 'a, '_>,
    name: Name<'a>,
    wanted: WantedOperand,
) -> Option<WrongTypeAt<'a>> {
    let given = match register(resolver, name) {
        Some(ty) => GivenOperand::Register(ty.scalar()?),
        None if resolver.scopes.find(name.text).is_some() => return None,
        None => GivenOperand::Special(of_special(name, wanted)?),
    };
    (!wanted.takes(given)).then_some((Arg::Name(name.text), name.whole_at(), wanted, given))
}

/// Returns the type of a special register that is read as a type.
fn of_special(name: Name<'_>, wanted: WantedOperand) -> Option<ScalarType> {
    let special = special::special_register(name.text)?;
    let narrower = [ScalarType::U16, ScalarType::U32];
    let as_before = narrower.into_iter().find(|ty| ty.bytes() == wanted.ty.bytes());
    Some(as_before.filter(|_| special.had_16_bits()).unwrap_or(special.ty))
}

/// Whether a register with several elements is read or written as the bits of one value.
fn is_whole<'a>(
    resolver: &Resolver<'_, 'a, '_>,
    name: Name<'a>,
    ty: OperandType,
    types: &InstructionTypes,
) -> bool {
    let (OperandType::WholeType(_), true) = (ty, is_vector(resolver, name)) else { return false };
    let bytes = ty.wanted(types, 0).map(|wanted| wanted.ty.bytes());
    register(resolver, name).and_then(Type::size) == bytes
}

/// Whether a name is that of a register with several elements, all of which are used.
fn is_vector<'a>(resolver: &Resolver<'_, 'a, '_>, name: Name<'a>) -> bool {
    name.element.is_empty() && matches!(register(resolver, name), Some(Type::Vector(..)))
}

/// Returns the type of a register; of one in a family, that of each.
fn register<'a>(resolver: &Resolver<'_, 'a, '_>, name: Name<'a>) -> Option<&'a Type<'a>> {
    resolver.declared_register(name).map(|variable| variable.ty.element())
}
