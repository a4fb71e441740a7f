//! The instruction table: the forms that touch memory, what each does at its addresses, and what
//! each needs.
//!
//! A new instruction is a row, and so is a modifier that needs more than its instruction. What has no
//! row passes through if it has no operand in brackets.

use super::{Arg, Args, Environment, NONE, too_new};
use crate::space::Space;
use crate::target::{Target, Version};

mod qualifiers;
mod table;

pub use qualifiers::QUALIFIERS;
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
    /// What it needs; its modifiers may need more.
    pub needs: Needs,
    /// Whether it completes later than it executes.
    pub is_async: bool,
    /// What it does at each operand in brackets, in order.
    pub addresses: &'static [AddressOperand],
    /// The address that it takes without brackets and does not go to.
    pub taken: Option<Taken>,
    /// The operands, the first being 0, that are descriptors of matrices in shared memory where they
    /// are neither in brackets nor in braces.
    pub descriptors: &'static [usize],
}

/// A modifier that needs more than its instruction, or several that do together.
#[derive(Clone, Copy, Debug)]
pub struct Qualifier {
    /// The opcode with the modifiers that tell it from others: `cp.async.bulk`.
    pub opcode: &'static str,
    /// The modifiers behind it that all have to stand there; those of one word side by side.
    pub words: &'static [&'static str],
    /// Those of which none may stand there.
    pub without: &'static [&'static str],
    /// The opcode and them: `cp.async.bulk.multicast::cluster`.
    pub name: &'static str,
    /// What they need.
    pub needs: Needs,
}

/// What a form needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Needs {
    /// The lowest PTX version that has it.
    pub since: Version,
    /// The lowest architecture (90 for `sm_90`) that has it.
    pub min_arch: u16,
    /// The targets that alone have it; none if all from the lowest architecture on do.
    pub only: &'static [Target],
}

/// An operand that is an address without brackets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Taken {
    /// Which operand it is, the first being 0.
    pub operand: usize,
    /// Where it is.
    pub place: AddressSpace,
}

/// What an instruction does at an address.
#[derive(Clone, Copy, Debug)]
pub struct AddressOperand {
    /// What is there.
    pub role: Role,
    /// Where it is.
    pub place: AddressSpace,
    /// What is done to it.
    pub direction: Direction,
    /// How many bytes, and how they are aligned.
    pub extent: AccessSize,
    /// What is done to the tensor behind it, if it is a map that the instruction goes through.
    pub tensor: Option<Direction>,
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
    /// A texture or surface.
    Handle,
    /// A place in tensor memory.
    TensorMemory,
}

/// The state space of an address.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AddressSpace {
    /// The one that the modifiers name as their first, second, ..; generic if they do not.
    Named(usize),
    /// This one, or a generic address into it.
    Always(Space),
    /// Any, and the address is generic.
    Generic,
    /// That of the variable whose address is taken.
    Own,
    /// None that addresses are of: what textures and surfaces are in, and tensor memory.
    Elsewhere,
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
    /// It moves what caches hold.
    Cache,
    /// It takes the address itself, and does not go there.
    Taken,
}

/// How many bytes an instruction goes to at an address, and their alignment in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AccessSize {
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
    /// Unknown, aligned to the registers in this operand, the first being 0.
    Fragment(usize),
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
            is_start(row.opcode, opcode, modifiers)
                && row.first_space.is_none_or(|space| spaces(modifiers).next() == Some(space))
        };
        INSTRUCTIONS.iter().filter(spelled).max_by_key(|row| row.opcode.len())
    }
}

/// What an instruction needs, each with the part of it that needs it: its row and its modifiers.
pub fn needs(
    opcode: &str,
    modifiers: &[(&str, &str)],
) -> impl Iterator<Item = (&'static str, Needs)> {
    let stands = |word: &&str| {
        let sought = words(word);
        let length = sought.clone().count();
        modifiers.windows(length).any(|found| found.iter().copied().eq(sought.clone()))
    };
    let qualifies = move |row: &&Qualifier| {
        is_start(row.opcode, opcode, modifiers)
            && row.words.iter().all(stands)
            && !row.without.iter().any(stands)
    };
    let row = Instruction::find(opcode, modifiers).map(|row| (row.opcode, row.needs));
    let qualifiers = QUALIFIERS.iter().filter(qualifies).map(|row| (row.name, row.needs));
    row.into_iter().chain(qualifiers)
}

/// The modifiers in `text`, each with what separates it from the one before.
fn words(text: &str) -> impl Iterator<Item = (&str, &str)> + Clone {
    text.split('.').skip(1).flat_map(|word| {
        let separator = |n| if n == 0 { "." } else { "::" };
        word.split("::").enumerate().map(move |(n, part)| (separator(n), part))
    })
}

/// Whether an instruction starts with `text`.
fn is_start(text: &str, opcode: &str, modifiers: &[(&str, &str)]) -> bool {
    text.split('.').next() == Some(opcode)
        && words(text).enumerate().all(|(n, word)| modifiers.get(n) == Some(&word))
}

/// The state spaces among modifiers.
pub fn spaces(modifiers: &[(&str, &str)]) -> impl Iterator<Item = Space> {
    modifiers.iter().filter_map(|(separator, word)| {
        let space = (*separator == ".").then(|| Space::from_name(word)).flatten()?;
        (!matches!(space, Space::Reg | Space::Tex)).then_some(space)
    })
}

impl Needs {
    /// Whether a target has the form.
    pub const fn has(&self, target: Target) -> bool {
        let mut n = 0;
        while n < self.only.len() {
            if self.only[n] as u8 == target as u8 {
                return true;
            }
            n += 1;
        }
        self.only.is_empty() && target.arch() >= self.min_arch
    }
}

/// An instruction that a body uses.
#[derive(Clone, Copy, Debug)]
pub enum Used<'a> {
    /// One of the table, or a modifier of it.
    Known {
        /// The part of it that needs something.
        name: &'a str,
        /// What it needs.
        needs: Needs,
    },
    /// One with an operand in brackets that is not in the table.
    Unknown {
        /// What it is called.
        name: &'a str,
        /// What it may have been meant to be, as a question; empty if nothing is near.
        near: &'a str,
    },
}

pub(super) const fn instruction_too_new(used: Used<'_>, env: Environment) -> Option<Args<'_>> {
    match used {
        Used::Known { name, needs } => too_new(Arg::Str(name), needs.since, env),
        Used::Unknown { .. } => None,
    }
}

pub(super) const fn instruction_wrong_target(used: Used<'_>, env: Environment) -> Option<Args<'_>> {
    match (used, env.target) {
        (Used::Known { name, needs }, Some(target)) if !needs.has(target) => {
            Some([Arg::Str(name), Arg::Needs(needs), Arg::Str(target.name()), NONE])
        }
        (Used::Known { .. } | Used::Unknown { .. }, _) => None,
    }
}

pub(super) const fn unknown_memory_instruction(used: Used<'_>, _: Environment) -> Option<Args<'_>> {
    match used {
        Used::Unknown { name, near } => Some([Arg::Str(name), Arg::Str(near), NONE, NONE]),
        Used::Known { .. } => None,
    }
}
