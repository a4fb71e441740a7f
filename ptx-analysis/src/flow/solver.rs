//! Forward data-flow analysis: the state before each instruction, on every path to it, iterated to the fixpoint.
//! What a state is, how instructions change it and how paths join is the [`Domain`]'s.

use alloc::rc::Rc;
use alloc::vec;
use alloc::vec::Vec;

use ptx_isa::sorted::SortedSet;

use crate::flow::effects::Jump;
use crate::flow::effort::Effort;
use crate::flow::node::{Node, Resolved};

/// What is followed along the paths of a body.
pub(crate) trait Domain<'a> {
    /// What is known at a point.
    type State: Clone;

    /// Whether blocks are visited in sweeps from the start of the body to its end, and not always the first open one.
    const SWEEPS: bool = false;

    /// Returns the steps that it takes to copy a state, besides those that [`join`](Self::join) spends.
    fn size(_: &Self::State) -> usize {
        0
    }

    /// Returns the state with which an instruction jumps; `None` if it never does.
    fn jumps(&mut self, resolved: &Resolved<'a>, state: &Self::State) -> Option<Self::State>;

    /// Returns the state after the instruction of a node; `None` if control never continues with the next.
    fn after(
        &mut self,
        at: usize,
        resolved: &Resolved<'a>,
        state: Self::State,
    ) -> Option<Self::State>;

    /// Joins a path into the state of a block that was visited this often.
    fn join(
        &mut self,
        known: &mut Self::State,
        path: &Self::State,
        visits: u8,
        effort: &mut Effort,
    ) -> Change;
}

/// What a join changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Change {
    /// Nothing.
    None,
    /// Something.
    Changed,
    /// Something, of which less is known now than the join alone says.
    Widened,
}

/// The state before each node that is the start of a block, if control reaches it.
pub(crate) type Before<S> = Vec<Option<Rc<S>>>;

/// The basic blocks of a body, which start at the first node and at each label, and the states before them.
pub(crate) struct Solver<'s, 'a, D: Domain<'a>> {
    nodes: &'s [Node<'a>],
    domain: D,
    before: Before<D::State>,
    /// The state where control may continue at any label.
    anywhere: Option<Rc<D::State>>,
    /// Whether it has been joined into the labels.
    is_spread: bool,
    /// How often it was joined into them.
    rounds: u8,
    /// The number of visits of each block.
    visits: Vec<u8>,
    /// The blocks to visit because their state changed.
    open: SortedSet<usize>,
    /// Whether the state of any block was widened.
    is_widened: bool,
    effort: Effort,
}

impl<'s, 'a, D: Domain<'a>> Solver<'s, 'a, D> {
    /// Creates a solver for a body that starts with this state.
    pub(crate) fn new(nodes: &'s [Node<'a>], domain: D, start: D::State, effort: Effort) -> Self {
        let mut before = vec![None; nodes.len()];
        if let Some(first) = before.first_mut() {
            *first = Some(Rc::new(start));
        }
        Self {
            nodes,
            domain,
            before,
            anywhere: None,
            is_spread: true,
            rounds: 0,
            visits: vec![0; nodes.len()],
            open: if nodes.is_empty() { SortedSet::new() } else { [0].into() },
            is_widened: false,
            effort,
        }
    }

    /// Returns the fixpoint, whether it was widened, and the domain; `None` if the budget is exhausted.
    pub(crate) fn solve(mut self) -> Option<(Before<D::State>, bool, D)> {
        loop {
            let mut at = 0;
            while let Some(next) = self.next(at) {
                self.follow(next);
                at = next;
            }
            if !self.spread() {
                break;
            }
        }
        self.effort.left()?;
        Some((self.before, self.is_widened, self.domain))
    }

    /// Follows each block once from these states, which are sound, and returns the joined ones, which are sound, too;
    /// `None` if the budget is exhausted.
    pub(crate) fn pass(mut self, from: Before<D::State>) -> Option<Before<D::State>> {
        for (at, state) in from.into_iter().enumerate() {
            if let Some(state) = state {
                self.follow_from(at, state);
            }
        }
        self.spread();
        self.effort.left()?;
        Some(self.before)
    }

    /// Joins a path with this state into a node.
    fn lead(&mut self, to: usize, state: &Rc<D::State>) {
        self.effort.spend(D::size(state));
        let change = match &mut self.before[to] {
            Some(known) => {
                let known = Rc::make_mut(known);
                self.domain.join(known, state, self.visits[to], &mut self.effort)
            }
            none => {
                *none = Some(Rc::clone(state));
                Change::Changed
            }
        };
        self.is_widened |= change == Change::Widened;
        if change != Change::None {
            self.open.insert(to);
        }
    }

    /// Returns the next block to visit, from this node on or else from the start.
    fn next(&mut self, from: usize) -> Option<usize> {
        self.effort.left()?;
        let from = if D::SWEEPS { from } else { 0 };
        let next = self.open.range(from..).next().or_else(|| self.open.first()).copied()?;
        self.open.remove(&next);
        self.visits[next] = self.visits[next].saturating_add(1);
        Some(next)
    }

    /// Follows a block to the start of the next ones.
    fn follow(&mut self, from: usize) {
        if let Some(state) = self.before[from].clone() {
            self.follow_from(from, state);
        }
    }

    /// Follows a block, from this state, to the start of the next ones.
    fn follow_from(&mut self, from: usize, start: Rc<D::State>) {
        let nodes = self.nodes;
        self.effort.spend(D::size(&start));
        if let (Node::Label(_), Some(Node::Label(_))) = (&nodes[from], nodes.get(from + 1)) {
            // Adjacent labels have the same state and share it.
            self.effort.spend(2);
            self.lead(from + 1, &start);
        } else {
            self.follow_nodes(from, start);
        }
    }

    /// Follows a block node by node.
    fn follow_nodes(&mut self, from: usize, start: Rc<D::State>) {
        let mut state = Rc::unwrap_or_clone(start);
        for (at, node) in self.nodes.iter().enumerate().skip(from) {
            self.effort.spend(1);
            if self.effort.is_spent() {
                return;
            }
            let resolved = match node {
                Node::Label(_) if at != from => return self.lead(at, &Rc::new(state)),
                Node::Label(_) | Node::Nothing => continue,
                Node::Instruction(resolved) => resolved,
            };
            match &resolved.effects.jump {
                Jump::Next | Jump::Ends => {}
                Jump::To(_) => {
                    if let Some(state) = self.domain.jumps(resolved, &state)
                        && let Some(target) = resolved.target
                    {
                        self.lead(target, &Rc::new(state));
                    }
                }
                Jump::Anywhere => {
                    if let Some(state) = self.domain.jumps(resolved, &state) {
                        self.lead_anywhere(state);
                    }
                }
            }
            match self.domain.after(at, resolved, state) {
                Some(known) => state = known,
                None => return,
            }
        }
    }

    /// Joins a path with this state into a jump to any label.
    fn lead_anywhere(&mut self, state: D::State) {
        self.effort.spend(D::size(&state));
        let change = match &mut self.anywhere {
            Some(known) => {
                let known = Rc::make_mut(known);
                self.domain.join(known, &state, self.rounds, &mut self.effort)
            }
            none => {
                *none = Some(Rc::new(state));
                Change::Changed
            }
        };
        self.is_spread &= change == Change::None;
    }

    /// Joins the state of jumps to any label into the labels, and returns whether that was outstanding.
    fn spread(&mut self) -> bool {
        if self.effort.is_spent() {
            return false;
        }
        let Some(state) = self.anywhere.clone().filter(|_| !self.is_spread) else { return false };
        for (at, node) in self.nodes.iter().enumerate() {
            if let Node::Label(_) = node {
                self.lead(at, &state);
            }
        }
        self.is_spread = true;
        self.rounds = self.rounds.saturating_add(1);
        true
    }
}

/// Calls `note` with each instruction that control may reach, in order, and the state before it.
pub(crate) fn each_reached<'n, 'a, D: Domain<'a>>(
    nodes: &'n [Node<'a>],
    domain: &mut D,
    before: Before<D::State>,
    mut note: impl FnMut(usize, &'n Resolved<'a>, &mut D::State),
) {
    let mut state: Option<D::State> = None;
    for (at, (node, before)) in nodes.iter().zip(before).enumerate() {
        state = before.map(Rc::unwrap_or_clone).or(state);
        let Node::Instruction(resolved) = node else { continue };
        state = state.and_then(|mut here| {
            note(at, resolved, &mut here);
            domain.after(at, resolved, here)
        });
    }
}

#[cfg(test)]
mod tests;
