//! The loops of a body.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::effects::Jump;
use crate::node::Node;

/// Which labels are those of loops.
#[derive(Debug, Default)]
pub(crate) struct Loops {
    /// The last jump back to each label that there is a jump back to.
    ends: BTreeMap<usize, usize>,
    /// The labels of loops that there are other ways into than by their labels.
    entered: Vec<usize>,
}

impl Loops {
    pub(crate) fn of(nodes: &[Node<'_>]) -> Self {
        let mut loops = Self::default();
        let mut jumps = Vec::new();
        let mut is_anywhere = false;
        for (at, node) in nodes.iter().enumerate() {
            let Node::Instruction(resolved) = node else { continue };
            jumps.extend(resolved.target.map(|target| (at, target)));
            is_anywhere |= matches!(resolved.effects.jump, Jump::Anywhere);
        }
        for (at, target) in &jumps {
            if target <= at {
                let end = loops.ends.entry(*target).or_default();
                *end = (*end).max(*at);
            }
        }
        for (label, end) in &loops.ends {
            let enters = |(from, to): &(usize, usize)| {
                !(label..=end).contains(&from) && label < to && to <= end
            };
            if is_anywhere || jumps.iter().any(enters) {
                loops.entered.push(*label);
            }
        }
        loops
    }

    /// Where the last jump back to a label stands, if there is one.
    pub(crate) fn end(&self, label: usize) -> Option<usize> {
        self.ends.get(&label).copied()
    }

    /// The labels of loops that there is no other way into, and their ends.
    pub(crate) fn closed(&self) -> impl Iterator<Item = (usize, usize)> {
        let is_closed = |(label, _): &(&usize, &usize)| !self.entered.contains(label);
        self.ends.iter().filter(is_closed).map(|(label, end)| (*label, *end))
    }
}
