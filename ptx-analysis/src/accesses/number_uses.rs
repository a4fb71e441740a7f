//! Checks for numbers that are the address of a parameter instead of its value.

use alloc::vec::Vec;

use ptx_isa::instruction::{Computes, Row};
use ptx_isa::ir::Type;
use ptx_isa::ir::body::{Instruction, Name, Operand, OperandKind};
use ptx_isa::rules::access::Object;
use ptx_isa::rules::register::{Holding, Taken};
use ptx_isa::rules::{self, AddressKind};
use ptx_isa::{ScalarType, Space};

use crate::domains::checker::InstructionChecker;
use crate::flow::expression::Expression;
use crate::flow::memory::MemoryOperand;
use crate::flow::node::{Referent, Resolved};
use crate::flow::place::Place;
use crate::flow::storage::Storage;
use crate::names::storage_names::takes_number;
use crate::values::claim;
use crate::values::evaluate::{Evaluator, address_of};
use crate::values::state::State;
use crate::values::value::AbstractValue;

/// Returns the storage of the scalar parameter whose address a value is.
fn parameter(value: &AbstractValue, storages: &[Storage<'_>]) -> Option<usize> {
    let (storage, kind) = match value {
        AbstractValue::Address(address) if !address.is_pointee => (address.storage, address.kind),
        // The lower half of an address whose state space is not known.
        AbstractValue::LowestBits(addresses) => match addresses.as_slice() {
            [address] if !address.is_pointee => (address.storage, address.kind),
            [..] => return None,
        },
        AbstractValue::Truncated(storage) => (*storage, AddressKind::Unsure),
        AbstractValue::Address(_)
        | AbstractValue::Number(_)
        | AbstractValue::Descriptor(..)
        | AbstractValue::Truth(_)
        | AbstractValue::Anything => return None,
    };
    let object = storages[storage].object();
    let is_own = match object {
        Object::EntryParam(_) => kind == AddressKind::Own,
        Object::Input(_) => matches!(kind, AddressKind::Own | AddressKind::Unsure),
        Object::Variable(_)
        | Object::Member(..)
        | Object::Return(_)
        | Object::LocalParam(_)
        | Object::Pointee(_)
        | Object::FieldPointee(..) => false,
    };
    (is_own && matches!(object.ty(), Type::Scalar(_))).then_some(storage)
}

/// An instruction, and what its operands hold.
#[derive(Clone, Copy)]
struct Uses<'u, 'a> {
    row: &'static Row,
    instruction: &'u Instruction<'a>,
    evaluator: Evaluator<'u, 'a>,
}

impl<'a> Uses<'_, 'a> {
    /// Returns the parameter whose address an operand is, and the name for it.
    fn address(self, operand: &Operand<'a>) -> Option<(Name<'a>, usize)> {
        let (OperandKind::Name(name) | OperandKind::Offset(name, ..)) = operand.kind else {
            return None;
        };
        let value = self.evaluator.value_of(name.text);
        let storage = parameter(&value, self.evaluator.storages)?;
        name.element.is_empty().then_some((name, storage))
    }

    fn value(self, n: usize) -> AbstractValue {
        let operand = self.instruction.operands.get(n);
        operand.map_or(AbstractValue::Anything, |it| self.evaluator.value(&Expression::of(it)))
    }

    /// The size of the instruction's last type in bytes.
    fn bytes(self) -> usize {
        let last = self.instruction.modifiers.last();
        last.and_then(|last| ScalarType::from_name(last.word)).map_or(0, ScalarType::bytes)
    }

    /// Returns the parameter whose address this operand takes as a number, and the name for it.
    fn taken(self, n: usize, operand: &Operand<'a>) -> Option<(Name<'a>, usize)> {
        // A result, if anything.
        if n == 0 && (self.row.has_result || self.row.is_of_memory) {
            return None;
        }
        let is_copy = self.row.computes == Computes::Copy;
        match &operand.kind {
            OperandKind::Vector(elements) => {
                let is_number = takes_number(self.row, self.instruction, n);
                elements.iter().enumerate().filter(|_| is_number).find_map(|(n, element)| {
                    let found = self.address(element)?;
                    (!is_copy || self.packs(elements, n)).then_some(found)
                })
            }
            _ => {
                let (name, storage) = self.address(operand)?;
                let is_number = if is_copy {
                    // Less than an address, which a register with such a part of one may carry on.
                    self.bytes() <= 2 && matches!(operand.kind, OperandKind::Name(_)) && {
                        matches!(
                            self.evaluator.resolved.find(name.text),
                            Some(Referent::Storage(_))
                        )
                    }
                } else {
                    takes_number(self.row, self.instruction, n) && self.is_number(n)
                };
                is_number.then_some((name, storage))
            }
        }
    }

    /// Whether a copy combines this element with others that make it a part of a number: not the lower half of an
    /// address.
    fn packs(self, elements: &[Operand<'a>], n: usize) -> bool {
        let is_zero = |element: &Operand<'a>| match self.evaluator.value(&Expression::of(element)) {
            AbstractValue::Number(number) => {
                number.span().is_none_or(|(least, most)| least <= 0 && most >= 0)
            }
            _ => true,
        };
        match self.bytes() / elements.len() {
            4 => n > 0 || !elements[1..].iter().all(is_zero),
            bytes => bytes < 4,
        }
    }

    /// Whether the address in this operand is taken as a number, and does not go on as an address.
    fn is_number(self, n: usize) -> bool {
        let mut types =
            self.instruction.modifiers.iter().filter_map(|it| ScalarType::from_name(it.word));
        let is_float = types.any(ScalarType::is_float);
        // Ends of addresses are compared with addresses.
        let is_compared = || {
            matches!(self.value(3 - n.min(3)), AbstractValue::Number(_) | AbstractValue::Truth(_))
        };
        match self.row.computes {
            Computes::Copy
            | Computes::ToGeneric
            | Computes::FromGeneric
            | Computes::IsInSpace
            | Computes::Remote => self.row.taken.is_none_or(|taken| taken.operand != n),
            // What a mask aligns is an address.
            Computes::And | Computes::Or | Computes::ExclusiveOr | Computes::Selection => false,
            Computes::Conversion => is_float,
            Computes::Sum => {
                let is_address = |n| parameter(&self.value(n), self.evaluator.storages).is_some();
                is_float || is_address(1) && is_address(2)
            }
            Computes::Difference => {
                let is_known = |value| matches!(value, AbstractValue::Number(number) if number.span().is_some());
                is_float || n == 2 && is_known(self.value(1))
            }
            Computes::ProductAndSum | Computes::Product24AndSum | Computes::SumOfDifference => {
                is_float || n != 3
            }
            Computes::SelectionBySign => n == 3,
            Computes::Comparison
            | Computes::SetByComparison
            | Computes::Minimum
            | Computes::Maximum => is_float || is_compared(),
            Computes::Other | Computes::Shuffle | Computes::Vote | Computes::Election => {
                match self.evaluator.resolved.effects.memory.first() {
                    // An argument of a call, or an address that is kept.
                    Some(operand) if operand.form.space == Some(Space::Param) => false,
                    Some(operand) if operand.form.space == Some(Space::Local) => self.bytes() < 8,
                    Some(_) | None => self.row.taken.is_none_or(|taken| taken.operand != n),
                }
            }
            Computes::Parameter
            | Computes::Product
            | Computes::HighProduct
            | Computes::Product24
            | Computes::Remainder
            | Computes::Quotient
            | Computes::ShiftLeft
            | Computes::ShiftRight
            | Computes::Not
            | Computes::Absolute
            | Computes::Negation
            | Computes::ExtractField
            | Computes::InsertField
            | Computes::Reversal
            | Computes::Population
            | Computes::LeadingZeros
            | Computes::FirstBit
            | Computes::IsZero
            | Computes::Table
            | Computes::Permutation
            | Computes::FunnelShift => true,
        }
    }
}

impl<'a> InstructionChecker<'_, '_, 'a> {
    /// Checks for numbers that are the address of a parameter instead of its value.
    pub(crate) fn addresses_as_numbers(&mut self, resolved: &Resolved<'a>, state: &State) {
        if !claim::conditions(&state.claims).is_empty() {
            return;
        }
        let storages = self.setting.storages;
        let effects = &resolved.effects;
        let is_named = |name: &str, storage: usize| {
            let is_it = |operand: &MemoryOperand<'_>| {
                operand.bracket.is_some() && operand.name.text == name
            };
            let address = address_of(storage, storages);
            parameter(&address, storages).is_some() && !effects.memory.iter().any(is_it)
        };
        let is_held = |register: usize| {
            state.get(register).is_some_and(|value| parameter(value, storages).is_some())
        };
        // Most instructions have no such address.
        let mut named = Vec::new();
        let mut is_any = false;
        for (name, referent) in resolved.names() {
            match referent {
                Referent::Register(register) => is_any |= is_held(register),
                Referent::Storage(storage) if is_named(name, storage) => named.push(storage),
                Referent::Storage(_) | Referent::Other => {}
            }
        }
        let statement = effects.statement;
        if self.has_finding(statement) {
            // That the name is not a number is said there.
            self.taken_as_numbers.extend(named);
            return;
        }
        if !is_any && named.is_empty() {
            return;
        }
        let Some(instruction) = self.instruction_in(statement) else { return };
        let Some(row) = instruction.row else { return };
        let evaluator = self.setting.evaluator(resolved, state);
        let uses = Uses { row, instruction: &instruction, evaluator };
        let operands = instruction.operands.iter().enumerate();
        let found = operands.filter_map(|(n, operand)| uses.taken(n, operand));
        let seen = &self.taken_as_numbers;
        if let Some((name, storage)) = { found }.find(|(_, storage)| !seen.contains(storage)) {
            self.taken_as_numbers.insert(storage);
            let holds = Holding::Parameter(storages[storage].object());
            let taken = Taken { name: name.text, taken_for: "a number", holds };
            let place = Place::new(statement, name.at());
            self.taken(rules::check_register(taken), place, resolved);
        }
    }

    /// Reads the instruction in a statement again; they are asked for in order.
    fn instruction_in(&mut self, statement: usize) -> Option<Instruction<'a>> {
        let (statements, next) = &mut self.statements;
        let skipped = statement.checked_sub(*next)?;
        *next = statement + 1;
        statements.nth(skipped)?.instruction(self.unit.constants.values)
    }
}
