//! The last phase: checks every instruction against the state before it.

use alloc::rc::Rc;
use alloc::vec::Vec;

use ptx_isa::instruction::{Direction, Role};
use ptx_isa::ir::FunctionKind;
use ptx_isa::rules::copy::Counted;
use ptx_isa::rules::{self, Kind, Reached, Settled};
use ptx_isa::sorted::{SortedMap, SortedSet};

use crate::accesses::access::{Here, blamed, known};
use crate::accesses::aliases::Aliases;
use crate::accesses::coherence::Unchanged;
use crate::accesses::copy;
use crate::accesses::executions::{Entries, Starts};
use crate::accesses::transactions::TransactionTracker;
use crate::check::resolve::Resolution;
use crate::domains::block_barrier::Arrivals;
use crate::domains::checker::InstructionChecker;
use crate::domains::formats::{Computations, Formats};
use crate::domains::protocol::{self, Events};
use crate::findings::report::BodyReport;
use crate::findings::unit::Unit;
use crate::flow::effects::{Action, Effects, Jump};
use crate::flow::loops::Loops;
use crate::flow::memory::MemoryOperand;
use crate::flow::node::{Node, Resolved};
use crate::flow::storage::{Choice, may_point};
use crate::order;
use crate::values::argument::Argument;
use crate::values::claim::{self, Claim};
use crate::values::coordinates::Coordinates;
use crate::values::evaluate;
use crate::values::fixpoint::{Setting, fixpoint};
use crate::values::flags::Flagged;
use crate::values::guarded::Guarded;
use crate::values::location::{Located, locate};
use crate::values::number::{Linear, Sum};
use crate::values::proven_by_callee::ProvenByCallee;
use crate::values::state::State;
use crate::values::uncertain_guard::UncertainGuards;
use crate::values::value::AbstractValue;

/// Checks every instruction of a body against the state before it.
pub(crate) fn check<'a>(
    unit: Unit<'_, 'a>,
    resolution: &mut Resolution<'a>,
    report: &mut BodyReport<'a>,
) {
    let start = start_with(resolution, &unit.called.passed);
    let sure = unit.called.must_calls.iter();
    let sure: Vec<(Coordinates, State)> =
        sure.map(|it| (it.coordinates, start_with(resolution, &it.arguments))).collect();
    let coordinates = Coordinates::of(unit.block).in_cluster(unit.cluster);
    let setting = Setting {
        storages: &resolution.memory.storages,
        constants: unit.constants,
        coordinates: &coordinates,
    };
    let nodes = &resolution.nodes;
    let before = fixpoint(nodes, setting, &start);
    let mut tracker = TransactionTracker::default();
    // The transactions that a called function completes, or that other code completes, are not known.
    let instructions = || nodes.iter().filter_map(Node::instruction).map(|it| &it.effects);
    let completes = |it: &Effects<'_>| it.calls || matches!(it.action, Action::Complete);
    let is_kernel = unit.function.kind == FunctionKind::Kernel;
    let is_completed_by_copies = is_kernel && !instructions().any(completes);
    let loops = Loops::of(nodes);
    let mut entries = Entries::of(nodes, &loops);
    let mut checker = InstructionChecker {
        unit,
        setting,
        is_completed_by_copies,
        several: SortedSet::new(),
        proven_by_callee: ProvenByCallee::of(nodes, setting.storages).unwrap_or_default(),
        guarded: Guarded::of(nodes, setting, &start),
        flagged: Flagged::of(nodes),
        copies: SortedMap::new(),
        unwritten: SortedSet::new(),
        taken_as_numbers: SortedSet::new(),
        statements: (unit.body.statements(), 0),
        derived: SortedMap::new(),
        local: SortedSet::new(),
        uncertain_guards: UncertainGuards::default(),
        parameters: resolution.params.iter().map(|(_, _, register)| *register).collect(),
        writers: None,
        formats: Formats::of(nodes, setting.storages),
        report,
    };
    let mut events = Events::wanted(nodes);
    let mut unchanged = instructions().any(|it| it.is_non_coherent).then(Unchanged::default);
    let mut aliases = Aliases::default();
    let mut computations = None;
    let mut arrivals = Arrivals::default();
    let mut state = None;
    for (at, (node, before)) in nodes.iter().zip(before).enumerate() {
        entries.arrive(at, state.as_ref());
        state = before.map_or(state, |before| Some(Rc::unwrap_or_clone(before)));
        match node {
            Node::Nothing => {}
            Node::Label(_) => {
                tracker.close();
                checker.join_derived();
            }
            Node::Instruction(resolved) => {
                let known = state.take();
                if let (Some(events), Some(known)) = (&mut events, &known) {
                    events.branch(at, resolved, known);
                }
                match known.as_ref().and_then(|known| known.where_it_runs(resolved)) {
                    Some(here) => {
                        if let Some(target) = resolved.forwards(at) {
                            entries.arrive(target, Some(&here));
                        }
                        let mut trackers = Trackers {
                            tracker: &mut tracker,
                            unchanged: &mut unchanged,
                            aliases: &mut aliases,
                            events: &mut events,
                            computations: &mut computations,
                            arrivals: &mut arrivals,
                            body: (nodes, unit),
                        };
                        checker.instruction((at, resolved), &here, &mut trackers);
                        checker.derive(nodes, (at, resolved), &here);
                    }
                    None => checker.unreached(resolved),
                }
                if !matches!(resolved.effects.jump, Jump::Next) {
                    tracker.close();
                }
                state = known.and_then(|known| setting.after(resolved, known));
            }
        }
    }
    tracker.close();
    tracker.settle(&mut checker);
    if let Some(unchanged) = unchanged {
        unchanged.settle(nodes, &mut checker);
    }
    aliases.settle(nodes, &mut checker);
    arrivals.settle(nodes, &mut checker);
    checker.warpgroup(nodes);
    if let Some(formats) = checker.formats.take() {
        formats.settle(nodes, (unit, &checker.parameters), checker.report);
    }
    checker.executions(nodes, &loops, Starts { any: &start, sure: &sure }, entries);
    let memory = &resolution.memory;
    let followed = order::follow(unit, nodes, (&memory.storages, memory.registers()));
    if let Some(events) = events {
        let whole = followed.as_ref().filter(|followed| followed.is_whole);
        let is_unordered = whole.map(|it| |node| it.is_unordered(node));
        let is_unordered = is_unordered.as_ref().map(|it| it as &dyn Fn(usize) -> bool);
        protocol::check(events, nodes, is_unordered, &mut checker);
    }
    if let (Some(followed), Some(traced)) = (followed, unit.traced) {
        followed.report((traced, nodes), (unit.body, &memory.storages), report);
    }
}

/// Notes on all instructions for checks across them.
struct Trackers<'w, 'n, 'a> {
    tracker: &'w mut TransactionTracker<'a>,
    unchanged: &'w mut Option<Unchanged>,
    aliases: &'w mut Aliases,
    events: &'w mut Option<Events>,
    /// How the body computes with the data of its accesses, derived on first use.
    computations: &'w mut Option<Computations<'n, 'a>>,
    arrivals: &'w mut Arrivals,
    body: (&'n [Node<'a>], Unit<'n, 'a>),
}

impl<'n, 'a> Trackers<'_, 'n, 'a> {
    fn computations(&mut self) -> &mut Computations<'n, 'a> {
        let (nodes, unit) = self.body;
        self.computations.get_or_insert_with(|| Computations::of(nodes, unit))
    }
}

/// Returns the initial state: the contents of parameters, if every call passes these arguments.
pub(crate) fn start_with<'a>(resolution: &mut Resolution<'a>, passed: &[Argument<'a>]) -> State {
    let mut state = State::default();
    let memory = &mut resolution.memory;
    for (i, param, register) in &resolution.params {
        let value = if may_point(param) {
            evaluate::pointer(memory.pointed(*i, param))
        } else {
            let passed = passed.get(*i).map(|passed| passed.value(memory));
            passed.unwrap_or_else(AbstractValue::unknown).given()
        };
        state.set(*register, Rc::new(value));
    }
    for (i, passed) in passed.iter().enumerate() {
        if let Some(content) = memory.content_of(i) {
            state.set(content, Rc::new(passed.value(memory)));
        }
    }
    state
}

impl<'a> InstructionChecker<'_, '_, 'a> {
    /// Whether a called function may have tested the alignment of an address before control reaches the node: an
    /// address of this storage, or of the parameter that holds the pointer to it.
    fn may_be_proven(&self, at: usize, storage: usize) -> bool {
        let holder = self.setting.storages[storage].holder;
        [Some(storage), holder]
            .into_iter()
            .flatten()
            .any(|it| self.proven_by_callee.may_prove(at, it))
    }

    fn instruction(
        &mut self,
        (at, resolved): (usize, &Resolved<'a>),
        state: &State,
        trackers: &mut Trackers<'_, '_, 'a>,
    ) {
        let effects = &resolved.effects;
        self.unwritten(resolved, state);
        self.registers(at, resolved, state);
        let evaluator = self.setting.evaluator(resolved, state);
        let located: Vec<Option<Located<'a>>> =
            effects.memory.iter().map(|operand| locate(operand, evaluator)).collect();
        // If the map is known, a rule compares it with its tile.
        let is_map = |operand: &MemoryOperand<'_>| operand.form.role == Role::Map;
        let map = effects.memory.iter().position(is_map).and_then(|n| located[n].as_ref());
        let tile = match &effects.action {
            Action::CopyTile(copy) if map.is_some() => copy.operands.map(|(tile, _)| tile),
            _ => None,
        };
        for (n, (operand, located)) in effects.memory.iter().zip(&located).enumerate() {
            let Some(located) = located else {
                // Single calls may pass an address.
                let is_passed = !self.unit.called.must_calls.is_empty();
                if is_passed
                    || matches!(evaluator.value_of(operand.name.text), AbstractValue::Anything)
                {
                    self.several.insert((at, n));
                }
                continue;
            };
            let storage = &self.setting.storages[located.storage];
            let computed = if Computations::matter(operand, located, (storage, self.unit.is_ptx)) {
                let space = storage.choices[0].at(located.is_pointee).0.space();
                let computations = trackers.computations();
                computations.with(at, operand, (located.storage, space))
            } else {
                None
            };
            let of = (located.storage, located.is_pointee);
            let align = operand.align.known();
            let proves = |claim: &Rc<Claim>| claim.proves(of, &located.offset, align);
            let is_aligned = state.claims.iter().any(proves)
                || self.may_be_proven(at, located.storage)
                || located.is_pointee && self.flagged.decides(at);
            let is_tile = tile.is_some() && operand.bracket == tile;
            let settled = Settled { is_tile, is_aligned, computed, is_conditional: true };
            let own = &resolved.allowed;
            let here = Here { at, own, state, settled, reached: None };
            let is_refused = self.operand(operand, located, here);
            // A prefetch out of bounds does nothing.
            let is_accessed = operand.form.direction != Direction::Cache;
            if !is_refused
                && is_accessed
                && !located.offset.is_exact()
                && !self.at_every_target(operand, located, here)
            {
                self.several.insert((at, n));
            }
            if !is_refused && located.rank.is_some() && operand.form.is_own_block() {
                self.several.insert((at, effects.memory.len() + 1 + n));
            }
        }
        match &effects.action {
            Action::CopyTile(tile) => {
                match copy::copied_tile(self, tile, resolved, &located, state) {
                    // Checked after the other operands, with the single executions of this one.
                    Some(copied) if self.several.contains(&(at, copied.operand)) => {
                        self.copies.insert(at, copied);
                    }
                    Some(copied) => copy::check_tile(self, &copied, resolved, &[]),
                    None => {}
                }
            }
            Action::Multiply(matrices) => {
                for matrix in matrices {
                    copy::check_descriptor(self, matrix, resolved, state);
                }
            }
            Action::Init(count) => self.count(Counted::Arrivals, count, resolved, state),
            Action::Expect(count) => self.count(Counted::Bytes, count, resolved, state),
            Action::None
            | Action::Arrive(_)
            | Action::Invalidate
            | Action::Wait(_)
            | Action::Complete
            | Action::Copy(_) => {}
        }
        if let Some(surface) = effects.surface() {
            self.surface(surface, resolved, state);
        }
        if let Some(call) = effects.call() {
            self.call(call, resolved, state);
        }
        self.computed(at, resolved, state);
        trackers.tracker.note(resolved, &located, self, state);
        if let Some(formats) = &mut self.formats {
            formats.note((at, resolved), &located, self.setting.storages, state);
        }
        trackers.arrivals.note((at, resolved), self, state);
        trackers.aliases.note((at, resolved), &located, self, state);
        if let Some(unchanged) = trackers.unchanged {
            unchanged.note((at, resolved), &located, state);
        }
        if let Some(events) = trackers.events {
            events.note((at, resolved), &located, self, state);
        }
    }

    /// Rejects an operand all of whose possible locations are out of bounds, and returns whether it does.
    fn at_every_target(
        &mut self,
        operand: &MemoryOperand<'a>,
        located: &Located<'a>,
        here: Here<'a, '_>,
    ) -> bool {
        // Without a test, the launch may ensure that no thread gets there.
        let is_tested = located.offset.is_tested && !located.is_pointee;
        let Some(nearest) = located.nearest().filter(|_| is_tested) else { return false };
        let is_outside = |choice: &Choice<'_>| {
            let bytes = choice.object.bytes().and_then(|bytes| i128::try_from(bytes).ok());
            let least = operand.bytes.known().unwrap_or(1);
            !choice.is_deferred
                && (nearest < 0 || bytes.is_some_and(|bytes| bytes > 0 && nearest + least > bytes))
        };
        let storage = &self.setting.storages[located.storage];
        // Code that only some launches reach may never be reached.
        if !storage.choices.iter().all(is_outside)
            || !claim::conditions(&here.state.claims).is_empty()
            || claim::only_where(&here.state.claims).is_some()
        {
            return false;
        }
        let offset = Linear::exact(Sum::known(nearest));
        let located = Located { offset, ..located.clone() };
        // The nearest location does not determine the alignment of the others, and the test is about the offset itself.
        let settled = Settled { is_aligned: true, is_conditional: false, ..here.settled };
        let reached = Some(Reached { thread: None, round: None, is_nearest: true });
        self.operand(operand, &located, Here { settled, reached, ..here })
    }

    /// Checks an instruction that control never reaches: hazards do not apply, but ptxas still
    /// checks it.
    fn unreached(&mut self, resolved: &Resolved<'a>) {
        let state = State::default();
        for operand in &resolved.effects.memory {
            let evaluator = self.setting.evaluator(resolved, &state);
            let Some(located) = locate(operand, evaluator) else { continue };
            let [choice] = self.setting.storages[located.storage].choices.as_slice() else {
                continue;
            };
            if choice.is_deferred {
                continue;
            }
            let known = known(operand, &located);
            let mut found = rules::check_operand(known, choice.object).into_iter();
            if let Some(violation) = found.find(|violation| violation.rule.kind != Kind::Hazard) {
                self.report.refuse(&violation, blamed(operand, &violation));
            }
        }
    }
}
