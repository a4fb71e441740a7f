//! The values in registers before each instruction, on every path to it.

use alloc::borrow::Cow;
use alloc::rc::Rc;

use ptx_isa::sorted::SortedSet;

use crate::flow::effects::Jump;
use crate::flow::effort::Effort;
use crate::flow::node::{Node, Referent, Resolved};
use crate::flow::solver::{self, Before, Change, Domain, Solver};
use crate::flow::storage::Storage;
use crate::values::constants::Constants;
use crate::values::coordinates::{Coordinates, Inputs};
use crate::values::evaluate::Evaluator;
use crate::values::state::{State, Widening};
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
            Jump::To(_) | Jump::Anywhere | Jump::Ends => state.after(resolved, false),
        }
    }

    /// Applies an instruction to the state.
    pub(crate) fn transfer(self, resolved: &Resolved<'a>, state: &mut State) {
        let effects = &resolved.effects;
        let runs = effects.ignores_guard || state.follows(resolved, true).is_some();
        if resolved.written.is_empty() || !runs {
            return;
        }
        let is_certain = state.follows(resolved, false).is_none();
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
                Some(old) if !is_certain => Rc::new(old.join(value)),
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

/// The values in registers, as what is followed along the paths of a body.
struct Values<'s, 'a> {
    setting: Setting<'s, 'a>,
    /// The ends of ranges that tests prove.
    limits: SortedSet<i128>,
}

impl<'a> Domain<'a> for Values<'_, 'a> {
    type State = State;

    const SWEEPS: bool = true;

    fn jumps(&mut self, resolved: &Resolved<'a>, state: &State) -> Option<State> {
        match resolved.effects.jump {
            Jump::To(_) => {
                self.limits.extend(state.limits(resolved));
                state.after(resolved, true)
            }
            // The index is a choice among several, as a test is.
            Jump::Anywhere if self.setting.coordinates.inputs != Inputs::Any => None,
            Jump::Anywhere => state.where_it_runs(resolved).map(Cow::into_owned),
            Jump::Next | Jump::Ends => None,
        }
    }

    fn after(&mut self, _: usize, resolved: &Resolved<'a>, state: State) -> Option<State> {
        self.setting.after(resolved, state)
    }

    fn join(&mut self, known: &mut State, path: &State, visits: u8, effort: &mut Effort) -> Change {
        let widening = match visits {
            0 => Widening::None,
            1..4 => Widening::To(&self.limits),
            4..6 => Widening::Ranges,
            6.. => Widening::All,
        };
        known.join(path, widening, effort)
    }
}

/// Returns the state before the first node and at each label that control reaches.
pub(crate) fn fixpoint<'a>(
    nodes: &[Node<'a>],
    setting: Setting<'_, 'a>,
    start: &State,
) -> Before<State> {
    let count = nodes.len();
    fixpoint_in(nodes, setting, start, || {
        Effort::of(count, MOST_STEPS).with_values(count, MOST_VALUES)
    })
}

/// Calls `note` with each instruction that control may reach, in order, and the state before it.
pub(crate) fn each_reached<'n, 'a>(
    nodes: &'n [Node<'a>],
    setting: Setting<'_, 'a>,
    start: &State,
    mut note: impl FnMut(usize, &'n Resolved<'a>, &State),
) {
    let before = fixpoint(nodes, setting, start);
    let mut values = Values { setting, limits: SortedSet::new() };
    solver::each_reached(nodes, &mut values, before, |at, resolved, here| note(at, resolved, here));
}

/// Returns the fixpoint within this budget, which each of the two passes has.
fn fixpoint_in<'a>(
    nodes: &[Node<'a>],
    setting: Setting<'_, 'a>,
    start: &State,
    effort: impl Fn() -> Effort,
) -> Before<State> {
    let solver = || {
        let values = Values { setting, limits: SortedSet::new() };
        Solver::new(nodes, values, start.clone(), effort())
    };
    let found = solver().solve().and_then(|(before, is_widened, _)| {
        // A second pass from the fixpoint, without widening, yields a state that is also sound, and narrower.
        if is_widened { solver().pass(before) } else { Some(before) }
    });
    found.unwrap_or_else(|| anything(nodes, setting, start))
}

/// Returns sound states without iteration: at each label, registers hold anything.
fn anything<'a>(nodes: &[Node<'a>], setting: Setting<'_, 'a>, start: &State) -> Before<State> {
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

#[cfg(test)]
mod tests;
