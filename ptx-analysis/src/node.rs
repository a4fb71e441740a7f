//! What stands in a body, with the meanings of its names.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::effects::Effects;

/// What a name in an operand stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Referent {
    /// A register, by its number.
    Register(usize),
    /// Storage, by its index.
    Storage(usize),
    /// Something else.
    Other,
}

/// An instruction with the meanings of its names.
#[derive(Debug)]
pub(crate) struct Resolved<'a> {
    /// What it does.
    pub(crate) effects: Effects<'a>,
    /// What the names stand for that matter to it.
    pub(crate) names: Vec<(&'a str, Referent)>,
    /// The allowances that stand on it.
    pub(crate) allowed: Vec<usize>,
}

impl Resolved<'_> {
    pub(crate) fn find(&self, name: &str) -> Option<Referent> {
        self.names.iter().find(|(other, _)| *other == name).map(|(_, referent)| *referent)
    }
}

/// What stands in a body, in order.
#[derive(Debug)]
pub(crate) enum Node<'a> {
    /// A label.
    Label(&'a str),
    /// An instruction.
    Instruction(Box<Resolved<'a>>),
}
