//! Tests of state spaces: that of an instruction, and that of the storage.

use super::{
    AddressKind, Arg, Args, Direction, NONE, Object, Role, Shape, SubSpace, Via, is_opaque,
};
use crate::ir::Param;
use crate::opaque::Opaque;
use crate::scalar::ScalarType;
use crate::space::Space;

/// The kind of address in an operand.
enum Where {
    In(Space),
    /// A generic one, of storage in this space if it is known.
    Generic(Option<Space>),
    Unknown,
}

const fn address(operand: Shape<'_>, object: Object<'_>) -> Where {
    if let Object::Pointee(Param { pointer: None, .. }) = object {
        return Where::Unknown; // not a pointer after all
    }
    match (operand.via, object.space()) {
        (Via::Name | Via::Register(_, AddressKind::Own), Some(space))
        | (Via::Register(_, AddressKind::In(space)), _) => Where::In(space),
        (Via::Register(_, AddressKind::Own), None) => Where::Generic(None),
        (Via::Register(_, AddressKind::Generic), space) => Where::Generic(space),
        (Via::Name, None) | (Via::Register(_, AddressKind::Unsure), _) => Where::Unknown,
    }
}

/// Whether an instruction names the space, and could name this one instead: barriers are only in shared memory.
const fn could_name(operand: Shape<'_>, space: Space) -> bool {
    let Shape { form, .. } = operand;
    form.names_space && form.nameable.has(space) && !matches!(form.role, Role::Barrier)
}

/// The space that an instruction names, with its sub-qualifier.
const fn named(operand: Shape<'_>, space: Space) -> &'static str {
    match (space, operand.form.sub_space) {
        (Space::Shared, Some(sub @ (SubSpace::Cta | SubSpace::Cluster)))
        | (Space::Param, Some(sub @ (SubSpace::Entry | SubSpace::Func))) => sub.name(),
        (_, _) => space.directive(),
    }
}

/// The fix for a parameter that holds the intended address.
const LOADED: Arg<'static> = Arg::Str("load the address that it holds with `ld.param` first");

/// Whether storage is a parameter that may hold an address.
const fn may_hold_address(object: Object<'_>) -> bool {
    let is_wide = match object.ty().size() {
        Some(bytes) => bytes == 8,
        None => true,
    };
    is_wide && !object.is_pointee() && matches!(object.space(), Some(Space::Param))
}

pub(in crate::rules) const fn wrong_space<'a>(
    operand: Shape<'a>,
    object: Object<'a>,
) -> Option<Args<'a>> {
    match (operand.via, operand.form.space, object.space()) {
        (Via::Name, Some(wanted), Some(is)) if wanted as u8 != is as u8 && !is_opaque(object) => {
            Some([
                object.arg(),
                Arg::Str(is.directive()),
                Arg::Str(wanted.directive()),
                if operand.form.names_space && may_hold_address(object) {
                    LOADED
                } else if could_name(operand, is) {
                    Arg::InPlaceOf(is, named(operand, wanted), ", or use a variable in ", wanted)
                } else if matches!(is, Space::Param) && !operand.form.names_space {
                    Arg::Str("take its address with `mov` and `cvta.param`")
                } else {
                    Arg::InSpace("use a variable in ", wanted)
                },
            ])
        }
        (_, _, _) => None,
    }
}

pub(in crate::rules) const fn space_missing<'a>(
    operand: Shape<'a>,
    object: Object<'a>,
) -> Option<Args<'a>> {
    match (operand.via, operand.form.space, object.space()) {
        (Via::Name, None, Some(is @ (Space::Const | Space::Param)))
            if !is_opaque(object) && !matches!(operand.form.direction, Direction::Taken) =>
        {
            Some([object.arg(), Arg::Str(is.directive()), NONE, NONE])
        }
        (_, _, _) => None,
    }
}

pub(in crate::rules) const fn address_in_32_bits<'a>(
    operand: Shape<'a>,
    object: Object<'a>,
) -> Option<Args<'a>> {
    // `mov` does not specify the state space of the address.
    let is_moved =
        matches!(operand.form.direction, Direction::Taken) && operand.form.space.is_none();
    match (operand.via, operand.form.ty, object.space()) {
        (Via::Name, Some(ty), Some(Space::Global)) if is_moved && ty.bytes() == 4 => Some([
            object.arg(),
            Arg::Str("has 64 bits, but"),
            Arg::Str(ty.name()),
            Arg::Str(" has 32"),
        ]),
        // Of textures, samplers and surfaces, ptxas takes no other type of 64 bits.
        (Via::Name, Some(ty), _)
            if is_moved && is_opaque(object) && !matches!(ty, ScalarType::U64) =>
        {
            let is = Arg::Str("is taken by `.u64`, not by");
            Some([object.arg(), is, Arg::Str(ty.name()), NONE])
        }
        (_, _, _) => None,
    }
}

pub(in crate::rules) const fn other_space<'a>(
    operand: Shape<'a>,
    object: Object<'a>,
) -> Option<Args<'a>> {
    let (Via::Register(register, _), Some(wanted)) = (operand.via, operand.form.space) else {
        return None;
    };
    let is = match address(operand, object) {
        // A conversion of an address in one space to another space does not make it valid there.
        Where::In(made) if is_elsewhere(made, operand, object) => match object.space() {
            Some(is) => is,
            None => return None,
        },
        // Another rule reports this.
        Where::In(Space::Param) if matches!(operand.form.role, Role::Map) => return None,
        Where::In(is) => is,
        // Maps may be in any space that kernels can only read.
        Where::Generic(Some(Space::Param | Space::Const))
            if matches!(operand.form.role, Role::Map) =>
        {
            return None;
        }
        Where::Generic(Some(is)) if !operand.form.names_space => is,
        Where::Generic(_) | Where::Unknown => return None,
    };
    if wanted as u8 == is as u8 {
        return None;
    }
    let fix = if operand.form.names_space && may_hold_address(object) {
        LOADED
    } else if could_name(operand, is) {
        let or = ", or take the address of a variable in ";
        Arg::InPlaceOf(is, named(operand, wanted), or, wanted)
    } else {
        Arg::InSpace("take the address of a variable in ", wanted)
    };
    Some([Arg::Str(register), object.arg(), Arg::Spaces(is, wanted), fix])
}

/// Whether an access uses an address that was converted to a space in which the storage is not. Parameters may be in
/// any space.
const fn is_elsewhere(made: Space, operand: Shape<'_>, object: Object<'_>) -> bool {
    match (operand.via, object.space()) {
        (Via::Register(_, AddressKind::In(_)), Some(is)) => {
            made as u8 != is as u8
                && !matches!(is, Space::Param)
                && !matches!(operand.form.direction, Direction::Taken)
        }
        (_, _) => false,
    }
}

pub(in crate::rules) const fn not_generic<'a>(
    operand: Shape<'a>,
    object: Object<'a>,
) -> Option<Args<'a>> {
    match (operand.via, operand.form.space, address(operand, object)) {
        // A global address is also a generic one.
        (_, None, Where::In(Space::Global)) => None,
        (_, None, _) if operand.form.names_space => None,
        (Via::Register(register, _), None, Where::In(is)) => {
            Some([Arg::Str(register), object.arg(), Arg::Str(is.directive()), NONE])
        }
        (_, _, _) => None,
    }
}

pub(in crate::rules) const fn map_not_generic<'a>(
    operand: Shape<'a>,
    object: Object<'a>,
) -> Option<Args<'a>> {
    match (operand.form.role, operand.via, address(operand, object)) {
        (Role::Map, Via::Register(register, _), Where::In(Space::Param)) => {
            Some([Arg::Str(register), object.arg(), NONE, NONE])
        }
        (_, _, _) => None,
    }
}

pub(in crate::rules) const fn generic_accepted<'a>(
    operand: Shape<'a>,
    object: Object<'a>,
) -> Option<Args<'a>> {
    let (Via::Register(register, _), Some(wanted)) = (operand.via, operand.form.space) else {
        return None;
    };
    let is = match address(operand, object) {
        Where::Generic(is) if operand.form.names_space => is,
        Where::Generic(_) | Where::In(_) | Where::Unknown => return None,
    };
    match (is, wanted) {
        (Some(Space::Global) | None, Space::Global) => None,
        (_, _) => Some([Arg::Str(register), object.arg(), Arg::Str(wanted.directive()), NONE]),
    }
}

pub(in crate::rules) const fn read_only_written<'a>(
    operand: Shape<'a>,
    object: Object<'a>,
) -> Option<Args<'a>> {
    let Via::Register(register, _) = operand.via else { return None };
    let elsewhere = Arg::Str("keep the new value in a register, or in storage of your own");
    let undeclared = Arg::Either {
        rust: "remove `#[readonly]`, or store elsewhere",
        ptx: "remove that, or store elsewhere",
    };
    let (why, fix) = match (object, object.space()) {
        (Object::EntryParam(Param { readonly: true, .. }), _) if writes_tensor(operand) => {
            let why = Arg::Either {
                rust: "the parameter is declared `#[readonly]`",
                ptx: "the parameter is declared read-only",
            };
            (why, undeclared)
        }
        (_, _) if !is_written(operand.form.direction) => return None,
        (Object::EntryParam(_), _) => (Arg::Str("a kernel's parameters are read-only"), elsewhere),
        (_, _) if is_constant_written(operand, object) => {
            (Arg::Str("constant memory is read-only"), elsewhere)
        }
        (Object::Pointee(Param { pointer: Some(_), readonly: true, .. }), _) => {
            let why = Arg::Either {
                rust: "the parameter is declared `#[readonly]`",
                ptx: "the parameter is declared read-only",
            };
            (why, undeclared)
        }
        (
            Object::Variable(_)
            | Object::Member(..)
            | Object::Input(_)
            | Object::Return(_)
            | Object::LocalParam(_)
            | Object::Pointee(_)
            | Object::FieldPointee(..),
            _,
        ) => return None,
    };
    Some([Arg::Str(register), object.arg(), why, fix])
}

const fn is_written(direction: Direction) -> bool {
    matches!(direction, Direction::Write | Direction::ReadWrite)
}

/// Whether an instruction stores to the tensor of its map.
const fn writes_tensor(operand: Shape<'_>) -> bool {
    match operand.form.tensor {
        Some(tensor) => is_written(tensor.direction),
        None => false,
    }
}

pub(in crate::rules) const fn opaque_reached<'a>(
    operand: Shape<'a>,
    object: Object<'a>,
) -> Option<Args<'a>> {
    match (operand.via, opaque_entered(operand, object)) {
        (Via::Register(register, _), Some(opaque)) => {
            Some([Arg::Str(register), object.arg(), Arg::Str(opaque.declared()), NONE])
        }
        (_, _) => None,
    }
}

/// The opaque type whose hidden layout an instruction accesses, by name or through a register.
pub(super) const fn opaque_entered(operand: Shape<'_>, object: Object<'_>) -> Option<Opaque> {
    let is_taken = matches!(operand.form.direction, Direction::Taken);
    match operand.form.role {
        // ptxas sees arrays of them as bytes; their declaration is reported (O004, O009).
        Role::Data | Role::Barrier | Role::Map if !is_taken => match object.ty().extent(0) {
            Some(_) => None,
            None => object.ty().opaque(),
        },
        _ => None,
    }
}

/// Whether an instruction writes constant memory, by name or through a register.
pub(super) const fn is_constant_written(operand: Shape<'_>, object: Object<'_>) -> bool {
    is_written(operand.form.direction) && matches!(object.space(), Some(Space::Const))
}
