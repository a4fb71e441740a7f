//! Resolves jumps to labels: of labels with the same name, the one in the innermost block around the jump.

use alloc::vec;
use alloc::vec::Vec;

use ptx_isa::ir::body::{Statement, StatementKind};
use ptx_isa::sorted::{SortedMap, SortedSet};

use crate::flow::effects::Jump;
use crate::flow::node::Node;

/// The labels of each block: of the body, and of the blocks opened in it, in order. Labels before an
/// unmatched closing brace belong to the body.
pub(crate) struct OfBlocks<'a> {
    /// The block, the statement index, and the name.
    labels: Vec<(u32, u32, &'a str)>,
    /// The number of blocks, and of labels, that were returned so far.
    next: (u32, usize),
}

impl<'a> OfBlocks<'a> {
    pub(crate) fn of(statements: impl Iterator<Item = Statement<'a>>) -> Self {
        let (mut labels, mut open) = (Vec::new(), vec![0]);
        let mut blocks = 1;
        for (n, statement) in (0..).zip(statements) {
            match statement.kind() {
                StatementKind::Open => {
                    open.push(blocks);
                    blocks += 1;
                }
                StatementKind::Close => {
                    open.pop();
                }
                StatementKind::Label => {
                    labels.extend(open.last().map(|block| (*block, n, statement.text())));
                }
                _ => {}
            }
        }
        labels.sort_unstable_by_key(|(block, n, _)| (*block, *n));
        Self { labels, next: (0, 0) }
    }

    /// Returns the statement indices and names of the labels in the next block.
    pub(crate) fn next_block(&mut self) -> impl Iterator<Item = (usize, &'a str)> {
        let (block, first) = self.next;
        let count = self.labels[first..].iter().take_while(|(of, ..)| *of == block).count();
        self.next = (block + 1, first + count);
        let labels = &self.labels[first..first + count];
        labels.iter().map(|(_, n, name)| (*n as usize, *name))
    }
}

/// A part of a body that matters for label resolution.
#[derive(Clone, Copy)]
enum Step {
    /// The start of a block.
    Open,
    /// The end of a block.
    Close,
    /// A label or an instruction.
    Node,
}

/// The labels and jumps of a body, collected while its nodes are read in order.
pub(crate) struct Labels<'a> {
    steps: Vec<Step>,
    /// The open blocks.
    open: Vec<usize>,
    /// The number of blocks.
    blocks: usize,
    /// The number of nodes.
    nodes: usize,
    /// The node of each label by block and name; `None` if the label is declared twice.
    declared: SortedMap<(usize, &'a str), Option<usize>>,
}

impl<'a> Labels<'a> {
    pub(crate) fn new() -> Self {
        Self { steps: Vec::new(), open: vec![0], blocks: 1, nodes: 0, declared: SortedMap::new() }
    }

    /// Starts a block.
    pub(crate) fn open(&mut self) {
        self.steps.push(Step::Open);
        self.open.push(self.blocks);
        self.blocks += 1;
    }

    /// Ends a block.
    pub(crate) fn close(&mut self) {
        if self.open.len() > 1 {
            self.steps.push(Step::Close);
            self.open.pop();
        }
    }

    /// Adds the next node.
    pub(crate) fn note(&mut self, node: &Node<'a>) {
        if let (Node::Label(name), Some(block)) = (node, self.open.last()) {
            let is_first = !self.declared.contains_key(&(*block, *name));
            self.declared.insert((*block, *name), is_first.then_some(self.nodes));
        }
        self.steps.push(Step::Node);
        self.nodes += 1;
    }

    /// Sets the target of each jump.
    pub(crate) fn link(&self, nodes: &mut [Node<'a>]) {
        let target = |node: &Node<'a>| match node {
            Node::Instruction(resolved) => match &resolved.effects.jump {
                Jump::To(name) => Some(name.text),
                Jump::Next | Jump::Anywhere | Jump::Ends => None,
            },
            Node::Label(_) | Node::Nothing => None,
        };
        let targets: SortedSet<&str> = nodes.iter().filter_map(target).collect();
        // The jump targets of each name in the open blocks, the innermost last.
        let mut visible: SortedMap<&'a str, Vec<Option<usize>>> = SortedMap::new();
        let (mut open, mut blocks) = (vec![0], 1);
        let of_block = |block: usize| {
            let labels = self.declared.range((block, "")..);
            let labels = labels.take_while(move |((of, _), _)| *of == block);
            let labels = labels.filter(|((_, name), _)| targets.contains(name));
            labels.map(|((_, name), at)| (*name, *at))
        };
        for (name, at) in of_block(0) {
            visible.entry(name).or_default().push(at);
        }
        let mut nodes = nodes.iter_mut();
        for step in &self.steps {
            match step {
                Step::Open => {
                    for (name, at) in of_block(blocks) {
                        visible.entry(name).or_default().push(at);
                    }
                    open.push(blocks);
                    blocks += 1;
                }
                Step::Close => {
                    for (name, _) in open.pop().into_iter().flat_map(of_block) {
                        visible.entry(name).or_default().pop();
                    }
                }
                Step::Node => {
                    if let Some(Node::Instruction(resolved)) = nodes.next()
                        && let Jump::To(name) = &resolved.effects.jump
                    {
                        let labels = visible.get(name.text);
                        resolved.target =
                            labels.and_then(|labels| labels.last().copied().flatten());
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
