//! Tests of what the threads of a block or a cluster do in a launch: the order of their accesses (PTX ISA 8), and the
//! barriers at which they meet (9.7.13).

use super::access::Object;
use super::{Arg, Args, NONE};
pub use crate::rule::{AccessedBy, Accessor};

/// A fault in the order of what threads do.
#[derive(Clone, Copy, Debug)]
pub struct Trace<'a> {
    /// The storage that it is about, or nothing.
    pub object: Option<Object<'a>>,
    /// The fault.
    pub fault: TraceFault,
}

/// A fault in the order of what threads do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TraceFault {
    /// Two accesses to this byte are not ordered, and one of them writes.
    Unordered(i64, Accessor, Accessor),
    /// Two accesses to this byte are not ordered, one of them writes, and machines of today hide it.
    Unenforced(i64, Accessor, Accessor),
    /// A phase of an mbarrier never completes: this many arrivals are missing, and this many bytes, after this many phases.
    PhaseNeverOver(u64, i64, u32),
    /// A phase of an mbarrier has more than this many arrivals.
    TooManyArrivals(u64),
    /// A barrier of the block is never met: its number, how many threads arrive, and how many it waits for.
    BarrierNeverMet(u64, u64, u64),
    /// Only some threads of a warp execute an instruction of the warp: one that does, and one that does not.
    WarpDiverges(u64, u64),
    /// This thread of this block does not arrive at the barrier of the cluster.
    ClusterNeverMet(u64, u64),
    /// This mask names this lane, which does not get here.
    MaskOfAbsent(u32, u8),
    /// This mask does not name this lane, which executes the instruction.
    MaskWithoutOwn(u32, u8),
    /// A barrier of the block with this number is used.
    NoBarrier(u64),
    /// A barrier of the block with this number is for this many threads here, and for that many where others arrive; none are
    /// all.
    OtherCount(u64, Option<u64>, Option<u64>),
    /// This many bytes are copied in bulk.
    NotWhole(u64),
    /// A byte of an mbarrier in use is written.
    Overwritten(i64, Accessor),
    /// A byte is read that nothing writes.
    NeverWritten(i64, Accessor),
    /// What is written to the first of these blocks completes on a barrier of the second.
    CompletesElsewhere(u64, u64),
    /// This thread of this block names a block with this rank, and the cluster has so many.
    NoBlock(u64, u64, u64, u64),
    /// Only so many of the four warps from this one on execute an instruction of a warpgroup.
    PartialWarpgroup(u64, u64),
    /// This many columns of tensor memory are never freed.
    NotFreed(u64),
    /// So many columns of tensor memory are waited for forever, while so many are held.
    NoColumns(u64, u64),
    /// A register is read before the load into it was waited for.
    StillLoading,
    /// At the barrier of the block with this number, some reduce predicates and others do not; whether this does.
    Mixed(u64, bool),
    /// This thread of this block waits for an mbarrier of that block.
    WaitsElsewhere(u64, u64, u64),
    /// So many columns of tensor memory are allocated.
    OddColumns(u64),
    /// Nothing decides to which phase of a barrier this belongs, which this thread does; whether all have arrived in one.
    Undecided(u64, bool),
    /// A byte outside a buffer of this many bytes is accessed.
    Outside(i64, Accessor, u64),
}

impl<'a> Trace<'a> {
    const fn name(self) -> Arg<'a> {
        match self.object {
            Some(object) => object.arg(),
            None => Arg::Str("memory"),
        }
    }
}

const fn number(value: u64) -> Arg<'static> {
    Arg::Int(value as i128)
}

pub(super) const fn unordered(trace: Trace<'_>) -> Option<Args<'_>> {
    let TraceFault::Unordered(byte, first, second) = trace.fault else { return None };
    Some(accesses(trace, byte, first, second))
}

pub(super) const fn unenforced(trace: Trace<'_>) -> Option<Args<'_>> {
    let TraceFault::Unenforced(byte, first, second) = trace.fault else { return None };
    Some(accesses(trace, byte, first, second))
}

const fn accesses(trace: Trace<'_>, byte: i64, first: Accessor, second: Accessor) -> Args<'_> {
    let at = Arg::Int(byte as i128);
    [Arg::Accessor(first, false), at, trace.name(), Arg::Accessor(second, true)]
}

pub(super) const fn phase_never_over(trace: Trace<'_>) -> Option<Args<'_>> {
    let TraceFault::PhaseNeverOver(arrivals, bytes, phases) = trace.fault else { return None };
    let missing = match (arrivals, bytes) {
        (0, 0) => Arg::Str("nothing completes it again"),
        (0, _) => Arg::Worded("# expected bytes never arrive", bytes as i128),
        (1, _) => Arg::Str("1 arrival is missing"),
        (_, _) => Arg::Worded("# arrivals are missing", arrivals as i128),
    };
    let over = match phases {
        0 => NONE,
        1 => Arg::Str("1 phase is over, and "),
        _ => Arg::Worded("# phases are over, and ", phases as i128),
    };
    Some([trace.name(), missing, over, NONE])
}

pub(super) const fn too_many_arrivals(trace: Trace<'_>) -> Option<Args<'_>> {
    let TraceFault::TooManyArrivals(count) = trace.fault else { return None };
    Some([trace.name(), number(count), NONE, NONE])
}

pub(super) const fn barrier_never_met<'a>(trace: Trace<'_>) -> Option<Args<'a>> {
    let TraceFault::BarrierNeverMet(barrier, come, needed) = trace.fault else { return None };
    Some([number(barrier), number(needed), number(come), NONE])
}

pub(super) const fn warp_diverges<'a>(trace: Trace<'_>) -> Option<Args<'a>> {
    let TraceFault::WarpDiverges(one, other) = trace.fault else { return None };
    Some([number(one), number(other), NONE, NONE])
}

pub(super) const fn cluster_never_met<'a>(trace: Trace<'_>) -> Option<Args<'a>> {
    let TraceFault::ClusterNeverMet(thread, block) = trace.fault else { return None };
    Some([number(thread), number(block), NONE, NONE])
}

pub(super) const fn mask_of_absent<'a>(trace: Trace<'_>) -> Option<Args<'a>> {
    let TraceFault::MaskOfAbsent(mask, lane) = trace.fault else { return None };
    Some([Arg::Address(mask as u64), number(lane as u64), NONE, NONE])
}

pub(super) const fn mask_without_own<'a>(trace: Trace<'_>) -> Option<Args<'a>> {
    let TraceFault::MaskWithoutOwn(mask, lane) = trace.fault else { return None };
    Some([Arg::Address(mask as u64), number(lane as u64), NONE, NONE])
}

pub(super) const fn outside_buffer(trace: Trace<'_>) -> Option<Args<'_>> {
    let TraceFault::Outside(byte, accessor, bytes) = trace.fault else { return None };
    Some([Arg::Accessor(accessor, false), Arg::Int(byte as i128), trace.name(), number(bytes)])
}

pub(super) const fn no_such_barrier<'a>(trace: Trace<'_>) -> Option<Args<'a>> {
    let TraceFault::NoBarrier(barrier) = trace.fault else { return None };
    Some([number(barrier), NONE, NONE, NONE])
}

pub(super) const fn barrier_counts<'a>(trace: Trace<'_>) -> Option<Args<'a>> {
    let TraceFault::OtherCount(barrier, here, there) = trace.fault else { return None };
    Some([number(barrier), threads(here), threads(there), NONE])
}

const fn threads<'a>(count: Option<u64>) -> Arg<'a> {
    match count {
        Some(count) => Arg::Size(count, "threads"),
        None => Arg::Str("all threads"),
    }
}

pub(super) const fn columns_not_freed<'a>(trace: Trace<'_>) -> Option<Args<'a>> {
    let TraceFault::NotFreed(columns) = trace.fault else { return None };
    Some([Arg::Size(columns, "columns"), NONE, NONE, NONE])
}

pub(super) const fn no_columns<'a>(trace: Trace<'_>) -> Option<Args<'a>> {
    let TraceFault::NoColumns(columns, held) = trace.fault else { return None };
    Some([Arg::Size(columns, "columns"), number(held), NONE, NONE])
}

pub(super) const fn still_loading<'a>(trace: Trace<'_>) -> Option<Args<'a>> {
    let TraceFault::StillLoading = trace.fault else { return None };
    Some([NONE, NONE, NONE, NONE])
}

pub(super) const fn phase_undecided<'a>(trace: Trace<'_>) -> Option<Args<'a>> {
    let TraceFault::Undecided(thread, may_be_over) = trace.fault else { return None };
    let phase = if may_be_over { "that has all of its arrivals" } else { "before" };
    Some([number(thread), Arg::Str(phase), NONE, NONE])
}

pub(super) const fn barrier_mixed<'a>(trace: Trace<'_>) -> Option<Args<'a>> {
    let TraceFault::Mixed(barrier, reduces) = trace.fault else { return None };
    let (here, there) = if reduces { ("reduces", "do not") } else { ("does not reduce", "do") };
    Some([number(barrier), Arg::Str(here), Arg::Str(there), NONE])
}

pub(super) const fn waits_elsewhere<'a>(trace: Trace<'_>) -> Option<Args<'a>> {
    let TraceFault::WaitsElsewhere(thread, block, other) = trace.fault else { return None };
    Some([number(thread), number(block), number(other), NONE])
}

pub(super) const fn odd_columns<'a>(trace: Trace<'_>) -> Option<Args<'a>> {
    let TraceFault::OddColumns(columns) = trace.fault else { return None };
    Some([Arg::Size(columns, "columns"), NONE, NONE, NONE])
}

pub(super) const fn copy_not_whole<'a>(trace: Trace<'_>) -> Option<Args<'a>> {
    let TraceFault::NotWhole(bytes) = trace.fault else { return None };
    Some([number(bytes), NONE, NONE, NONE])
}

pub(super) const fn barrier_overwritten(trace: Trace<'_>) -> Option<Args<'_>> {
    let TraceFault::Overwritten(byte, accessor) = trace.fault else { return None };
    Some([Arg::Accessor(accessor, false), Arg::Int(byte as i128), trace.name(), NONE])
}

pub(super) const fn never_written(trace: Trace<'_>) -> Option<Args<'_>> {
    let TraceFault::NeverWritten(byte, accessor) = trace.fault else { return None };
    Some([Arg::Accessor(accessor, false), Arg::Int(byte as i128), trace.name(), NONE])
}

pub(super) const fn completes_elsewhere<'a>(trace: Trace<'_>) -> Option<Args<'a>> {
    let TraceFault::CompletesElsewhere(to, on) = trace.fault else { return None };
    Some([number(to), number(on), NONE, NONE])
}

pub(super) const fn partial_warpgroup<'a>(trace: Trace<'_>) -> Option<Args<'a>> {
    let TraceFault::PartialWarpgroup(first, count) = trace.fault else { return None };
    Some([number(first), number(first + 3), number(count), NONE])
}

pub(super) const fn no_such_block<'a>(trace: Trace<'_>) -> Option<Args<'a>> {
    let TraceFault::NoBlock(thread, block, rank, blocks) = trace.fault else { return None };
    Some([number(thread), number(block), number(rank), number(blocks)])
}
