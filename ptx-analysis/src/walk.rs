//! The last phase: every instruction judged by what registers hold before it.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::rc::Rc;
use alloc::vec::Vec;

use ptx_types::instruction::Role;
use ptx_types::ir::FunctionKind;
use ptx_types::rules::copy::Counted;
use ptx_types::rules::{self, Kind, Reached, Settled};

use crate::access::{Here, blamed, known};
use crate::claim::Claim;
use crate::coordinates::Coordinates;
use crate::effects::{Action, Jump};
use crate::fixpoint::{Setting, fixpoint};
use crate::judge::Judge;
use crate::location::{Located, locate};
use crate::loops::Loops;
use crate::memory::MemoryOperand;
use crate::node::{Node, Resolved};
use crate::number::{Linear, Sum};
use crate::reach::{Extremes, Reach};
use crate::report::Report;
use crate::resolve::Resolution;
use crate::run::{Run, Start};
use crate::state::{State, Widening};
use crate::storage::points_perhaps;
use crate::transactions::TransactionTracker;
use crate::unit::Unit;
use crate::value::AbstractValue;
use crate::{copy, evaluate};

/// Judges every instruction of a body by what registers hold before it.
pub(crate) fn judge<'a>(
    unit: Unit<'_, 'a>,
    resolution: &mut Resolution<'a>,
    report: &mut Report<'a>,
) {
    let start = start(resolution);
    let coordinates = Coordinates::of(unit.block);
    let setting = Setting {
        storages: &resolution.memory.storages,
        constants: unit.constants,
        coordinates: &coordinates,
    };
    let nodes = &resolution.nodes;
    let before = fixpoint(nodes, setting, start.clone());
    let mut tracker = TransactionTracker::default();
    // What a called function completes is not known, nor what completes beside one.
    let completes = |node: &Node<'_>| match node {
        Node::Instruction(resolved) => {
            resolved.effects.calls || matches!(resolved.effects.action, Action::Complete)
        }
        Node::Label(_) => false,
    };
    let is_kernel = unit.function.kind == FunctionKind::Kernel;
    let is_completed_by_copies = is_kernel && !nodes.iter().any(completes);
    let loops = Loops::of(nodes);
    let mut entries = Entries::of(&loops);
    let (several, unwritten) = (BTreeSet::new(), BTreeSet::new());
    let mut judge = Judge { unit, setting, is_completed_by_copies, several, unwritten, report };
    let mut state = None;
    for (at, (node, before)) in nodes.iter().zip(before).enumerate() {
        entries.come(at, state.as_ref());
        state = before.or(state);
        match node {
            Node::Label(_) => tracker.close(),
            Node::Instruction(resolved) => {
                let known = state.take();
                match known.as_ref().and_then(|known| known.where_it_runs(resolved)) {
                    Some(here) => {
                        if let Jump::To(name) = &resolved.effects.jump
                            && let Some(target) = loops.target(name.text).filter(|to| *to > at)
                        {
                            entries.come(target, Some(&here));
                        }
                        judge.instruction((at, resolved), &here, &mut tracker);
                    }
                    None => judge.unreached(resolved),
                }
                if !matches!(resolved.effects.jump, Jump::Next) {
                    tracker.close();
                }
                state = known.and_then(|known| setting.after(resolved, known));
            }
        }
    }
    tracker.close();
    tracker.settle(&mut judge);
    judge.executions(nodes, &loops, start, entries);
}

/// What is known at the labels of loops on the ways there that are no rounds of them.
pub(crate) struct Entries(pub(crate) BTreeMap<usize, Option<State>>);

impl Entries {
    pub(crate) fn of(loops: &Loops<'_>) -> Self {
        Self(loops.closed().map(|(label, _)| (label, None)).collect())
    }

    /// A way leads to a node, on which this is known.
    pub(crate) fn come(&mut self, to: usize, state: Option<&State>) {
        let (Some(known), Some(state)) = (self.0.get_mut(&to), state) else { return };
        match known {
            Some(known) => {
                known.join(state, Widening::None);
            }
            None => *known = Some(state.clone()),
        }
    }
}

/// What the registers hold that are parameters.
pub(crate) fn start(resolution: &mut Resolution<'_>) -> State {
    let mut state = State::default();
    for (i, param, register) in &resolution.params {
        let value = if points_perhaps(param) {
            evaluate::pointer(resolution.memory.pointed(*i, param))
        } else {
            AbstractValue::unknown()
        };
        state.set(*register, Rc::new(value));
    }
    state
}

impl<'a> Judge<'_, '_, 'a> {
    fn instruction(
        &mut self,
        (at, resolved): (usize, &Resolved<'a>),
        state: &State,
        tracker: &mut TransactionTracker<'a>,
    ) {
        let effects = &resolved.effects;
        self.registers(resolved, state);
        let evaluator = self.setting.evaluator(resolved, state);
        let located: Vec<Option<Located<'a>>> =
            effects.memory.iter().map(|operand| locate(operand, evaluator)).collect();
        // Where the map is known, a rule compares it with its tile.
        let is_map = |operand: &MemoryOperand<'_>| operand.form.role == Role::Map;
        let map = effects.memory.iter().position(is_map).and_then(|n| located[n].as_ref());
        let tile = match &effects.action {
            Action::CopyTile(copy) if map.is_some() => copy.operands.map(|(tile, _)| tile),
            _ => None,
        };
        for (n, (operand, located)) in effects.memory.iter().zip(&located).enumerate() {
            let Some(located) = located else {
                if matches!(evaluator.held(operand.name.text), AbstractValue::Anything) {
                    self.several.insert((at, n));
                }
                continue;
            };
            // Zero is the same in every type, and compilers write it as an integer.
            let is_zero = operand.written.as_ref().is_some_and(|value| {
                let value = evaluator.value(value);
                matches!(value, AbstractValue::Number(number) if number.value() == Some(0))
            });
            let of = (located.storage, located.is_pointee);
            let align = operand.align.known();
            let proves = |claim: &Rc<Claim>| claim.proves(of, &located.offset, align);
            let is_aligned = state.claims.iter().any(proves);
            let is_tile = tile.is_some() && operand.bracket == tile;
            let settled = Settled { is_tile, is_aligned, is_zero };
            let own = &resolved.allowed;
            let here = Here { own, state, settled, reached: None };
            let is_refused = self.operand(operand, located, here);
            if !is_refused && !located.offset.is_exact() {
                self.several.insert((at, n));
            }
        }
        match &effects.action {
            Action::CopyTile(tile) => copy::judge_tile(self, tile, resolved, &located, state),
            Action::Multiply(matrices) => {
                for matrix in matrices {
                    copy::judge_descriptor(self, matrix, resolved, state);
                }
            }
            Action::Init(count) => self.count(Counted::Arrivals, count, resolved, state),
            Action::Expect(count) => self.count(Counted::Bytes, count, resolved, state),
            Action::None | Action::Arrive | Action::Wait | Action::Complete | Action::Copy(_) => {}
        }
        tracker.note(resolved, &located, self, state);
    }

    /// Judges single executions of what goes to several places: those of threads that there surely
    /// are, and those of all rounds of loops.
    fn executions(
        &mut self,
        nodes: &[Node<'a>],
        loops: &Loops<'a>,
        start: State,
        entries: Entries,
    ) {
        if self.several.is_empty() {
            return;
        }
        let wanted = core::mem::take(&mut self.several);
        let any = *self.setting.coordinates;
        let coordinates = match self.unit.function.kind {
            FunctionKind::Kernel => Coordinates::attained(self.unit.block),
            FunctionKind::Device => any,
        };
        let mut run = Run::new(nodes, self.setting, loops, &wanted);
        let state_at_start = start.clone();
        run.from(Start { at: 0, state: start, coordinates, end: None });
        if self.unit.function.kind == FunctionKind::Kernel && run.misses_some() {
            // What is not the same sum for all threads is known for each.
            for coordinates in Coordinates::samples(self.unit.block) {
                let state = state_at_start.clone();
                run.from(Start { at: 0, state, coordinates, end: None });
            }
        }
        for (label, state) in entries.0 {
            if let (Some(state), Some(end), false) = (state, loops.end(label), run.has_seen(label))
            {
                run.from(Start { at: label, state, coordinates: any, end: Some(end) });
            }
        }
        let reaches = run.finish();
        let mut refused = BTreeSet::new();
        for (((at, n), _), extremes) in reaches.of {
            let Some(Node::Instruction(resolved)) = nodes.get(at) else { continue };
            let Some(operand) = resolved.effects.memory.get(n) else { continue };
            let Extremes { located, settled, least, most, misaligned } = extremes;
            // How far what a pointer points to goes nobody knows.
            let ends = [least, most].into_iter().filter(|_| !located.is_pointee);
            let mut reaches: Vec<Reach> = misaligned.into_iter().chain(ends).collect();
            reaches.dedup_by_key(|reach| reach.offset);
            for reach in reaches {
                if refused.contains(&(at, n)) {
                    continue;
                }
                let label = |(label, round)| match nodes.get(label) {
                    Some(Node::Label(name)) => Some((*name, round)),
                    Some(Node::Instruction(_)) | None => None,
                };
                let reached = Reached { thread: reach.thread, round: reach.round.and_then(label) };
                let offset = Linear::exact(Sum::known(reach.offset));
                let located = Located { offset, ..located.clone() };
                let (own, state) = (&resolved.allowed, &State::default());
                let here = Here { own, state, settled, reached: Some(reached) };
                if self.operand(operand, &located, here) {
                    refused.insert((at, n));
                }
            }
        }
    }

    /// An instruction that control never gets to: what it would do there is no hazard, but ptxas reads
    /// it all the same.
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
            let known = known(operand, &located, choice.object);
            let found = rules::check_operand(known, choice.object).into_iter();
            let refused = found.filter(|violation| violation.rule.kind != Kind::Hazard);
            for violation in refused.take(1) {
                self.report.refuse(violation, blamed(operand, &violation));
            }
        }
    }
}
