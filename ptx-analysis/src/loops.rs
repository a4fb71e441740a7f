//! The loops of a body.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::effects::Jump;
use crate::node::Node;

/// Where labels stand, and which of them are those of loops.
#[derive(Debug, Default)]
pub(crate) struct Loops<'a> {
    labels: BTreeMap<&'a str, Option<usize>>,
    /// The last jump back to each label that there is a jump back to.
    ends: BTreeMap<usize, usize>,
    /// The labels of loops that there are other ways into than by their labels.
    entered: Vec<usize>,
}

impl<'a> Loops<'a> {
    pub(crate) fn of(nodes: &[Node<'a>]) -> Self {
        let mut loops = Self::default();
        for (at, node) in nodes.iter().enumerate() {
            if let Node::Label(name) = node {
                // Of a name that stands twice nobody knows which is meant.
                loops.labels.entry(name).and_modify(|it| *it = None).or_insert(Some(at));
            }
        }
        let mut jumps = Vec::new();
        let mut is_anywhere = false;
        for (at, node) in nodes.iter().enumerate() {
            let Node::Instruction(resolved) = node else { continue };
            match &resolved.effects.jump {
                Jump::To(name) => {
                    if let Some(target) = loops.target(name.text) {
                        jumps.push((at, target));
                    }
                }
                Jump::Anywhere => is_anywhere = true,
                Jump::Next | Jump::Ends => {}
            }
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

    /// Where a label stands.
    pub(crate) fn target(&self, name: &str) -> Option<usize> {
        self.labels.get(name).copied().flatten()
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
