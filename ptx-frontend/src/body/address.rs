//! The rules of operands whose storage is known: the operand names it, or a register holds its
//! address.

use std::rc::Rc;

use ptx_types::Space;
use ptx_types::ir::FunctionKind;
use ptx_types::rules::access::Object;
use ptx_types::rules::alignment::Demand;
use ptx_types::rules::copy::Counted;
use ptx_types::rules::form::Form;
use ptx_types::rules::instruction::Role;
use ptx_types::rules::{
    self, AddressKind, Blame, Kind, Offset, Operand, Settled, Via, Violation, gcd,
};

use super::claim::{self, Claim};
use super::fact::{Address, Fact, Linear, Sum};
use super::flow::{Facts, Line, Referent, Resolved};
use super::late::{DeferredCheck, DeferredKind, DeferredOperand};
use super::memory::{Amount, MemoryOperand};
use super::names::{Resolver, Thing};
use super::step::{Effect, Jump, Step};
use super::storage::{Choice, DeferredObject, points_perhaps};
use super::transactions::Ledger;
use super::{Demanded, Name, evaluate, flow};
use crate::errors::Errors;

/// Where an operand goes.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Located {
    pub(super) storage: usize,
    pub(super) is_pointee: bool,
    via: Option<(String, AddressKind)>,
    pub(super) offset: Linear,
    pub(super) is_remote: bool,
}

/// Where an operand is judged.
#[derive(Clone, Copy)]
struct Here<'h> {
    /// The allowances that stand on its statement.
    own: &'h [usize],
    /// What is known before it.
    facts: &'h Facts,
    /// What else is known of the operand.
    settled: Settled,
}

impl<'a: 'b, 'b> Resolver<'_, 'a, 'b> {
    /// Finds out what the names in an instruction mean, where it stands.
    pub(super) fn resolve_step(&mut self, step: &'b Step, errors: &mut Errors) {
        self.check_widths(step, errors);
        let mut names: Vec<(&'b str, Referent)> = Vec::new();
        let mut all: Vec<&'b Name> = step.writes.iter().collect();
        step.value.each_name(&mut |name| all.push(name));
        all.extend(step.memory.iter().map(|operand| &operand.name));
        for operand in &step.memory {
            for value in operand.index.iter().chain(&operand.written) {
                value.each_name(&mut |name| all.push(name));
            }
        }
        all.extend(step.guard.iter().map(|(name, _)| name));
        match &step.effect {
            Effect::Multiply(matrices) => all.extend(matrices.iter().map(|matrix| &matrix.name)),
            Effect::CopyTile(copy) => {
                if let Some((value, _)) = &copy.first {
                    value.each_name(&mut |name| all.push(name));
                }
            }
            Effect::Init(value, _) | Effect::Expect(value, _) | Effect::Copy(value) => {
                value.each_name(&mut |name| all.push(name));
            }
            Effect::None | Effect::Arrive | Effect::Wait | Effect::Complete => {}
        }
        for name in all {
            if !names.iter().any(|(other, _)| *other == name.text) {
                names.push((&name.text, self.referent(&name.text)));
            }
        }
        let allowed = core::mem::take(&mut self.allowed);
        let block = self.context.block;
        self.lines.push(Line::Step(Resolved { step, names, allowed, block }));
    }

    /// The rule of registers that are too narrow for the addresses that are asked of them.
    fn check_widths(&mut self, step: &Step, errors: &mut Errors) {
        let own = self.allowed.clone();
        for operand in step.memory.iter().filter(|operand| operand.bracket.is_some()) {
            let is_generic = match (operand.space, operand.names_space) {
                (None, _) => true,
                (Some(Space::Global), true) => false,
                (Some(_), _) => continue,
            };
            let Some(Thing::Declared(declared, _)) = self.lookup(&operand.name.text) else {
                continue;
            };
            let bytes = declared.scalar.bytes();
            if declared.space != Space::Reg || declared.lanes != 1 || bytes >= 8 {
                continue;
            }
            let form = Form::NarrowAddress(&operand.name.text, bytes, is_generic);
            for violation in rules::check_form(form, self.context.env) {
                self.report(violation, &operand.name, &own, errors);
            }
        }
    }

    /// Judges every instruction by what registers hold before it.
    pub(super) fn judge(&mut self, errors: &mut Errors) {
        let lines = core::mem::take(&mut self.lines);
        let start = self.start();
        let before = flow::follow(&lines, &self.storages, start);
        let mut ledger = Ledger::default();
        // What a function completes that is called nobody knows, nor what completes beside one.
        let completes = |line: &Line<'_>| match line {
            Line::Step(resolved) => {
                resolved.step.calls || matches!(resolved.step.effect, Effect::Complete)
            }
            Line::Label(_) => false,
        };
        let is_kernel = self.context.function.kind == FunctionKind::Kernel;
        self.is_completed_by_copies = is_kernel && !lines.iter().any(completes);
        let mut facts = None;
        for (line, before) in lines.iter().zip(before) {
            facts = before.or(facts);
            match line {
                Line::Label(_) => ledger.close(),
                Line::Step(resolved) => {
                    let known = facts.take();
                    match known.as_ref().and_then(|known| known.where_it_runs(resolved)) {
                        Some(here) => self.judge_step(resolved, &here, &mut ledger, errors),
                        None => self.judge_unreached(resolved, errors),
                    }
                    if !matches!(resolved.step.jump, Jump::On) {
                        ledger.close();
                    }
                    facts = known.and_then(|known| flow::after(resolved, &self.storages, known));
                }
            }
        }
        ledger.close();
        ledger.settle(self, errors);
        self.report_unneeded(errors);
    }

    /// What the registers hold that are parameters.
    fn start(&mut self) -> Facts {
        let mut facts = Facts::default();
        let function = self.context.function;
        for (i, param) in function.params.iter().enumerate() {
            if param.variable.space == Space::Reg
                && let Referent::Register(register) = self.referent(param.variable.name)
            {
                let fact = if points_perhaps(param) {
                    evaluate::pointer(self.pointing_register(i, param))
                } else {
                    Fact::unknown()
                };
                facts.set(register, Rc::new(fact));
            }
        }
        facts
    }

    /// Where an operand goes, as far as that is known.
    pub(super) fn locate(
        &self,
        operand: &MemoryOperand,
        resolved: &Resolved<'_>,
        facts: &Facts,
    ) -> Option<Located> {
        let added = Sum::of(&operand.offset).map_or_else(Linear::unknown, Linear::exact);
        let name = operand.name.text.as_str();
        let mut fact = evaluate::held(name, resolved, &self.storages, facts).into_number();
        if let (Some(index), Fact::Address(address)) = (&operand.index, &fact) {
            let index = evaluate::evaluate(index, resolved, &self.storages, facts).into_number();
            let added = evaluate::index_in_bytes(address, index, &self.storages);
            fact = Fact::Address(address.plus(&added));
        }
        let Fact::Address(Address { storage, is_pointee, held, offset, bits, is_remote }) = fact
        else {
            return None;
        };
        let via = match resolved.find(name) {
            Some(Referent::Register(_)) => Some((name.to_owned(), held)),
            Some(Referent::Storage(_) | Referent::Other) | None => None,
        };
        // An offset that is written behind a name is what it says.
        let bits = if via.is_some() { bits } else { 0 };
        let offset = offset.plus(&added.wrapped(bits)).wrapped(bits);
        Some(Located { storage, is_pointee, via, offset, is_remote })
    }

    fn judge_step(
        &mut self,
        resolved: &Resolved<'b>,
        facts: &Facts,
        ledger: &mut Ledger,
        errors: &mut Errors,
    ) {
        let step = resolved.step;
        let located: Vec<Option<Located>> =
            step.memory.iter().map(|operand| self.locate(operand, resolved, facts)).collect();
        // Where the map is known, a rule compares it with its tile.
        let is_map = |operand: &MemoryOperand| operand.role == Role::Map;
        let map = step.memory.iter().position(is_map).and_then(|n| located[n].as_ref());
        let tile = match &step.effect {
            Effect::CopyTile(copy) if map.is_some() => copy.operands.map(|(tile, _)| tile),
            _ => None,
        };
        for (operand, located) in step.memory.iter().zip(&located) {
            if let Some(located) = located {
                let is_tile = tile.is_some() && operand.bracket == tile;
                let own = &resolved.allowed;
                // Zero is the same in every type, and compilers write it as an integer.
                let is_zero = operand.written.as_ref().is_some_and(|value| {
                    let fact = evaluate::evaluate(value, resolved, &self.storages, facts);
                    matches!(fact, Fact::Number(number) if number.value() == Some(0))
                });
                let of = (located.storage, located.is_pointee);
                let align = operand.align.known();
                let proves = |claim: &Rc<Claim>| claim.proves(of, &located.offset, align);
                let is_aligned = facts.claims.iter().any(proves);
                let settled = Settled { is_tile, is_aligned, is_zero };
                self.judge_operand(operand, located, Here { own, facts, settled }, errors);
            }
        }
        match &step.effect {
            Effect::CopyTile(copy) => {
                self.judge_copy(copy, resolved, &located, facts);
            }
            Effect::Multiply(matrices) => {
                for matrix in matrices {
                    self.judge_descriptor(matrix, resolved, facts);
                }
            }
            Effect::Init(count, place) => {
                self.judge_count(Counted::Arrivals, (count, place), resolved, facts, errors);
            }
            Effect::Expect(count, place) => {
                self.judge_count(Counted::Bytes, (count, place), resolved, facts, errors);
            }
            Effect::None | Effect::Arrive | Effect::Wait | Effect::Complete | Effect::Copy(_) => {}
        }
        ledger.note(resolved, &located, self, facts);
    }

    /// An instruction that control never gets to: what it would do there is no hazard, but ptxas reads
    /// it all the same.
    fn judge_unreached(&self, resolved: &Resolved<'_>, errors: &mut Errors) {
        let facts = Facts::default();
        for operand in &resolved.step.memory {
            let Some(located) = self.locate(operand, resolved, &facts) else { continue };
            let [choice] = self.storages[located.storage].choices.as_slice() else { continue };
            if choice.is_late {
                continue;
            }
            let known = operand.known(&located, choice.object);
            let found = rules::check_operand(known, choice.object).into_iter();
            let refused = found.filter(|violation| violation.rule.kind != Kind::Hazard);
            for violation in refused.take(1) {
                errors.on(operand.blamed(&violation).tokens(), violation);
            }
        }
    }

    fn judge_operand(
        &mut self,
        operand: &MemoryOperand,
        located: &Located,
        Here { own, facts, settled }: Here<'_>,
        errors: &mut Errors,
    ) {
        let allowances = self.allowances_with(own);
        let only_where = claim::only_where(&facts.claims);
        let conditions = claim::conditions(&facts.claims);
        for choice in self.storages[located.storage].choices.clone() {
            let (object, late) = choice.at(located.is_pointee);
            let mut is_late = choice.is_late
                || !conditions.is_empty()
                || operand.has_splice()
                || known_offset(&located.offset).is_none()
                || !object.ty().is_known()
                || match object {
                    // Which kind of pointer it is, and how aligned, an alias may say.
                    Object::Pointee(param) => param.pointer.is_none_or(|it| it.space.is_none()),
                    _ => object.bytes().is_none() && !object.variable().is_dynamic(),
                };
            let known =
                Operand { settled, only_where: &only_where, ..operand.known(located, object) };
            let mut is_refused = false;
            // One error for one operand: what comes first explains the others.
            for violation in rules::check_operand(known, object) {
                // Only hazards wait for it: ptxas reads what control may not reach, too.
                let waits = !conditions.is_empty() && violation.rule.kind == Kind::Hazard;
                if choice.is_late || waits {
                    is_late = true;
                    continue;
                }
                if self.is_allowed(violation.rule.code, &allowances) {
                    continue;
                }
                is_refused = true;
                errors.on(operand.blamed(&violation).tokens(), violation);
                break;
            }
            let demand = Demand::of(known, object);
            let is_alignment_known = !choice.is_late
                && choice.is_aligned
                && !located.is_pointee
                && object.ty().is_known();
            let is_surely_aligned = settled.is_aligned
                || is_alignment_known
                    && matches!((object.alignment(), known.align), (Some(is), Some(needed)) if needed <= is);
            // How aligned what a pointer leads to is, an alias may say.
            is_late |= demand.is_some() && (located.is_pointee || !choice.is_aligned);
            if let (Some(demand), false, false) = (demand, is_late, is_refused)
                && !self.is_allowed(rules::alignment_rule(object).code, &allowances)
            {
                let (object, name) = (late.clone(), operand.name.clone());
                self.demands.push(Demanded { object, demand, name });
            }
            if is_late && !is_refused {
                let kind = DeferredKind::Operand(Box::new(DeferredOperand {
                    memory: operand.clone(),
                    via: located.via.clone(),
                    offset: located.offset.clone(),
                    object: late,
                    settled,
                    only_where: only_where.clone(),
                    is_perhaps_misaligned: !is_surely_aligned,
                }));
                self.checks.push(DeferredCheck {
                    kind,
                    name: operand.name.clone(),
                    value: Some(operand.offset_place.clone()),
                    allowances: allowances.clone(),
                    conditions: conditions.clone(),
                });
            }
        }
    }
}

impl<'a> Choice<'a> {
    /// The object, or what it points to.
    pub(super) fn at(&self, is_pointee: bool) -> (Object<'a>, DeferredObject) {
        match (is_pointee, self.param, &self.late) {
            (true, Some(param), DeferredObject::Param(i)) => {
                (Object::Pointee(param), DeferredObject::Pointee(*i))
            }
            (_, _, late) => (self.object, late.clone()),
        }
    }
}

/// An offset, if tokens tell it.
fn known_offset(linear: &Linear) -> Option<Offset> {
    let mut step = 0;
    for part in &linear.steps {
        let part = u64::try_from(part.value()?.unsigned_abs()).unwrap_or(1);
        step = gcd(step, part);
    }
    Some(Offset { base: linear.base.value()?, step })
}

impl MemoryOperand {
    /// The operand as far as tokens tell.
    fn known<'n>(&self, located: &'n Located, object: Object<'_>) -> Operand<'n> {
        let size = |amount: &Amount| amount.known().and_then(|value| usize::try_from(value).ok());
        let is_sure = match object {
            Object::Pointee(param) => param.pointer.is_some_and(|pointer| pointer.space.is_some()),
            _ => true,
        };
        let via = match &located.via {
            Some((name, AddressKind::Own)) if !is_sure => Via::Register(name, AddressKind::Unsure),
            Some((name, held)) => Via::Register(name, *held),
            None => Via::Name,
        };
        Operand {
            role: self.role,
            direction: self.direction,
            space: self.space,
            names_space: self.names_space,
            bytes: size(&self.bytes),
            align: size(&self.align),
            ty: self.ty,
            tensor: self.tensor,
            via,
            offset: known_offset(&located.offset).unwrap_or(Offset::UNKNOWN),
            settled: Settled::NOTHING,
            only_where: "",
        }
    }

    /// What a violation blames.
    fn blamed(&self, violation: &Violation<'_>) -> &Name {
        if violation.rule.blames == Blame::Offset { &self.offset_place } else { &self.name }
    }

    fn has_splice(&self) -> bool {
        let amounts = [&self.bytes, &self.align, &self.offset];
        amounts.iter().any(|amount| matches!(amount, Amount::Splice(_)))
    }
}
