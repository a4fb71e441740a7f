//! What goes wrong in a run.

use alloc::vec::Vec;

use ptx_isa::sorted::SortedMap;

use crate::order::address::Byte;
use crate::order::clock::Clock;
use crate::order::memory::Access;

/// A kind of fault, and what its message needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Two accesses are not ordered.
    Unordered,
    /// Two accesses are ordered, or store the same number, but nothing enforces it.
    Unenforced,
    /// A proxy fence is missing between a write and this read.
    NotFenced,
    /// The memory of a block is accessed that may not have started.
    NotStarted,
    /// The memory of a block is accessed that may have ended.
    MayEnd,
    /// An mbarrier is initialised that is one.
    InitialisedTwice,
    /// An mbarrier is used that is none any more.
    Invalidated,
    /// An mbarrier is used that is not initialised.
    NotInitialised,
    /// An mbarrier is used before its initialisation is known.
    NotPublished,
    /// A phase never completes: so many arrivals and bytes are missing, and so many phases are over. If it is the first one,
    /// and nothing else keeps arrivals from coming: the step that initialises the mbarrier, and the number of arrivals that
    /// it expects.
    NeverOver(u64, i64, u32, Option<(usize, u64)>),
    /// The copies of a phase bring other bytes than are expected: the expected ones, those that come, and the step of the
    /// last copy.
    OtherBytes(i64, i64, usize),
    /// A copy completes in a phase in which no bytes are expected.
    NotExpected,
    /// The first phase of an mbarrier, which is initialised for so many arrivals, never completes: so many come.
    TooFewArrivals(u64, u64),
    /// The wait for an mbarrier of which no phase was over yet was for parity 1, so that it let threads read too early.
    FirstParity,
    /// More arrivals than a phase has left, of so many.
    TooManyArrivals(u64),
    /// A barrier of the block is never met: its number, how many threads arrive, and how many it needs.
    NeverMet(u64, u64, u64),
    /// Threads of a warp do not execute this together: one that does, and one that does not.
    Diverges(u8, u8),
    /// The barrier of the cluster is never met, since a thread does not arrive: the thread and the block.
    ClusterNeverMet(u64, u64),
    /// A mask names a lane that does not come.
    MaskOfAbsent(u32, u8),
    /// A mask does not name the lane that executes this.
    MaskWithoutOwn(u32, u8),
    /// A barrier of the block that does not exist.
    NoBarrier(u64),
    /// A barrier of the block is for so many threads here, and for that many where others arrive; none are all.
    OtherCount(u64, Option<u64>, Option<u64>),
    /// Columns of tensor memory are never freed.
    NotFreed(u64),
    /// So many columns of tensor memory are never free, since so many are held.
    NoColumns(u64, u64),
    /// A register is read into which a load from tensor memory was not waited for.
    StillLoading,
    /// Nothing decides to which phase this belongs, which this thread does; whether that is since all have arrived.
    Undecided(u64, bool),
    /// A barrier of the block for so many threads, which are not whole warps, and whether this waits.
    PartOfWarp(u64, bool),
    /// A barrier of the block at which some reduce predicates and others do not, and whether this does.
    Mixed(u64, bool),
    /// This thread of this block waits for an mbarrier of that block.
    WaitsElsewhere(u64, u64, u64),
    /// A number of columns of tensor memory that cannot be allocated.
    OddColumns(u64),
    /// A block that is not in the cluster: its rank, and the thread and the block that name it.
    NoBlock(u64, u64, u64),
    /// A copy of a number of bytes that is not a multiple of 16.
    NotWhole(u64),
    /// Bytes of an mbarrier that is in use are overwritten.
    Overwritten,
    /// Bytes are read that nothing has written.
    NeverWritten,
    /// Bytes are read as read-only that the kernel has written.
    NotReadOnly,
    /// What is written to one block completes on a barrier of another.
    CompletesElsewhere(u64, u64),
    /// Only so many warps of the warpgroup that starts with this one execute an instruction of it.
    PartialWarpgroup(u64, u64),
    /// An access outside a buffer of this launch, which has so many bytes.
    Outside(u64),
}

impl Kind {
    /// A number that tells the kinds apart.
    const fn number(self) -> u8 {
        match self {
            Self::Unordered => 0,
            Self::NotFenced => 1,
            Self::NotStarted => 2,
            Self::MayEnd => 3,
            Self::InitialisedTwice => 4,
            Self::Invalidated => 5,
            Self::NotInitialised => 6,
            Self::NotPublished => 7,
            Self::NeverOver(..) => 8,
            Self::TooManyArrivals(_) => 9,
            Self::NeverMet(..) => 10,
            Self::Diverges(..) => 11,
            Self::ClusterNeverMet(..) => 12,
            Self::MaskOfAbsent(..) => 13,
            Self::MaskWithoutOwn(..) => 14,
            Self::Unenforced => 15,
            Self::Outside(_) => 16,
            Self::NoBarrier(_) => 17,
            Self::NoBlock(..) => 18,
            Self::NotWhole(_) => 19,
            Self::Overwritten => 20,
            Self::NeverWritten => 21,
            Self::NotReadOnly => 22,
            Self::CompletesElsewhere(..) => 23,
            Self::PartialWarpgroup(..) => 24,
            Self::OtherCount(..) => 25,
            Self::NotFreed(_) => 26,
            Self::NoColumns(..) => 27,
            Self::StillLoading => 28,
            Self::Undecided(..) => 29,
            Self::PartOfWarp(..) => 30,
            Self::Mixed(..) => 31,
            Self::WaitsElsewhere(..) => 32,
            Self::OddColumns(_) => 33,
            Self::TooFewArrivals(..) => 34,
            Self::FirstParity => 35,
            Self::OtherBytes(..) => 36,
            Self::NotExpected => 37,
        }
    }
}

impl Kind {
    /// Whether it may follow from another fault at a barrier.
    pub(super) const fn follows(self) -> bool {
        matches!(
            self,
            Self::NeverOver(..)
                | Self::TooFewArrivals(..)
                | Self::TooManyArrivals(_)
                | Self::OtherBytes(..)
                | Self::NotExpected
                | Self::NeverMet(..)
                | Self::ClusterNeverMet(..)
        )
    }

    /// Whether arrivals at barriers and waits for them do not fit.
    pub(super) const fn is_misfit(self) -> bool {
        self.follows() || matches!(self, Self::Undecided(..))
    }

    /// Whether one of the same kind in another block errs in the same direction: where a block copies fewer bytes than are
    /// expected and a greater one more, one in between may copy as many.
    pub(super) const fn errs_as(self, other: Self) -> bool {
        match (self, other) {
            (Self::NeverOver(_, one, ..), Self::NeverOver(_, other, ..)) => {
                one.signum() == other.signum()
            }
            _ => true,
        }
    }
}

impl Fault {
    /// Whether this is found when all threads have come to their ends, and not before.
    pub(super) fn is_of_end(&self) -> bool {
        let is_after_flag =
            |(one, other): (Access, Access)| one.is_after_flag || other.is_after_flag;
        match self.kind {
            Kind::Unordered => self.accesses.is_some_and(is_after_flag),
            kind => matches!(
                kind,
                Kind::PartialWarpgroup(..)
                    | Kind::Diverges(..)
                    | Kind::Undecided(..)
                    | Kind::NotFreed(_)
                    | Kind::MayEnd
                    | Kind::NeverWritten
                    | Kind::OtherBytes(..)
                    | Kind::NotExpected
            ),
        }
    }
}

/// Why threads are not followed any further.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Lost {
    /// They take more steps than are allowed.
    Effort,
    /// What happens depends on something that is not known.
    Unknown,
}

/// A fault.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fault {
    pub(super) kind: Kind,
    /// The step that is blamed.
    pub(super) step: usize,
    /// The byte that it is about.
    pub(super) byte: Option<Byte>,
    /// Both accesses, the blamed one first.
    pub(super) accesses: Option<(Access, Access)>,
}

/// The kind, the step, and the other step of a fault.
pub(super) type Key = (usize, u8, usize);

impl Fault {
    pub(super) const fn new(kind: Kind, step: usize, byte: Option<Byte>) -> Self {
        Self { kind, step, byte, accesses: None }
    }

    /// A fault of one access, at the byte with this key.
    pub(super) const fn of_access(kind: Kind, access: Access, at: u64) -> Self {
        let (step, byte) = (access.step, Some(Byte::at(at)));
        Self { kind, step, byte, accesses: Some((access, access)) }
    }

    /// Returns the other step.
    pub(super) fn other(&self) -> usize {
        match (self.accesses, self.kind) {
            (Some((_, other)), _) => other.step,
            (None, Kind::OtherBytes(_, _, copy)) => copy,
            (None, _) => self.step,
        }
    }

    /// Blames where an mbarrier is initialised for too many arrivals, if that is why a phase never completes.
    pub(super) const fn to_cause(self) -> Self {
        match self.kind {
            Kind::NeverOver(missing, _, _, Some((step, count))) => Self {
                kind: Kind::TooFewArrivals(count, count.saturating_sub(missing)),
                step,
                ..self
            },
            _ => self,
        }
    }

    /// Returns what is the same for a fault in all runs.
    fn key(&self) -> Key {
        let (one, other) = (self.step, self.other());
        (one.max(other), self.kind.number(), one.min(other))
    }
}

/// The most pairs of accesses that are kept of each pair of steps.
const MOST_OF_STEPS: usize = 16;

/// Accesses to the same bytes after something in memory may have been waited for, which may order them.
#[derive(Debug, Default)]
pub(super) struct AfterFlags(SortedMap<Key, Vec<Fault>>);

impl AfterFlags {
    pub(super) fn note(&mut self, fault: Fault) {
        let all = self.0.entry(fault.key()).or_default();
        if all.len() < MOST_OF_STEPS {
            all.push(fault);
        }
    }

    /// Returns those which nothing in memory orders, since neither thread tells the other: what some have told is given.
    pub(super) fn unordered(&self, told: &Clock) -> impl Iterator<Item = Fault> {
        let may_follow =
            |one: &Access, other: &Access| one.is_after_flag && told.of(other.agent) >= other.time;
        let is_unordered = move |fault: &&Fault| {
            fault
                .accesses
                .is_some_and(|(one, other)| !may_follow(&one, &other) && !may_follow(&other, &one))
        };
        self.0.values().flatten().filter(is_unordered).copied()
    }
}

/// The faults of a run, the first of each kind and pair of steps.
#[derive(Debug, Default)]
pub(super) struct Faults(pub(super) SortedMap<Key, Fault>);

impl Faults {
    pub(super) fn note(&mut self, fault: Fault) {
        self.0.entry(fault.key()).or_insert(fault);
    }
}
