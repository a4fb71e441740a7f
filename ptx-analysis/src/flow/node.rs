//! The nodes of a body, with their names resolved.

use alloc::boxed::Box;
use alloc::vec::Vec;

use ptx_isa::ir::body::Name;

use crate::flow::effects::{Effects, Jump};

/// The referent of a name in an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Referent {
    /// A register, by its index.
    Register(usize),
    /// Storage, by its index.
    Storage(usize),
    /// Something else.
    Other,
}

/// The maximum number of names kept sorted by insertion, which is faster than sorting them at the end.
const MOST_INSERTED: usize = 64;

/// An instruction with resolved names.
#[derive(Debug)]
pub(crate) struct Resolved<'a> {
    /// Its effects.
    pub(crate) effects: Effects<'a>,
    /// The referents of the names that matter to it, sorted by name.
    names: Box<[(&'a str, Referent)]>,
    /// The registers that it writes.
    pub(crate) written: Box<[usize]>,
    /// The allowances on it.
    pub(crate) allowed: Box<[usize]>,
    /// The node of the label that it jumps to, if any.
    pub(crate) target: Option<usize>,
}

impl<'a> Resolved<'a> {
    /// Creates an instruction with these effects, whose names `referent` resolves.
    pub(crate) fn new(
        effects: Effects<'a>,
        allowed: Vec<usize>,
        mut referent: impl FnMut(&'a str) -> Referent,
    ) -> Self {
        let mut all = Vec::new();
        effects.each_name(&mut |name| all.push(name.text));
        let mut names: Vec<(&'a str, Referent)> = Vec::new();
        if all.len() > MOST_INSERTED {
            names.extend(all.into_iter().map(|name| (name, referent(name))));
            names.sort_by_key(|(name, _)| *name);
            names.dedup_by_key(|(name, _)| *name);
        } else {
            for name in all {
                if let Err(place) = place(&names, name) {
                    names.insert(place, (name, referent(name)));
                }
            }
        }
        let register = |name: &Name<'_>| match place(&names, name.text) {
            Ok(place) => match names[place].1 {
                Referent::Register(register) => Some(register),
                Referent::Storage(_) | Referent::Other => None,
            },
            Err(_) => None,
        };
        let written = effects.writes.iter().filter_map(register).collect();
        Self {
            effects,
            names: names.as_slice().into(),
            written,
            allowed: allowed.into(),
            target: None,
        }
    }

    pub(crate) fn find(&self, name: &str) -> Option<Referent> {
        place(&self.names, name).ok().map(|place| self.names[place].1)
    }

    /// Returns the register that a name stands for, if it is one.
    pub(crate) fn register(&self, name: &str) -> Option<usize> {
        match self.find(name)? {
            Referent::Register(register) => Some(register),
            Referent::Storage(_) | Referent::Other => None,
        }
    }

    /// Whether control may continue with the next node.
    pub(crate) fn continues(&self) -> bool {
        matches!(self.effects.jump, Jump::Next) || self.effects.guard.is_some()
    }

    /// Whether it jumps to a label that is not known.
    pub(crate) fn is_lost(&self) -> bool {
        match self.effects.jump {
            Jump::Anywhere => true,
            Jump::To(_) => self.target.is_none(),
            Jump::Next | Jump::Ends => false,
        }
    }

    /// Returns its jump target, if that comes after node `at`.
    pub(crate) fn forwards(&self, at: usize) -> Option<usize> {
        self.target.filter(|target| *target > at)
    }

    /// Returns the referents of the names that matter to it.
    pub(crate) fn referents(&self) -> impl Iterator<Item = Referent> {
        self.names.iter().map(|(_, referent)| *referent)
    }

    /// Returns the names that matter to it, with their referents.
    pub(crate) fn names(&self) -> impl Iterator<Item = (&'a str, Referent)> {
        self.names.iter().copied()
    }
}

/// Returns the position of a name in `names`, or where to insert it.
fn place(names: &[(&str, Referent)], name: &str) -> Result<usize, usize> {
    names.binary_search_by(|(other, _)| (*other).cmp(name))
}

/// A node of a body, in order.
#[derive(Debug)]
pub(crate) enum Node<'a> {
    /// A label.
    Label(&'a str),
    /// An instruction.
    Instruction(Box<Resolved<'a>>),
    /// An instruction without tracked effects.
    Nothing,
}

impl<'a> Node<'a> {
    /// Returns the instruction, if it has tracked effects.
    pub(crate) fn instruction(&self) -> Option<&Resolved<'a>> {
        match self {
            Self::Instruction(resolved) => Some(resolved),
            Self::Label(_) | Self::Nothing => None,
        }
    }
}
