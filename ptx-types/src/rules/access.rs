//! What an instruction goes to, and the parts of state spaces that it may name.

use super::Arg;
use crate::ir::{Param, Pointer, Type, Variable};
use crate::space::Space;
use crate::target::Version;

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

/// What a name stands for that an instruction uses.
#[derive(Clone, Copy, Debug)]
pub enum Object<'a> {
    /// A variable of the module, or of the body.
    Variable(&'a Variable<'a>),
    /// The member with this name of a family.
    Member(&'a Variable<'a>, &'a str),
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
    /// What a field of a parameter points to, so many bytes from its start.
    FieldPointee(&'a Param<'a>, usize, Pointer<'a>),
}

impl<'a> Object<'a> {
    /// The declaration.
    pub const fn variable(self) -> &'a Variable<'a> {
        match self {
            Self::Variable(variable)
            | Self::Member(variable, _)
            | Self::Input(variable)
            | Self::Return(variable)
            | Self::LocalParam(variable) => variable,
            Self::EntryParam(param) | Self::Pointee(param) | Self::FieldPointee(param, ..) => {
                &param.variable
            }
        }
    }

    /// Whether a pointer leads to it.
    pub const fn is_pointee(self) -> bool {
        matches!(self, Self::Pointee(_) | Self::FieldPointee(..))
    }

    /// The pointer that leads to it; `None` of a parameter that is none after all.
    pub const fn pointer(self) -> Option<Pointer<'a>> {
        match self {
            Self::Pointee(param) => param.pointer,
            Self::FieldPointee(_, _, pointer) => Some(pointer),
            Self::Variable(_)
            | Self::Member(..)
            | Self::EntryParam(_)
            | Self::Input(_)
            | Self::Return(_)
            | Self::LocalParam(_) => None,
        }
    }

    /// As an argument of a message: `x`, and `*x` for what `x` points to.
    pub(super) const fn arg(self) -> Arg<'a> {
        match self {
            Self::Pointee(param) => Arg::Pointee(param.variable.name),
            Self::FieldPointee(param, at, _) => Arg::FieldPointee(&param.variable, at),
            _ => Arg::Str(self.name()),
        }
    }

    /// What is declared, as an argument of a message: of what a pointer leads to, the pointer.
    pub const fn declared(self) -> Arg<'a> {
        match self {
            Self::FieldPointee(param, at, _) => Arg::Field(&param.variable, at),
            _ => Arg::Str(self.name()),
        }
    }

    /// The name of the declaration.
    pub const fn name(self) -> &'a str {
        match self {
            Self::Member(_, name) => name,
            _ => self.variable().name,
        }
    }

    /// The state space that it is in; `None` where a pointer to it is generic.
    pub const fn space(self) -> Option<Space> {
        match self {
            Self::Pointee(_) | Self::FieldPointee(..) => match self.pointer() {
                Some(pointer) => pointer.space,
                None => None,
            },
            Self::EntryParam(param) => Some(param.variable.space),
            Self::Variable(variable)
            | Self::Member(variable, _)
            | Self::Input(variable)
            | Self::Return(variable)
            | Self::LocalParam(variable) => Some(variable.space),
        }
    }

    /// The type; behind a pointer that of one of as many as there are.
    pub const fn ty(self) -> &'a Type<'a> {
        match self {
            Self::Pointee(_) | Self::FieldPointee(..) => match self.pointer() {
                Some(pointer) => pointer.pointee,
                None => &Type::Unknown,
            },
            Self::Member(variable, _) => match variable.ty.family() {
                Some((_, ty)) => ty,
                None => variable.ty,
            },
            _ => self.variable().ty,
        }
    }

    /// What an index behind its name counts, in bytes: see [`Variable::indexed_bytes`].
    pub const fn indexed_bytes(self) -> Option<usize> {
        match self {
            Self::Pointee(_) | Self::FieldPointee(..) => None,
            Self::Variable(variable) | Self::Member(variable, _) | Self::LocalParam(variable) => {
                variable.indexed_bytes(false)
            }
            Self::EntryParam(param) => param.variable.indexed_bytes(true),
            Self::Input(variable) | Self::Return(variable) => variable.indexed_bytes(true),
        }
    }

    /// The size in bytes, where it is known.
    pub const fn bytes(self) -> Option<usize> {
        match self {
            Self::Pointee(_) | Self::FieldPointee(..) => None,
            Self::Member(..) => self.ty().size(),
            _ => self.variable().bytes(),
        }
    }

    /// The alignment in bytes, where it is known.
    pub const fn alignment(self) -> Option<usize> {
        match self {
            Self::Pointee(_) | Self::FieldPointee(..) => match self.pointer() {
                Some(pointer) => pointer.alignment(),
                None => None,
            },
            Self::EntryParam(param) => param.variable.alignment(),
            Self::Variable(variable)
            | Self::Member(variable, _)
            | Self::Input(variable)
            | Self::Return(variable)
            | Self::LocalParam(variable) => variable.alignment(),
        }
    }
}
