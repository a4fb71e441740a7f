//! What registers hold that instructions take for addresses and guards.

use alloc::vec::Vec;

use ptx_types::Space;
use ptx_types::instruction::{Direction, Role};
use ptx_types::ir::body::Name;
use ptx_types::rules::register::{Holding, NamedBlock, Taken};
use ptx_types::rules::{self, Violation};

use crate::claim;
use crate::expression::Expression;
use crate::judge::Judge;
use crate::memory::MemoryOperand;
use crate::node::{Referent, Resolved};
use crate::place::Place;
use crate::state::State;
use crate::value::AbstractValue;

impl<'a> Judge<'_, '_, 'a> {
    /// Judges the registers of an instruction by what they hold before it.
    pub(crate) fn registers(&mut self, resolved: &Resolved<'a>, state: &State) {
        let effects = &resolved.effects;
        let statement = effects.statement;
        if let Some(guard) = &effects.guard {
            self.written(resolved, (statement, guard.name), "the guard", state);
        }
        for operand in &effects.memory {
            if operand.bracket.is_none() {
                continue;
            }
            self.written(resolved, (statement, operand.name), "an address", state);
            if let Some(holds) = self.held_as_address(operand, resolved, state) {
                let taken = Taken { name: operand.name.text, taken_for: "an address", holds };
                self.taken(rules::check_register(taken), operand.place, resolved);
            }
        }
        if let Expression::Remote(two) = &effects.value
            && let Some(blocks) = self.unit.cluster
            && let AbstractValue::Number(rank) =
                self.setting.evaluator(resolved, state).value(&two[1])
            && let Some(rank) = rank.value()
            && claim::conditions(&state.claims).is_empty()
        {
            let found = rules::check_named_block(NamedBlock { rank, blocks: blocks.into() });
            let place = match (&two[1], effects.memory.first()) {
                (Expression::Name(name), _) => Place::new(statement, name.at()),
                (_, Some(operand)) => operand.place,
                (_, None) => Place::new(statement, ptx_types::ir::body::TokenRange::one(0)),
            };
            self.taken(found, place, resolved);
        }
    }

    fn taken(&mut self, found: Vec<Violation<'a>>, place: Place, resolved: &Resolved<'a>) {
        for violation in found {
            self.report.report(violation, place, &resolved.allowed);
        }
    }

    /// A register that no instruction on any path to here writes; once for each.
    fn written(
        &mut self,
        resolved: &Resolved<'a>,
        (statement, name): (usize, Name<'a>),
        taken_for: &'static str,
        state: &State,
    ) {
        let Some(Referent::Register(register)) = resolved.find(name.text) else { return };
        // One error for one statement: what is wrong with the instruction comes first.
        if self.report.findings.iter().any(|finding| finding.place.statement == statement) {
            return;
        }
        if state.get(register).is_some() || !self.unwritten.insert(register) {
            return;
        }
        let taken = Taken { name: name.text, taken_for, holds: Holding::Nothing };
        let place = Place::new(statement, name.whole_at());
        self.taken(rules::check_register(taken), place, resolved);
    }

    /// What a register holds that is no address, where an instruction takes it for one of global memory or a
    /// generic one.
    fn held_as_address(
        &self,
        operand: &MemoryOperand<'a>,
        resolved: &Resolved<'a>,
        state: &State,
    ) -> Option<Holding<'a>> {
        let form = operand.form;
        let is_wide = matches!(form.space, None | Some(Space::Global)) && form.role == Role::Data;
        let goes_there =
            matches!(form.direction, Direction::Read | Direction::Write | Direction::ReadWrite);
        if !is_wide || !goes_there || !claim::conditions(&state.claims).is_empty() {
            return None;
        }
        let Some(Referent::Register(_)) = resolved.find(operand.name.text) else { return None };
        let evaluator = self.setting.evaluator(resolved, state);
        match evaluator.held(operand.name.text) {
            AbstractValue::Number(number) => {
                let number = number.plus(&evaluator.amount(operand.offset));
                number.value().map(Holding::Number)
            }
            AbstractValue::LowestBits(addresses) => match addresses.as_slice() {
                [address] => {
                    let storage = &self.setting.storages[address.storage];
                    Some(Holding::Truncated(storage.object().name()))
                }
                [..] => None,
            },
            AbstractValue::Address(_)
            | AbstractValue::Descriptor(..)
            | AbstractValue::Truth(_)
            | AbstractValue::Anything => None,
        }
    }
}
