//! What is known before each instruction, on whichever path control gets there: a forward data-flow
//! analysis, iterated to its fixpoint.

use alloc::collections::BTreeSet;
use alloc::rc::Rc;
use alloc::vec;
use alloc::vec::Vec;

use crate::constants::Constants;
use crate::coordinates::Coordinates;
use crate::effects::Jump;
use crate::effort::Effort;
use crate::evaluate::Evaluator;
use crate::node::{Node, Referent, Resolved};
use crate::state::{Change, State, Widening};
use crate::storage::Storage;
use crate::value::AbstractValue;

/// How many steps are done for each node that there is, and besides: instructions that are followed, and
/// registers that are compared where paths join. Compilers' code needs a few for each.
const MOST_STEPS: (usize, usize) = (64, 1 << 18);

/// How many values are made, for each node and besides, of those that registers hold on paths that join.
const MOST_VALUES: (usize, usize) = (2, 1 << 15);

/// What is the same at every place of a body.
#[derive(Clone, Copy)]
pub(crate) struct Setting<'e, 'a> {
    /// The storage that the body names.
    pub(crate) storages: &'e [Storage<'a>],
    /// What is known of constants.
    pub(crate) constants: Constants<'e>,
    /// Between which numbers special registers are.
    pub(crate) coordinates: &'e Coordinates,
}

impl<'e, 'a> Setting<'e, 'a> {
    /// What evaluates the expressions of an instruction.
    pub(crate) fn evaluator(
        self,
        resolved: &'e Resolved<'a>,
        state: &'e State,
    ) -> Evaluator<'e, 'a> {
        let Self { storages, constants, coordinates } = self;
        Evaluator { resolved, storages, constants, coordinates, state }
    }

    /// What is known behind an instruction; `None` if control never goes on to the next.
    pub(crate) fn after(self, resolved: &Resolved<'a>, mut state: State) -> Option<State> {
        match resolved.effects.jump {
            Jump::Next => {
                self.transfer(resolved, &mut state);
                Some(state)
            }
            Jump::To(_) | Jump::Anywhere | Jump::Ends => state.behind(resolved, false),
        }
    }

    /// What an instruction changes.
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

    /// The register to which an instruction writes the lower half of an address or of a number, and that.
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

/// How much is given up of what still changes at a block that was looked at so often.
fn widening(visits: u8, limits: &BTreeSet<i128>) -> Widening<'_> {
    match visits {
        0 => Widening::None,
        1..4 => Widening::To(limits),
        4..6 => Widening::Ranges,
        6.. => Widening::All,
    }
}

/// What is known before each node, if it starts something that paths lead to.
pub(crate) type Before = Vec<Option<Rc<State>>>;

/// What is known before the first node, and at each label that a path leads to.
pub(crate) fn fixpoint<'a>(nodes: &[Node<'a>], setting: Setting<'_, 'a>, start: &State) -> Before {
    let count = nodes.len();
    fixpoint_in(nodes, setting, start, || {
        Effort::of(count, MOST_STEPS).with_values(count, MOST_VALUES)
    })
}

/// The same with so much effort at most, each of two times.
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
    // Once more from what is true of all, without widening: that is true, too, and narrower.
    let mut narrowed = Blocks::new(nodes, setting, start.clone(), effort());
    for (at, state) in blocks.before.into_iter().enumerate() {
        if let Some(state) = state {
            narrowed.follow_from(at, state);
        }
    }
    narrowed.spread();
    if narrowed.effort.is_spent() { anything(nodes, setting, start) } else { narrowed.before }
}

/// What is true wherever control goes: at each label registers hold anything.
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

/// What starts at the first node and at each label.
struct Blocks<'b, 'a> {
    nodes: &'b [Node<'a>],
    setting: Setting<'b, 'a>,
    /// What is known before each.
    before: Before,
    /// What is known where control may go to any label.
    anywhere: Option<Rc<State>>,
    /// Whether the labels know it too.
    is_spread: bool,
    /// How often they were told.
    rounds: u8,
    /// How often each was looked at.
    visits: Vec<u8>,
    /// Those to look at because more paths lead there than were known.
    open: BTreeSet<usize>,
    /// The ends of ranges that tests prove.
    limits: BTreeSet<i128>,
    /// Whether the range of something was widened.
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

    /// A path leads there, on which this is known.
    fn lead(&mut self, to: usize, state: &Rc<State>) {
        let widening = widening(self.visits[to], &self.limits);
        let change = join(&mut self.before[to], state, widening, &mut self.effort);
        self.is_widened |= change == Change::Widened;
        if change != Change::None {
            self.open.insert(to);
        }
    }

    /// The next one to look at, from this node on or else from the start.
    fn next(&mut self, from: usize) -> Option<usize> {
        if self.effort.is_spent() {
            return None;
        }
        let next = self.open.range(from..).next().or_else(|| self.open.first()).copied()?;
        self.open.remove(&next);
        self.visits[next] = self.visits[next].saturating_add(1);
        Some(next)
    }

    /// Follows a block to where others begin.
    fn follow(&mut self, from: usize) {
        if let Some(state) = self.before[from].clone() {
            self.follow_from(from, state);
        }
    }

    /// Follows a block to where others begin, before which this is known.
    fn follow_from(&mut self, from: usize, start: Rc<State>) {
        let nodes = self.nodes;
        if let (Node::Label(_), Some(Node::Label(_))) = (&nodes[from], nodes.get(from + 1)) {
            // Labels side by side know the same: they share it.
            self.effort.spend(2);
            self.lead(from + 1, &start);
        } else {
            self.follow_nodes(from, start);
        }
    }

    /// The same, node by node.
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

    /// What is known wherever control may go to any label.
    fn lead_anywhere(&mut self, state: &Rc<State>) {
        let widening = widening(self.rounds, &self.limits);
        let change = join(&mut self.anywhere, state, widening, &mut self.effort);
        self.is_spread &= change == Change::None;
    }

    /// Has the labels know what is known where control may go to any; whether they did not.
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

/// Adds a path to those that join somewhere; what that changes.
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
mod paths;
#[cfg(test)]
mod tests;
