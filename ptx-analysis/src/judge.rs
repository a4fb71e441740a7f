//! The last phase: every instruction judged by what registers hold before it.

use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

use ptx_types::instruction::Role;
use ptx_types::ir::FunctionKind;
use ptx_types::ir::body::Amount;
use ptx_types::rules::access::Object;
use ptx_types::rules::alignment::Demand;
use ptx_types::rules::copy::{BarrierCount, Counted};
use ptx_types::rules::{self, AddressKind, Blame, Kind, Offset, Operand, Settled, Via, Violation};

use crate::claim::{self, Claim};
use crate::deferred::{Deferred, DeferredKind, DeferredOperand, Demanded};
use crate::effects::{Action, Count};
use crate::finding::Problem;
use crate::fixpoint::{Setting, fixpoint};
use crate::location::{Located, locate};
use crate::memory::MemoryOperand;
use crate::node::{Node, Resolved};
use crate::place::Place;
use crate::report::{Report, broken};
use crate::resolve::Resolution;
use crate::state::State;
use crate::storage::points_perhaps;
use crate::transactions::TransactionTracker;
use crate::unit::Unit;
use crate::value::AbstractValue;
use crate::{copy, evaluate};

/// What instructions are judged with.
pub(crate) struct Judge<'j, 'c, 'a> {
    pub(crate) unit: Unit<'c, 'a>,
    pub(crate) setting: Setting<'j, 'a>,
    /// Whether copies alone complete the transactions of barriers.
    pub(crate) is_completed_by_copies: bool,
    pub(crate) report: &'j mut Report<'a>,
}

/// Judges every instruction of a body by what registers hold before it.
pub(crate) fn judge<'a>(
    unit: Unit<'_, 'a>,
    resolution: &mut Resolution<'a>,
    report: &mut Report<'a>,
) {
    let start = start(resolution);
    let setting = Setting {
        storages: &resolution.memory.storages,
        constants: unit.constants,
        block: unit.block,
    };
    let nodes = &resolution.nodes;
    let before = fixpoint(nodes, setting, start);
    let mut tracker = TransactionTracker::default();
    // What a function completes that is called nobody knows, nor what completes beside one.
    let completes = |node: &Node<'_>| match node {
        Node::Instruction(resolved) => {
            resolved.effects.calls || matches!(resolved.effects.action, Action::Complete)
        }
        Node::Label(_) => false,
    };
    let is_kernel = unit.function.kind == FunctionKind::Kernel;
    let is_completed_by_copies = is_kernel && !nodes.iter().any(completes);
    let mut judge = Judge { unit, setting, is_completed_by_copies, report };
    let mut state = None;
    for (node, before) in nodes.iter().zip(before) {
        state = before.or(state);
        match node {
            Node::Label(_) => tracker.close(),
            Node::Instruction(resolved) => {
                let known = state.take();
                match known.as_ref().and_then(|known| known.where_it_runs(resolved)) {
                    Some(here) => judge.instruction(resolved, &here, &mut tracker),
                    None => judge.unreached(resolved),
                }
                if !matches!(resolved.effects.jump, crate::effects::Jump::Next) {
                    tracker.close();
                }
                state = known.and_then(|known| setting.after(resolved, known));
            }
        }
    }
    tracker.close();
    tracker.settle(&mut judge);
}

/// What the registers hold that are parameters.
fn start(resolution: &mut Resolution<'_>) -> State {
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

/// Where an operand is judged.
#[derive(Clone, Copy)]
struct Here<'h> {
    /// The allowances that stand on its statement.
    own: &'h [usize],
    /// What is known before it.
    state: &'h State,
    /// What else is known of the operand.
    settled: Settled,
}

impl<'a> Judge<'_, '_, 'a> {
    fn instruction(
        &mut self,
        resolved: &Resolved<'a>,
        state: &State,
        tracker: &mut TransactionTracker<'a>,
    ) {
        let effects = &resolved.effects;
        let evaluator = self.setting.evaluator(resolved, state);
        let located: Vec<Option<Located<'a>>> =
            effects.memory.iter().map(|operand| locate(operand, evaluator)).collect();
        // Where the map is known, a rule compares it with its tile.
        let is_map = |operand: &MemoryOperand<'_>| operand.role == Role::Map;
        let map = effects.memory.iter().position(is_map).and_then(|n| located[n].as_ref());
        let tile = match &effects.action {
            Action::CopyTile(copy) if map.is_some() => copy.operands.map(|(tile, _)| tile),
            _ => None,
        };
        for (operand, located) in effects.memory.iter().zip(&located) {
            let Some(located) = located else { continue };
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
            self.operand(operand, located, Here { own: &resolved.allowed, state, settled });
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

    fn operand(
        &mut self,
        operand: &MemoryOperand<'a>,
        located: &Located<'a>,
        Here { own, state, settled }: Here<'_>,
    ) {
        let allowances = self.report.allowances_with(own);
        let only_where = claim::only_where(&state.claims);
        let conditions = claim::conditions(&state.claims);
        for choice in &self.setting.storages[located.storage].choices {
            let (object, id) = choice.at(located.is_pointee);
            let mut is_deferred = choice.is_deferred
                || !conditions.is_empty()
                || has_constant(operand)
                || located.offset.offset().is_none()
                || !object.ty().is_known()
                || match object {
                    // Which kind of pointer it is, and how aligned, an alias may say.
                    Object::Pointee(param) => param.pointer.is_none_or(|it| it.space.is_none()),
                    _ => object.bytes().is_none() && !object.variable().is_dynamic(),
                };
            let known = Operand { settled, ..known(operand, located, object) };
            let mut is_refused = false;
            // One error for one operand: what comes first explains the others.
            for violation in rules::check_operand(known, object) {
                // Only hazards wait for it: ptxas reads what control may not reach, too.
                let waits = !conditions.is_empty() && violation.rule.kind == Kind::Hazard;
                if choice.is_deferred || waits {
                    is_deferred = true;
                    continue;
                }
                if self.report.is_allowed(violation.rule.code, &allowances) {
                    continue;
                }
                is_refused = true;
                let is_far = violation.rule.blames == Blame::Offset;
                let only_where = if is_far { only_where.clone() } else { String::new() };
                let problem = Problem::Rule(broken(violation, only_where));
                self.report.find(blamed(operand, &violation), problem);
                break;
            }
            let demand = Demand::of(known, object);
            let is_alignment_known = !choice.is_deferred
                && choice.is_aligned
                && !located.is_pointee
                && object.ty().is_known();
            let is_surely_aligned = settled.is_aligned
                || is_alignment_known
                    && matches!((object.alignment(), known.align), (Some(is), Some(needed)) if needed <= is);
            // How aligned what a pointer leads to is, an alias may say.
            is_deferred |= demand.is_some() && (located.is_pointee || !choice.is_aligned);
            is_deferred &= self.unit.defers;
            if let (Some(demand), false, false) = (demand, is_deferred, is_refused)
                && !self.report.is_allowed(rules::alignment_rule(object).code, &allowances)
            {
                let (object, place) = (id.clone(), operand.place);
                self.report.demands.push(Demanded { object, demand, place });
            }
            if is_deferred && !is_refused {
                let kind = DeferredKind::Operand(Box::new(DeferredOperand {
                    memory: operand.clone(),
                    via: located.via,
                    offset: located.offset.clone(),
                    object: id,
                    settled,
                    only_where: only_where.clone(),
                    is_perhaps_misaligned: !is_surely_aligned,
                }));
                self.report.deferred.push(Deferred {
                    kind,
                    place: operand.place,
                    value: Some(operand.offset_place),
                    allowances: allowances.clone(),
                    conditions: conditions.clone(),
                });
            }
        }
    }

    fn count(
        &mut self,
        of: Counted,
        (count, place): &Count<'a>,
        resolved: &Resolved<'a>,
        state: &State,
    ) {
        let AbstractValue::Number(number) = self.setting.evaluator(resolved, state).value(count)
        else {
            return;
        };
        let conditions = claim::conditions(&state.claims);
        let by_copies = self.is_completed_by_copies;
        match number.base.value() {
            _ if !number.steps.is_empty() => {}
            Some(value) if conditions.is_empty() => {
                for violation in rules::check_count(BarrierCount { of, value, by_copies }) {
                    self.report.report(violation, *place, &resolved.allowed);
                }
            }
            Some(_) | None => {
                let kind = DeferredKind::Count { of, count: number.base, by_copies };
                self.report.defer(kind, *place, &resolved.allowed, conditions);
            }
        }
    }
}

/// An operand as far as it is known.
fn known<'a>(
    operand: &MemoryOperand<'a>,
    located: &Located<'a>,
    object: Object<'_>,
) -> Operand<'a> {
    let size = |amount: Amount| amount.known().and_then(|value| usize::try_from(value).ok());
    let is_sure = match object {
        Object::Pointee(param) => param.pointer.is_some_and(|pointer| pointer.space.is_some()),
        _ => true,
    };
    let via = match located.via {
        Some((name, AddressKind::Own)) if !is_sure => Via::Register(name, AddressKind::Unsure),
        Some((name, kind)) => Via::Register(name, kind),
        None => Via::Name,
    };
    Operand {
        role: operand.role,
        direction: operand.direction,
        space: operand.space,
        names_space: operand.names_space,
        sub_space: operand.sub_space,
        bytes: size(operand.bytes),
        align: size(operand.align),
        ty: operand.ty,
        unified: operand.unified,
        tensor: operand.tensor,
        via,
        offset: located.offset.offset().unwrap_or(Offset::UNKNOWN),
        settled: Settled::NOTHING,
        only_where: "",
    }
}

/// Where what a violation blames stands.
fn blamed(operand: &MemoryOperand<'_>, violation: &Violation<'_>) -> Place {
    if violation.rule.blames == Blame::Offset { operand.offset_place } else { operand.place }
}

/// Whether a constant that is not known decides a part of it.
fn has_constant(operand: &MemoryOperand<'_>) -> bool {
    let amounts = [operand.bytes, operand.align, operand.offset];
    amounts.iter().any(|amount| matches!(amount, Amount::Constant(_)))
}
