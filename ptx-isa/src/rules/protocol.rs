//! Tests of the order of operations on barriers, asynchronous copies, proxies and the blocks of a cluster
//! (PTX ISA 8, 9.7.9.27, 9.7.13.15).

use super::{Arg, Args, NONE};

/// An operation that is out of order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Misuse<'a> {
    /// The variable that the instruction accesses, or a register.
    pub name: &'a str,
    /// The problem.
    pub what: Disorder,
}

/// A problem with the order of operations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Disorder {
    /// The result of a test for the end of a phase is never read.
    AnswerUnused,
    /// A barrier is initialised a second time.
    InitialisedTwice,
    /// A barrier is used after it was invalidated.
    UsedAfterInval,
    /// A barrier is used that is never initialised.
    NeverInitialised,
    /// A barrier is initialised with a number of arrivals that no phase reaches.
    Arrivals {
        /// The number of arrivals with which it is initialised.
        expected: i128,
        /// The maximum number of arrivals in a phase.
        most: i128,
    },
    /// This is the parity of the first wait on a barrier, before which at most one phase completes.
    FirstParity(i128),
    /// A barrier is used by threads other than the one that initialises it, without synchronisation.
    NotPublished,
    /// The destination of a `cp.async` is read before a wait.
    ReadBeforeWait(Unwaited),
    /// The source of a bulk copy is overwritten before a wait.
    SourceOverwritten,
    /// Data that was written through the generic proxy is read through the async proxy, without a fence.
    ProxyNotFenced,
    /// The memory of another block is used, but the block may not have started.
    BlockNotStarted,
    /// The memory of another block is read, but that block may exit first.
    BlockMayEnd,
    /// The destination of a bulk copy is read, but nothing waits for the barrier on which the copy completes.
    CompletionNotAwaited,
}

/// The reason why a thread's copies are not waited for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Unwaited {
    /// There is no wait.
    NoWait,
    /// They are not committed to a group.
    NotCommitted,
    /// The wait allows this many pending groups, but there are never more.
    Leaves(i128),
}

impl<'a> Misuse<'a> {
    /// The values of a message with only the name, if this is the problem.
    const fn only_if(self, is_it: bool) -> Option<Args<'a>> {
        if is_it { Some([Arg::Str(self.name), NONE, NONE, NONE]) } else { None }
    }
}

pub(super) const fn answer_unused(misuse: Misuse<'_>) -> Option<Args<'_>> {
    misuse.only_if(matches!(misuse.what, Disorder::AnswerUnused))
}

pub(super) const fn initialised_twice(misuse: Misuse<'_>) -> Option<Args<'_>> {
    misuse.only_if(matches!(misuse.what, Disorder::InitialisedTwice))
}

pub(super) const fn used_after_inval(misuse: Misuse<'_>) -> Option<Args<'_>> {
    misuse.only_if(matches!(misuse.what, Disorder::UsedAfterInval))
}

pub(super) const fn never_initialised(misuse: Misuse<'_>) -> Option<Args<'_>> {
    misuse.only_if(matches!(misuse.what, Disorder::NeverInitialised))
}

pub(super) const fn too_few_arrivals(misuse: Misuse<'_>) -> Option<Args<'_>> {
    match misuse.what {
        Disorder::Arrivals { expected, most } if most < expected => {
            let arrive =
                if most == 1 { Arg::Str("1 arrives") } else { Arg::Worded("# arrive", most) };
            Some([Arg::Str(misuse.name), Arg::Int(expected), arrive, NONE])
        }
        _ => None,
    }
}

pub(super) const fn parity_of_no_phase(misuse: Misuse<'_>) -> Option<Args<'_>> {
    misuse.only_if(matches!(misuse.what, Disorder::FirstParity(1)))
}

pub(super) const fn not_published(misuse: Misuse<'_>) -> Option<Args<'_>> {
    misuse.only_if(matches!(misuse.what, Disorder::NotPublished))
}

pub(super) const fn read_before_wait(misuse: Misuse<'_>) -> Option<Args<'_>> {
    let why = match misuse.what {
        Disorder::ReadBeforeWait(Unwaited::NoWait) => {
            [Arg::Str("nothing waits for the copy"), NONE, NONE]
        }
        Disorder::ReadBeforeWait(Unwaited::NotCommitted) => {
            [Arg::Str("no `cp.async.commit_group` commits the copy to a group"), NONE, NONE]
        }
        Disorder::ReadBeforeWait(Unwaited::Leaves(left)) => [
            Arg::Str("`cp.async.wait_group "),
            Arg::Int(left),
            Arg::Str("` does not wait for its group"),
        ],
        _ => return None,
    };
    Some([Arg::Str(misuse.name), why[0], why[1], why[2]])
}

pub(super) const fn source_overwritten(misuse: Misuse<'_>) -> Option<Args<'_>> {
    misuse.only_if(matches!(misuse.what, Disorder::SourceOverwritten))
}

pub(super) const fn proxy_not_fenced(misuse: Misuse<'_>) -> Option<Args<'_>> {
    misuse.only_if(matches!(misuse.what, Disorder::ProxyNotFenced))
}

pub(super) const fn block_not_started(misuse: Misuse<'_>) -> Option<Args<'_>> {
    misuse.only_if(matches!(misuse.what, Disorder::BlockNotStarted))
}

pub(super) const fn block_may_end(misuse: Misuse<'_>) -> Option<Args<'_>> {
    misuse.only_if(matches!(misuse.what, Disorder::BlockMayEnd))
}

pub(super) const fn completion_not_awaited(misuse: Misuse<'_>) -> Option<Args<'_>> {
    misuse.only_if(matches!(misuse.what, Disorder::CompletionNotAwaited))
}
