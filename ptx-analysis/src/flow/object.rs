//! The objects that names in operands refer to, as the caller resolves them.

use alloc::string::String;

/// A module variable that a body names.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct VariableUse {
    /// Its index.
    pub index: usize,
    /// The named member, if it is a family.
    pub member: Option<String>,
}

/// The object that the caller resolves a name in an operand to.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DeferredObject {
    /// A module variable.
    Variable(VariableUse),
    /// A parameter.
    Param(usize),
    /// A return value.
    Return(usize),
    /// A declaration of the body.
    Declaration(usize),
    /// The pointee of a parameter.
    Pointee(usize),
    /// The pointee of a pointer inside a parameter, at this byte offset. Only if the type of the
    /// struct is known, which it is not during macro expansion.
    FieldPointee(usize, usize),
}
