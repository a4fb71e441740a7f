//! Checks for names of storage where an instruction takes a register or a number.

use ptx_isa::ScalarType;
use ptx_isa::instruction::AddressSpace::Generic;
use ptx_isa::instruction::{AccessSize, Computes, OperandType, Row};
use ptx_isa::ir::Type;
use ptx_isa::ir::body::{Instruction, Name, Operand, OperandKind};
use ptx_isa::rules::form::Form;

use crate::flow::node::Referent;
use crate::flow::place::Place;
use crate::names::resolver::Resolver;

/// The modifier with which the last operand is a cache policy.
const CACHE_HINT: &str = "cache_hint";

/// Whether an operand of an instruction is a number, and not an address, or nothing is known.
pub(crate) fn takes_number(row: &Row, instruction: &Instruction<'_>, n: usize) -> bool {
    if instruction.has(CACHE_HINT) && n + 1 == instruction.operands.len() {
        return true;
    }
    let (_, listed) = row.operand_types(|word| instruction.has(word)).unwrap_or_default();
    let is_listed = listed.get(n).is_some_and(|ty| *ty != OperandType::Any);
    let is_size = row.addresses.iter().any(|address| match address.size {
        AccessSize::Counted(size, _) | AccessSize::CountedAligned(size) => size == n,
        // The number of bytes that are read, or whether any are, may follow.
        AccessSize::CountedAlignedAtMost(size) => size == n || size + 1 == n,
        AccessSize::Typed
        | AccessSize::Fixed(..)
        | AccessSize::MatrixRow
        | AccessSize::Fragment(_)
        | AccessSize::Aligned(_)
        | AccessSize::Unknown => false,
    });
    is_listed || is_size
}

/// Whether an instruction takes an address in this operand, without an access.
fn takes_address(row: &Row, instruction: &Instruction<'_>, n: usize) -> bool {
    // Only integers and bits have the value of an address.
    let is_number = row.computes == Computes::Copy
        && instruction.modifiers.last().is_some_and(|last| {
            let ty = ScalarType::from_name(last.word);
            !last.is_sub && ty.is_some_and(|ty| ty.is_float() || ty == ScalarType::Pred)
        });
    row.taken.is_some_and(|it| it.operand == n && it.space != Generic) && !is_number
}

/// Checks that the guard and the operands that are numbers are not the names of storage: ptxas takes names where an
/// address is copied, converted or accessed, and those of scalars also in vectors.
pub(crate) fn check_names<'a>(
    resolver: &mut Resolver<'_, 'a, '_>,
    statement: usize,
    instruction: &Instruction<'a>,
) {
    if let Some(guard) = instruction.guard {
        check_name(resolver, statement, guard.name, Use::Predicate);
    }
    let Some(row) = instruction.row else { return };
    for (n, operand) in instruction.operands.iter().enumerate() {
        // Names in place of a result have their own rule.
        let is_result = n == 0 && row.has_result && !matches!(operand.kind, OperandKind::Pair(..));
        // A generic address is in a register.
        let is_generic = row.taken.is_some_and(|it| (it.operand, it.space) == (n, Generic));
        if !is_result && (is_generic || takes_number(row, instruction, n)) {
            check_operand(resolver, statement, operand, takes_address(row, instruction, n));
        }
    }
}

fn check_operand<'a>(
    resolver: &mut Resolver<'_, 'a, '_>,
    statement: usize,
    operand: &Operand<'a>,
    takes_address: bool,
) {
    match &operand.kind {
        OperandKind::Name(name) if !takes_address => {
            check_name(resolver, statement, *name, Use::Number);
        }
        OperandKind::Pair(one, other) => {
            check_name(resolver, statement, *one, Use::Number);
            check_name(resolver, statement, *other, Use::Number);
        }
        OperandKind::Not(inner) => match whole_name(inner) {
            Some(name) => check_name(resolver, statement, name, Use::Predicate),
            None => check_operand(resolver, statement, inner, false),
        },
        OperandKind::Vector(elements) => {
            for name in elements.iter().filter_map(whole_name) {
                check_name(resolver, statement, name, Use::Element);
            }
        }
        OperandKind::Address(inner) => {
            for vector in inner {
                if matches!(vector.kind, OperandKind::Vector(_)) {
                    check_operand(resolver, statement, vector, false);
                }
            }
        }
        OperandKind::Name(_)
        | OperandKind::Offset(..)
        | OperandKind::Element(..)
        | OperandKind::Immediate(_)
        | OperandKind::Arguments(_)
        | OperandKind::Other(_) => {}
    }
}

/// What an instruction takes in place of a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// A number.
    Number,
    /// An element of a vector.
    Element,
    /// A predicate.
    Predicate,
}

/// Returns the name, if there is nothing else.
fn whole_name<'a>(operand: &Operand<'a>) -> Option<Name<'a>> {
    match operand.kind {
        OperandKind::Name(name) => Some(name),
        _ => None,
    }
}

fn check_name<'a>(
    resolver: &mut Resolver<'_, 'a, '_>,
    statement: usize,
    name: Name<'a>,
    used: Use,
) {
    let Referent::Storage(storage) = resolver.referent(name.text) else { return };
    let object = resolver.memory.storages[storage].object();
    let is_array = match object.ty() {
        Type::Aligned(_, ty) => matches!(ty, Type::Array(..)),
        ty => matches!(ty, Type::Array(..)),
    };
    let is_taken = used == Use::Element && !is_array;
    if name.element.is_empty() && !is_taken {
        let place = Place::new(statement, name.at());
        resolver.check_form(Form::NameAsRegister(object, used == Use::Predicate), place);
    }
}
