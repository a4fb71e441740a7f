//! The storage that an instruction accesses, and the sub-qualifiers of state spaces.

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
    /// The text: `.param::entry`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Entry => ".param::entry",
            Self::Func => ".param::func",
            Self::Cta => ".shared::cta",
            Self::Cluster => ".shared::cluster",
        }
    }

    /// The lowest PTX version that supports it.
    pub const fn since(self) -> Version {
        match self {
            Self::Entry | Self::Func => Version::new(8, 3),
            Self::Cta | Self::Cluster => Version::new(7, 8),
        }
    }

    /// The lowest architecture that supports it.
    pub const fn min_arch(self) -> u16 {
        match self {
            Self::Cluster => 90,
            Self::Entry | Self::Func | Self::Cta => 10,
        }
    }
}

/// The meaning of a name that an instruction uses.
#[derive(Clone, Copy, Debug)]
pub enum Object<'a> {
    /// A variable of the module or of the body.
    Variable(&'a Variable<'a>),
    /// The member of a family with this name.
    Member(&'a Variable<'a>, &'a str),
    /// A parameter of a kernel.
    EntryParam(&'a Param<'a>),
    /// A `.param` parameter of a device function.
    Input(&'a Variable<'a>),
    /// A `.param` return value of a device function.
    Return(&'a Variable<'a>),
    /// A `.param` variable of the body.
    LocalParam(&'a Variable<'a>),
    /// The pointee of a parameter, if it is a pointer.
    Pointee(&'a Param<'a>),
    /// The pointee of the field of a parameter at this byte offset.
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

    /// Whether it is accessed through a pointer.
    pub const fn is_pointee(self) -> bool {
        matches!(self, Self::Pointee(_) | Self::FieldPointee(..))
    }

    /// The pointer to it; `None` if the parameter turns out not to be a pointer.
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

    /// The argument of a message: `x`, or `*x` for the pointee of `x`.
    pub(super) const fn arg(self) -> Arg<'a> {
        match self {
            Self::Pointee(param) => Arg::Pointee(param.variable.name),
            Self::FieldPointee(param, at, _) => Arg::FieldPointee(&param.variable, at),
            _ => Arg::Str(self.name()),
        }
    }

    /// The declaration as an argument of a message; for a pointee, the pointer.
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

    /// Its state space; `None` if a pointer to it is generic.
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

    /// The type; for a pointee, that of one of an unknown number of elements.
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

    /// The size in bytes of the unit of an index after its name: see [`Variable::indexed_bytes`].
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

    /// The size in bytes, if known; of a pointee, what the contract of the kernel grants.
    pub const fn bytes(self) -> Option<usize> {
        match self {
            Self::Pointee(param) => match (param.elements, self.ty().size()) {
                (Some(elements), Some(bytes)) => elements.checked_mul(bytes),
                (_, _) => None,
            },
            Self::FieldPointee(..) => None,
            Self::Member(..) => self.ty().size(),
            _ => self.variable().bytes(),
        }
    }

    /// The alignment in bytes, if known.
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
