//! Guards that nothing writes a part of, where the other part decides whether that matters.

use alloc::collections::BTreeMap;

use crate::origin::Origin;

/// A predicate that is combined from one that nothing writes, and another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Doubt<'a> {
    /// The register that it is written to, by one instruction alone.
    pub(crate) register: usize,
    /// What nothing writes.
    pub(crate) origin: Origin<'a>,
    /// Which of both is the other one.
    pub(crate) other: usize,
    /// What that is where it does not decide.
    pub(crate) keeps: i128,
}

/// Those of a body.
#[derive(Debug, Default)]
pub(crate) struct Doubts<'a> {
    /// By the nodes of the instructions that combine them.
    pub(crate) definitions: BTreeMap<usize, Doubt<'a>>,
    /// By the nodes of instructions that they guard.
    pub(crate) guards: BTreeMap<usize, Doubt<'a>>,
}
