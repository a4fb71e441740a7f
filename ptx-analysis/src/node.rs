//! What stands in a body, with the meanings of its names.

use alloc::boxed::Box;
use alloc::vec::Vec;

use ptx_types::ir::body::Name;

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

/// Up to how many names are inserted in order, which is faster than to sort them all.
const MOST_INSERTED: usize = 64;

/// An instruction with the meanings of its names.
#[derive(Debug)]
pub(crate) struct Resolved<'a> {
    /// What it does.
    pub(crate) effects: Effects<'a>,
    /// What the names stand for that matter to it, in the order of the names.
    names: Box<[(&'a str, Referent)]>,
    /// The registers that it writes.
    pub(crate) written: Box<[usize]>,
    /// The allowances that stand on it.
    pub(crate) allowed: Box<[usize]>,
    /// The node of the label that it jumps to, if it does and there is one.
    pub(crate) target: Option<usize>,
}

impl<'a> Resolved<'a> {
    /// An instruction with these effects, whose names stand for what `referent` says.
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

    /// Where it jumps to, if that is behind the node that it is.
    pub(crate) fn forwards(&self, at: usize) -> Option<usize> {
        self.target.filter(|target| *target > at)
    }

    /// What the names stand for that matter to it.
    pub(crate) fn referents(&self) -> impl Iterator<Item = Referent> {
        self.names.iter().map(|(_, referent)| *referent)
    }
}

/// Where a name stands among names, or belongs.
fn place(names: &[(&str, Referent)], name: &str) -> Result<usize, usize> {
    names.binary_search_by(|(other, _)| (*other).cmp(name))
}

/// What stands in a body, in order.
#[derive(Debug)]
pub(crate) enum Node<'a> {
    /// A label.
    Label(&'a str),
    /// An instruction.
    Instruction(Box<Resolved<'a>>),
    /// An instruction that does nothing which is followed.
    Nothing,
}

impl<'a> Node<'a> {
    /// The instruction that it is, if it is one that does something.
    pub(crate) fn instruction(&self) -> Option<&Resolved<'a>> {
        match self {
            Self::Instruction(resolved) => Some(resolved),
            Self::Label(_) | Self::Nothing => None,
        }
    }
}
