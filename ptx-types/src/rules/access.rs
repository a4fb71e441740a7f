//! Tests of what instructions do to parameters, unified and opaque variables.

use super::{Arg, Args, Environment, NONE, too_new};
use crate::ir::{Param, Type, Variable};
use crate::space::Space;
use crate::target::Version;

/// What an instruction does with the memory that an operand names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Opcode {
    /// `ld`, `ldu`.
    Load,
    /// `st`.
    Store,
    /// `atom`, `red`, `prefetch`: what else goes to an address.
    Other,
    /// `mov`, `cvta`: the address itself is taken.
    Address,
}

/// A sub-qualifier of a state space on an instruction (PTX ISA 5.1.6, 5.1.7).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SubSpace {
    /// `.param::entry`.
    Entry,
    /// `.param::func`.
    Func,
    /// `.shared::cta`.
    Cta,
    /// `.shared::cluster`.
    Cluster,
}

impl SubSpace {
    /// As it is written: `.param::entry`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Entry => ".param::entry",
            Self::Func => ".param::func",
            Self::Cta => ".shared::cta",
            Self::Cluster => ".shared::cluster",
        }
    }

    /// The lowest PTX version that has it.
    pub const fn since(self) -> Version {
        match self {
            Self::Entry | Self::Func => Version::new(8, 3),
            Self::Cta | Self::Cluster => Version::new(7, 8),
        }
    }

    /// The lowest architecture that has it.
    pub const fn min_arch(self) -> u16 {
        match self {
            Self::Cluster => 90,
            Self::Entry | Self::Func | Self::Cta => 10,
        }
    }
}

/// An instruction's use of a name.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    /// What it does.
    pub opcode: Opcode,
    /// The sub-qualifier of the state space, if there is one.
    pub window: Option<SubSpace>,
    /// Whether the operand has `.unified`.
    pub unified: bool,
    /// Whether an offset is added to the name.
    pub has_offset: bool,
}

/// What a name stands for that an instruction uses.
#[derive(Clone, Copy, Debug)]
pub enum Object<'a> {
    /// A variable of the module.
    Variable(&'a Variable<'a>),
    /// A parameter of a kernel.
    EntryParam(&'a Param<'a>),
    /// A `.param` that a device function takes.
    Input(&'a Variable<'a>),
    /// A `.param` that a device function returns.
    Return(&'a Variable<'a>),
    /// A `.param` variable of the body.
    LocalParam(&'a Variable<'a>),
    /// What a parameter points to, if it is a pointer.
    Pointee(&'a Param<'a>),
}

impl<'a> Object<'a> {
    /// The declaration.
    pub const fn variable(self) -> &'a Variable<'a> {
        match self {
            Self::Variable(variable)
            | Self::Input(variable)
            | Self::Return(variable)
            | Self::LocalParam(variable) => variable,
            Self::EntryParam(param) | Self::Pointee(param) => &param.variable,
        }
    }

    /// As an argument of a message: `x`, and `*x` for what `x` points to.
    pub(super) const fn arg(self) -> Arg<'a> {
        match self {
            Self::Pointee(param) => Arg::Pointee(param.variable.name),
            Self::EntryParam(param) => Arg::Str(param.variable.name),
            Self::Variable(variable)
            | Self::Input(variable)
            | Self::Return(variable)
            | Self::LocalParam(variable) => Arg::Str(variable.name),
        }
    }

    /// The name of the declaration.
    pub const fn name(self) -> &'a str {
        self.variable().name
    }

    /// The state space that it is in; `None` where a pointer to it is generic.
    pub const fn space(self) -> Option<Space> {
        match self {
            Self::Pointee(param) => match param.pointer {
                Some(pointer) => pointer.space,
                None => None,
            },
            Self::EntryParam(param) => Some(param.variable.space),
            Self::Variable(variable)
            | Self::Input(variable)
            | Self::Return(variable)
            | Self::LocalParam(variable) => Some(variable.space),
        }
    }

    /// The type; behind a pointer that of one of as many as there are.
    pub const fn ty(self) -> &'a Type<'a> {
        match self {
            Self::Pointee(param) => match param.pointer {
                Some(pointer) => pointer.pointee,
                None => &Type::Unknown,
            },
            Self::EntryParam(param) => param.variable.ty,
            Self::Variable(variable)
            | Self::Input(variable)
            | Self::Return(variable)
            | Self::LocalParam(variable) => variable.ty,
        }
    }

    /// What an index behind its name counts, in bytes: see [`Variable::indexed_bytes`].
    pub const fn indexed_bytes(self) -> Option<usize> {
        match self {
            Self::Pointee(_) => None,
            Self::Variable(variable) | Self::LocalParam(variable) => variable.indexed_bytes(false),
            Self::EntryParam(param) => param.variable.indexed_bytes(true),
            Self::Input(variable) | Self::Return(variable) => variable.indexed_bytes(true),
        }
    }

    /// The size in bytes, where it is known.
    pub const fn bytes(self) -> Option<usize> {
        match self {
            Self::Pointee(_) => None,
            Self::EntryParam(param) => param.variable.bytes(),
            Self::Variable(variable)
            | Self::Input(variable)
            | Self::Return(variable)
            | Self::LocalParam(variable) => variable.bytes(),
        }
    }

    /// The alignment in bytes, where it is known.
    pub const fn alignment(self) -> Option<usize> {
        match self {
            Self::Pointee(param) => match param.pointer {
                Some(pointer) => pointer.alignment(),
                None => None,
            },
            Self::EntryParam(param) => param.variable.alignment(),
            Self::Variable(variable)
            | Self::Input(variable)
            | Self::Return(variable)
            | Self::LocalParam(variable) => variable.alignment(),
        }
    }
}

pub(super) const fn input_written(
    access: Access,
    object: Object<'_>,
    _: Environment,
) -> Option<Args<'_>> {
    if object.variable().ty.opaque().is_some() {
        return None; // another rule says so
    }
    match (access.opcode, object) {
        (Opcode::Store, Object::EntryParam(_)) => {
            Some([object.arg(), Arg::Str("a kernel's parameters are read-only"), NONE, NONE])
        }
        (Opcode::Store, Object::Input(_)) => {
            Some([object.arg(), Arg::Str("an input of a function is read-only"), NONE, NONE])
        }
        _ => None,
    }
}

pub(super) const fn return_read(
    access: Access,
    object: Object<'_>,
    _: Environment,
) -> Option<Args<'_>> {
    match (access.opcode, object) {
        (Opcode::Load, Object::Return(_)) => Some([object.arg(), NONE, NONE, NONE]),
        _ => None,
    }
}

pub(super) const fn address_of_local_param(
    access: Access,
    object: Object<'_>,
    _: Environment,
) -> Option<Args<'_>> {
    match (access.opcode, object) {
        (Opcode::Address, Object::LocalParam(_)) => Some([object.arg(), NONE, NONE, NONE]),
        _ => None,
    }
}

pub(super) const fn address_of_return_too_new(
    access: Access,
    object: Object<'_>,
    env: Environment,
) -> Option<Args<'_>> {
    match (access.opcode, object) {
        (Opcode::Address, Object::Return(_)) => too_new(object.arg(), Version::new(6, 0), env),
        _ => None,
    }
}

pub(super) const fn unified_not_said(
    access: Access,
    object: Object<'_>,
    _: Environment,
) -> Option<Args<'_>> {
    match (access.opcode, object) {
        (Opcode::Load, Object::Variable(variable))
            if variable.unified.is_some() && !access.unified =>
        {
            Some([object.arg(), NONE, NONE, NONE])
        }
        _ => None,
    }
}

pub(super) const fn unified_written(
    access: Access,
    object: Object<'_>,
    _: Environment,
) -> Option<Args<'_>> {
    match (access.opcode, object) {
        (Opcode::Store, Object::Variable(variable)) if variable.unified.is_some() => {
            Some([object.arg(), NONE, NONE, NONE])
        }
        _ => None,
    }
}

pub(super) const fn constant_written(
    access: Access,
    object: Object<'_>,
    _: Environment,
) -> Option<Args<'_>> {
    match (access.opcode, object, object.variable().space) {
        (Opcode::Store, Object::Variable(_), Space::Const) => {
            Some([object.arg(), NONE, NONE, NONE])
        }
        (_, _, _) => None,
    }
}

pub(super) const fn opaque_accessed(
    access: Access,
    object: Object<'_>,
    _: Environment,
) -> Option<Args<'_>> {
    match (access.opcode, object.variable().ty.opaque()) {
        (Opcode::Load | Opcode::Store | Opcode::Other, Some(opaque)) => {
            Some([object.arg(), Arg::Str(opaque.declared()), NONE, NONE])
        }
        _ => None,
    }
}

pub(super) const fn opaque_offset(
    access: Access,
    object: Object<'_>,
    _: Environment,
) -> Option<Args<'_>> {
    match (access.opcode, object.variable().ty.opaque()) {
        (Opcode::Address, Some(opaque)) if access.has_offset => {
            Some([object.arg(), Arg::Str(opaque.declared()), NONE, NONE])
        }
        _ => None,
    }
}

pub(super) const fn wrong_window(
    access: Access,
    object: Object<'_>,
    _: Environment,
) -> Option<Args<'_>> {
    let (is, write) = match (access.opcode, access.window, object) {
        (Opcode::Load, Some(SubSpace::Func), Object::EntryParam(_)) => {
            ("a parameter of a kernel", "::entry")
        }
        (Opcode::Load, Some(SubSpace::Entry), Object::Input(_)) => {
            ("a parameter of a function", "::func")
        }
        (Opcode::Load, Some(SubSpace::Entry), Object::LocalParam(_)) => {
            ("a `.param` of this body", "::func")
        }
        _ => return None,
    };
    Some([object.arg(), Arg::Str(is), Arg::Str(write), NONE])
}

pub(super) const fn store_to_entry_window(
    access: Access,
    object: Object<'_>,
    _: Environment,
) -> Option<Args<'_>> {
    match (access.opcode, access.window, object) {
        (Opcode::Store, Some(SubSpace::Entry), Object::Return(_) | Object::LocalParam(_)) => {
            Some([object.arg(), NONE, NONE, NONE])
        }
        _ => None,
    }
}
