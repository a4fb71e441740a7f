//! What registers are computed from.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;
use core::cell::Cell;

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

/// How many registers are looked at for each instruction that there is, and besides, to find out whether
/// others may be computed from them.
const MOST_STEPS: (usize, usize) = (8, 1 << 18);

/// The instructions that write each register, by their nodes.
#[derive(Debug)]
pub(crate) struct Writers {
    of: BTreeMap<usize, Vec<usize>>,
    /// How many registers may still be looked at.
    steps: Cell<usize>,
}

impl Writers {
    pub(crate) fn of(nodes: &[Node<'_>]) -> Self {
        let mut writers = BTreeMap::<usize, Vec<usize>>::new();
        for (at, node) in nodes.iter().enumerate() {
            let Node::Instruction(resolved) = node else { continue };
            for register in &resolved.written {
                writers.entry(*register).or_default().push(at);
            }
        }
        let (each, besides) = MOST_STEPS;
        Self { of: writers, steps: Cell::new(nodes.len() * each + besides) }
    }

    /// How many instructions write a register.
    pub(crate) fn count(&self, register: usize) -> usize {
        self.of.get(&register).map_or(0, Vec::len)
    }

    /// Whether one of these registers may be computed from another one; so it is, too, once that was asked
    /// too often.
    pub(crate) fn depend(&self, nodes: &[Node<'_>], these: Vec<usize>, on: usize) -> bool {
        let (found, steps) = self.trace_with(nodes, these, self.steps.get(), &mut |_| {});
        self.steps.set(steps);
        steps == 0 || found.contains(&on)
    }

    /// Calls `note` with each instruction that has a part in what registers hold.
    pub(crate) fn trace(
        &self,
        nodes: &[Node<'_>],
        these: Vec<usize>,
        note: &mut impl FnMut(&Resolved<'_>),
    ) {
        self.trace_with(nodes, these, usize::MAX, note);
    }

    /// The same in so many steps at most: all registers that have a part, and how many steps are left.
    fn trace_with(
        &self,
        nodes: &[Node<'_>],
        these: Vec<usize>,
        mut steps: usize,
        note: &mut impl FnMut(&Resolved<'_>),
    ) -> (BTreeSet<usize>, usize) {
        let (mut open, mut seen, mut noted) = (these, BTreeSet::new(), BTreeSet::new());
        while let Some(register) = open.pop() {
            if !seen.insert(register) {
                continue;
            }
            for at in self.of.get(&register).into_iter().flatten() {
                steps = steps.saturating_sub(1);
                if steps == 0 {
                    return (seen, steps);
                }
                let Some(Node::Instruction(resolved)) = nodes.get(*at) else { continue };
                if !noted.insert(*at) {
                    continue;
                }
                note(resolved);
                open.extend(resolved.referents().filter_map(|referent| match referent {
                    Referent::Register(register) => Some(register),
                    Referent::Storage(_) | Referent::Other => None,
                }));
            }
        }
        (seen, steps)
    }
}

#[cfg(test)]
mod tests;
