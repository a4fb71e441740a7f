//! Kernels as trees of what threads do.

use crate::Rng;

/// The number of bytes of a stage of a ring.
pub const STAGE: u32 = 1024;

/// Threads of a block.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Who {
    Thread(u32),
    Warp(u32),
    WarpsBelow(u32),
    WarpsFrom(u32),
    ThreadsBelow(u32),
    Lane(u32),
    /// One lane of each warp.
    Elected,
}

/// Which of the words of an array a thread accesses.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum By {
    Thread,
    /// The word of the thread as far from the last one as this is from the first.
    Mirror,
    /// The word so many after that of the thread.
    After(u32),
    Lane,
    /// The word of the other lane of a pair.
    Pair,
    One,
}

/// A word of the data: in the stage of the round, if it is in a ring.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Place {
    pub base: u32,
    pub by: By,
    pub is_staged: bool,
}

/// An mbarrier: that of the stage of the round, if it is in a ring.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Mbarrier {
    pub first: u32,
    pub is_staged: bool,
}

/// The parity of the phase that is awaited.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Parity {
    Fixed(u32),
    /// That of the round in its ring, or the other one.
    Round(bool),
}

/// What threads do.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum What {
    Store(Place),
    Load(Place),
    Add(Place),
    CopyWord(Place),
    Commit,
    WaitGroups(u32),
    ArriveOnCopies(Mbarrier),
    BulkLoad(Place, u32, Mbarrier),
    BulkStore(Place, u32),
    BulkCommit,
    BulkWait(u32),
    ProxyFence,
    Init(Mbarrier, u32),
    Invalidate(Mbarrier),
    Arrive(Mbarrier),
    Expect(Mbarrier, u32),
    Await(Mbarrier, Parity),
    Barrier(u32, Option<u32>),
    BarrierArrive(u32, u32),
    WarpBarrier,
    Exit,
}

/// A part of a kernel.
#[derive(Clone, PartialEq, Debug)]
pub enum Node {
    Do(What),
    If(Who, Vec<Node>),
    /// So many rounds over so many stages.
    Rounds(u32, u32, Vec<Node>),
}

/// A kernel of a block of so many warps.
#[derive(Clone, Debug)]
pub struct Kernel {
    pub warps: u32,
    pub nodes: Vec<Node>,
}

impl Kernel {
    pub const fn threads(&self) -> u32 {
        self.warps * 32
    }
}

/// A number below `count`.
pub(super) fn below(rng: &mut Rng, count: usize) -> u32 {
    u32::try_from(rng.below(count)).unwrap_or_default()
}
