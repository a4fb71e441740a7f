//! The instruction table: the forms that touch memory, what each does at its addresses and what it
//! needs, and what these and others do to the values, barriers and control that are followed.
//!
//! A new instruction is a row, and so is a modifier that needs more than its instruction. What has no
//! row passes through if it has no operand in brackets, and writes its first operand.

use crate::space::Space;
use crate::target::{Target, Version};

mod qualifiers;
mod table;

pub use qualifiers::QUALIFIERS;
pub use table::INSTRUCTIONS;

/// An instruction: what it needs, what it does at each of its addresses, and what else it does that is
/// followed.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The opcode with the modifiers that tell it from others: `cp.async.bulk`.
    pub opcode: &'static str,
    /// The first state space among the modifiers, where that tells it from others.
    pub first_space: Option<Space>,
    /// What it needs; its modifiers may need more.
    pub needs: Needs,
    /// Whether it touches memory or synchronises; of others nothing is checked but what follows from
    /// the numbers that they compute.
    pub is_of_memory: bool,
    /// What it does at each operand in brackets, in order.
    pub addresses: &'static [AddressOperand],
    /// The address that it takes without brackets and does not go to.
    pub taken: Option<Taken>,
    /// The operands, the first being 0, that are descriptors of matrices in shared memory where they
    /// are neither in brackets nor in braces.
    pub descriptors: &'static [usize],
    /// Whether its first operand is where the result goes, and nothing else.
    pub has_result: bool,
    /// The number that it writes, of those that are followed.
    pub computes: Computes,
    /// What it does to barriers and matrices: the first effect whose modifier stands on it, of which
    /// the empty one always does.
    pub effects: &'static [(&'static str, BarrierEffect)],
    /// Where control goes.
    pub control: Control,
    /// Whether an operand may be the element of an array: `ld.shared.f32 %f0, ROW[3];` (PTX ISA 6.4.2).
    pub takes_elements: bool,
    /// Whether an operand may say `.unified`.
    pub says_unified: bool,
    /// Whether its type may have 8 bits (PTX ISA 5.2.2).
    pub takes_bytes: bool,
}

/// The number that an instruction writes, as far as it is followed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Computes {
    /// One that is not followed.
    Other,
    /// The value of a parameter, if that is what it loads.
    Parameter,
    /// The same number or address.
    Copy,
    /// The same number in another type.
    Conversion,
    /// The generic address of one in a state space.
    ToGeneric,
    /// The address in a state space of a generic one.
    FromGeneric,
    /// The same address in another block of the cluster.
    Remote,
    /// A sum.
    Sum,
    /// A difference.
    Difference,
    /// A product.
    Product,
    /// A product, and a third number added.
    ProductAndSum,
    /// What a division leaves.
    Remainder,
    /// Shifted to the left.
    ShiftLeft,
    /// Shifted to the right.
    ShiftRight,
    /// Bit by bit.
    And,
    /// Bit by bit.
    Or,
    /// Bit by bit.
    ExclusiveOr,
    /// Bit by bit; of a predicate, what it is not.
    Not,
    /// One of two numbers, as a predicate says.
    Selection,
    /// Whether two numbers compare so.
    Comparison,
    /// One of two numbers, as they compare.
    Either,
}

/// What an instruction does to barriers (PTX ISA 9.7.13.15), and to matrices in shared memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BarrierEffect {
    /// It arrives on its barrier, or what it does ends a phase in another way.
    Arrive,
    /// It makes its barrier, for as many arrivals as its last operand says.
    Init,
    /// It has its barrier expect as many bytes as its last operand says.
    Expect,
    /// It waits for its barrier.
    Wait,
    /// It completes transactions of its barrier by itself.
    Complete,
    /// It copies as many bytes as this operand says, the first being 0, which complete on its barrier.
    Copy(usize),
    /// It copies a tile, which completes on its barrier if it has one.
    CopyTile,
    /// It multiplies matrices in shared memory.
    Multiply,
}

/// The modifier of what completes transactions, on whatever instruction it stands.
pub const COMPLETES: &str = "complete_tx";

/// Where control goes after an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Control {
    /// To the next one.
    Next,
    /// To the label of its first operand; if guarded, or to the next one.
    Jump,
    /// To any label.
    JumpAnywhere,
    /// Nowhere.
    Ends,
    /// To a function, and back to the next one.
    Call,
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
    /// The state space that it is in.
    pub space: AddressSpace,
}

/// What an instruction does at an address.
#[derive(Clone, Copy, Debug)]
pub struct AddressOperand {
    /// What is there.
    pub role: Role,
    /// The state space that it is in.
    pub space: AddressSpace,
    /// What is done to it.
    pub direction: Direction,
    /// How many bytes, and how they are aligned.
    pub size: AccessSize,
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
    /// A texture.
    Texture,
    /// A surface.
    Surface,
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
    MatrixRow,
    /// Unknown, aligned to the registers in this operand, the first being 0.
    Fragment(usize),
    /// Unknown, with this alignment.
    Aligned(usize),
    /// Unknown.
    Unknown,
}

impl Row {
    /// The row of an instruction: its opcode, and its modifiers with what separates each from the
    /// one before.
    pub fn find(opcode: &str, modifiers: &[(&str, &str)]) -> Option<&'static Self> {
        Self::number(opcode, modifiers).and_then(|row| INSTRUCTIONS.get(row))
    }

    /// The number of that row in the table.
    pub fn number(opcode: &str, modifiers: &[(&str, &str)]) -> Option<usize> {
        let spelled = |(_, row): &(usize, &Self)| {
            is_start(row.opcode, opcode, modifiers)
                && row.first_space.is_none_or(|space| spaces(modifiers).next() == Some(space))
        };
        let rows = INSTRUCTIONS.iter().enumerate().filter(spelled);
        rows.max_by_key(|(_, row)| row.opcode.len()).map(|(n, _)| n)
    }

    /// What it does to barriers and matrices with these modifiers.
    pub fn effect(&self, has: impl Fn(&str) -> bool) -> Option<BarrierEffect> {
        let stands = |(modifier, _): &&(&str, BarrierEffect)| modifier.is_empty() || has(modifier);
        self.effects.iter().find(stands).map(|(_, effect)| *effect)
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
    let row = Row::find(opcode, modifiers).map(|row| (row.opcode, row.needs));
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
