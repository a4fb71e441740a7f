//! The effect of an instruction on the formats in registers, and the formats that it expects.

use alloc::vec;
use alloc::vec::Vec;

use ptx_isa::instruction::{AccessSize, Computes, Direction, Formats, Row};
use ptx_isa::ir::body::{Amount, Immediate, Instruction, Name, Operand, OperandKind};
use ptx_isa::rules::format::{ByteFormat, NumberRole};
use ptx_isa::{Class, NumberFormat, PackedNumbers, ScalarType, special};

use super::contents::{Byte, Source};
use crate::flow::node::{Referent, Resolved};

/// The size of a fragment's register in bytes, unless its numbers are larger.
const FRAGMENT_BYTES: usize = 4;

/// Storage that an instruction accesses, whose declaration specifies its contents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Declared {
    pub(super) source: Source,
    pub(super) format: NumberFormat,
    /// The index of the first byte within a number.
    pub(super) first: usize,
}

impl Declared {
    /// Returns the byte at this distance from the first.
    pub(super) fn byte(self, n: usize) -> Byte {
        let part = u8::try_from((self.first + n) % self.format.bytes()).unwrap_or_default();
        Byte { format: ByteFormat::Of(self.format, part), source: Some(self.source) }
    }
}

/// A sequence of bytes that is written.
#[derive(Clone, Debug)]
pub(super) enum Part {
    /// Bytes of a register: the register, the first byte, and the number of bytes.
    Register(usize, usize, usize),
    /// Bytes with known formats.
    Bytes(Vec<Byte>),
    /// This many bytes of an integer, which is not meant as the bits of a floating-point number.
    Integer(usize),
}

impl Part {
    fn unknown(bytes: usize) -> Self {
        Self::Bytes(vec![Byte::UNKNOWN; bytes])
    }

    fn zero(bytes: usize) -> Self {
        Self::Bytes(vec![Byte::ZERO; bytes])
    }

    /// Returns numbers of one format.
    fn numbers(of: PackedNumbers) -> Self {
        let size = of.format.bytes();
        let byte = |n: usize| {
            let part = u8::try_from(n % size).unwrap_or_default();
            let format = ByteFormat::Of(of.format, part);
            Byte { format, source: None }
        };
        Self::Bytes((0..of.bytes).map(byte).collect())
    }
}

/// A register that an instruction interprets as numbers.
#[derive(Clone, Debug)]
pub(super) struct UsedRegister<'a> {
    pub(super) register: usize,
    pub(super) name: Name<'a>,
    /// The index of the operand that it is, or is part of.
    pub(super) operand: usize,
    pub(super) numbers: PackedNumbers,
    pub(super) role: NumberRole,
}

/// The effect of an instruction on formats.
#[derive(Clone, Debug, Default)]
pub(super) struct Step<'a> {
    /// The destination registers with their sizes in bytes, in order; bytes for `None` are dropped.
    pub(super) to: Vec<(Option<usize>, usize)>,
    /// The values that it may write there; the result is unknown if there are none.
    pub(super) from: Vec<Vec<Part>>,
    /// The bits that it stores, and the format that is declared there.
    pub(super) stored: Option<(Option<Declared>, Vec<Part>)>,
    /// The numbers that it adds to memory, or compares with it.
    pub(super) updates: Option<Part>,
    pub(super) taken: Vec<UsedRegister<'a>>,
}

/// Returns the trailing types of an instruction, as far as they are numbers of a format.
fn numbers(instruction: &Instruction<'_>, from_last: usize) -> Option<PackedNumbers> {
    let modifier = instruction.modifiers.iter().rev().nth(from_last)?;
    if modifier.is_sub { None } else { PackedNumbers::from_name(modifier.word) }
}

/// Derives the effect of an instruction.
struct Reader<'i, 'a> {
    instruction: &'i Instruction<'a>,
    resolved: &'i Resolved<'a>,
    row: &'static Row,
}

impl<'a> Step<'a> {
    /// Creates a step that stores unknown bits.
    fn storing_anything(declared: Declared) -> Self {
        Self { stored: Some((Some(declared), vec![Part::unknown(1)])), ..Self::default() }
    }

    /// Whether its only effect is to make its results unknown.
    pub(super) fn is_nothing(&self) -> bool {
        self.to.is_empty()
            && self.stored.is_none()
            && self.updates.is_none()
            && self.taken.is_empty()
    }

    /// Derives the effect of an instruction whose first memory operand accesses storage declared this way.
    pub(super) fn of(
        instruction: &Instruction<'a>,
        resolved: &Resolved<'a>,
        declared: Option<Declared>,
    ) -> Self {
        let Some(row) = instruction.row else { return Self::default() };
        let reader = Reader { instruction, resolved, row };
        match row.formats {
            Formats::Bits => match row.addresses.first() {
                None => reader.carried(),
                Some(address) => match (address.direction, address.size) {
                    (Direction::Read, AccessSize::Typed) if row.has_result => {
                        reader.loaded(declared)
                    }
                    (Direction::Read, AccessSize::MatrixRow) => reader.matrix_rows(declared),
                    (Direction::Write, _) => reader.stored(declared),
                    (_, _) => None,
                },
            },
            Formats::Arithmetic => reader.arithmetic(),
            Formats::Conversion => reader.converted(),
            Formats::Fragments => reader.fragments(),
            Formats::Matrices => Some(reader.matrices()),
            Formats::Reduction => reader.reduced(declared),
        }
        .unwrap_or_default()
    }
}

impl<'a> Reader<'_, 'a> {
    fn has(&self, word: &str) -> bool {
        self.instruction.has(word)
    }

    fn operand(&self, n: usize) -> Option<&Operand<'a>> {
        self.instruction.operands.get(n)
    }

    /// Returns the last scalar type of an instruction, or the one this many places before it.
    fn scalar(&self, from_last: usize) -> Option<ScalarType> {
        let modifier = self.instruction.modifiers.iter().rev().nth(from_last)?;
        if modifier.is_sub { None } else { ScalarType::from_name(modifier.word) }
    }

    /// Returns the register that an operand is.
    fn register(&self, operand: &Operand<'a>) -> Option<(usize, Name<'a>)> {
        let OperandKind::Name(name) = operand.kind else { return None };
        match self.resolved.find(name.text) {
            Some(Referent::Register(register)) if name.element.is_empty() => Some((register, name)),
            Some(_) | None => None,
        }
    }

    /// Returns the members of a group, or the operand itself.
    fn inside<'o>(operand: &'o Operand<'a>) -> &'o [Operand<'a>] {
        match &operand.kind {
            OperandKind::Vector(inner) => inner,
            _ => core::slice::from_ref(operand),
        }
    }

    /// Returns the registers in the first operand, each with this size in bytes; `None` for other members.
    fn results(&self, bytes: usize) -> Vec<(Option<usize>, usize)> {
        let register = |of: &Operand<'a>| (self.register(of).map(|(register, _)| register), bytes);
        self.operand(0).map(Self::inside).unwrap_or_default().iter().map(register).collect()
    }

    /// Returns this many bytes of an operand, from `first` on.
    fn part(&self, operand: &Operand<'a>, first: usize, bytes: usize) -> Part {
        match (self.register(operand), &operand.kind) {
            (Some((register, _)), _) => Part::Register(register, first, bytes),
            (None, OperandKind::Immediate(Immediate::Integer(0))) => Part::zero(bytes),
            (None, OperandKind::Immediate(Immediate::Integer(value))) if is_small(*value) => {
                Part::Integer(bytes)
            }
            (None, OperandKind::Name(name)) if special::is_special(name.text) => {
                Part::Integer(bytes)
            }
            (None, _) => Part::unknown(bytes),
        }
    }

    /// Returns a literal number.
    fn number(&self, n: usize) -> Option<usize> {
        match self.operand(n)?.amount() {
            Amount::Known(value) => usize::try_from(value).ok(),
            _ => None,
        }
    }

    /// Returns the registers that are interpreted as these numbers.
    fn taken(
        &self,
        operand: usize,
        numbers: PackedNumbers,
        role: NumberRole,
    ) -> Vec<UsedRegister<'a>> {
        let Some(is) = self.operand(operand) else { return Vec::new() };
        let register = |of: &Operand<'a>| {
            let (register, name) = self.register(of)?;
            Some(UsedRegister { register, name, operand, numbers, role })
        };
        Self::inside(is).iter().filter_map(register).collect()
    }

    /// Handles instructions that move bits unchanged.
    fn carried(&self) -> Option<Step<'a>> {
        let scalar = self.scalar(0)?;
        let bytes = scalar.bytes();
        let is_whole = |bits: usize| bits.is_multiple_of(8) && bits / 8 <= bytes;
        let of = |n| self.operand(n).map(|operand| self.part(operand, 0, bytes));
        let is_float = PackedNumbers::from_name(scalar.name()).is_some();
        let from = match self.row.computes {
            Computes::Copy => {
                let parts = Self::inside(self.operand(1)?);
                // Empty braces contain nothing.
                let each = bytes.checked_div(parts.len())?;
                let results = Self::inside(self.operand(0)?).len();
                let to = self.results(bytes.checked_div(results)?);
                let part = |operand| self.part(operand, 0, each);
                return Some(Step {
                    to,
                    from: vec![parts.iter().map(part).collect()],
                    ..Step::default()
                });
            }
            Computes::Selection => vec![vec![of(1)?], vec![of(2)?]],
            Computes::Minimum | Computes::Maximum => {
                let operands = self.instruction.operands.iter().skip(1);
                // A literal has this type.
                let registers = operands.filter(|operand| {
                    !is_float || !matches!(operand.kind, OperandKind::Immediate(_))
                });
                registers.map(|operand| vec![self.part(operand, 0, bytes)]).collect()
            }
            Computes::Absolute | Computes::Negation if is_float => vec![vec![of(1)?]],
            Computes::ShiftLeft => {
                let bits = self.number(2).filter(|bits| is_whole(*bits))?;
                let kept = self.part(self.operand(1)?, 0, bytes);
                vec![vec![Part::zero(bits / 8), kept]]
            }
            Computes::ShiftRight if !scalar.is_signed() => {
                let bits = self.number(2).filter(|bits| is_whole(*bits))?;
                let kept = self.part(self.operand(1)?, bits / 8, bytes - bits / 8);
                vec![vec![kept, Part::zero(bits / 8)]]
            }
            // The other modes, which follow the type, select differently.
            Computes::Permutation => {
                let selector = self.number(3)?;
                let byte = |n: usize| {
                    let chosen = selector >> (4 * n) & 15;
                    Some(match chosen / 4 {
                        n @ (0 | 1) => self.part(self.operand(1 + n)?, chosen % 4, 1),
                        // The upper ones replicate signs.
                        _ => Part::unknown(1),
                    })
                };
                vec![(0..bytes).map(byte).collect::<Option<_>>()?]
            }
            _ => return None,
        };
        Some(Step { to: self.results(bytes), from, ..Step::default() })
    }

    /// Handles loads.
    fn loaded(&self, declared: Option<Declared>) -> Option<Step<'a>> {
        Some(self.loads(declared?, self.scalar(0)?.bytes()))
    }

    /// Creates a load of this many bytes into each register.
    fn loads(&self, declared: Declared, bytes: usize) -> Step<'a> {
        let to = self.results(bytes);
        let all = (0..bytes * to.len()).map(|n| declared.byte(n)).collect();
        Step { to, from: vec![vec![Part::Bytes(all)]], ..Step::default() }
    }

    /// Handles loads of matrix rows, which are distributed among the threads.
    fn matrix_rows(&self, declared: Option<Declared>) -> Option<Step<'a>> {
        let declared = declared?;
        // If they are transposed, elements of several rows are combined.
        let unit = match (self.scalar(0)?, self.has("trans")) {
            (ScalarType::B16, false) => ScalarType::B32,
            (unit @ (ScalarType::B8 | ScalarType::B16), true) => unit,
            (_, _) => return None,
        };
        let is_whole = declared.first == 0 && declared.format.bytes() <= unit.bytes();
        is_whole.then(|| self.loads(declared, FRAGMENT_BYTES))
    }

    /// Handles stores.
    fn stored(&self, declared: Option<Declared>) -> Option<Step<'a>> {
        let (value, bytes) = match self.row.addresses.first()?.size {
            AccessSize::MatrixRow => (self.operand(1)?, FRAGMENT_BYTES),
            AccessSize::Fragment(_) => {
                let declared = declared?;
                let is_same = numbers(self.instruction, 0)
                    .is_some_and(|numbers| numbers.format == declared.format);
                return (!is_same).then(|| Step::storing_anything(declared));
            }
            AccessSize::Typed => (self.operand(1)?, self.scalar(0)?.bytes()),
            _ => return None,
        };
        let part = |operand| self.part(operand, 0, bytes);
        let parts = Self::inside(value).iter().map(part).collect();
        Some(Step { stored: Some((declared, parts)), ..Step::default() })
    }

    /// Handles arithmetic.
    fn arithmetic(&self) -> Option<Step<'a>> {
        let Some(of) = numbers(self.instruction, 0) else { return self.integers() };
        let result = numbers(self.instruction, 1);
        let count = self.instruction.operands.len();
        let mut taken = Vec::new();
        for n in 1..count {
            let of = if n + 1 == count { result.unwrap_or(of) } else { of };
            taken.extend(self.taken(n, of, NumberRole::Operand));
        }
        Some(self.gives(result.unwrap_or(of), taken))
    }

    /// Handles arithmetic, conversions and counts whose result is an integer.
    fn integers(&self) -> Option<Step<'a>> {
        let n = usize::from(self.row.formats == Formats::Conversion);
        let scalar = self.scalar(n).filter(|scalar| is_integer(*scalar))?;
        let to = self.results(scalar.bytes());
        let from = vec![vec![Part::Integer(scalar.bytes()); to.len()]];
        Some(Step { to, from, ..Step::default() })
    }

    /// Creates a step whose first operand receives these numbers.
    fn gives(&self, result: PackedNumbers, taken: Vec<UsedRegister<'a>>) -> Step<'a> {
        let to = self.results(result.bytes);
        let numbers = vec![Part::numbers(result); to.len()];
        Step { to, from: vec![numbers], taken, ..Step::default() }
    }

    /// Handles conversions.
    fn converted(&self) -> Option<Step<'a>> {
        if self.has("scaled") {
            return None;
        }
        let (to, from) = (numbers(self.instruction, 1), numbers(self.instruction, 0));
        let mut taken = Vec::new();
        if let Some(from) = from {
            // Random bits may follow the numbers.
            let after = usize::from(self.has("rs"));
            for n in 1..self.instruction.operands.len().saturating_sub(after) {
                taken.extend(self.taken(n, from, NumberRole::Operand));
            }
        }
        if let Some(to) = to {
            return Some(self.gives(to, taken));
        }
        // Integers are narrowed or widened.
        if let (None, Some(to), Some(from)) = (from, self.scalar(1), self.scalar(0))
            && !self.has("sat")
            && [to, from].iter().all(|it| matches!(it.class(), Class::Unsigned | Class::Bits))
        {
            let kept = to.bytes().min(from.bytes());
            let parts = vec![self.part(self.operand(1)?, 0, kept), Part::zero(to.bytes() - kept)];
            return Some(Step {
                to: self.results(to.bytes()),
                from: vec![parts],
                taken,
                ..Step::default()
            });
        }
        Some(Step { taken, ..self.integers().unwrap_or_default() })
    }

    /// Returns the numbers in one register of a fragment.
    fn in_register(numbers: PackedNumbers) -> PackedNumbers {
        PackedNumbers { bytes: numbers.format.bytes().max(FRAGMENT_BYTES), ..numbers }
    }

    /// Handles products of fragments.
    fn fragments(&self) -> Option<Step<'a>> {
        let has_scales = self.has("block_scale");
        let after = usize::from(has_scales);
        let of = |n: usize| numbers(self.instruction, after + 3 - n).map(Self::in_register);
        let mut taken = Vec::new();
        for n in 1..4 {
            if let Some(of) = of(n) {
                taken.extend(self.taken(n, of, NumberRole::Fragment));
            }
        }
        if let (true, Some(of)) = (has_scales, numbers(self.instruction, 0)) {
            let count = self.instruction.operands.len();
            for n in [count.checked_sub(4)?, count.checked_sub(2)?] {
                taken.extend(self.taken(n, Self::in_register(of), NumberRole::Scales));
            }
        }
        Some(match of(0) {
            Some(result) => self.gives(result, taken),
            None => Step { taken, ..Step::default() },
        })
    }

    /// Handles products of matrices, of which the first may be in fragments.
    fn matrices(&self) -> Step<'a> {
        let of = |n: usize| numbers(self.instruction, 2 - n).map(Self::in_register);
        let is_fragment = |operand: &&Operand<'_>| matches!(operand.kind, OperandKind::Vector(_));
        let taken = match (of(1), self.operand(1).filter(is_fragment)) {
            (Some(of), Some(_)) => self.taken(1, of, NumberRole::Fragment),
            (_, _) => Vec::new(),
        };
        match of(0) {
            Some(result) => self.gives(result, taken),
            None => Step { taken, ..Step::default() },
        }
    }

    /// Handles reductions into memory.
    fn reduced(&self, declared: Option<Declared>) -> Option<Step<'a>> {
        let scalar = self.scalar(0)?;
        let Some(of) = numbers(self.instruction, 0) else {
            if matches!(scalar.class(), Class::Bits) {
                return declared.map(Step::storing_anything);
            }
            // Minima and maxima of integers are also used for the bits of floating-point numbers.
            let counts = ["add", "inc", "dec"].into_iter().any(|word| self.has(word));
            let updates = counts.then(|| Part::Integer(scalar.bytes()));
            return Some(Step { updates, ..Step::default() });
        };
        let is_arithmetic = ["add", "min", "max"].into_iter().any(|word| self.has(word));
        let updates = is_arithmetic.then(|| Part::numbers(of));
        if !self.has("add") {
            return Some(Step { updates, ..Step::default() });
        }
        let is_address = |operand: &Operand<'_>| matches!(operand.kind, OperandKind::Address(_));
        let address = self.instruction.operands.iter().position(is_address)?;
        let taken = self.taken(address + 1, of, NumberRole::Operand);
        Some(Step { updates, ..self.gives(of, taken) })
    }
}

/// Whether numbers of a type are integers.
fn is_integer(scalar: ScalarType) -> bool {
    matches!(scalar.class(), Class::Signed | Class::Unsigned)
}

/// Whether a literal integer is too small for the bits of a normal floating-point number.
fn is_small(value: i128) -> bool {
    (0..1 << 23).contains(&value)
}
