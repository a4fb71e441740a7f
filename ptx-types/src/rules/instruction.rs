//! The instruction table: the forms that touch memory, and what each does at its addresses.
//!
//! A new instruction is a row. What has no row passes through.

use crate::space::Space;

mod table;

pub use table::INSTRUCTIONS;

/// A form that touches memory.
#[derive(Clone, Copy, Debug)]
pub struct Instruction {
    /// The opcode with the modifiers that tell it from others: `cp.async.bulk`.
    pub opcode: &'static str,
    /// The first state space among the modifiers, where that tells it from others.
    pub first_space: Option<Space>,
    /// The section of the PTX ISA that has it.
    pub section: &'static str,
    /// Whether it completes later than it executes.
    pub is_async: bool,
    /// What it does at each operand in brackets, in order.
    pub addresses: &'static [Address],
}

/// What an instruction does at an address.
#[derive(Clone, Copy, Debug)]
pub struct Address {
    /// What is there.
    pub role: Role,
    /// Where it is.
    pub place: Place,
    /// What is done to it.
    pub direction: Direction,
    /// How many bytes, and how they are aligned.
    pub extent: Extent,
}

/// What an instruction takes an address for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// Data.
    Data,
    /// A tensor map.
    Map,
    /// An object of `mbarrier`.
    Barrier,
}

impl Role {
    /// The variant's own name.
    pub const fn variant(self) -> &'static str {
        match self {
            Self::Data => "Data",
            Self::Map => "Map",
            Self::Barrier => "Barrier",
        }
    }
}

/// The state space of an address.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// The one that the modifiers name as their first, second, ..; generic if they do not.
    Named(usize),
    /// This one, or a generic address into it.
    Always(Space),
}

/// What an instruction does at an address.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// It reads.
    Read,
    /// It writes.
    Write,
    /// It does both.
    ReadWrite,
    /// It moves or drops what caches hold.
    Cache,
}

impl Direction {
    /// The variant's own name.
    pub const fn variant(self) -> &'static str {
        match self {
            Self::Read => "Read",
            Self::Write => "Write",
            Self::ReadWrite => "ReadWrite",
            Self::Cache => "Cache",
        }
    }
}

/// How many bytes an instruction goes to at an address, and their alignment in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Extent {
    /// The size of the type times the elements of the vector, aligned to itself.
    Typed,
    /// This many, with this alignment.
    Fixed(usize, usize),
    /// As many as this operand says, the first being 0, with this alignment.
    Counted(usize, usize),
    /// As many as this operand says, aligned to that.
    CountedAligned(usize),
    /// As many as this operand says, or fewer where another follows, aligned to that.
    CountedAlignedAtMost(usize),
    /// A row of a matrix: 16 bytes of those of 8 by 8 elements.
    Row,
    /// Unknown, with this alignment.
    Aligned(usize),
    /// Unknown.
    Unknown,
}

impl Instruction {
    /// The row of an instruction: its opcode, and its modifiers with what separates each from the
    /// one before.
    pub fn find(opcode: &str, modifiers: &[(&str, &str)]) -> Option<&'static Self> {
        let spelled = |row: &&Self| {
            let mut words = row.opcode.split('.');
            words.next() == Some(opcode)
                && words.enumerate().all(|(i, word)| modifiers.get(i) == Some(&(".", word)))
                && row.first_space.is_none_or(|space| spaces(modifiers).next() == Some(space))
        };
        INSTRUCTIONS.iter().filter(spelled).max_by_key(|row| row.opcode.len())
    }
}

/// The state spaces among modifiers.
pub fn spaces(modifiers: &[(&str, &str)]) -> impl Iterator<Item = Space> {
    modifiers.iter().filter_map(|(separator, word)| {
        let space = (*separator == ".").then(|| Space::from_name(word)).flatten()?;
        (!matches!(space, Space::Reg | Space::Tex)).then_some(space)
    })
}
