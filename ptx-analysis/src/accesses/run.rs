//! Executions that certainly happen: the path of threads that every launch has, and of all threads that
//! reach a loop, as far as the conditions on it are known.
//!
//! The [fixpoint](crate::values::fixpoint) computes facts that hold in every execution. This module follows one
//! execution, so that the maximum of a register's range is known to occur. Threads that diverge are
//! followed separately, and loop iterations that differ by multiples of the same numbers are followed
//! as a batch.

mod rounds;

use alloc::rc::Rc;
use alloc::vec;
use alloc::vec::Vec;

use ptx_isa::rules::Settled;
use ptx_isa::sorted::{SortedMap, SortedSet};

use crate::accesses::passed::arguments;
use crate::flow::effects::{Call, Jump};
use crate::flow::expression::Expression;
use crate::flow::loops::Loops;
use crate::flow::memory::{MemoryOperand, WARP};
use crate::flow::node::{Node, Resolved};
use crate::values::argument::MustCall;
use crate::values::claim::Claim;
use crate::values::coordinates::Coordinates;
use crate::values::evaluate::Evaluator;
use crate::values::fixpoint::Setting;
use crate::values::launch::Affine;
use crate::values::location::{Located, locate};
use crate::values::number::Linear;
use crate::values::reach::{Reaches, Unseen, Visit};
use crate::values::state::State;
use crate::values::uncertain_guard::UncertainGuards;
use crate::values::value::AbstractValue;

/// The maximum number of instructions followed, per instruction in the body, and in addition.
const MOST_STEPS: (usize, usize) = (2, 4_000);

/// The number of nested loops up to which an instruction costs a single step.
const MOST_INSIDE: usize = 32;

/// The maximum number of thread paths that are followed.
const MOST_WAYS: usize = 24;

/// The maximum number of splits at an instruction: it has at most two comparisons, and threads have three
/// dimensions.
const MOST_SPLITS: usize = 6;

/// The maximum number of executions of a call that are followed into the callee.
const MOST_CALLS: usize = 4;

/// The retry schedule for loops that cannot be batched yet: the next attempt is at this multiple of the iteration
/// number, plus this constant.
const MOST_APART: (i128, i128) = (2, 2);

/// The maximum number of threads that are followed alone because others access something else.
const MOST_APART_THREADS: usize = 8;

/// The start of a path.
pub(crate) struct Start {
    /// The node.
    pub(crate) at: usize,
    /// The state there.
    pub(crate) state: State,
    /// The threads.
    pub(crate) coordinates: Coordinates,
    /// The last node, if the code beyond it may also be reached on other paths.
    pub(crate) end: Option<usize>,
}

/// The interpreter of paths.
pub(crate) struct Run<'r, 'a> {
    nodes: &'r [Node<'a>],
    setting: Setting<'r, 'a>,
    loops: &'r Loops,
    /// The operands of interest, by node and operand index.
    wanted: &'r SortedSet<(usize, usize)>,
    /// The predicates that depend partly on unwritten registers.
    uncertain_guards: &'r UncertainGuards<'a>,
    /// The number of instructions that may still be followed.
    steps: usize,
    /// The loop labels that were reached.
    seen: SortedSet<usize>,
    reaches: Reaches<'a>,
    /// Whether locations that depend on constants that are not known are recorded.
    judges_unseen: bool,
    /// The threads whose accesses are at locations that are not one sum for all of them.
    apart: Vec<Coordinates>,
    /// The calls that were reached, by node.
    calls: SortedMap<usize, Vec<MustCall<'a>>>,
}

/// A path and its current position.
#[derive(Clone)]
struct Path {
    at: usize,
    state: State,
    coordinates: Coordinates,
    /// The loops that it is in, innermost last.
    inside: Vec<Inside>,
    /// The number of those loops whose iterations are batched.
    depth: usize,
    /// The predicates that depend on an unwritten one.
    undefined: SortedSet<usize>,
    /// The nodes that it may not leave.
    bounds: (usize, usize),
}

/// A loop that a path is in.
#[derive(Clone)]
struct Inside {
    /// The node of its label.
    label: usize,
    /// The node of the last jump back.
    end: usize,
    /// The number of completed iterations.
    round: i128,
    /// The previous state at the label.
    before: Option<State>,
    /// The iteration in which to try batching next.
    next: i128,
    /// The number of iterations that are batched.
    at_once: Option<usize>,
}

/// The mode in which a path is followed.
enum Ways<'w, 'a> {
    /// Threads may diverge; the other paths are added to the list.
    Several(&'w mut Vec<Path>),
    /// Threads may not diverge, and the path ends at this label; its visits are not certain yet.
    Round(usize, &'w mut Vec<Visit<'a>>),
}

impl<'r, 'a> Run<'r, 'a> {
    pub(crate) fn new(
        nodes: &'r [Node<'a>],
        setting: Setting<'r, 'a>,
        loops: &'r Loops,
        (wanted, uncertain_guards): (&'r SortedSet<(usize, usize)>, &'r UncertainGuards<'a>),
    ) -> Self {
        let (times, more) = MOST_STEPS;
        let steps = nodes.len() * times + more;
        let (seen, reaches, calls) = (SortedSet::new(), Reaches::default(), SortedMap::new());
        let (judges_unseen, apart) = (false, Vec::new());
        Self {
            nodes,
            setting,
            loops,
            wanted,
            uncertain_guards,
            steps,
            seen,
            reaches,
            judges_unseen,
            apart,
            calls,
        }
    }

    /// Records locations that depend on constants that are not known, if this is so.
    pub(crate) fn judging_unseen(self, judges_unseen: bool) -> Self {
        Self { judges_unseen, ..self }
    }

    /// Whether a path reached a label.
    pub(crate) fn has_seen(&self, label: usize) -> bool {
        self.seen.contains(&label)
    }

    /// Whether the location of some operand is still unknown.
    pub(crate) fn misses_some(&self) -> bool {
        let mut known: Vec<_> = self.reaches.of.keys().map(|(operand, _)| operand).collect();
        known.dedup();
        known.len() < self.wanted.len()
    }

    /// Returns the threads that decide about the locations that depend on constants that are not known.
    pub(crate) fn deciding(&mut self) -> Vec<Coordinates> {
        let apart = core::mem::take(&mut self.apart);
        if self.reaches.unseen.is_empty() { Vec::new() } else { apart }
    }

    /// Returns the locations of operands on the paths that were followed.
    pub(crate) fn finish(self) -> Reaches<'a> {
        self.reaches
    }

    /// Returns the calls, by callee index, that threads of every launch reach.
    pub(crate) fn calls(&self) -> Vec<(usize, MustCall<'a>)> {
        let mut found = Vec::new();
        for (at, calls) in &self.calls {
            if let Node::Instruction(resolved) = &self.nodes[*at]
                && let Some(call) = resolved.effects.call()
            {
                found.extend(calls.iter().map(|sure| (call.index, sure.clone())));
            }
        }
        found
    }

    /// Records a call that certainly happens.
    fn note_call(&mut self, call: &Call<'a>, resolved: &Resolved<'a>, path: &Path) {
        let is_fit = call.arguments.len() == call.function.params.len();
        if !path.coordinates.are_attained() || !is_fit {
            return;
        }
        let setting = Setting { coordinates: &path.coordinates, ..self.setting };
        let arguments = arguments(call, resolved, &path.state, setting);
        let calls = self.calls.entry(path.at).or_default();
        // For loops, this keeps the first iterations and the last one.
        calls.truncate(MOST_CALLS - 1);
        calls.push(MustCall { coordinates: path.coordinates, arguments });
    }

    /// Follows all threads from a starting point.
    pub(crate) fn from(&mut self, start: Start) {
        let Start { at, state, coordinates, end } = start;
        let bounds = end.map_or((0, self.nodes.len()), |end| (at, end));
        let (inside, undefined) = (Vec::new(), SortedSet::new());
        let mut ways = vec![Path { at, state, coordinates, inside, depth: 0, undefined, bounds }];
        for _ in 0..MOST_WAYS {
            let Some(path) = ways.pop() else { break };
            self.follow(path, &mut Ways::Several(&mut ways));
        }
    }

    /// Follows a path to its end, or to the label that completes an iteration.
    fn follow(&mut self, mut path: Path, ways: &mut Ways<'_, 'a>) -> Option<Path> {
        loop {
            // Each step checks which loops it is in.
            self.steps = self.steps.checked_sub(1 + path.inside.len() / MOST_INSIDE)?;
            if path.at < path.bounds.0 || path.at > path.bounds.1 {
                return None;
            }
            let node = self.nodes.get(path.at)?;
            if let Node::Label(_) = node {
                if let Ways::Round(until, _) = ways
                    && path.at == *until
                {
                    return Some(path);
                }
                self.enter(&mut path, ways);
            }
            match node {
                Node::Label(_) | Node::Nothing => path.at += 1,
                Node::Instruction(resolved) => self.instruction(resolved, &mut path, ways)?,
            }
        }
    }

    /// Executes an instruction; `None` if the next node is unknown.
    fn instruction(
        &mut self,
        resolved: &Resolved<'a>,
        path: &mut Path,
        ways: &mut Ways<'_, 'a>,
    ) -> Option<()> {
        self.decide(resolved, path, ways)?;
        self.uncertain_guard(resolved, path, ways);
        let runs = resolved.effects.ignores_guard || path.state.follows(resolved, true).is_some();
        let skips = path.state.follows(resolved, false).is_some();
        if let (Some(call), Ways::Several(_), true, false) =
            (resolved.effects.call(), &ways, runs, skips)
        {
            self.note_call(call, resolved, path);
        }
        let returns = resolved.effects.call().is_some_and(|call| call.returns);
        if resolved.effects.calls && runs && !returns {
            return None;
        }
        match (&resolved.effects.jump, runs, skips) {
            (Jump::Next, true, _) => {
                if !skips {
                    self.visit(resolved, path, ways);
                }
                let setting = Setting { coordinates: &path.coordinates, ..self.setting };
                setting.transfer(resolved, &mut path.state);
                path.at += 1;
            }
            (_, false, _) => path.at += 1,
            (Jump::To(_), true, false) => {
                // The target may be inside a loop that the path has left.
                leave(path);
                path.at = resolved.target?;
            }
            (Jump::To(_), true, true) => {
                let (join, written) = self.join_of(path.at, resolved.forwards(path.at)?)?;
                for register in written {
                    path.undefined.remove(&register);
                    path.state.set(register, Rc::new(AbstractValue::Anything));
                }
                path.at = join;
            }
            (Jump::Ends | Jump::Anywhere, true, _) => return None,
        }
        Some(())
    }

    /// Records whether a predicate depends on an unwritten one, and whether it is a guard here.
    fn uncertain_guard(&mut self, resolved: &Resolved<'a>, path: &mut Path, ways: &Ways<'_, 'a>) {
        if let Some(uncertain_guard) = self.uncertain_guards.guards.get(&path.at)
            && matches!(ways, Ways::Several(_))
            && path.undefined.contains(&uncertain_guard.register)
        {
            self.reaches.guards.entry(path.at).or_insert(path.coordinates);
        }
        for register in &resolved.written {
            path.undefined.remove(register);
        }
        if let Some(uncertain_guard) = self.uncertain_guards.definitions.get(&path.at)
            && let Expression::And(two, 1) | Expression::Or(two, 1) = &resolved.effects.value
        {
            let setting = Setting { coordinates: &path.coordinates, ..self.setting };
            let other = setting.evaluator(resolved, &path.state).value(&two[uncertain_guard.other]);
            if matches!(other, AbstractValue::Number(it) if it.value() == Some(uncertain_guard.keeps))
            {
                path.undefined.insert(uncertain_guard.register);
            }
        }
    }

    /// Splits the threads at an instruction that compares values that differ among them.
    fn decide(
        &self,
        resolved: &Resolved<'a>,
        path: &mut Path,
        ways: &mut Ways<'_, 'a>,
    ) -> Option<()> {
        for _ in 0..MOST_SPLITS {
            let setting = Setting { coordinates: &path.coordinates, ..self.setting };
            let evaluator = setting.evaluator(resolved, &path.state);
            let Some(compared) = evaluator.undecided(&resolved.effects.value) else { break };
            let Some(parts) = path.coordinates.split(&compared) else { break };
            let mut parts = parts.into_iter();
            path.coordinates = parts.next()?;
            match ways {
                Ways::Several(ways) => {
                    for coordinates in parts {
                        ways.push(Path { coordinates, ..path.clone() });
                    }
                }
                Ways::Round(..) => {
                    let None = parts.next() else { return None };
                }
            }
        }
        Some(())
    }

    /// Records the locations of the operands of an instruction that certainly executes.
    fn visit(&mut self, resolved: &Resolved<'a>, path: &mut Path, ways: &mut Ways<'_, 'a>) {
        leave(path);
        let memory = &resolved.effects.memory;
        for &(_, n) in self.wanted.range((path.at, 0)..=(path.at, usize::MAX)) {
            let setting = Setting { coordinates: &path.coordinates, ..self.setting };
            let evaluator = setting.evaluator(resolved, &path.state);
            let located = match memory.get(n) {
                Some(operand) => locate(operand, evaluator),
                None if n == memory.len() => rank(&resolved.effects.value, evaluator),
                None => block(&memory[n - memory.len() - 1], evaluator),
            };
            let Some(located) = located else {
                self.note_apart(path, ways);
                continue;
            };
            let Some(offset) = located.offset.affine() else {
                self.note_unseen((path.at, n), located, path, ways);
                continue;
            };
            if !offset.terms().all(|(of, _)| path.coordinates.has_all(of)) {
                continue;
            }
            let align = memory.get(n).and_then(|operand| operand.align.known());
            let of = (located.storage, located.is_pointee);
            let proves = |claim: &Rc<Claim>| claim.proves(of, &located.offset, align);
            // The start is certain, but a loop that a path starts in may never be reached.
            let is_conditional = path.bounds != (0, self.nodes.len());
            let is_aligned = path.state.claims.iter().any(proves);
            let in_loop = path
                .inside
                .iter()
                .rev()
                .find(|inside| inside.round > 0 || inside.at_once.is_some());
            let room = memory.get(n).and_then(|operand| self.room(operand, &located));
            let visit = Visit {
                at: (path.at, n),
                room,
                offset,
                align,
                settled: Settled { is_aligned, is_conditional, ..Settled::NOTHING },
                lanes: memory.get(n).map_or(WARP, |operand| operand.lanes),
                round: in_loop.map(|inside| (inside.label, inside.round, inside.at_once)),
                located,
            };
            match ways {
                Ways::Several(_) => self.reaches.note(visit, &path.coordinates),
                Ways::Round(_, visits) => visits.push(visit),
            }
        }
    }

    /// Records threads that access what is not one sum for all of them.
    fn note_apart(&mut self, path: &Path, ways: &Ways<'_, 'a>) {
        let is_certain = path.inside.is_empty() && matches!(ways, Ways::Several(_));
        for end in path.coordinates.ends() {
            if is_certain && self.apart.len() < MOST_APART_THREADS && !self.apart.contains(&end) {
                self.apart.push(end);
            }
        }
    }

    /// Records a location that depends on constants that are not known, if it is that of a single thread.
    fn note_unseen(
        &mut self,
        at: (usize, usize),
        located: Located<'a>,
        path: &Path,
        ways: &Ways<'_, 'a>,
    ) {
        let is_certain = self.judges_unseen
            && path.inside.is_empty()
            && matches!(ways, Ways::Several(_))
            && path.bounds == (0, self.nodes.len());
        let is_sum = located.offset.steps.is_empty() && located.offset.base.value().is_none();
        let is_operand = self.nodes.get(at.0).is_some_and(|node| {
            matches!(node, Node::Instruction(resolved) if at.1 < resolved.effects.memory.len())
        });
        match path.coordinates.sample() {
            Some(thread) if is_certain && is_sum && is_operand => {
                let unseen = Unseen { located, settled: Settled::NOTHING, thread };
                self.reaches.note_unseen(at, unseen);
            }
            Some(_) => {}
            None => self.note_apart(path, ways),
        }
    }

    /// Returns the largest offset at which an access fits, if the size of what it accesses is known.
    fn room(&self, operand: &MemoryOperand<'a>, located: &Located<'a>) -> Option<i128> {
        let storage = self.setting.storages.get(located.storage)?;
        let sizes = storage.choices.iter().map(|choice| choice.at(located.is_pointee).0.bytes());
        let size: Option<usize> = sizes.collect::<Option<Vec<usize>>>()?.into_iter().max();
        Some(i128::try_from(size?).ok()? - operand.bytes.known()?)
    }

    /// Enters a label, which may be that of a loop, and may have been reached before.
    fn enter(&mut self, path: &mut Path, ways: &mut Ways<'_, 'a>) {
        leave(path);
        let label = path.at;
        let Some(end) = self.loops.end(label) else { return };
        self.seen.insert(label);
        match path.inside.last_mut() {
            Some(inside) if inside.label == label => {
                inside.round += 1;
                if inside.round == inside.next {
                    // If batching fails, the next iteration is followed singly.
                    inside.next = inside.round * MOST_APART.0 + MOST_APART.1;
                    self.rounds_at_once(path, ways);
                }
            }
            Some(_) | None => path.inside.push(Inside {
                label,
                end,
                round: 0,
                before: None,
                next: 2,
                at_once: None,
            }),
        }
        if let Some(inside) = path.inside.last_mut() {
            inside.before = Some(path.state.clone());
        }
    }

    /// Returns the join of all paths that a forward branch may take, and the registers written before it.
    fn join_of(&self, branch: usize, target: usize) -> Option<(usize, Vec<usize>)> {
        let (mut join, mut at, mut written) = (target, branch, Vec::new());
        let mut entered = 0;
        while at < join {
            match self.nodes.get(at)? {
                Node::Label(_) => entered = entered.max(self.loops.end(at).unwrap_or_default()),
                Node::Nothing => {}
                Node::Instruction(resolved) => {
                    let effects = &resolved.effects;
                    match &effects.jump {
                        Jump::Next if !effects.calls => written.extend(&resolved.written),
                        Jump::To(_) => join = join.max(resolved.forwards(at)?),
                        Jump::Next | Jump::Ends | Jump::Anywhere => return None,
                    }
                }
            }
            at += 1;
        }
        // If one path enters a loop by its label and another one after it, they are in different iterations.
        (entered < join).then_some((join, written))
    }
}

/// Returns the block rank that an instruction names, in the form of an operand: it is checked after
/// the memory operands, and has no storage.
fn rank<'a>(value: &Expression<'a>, evaluator: Evaluator<'_, 'a>) -> Option<Located<'a>> {
    let Expression::Remote(two) = value else { return None };
    let AbstractValue::Number(offset) = evaluator.value(&two[1]) else { return None };
    let (storage, via) = (usize::MAX, None);
    Some(Located { storage, is_pointee: false, via, offset, bits: 32, rank: None })
}

/// Returns the rank of the block whose shared memory an operand is in, relative to the executing block, also
/// in the form of an operand: these are checked last.
fn block<'a>(operand: &MemoryOperand<'a>, evaluator: Evaluator<'_, 'a>) -> Option<Located<'a>> {
    let located = locate(operand, evaluator)?;
    let rank = located.rank.as_ref()?.affine()?;
    let own = Affine::special("%cluster_ctarank", "")?;
    let offset = Linear::of(rank.plus(&own.times(-1)?)?);
    Some(Located { is_pointee: false, offset, ..located })
}

/// Removes the loops that a path has left; those that begin inside one and end after it stay.
fn leave(path: &mut Path) {
    let at = path.at;
    path.inside.retain(|it| (it.label..=it.end).contains(&at));
}

#[cfg(test)]
mod tests;
