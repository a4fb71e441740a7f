//! Tests of the order in which barriers, asynchronous copies, proxies and blocks of a cluster are used
//! (PTX ISA 8, 9.7.9.27, 9.7.13.15).

use super::{Arg, Args, NONE};

/// Something that an instruction does out of order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Misuse<'a> {
    /// The variable that the instruction goes to, or a register.
    pub name: &'a str,
    /// What is out of order.
    pub what: Disorder,
}

/// What is out of order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Disorder {
    /// Nothing reads the register that says whether a phase is over.
    AnswerUnused,
    /// A barrier is initialised that was before.
    InitialisedTwice,
    /// A barrier is used that was invalidated before.
    UsedAfterInval,
    /// A barrier is used that nothing has initialised.
    NeverInitialised,
    /// A barrier is initialised for so many arrivals, and so many come in a phase at most.
    Arrivals {
        /// The number of arrivals that it is initialised for.
        expected: i128,
        /// The most that come.
        most: i128,
    },
    /// This parity is the first that is awaited on a barrier, of which one phase ends at most until then.
    FirstParity(i128),
    /// A barrier is used by other threads than the one that initialises it, and nothing orders that.
    NotPublished,
    /// What `cp.async` copies is read, and nothing has waited for it.
    ReadBeforeWait(Unwaited),
    /// What a bulk copy reads is written, and nothing has waited for the copy.
    SourceOverwritten,
    /// What the generic proxy has written is read by the async proxy, without a fence.
    ProxyNotFenced,
    /// The memory of another block is used, and nothing has made sure that it started.
    BlockNotStarted,
    /// The memory of another block is read, and nothing makes that wait before it ends.
    BlockMayEnd,
}

/// Why nothing has waited for the copies of a thread.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Unwaited {
    /// There is no wait.
    NoWait,
    /// They are committed to no group.
    NotCommitted,
    /// The wait leaves so many groups, and there are no more.
    Leaves(i128),
}

impl<'a> Misuse<'a> {
    /// The name as the only value of a message, if this is what is out of order.
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
            Some([Arg::Str(misuse.name), Arg::Int(expected), Arg::Int(most), NONE])
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
