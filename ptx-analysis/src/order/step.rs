//! A step of a body, and what it does.

use alloc::boxed::Box;
use alloc::vec::Vec;

use ptx_isa::Space;
use ptx_isa::instruction::{Direction, Group};

use crate::flow::place::Place;
use crate::order::address::opaque;
use crate::order::lanes::{Lanes, Mask, each_lane};
use crate::order::term::{Term, Thread};

/// A step of a body: a node, by the same index.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools)] // each is so, or not
pub(super) struct Step {
    /// The predicate that guards it: a register, and whether it is negated.
    pub(super) guard: Option<(usize, bool)>,
    /// What it does besides writing registers.
    pub(super) does: Does,
    /// Whether all threads of a warp execute it together.
    pub(super) is_aligned: bool,
    /// Whether all warps of a warpgroup execute it together.
    pub(super) is_of_group: bool,
    /// Whether a warp does it as one, and not each of its threads.
    pub(super) is_of_warp: bool,
    /// Whether it loads what stays the same while the kernel runs (`.nc`).
    pub(super) is_read_only: bool,
    /// Whether it makes known what its thread has done before.
    pub(super) is_release: bool,
    /// Whether it loads what is compared with the memory by an atomic operation afterwards, so that it may be old.
    pub(super) is_guess: bool,
    /// The registers that it writes, and with what.
    pub(super) writes: Box<[(usize, Term)]>,
    /// The registers that it reads, if there are loads from tensor memory.
    pub(super) reads: Box<[usize]>,
    /// The registers to which it copies those, if it does nothing else.
    pub(super) copies_to: Box<[usize]>,
    /// What these are computed from, and nothing else.
    pub(super) sources: Option<Box<[Term]>>,
    /// The places of its operands in brackets, or its own.
    pub(super) places: Box<[Place]>,
}

impl Step {
    /// Returns the place of an operand in brackets.
    pub(super) fn place(&self, operand: u8) -> Place {
        self.places[usize::from(operand).min(self.places.len() - 1)]
    }

    /// Returns the statement.
    pub(super) fn statement(&self) -> usize {
        self.places[0].statement
    }

    /// Whether it tells other blocks of the cluster something, or names them.
    pub(super) fn is_of_cluster(&self) -> bool {
        let multicasts = matches!(
            self.does,
            Does::Copy { blocks: Some(_), .. } | Does::Arrive { blocks: Some(_), .. }
        );
        multicasts || self.writes.iter().any(|(_, term)| term.is_remote())
    }

    /// Computes the numbers that these threads write: one that is not followed is known to be the same where it is
    /// computed from the same.
    pub(super) fn written(&self, term: &Term, mask: Mask, thread: &dyn Thread) -> Lanes {
        let numbers = term.lanes(mask, thread);
        let is_known = match &numbers {
            Lanes::Same(number) => number.is_some(),
            Lanes::Each(_) => each_lane(mask).all(|lane| numbers.at(lane).is_some()),
        };
        let Some(sources) = self.sources.as_ref().filter(|_| !is_known) else { return numbers };
        let from: Vec<Lanes> = sources.iter().map(|source| source.lanes(mask, thread)).collect();
        let opaque =
            |lane: usize| opaque(self.statement(), from.iter().map(|lanes| lanes.at(lane)));
        if numbers.is_same() && from.iter().all(Lanes::is_same) {
            return Lanes::Same(opaque(0));
        }
        Lanes::each(|lane| numbers.at(lane).or_else(|| opaque(lane)))
    }
}

/// A place in memory that an instruction accesses.
#[derive(Debug)]
pub(super) struct Location {
    pub(super) address: Term,
    /// The state space; `None` for a generic address.
    pub(super) space: Option<Space>,
    /// The number of bytes.
    pub(super) bytes: Term,
    pub(super) direction: Direction,
    /// The number of lanes whose addresses count.
    pub(super) lanes: usize,
    /// Its number among the operands in brackets.
    pub(super) operand: u8,
    /// Whether only threads of the same block count on it, if it is atomic (`.cta`).
    pub(super) is_of_block: bool,
}

/// What completes an asynchronous copy.
#[derive(Debug)]
pub(super) enum Completion {
    /// A wait for its group.
    Group(Group),
    /// A phase of an mbarrier, after this many bytes, if that is known.
    Barrier(Location, Option<Term>),
}

/// The phase that a wait is for.
#[derive(Debug)]
pub(super) enum Phase {
    /// Of this parity.
    Parity(Term),
    /// The one of which an arrival returned this state.
    State(Term),
}

/// What a step does.
#[derive(Debug)]
pub(super) enum Does {
    /// Nothing but writing registers.
    Nothing,
    /// It jumps to a step.
    Jump(usize),
    /// It jumps to the step at this index (`brx.idx`).
    Switch(Term, Box<[usize]>),
    /// The thread ends.
    Ends,
    /// The kernel fails.
    Traps,
    /// Something that is not followed.
    Lost,
    /// It loads into these registers, each of this many bytes, signed or not.
    Load(Location, Box<[Option<usize>]>, u64, bool),
    /// It stores these numbers, each of this many bytes.
    Store(Location, Box<[Term]>, u64),
    /// It writes memory, and it is not known where.
    Changes,
    /// Other accesses; whether they are atomic.
    Access(Box<[Location]>),
    /// A load, a store or an atomic operation that may be on a flag; whether the result may be waited for, and whether it
    /// compares.
    Flag(Location, bool, bool),
    /// An asynchronous copy to the blocks in a mask, if it has one.
    Copy {
        accesses: Box<[Location]>,
        completion: Completion,
        blocks: Option<Term>,
        how: Copying,
    },
    /// A commit of the copies so far.
    Commit(Group),
    /// A wait until at most so many groups are pending; whether only reads have to be over.
    Wait(Group, Term, bool),
    /// A wait for all copies.
    WaitAll(Group),
    /// It initialises an mbarrier for a number of arrivals.
    Init(Location, Term),
    Invalidate(Location),
    /// It expects bytes, if any, and arrives so many times; the register for the state; whether it also lowers the count.
    Arrive {
        barrier: Location,
        bytes: Option<Term>,
        count: Term,
        state: Option<usize>,
        drops: bool,
        copies: Arrival,
        is_relaxed: bool,
        /// The mask of the blocks in which it arrives, if it has one.
        blocks: Option<Term>,
    },
    /// It completes bytes.
    Complete(Location, Term),
    /// It tests a phase, and writes the answer to this register; whether that is relaxed.
    Test(Location, Phase, Option<usize>, bool),
    /// A barrier of the block: its number, the number of threads, if not all, whether they wait, and whether they reduce
    /// predicates.
    Barrier {
        number: Term,
        count: Option<Term>,
        waits: bool,
        reduces: bool,
    },
    /// Arrival at the barrier of the cluster, whether it is relaxed.
    ClusterArrive(bool),
    /// The wait for it.
    ClusterWait,
    /// An instruction of the threads in a mask: its opcode, the mask, and what they do.
    Warp(&'static str, Term, Collective),
    /// It multiplies matrices that these descriptors describe.
    Multiply(Box<[Term]>),
    CommitMultiplications,
    WaitMultiplications(Option<u64>),
    /// Something with tensor memory.
    Tensor(Tensor),
    /// A fence between threads.
    Fence,
    /// A fence between proxies.
    FenceProxy,
}

impl Does {
    /// Whether it counts at a barrier: it arrives there, or copies what is waited for.
    pub(super) const fn is_counted(&self) -> bool {
        matches!(self, Self::Arrive { .. } | Self::Copy { .. } | Self::Barrier { .. })
    }
}

/// What an instruction does with tensor memory.
#[derive(Debug)]
pub(super) enum Tensor {
    /// It allocates so many columns, and stores the address of the first.
    Allocate(Location, Term),
    /// It frees so many columns from this one on.
    Free(Term, Term),
    /// A warp loads from this address into these registers, which have their numbers after a wait; whether it accesses all of
    /// its 32 lanes, and not 16.
    Load(Term, Box<[usize]>, bool),
    /// A warp stores, likewise.
    Store(Term, bool),
    /// It waits for loads or stores, which are copies of this kind.
    Wait(usize),
    /// It writes to the first address the product of matrices in shared memory, which these descriptors describe, or of one in
    /// tensor memory, at the second address, and one that is described; or it copies. The last is the instruction descriptor.
    Multiply((Term, Option<Term>), Box<[Term]>, Term),
}

/// What a copy has to keep to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Copying {
    /// It copies multiples of 16 bytes.
    Whole,
    /// It copies a tile, whose bytes in shared memory are not known, but for the first.
    Tile,
    /// It may complete on a barrier of the other block of a pair.
    ForPair,
    /// Nothing else.
    Other,
}

/// How an arrival depends on copies of its thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Arrival {
    /// It does not.
    Plain,
    /// It happens when they are over.
    AfterCopies,
    /// It happens when they are over, and is expected in addition.
    AfterCopiesExpected,
    /// It happens when multiplications are over.
    AfterMultiplications,
}

/// What the threads of a mask do together.
#[derive(Debug)]
pub(super) enum Collective {
    /// They synchronise.
    Sync,
    /// They choose one: the register for its lane, and the predicate.
    Elect(Option<usize>, Option<usize>),
    /// They read each other's numbers: the result, the predicate, how, the number, the lane operand, and the clamp.
    Shuffle { to: Option<usize>, is_valid: Option<usize>, how: Shuffle, operands: Box<[Term; 3]> },
    /// They combine predicates.
    Vote(Option<usize>, Vote, Box<Term>),
    /// Something whose result is not followed.
    Other,
}

/// Which thread's number a thread reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shuffle {
    Up,
    Down,
    Butterfly,
    Index,
}

/// How predicates are combined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Vote {
    All,
    Any,
    Uniform,
    Ballot,
}

/// Whether a step does something whose order counts.
pub(super) fn is_followed(step: &Step) -> bool {
    !matches!(
        step.does,
        Does::Nothing | Does::Jump(_) | Does::Switch(..) | Does::Ends | Does::Traps | Does::Lost
    )
}
