//! Which labels jumps go to: of those with a name, the one of the innermost block around the jump.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

use crate::effects::Jump;
use crate::node::Node;

/// The labels and jumps of a body, as its nodes are read in order.
pub(crate) struct Labels<'a> {
    /// The block around each block.
    around: Vec<Option<usize>>,
    /// The block that is read.
    block: usize,
    /// Where the label with each name stands in a block; nowhere of one that stands twice.
    declared: BTreeMap<(usize, &'a str), Option<usize>>,
    /// The block of each node.
    blocks: Vec<usize>,
}

impl<'a> Labels<'a> {
    pub(crate) fn new() -> Self {
        Self { around: vec![None], block: 0, declared: BTreeMap::new(), blocks: Vec::new() }
    }

    /// Starts a block.
    pub(crate) fn open(&mut self) {
        self.around.push(Some(self.block));
        self.block = self.around.len() - 1;
    }

    /// Ends one.
    pub(crate) fn close(&mut self) {
        self.block = self.around[self.block].unwrap_or(0);
    }

    /// The next node.
    pub(crate) fn note(&mut self, node: &Node<'a>) {
        if let Node::Label(name) = node {
            let at = self.blocks.len();
            let label = self.declared.entry((self.block, name));
            label.and_modify(|it| *it = None).or_insert(Some(at));
        }
        self.blocks.push(self.block);
    }

    /// Tells each jump where it goes.
    pub(crate) fn link(&self, nodes: &mut [Node<'a>]) {
        for (node, block) in nodes.iter_mut().zip(&self.blocks) {
            if let Node::Instruction(resolved) = node
                && let Jump::To(name) = &resolved.effects.jump
            {
                resolved.target = self.find(name.text, *block);
            }
        }
    }

    fn find(&self, name: &'a str, mut block: usize) -> Option<usize> {
        loop {
            if let Some(label) = self.declared.get(&(block, name)) {
                return *label;
            }
            block = self.around[block]?;
        }
    }
}
