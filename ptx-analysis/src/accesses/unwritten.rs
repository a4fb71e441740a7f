//! Checks for uses of registers that nothing writes, or that are computed from such a register.

use alloc::vec::Vec;

use ptx_isa::instruction::Direction;
use ptx_isa::ir::body::Name;
use ptx_isa::rules::register::{Holding, Taken};
use ptx_isa::rules::{self, Comparison, Reached};

use crate::domains::checker::InstructionChecker;
use crate::flow::effects::Action;
use crate::flow::expression::Expression;
use crate::flow::node::{Node, Referent, Resolved};
use crate::flow::origin::{Origin, Writers};
use crate::flow::place::Place;
use crate::values::number::view;
use crate::values::state::State;
use crate::values::uncertain_guard::UncertainGuard;
use crate::values::value::AbstractValue;

/// The maximum number of lowest bits that may be lost between a register and what is computed from it.
const MOST_ZEROS: u32 = 16;

impl<'a> InstructionChecker<'_, '_, 'a> {
    /// Checks whether the registers that an instruction uses are written before.
    pub(crate) fn unwritten(&mut self, resolved: &Resolved<'a>, state: &State) {
        each_used(resolved, |name, taken_for| {
            let Some(Referent::Register(register)) = resolved.find(name.text) else { return };
            if state.get(register).is_none() {
                self.written(resolved, (name, taken_for), (register, Holding::Nothing));
            }
        });
    }

    /// Checks whether written registers are computed from an unwritten one.
    pub(crate) fn computed(&mut self, at: usize, resolved: &Resolved<'a>, state: &State) {
        // An address that is never accessed does not matter.
        let is_idle = resolved.effects.memory.iter().any(|operand| {
            operand.form.may_be_nothing || operand.form.direction == Direction::Cache
        });
        if is_idle {
            return;
        }
        if let Some(guard) = &resolved.effects.guard
            && let Some(Referent::Register(register)) = resolved.find(guard.name.text)
        {
            let mut uncertain_guards = self.uncertain_guards.definitions.values();
            let uncertain_guard = uncertain_guards
                .find(|uncertain_guard| uncertain_guard.register == register)
                .copied();
            self.uncertain_guards
                .guards
                .extend(uncertain_guard.map(|uncertain_guard| (at, uncertain_guard)));
        }
        each_used(resolved, |name, taken_for| {
            let Some(Referent::Register(register)) = resolved.find(name.text) else { return };
            if let (Some(_), Some(origin)) = (state.get(register), self.derived.get(&register)) {
                let holds = (origin.register, Holding::MadeOf(origin.name));
                self.written(resolved, (name, taken_for), holds);
            }
        });
    }

    /// Reports a register that nothing writes, or that is computed from one; each is reported once.
    fn written(
        &mut self,
        resolved: &Resolved<'a>,
        (name, taken_for): (Name<'a>, &'static str),
        (unwritten, holds): (usize, Holding<'a>),
    ) {
        let effects = &resolved.effects;
        if self.has_finding(effects.statement) || !self.unwritten.insert(unwritten) {
            return;
        }
        let taken = Taken { name: name.text, taken_for, holds };
        let place = Place::new(effects.statement, name.whole_at());
        self.taken(rules::check_register(taken), place, resolved);
    }

    /// Records whether an instruction computes its result from an unwritten register.
    pub(crate) fn derive(
        &mut self,
        nodes: &[Node<'a>],
        (at, resolved): (usize, &Resolved<'a>),
        state: &State,
    ) {
        let origin = match resolved.written[..] {
            [_] => self.origin(nodes, resolved, state, &resolved.effects.value),
            [..] => None,
        };
        for register in &resolved.written {
            self.derived.remove(register);
        }
        let ([register], Some(origin)) = (&resolved.written[..], origin) else {
            self.uncertain_guard(nodes, (at, resolved), state);
            return;
        };
        let is_local =
            self.writers(nodes).count(*register) > 1 || self.parameters.contains(register);
        let is_certain = !is_local || resolved.effects.guard.is_none();
        if is_certain && *register != origin.register && origin.zeros <= MOST_ZEROS {
            self.derived.insert(*register, origin);
            if is_local {
                self.local.insert(*register);
            }
        }
    }

    /// Records that an instruction combines an unwritten predicate with another, unknown one.
    fn uncertain_guard(
        &mut self,
        nodes: &[Node<'a>],
        (at, resolved): (usize, &Resolved<'a>),
        state: &State,
    ) {
        let (Expression::And(two, 1) | Expression::Or(two, 1), [register]) =
            (&resolved.effects.value, &resolved.written[..])
        else {
            return;
        };
        let keeps = i128::from(matches!(resolved.effects.value, Expression::And(..)));
        let mut of = |value| self.origin(nodes, resolved, state, value);
        let (origin, other) = match (of(&two[0]), of(&two[1])) {
            (Some(origin), None) => (origin, 1),
            (None, Some(origin)) => (origin, 0),
            (_, _) => return,
        };
        let is_only = self.writers(nodes).count(*register) == 1
            && !self.parameters.contains(register)
            && self.is_independent(nodes, resolved, &two[other], origin);
        if is_only && resolved.effects.guard.is_none() {
            let uncertain_guard = UncertainGuard { register: *register, origin, other, keeps };
            self.uncertain_guards.definitions.insert(at, uncertain_guard);
        }
    }

    /// Reports a guard whose outcome in this execution depends on its unwritten part.
    pub(crate) fn undecided_guard(
        &mut self,
        resolved: &Resolved<'a>,
        origin: Origin<'a>,
        reached: Reached<'a>,
    ) {
        let (effects, Some(guard)) = (&resolved.effects, &resolved.effects.guard) else { return };
        if self.has_finding(effects.statement) || !self.unwritten.insert(origin.register) {
            return;
        }
        let holds = Holding::MadeOf(origin.name);
        let taken = Taken { name: guard.name.text, taken_for: "the guard", holds };
        let place = Place::new(effects.statement, guard.name.whole_at());
        let found = rules::check_register(taken);
        self.first(found, (place, place), resolved, Some(reached));
    }

    /// At a label, forgets the origins of registers that other instructions also write.
    pub(crate) fn join_derived(&mut self) {
        for register in core::mem::take(&mut self.local) {
            self.derived.remove(&register);
        }
    }

    fn writers(&mut self, nodes: &[Node<'a>]) -> &Writers {
        self.writers.get_or_insert_with(|| Writers::of(nodes))
    }

    /// Returns the unwritten register from which an expression is computed, if no other part of it can
    /// compensate.
    fn origin(
        &mut self,
        nodes: &[Node<'a>],
        resolved: &Resolved<'a>,
        state: &State,
        value: &Expression<'a>,
    ) -> Option<Origin<'a>> {
        let mut of = |value: &Expression<'a>| self.origin(nodes, resolved, state, value);
        match value {
            Expression::Name(name) => {
                let Some(Referent::Register(register)) = resolved.find(name.text) else {
                    return None;
                };
                match state.get(register) {
                    None => Some(Origin { register, name: name.text, zeros: 0 }),
                    Some(_) => self.derived.get(&register).copied(),
                }
            }
            Expression::Narrow(one, 32..)
            | Expression::Extend(one, 32.., _)
            | Expression::ToGeneric(_, one)
            | Expression::FromGeneric(_, one)
            | Expression::Not(one) => of(one),
            Expression::Halves(two) | Expression::Remote(two) => of(&two[0]),
            Expression::Add(two, 32..) | Expression::Subtract(two, 32..) => {
                match (of(&two[0]), of(&two[1])) {
                    (Some(one), Some(other)) if one.register != other.register => Some(one),
                    (Some(origin), None) => {
                        self.is_independent(nodes, resolved, &two[1], origin).then_some(origin)
                    }
                    (None, Some(origin)) => {
                        self.is_independent(nodes, resolved, &two[0], origin).then_some(origin)
                    }
                    (Some(_), Some(_)) | (None, None) => None,
                }
            }
            Expression::Multiply(two, 32..) => {
                let (one, other) = (of(&two[0]), of(&two[1]));
                let (origin, by) = match (one, other) {
                    (Some(origin), None) => (origin, &two[1]),
                    (None, Some(origin)) => (origin, &two[0]),
                    (_, _) => return None,
                };
                let by = self.number(resolved, state, by).filter(|by| *by != 0)?;
                Some(Origin { zeros: origin.zeros + by.trailing_zeros(), ..origin })
            }
            Expression::ShiftLeft(two, 32..) => {
                let origin = of(&two[0])?;
                let by = u32::try_from(self.number(resolved, state, &two[1])?).ok()?;
                Some(Origin { zeros: origin.zeros.checked_add(by)?, ..origin })
            }
            Expression::Compare(two, comparison, bits @ 32.., is_signed) => {
                let (origin, comparison, other) = match (of(&two[0]), of(&two[1])) {
                    (Some(origin), None) => (origin, *comparison, &two[1]),
                    (None, Some(origin)) => (origin, comparison.reversed(), &two[0]),
                    (_, _) => return None,
                };
                // Not every value of the computed number may be possible.
                let is_direct = two
                    .iter()
                    .any(|one| matches!(one, Expression::Name(name) if name.text == origin.name));
                let may_differ =
                    self.may_differ((resolved, state), (comparison, other), (*bits, *is_signed));
                (is_direct && may_differ && self.is_independent(nodes, resolved, other, origin))
                    .then_some(origin)
            }
            // The other predicate may decide.
            Expression::And(two, 1) | Expression::Or(two, 1) => {
                let keeps = i128::from(matches!(value, Expression::And(..)));
                let (origin, other) = match (of(&two[0]), of(&two[1])) {
                    (Some(origin), None) => (origin, &two[1]),
                    (None, Some(origin)) => (origin, &two[0]),
                    (_, _) => return None,
                };
                (self.number(resolved, state, other)? == keeps).then_some(origin)
            }
            _ => None,
        }
    }

    /// Returns the value of an expression, if it is known.
    fn number(
        &self,
        resolved: &Resolved<'a>,
        state: &State,
        value: &Expression<'a>,
    ) -> Option<i128> {
        match self.setting.evaluator(resolved, state).value(value) {
            AbstractValue::Number(number) => number.value(),
            _ => None,
        }
    }

    /// Whether the comparison with an expression holds for some number of this width, and not for another.
    fn may_differ(
        &self,
        (resolved, state): (&Resolved<'a>, &State),
        (comparison, with): (Comparison, &Expression<'a>),
        (bits, is_signed): (u32, bool),
    ) -> bool {
        let span = match self.setting.evaluator(resolved, state).value(with) {
            AbstractValue::Number(number) => number.span(),
            _ => None,
        };
        let (first, last) = view(None, bits, is_signed);
        let (least, most) = view(span, bits, is_signed);
        match comparison {
            Comparison::Equal | Comparison::NotEqual => true,
            Comparison::Less | Comparison::GreaterOrEqual => least > first,
            Comparison::Greater | Comparison::LessOrEqual => most < last,
        }
    }

    /// Whether no register in an expression may be computed from an unwritten one.
    fn is_independent(
        &mut self,
        nodes: &[Node<'a>],
        resolved: &Resolved<'a>,
        value: &Expression<'a>,
        origin: Origin<'a>,
    ) -> bool {
        let mut registers = Vec::new();
        value.each_name(&mut |name| {
            if let Some(Referent::Register(register)) = resolved.find(name.text) {
                registers.push(register);
            }
        });
        !self.writers(nodes).depend(nodes, registers, origin.register)
    }
}

/// Calls `note` with the registers that an instruction uses for a purpose, and the purpose.
fn each_used<'a>(resolved: &Resolved<'a>, mut note: impl FnMut(Name<'a>, &'static str)) {
    let effects = &resolved.effects;
    if let Some(guard) = &effects.guard {
        note(guard.name, "the guard");
    }
    if let Action::Init(count) | Action::Expect(count) = &effects.action
        && let (Expression::Name(name), _) = &**count
    {
        note(*name, "the count of a barrier");
    }
    if let Action::Wait(Some(phase)) = &effects.action
        && let Expression::Name(name) = &**phase
    {
        note(*name, "the phase of a wait");
    }
    for (name, taken_for) in &effects.takes {
        note(*name, taken_for);
    }
    for operand in effects.memory.iter().filter(|operand| operand.bracket.is_some()) {
        note(operand.name, "an address");
    }
}
