//! Checks one memory operand, or one number, against the rules.

use alloc::boxed::Box;

use ptx_isa::ir::body::Amount;
use ptx_isa::rules::alignment::Demand;
use ptx_isa::rules::copy::{BarrierCount, Counted};
use ptx_isa::rules::surface::SurfaceByte;
use ptx_isa::rules::{self, Blame, Kind, Offset, Reached, Settled, StorageAccess, Via, Violation};

use crate::domains::checker::InstructionChecker;
use crate::findings::deferred::{Deferred, DeferredKind, DeferredOperand, Demanded};
use crate::flow::memory::MemoryOperand;
use crate::flow::node::Resolved;
use crate::flow::place::Place;
use crate::flow::surface::SurfaceAccess;
use crate::flow::together::Count;
use crate::values::claim;
use crate::values::location::Located;
use crate::values::state::State;
use crate::values::value::AbstractValue;

/// The context in which an operand is checked.
#[derive(Clone, Copy)]
pub(crate) struct Here<'a, 'h> {
    /// Its node.
    pub(crate) at: usize,
    /// The allowances on its statement.
    pub(crate) own: &'h [usize],
    /// The state before it.
    pub(crate) state: &'h State,
    /// The other settled facts about the operand; it may be conditional.
    pub(crate) settled: Settled,
    /// The execution being checked, if others access something else.
    pub(crate) reached: Option<Reached<'a>>,
}

impl<'a> InstructionChecker<'_, '_, 'a> {
    /// Checks an operand and returns whether it is rejected.
    pub(crate) fn operand(
        &mut self,
        operand: &MemoryOperand<'a>,
        located: &Located<'a>,
        Here { at, own, state, settled, reached }: Here<'a, '_>,
    ) -> bool {
        let mut is_any_refused = false;
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
                || if object.is_pointee() {
                    // An alias may specify the kind and the alignment of the pointer.
                    object.pointer().and_then(|it| it.space).is_none()
                } else {
                    object.bytes().is_none() && !object.variable().is_dynamic()
                };
            let settled_here = Settled { is_conditional: false, ..settled };
            let known = StorageAccess { settled: settled_here, ..known(operand, located) };
            let mut found = rules::check_operand(known, object);
            // The guards matter only then, and asking for them takes long.
            let is_far = |violation: &Violation<'_>| violation.rule.blames == Blame::Offset;
            let is_conditional = (is_deferred && self.unit.defers || found.iter().any(is_far))
                && settled.is_conditional
                && self.guarded.decides(at, &state.claims);
            let settled = Settled { is_conditional, ..settled };
            let known = StorageAccess { settled, ..known };
            if is_conditional {
                found = rules::check_operand(known, object);
            }
            let allowed =
                rules::allowed_of_operand(known, object).map(|rule| (id.clone(), rule.code));
            self.report.allowed_by.extend(allowed);
            let mut is_refused = false;
            // Only one error is reported for an operand: the first explains the others.
            for violation in found {
                // Only hazards are deferred: ptxas also checks code that may be unreachable.
                let waits = !conditions.is_empty() && violation.rule.kind == Kind::Hazard;
                if choice.is_deferred || waits {
                    is_deferred = true;
                    continue;
                }
                let is_far = violation.rule.blames == Blame::Offset;
                if reached.is_some() && !operand.form.is_checked_alone(violation.rule.blames) {
                    continue;
                }
                if self.report.is_allowed(violation.rule.code, &allowances) {
                    continue;
                }
                is_refused = true;
                let only_where = only_where.as_deref().copied().filter(|_| is_far);
                let reached = reached.filter(|_| is_far);
                let found = Violation { reached, only_where, ..violation };
                self.report.refuse(&found, blamed(operand, &violation));
                break;
            }
            is_any_refused |= is_refused;
            let demand = Demand::of(known, object);
            let is_alignment_known = !choice.is_deferred
                && choice.is_aligned
                && !located.is_pointee
                && object.ty().is_known();
            let must_be_aligned = settled.is_aligned
                || is_alignment_known
                    && matches!((object.alignment(), known.align), (Some(is), Some(needed)) if needed <= is);
            // An alias may specify the alignment of the pointee.
            is_deferred |= demand.is_some() && (located.is_pointee || !choice.is_aligned);
            is_deferred &= self.unit.defers && !choice.is_foreign;
            let demand = demand.filter(|_| !choice.is_foreign);
            if let (Some(demand), false, false, None) = (demand, is_deferred, is_refused, reached)
                && !self.report.is_allowed(rules::alignment_rule(object).code, &allowances)
            {
                let (object, place) = (id.clone(), operand.place);
                self.report.demands.push(Demanded { object, demand, accesses: 1, place });
            }
            if is_deferred && !is_refused {
                let kind = DeferredKind::Operand(Box::new(DeferredOperand {
                    memory: operand.clone(),
                    via: located.via,
                    offset: located.offset.clone(),
                    object: id,
                    settled,
                    only_where: only_where.clone(),
                    reached,
                    may_be_misaligned: !must_be_aligned && reached.is_none(),
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
        is_any_refused
    }

    /// Checks the count of a barrier.
    pub(crate) fn count(
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
                    self.report.report(&violation, *place, &resolved.allowed);
                }
            }
            Some(_) | None => {
                let kind = DeferredKind::Count { of, count: number.base, by_copies };
                self.report.defer(kind, *place, &resolved.allowed, conditions);
            }
        }
    }

    /// Checks the byte offset into a surface row.
    pub(crate) fn surface(
        &mut self,
        surface: &SurfaceAccess<'a>,
        resolved: &Resolved<'a>,
        state: &State,
    ) {
        let (value, place) = &surface.coordinate;
        let AbstractValue::Number(number) = self.setting.evaluator(resolved, state).value(value)
        else {
            return;
        };
        let Some(byte) = number.wrapped(32).offset() else { return };
        if claim::conditions(&state.claims).is_empty() {
            for violation in rules::check_surface(SurfaceByte { byte, count: surface.bytes }) {
                self.report.report(&violation, *place, &resolved.allowed);
            }
        }
    }
}

/// Describes an operand as far as it is known.
pub(crate) fn known<'a>(operand: &MemoryOperand<'a>, located: &Located<'a>) -> StorageAccess<'a> {
    let size = |amount: Amount| amount.known().and_then(|value| usize::try_from(value).ok());
    let via = located.via.map_or(Via::Name, |(name, kind)| Via::Register(name, kind));
    StorageAccess {
        form: operand.form,
        bytes: size(operand.bytes),
        align: size(operand.align),
        via,
        offset: located.offset.offset().unwrap_or(Offset::UNKNOWN),
        settled: Settled::NOTHING,
        only_where: None,
        reached: None,
    }
}

/// Returns the place of the part that a violation is about.
pub(crate) fn blamed(operand: &MemoryOperand<'_>, violation: &Violation<'_>) -> Place {
    if violation.rule.blames == Blame::Offset { operand.offset_place } else { operand.place }
}

/// Whether it depends on an unknown constant.
fn has_constant(operand: &MemoryOperand<'_>) -> bool {
    let amounts = [operand.bytes, operand.align, operand.offset];
    amounts.iter().any(|amount| matches!(amount, Amount::Constant(_)))
}
