//! What a row of the table says.

use crate::space::Space;
use crate::target::{Target, Version};

/// An instruction: what it needs, what it does at each of its addresses, and what else it does that is
/// followed.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools)] // columns of a table
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
    /// The operands, the first being 0, that are neither results nor addresses and that a wrong number in
    /// makes wait forever, and what it takes each for.
    pub takes: &'static [(usize, &'static str)],
    /// Whether its first operand is where the result goes, and nothing else.
    pub has_result: bool,
    /// The number that it writes, of those that are followed.
    pub computes: Computes,
    /// What it takes registers for, and gives, where its types are formats of numbers.
    pub formats: Formats,
    /// What it does to barriers and matrices: the first effect whose modifier stands on it, of which
    /// the empty one always does.
    pub effects: &'static [(&'static str, BarrierEffect)],
    /// What it orders among threads, groups of copies and proxies: the first whose modifier stands on it, of
    /// which the empty one always does.
    pub orders: &'static [(&'static str, Order)],
    /// What threads do together there.
    pub together: Option<TogetherEffect>,
    /// The modifier with which the first coordinate of a surface counts bytes, if there is one.
    pub byte_coordinate: Option<&'static str>,
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
    /// One that is not followed: nothing is known of it.
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
    /// Whether a generic address is one in a state space.
    IsInSpace,
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
    /// A number without its sign.
    Absolute,
    /// What zero less a number is.
    Negation,
    /// The upper half of a product.
    HighProduct,
    /// A product of the lowest 24 bits.
    Product24,
    /// The same, and a third number added.
    Product24AndSum,
    /// How far two numbers are apart, and a third number added.
    SumOfDifference,
    /// A division.
    Quotient,
    /// The lower of two numbers.
    Minimum,
    /// The greater of two numbers.
    Maximum,
    /// A field of bits.
    ExtractField,
    /// A number with a field of bits in it.
    InsertField,
    /// The bits in the other order.
    Reversal,
    /// How many bits are ones.
    Population,
    /// How many zeros stand before the first one.
    LeadingZeros,
    /// Where the first bit stands that is not like the sign.
    FirstBit,
    /// One for zero, zero for anything else.
    IsZero,
    /// Bit by bit as a table says.
    Table,
    /// Bytes of two numbers.
    Permutation,
    /// Two numbers side by side, shifted.
    FunnelShift,
    /// Ones or zeros, as two numbers compare.
    SetByComparison,
    /// One of two numbers, as the sign of a third says.
    SelectionBySign,
}

/// What an instruction takes registers for by its types, and what it gives, where those are formats of
/// floating-point numbers (PTX ISA 5.2.3). What carries bits as they are, `computes` says.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Formats {
    /// Bits, or what comes to the same in every format.
    Bits,
    /// It computes with numbers of its last type. If another one stands before that, it gives such, and takes
    /// its last operand for one.
    Arithmetic,
    /// It takes numbers of its last type, and gives those of the one before.
    Conversion,
    /// It multiplies fragments of matrices, `d, a, b, c`, of its last four types; with `.block_scale`
    /// behind them scales of another, each with a vector that says which.
    Fragments,
    /// It multiplies matrices, `d, a, b`, of its last three types, of which `a` may be fragments.
    Matrices,
    /// It adds what stands behind its address to what is there, in the format of its last type.
    Reduction,
}

/// What an instruction does to barriers (PTX ISA 9.7.13.15), and to matrices in shared memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BarrierEffect {
    /// It arrives on its barrier, as often as the operand behind that says, or once.
    Arrive,
    /// It may end a phase of its barrier in another way.
    MayArrive,
    /// Its barrier is none any more.
    Invalidate,
    /// It makes its barrier, for as many arrivals as its last operand says.
    Init,
    /// It has its barrier expect as many bytes as its last operand says.
    Expect,
    /// The same, and then it arrives once.
    ExpectAndArrive,
    /// The same, and then it arrives, and may change how many arrivals are expected.
    ExpectAndDrop,
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

/// What an instruction orders, beside what it does to the objects of `mbarrier` (PTX ISA 8, 9.7.9.27, 9.7.13).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Order {
    /// What other threads do: a fence, or an access that may be a flag which they wait for.
    Threads,
    /// What the threads of the block do, and of no other: a barrier of it.
    Block,
    /// What the threads of the cluster do that wait for this one: an arrival at its barrier.
    Arrival,
    /// The same, and it orders accesses of the generic proxy and others: `fence.proxy`.
    Proxies,
    /// It copies in a group of its thread.
    Copy(Group),
    /// It ends the group of the copies so far.
    Commit(Group),
    /// It waits until this operand's number of groups at most is left, the first being 0.
    Wait(Group, usize),
    /// It waits for all copies, committed or not, or has an `mbarrier` do so.
    WaitAll(Group),
}

/// Which copies are in a group.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Group {
    /// Those of `cp.async`.
    Copies,
    /// Those of `cp.async.bulk` that complete on no barrier.
    Bulk,
}

/// The modifier of bulk copies in groups.
pub const BULK_GROUP: &str = "bulk_group";

/// The modifiers of accesses that may be flags which other threads wait for (PTX ISA 8.4).
pub const ORDERED: &[&str] =
    &["volatile", "relaxed", "acquire", "release", "acq_rel", "sc", "mmio"];

/// What threads do together: those of a block at one of its numbered barriers (PTX ISA 9.7.13.1), those of
/// a warpgroup with matrices (9.7.15).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TogetherEffect {
    /// Warps arrive at the barrier of the block with the number in the first operand.
    BlockArrive,
    /// They arrive there and wait.
    BlockSync,
    /// They arrive, wait and combine predicates: behind the result stand the number, a number of threads
    /// or none, and the predicate.
    BlockReduce,
    /// What was done to registers comes before what `wgmma` does to them.
    WarpgroupFence,
    /// The multiplications up to here are a group.
    WarpgroupCommit,
    /// All groups are waited for but as many of the last as the first operand says.
    WarpgroupWait,
    /// A multiplication begins that goes on by itself: its accumulators are the first operand, and a
    /// matrix in registers the second.
    WarpgroupMultiply,
}

/// The modifier of what completes transactions, on whatever instruction it stands.
pub const COMPLETES: &str = "complete_tx";

/// The modifier of what reads data that nothing stores to while the kernel runs.
pub const NON_COHERENT: &str = "nc";

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
    /// Out of the function, to where it was called.
    Returns,
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
    /// What it orders with these modifiers.
    pub fn order(&self, has: impl Fn(&str) -> bool) -> Option<Order> {
        let stands = |(modifier, _): &&(&str, Order)| modifier.is_empty() || has(modifier);
        self.orders.iter().find(stands).map(|(_, order)| *order)
    }

    /// What it does to barriers and matrices with these modifiers.
    pub fn effect(&self, has: impl Fn(&str) -> bool) -> Option<BarrierEffect> {
        let stands = |(modifier, _): &&(&str, BarrierEffect)| modifier.is_empty() || has(modifier);
        self.effects.iter().find(stands).map(|(_, effect)| *effect)
    }
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
