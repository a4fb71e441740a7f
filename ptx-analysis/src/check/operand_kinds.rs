//! Checks the kinds of an instruction's operands: addresses, vectors, `_`, negations and pairs.

use ptx_isa::instruction::{
    AccessSize, Computes, Control, InstructionTypes, OperandType, Role, Row, spaces,
};
use ptx_isa::ir::Type;
use ptx_isa::ir::body::{Amount, Immediate, Instruction, Name, Operand, OperandKind, TokenRange};
use ptx_isa::rules::form::Form;
use ptx_isa::rules::operand_kind::WrongKind;
use ptx_isa::{ScalarType, Space, special};

use crate::check::form;
use crate::check::operand_types::Listed;
use crate::flow::place::Place;
use crate::names::resolver::Resolver;

/// An operand of the wrong kind.
type WrongKindAt<'a> = (TokenRange, WrongKind<'a>);

/// Reports the first operand of a kind that the instruction does not take; returns whether there is one.
pub(crate) fn check_operand_kinds<'a>(
    resolver: &mut Resolver<'_, 'a, '_>,
    statement: usize,
    instruction: &Instruction<'a>,
) -> bool {
    let Some(row) = instruction.row.filter(|row| row.control == Control::Next) else {
        return false;
    };
    // What an unknown modifier means for the operands is unknown, too.
    if !form::knows_modifiers(instruction) {
        return false;
    }
    let around = Around {
        resolver,
        instruction,
        row,
        listed: Listed::of(row, instruction),
        types: InstructionTypes::of(&instruction.pairs()),
        lanes: form::lanes(instruction),
    };
    let mut operands = instruction.operands.iter().enumerate();
    let found = operands.find_map(|(n, operand)| around.wrong(n, operand));
    let Some((at, wrong)) = found.or_else(|| bytes(instruction, row)) else { return false };
    resolver.check_form(Form::OperandKind(row.opcode, wrong), Place::new(statement, at));
    true
}

/// An instruction, and what is known about it.
struct Around<'r, 'c, 'a, 'p> {
    resolver: &'r Resolver<'c, 'a, 'p>,
    instruction: &'r Instruction<'a>,
    row: &'static Row,
    listed: Listed,
    types: InstructionTypes,
    /// The number of elements among the modifiers.
    lanes: Option<usize>,
}

impl<'a> Around<'_, '_, 'a, '_> {
    /// Returns what is wrong with an operand, by its index.
    fn wrong(&self, n: usize, operand: &Operand<'a>) -> Option<WrongKindAt<'a>> {
        // Where an operand is missing, another one stands in the place of the cache policy.
        if self.listed.is_policy(n) {
            let is_sink = operand.name().is_some_and(|name| name.text == "_");
            return is_sink.then_some((operand.at?, WrongKind::ReadSink));
        }
        let ty = self.listed.nth(n);
        let at = operand.at?;
        let is_address = ty.is_address();
        let wrong = match &operand.kind {
            OperandKind::Name(name) if name.text == "_" => self.sink(n, ty)?,
            OperandKind::Address(inner) => match is_address {
                Some(false) if self.listed.is_result(self.row, n) => WrongKind::ResultInBrackets,
                Some(false) => WrongKind::InBrackets,
                Some(true) if self.is_absolute(inner) => WrongKind::Absolute,
                Some(true) | None => return None,
            },
            OperandKind::Name(name) if is_address == Some(true) => {
                self.without_brackets(n, Some(name.text))
            }
            OperandKind::Immediate(_) if is_address == Some(true) && !self.is_local() => {
                WrongKind::Absolute
            }
            OperandKind::Offset(..) | OperandKind::Immediate(_) | OperandKind::Vector(_)
                if is_address == Some(true) =>
            {
                self.without_brackets(n, None)
            }
            OperandKind::Vector(elements) => {
                if let Some(at) = elements.iter().find_map(|element| self.read_sink(n, element)) {
                    return Some((at, WrongKind::ReadSink));
                }
                self.elements(n, Some(elements.len()), None)?
            }
            OperandKind::Name(name) if self.is_special(n, *name) => WrongKind::Special,
            OperandKind::Name(name) => self.elements_of_name(n, *name)?,
            OperandKind::Immediate(_) => self.elements(n, None, None)?,
            OperandKind::Pair(..) if n == 0 && !self.row.gives_predicate => {
                WrongKind::WithPredicate
            }
            OperandKind::Not(_) if n == 0 && self.row.has_result => WrongKind::Negated,
            OperandKind::Not(_) => {
                let wanted = ty.wanted(&self.types, 0)?;
                (wanted.ty != ScalarType::Pred).then_some(WrongKind::Negated)?
            }
            OperandKind::Offset(..)
            | OperandKind::Element(..)
            | OperandKind::Pair(..)
            | OperandKind::Arguments(_)
            | OperandKind::Other(_) => return None,
        };
        Some((at, wrong))
    }

    /// Whether a name is that of a special register that the instruction would have to read.
    fn is_special(&self, n: usize, name: Name<'a>) -> bool {
        let reads = match self.row.computes {
            Computes::Copy => true,
            Computes::Conversion => self.types.are_two_integers() && !self.instruction.has("pack"),
            _ => false,
        };
        !self.listed.is_result(self.row, n)
            && !reads
            && special::is_special(name.text)
            && self.resolver.scopes.find(name.text).is_none()
    }

    /// Whether the operand with this index is an address in brackets.
    fn is_address(&self, n: usize) -> bool {
        self.listed.nth(n).is_address() == Some(true)
    }

    /// What is wrong with something without brackets in place of an address.
    fn without_brackets(&self, n: usize, name: Option<&'a str>) -> WrongKind<'a> {
        let after = &self.instruction.operands[n + 1..];
        let is_address = |it: &Operand<'_>| matches!(it.kind, OperandKind::Address(_));
        if n == 0 && !self.is_address(1) && after.iter().any(is_address) {
            return WrongKind::BeforeAddress;
        }
        WrongKind::NoBrackets(name)
    }

    /// Whether an address is a number, which only local memory has.
    fn is_absolute(&self, inner: &[Operand<'a>]) -> bool {
        let is_number = match inner.first().map(|operand| &operand.kind) {
            Some(OperandKind::Immediate(Immediate::Integer(_) | Immediate::Expression(_))) => true,
            Some(OperandKind::Name(name) | OperandKind::Offset(name, ..)) => name.text == "WARP_SZ",
            _ => false,
        };
        let is_elsewhere = |role| matches!(role, Role::TensorMemory);
        is_number
            && !self.row.addresses.iter().any(|address| is_elsewhere(address.role))
            && !self.is_local()
    }

    /// Whether it accesses local memory.
    fn is_local(&self) -> bool {
        spaces(&self.instruction.pairs()).any(|space| space == Space::Local)
    }

    /// What is wrong with `_` in place of an operand.
    fn sink(&self, n: usize, ty: OperandType) -> Option<WrongKind<'a>> {
        if n > 0 {
            return Some(WrongKind::ReadSink);
        }
        if self.row.can_discard {
            return None;
        }
        let is_result = !ty.is_address()? && self.listed.is_result(self.row, n);
        Some(if is_result { WrongKind::KeptSink } else { WrongKind::ReadSink })
    }

    /// Returns the place of an element of a vector that is `_`, and is read.
    fn read_sink(&self, n: usize, element: &Operand<'a>) -> Option<TokenRange> {
        let is_sink = element.name().is_some_and(|name| name.text == "_");
        // Stores of 32 bytes leave out such elements.
        let is_wide = self.instruction.opcode == "st"
            && (self.lanes == Some(8) || self.lanes == Some(4) && self.types.has_size(8));
        // ptxas lets `mov.v4` leave out what it does not write.
        let is_copied = matches!(self.row.computes, Computes::Copy) && self.lanes.is_some();
        (n > 0 && is_sink && !is_wide && !is_copied).then_some(element.at?)
    }

    /// What is wrong with a name in place of a value.
    fn elements_of_name(&self, n: usize, name: Name<'a>) -> Option<WrongKind<'a>> {
        if !name.element.is_empty() {
            return self.elements(n, None, Some(name.text));
        }
        let Some(register) = self.resolver.declared_register(name) else {
            let is_vector =
                special::special_register(name.text).is_some_and(|register| register.is_vector);
            let is_special = is_vector && self.resolver.scopes.find(name.text).is_none();
            let is_wrong = is_special && self.lanes.is_none() && !self.is_address(n);
            return is_wrong.then_some(WrongKind::Vector(Some(name.text)));
        };
        match register.ty.element() {
            Type::Scalar(_) => self.elements(n, None, Some(name.text)),
            Type::Vector(lanes, _) => self.elements(n, Some(*lanes as usize), Some(name.text)),
            _ => None,
        }
    }

    /// What is wrong with a value of this many elements, or with a scalar.
    fn elements(
        &self,
        n: usize,
        given: Option<usize>,
        name: Option<&'a str>,
    ) -> Option<WrongKind<'a>> {
        let ty = self.listed.nth(n);
        if given.is_none() && matches!(ty, OperandType::Fragment(_) | OperandType::Registers(_)) {
            return Some(WrongKind::NoBraces(name?));
        }
        if self.row.has_lanes {
            let is_texture = self.row.addresses.iter().any(|it| it.role == Role::Texture);
            let wanted = match self.lanes {
                Some(lanes) => lanes,
                None if is_texture => return None,
                None => 1,
            };
            // A cache policy has a type of its own.
            if ty.is_address() != Some(false) || matches!(ty, OperandType::Is(_)) {
                return None;
            }
            if wanted != given.unwrap_or(1) {
                return Some(WrongKind::Elements { wanted, given, name });
            }
            // Loads and stores take one register in braces.
            let takes_none = self.lanes.is_none() && matches!(self.row.opcode, "atom" | "red");
            return (takes_none && given.is_some()).then_some(WrongKind::Vector(name));
        }
        // ptxas takes vectors for numbers after the addresses of some instructions.
        let is_strict = !self.row.is_of_memory
            || !matches!(ty, OperandType::Relaxed(_)) && !self.listed.has_address_before(n);
        let is_scalar =
            is_strict && ty.is_scalar() && self.lanes.is_none() && !self.types.has_alternate();
        (is_scalar && given.is_some()).then_some(WrongKind::Vector(name))
    }
}

/// Returns a number of bytes that an asynchronous copy by one thread cannot have (PTX ISA 9.7.9.25.3.1).
fn bytes<'a>(instruction: &Instruction<'a>, row: &Row) -> Option<WrongKindAt<'a>> {
    let n = row.addresses.iter().find_map(|address| match address.size {
        AccessSize::CountedAligned(n) => Some(n),
        _ => None,
    })?;
    let operand = instruction.operands.get(n)?;
    let Amount::Known(bytes) = operand.amount() else { return None };
    // Without L1, whole sectors are copied.
    let bypasses = instruction.has("cg");
    let sizes: &[i128] = if bypasses { &[16] } else { &[4, 8, 16] };
    (!sizes.contains(&bytes)).then_some((operand.at?, WrongKind::Bytes(bytes, bypasses)))
}
