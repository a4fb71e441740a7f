//! What is known before each instruction, on whichever path control gets there: a forward data-flow
//! analysis, iterated to its fixpoint.

use alloc::collections::BTreeSet;
use alloc::rc::Rc;
use alloc::vec;
use alloc::vec::Vec;

use crate::constants::Constants;
use crate::coordinates::Coordinates;
use crate::effects::Jump;
use crate::evaluate::Evaluator;
use crate::node::{Node, Referent, Resolved};
use crate::state::{State, Widening};
use crate::storage::Storage;
use crate::value::AbstractValue;

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
            Jump::To(_) | Jump::Anywhere | Jump::Ends => {
                let claims = state.follows(resolved, false)?;
                Some(state.with(claims))
            }
        }
    }

    /// What an instruction changes.
    pub(crate) fn transfer(self, resolved: &Resolved<'a>, state: &mut State) {
        let effects = &resolved.effects;
        let runs = effects.ignores_guard || state.follows(resolved, true).is_some();
        if effects.writes.is_empty() || !runs {
            return;
        }
        let is_sure = state.follows(resolved, false).is_none();
        let value = Setting::evaluator(self, resolved, state).value(&effects.value);
        let value = match value {
            value if effects.writes.len() == 1 => value,
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
        let (name, half) = resolved.effects.lower.as_ref()?;
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
fn widening(visits: usize) -> Widening {
    match visits {
        0 => Widening::None,
        1..6 => Widening::Ranges,
        6.. => Widening::All,
    }
}

/// What is known before the first node, and at each label that a path leads to.
pub(crate) fn fixpoint<'a>(
    nodes: &[Node<'a>],
    setting: Setting<'_, 'a>,
    start: State,
) -> Vec<Option<State>> {
    let mut labels = Vec::new();
    for (i, node) in nodes.iter().enumerate() {
        if let Node::Label(_) = node {
            labels.push(i);
        }
    }
    let mut blocks = Blocks {
        before: vec![None; nodes.len()],
        visits: vec![0; nodes.len()],
        open: BTreeSet::new(),
    };
    if !nodes.is_empty() {
        blocks.before[0] = Some(start);
        blocks.open.insert(0);
    }
    // What is known where control may go to any label, and whether the labels know it too.
    let (mut anywhere, mut rounds, mut is_spread) = (None::<State>, 0, true);
    let mut at = 0;
    loop {
        let Some((from, mut state)) = blocks.next(at) else {
            match &anywhere {
                Some(state) if !is_spread => {
                    for label in &labels {
                        blocks.lead(*label, state);
                    }
                    (is_spread, rounds, at) = (true, rounds + 1, 0);
                    continue;
                }
                Some(_) | None => return blocks.before,
            }
        };
        at = from;
        while let Some(node) = nodes.get(at) {
            match node {
                Node::Label(_) if at != from => {
                    blocks.lead(at, &state);
                    break;
                }
                Node::Label(_) => {}
                Node::Instruction(resolved) => {
                    match &resolved.effects.jump {
                        Jump::Next | Jump::Ends => {}
                        Jump::To(_) => {
                            if let Some(state) = state.where_it_runs(resolved)
                                && let Some(target) = resolved.target
                            {
                                blocks.lead(target, &state);
                            }
                        }
                        Jump::Anywhere => {
                            if let Some(state) = state.where_it_runs(resolved) {
                                is_spread &= !join(&mut anywhere, &state, widening(rounds));
                            }
                        }
                    }
                    match setting.after(resolved, state) {
                        Some(known) => state = known,
                        None => break,
                    }
                }
            }
            at += 1;
        }
    }
}

/// What starts at the first node and at each label.
struct Blocks {
    /// What is known before each.
    before: Vec<Option<State>>,
    /// How often each was looked at.
    visits: Vec<usize>,
    /// Those to look at because more paths lead there than were known.
    open: BTreeSet<usize>,
}

impl Blocks {
    /// A path leads there, on which this is known.
    fn lead(&mut self, to: usize, state: &State) {
        if join(&mut self.before[to], state, widening(self.visits[to])) {
            self.open.insert(to);
        }
    }

    /// The next one to look at, from this node on or else from the start.
    fn next(&mut self, from: usize) -> Option<(usize, State)> {
        let next = self.open.range(from..).next().or_else(|| self.open.first()).copied()?;
        self.open.remove(&next);
        self.visits[next] += 1;
        Some((next, self.before[next].clone().unwrap_or_default()))
    }
}

/// Adds a path to those that join somewhere; whether that changes what is known there.
fn join(known: &mut Option<State>, other: &State, widening: Widening) -> bool {
    match known {
        Some(known) => known.join(other, widening),
        None => {
            *known = Some(other.clone());
            true
        }
    }
}

#[cfg(test)]
mod tests;
