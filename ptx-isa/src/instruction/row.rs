//! The columns of a row of the table.

use super::modifier_lists::ModifierLists;
use super::operand_type::OperandType;
use crate::space::Space;
use crate::target::{Target, Version};

/// An instruction: its requirements, its effects at each of its addresses, and its other effects that are
/// tracked.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools)] // columns of a table
pub struct Row {
    /// The opcode with the modifiers that distinguish the form: `cp.async.bulk`.
    pub opcode: &'static str,
    /// The first state space among the modifiers, if it distinguishes the form.
    pub first_space: Option<Space>,
    /// The requirements; modifiers may have further ones.
    pub needs: Needs,
    /// Whether it accesses memory or synchronises. For other instructions, only the consequences of the
    /// numbers that they compute are checked.
    pub is_of_memory: bool,
    /// The access at each operand in brackets, in order.
    pub addresses: &'static [AddressOperand],
    /// The address operand without brackets, which is not accessed.
    pub taken: Option<Taken>,
    /// The indices from 0 of operands that are descriptors of matrices in shared memory if they
    /// are neither in brackets nor in braces.
    pub descriptors: &'static [usize],
    /// The indices from 0 of operands that are neither results nor addresses and that cause a deadlock with
    /// a wrong number, each with its meaning.
    pub takes: &'static [(usize, &'static str)],
    /// Whether its first operand is the result, and nothing else.
    pub has_result: bool,
    /// The types of its operands, for the first modifier that it has; an empty modifier always matches. Of the
    /// operands that a list does not reach, and of those without a list, nothing is known. A cache policy, the last
    /// operand with `.L2::cache_hint`, or the one before a mask of bytes, is in none.
    pub operands: &'static [(&'static str, &'static [OperandType])],
    /// The least and the most operands that it has, without a cache policy, if that is known.
    pub count: Option<(usize, usize)>,
    /// The state spaces that it names; empty if nothing is known.
    pub spaces: ModifierLists,
    /// The types that it names; empty if nothing is known.
    pub types: ModifierLists,
    /// The number that it writes, if it is tracked.
    pub computes: Computes,
    /// The formats in which it reads and writes registers, if its types are formats of numbers.
    pub formats: Formats,
    /// Its effect on barriers and matrices: the first one whose modifier the instruction has; an empty
    /// modifier always matches.
    pub effects: &'static [(&'static str, BarrierEffect)],
    /// Its effect on the order of threads, groups of copies and proxies: the first one whose modifier the
    /// instruction has; an empty modifier always matches.
    pub orders: &'static [(&'static str, Order)],
    /// The collective effect of several threads.
    pub together: Option<TogetherEffect>,
    /// The modifier with which the first coordinate of a surface is in bytes, if any.
    pub byte_coordinate: Option<&'static str>,
    /// The control flow after it.
    pub control: Control,
    /// Whether an operand may be an array element: `ld.shared.f32 %f0, ROW[3];` (PTX ISA 6.4.2).
    pub takes_elements: bool,
    /// Whether an operand may have `.unified`.
    pub may_be_unified: bool,
    /// The modifiers without which ptxas refuses it, perhaps only from a version and an architecture on.
    pub required: &'static [Required],
    /// Whether all threads of a warp execute it together, even without `.aligned`.
    pub is_aligned: bool,
    /// Whether its type may be an 8-bit type (PTX ISA 5.2.2).
    pub takes_bytes: bool,
    /// Whether `.v2`, `.v4` or `.v8` is the number of elements of its operands, addresses aside.
    pub has_lanes: bool,
    /// Whether `_` may stand in place of its first operand, if nothing needs the result.
    pub can_discard: bool,
    /// Whether a predicate may follow its result: `%r|%p`.
    pub gives_predicate: bool,
}

/// The number that an instruction writes, as far as it is tracked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Computes {
    /// A number that is not tracked.
    Other,
    /// The value of a parameter, if it loads one.
    Parameter,
    /// The same number or address.
    Copy,
    /// The same number in another type.
    Conversion,
    /// The generic address of an address in a state space.
    ToGeneric,
    /// The address in a state space of a generic address.
    FromGeneric,
    /// The same address in another block of the cluster.
    Remote,
    /// Whether a generic address is in a state space.
    IsInSpace,
    /// A sum.
    Sum,
    /// A difference.
    Difference,
    /// A product.
    Product,
    /// A product plus a third number.
    ProductAndSum,
    /// The remainder of a division.
    Remainder,
    /// A left shift.
    ShiftLeft,
    /// A right shift.
    ShiftRight,
    /// A bitwise and.
    And,
    /// A bitwise or.
    Or,
    /// A bitwise exclusive or.
    ExclusiveOr,
    /// The bitwise complement, or the negation of a predicate.
    Not,
    /// One of two numbers, selected by a predicate.
    Selection,
    /// The comparison of two numbers.
    Comparison,
    /// The absolute value.
    Absolute,
    /// The negation of a number.
    Negation,
    /// The upper half of a product.
    HighProduct,
    /// A product of the lowest 24 bits.
    Product24,
    /// A product of the lowest 24 bits plus a third number.
    Product24AndSum,
    /// The absolute difference of two numbers plus a third number.
    SumOfDifference,
    /// The quotient of a division.
    Quotient,
    /// The lesser of two numbers.
    Minimum,
    /// The greater of two numbers.
    Maximum,
    /// A bit field of a number.
    ExtractField,
    /// A number with a bit field inserted.
    InsertField,
    /// The bits in reverse order.
    Reversal,
    /// The number of ones.
    Population,
    /// The number of leading zeros.
    LeadingZeros,
    /// The position of the highest bit that differs from the sign.
    FirstBit,
    /// 1 for zero, 0 for anything else.
    IsZero,
    /// A bitwise operation given by a truth table.
    Table,
    /// A selection of bytes of two numbers.
    Permutation,
    /// A shift of two concatenated numbers.
    FunnelShift,
    /// All ones or all zeros, depending on a comparison.
    SetByComparison,
    /// One of two numbers, selected by the sign of a third.
    SelectionBySign,
    /// A number of another thread of the warp.
    Shuffle,
    /// A combination of predicates of the warp's threads.
    Vote,
    /// One of the threads that execute it together.
    Election,
}

/// The formats in which an instruction reads and writes registers, if its types are formats of
/// floating-point numbers (PTX ISA 5.2.3). `computes` marks instructions that copy bits unchanged.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Formats {
    /// Bits, or an operation that is the same in every format.
    Bits,
    /// It computes with numbers of its last type. If another type precedes that, the result and the last operand
    /// have that type.
    Arithmetic,
    /// It converts numbers of its last type to the type before it.
    Conversion,
    /// It multiplies fragments of matrices, `d, a, b, c`, of its last four types. With `.block_scale`, they are
    /// followed by scales of another type, each with a vector that selects them.
    Fragments,
    /// It multiplies matrices, `d, a, b`, of its last three types; `a` may be fragments.
    Matrices,
    /// It adds the operand after its address to the memory there, in the format of its last type.
    Reduction,
}

/// The effect of an instruction on barriers (PTX ISA 9.7.13.15), and on matrices in shared memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BarrierEffect {
    /// It arrives on its barrier, as many times as the next operand specifies, or once.
    Arrive,
    /// It may complete a phase of its barrier in another way.
    MayArrive,
    /// It invalidates its barrier.
    Invalidate,
    /// It initialises its barrier with the number of arrivals in its last operand.
    Init,
    /// It makes its barrier expect the number of bytes in its last operand.
    Expect,
    /// It makes its barrier expect bytes, and then arrives once.
    ExpectAndArrive,
    /// It makes its barrier expect bytes, then arrives, and may change the number of expected arrivals.
    ExpectAndDrop,
    /// It waits on its barrier.
    Wait,
    /// It completes transactions of its barrier itself.
    Complete,
    /// It copies the number of bytes in the operand with this index from 0, which complete on its barrier.
    Copy(usize),
    /// It copies a tile, which completes on its barrier if it has one.
    CopyTile,
    /// It multiplies matrices in shared memory.
    Multiply,
}

/// The ordering effect of an instruction, besides its effect on `mbarrier` objects (PTX ISA 8, 9.7.9.27, 9.7.13).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Order {
    /// Among threads: a fence, or an access that may be to a flag on which other threads wait.
    Threads,
    /// Of initialisations of `mbarrier` objects before what the thread does next: `fence.mbarrier_init`, for which no
    /// other thread waits.
    Initialisations,
    /// Only among the threads of the block: a barrier of the block.
    Block,
    /// Among the threads of the cluster that wait for this one: an arrival at the barrier of the cluster.
    Arrival,
    /// Among threads, and between the generic proxy and others: `fence.proxy`.
    Proxies,
    /// A copy that belongs to a group of its thread.
    Copy(Group),
    /// The commit of the copies so far to a group.
    Commit(Group),
    /// A wait until at most a number of groups is pending: the operand with this index from 0.
    Wait(Group, usize),
    /// A wait for all copies, committed or not, or an `mbarrier` that tracks them.
    WaitAll(Group),
}

/// The kind of copies in a group.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Group {
    /// Copies by `cp.async`.
    Copies,
    /// Copies by `cp.async.bulk` that do not complete on a barrier.
    Bulk,
}

/// The modifier of bulk copies that belong to groups.
pub const BULK_GROUP: &str = "bulk_group";

/// The modifiers of accesses that may be to flags on which other threads wait (PTX ISA 8.4).
pub const ORDERED: &[&str] =
    &["volatile", "relaxed", "acquire", "release", "acq_rel", "sc", "mmio"];

/// A collective effect of threads: of a block at one of its numbered barriers (PTX ISA 9.7.13.1), of a cluster at its
/// barrier (9.7.13.4), of threads of a warp, or of a warpgroup on matrices (9.7.15).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TogetherEffect {
    /// Warps arrive at the block's barrier whose number is the first operand.
    BlockArrive,
    /// Warps arrive at that barrier and wait.
    BlockSync,
    /// Warps arrive, wait and combine predicates: the result is followed by the barrier's number, an optional
    /// number of threads, and the predicate.
    BlockReduce,
    /// Threads arrive at the barrier of the cluster.
    ClusterArrive,
    /// They wait there for all threads of the cluster.
    ClusterWait,
    /// The threads in the mask in the operand with this index from 0 come together.
    Warp(usize),
    /// Accesses to registers are ordered before those of `wgmma`.
    WarpgroupFence,
    /// The multiplications so far become a group.
    WarpgroupCommit,
    /// A wait until at most the number of groups in the first operand is pending.
    WarpgroupWait,
    /// An asynchronous multiplication starts: its accumulators are the first operand, and a
    /// matrix in registers is the second.
    WarpgroupMultiply,
}

/// The modifier of any instruction that completes transactions.
pub const COMPLETES: &str = "complete_tx";

/// The modifier of loads of data that is read-only while the kernel runs.
pub const NON_COHERENT: &str = "nc";

/// The control flow after an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Control {
    /// Control continues with the next instruction.
    Next,
    /// Control jumps to the label in the first operand, or, if guarded, may continue with the next instruction.
    Jump,
    /// Control may jump to any label.
    JumpAnywhere,
    /// The thread ends.
    Ends,
    /// Control returns from the function to its caller.
    Returns,
    /// Control enters a function, and then continues with the next instruction.
    Call,
}

/// A modifier, or a combination of several or with operands, with requirements beyond those of the instruction.
#[derive(Clone, Copy, Debug)]
pub struct Qualifier {
    /// The opcode with the modifiers that distinguish the form: `cp.async.bulk`.
    pub opcode: &'static str,
    /// The modifiers that must all follow it; those in one string must be adjacent.
    pub words: &'static [&'static str],
    /// The modifiers that must not occur.
    pub without: &'static [&'static str],
    /// The index from 0 of an operand that it has, and the form of that.
    pub operand: Option<(usize, OperandForm)>,
    /// The opcode with the modifiers: `cp.async.bulk.multicast::cluster`; with the operands, if they matter.
    pub name: &'static str,
    /// The requirements.
    pub needs: Needs,
}

/// The form of an operand, as far as it has requirements of its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OperandForm {
    /// Any form.
    Any,
    /// A predicate.
    Predicate,
    /// A result with a predicate: `d|p`.
    WithPredicate,
    /// A result that is discarded: `_`.
    Discarded,
}

/// A modifier that an instruction needs, or has needed since some version.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Required {
    /// The modifier: `sync`.
    pub modifier: &'static str,
    /// The first PTX version that refuses the instruction without it.
    pub since: Version,
    /// The lowest architecture for which it does.
    pub min_arch: u16,
    /// What is wrong without it, after the opcode.
    pub missing: &'static str,
    /// What to write instead.
    pub fix: &'static str,
}

/// The requirements of a form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Needs {
    /// The lowest PTX version that supports it.
    pub since: Version,
    /// The lowest one on targets below an architecture, if that is newer: what a later version of PTX brought to
    /// older targets.
    pub since_below: Option<(u16, Version)>,
    /// The lowest architecture (90 for `sm_90`) that supports it.
    pub min_arch: u16,
    /// The only targets that support it; empty if all from the lowest architecture on do.
    pub only: &'static [Target],
}

/// An address operand without brackets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Taken {
    /// The index of the operand, from 0.
    pub operand: usize,
    /// The state space of the address.
    pub space: AddressSpace,
}

/// The access of an instruction at an address.
#[derive(Clone, Copy, Debug)]
pub struct AddressOperand {
    /// The kind of object at the address.
    pub role: Role,
    /// The state space of the address.
    pub space: AddressSpace,
    /// The kind of access.
    pub direction: Direction,
    /// The size and the alignment of the access.
    pub size: AccessSize,
    /// The access to the tensor, if the object is a map through which the instruction accesses one.
    pub tensor: Option<Direction>,
}

/// The kind of object at an address.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// Data.
    Data,
    /// A tensor map.
    Map,
    /// An `mbarrier` object.
    Barrier,
    /// A texture.
    Texture,
    /// A surface.
    Surface,
    /// Tensor memory.
    TensorMemory,
}

/// The state space of an address.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AddressSpace {
    /// The `n`-th state space among the modifiers, from 0; generic if there are not as many.
    Named(usize),
    /// This state space, or a generic address into it.
    Always(Space),
    /// Any state space, through a generic address.
    Generic,
    /// The state space of the variable whose address is taken.
    Own,
    /// None of the addressable state spaces: textures, surfaces and tensor memory.
    Elsewhere,
}

/// The access of an instruction at an address.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// It reads.
    Read,
    /// It writes.
    Write,
    /// It does both.
    ReadWrite,
    /// It affects caches.
    Cache,
    /// It uses the address itself, without an access.
    Taken,
}

/// The size of an access at an address, and its alignment in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AccessSize {
    /// The size of the type times the number of elements of the vector, aligned to its own size.
    Typed,
    /// This many bytes, with this alignment.
    Fixed(usize, usize),
    /// The number of bytes in the operand with this index from 0, with this alignment.
    Counted(usize, usize),
    /// The number of bytes in this operand, aligned to that number.
    CountedAligned(usize),
    /// The number of bytes in this operand, or fewer if another operand follows, aligned to that number.
    CountedAlignedAtMost(usize),
    /// A row of a matrix: 16 bytes for matrices of 8 by 8 elements.
    MatrixRow,
    /// An unknown size; the PTX ISA asks for the alignment of the registers in the operand with this index from 0, and
    /// [`fragment_alignment`](super::fragment_alignment) has what the hardware needs.
    Fragment(usize),
    /// An unknown size, with this alignment.
    Aligned(usize),
    /// Unknown.
    Unknown,
}

impl Row {
    /// Its ordering effect with these modifiers.
    pub fn order(&self, has: impl Fn(&str) -> bool) -> Option<Order> {
        let stands = |(modifier, _): &&(&str, Order)| modifier.is_empty() || has(modifier);
        self.orders.iter().find(stands).map(|(_, order)| *order)
    }

    /// The index of the list of its operands with these modifiers, and the list.
    pub fn operand_types(
        &self,
        has: impl Fn(&str) -> bool,
    ) -> Option<(usize, &'static [OperandType])> {
        let stands = |(modifier, _): &(&str, _)| modifier.is_empty() || has(modifier);
        let n = self.operands.iter().position(stands)?;
        Some((n, self.operands[n].1))
    }

    /// Its effect on barriers and matrices with these modifiers.
    pub fn effect(&self, has: impl Fn(&str) -> bool) -> Option<BarrierEffect> {
        let stands = |(modifier, _): &&(&str, BarrierEffect)| modifier.is_empty() || has(modifier);
        self.effects.iter().find(stands).map(|(_, effect)| *effect)
    }
}

impl Needs {
    /// The lowest PTX version that supports the form on a target; without one, on any.
    pub const fn since_on(&self, target: Option<Target>) -> Version {
        match (self.since_below, target) {
            (Some((arch, version)), Some(target)) if target.arch() < arch => version,
            (_, _) => self.since,
        }
    }

    /// Whether a target supports the form.
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
