//! Asynchronous multiplications, `wgmma.mma_async`, and the registers that they own until their group
//! is waited for: a data-flow analysis of facts that hold on all paths. What threads do in a launch (`order`) has accesses to
//! memory, and not to these registers.

use alloc::vec::Vec;

use ptx_isa::ir::FunctionKind;
use ptx_isa::ir::body::Name;
use ptx_isa::rules;
use ptx_isa::rules::warpgroup::{Part, Warpgroup};
use ptx_isa::sorted::{SortedMap, SortedSet};

use crate::domains::checker::InstructionChecker;
use crate::flow::effort::Effort;
use crate::flow::node::{Node, Referent, Resolved};
use crate::flow::place::Place;
use crate::flow::solver::{Change, Domain, Solver, each_reached};
use crate::flow::together::Together;

/// The maximum number of steps per node of the body, and in addition.
const MOST_STEPS: (usize, usize) = (64, 1 << 16);

/// A multiplication counts as waited for if at least this many groups may be committed after it.
const MOST_GROUPS: i128 = 64;

/// The maximum number of joins at a label that keeps changing.
const MOST_VISITS: u8 = 5;

/// The maximum length of copy chains that are followed back.
const MOST_COPIES: usize = 8;

/// A register of a multiplication that is certainly pending.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Pending {
    part: Part,
    /// The maximum number of groups committed since and including its own; zero if it is in none.
    groups: i128,
    /// The node of the multiplication.
    of: usize,
}

/// The facts at a point.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[allow(clippy::struct_excessive_bools)] // each is so, or not
struct State {
    /// Whether some path has a fence before this point.
    is_fenced: bool,
    /// Whether some path has no multiplication since the last fence: then ptxas moves the fence after later
    /// register writes.
    is_fresh: bool,
    /// Whether some path has committed a group that is not waited for.
    is_committed: bool,
    /// Whether some multiplication is in no group.
    is_open: bool,
    /// The registers of multiplications that no path has waited for.
    pending: SortedMap<usize, Pending>,
    /// The registers that every path writes without a later fence.
    written: SortedSet<usize>,
}

impl State {
    /// Joins the facts of another path, and returns whether anything changed.
    fn join(&mut self, other: &Self, gives_up: bool) -> bool {
        let before = (self.is_fenced, self.is_fresh, self.is_committed, self.is_open);
        let sizes = (self.pending.len(), self.written.len());
        self.is_fenced |= other.is_fenced;
        self.is_fresh |= other.is_fresh;
        self.is_committed |= other.is_committed;
        self.is_open &= other.is_open;
        let mut is_changed = false;
        self.pending.retain(|register, mine| {
            let Some(others) = other.pending.get(register) else { return false };
            // An accumulator may be neither read nor written; the others have only one restriction.
            let part = match (mine.part, others.part) {
                (part, Part::Accumulator) | (Part::Accumulator, part) => part,
                (one, other) if one == other => one,
                (_, _) => return false,
            };
            let joined = Pending {
                part,
                groups: mine.groups.max(others.groups),
                of: mine.of.min(others.of),
            };
            let differs = joined != *mine;
            *mine = joined;
            is_changed |= differs;
            !(differs && gives_up)
        });
        self.written.retain(|register| other.written.contains(register));
        is_changed
            || before != (self.is_fenced, self.is_fresh, self.is_committed, self.is_open)
            || sizes != (self.pending.len(), self.written.len())
    }

    /// Drops all facts.
    fn forget(&mut self) {
        *self = Self { is_fenced: true, is_fresh: true, is_committed: true, ..Self::default() };
    }
}

/// The multiplications of a body.
struct Multiplications {
    /// The registers that a multiplication uses, or that are copied to such.
    taken: SortedSet<usize>,
    /// Whether control may go to a label that is not known.
    is_lost: bool,
}

/// Returns the registers among names.
fn registers<'n>(
    names: &'n [Name<'_>],
    resolved: &'n Resolved<'_>,
) -> impl Iterator<Item = usize> + 'n {
    names.iter().filter_map(|name| register(*name, resolved))
}

fn register(name: Name<'_>, resolved: &Resolved<'_>) -> Option<usize> {
    match resolved.find(name.text) {
        Some(Referent::Register(register)) => Some(register),
        Some(Referent::Storage(_) | Referent::Other) | None => None,
    }
}

/// Returns the names that an instruction reads, other than its guard and the operands of a multiplication.
fn reads<'a>(resolved: &Resolved<'a>) -> Vec<Name<'a>> {
    let (effects, mut names) = (&resolved.effects, Vec::new());
    let mut note = |name| names.push(name);
    effects.value.each_name(&mut note);
    for operand in &effects.memory {
        note(operand.name);
        for value in operand.index.iter().chain(&operand.written) {
            value.each_name(&mut note);
        }
    }
    effects.takes.iter().for_each(|(name, _)| note(*name));
    for (value, _) in effects.call().iter().flat_map(|call| &call.arguments) {
        value.each_name(&mut note);
    }
    names
}

impl Multiplications {
    /// Collects the multiplications of a body; `None` if it has none.
    fn of(nodes: &[Node<'_>]) -> Option<Self> {
        let mut taken = SortedSet::new();
        for resolved in instructions(nodes) {
            if let Some(Together::Multiply(fragment, _)) = resolved.effects.together() {
                taken.extend(&resolved.written);
                taken.extend(registers(fragment, resolved));
            }
        }
        taken.first()?;
        for _ in 0..MOST_COPIES {
            let before = taken.len();
            for resolved in instructions(nodes).filter(|resolved| resolved.effects.is_copy) {
                if resolved.written.iter().any(|register| taken.contains(register)) {
                    taken.extend(registers(&reads(resolved), resolved));
                }
            }
            if taken.len() == before {
                break;
            }
        }
        Some(Self { taken, is_lost: false })
    }

    /// Applies an instruction to the state.
    fn transfer(&self, at: usize, resolved: &Resolved<'_>, state: &mut State) {
        let effects = &resolved.effects;
        let is_certain = effects.guard.is_none();
        if effects.calls {
            return state.forget();
        }
        match effects.together() {
            Some(Together::Fence) => {
                state.is_fenced = true;
                state.is_fresh = true;
                state.written.clear();
            }
            Some(Together::Commit) => {
                state.is_committed = true;
                state.is_open = false;
                state.pending.retain(|_, pending| {
                    pending.groups += 1;
                    pending.groups < MOST_GROUPS
                });
            }
            Some(Together::Wait(left, _)) => {
                let left = left.unwrap_or(0);
                state.pending.retain(|_, pending| pending.groups <= left);
                state.is_committed &= !is_certain || left != 0;
            }
            Some(Together::Multiply(fragment, _)) => {
                for register in &resolved.written {
                    state.written.remove(register);
                }
                if is_certain {
                    state.is_open = true;
                    state.is_fresh = false;
                    let left = registers(fragment, resolved).map(|it| (it, Part::Fragment));
                    let sums = resolved.written.iter().map(|it| (*it, Part::Accumulator));
                    for (register, part) in left.chain(sums) {
                        state.pending.insert(register, Pending { part, groups: 0, of: at });
                    }
                }
            }
            Some(Together::Block(_)) | None if effects.is_copy => {
                let from: Vec<usize> = registers(&reads(resolved), resolved).collect();
                let pending = from.iter().filter_map(|register| state.pending.get(register));
                let pending = pending
                    .filter(|pending| pending.part != Part::Fragment)
                    .map(|pending| Pending { part: Part::Copy, ..*pending })
                    .max_by_key(|pending| pending.groups);
                let is_written = from.iter().any(|register| state.written.contains(register));
                for register in &resolved.written {
                    state.pending.remove(register);
                    state.written.remove(register);
                    if let Some(pending) = pending.filter(|_| is_certain) {
                        state.pending.insert(*register, pending);
                    }
                    if is_written && is_certain {
                        state.written.insert(*register);
                    }
                }
            }
            Some(Together::Block(_)) | None => {
                for register in &resolved.written {
                    state.pending.remove(register);
                    if is_certain && !state.is_fresh && self.taken.contains(register) {
                        state.written.insert(*register);
                    }
                }
            }
        }
    }
}

impl<'a> Domain<'a> for Multiplications {
    type State = State;

    fn size(state: &State) -> usize {
        1 + state.pending.len()
    }

    fn jumps(&mut self, resolved: &Resolved<'a>, state: &State) -> Option<State> {
        self.is_lost |= resolved.is_lost();
        (!self.is_lost).then(|| state.clone())
    }

    fn after(&mut self, at: usize, resolved: &Resolved<'a>, mut state: State) -> Option<State> {
        self.transfer(at, resolved, &mut state);
        resolved.continues().then_some(state)
    }

    fn join(&mut self, known: &mut State, path: &State, visits: u8, _: &mut Effort) -> Change {
        if known.join(path, visits >= MOST_VISITS) { Change::Changed } else { Change::None }
    }
}

fn instructions<'n, 'a>(nodes: &'n [Node<'a>]) -> impl Iterator<Item = &'n Resolved<'a>> {
    nodes.iter().filter_map(Node::instruction)
}

/// The violations reported so far.
#[derive(Default)]
struct Reported {
    /// Whether the lack of any fence is reported.
    unfenced: bool,
    /// The multiplications reported because nothing waits for them.
    pending: SortedSet<usize>,
}

impl<'a> InstructionChecker<'_, '_, 'a> {
    /// Checks the uses of the registers of asynchronous multiplications.
    pub(crate) fn warpgroup(&mut self, nodes: &[Node<'a>]) {
        let Some(multiplications) = Multiplications::of(nodes) else { return };
        let effort = Effort::of(nodes.len(), MOST_STEPS);
        let solver = Solver::new(nodes, multiplications, State::default(), effort);
        let Some((before, _, mut multiplications)) = solver.solve() else { return };
        if multiplications.is_lost {
            return;
        }
        let mut reported = Reported::default();
        each_reached(nodes, &mut multiplications, before, |_, resolved, here| {
            let found = self.found(resolved, here, &mut reported);
            // Other findings in the statement take precedence.
            let found = found.filter(|_| !self.report.has_finding(resolved.effects.statement));
            if let Some((found, place)) = found {
                for violation in rules::check_warpgroup(found) {
                    self.report.report(&violation, place, &resolved.allowed);
                }
            }
        });
    }

    /// Returns the violation of an instruction; consequences of an earlier one are not reported.
    fn found(
        &self,
        resolved: &Resolved<'a>,
        state: &mut State,
        reported: &mut Reported,
    ) -> Option<(Warpgroup<'a>, Place)> {
        let effects = &resolved.effects;
        let is_kernel = self.unit.function.kind == FunctionKind::Kernel;
        match effects.together() {
            Some(Together::Multiply(fragment, place)) => {
                if !state.is_fenced && is_kernel {
                    state.is_fenced = true;
                    state.written.clear();
                    if !core::mem::replace(&mut reported.unfenced, true) {
                        return Some((Warpgroup::Unfenced { written: None }, *place));
                    }
                }
                let is_written = |name: &&Name<'a>| {
                    register(**name, resolved).is_some_and(|it| state.written.contains(&it))
                };
                if let Some(name) = effects.writes.iter().chain(fragment).find(is_written) {
                    state.written.clear();
                    let found = Warpgroup::Unfenced { written: Some(name.text) };
                    return Some((found, *place));
                }
                let read = |pending: &Pending| pending.part != Part::Fragment;
                let written = |pending: &Pending| pending.part == Part::Fragment;
                touched(resolved, fragment, (false, read), state, reported).or_else(|| {
                    touched(resolved, &effects.writes, (true, written), state, reported)
                })
            }
            Some(Together::Wait(_, place)) if state.is_open && !state.is_committed && is_kernel => {
                state.is_open = false;
                state.pending.clear();
                Some((Warpgroup::NoGroup, *place))
            }
            Some(Together::Fence | Together::Commit | Together::Wait(..)) => None,
            Some(Together::Block(_)) | None if effects.is_copy => None,
            Some(Together::Block(_)) | None => {
                let read = |pending: &Pending| pending.part != Part::Fragment;
                let written = |pending: &Pending| pending.part != Part::Copy;
                touched(resolved, &reads(resolved), (false, read), state, reported).or_else(|| {
                    touched(resolved, &effects.writes, (true, written), state, reported)
                })
            }
        }
    }
}

/// The first of some names that an instruction touches while a multiplication has it.
fn touched<'a>(
    resolved: &Resolved<'a>,
    names: &[Name<'a>],
    (is_written, matters): (bool, impl Fn(&Pending) -> bool),
    state: &mut State,
    reported: &mut Reported,
) -> Option<(Warpgroup<'a>, Place)> {
    let pending = |name: &Name<'a>| {
        let pending = state.pending.get(&register(*name, resolved)?)?;
        matters(pending).then_some((*name, *pending))
    };
    let (name, pending) = names.iter().find_map(pending)?;
    let is_new = !reported.pending.contains(&pending.of);
    reported.pending.extend(state.pending.values().map(|pending| pending.of));
    state.pending.clear();
    let found = Warpgroup::Touched { name: name.text, part: pending.part, is_written };
    let place = Place::new(resolved.effects.statement, name.whole_at());
    is_new.then_some((found, place))
}

#[cfg(test)]
mod tests;
