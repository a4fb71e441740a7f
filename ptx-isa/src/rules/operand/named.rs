//! Tests of instructions that name a parameter, or a unified or opaque variable.

use super::space::{is_constant_written, opaque_entered};
use super::{Arg, Args, Direction, NONE, Object, Role, Shape, StorageAccess, Via};
use crate::rules::access::SubSpace;

/// Whether an instruction loads from storage by name.
const fn loads(operand: Shape<'_>) -> bool {
    names(operand) && matches!(operand.form.direction, Direction::Read)
}

/// Whether an instruction stores to storage by name.
const fn stores(operand: Shape<'_>) -> bool {
    names(operand) && matches!(operand.form.direction, Direction::Write)
}

/// Whether an instruction accesses storage by name as data.
const fn names(operand: Shape<'_>) -> bool {
    matches!((operand.via, operand.form.role), (Via::Name, Role::Data))
}

pub(in crate::rules) const fn input_written<'a>(
    operand: Shape<'a>,
    object: Object<'a>,
) -> Option<Args<'a>> {
    if !stores(operand) || object.variable().ty.opaque().is_some() {
        return None; // another rule reports this
    }
    match object {
        Object::EntryParam(_) => {
            Some([object.arg(), Arg::Str("a kernel's parameters are read-only"), NONE, NONE])
        }
        Object::Input(_) => {
            Some([object.arg(), Arg::Str("the inputs of a function are read-only"), NONE, NONE])
        }
        _ => None,
    }
}

pub(in crate::rules) const fn return_read<'a>(
    operand: Shape<'a>,
    object: Object<'a>,
) -> Option<Args<'a>> {
    match object {
        Object::Return(_) if loads(operand) => Some([object.arg(), NONE, NONE, NONE]),
        _ => None,
    }
}

pub(in crate::rules) const fn address_of_local_param<'a>(
    operand: Shape<'a>,
    object: Object<'a>,
) -> Option<Args<'a>> {
    match (operand.form.direction, object) {
        (Direction::Taken, Object::LocalParam(_)) if names(operand) => {
            Some([object.arg(), NONE, NONE, NONE])
        }
        _ => None,
    }
}

pub(in crate::rules) const fn unified_missing<'a>(
    operand: Shape<'a>,
    object: Object<'a>,
) -> Option<Args<'a>> {
    match (operand.form.unified, object) {
        (Some(false), Object::Variable(variable) | Object::Member(variable, _))
            if loads(operand) && variable.unified.is_some() =>
        {
            Some([object.arg(), NONE, NONE, NONE])
        }
        _ => None,
    }
}

pub(in crate::rules) const fn unified_written<'a>(
    operand: Shape<'a>,
    object: Object<'a>,
) -> Option<Args<'a>> {
    match object {
        Object::Variable(variable) | Object::Member(variable, _)
            if stores(operand) && variable.unified.is_some() =>
        {
            Some([object.arg(), NONE, NONE, NONE])
        }
        _ => None,
    }
}

pub(in crate::rules) const fn constant_written<'a>(
    operand: Shape<'a>,
    object: Object<'a>,
) -> Option<Args<'a>> {
    match object {
        Object::Variable(_) | Object::Member(..)
            if stores(operand) && is_constant_written(operand, object) =>
        {
            Some([object.arg(), NONE, NONE, NONE])
        }
        _ => None,
    }
}

pub(in crate::rules) const fn opaque_accessed<'a>(
    operand: Shape<'a>,
    object: Object<'a>,
) -> Option<Args<'a>> {
    match opaque_entered(operand, object) {
        Some(opaque) if names(operand) => {
            Some([object.arg(), Arg::Str(opaque.declared()), NONE, NONE])
        }
        Some(_) | None => None,
    }
}

/// Whether an instruction takes the address of an opaque variable by name.
pub(in crate::rules) const fn takes_opaque(operand: Shape<'_>, object: Object<'_>) -> bool {
    matches!(operand.form.direction, Direction::Taken)
        && names(operand)
        && object.variable().ty.opaque().is_some()
}

pub(in crate::rules) const fn opaque_offset<'a>(
    operand: StorageAccess<'a>,
    object: Object<'a>,
) -> Option<Args<'a>> {
    let is_plain = operand.offset.base == 0 && operand.offset.step == 0;
    match object.variable().ty.opaque() {
        Some(opaque) if !is_plain => Some([object.arg(), Arg::Str(opaque.declared()), NONE, NONE]),
        _ => None,
    }
}

pub(in crate::rules) const fn wrong_sub_space<'a>(
    operand: Shape<'a>,
    object: Object<'a>,
) -> Option<Args<'a>> {
    if !loads(operand) {
        return None;
    }
    let (is, write) = match (operand.form.sub_space, object) {
        (Some(SubSpace::Func), Object::EntryParam(_)) => ("a parameter of a kernel", "::entry"),
        (Some(SubSpace::Entry), Object::Input(_)) => ("a parameter of a function", "::func"),
        (Some(SubSpace::Entry), Object::LocalParam(_)) => ("a `.param` of this body", "::func"),
        _ => return None,
    };
    Some([object.arg(), Arg::Str(is), Arg::Str(write), NONE])
}

pub(in crate::rules) const fn store_to_entry<'a>(
    operand: Shape<'a>,
    object: Object<'a>,
) -> Option<Args<'a>> {
    match (operand.form.sub_space, object) {
        (Some(SubSpace::Entry), Object::Return(_) | Object::LocalParam(_)) if stores(operand) => {
            Some([object.arg(), NONE, NONE, NONE])
        }
        _ => None,
    }
}
