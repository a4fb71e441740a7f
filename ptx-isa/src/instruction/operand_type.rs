//! The types of operands (PTX ISA 9.4): what an instruction takes in each place, as a column of the table says, and
//! the registers and immediates that fit.

use alloc::vec::Vec;

use super::named::is_type;
use crate::scalar::{Class, ScalarType};

/// The type of an operand, as a column of the table says; of a vector, the type of its elements, and of an address,
/// that of the elements of the vectors in it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OperandType {
    /// Nothing is known.
    Any,
    /// An address in brackets.
    Address,
    /// An address in brackets, with a vector of the `n`-th type.
    CoordinatesOf(usize),
    /// An address in brackets, with a vector of this type.
    Coordinates(ScalarType),
    /// The `n`-th type of the instruction, counted from the last, from 0.
    Type(usize),
    /// The first type of the instruction.
    First,
    /// The `n`-th type, or a wider one (PTX ISA 9.4.1), unless a type of the instruction is an alternate format.
    Relaxed(usize),
    /// Anything of the size of the `n`-th type.
    SameSize(usize),
    /// The `n`-th type, or a vector of that size as a whole.
    WholeType(usize),
    /// An integer of twice the size of the `n`-th type.
    Double(usize),
    /// Part of a matrix whose elements have the `n`-th type: 64 bits for `.f64`, and 32 bits for any other.
    Fragment(usize),
    /// The descriptor of a matrix, or parts of the matrix in a vector, or its address in tensor memory.
    MatrixDescriptor,
    /// This type.
    Is(ScalarType),
    /// This type, or a wider one.
    AtLeast(ScalarType),
    /// Anything of the size of this type.
    SizeOf(ScalarType),
    /// Registers of the size of this type, in braces.
    Registers(ScalarType),
    /// Anything of that size, or wider.
    SizeAtLeast(ScalarType),
}

/// What an instruction takes in one place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WantedOperand {
    /// The type.
    pub ty: ScalarType,
    /// Whether wider registers fit too.
    pub is_relaxed: bool,
    /// Whether registers of any kind fit: only the size matters.
    pub any_kind: bool,
}

/// An operand that has a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GivenOperand {
    /// A register of this type, which is a fundamental one.
    Register(ScalarType),
    /// A special register of this type.
    Special(ScalarType),
    /// This integer.
    Integer(i64),
    /// A floating-point number of this many bytes.
    Float(usize),
}

/// An operand that does not fit.
#[derive(Clone, Copy, Debug)]
pub struct WrongOperand {
    /// The index of the instruction's row in the table, and that of its list of operands; `None` for a guard.
    pub list: Option<(u16, u8)>,
    /// The last two types of the instruction, as far as registers can have them.
    pub types: [Option<ScalarType>; 2],
    /// What it takes.
    pub wanted: WantedOperand,
    /// What it is given.
    pub given: GivenOperand,
    /// Whether it writes the operand.
    pub is_written: bool,
}

/// The types of an instruction, in order; `None` for a format that no register is declared with.
#[derive(Clone, Debug, Default)]
pub struct InstructionTypes(Vec<Option<ScalarType>>);

impl InstructionTypes {
    /// The types among modifiers, each with the separator before it.
    pub fn of(modifiers: &[(&str, &str)]) -> Self {
        let words = modifiers.iter().filter(|(separator, _)| *separator == ".");
        let types = words.filter(|(_, word)| is_type(word));
        let types = types.map(|(_, word)| ScalarType::from_name(word));
        let mut types: Vec<Option<ScalarType>> = types.collect();
        // ptxas ignores `.pred` beside another type.
        if types.len() > 1 {
            types.retain(|ty| *ty != Some(ScalarType::Pred));
        }
        Self(types)
    }

    /// The last two of them.
    pub fn last_two(&self) -> [Option<ScalarType>; 2] {
        [self.nth_last(1), self.nth_last(0)]
    }

    /// The `n`-th type, counted from the last, from 0.
    fn nth_last(&self, n: usize) -> Option<ScalarType> {
        *self.0.iter().rev().nth(n)?
    }

    /// Whether there are two, and both are integers.
    pub fn are_two_integers(&self) -> bool {
        let is_integer = |ty: &Option<ScalarType>| {
            ty.is_some_and(|ty| matches!(ty.class(), Class::Signed | Class::Unsigned))
        };
        self.0.len() == 2 && self.0.iter().all(is_integer)
    }

    /// Whether one of them has this many bytes.
    pub fn has_size(&self, bytes: usize) -> bool {
        self.0.iter().flatten().any(|ty| ty.bytes() == bytes)
    }

    /// Whether one of them is an alternate format, whose registers have exactly its size (PTX ISA 9.7.9.21).
    pub fn has_alternate(&self) -> bool {
        self.0.iter().any(|ty| ty.is_none_or(|ty| !ty.is_fundamental()))
    }
}

impl OperandType {
    /// Whether it is an address in brackets; `None` if it may be one.
    pub const fn is_address(self) -> Option<bool> {
        match self {
            Self::Any | Self::MatrixDescriptor => None,
            Self::Address | Self::CoordinatesOf(_) | Self::Coordinates(_) => Some(true),
            Self::Type(_)
            | Self::First
            | Self::Relaxed(_)
            | Self::SameSize(_)
            | Self::WholeType(_)
            | Self::Double(_)
            | Self::Fragment(_)
            | Self::Is(_)
            | Self::AtLeast(_)
            | Self::SizeOf(_)
            | Self::SizeAtLeast(_)
            | Self::Registers(_) => Some(false),
        }
    }

    /// Whether it is never a vector where the instruction has no modifier for one.
    pub const fn is_scalar(self) -> bool {
        matches!(
            self,
            Self::Type(_)
                | Self::First
                | Self::Relaxed(_)
                | Self::Double(_)
                | Self::Is(_)
                | Self::AtLeast(_)
        )
    }

    /// What it stands for in an instruction with these types, of an operand that is a vector with this many elements
    /// or, if there are none, no vector.
    pub fn wanted(self, types: &InstructionTypes, elements: usize) -> Option<WantedOperand> {
        let is_vector = elements > 0;
        // ptxas takes bits of any kind for a floating-point number in a vector, and for one in an alternate format
        // if the instruction has other types as well.
        let exact = |ty: ScalarType| {
            let is_integer = matches!(ty.class(), Class::Signed | Class::Unsigned);
            let is_converted = !ty.is_fundamental() && types.0.len() > 1;
            let any_kind = is_vector && !is_integer || is_converted;
            WantedOperand { ty, is_relaxed: false, any_kind }
        };
        let any_kind = |ty| WantedOperand { ty, is_relaxed: false, any_kind: true };
        Some(match self {
            Self::Any | Self::Address => return None,
            Self::First => exact((*types.0.first()?)?),
            Self::Relaxed(n) => {
                let is_relaxed = !types.has_alternate();
                WantedOperand { is_relaxed, ..exact(types.nth_last(n)?) }
            }
            Self::SameSize(n) => any_kind(types.nth_last(n)?),
            Self::WholeType(n) if is_vector => {
                any_kind(bits_of(types.nth_last(n)?.bytes() / elements)?)
            }
            Self::Type(n) | Self::CoordinatesOf(n) | Self::WholeType(n) => {
                exact(types.nth_last(n)?)
            }
            Self::Double(n) => exact(match types.nth_last(n)? {
                ScalarType::U16 => ScalarType::U32,
                ScalarType::S16 => ScalarType::S32,
                ScalarType::U32 => ScalarType::U64,
                ScalarType::S32 => ScalarType::S64,
                _ => return None,
            }),
            Self::Fragment(n) => any_kind(match types.nth_last(n) {
                Some(ScalarType::F64) => ScalarType::B64,
                _ => ScalarType::B32,
            }),
            Self::MatrixDescriptor if is_vector => any_kind(ScalarType::B32),
            Self::MatrixDescriptor => exact(ScalarType::U64),
            Self::Is(ty) | Self::Coordinates(ty) => exact(ty),
            Self::AtLeast(ty) => WantedOperand { is_relaxed: true, ..exact(ty) },
            Self::SizeOf(ty) | Self::Registers(ty) => any_kind(ty),
            Self::SizeAtLeast(ty) => WantedOperand { is_relaxed: true, ..any_kind(ty) },
        })
    }
}

/// Untyped bits of this many bytes.
const fn bits_of(bytes: usize) -> Option<ScalarType> {
    Some(match bytes {
        1 => ScalarType::B8,
        2 => ScalarType::B16,
        4 => ScalarType::B32,
        8 => ScalarType::B64,
        _ => return None,
    })
}

impl WantedOperand {
    /// Whether an operand fits.
    pub const fn takes(self, given: GivenOperand) -> bool {
        let class = self.ty.class();
        match given {
            GivenOperand::Register(register) | GivenOperand::Special(register) => {
                self.takes_register(register)
            }
            GivenOperand::Integer(_) | GivenOperand::Float(_) if self.any_kind => true,
            GivenOperand::Integer(_) => match class {
                Class::Signed | Class::Unsigned | Class::Predicate => true,
                Class::Bits => self.ty.is_fundamental(),
                Class::Float => false,
            },
            GivenOperand::Float(bytes) => match class {
                Class::Signed | Class::Unsigned | Class::Predicate => false,
                Class::Bits => self.ty.is_fundamental() && self.ty.bytes() == bytes,
                Class::Float => matches!(self.ty, ScalarType::F32 | ScalarType::F64),
            },
        }
    }

    const fn takes_register(self, register: ScalarType) -> bool {
        let (bytes, class) = (self.ty.bytes(), self.ty.class());
        match (class, register) {
            // ptxas takes `.f16x2` for predicates, and predicates for the bits of some of 32.
            (Class::Predicate, ScalarType::Pred | ScalarType::F16x2) => return true,
            (_, ScalarType::Pred) => {
                return bytes == 4 && (self.any_kind || !self.ty.is_fundamental());
            }
            (Class::Predicate, _) => return false,
            (Class::Signed | Class::Unsigned | Class::Bits | Class::Float, _) => {}
        }
        let fits =
            if self.is_relaxed { register.bytes() >= bytes } else { register.bytes() == bytes };
        if !fits || self.any_kind {
            return fits;
        }
        match (class, register.class()) {
            // It counts as bits, and as no other floating-point number.
            (_, _) if matches!(register, ScalarType::F16x2) => {
                !matches!(self.ty, ScalarType::F32 | ScalarType::F16)
            }
            (_, Class::Bits)
            | (Class::Signed | Class::Unsigned, Class::Signed | Class::Unsigned) => true,
            (Class::Bits, _) => self.ty.is_fundamental(),
            (Class::Float, Class::Float) => register as u8 == self.ty as u8,
            (_, _) => false,
        }
    }
}
