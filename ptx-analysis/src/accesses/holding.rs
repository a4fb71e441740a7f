//! Checks the contents of registers that instructions use as addresses and guards.

use alloc::vec::Vec;

use ptx_isa::Space;
use ptx_isa::instruction::{Direction, Role};
use ptx_isa::ir::body::TokenRange;
use ptx_isa::rules::register::{Holding, NamedBlock, Taken};
use ptx_isa::rules::{self, Reached, Violation};

use crate::domains::checker::InstructionChecker;
use crate::flow::expression::Expression;
use crate::flow::memory::MemoryOperand;
use crate::flow::node::{Referent, Resolved};
use crate::flow::place::Place;
use crate::values::claim;
use crate::values::state::State;
use crate::values::value::AbstractValue;

impl<'a> InstructionChecker<'_, '_, 'a> {
    /// Checks the registers of an instruction by their contents before it.
    pub(crate) fn registers(&mut self, at: usize, resolved: &Resolved<'a>, state: &State) {
        let effects = &resolved.effects;
        for operand in &effects.memory {
            if let Some(holds) = self.held_as_address(operand, resolved, state) {
                let taken = Taken { name: operand.name.text, taken_for: "an address", holds };
                self.taken(rules::check_register(taken), operand.place, resolved);
            }
        }
        self.addresses_as_numbers(resolved, state);
        if let Expression::Remote(two) = &effects.value
            && let AbstractValue::Number(rank) =
                self.setting.evaluator(resolved, state).value(&two[1])
            && claim::conditions(&state.claims).is_empty()
        {
            match rank.value() {
                Some(rank) => {
                    self.named_block(resolved, rank, None);
                }
                None => {
                    self.several.insert((at, effects.memory.len()));
                }
            }
        }
    }

    /// Checks the block rank that an instruction names, and returns whether it is rejected.
    pub(crate) fn named_block(
        &mut self,
        resolved: &Resolved<'a>,
        rank: i128,
        reached: Option<Reached<'a>>,
    ) -> bool {
        let (effects, Some((blocks, _))) = (&resolved.effects, self.unit.cluster) else {
            return false;
        };
        let Expression::Remote(two) = &effects.value else { return false };
        let place = match (&two[1], effects.memory.first()) {
            (Expression::Name(name), _) => Place::new(effects.statement, name.at()),
            (_, Some(operand)) => operand.place,
            (_, None) => Place::new(effects.statement, TokenRange::one(0)),
        };
        let found = rules::check_named_block(NamedBlock { rank, blocks: blocks.into() });
        self.first(found, (place, place), resolved, reached)
    }

    /// Checks an operand that accesses this block's shared memory through an address in another block's, and
    /// returns whether it is rejected.
    pub(crate) fn other_block(
        &mut self,
        resolved: &Resolved<'a>,
        n: usize,
        storage: usize,
        reached: Reached<'a>,
    ) -> bool {
        let operand = &resolved.effects.memory[n];
        let of = self.setting.storages[storage].object();
        let holds = Holding::OtherBlock(of);
        let taken = Taken { name: operand.name.text, taken_for: "an address", holds };
        let place = (operand.place, operand.place);
        self.has_finding(resolved.effects.statement)
            || self.first(rules::check_register(taken), place, resolved, Some(reached))
    }

    /// Whether a statement already has a finding: one error per statement is enough, and errors in the
    /// instruction itself come first.
    pub(crate) fn has_finding(&self, statement: usize) -> bool {
        self.report.has_finding(statement)
    }

    pub(crate) fn taken(
        &mut self,
        found: Vec<Violation<'a>>,
        place: Place,
        resolved: &Resolved<'a>,
    ) {
        if self.has_finding(place.statement) {
            return;
        }
        for violation in found {
            self.report.report(&violation, place, &resolved.allowed);
        }
    }

    /// Returns what a register holds instead of an address, if an instruction uses it as a global or a generic
    /// address.
    fn held_as_address(
        &self,
        operand: &MemoryOperand<'a>,
        resolved: &Resolved<'a>,
        state: &State,
    ) -> Option<Holding<'a>> {
        let form = operand.form;
        let is_wide = matches!(form.space, None | Some(Space::Global)) && form.role == Role::Data;
        let is_accessed =
            matches!(form.direction, Direction::Read | Direction::Write | Direction::ReadWrite);
        if !is_wide
            || !is_accessed
            || form.may_be_nothing
            || !claim::conditions(&state.claims).is_empty()
        {
            return None;
        }
        let Some(Referent::Register(_)) = resolved.find(operand.name.text) else { return None };
        let evaluator = self.setting.evaluator(resolved, state);
        let truncated = |storage: usize| {
            let storage = &self.setting.storages[storage];
            let is_address = storage.choices[0].param.is_none_or(|param| param.pointer.is_some());
            is_address.then(|| Holding::Truncated(storage.object()))
        };
        match evaluator.value_of(operand.name.text) {
            AbstractValue::Number(number) => {
                let number = number.plus(&evaluator.amount(operand.offset));
                let (least, most) = number.span()?;
                Some(Holding::Number(least, most))
            }
            AbstractValue::LowestBits(addresses) => match addresses.as_slice() {
                [address] => truncated(address.storage),
                [..] => None,
            },
            AbstractValue::Truncated(storage) => truncated(storage),
            AbstractValue::Address(_)
            | AbstractValue::Descriptor(..)
            | AbstractValue::Truth(_)
            | AbstractValue::Anything => None,
        }
    }
}
