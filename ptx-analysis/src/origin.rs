//! What registers are computed from.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

use crate::node::{Node, Referent, Resolved};

/// A register that nothing writes, from which another is computed so that each of its numbers makes
/// another result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Origin<'a> {
    /// Its number.
    pub(crate) register: usize,
    /// Its name.
    pub(crate) name: &'a str,
    /// How many of the lowest bits of what is computed do not depend on it.
    pub(crate) zeros: u32,
    /// Whether other instructions write what is computed, so that it is known up to the next label alone.
    pub(crate) is_local: bool,
}

/// The instructions that write each register, by their nodes.
#[derive(Debug)]
pub(crate) struct Writers(BTreeMap<usize, Vec<usize>>);

impl Writers {
    pub(crate) fn of(nodes: &[Node<'_>]) -> Self {
        let mut writers = BTreeMap::<usize, Vec<usize>>::new();
        for (at, node) in nodes.iter().enumerate() {
            let Node::Instruction(resolved) = node else { continue };
            for register in &resolved.written {
                writers.entry(*register).or_default().push(at);
            }
        }
        Self(writers)
    }

    /// How many instructions write a register.
    pub(crate) fn count(&self, register: usize) -> usize {
        self.0.get(&register).map_or(0, Vec::len)
    }

    /// Whether one of these registers may be computed from another one.
    pub(crate) fn depend(&self, nodes: &[Node<'_>], these: Vec<usize>, on: usize) -> bool {
        self.trace(nodes, these, &mut |_| {}).contains(&on)
    }

    /// Calls `note` with each instruction that has a part in what registers hold: all registers that do.
    pub(crate) fn trace(
        &self,
        nodes: &[Node<'_>],
        these: Vec<usize>,
        note: &mut impl FnMut(&Resolved<'_>),
    ) -> BTreeSet<usize> {
        let (mut open, mut seen) = (these, BTreeSet::new());
        while let Some(register) = open.pop() {
            if !seen.insert(register) {
                continue;
            }
            for at in self.0.get(&register).into_iter().flatten() {
                let Some(Node::Instruction(resolved)) = nodes.get(*at) else { continue };
                note(resolved);
                open.extend(resolved.referents().filter_map(|referent| match referent {
                    Referent::Register(register) => Some(register),
                    Referent::Storage(_) | Referent::Other => None,
                }));
            }
        }
        seen
    }
}
