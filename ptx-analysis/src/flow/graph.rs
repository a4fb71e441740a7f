//! The control flow graph of a body, as far as it is known.

use alloc::rc::Rc;
use alloc::vec;
use alloc::vec::Vec;

use ptx_isa::rules::{Comparison, LaunchCondition};
use ptx_isa::sorted::SortedMap;

use crate::flow::effects::Jump;
use crate::flow::effort::Effort;
use crate::flow::node::{Node, Resolved};

/// The maximum number of nodes visited in graph walks, per node of the body, and in addition.
const MOST_STEPS: (usize, usize) = (64, 1 << 18);

/// The launch conditions under which a guarded jump is taken, and under which it is not; `None` if that never
/// happens.
pub(crate) type Outcomes = [Option<Vec<Rc<LaunchCondition>>>; 2];

/// The nodes of a body and their successors.
pub(crate) struct Graph<'n, 'a> {
    pub(crate) nodes: &'n [Node<'a>],
    branches: SortedMap<usize, Outcomes>,
    effort: Effort,
}

/// The nodes that control reaches.
#[derive(Debug)]
pub(crate) struct Walk {
    reached: Vec<bool>,
    /// Whether it may reach the end of the function.
    pub(crate) ends: bool,
}

impl Walk {
    /// Creates a walk that has reached nothing yet.
    fn new(nodes: usize) -> Self {
        Self { reached: vec![false; nodes], ends: false }
    }

    /// Whether it may reach this node.
    pub(crate) fn reaches(&self, node: usize) -> bool {
        self.reached.get(node).copied().unwrap_or_default()
    }

    /// Returns the nodes that it may reach.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = usize> {
        self.reached.iter().enumerate().filter(|(_, reached)| **reached).map(|(node, _)| node)
    }
}

impl<'n, 'a> Graph<'n, 'a> {
    /// Builds the graph of a body; `None` if a successor is unknown.
    pub(crate) fn of(nodes: &'n [Node<'a>], branches: SortedMap<usize, Outcomes>) -> Option<Self> {
        let is_lost = nodes.iter().filter_map(Node::instruction).any(Resolved::is_lost);
        let effort = Effort::of(nodes.len(), MOST_STEPS);
        (!is_lost).then_some(Self { nodes, branches, effort })
    }

    /// Spends the budget for this many nodes; `None` if it is exhausted.
    pub(crate) fn spend(&mut self, nodes: usize) -> Option<()> {
        self.effort.spend(nodes);
        self.effort.left()
    }

    /// Returns the successors of a node for threads that satisfy this condition; `None` stands for the end.
    pub(crate) fn next(
        &self,
        at: usize,
        known: &[Rc<LaunchCondition>],
    ) -> impl Iterator<Item = Option<usize>> + use<> {
        let [taken, not] = match self.branches.get(&at) {
            Some(outcomes) => outcomes
                .each_ref()
                .map(|outcome| outcome.as_ref().is_some_and(|needed| !contradict(needed, known))),
            None => [true, true],
        };
        let after = (at + 1 < self.nodes.len()).then_some(at + 1);
        let (to, continues) = match &self.nodes[at] {
            Node::Label(_) | Node::Nothing => (None, true),
            Node::Instruction(resolved) => {
                let is_guarded = resolved.effects.guard.is_some();
                match resolved.effects.jump {
                    Jump::Next => (None, true),
                    Jump::Ends => (taken.then_some(None), is_guarded && not),
                    Jump::To(_) | Jump::Anywhere => {
                        (taken.then_some(resolved.target), is_guarded && not)
                    }
                }
            }
        };
        to.into_iter().chain(continues.then_some(after))
    }

    /// Walks from the successors of a node, for threads that satisfy this condition, and stops at nodes that are not
    /// `open`; `None` if the budget is exhausted.
    pub(crate) fn after(
        &mut self,
        node: usize,
        known: &[Rc<LaunchCondition>],
        open: impl Fn(usize) -> bool,
    ) -> Option<Walk> {
        let starts: Vec<Option<usize>> = self.next(node, known).collect();
        self.walk(starts, known, open)
    }

    /// Walks from the start, and stops at nodes that are not `open`.
    pub(crate) fn start(&mut self, open: impl Fn(usize) -> bool) -> Option<Walk> {
        let start = if self.nodes.is_empty() { None } else { Some(0) };
        self.walk(vec![start], &[], open)
    }

    fn walk(
        &mut self,
        mut left: Vec<Option<usize>>,
        known: &[Rc<LaunchCondition>],
        open: impl Fn(usize) -> bool,
    ) -> Option<Walk> {
        let mut walk = Walk::new(self.nodes.len());
        self.effort.spend(1 + self.nodes.len() / 8);
        while let Some(at) = left.pop() {
            let Some(at) = at else {
                walk.ends = true;
                continue;
            };
            if core::mem::replace(&mut walk.reached[at], true) || !open(at) {
                continue;
            }
            self.effort.step()?;
            left.extend(self.next(at, known));
        }
        Some(walk)
    }

    /// Whether every path to a node passes through another node.
    pub(crate) fn all_over(&mut self, over: usize, to: usize) -> bool {
        self.start(|node| node != over).is_some_and(|walk| !walk.reaches(to))
    }

    /// Returns the nodes from which control may reach a node, including itself if it is in a cycle.
    pub(crate) fn before(&mut self, node: usize) -> Option<Walk> {
        let mut froms: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        for at in 0..self.nodes.len() {
            for to in self.next(at, &[]).flatten() {
                froms[to].push(at);
            }
        }
        self.effort.spend(self.nodes.len());
        let mut walk = Walk::new(self.nodes.len());
        let mut left = froms.get(node)?.clone();
        while let Some(at) = left.pop() {
            if !core::mem::replace(&mut walk.reached[at], true) {
                self.effort.step()?;
                left.extend(&froms[at]);
            }
        }
        self.effort.left()?;
        Some(walk)
    }
}

/// Whether the conditions contradict each other.
fn contradict(needed: &[Rc<LaunchCondition>], known: &[Rc<LaunchCondition>]) -> bool {
    needed.iter().any(|needed| known.iter().any(|known| exclude(needed, known)))
}

/// Whether two conditions on the same sums exclude each other.
fn exclude(one: &LaunchCondition, other: &LaunchCondition) -> bool {
    if !one.left().eq(other.left()) || !one.right().eq(other.right()) {
        return false;
    }
    let (a, b) = (between(one), between(other));
    match (a, b) {
        (Ok((least, most)), Ok((first, last))) => most < first || last < least,
        (Err(point), Ok(range)) | (Ok(range), Err(point)) => range == (point, point),
        (Err(_), Err(_)) => false,
    }
}

/// Returns the range of the left side minus the right side, or the one value that it cannot have.
fn between(condition: &LaunchCondition) -> Result<(i128, i128), i128> {
    let plus = condition.plus();
    match condition.comparison() {
        Comparison::Equal => Ok((plus, plus)),
        Comparison::NotEqual => Err(plus),
        Comparison::Less => Ok((i128::MIN, plus.saturating_sub(1))),
        Comparison::LessOrEqual => Ok((i128::MIN, plus)),
        Comparison::Greater => Ok((plus.saturating_add(1), i128::MAX)),
        Comparison::GreaterOrEqual => Ok((plus, i128::MAX)),
    }
}

#[cfg(test)]
mod tests;
