//! The state before each instruction, on every path to it: a forward data-flow
//! analysis, iterated to its fixpoint.

use alloc::collections::BTreeSet;
use alloc::rc::Rc;
use alloc::vec;
use alloc::vec::Vec;

use crate::flow::effects::Jump;
use crate::flow::effort::Effort;
use crate::flow::node::{Node, Referent, Resolved};
use crate::flow::storage::Storage;
use crate::values::constants::Constants;
use crate::values::coordinates::{Coordinates, Inputs};
use crate::values::evaluate::Evaluator;
use crate::values::state::{Change, State, Widening};
use crate::values::value::AbstractValue;

/// The budget per node of the body, and in addition: steps are instructions followed and
/// registers compared at joins. Code from compilers needs a few steps per node.
const MOST_STEPS: (usize, usize) = (64, 1 << 18);

/// The maximum number of values created at joins, per node, and in addition.
const MOST_VALUES: (usize, usize) = (2, 1 << 15);

/// The context that is the same at every point of a body.
#[derive(Clone, Copy)]
pub(crate) struct Setting<'e, 'a> {
    /// The storage that the body names.
    pub(crate) storages: &'e [Storage<'a>],
    /// What is known about constants.
    pub(crate) constants: Constants<'e>,
    /// The ranges of special registers.
    pub(crate) coordinates: &'e Coordinates,
}

impl<'e, 'a> Setting<'e, 'a> {
    /// Creates an evaluator for the expressions of an instruction.
    pub(crate) fn evaluator(
        self,
        resolved: &'e Resolved<'a>,
        state: &'e State,
    ) -> Evaluator<'e, 'a> {
        let Self { storages, constants, coordinates } = self;
        Evaluator { resolved, storages, constants, coordinates, state }
    }

    /// Returns the state after an instruction; `None` if control never continues with the next.
    pub(crate) fn after(self, resolved: &Resolved<'a>, mut state: State) -> Option<State> {
        match resolved.effects.jump {
            Jump::Next => {
                self.transfer(resolved, &mut state);
                Some(state)
            }
            Jump::To(_) | Jump::Anywhere | Jump::Ends => state.behind(resolved, false),
        }
    }

    /// Applies an instruction to the state.
    pub(crate) fn transfer(self, resolved: &Resolved<'a>, state: &mut State) {
        let effects = &resolved.effects;
        let runs = effects.ignores_guard || state.follows(resolved, true).is_some();
        if resolved.written.is_empty() || !runs {
            return;
        }
        let is_sure = state.follows(resolved, false).is_none();
        let value = Setting::evaluator(self, resolved, state).value(&effects.value);
        let value = match value {
            value if effects.writes.len() <= 1 => value,
            AbstractValue::Number(_) | AbstractValue::Truth(_) => AbstractValue::unknown(),
            AbstractValue::Address(_)
            | AbstractValue::Descriptor(..)
            | AbstractValue::LowestBits(_)
            | AbstractValue::Truncated(_)
            | AbstractValue::Anything => AbstractValue::Anything,
        };
        let value = Rc::new(value);
        let lower = self.lower_half(resolved, state).map(|(to, half)| (to, Rc::new(half)));
        for &register in &resolved.written {
            let value = match &lower {
                Some((to, half)) if *to == register => half,
                Some(_) | None => &value,
            };
            let written = match state.get(register) {
                Some(old) if !is_sure => Rc::new(old.join(value)),
                Some(_) | None => Rc::clone(value),
            };
            state.set(register, written);
        }
    }

    /// Returns the register that receives the lower half of an address or of a number, and that half.
    fn lower_half(self, resolved: &Resolved<'a>, state: &State) -> Option<(usize, AbstractValue)> {
        let (name, half) = resolved.effects.lower()?;
        let Some(Referent::Register(register)) = resolved.find(name.text) else { return None };
        let half = Setting::evaluator(self, resolved, state).value(half);
        let is_followed = matches!(
            half,
            AbstractValue::Address(_) | AbstractValue::LowestBits(_) | AbstractValue::Number(_)
        );
        is_followed.then_some((register, half))
    }
}

/// Returns how to widen at a block that was visited this often.
fn widening(visits: u8, limits: &BTreeSet<i128>) -> Widening<'_> {
    match visits {
        0 => Widening::None,
        1..4 => Widening::To(limits),
        4..6 => Widening::Ranges,
        6.. => Widening::All,
    }
}

/// The state before each node that is the start of a block, if control reaches it.
pub(crate) type Before = Vec<Option<Rc<State>>>;

/// Returns the state before the first node and at each label that control reaches.
pub(crate) fn fixpoint<'a>(nodes: &[Node<'a>], setting: Setting<'_, 'a>, start: &State) -> Before {
    let count = nodes.len();
    fixpoint_in(nodes, setting, start, || {
        Effort::of(count, MOST_STEPS).with_values(count, MOST_VALUES)
    })
}

/// Returns the fixpoint within this budget, which each of the two passes has.
fn fixpoint_in<'a>(
    nodes: &[Node<'a>],
    setting: Setting<'_, 'a>,
    start: &State,
    effort: impl Fn() -> Effort,
) -> Before {
    if nodes.is_empty() {
        return Vec::new();
    }
    let mut blocks = Blocks::new(nodes, setting, start.clone(), effort());
    loop {
        let mut at = 0;
        while let Some(next) = blocks.next(at) {
            blocks.follow(next);
            at = next;
        }
        if !blocks.spread() {
            break;
        }
    }
    if blocks.effort.is_spent() {
        return anything(nodes, setting, start);
    }
    if !blocks.is_widened {
        return blocks.before;
    }
    // A second pass from the fixpoint, without widening, yields a state that is also sound, and narrower.
    let mut narrowed = Blocks::new(nodes, setting, start.clone(), effort());
    for (at, state) in blocks.before.into_iter().enumerate() {
        if let Some(state) = state {
            narrowed.follow_from(at, state);
        }
    }
    narrowed.spread();
    if narrowed.effort.is_spent() { anything(nodes, setting, start) } else { narrowed.before }
}

/// Returns sound states without iteration: at each label, registers hold anything.
fn anything<'a>(nodes: &[Node<'a>], setting: Setting<'_, 'a>, start: &State) -> Before {
    let referents = nodes.iter().filter_map(|node| match node {
        Node::Instruction(resolved) => Some(resolved.referents()),
        Node::Label(_) | Node::Nothing => None,
    });
    let registers = referents.flatten().filter_map(|referent| match referent {
        Referent::Register(register) => Some(register),
        Referent::Storage(_) | Referent::Other => None,
    });
    let contents = setting.storages.iter().filter_map(|storage| storage.content);
    let last = registers.chain(contents).max().unwrap_or(0);
    let state = Rc::new(State::anything(last));
    let before = |(at, node): (usize, &Node<'a>)| match node {
        Node::Label(_) => Some(Rc::clone(&state)),
        Node::Instruction(_) | Node::Nothing => (at == 0).then(|| Rc::new(start.clone())),
    };
    nodes.iter().enumerate().map(before).collect()
}

/// The basic blocks, which start at the first node and at each label.
struct Blocks<'b, 'a> {
    nodes: &'b [Node<'a>],
    setting: Setting<'b, 'a>,
    /// The state before each.
    before: Before,
    /// The state where control may continue at any label.
    anywhere: Option<Rc<State>>,
    /// Whether it has been joined into the labels.
    is_spread: bool,
    /// How often it was joined into them.
    rounds: u8,
    /// The number of visits of each block.
    visits: Vec<u8>,
    /// The blocks to visit because their state changed.
    open: BTreeSet<usize>,
    /// The ends of ranges that tests prove.
    limits: BTreeSet<i128>,
    /// Whether any range was widened.
    is_widened: bool,
    effort: Effort,
}

impl<'b, 'a> Blocks<'b, 'a> {
    fn new(nodes: &'b [Node<'a>], setting: Setting<'b, 'a>, start: State, effort: Effort) -> Self {
        let mut before = vec![None; nodes.len()];
        before[0] = Some(Rc::new(start));
        Self {
            nodes,
            setting,
            before,
            anywhere: None,
            is_spread: true,
            rounds: 0,
            visits: vec![0; nodes.len()],
            open: [0].into(),
            limits: BTreeSet::new(),
            is_widened: false,
            effort,
        }
    }

    /// Joins a path with this state into a node.
    fn lead(&mut self, to: usize, state: &Rc<State>) {
        let widening = widening(self.visits[to], &self.limits);
        let change = join(&mut self.before[to], state, widening, &mut self.effort);
        self.is_widened |= change == Change::Widened;
        if change != Change::None {
            self.open.insert(to);
        }
    }

    /// Returns the next block to visit, from this node on, or else from the start.
    fn next(&mut self, from: usize) -> Option<usize> {
        if self.effort.is_spent() {
            return None;
        }
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
    fn follow_from(&mut self, from: usize, start: Rc<State>) {
        let nodes = self.nodes;
        if let (Node::Label(_), Some(Node::Label(_))) = (&nodes[from], nodes.get(from + 1)) {
            // Adjacent labels have the same state and share it.
            self.effort.spend(2);
            self.lead(from + 1, &start);
        } else {
            self.follow_nodes(from, start);
        }
    }

    /// Follows a block node by node.
    fn follow_nodes(&mut self, from: usize, start: Rc<State>) {
        let (nodes, setting) = (self.nodes, self.setting);
        let mut state = Rc::unwrap_or_clone(start);
        for (at, node) in nodes.iter().enumerate().skip(from) {
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
                    self.limits.extend(state.limits(resolved));
                    if let Some(state) = state.behind(resolved, true)
                        && let Some(target) = resolved.target
                    {
                        self.lead(target, &Rc::new(state));
                    }
                }
                // The index is a choice among several, as a test is.
                Jump::Anywhere if setting.coordinates.inputs != Inputs::Any => {}
                Jump::Anywhere => {
                    if let Some(state) = state.where_it_runs(resolved) {
                        self.lead_anywhere(&Rc::new(state.into_owned()));
                    }
                }
            }
            match setting.after(resolved, state) {
                Some(known) => state = known,
                None => return,
            }
        }
    }

    /// Joins a path with this state into a jump to any label.
    fn lead_anywhere(&mut self, state: &Rc<State>) {
        let widening = widening(self.rounds, &self.limits);
        let change = join(&mut self.anywhere, state, widening, &mut self.effort);
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

/// Joins a path into a state, and returns what changed.
fn join(
    known: &mut Option<Rc<State>>,
    other: &Rc<State>,
    widening: Widening<'_>,
    effort: &mut Effort,
) -> Change {
    match known {
        Some(known) => Rc::make_mut(known).join(other, widening, effort),
        None => {
            *known = Some(Rc::clone(other));
            Change::Changed
        }
    }
}

#[cfg(test)]
mod tests;
