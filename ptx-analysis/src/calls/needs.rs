//! The parameters that functions certainly use: in every call, they determine an address that is accessed, or a
//! value that is stored or returned.

use ptx_isa::sorted::{SortedMap, SortedSet};

use ptx_isa::Space;
use ptx_isa::instruction::{Computes, Control, Direction};
use ptx_isa::ir::body::{Instruction, Operand, OperandKind, Statement, StatementKind};
use ptx_isa::ir::{self, Function};

use crate::findings::symbols::Symbols;
use crate::flow::effects::Effects;
use crate::flow::expression::Expression;

/// The parameters that determine a register, as a bit set of the first ones, and whether something was
/// added: a value that is passed on unchanged may be unused.
#[derive(Clone, Copy, Default)]
struct Made {
    of: u64,
    is_sum: bool,
}

impl Made {
    /// Creates the value of a parameter.
    fn param(n: usize) -> Self {
        Self {
            of: u32::try_from(n).ok().and_then(|n| 1_u64.checked_shl(n)).unwrap_or(0),
            is_sum: false,
        }
    }

    /// Adds or subtracts; a value subtracted from itself is independent of it.
    fn plus(self, other: Self) -> Self {
        Self { of: self.of ^ other.of, is_sum: true }
    }
}

/// The registers computed from parameters.
struct Needs<'f, 'a> {
    function: &'f Function<'a>,
    values: SortedMap<&'a str, Made>,
    needed: u64,
}

/// Returns, for the functions with these bodies, by index, the parameters that they certainly use.
pub(crate) fn needed<'a>(
    symbols: &Symbols<'a>,
    bodies: &[(usize, ir::Body<'a>)],
) -> SortedMap<usize, SortedSet<usize>> {
    let functions = symbols.functions.values().flatten();
    let functions: SortedMap<usize, &Function<'a>> =
        functions.map(|symbol| (symbol.index, symbol.ir)).collect();
    let mut all = SortedMap::new();
    for (index, body) in bodies {
        if let Some(function) = functions.get(index).filter(|it| !it.params.is_empty()) {
            all.insert(*index, Needs::of(function).after(body.statements()));
        }
    }
    all
}

impl<'f, 'a> Needs<'f, 'a> {
    fn of(function: &'f Function<'a>) -> Self {
        let params = function.params.iter().enumerate();
        let registers = params.filter(|(_, param)| param.variable.space == Space::Reg);
        let made = |(n, param): (usize, &ir::Param<'a>)| (param.variable.name, Made::param(n));
        Self { function, values: registers.map(made).collect(), needed: 0 }
    }

    /// Returns what the statements that every call executes need: those before control may diverge.
    fn after(mut self, statements: impl Iterator<Item = Statement<'a>>) -> SortedSet<usize> {
        for (n, statement) in statements.enumerate() {
            match statement.kind() {
                StatementKind::Declaration | StatementKind::Directive => {}
                StatementKind::Instruction => {
                    let Some(instruction) = statement.instruction(&[]) else { break };
                    if !self.follow(&instruction, n) {
                        break;
                    }
                }
                StatementKind::Label
                | StatementKind::Open
                | StatementKind::Close
                | StatementKind::Verbatim => break,
            }
        }
        let is_needed = |n: &usize| self.needed & Made::param(*n).of != 0;
        (0..self.function.params.len()).filter(is_needed).collect()
    }

    /// Processes an instruction, and returns whether control continues with the next.
    fn follow(&mut self, instruction: &Instruction<'a>, n: usize) -> bool {
        let Some(row) = instruction.row else { return false };
        match row.control {
            Control::Next => {}
            Control::Returns if instruction.guard.is_none() => {
                for value in self.function.returns {
                    self.need_sum(value.variable.name);
                }
                return false;
            }
            Control::Jump
            | Control::JumpAnywhere
            | Control::Ends
            | Control::Returns
            | Control::Call => return false,
        }
        let effects = Effects::of(instruction, n);
        let made = match instruction.guard {
            None => {
                self.go_to_memory(&effects);
                self.made(row.computes, instruction)
            }
            Some(_) => None,
        };
        for name in &effects.writes {
            self.values.remove(name.text);
        }
        if let (Some(made), [name]) = (made, &*effects.writes) {
            self.values.insert(name.text, made);
        }
        true
    }

    /// Records the parameters that determine the address an instruction accesses, and the value it stores there.
    fn go_to_memory(&mut self, effects: &Effects<'a>) {
        for operand in effects.memory.iter().filter(|operand| operand.bracket.is_some()) {
            let is_access = matches!(
                operand.form.direction,
                Direction::Read | Direction::Write | Direction::ReadWrite
            );
            if !is_access || operand.form.may_be_nothing {
                continue;
            }
            if let Some(made) = self.values.get(operand.name.text) {
                self.needed |= made.of;
            }
            if let Some(Expression::Name(value)) = operand.written.as_deref() {
                self.need_sum(value.text);
            }
        }
    }

    fn need_sum(&mut self, name: &str) {
        if let Some(made) = self.values.get(name).filter(|made| made.is_sum) {
            self.needed |= made.of;
        }
    }

    /// Returns the origin of the value that an instruction writes to its only destination register.
    fn made(&self, computes: Computes, instruction: &Instruction<'a>) -> Option<Made> {
        let operands = instruction.operands.get(1..)?;
        let values = |operand: &Operand<'a>| match &operand.kind {
            OperandKind::Name(name) if name.element.is_empty() => {
                self.values.get(name.text).copied().unwrap_or_default()
            }
            _ => Made::default(),
        };
        // Other shifts may yield zero.
        let keeps = |by: &Operand<'a>| matches!(by.amount().known(), Some(1..32));
        match (computes, operands) {
            (Computes::Parameter, [from]) => self.parameter(instruction, from),
            (Computes::Copy | Computes::Conversion | Computes::Negation, [one]) => {
                Some(values(one))
            }
            (Computes::Sum | Computes::Difference | Computes::ExclusiveOr, [one, other]) => {
                Some(values(one).plus(values(other)))
            }
            (Computes::Product | Computes::ShiftLeft, [one, by]) if keeps(by) => Some(values(one)),
            (Computes::ProductAndSum, [one, by, added]) if keeps(by) => {
                Some(values(one).plus(values(added)))
            }
            (Computes::ProductAndSum, [one, by, added]) => {
                let of = values(added).of & !(values(one).of | values(by).of);
                Some(Made { of, is_sum: true })
            }
            (_, _) => None,
        }
    }

    /// Returns the parameter that an instruction loads in full.
    fn parameter(&self, instruction: &Instruction<'a>, from: &Operand<'a>) -> Option<Made> {
        let loaded = Expression::written(instruction);
        let Expression::Param(loaded) = loaded else { return None };
        let (name, offset, bytes) = *loaded;
        let is_it = |param: &ir::Param<'_>| {
            param.variable.name == name.text && param.variable.bytes() == Some(bytes)
        };
        let of = self.function.params.iter().position(is_it)?;
        let is_address = matches!(from.kind, OperandKind::Address(_));
        (is_address && offset.known() == Some(0)).then(|| Made::param(of))
    }
}

#[cfg(test)]
mod tests;
