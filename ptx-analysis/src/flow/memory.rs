//! Memory operands, as the instruction table describes them.

use alloc::boxed::Box;
use alloc::vec::Vec;

use ptx_isa::instruction::{
    AccessSize, AddressOperand, AddressSpace, Direction, Role, Row, Taken, fragment_alignment,
    nameable_spaces, named_spaces, spaces,
};
use ptx_isa::ir::body::{Amount, Instruction, Name, Operand, OperandKind, TokenRange};
use ptx_isa::rules::access::SubSpace;
use ptx_isa::rules::{AccessForm, TensorAccess};
use ptx_isa::{ScalarType, Space, Spaces};

use crate::flow::expression::Expression;
use crate::flow::place::Place;
use crate::flow::tensor::{coordinates, coordinates_of, inside, tensor};

/// The number of threads in a warp.
pub(crate) const WARP: i128 = 32;

/// An operand in brackets that starts with a name, or one whose address is taken.
#[derive(Clone, Debug)]
pub struct MemoryOperand<'a> {
    /// The index of the operand among those in brackets, from 0; `None` without brackets.
    pub bracket: Option<usize>,
    /// The kind of access.
    pub form: AccessForm,
    /// The number of bytes accessed.
    pub bytes: Amount,
    /// The required alignment in bytes.
    pub align: Amount,
    /// The offset from the name in bytes.
    pub offset: Amount,
    /// The element index, if one is written.
    pub(crate) index: Option<Box<Expression<'a>>>,
    /// The number of threads in a warp, from the first on, whose addresses are used.
    pub(crate) lanes: i128,
    /// The value written there, if it is a single number.
    pub(crate) written: Option<Box<Expression<'a>>>,
    /// The name of storage or of a register.
    pub name: Name<'a>,
    /// The place of the name.
    pub place: Place,
    /// The place of the offset, or of the name if there is no offset.
    pub offset_place: Place,
}

impl<'a> MemoryOperand<'a> {
    /// Returns the operands in brackets of an instruction that start with a name, and the operand whose address
    /// it takes.
    pub(crate) fn all(instruction: &Instruction<'a>, statement: usize) -> Vec<Self> {
        let Some(row) = instruction.row else { return Vec::new() };
        let read = Reader { instruction, modifiers: instruction.pairs(), statement };
        let in_brackets = instruction.operands.iter().filter_map(|operand| match &operand.kind {
            OperandKind::Address(inner) => Some((operand, inner.first()?)),
            OperandKind::Element(..) => Some((operand, operand)),
            _ => None,
        });
        let mut found = Vec::with_capacity(row.addresses.len() + usize::from(row.taken.is_some()));
        for (bracket, (address, (operand, inner))) in
            row.addresses.iter().zip(in_brackets).enumerate()
        {
            if !matches!(address.role, Role::Texture | Role::Surface | Role::TensorMemory) {
                found.extend(read.in_brackets(bracket, address, operand, inner));
            }
        }
        found.extend(row.taken.and_then(|taken| read.taken(taken)));
        found
    }
}

/// Reads the operands of an instruction.
struct Reader<'i, 'a> {
    instruction: &'i Instruction<'a>,
    modifiers: Vec<(&'static str, &'a str)>,
    statement: usize,
}

/// The parts of an operand that starts with a name.
struct Parts<'a> {
    name: Name<'a>,
    index: Option<Box<Expression<'a>>>,
    offset: Amount,
    offset_at: Option<TokenRange>,
}

impl<'a> Parts<'a> {
    fn of(operand: &Operand<'a>) -> Option<Self> {
        let parts = |name, offset, offset_at| Self { name, index: None, offset, offset_at };
        Some(match &operand.kind {
            OperandKind::Name(name) if name.element.is_empty() => {
                parts(*name, Amount::Known(0), None)
            }
            OperandKind::Offset(name, amount, at) if name.element.is_empty() => {
                parts(*name, *amount, *at)
            }
            OperandKind::Element(name, index) => {
                let index_of = Some(Box::new(Expression::of(index)));
                Self { index: index_of, ..parts(*name, Amount::Known(0), index.at) }
            }
            _ => parts(operand.name()?, Amount::Unknown, None),
        })
    }
}

impl<'a> Reader<'_, 'a> {
    fn in_brackets(
        &self,
        bracket: usize,
        address: &AddressOperand,
        operand: &Operand<'a>,
        inner: &Operand<'a>,
    ) -> Option<MemoryOperand<'a>> {
        let row = self.instruction.row?;
        let parts = Parts::of(inner)?;
        let (space, names_space) = self.space(address.space);
        let nameable = self.nameable(row, address.space);
        let (bytes, align) = self.size(address.size);
        let isa_align = self.fragment(address.size);
        // `st` has one address, and the value follows it; `atom` has no address that is only written.
        let written = match (address.direction, self.instruction.operands.as_slice()) {
            (Direction::Write, [_, value]) => Some(Box::new(Expression::of(value))),
            (_, _) => None,
        };
        let unified = operand.modifiers.iter().any(|modifier| modifier.word == "unified");
        let form = AccessForm {
            role: address.role,
            direction: address.direction,
            space,
            names_space,
            nameable,
            sub_space: sub_space(&self.modifiers),
            ty: (address.size == AccessSize::Typed).then(|| self.scalar()).flatten(),
            may_be_nothing: matches!(
                address.size,
                AccessSize::CountedAlignedAtMost(n) if self.instruction.operands.len() > n + 1
            ),
            unified: row.may_be_unified.then_some(unified),
            tensor: address.tensor.zip(tensor(&self.modifiers)).map(|(direction, (rank, mode))| {
                let given = coordinates(self.instruction).map(|group| inside(group).len());
                let is_certain = given.is_none_or(|given| given == coordinates_of(rank, mode));
                TensorAccess { rank: is_certain.then_some(rank), mode, direction }
            }),
            isa_align: isa_align.filter(|isa| align.known().is_some_and(|it| it < *isa as i128)),
        };
        Some(MemoryOperand {
            bracket: Some(bracket),
            bytes,
            align,
            written,
            lanes: self.lanes(address.size),
            ..self.operand(parts, form)
        })
    }

    /// Returns the operand whose address is taken or converted to another state space.
    fn taken(&self, taken: Taken) -> Option<MemoryOperand<'a>> {
        let parts = Parts::of(self.instruction.operands.get(taken.operand)?)?;
        let (space, names_space) = self.space(taken.space);
        let nameable =
            self.instruction.row.map_or(Spaces::ALL, |row| self.nameable(row, taken.space));
        let form = AccessForm {
            role: Role::Data,
            direction: Direction::Taken,
            space,
            names_space,
            nameable,
            sub_space: sub_space(&self.modifiers),
            ty: self.scalar(),
            may_be_nothing: false,
            unified: None,
            tensor: None,
            isa_align: None,
        };
        Some(self.operand(parts, form))
    }

    /// Creates an operand without an access size.
    fn operand(
        &self,
        Parts { name, index, offset, offset_at }: Parts<'a>,
        form: AccessForm,
    ) -> MemoryOperand<'a> {
        let place = Place::new(self.statement, name.at());
        MemoryOperand {
            bracket: None,
            form,
            bytes: Amount::Unknown,
            align: Amount::Unknown,
            offset,
            index,
            lanes: WARP,
            written: None,
            name,
            place,
            offset_place: offset_at.map_or(place, |at| Place::new(self.statement, at)),
        }
    }

    /// Returns the state space of an address, and whether it is explicit.
    fn space(&self, space: AddressSpace) -> (Option<Space>, bool) {
        match space {
            AddressSpace::Named(n) => {
                let space = spaces(&self.modifiers).nth(n);
                (space, space.is_some())
            }
            AddressSpace::Always(space) => (Some(space), false),
            AddressSpace::Own => (None, true),
            AddressSpace::Generic | AddressSpace::Elsewhere => (None, false),
        }
    }

    /// Returns the state spaces that the instruction could name in place of that of an address.
    fn nameable(&self, row: &Row, space: AddressSpace) -> Spaces {
        match space {
            AddressSpace::Named(n) => {
                let named = named_spaces(&self.modifiers);
                nameable_spaces(row.spaces, |word| self.instruction.has(word), &named, n)
            }
            AddressSpace::Always(_)
            | AddressSpace::Own
            | AddressSpace::Generic
            | AddressSpace::Elsewhere => Spaces::ALL,
        }
    }

    /// Returns how many threads of a warp provide an address that is used: one for each matrix row.
    fn lanes(&self, size: AccessSize) -> i128 {
        let has = |wanted: &str| self.words().any(|word| word == wanted);
        let rows = if has("m16n16") { 16 } else { 8 };
        match size {
            AccessSize::MatrixRow if has("x1") => rows,
            AccessSize::MatrixRow if has("x2") => rows * 2,
            _ => WARP,
        }
    }

    fn words(&self) -> impl Iterator<Item = &'a str> {
        self.modifiers.iter().filter(|(dot, _)| *dot == ".").map(|(_, word)| *word)
    }

    /// Returns the type among the modifiers.
    fn scalar(&self) -> Option<ScalarType> {
        self.words().find_map(ScalarType::from_name)
    }

    /// Returns the number of bytes that an instruction accesses, and the alignment that it requires.
    fn size(&self, size: AccessSize) -> (Amount, Amount) {
        let operands = &self.instruction.operands;
        let count = |n: usize| operands.get(n).map_or(Amount::Unknown, Operand::amount);
        match size {
            AccessSize::Typed => {
                let Some(scalar) = self.scalar() else {
                    return (Amount::Unknown, Amount::Unknown);
                };
                let lanes = self.words().find_map(|word| match word {
                    "v2" => Some(2),
                    "v4" => Some(4),
                    "v8" => Some(8),
                    _ => None,
                });
                let bytes = Amount::of_size(scalar.bytes() * lanes.unwrap_or(1));
                (bytes, bytes)
            }
            AccessSize::Fixed(bytes, align) => (Amount::of_size(bytes), Amount::of_size(align)),
            AccessSize::Counted(n, align) => (count(n), Amount::of_size(align)),
            // Fewer bytes are read if another operand follows the count.
            AccessSize::CountedAlignedAtMost(n) if operands.len() > n + 1 => {
                (Amount::Unknown, alignment(count(n)))
            }
            AccessSize::CountedAligned(n) | AccessSize::CountedAlignedAtMost(n) => {
                (count(n), alignment(count(n)))
            }
            AccessSize::MatrixRow if self.words().any(|word| word == "m8n8") => {
                (Amount::of_size(16), Amount::of_size(16))
            }
            AccessSize::MatrixRow => (Amount::Unknown, Amount::of_size(16)),
            AccessSize::Fragment(_) => {
                let has = |wanted: &str| self.words().any(|word| word == wanted);
                let space = spaces(&self.modifiers).next();
                let align = fragment_alignment(has, space).or_else(|| self.fragment(size));
                (Amount::Unknown, align.map_or(Amount::Unknown, Amount::of_size))
            }
            AccessSize::Aligned(align) => (Amount::Unknown, Amount::of_size(align)),
            AccessSize::Unknown => (Amount::Unknown, Amount::Unknown),
        }
    }

    /// Returns the number of bytes of a thread's part of a matrix, which is the alignment that the PTX ISA asks for.
    fn fragment(&self, size: AccessSize) -> Option<usize> {
        let AccessSize::Fragment(n) = size else { return None };
        let register = if self.words().any(|word| word == "f64") { 8 } else { 4 };
        match &self.instruction.operands.get(n)?.kind {
            OperandKind::Vector(all) => Some(register * all.len()),
            _ => None,
        }
    }
}

/// The alignment of a copy of this many bytes, unless no copy has so many.
fn alignment(bytes: Amount) -> Amount {
    match bytes {
        Amount::Known(bytes) if !matches!(bytes, 4 | 8 | 16) => Amount::Unknown,
        bytes => bytes,
    }
}

/// Returns the sub-space that modifiers name, such as `.param::entry`.
pub(crate) fn sub_space(modifiers: &[(&str, &str)]) -> Option<SubSpace> {
    modifiers.windows(2).find_map(|pair| match pair {
        [(".", "param"), ("::", "entry")] => Some(SubSpace::Entry),
        [(".", "param"), ("::", "func")] => Some(SubSpace::Func),
        [(".", "shared"), ("::", "cta")] => Some(SubSpace::Cta),
        [(".", "shared"), ("::", "cluster")] => Some(SubSpace::Cluster),
        _ => None,
    })
}

#[cfg(test)]
mod tests;
