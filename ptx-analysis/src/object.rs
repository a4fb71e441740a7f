//! What names in operands stand for, as the caller finds it.

use alloc::string::String;

/// A variable of the module that a body names.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct VariableUse {
    /// Its index.
    pub index: usize,
    /// The member that is named, if it is a family.
    pub member: Option<String>,
}

/// What the caller finds for a name in an operand.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DeferredObject {
    /// A variable of the module.
    Variable(VariableUse),
    /// A parameter.
    Param(usize),
    /// What is returned.
    Return(usize),
    /// One of the body's declarations.
    Declaration(usize),
    /// What a parameter points to.
    Pointee(usize),
    /// What a pointer in a parameter points to, so many bytes from the start of that. Only where the type of
    /// a struct is known, which it is not while a macro expands.
    FieldPointee(usize, usize),
}
