//! The origins of computed registers.

use alloc::vec::Vec;
use core::cell::Cell;

use ptx_isa::sorted::{SortedMap, SortedSet};

use crate::flow::effort::Effort;
use crate::flow::node::{Node, Referent, Resolved};

/// An unwritten register from which another is computed, such that each of its values yields a
/// different result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Origin<'a> {
    /// Its index.
    pub(crate) register: usize,
    /// Its name.
    pub(crate) name: &'a str,
    /// The number of lowest bits of the result that do not depend on it.
    pub(crate) zeros: u32,
}

/// The maximum number of instructions visited per instruction of the body, and in addition, to find out
/// whether registers may be computed from others.
const MOST_STEPS: (usize, usize) = (8, 1 << 18);

/// The instructions that write each register, by node.
#[derive(Debug)]
pub(crate) struct Writers {
    of: SortedMap<usize, Vec<usize>>,
    /// The remaining budget of [`Self::depend`].
    effort: Cell<Effort>,
}

impl Writers {
    pub(crate) fn of(nodes: &[Node<'_>]) -> Self {
        let mut writers = SortedMap::<usize, Vec<usize>>::new();
        for (at, node) in nodes.iter().enumerate() {
            let Node::Instruction(resolved) = node else { continue };
            for register in &resolved.written {
                writers.entry(*register).or_default().push(at);
            }
        }
        Self { of: writers, effort: Cell::new(Effort::of(nodes.len(), MOST_STEPS)) }
    }

    /// Returns the number of instructions that write a register.
    pub(crate) fn count(&self, register: usize) -> usize {
        self.of.get(&register).map_or(0, Vec::len)
    }

    /// Whether one of these registers may be computed from another one; assumes so once the budget
    /// is exhausted.
    pub(crate) fn depend(&self, nodes: &[Node<'_>], these: Vec<usize>, on: usize) -> bool {
        let mut effort = self.effort.get();
        let found = effort.left().and_then(|()| self.trace(nodes, these, &mut |_| effort.step()));
        self.effort.set(effort);
        found.is_none_or(|found| found.contains(&on))
    }

    /// Calls `note` with each instruction that contributes to these registers, until it returns `None`. Returns
    /// all contributing registers.
    pub(crate) fn trace(
        &self,
        nodes: &[Node<'_>],
        these: Vec<usize>,
        note: &mut impl FnMut(&Resolved<'_>) -> Option<()>,
    ) -> Option<SortedSet<usize>> {
        let (mut open, mut seen, mut noted) = (these, SortedSet::new(), SortedSet::new());
        while let Some(register) = open.pop() {
            let writers = seen.insert(register).then(|| self.of.get(&register));
            for at in writers.flatten().into_iter().flatten() {
                if let Some(Node::Instruction(resolved)) = nodes.get(*at)
                    && noted.insert(*at)
                {
                    note(resolved)?;
                    open.extend(resolved.referents().filter_map(|referent| match referent {
                        Referent::Register(register) => Some(register),
                        Referent::Storage(_) | Referent::Other => None,
                    }));
                }
            }
        }
        Some(seen)
    }
}

#[cfg(test)]
mod tests;
