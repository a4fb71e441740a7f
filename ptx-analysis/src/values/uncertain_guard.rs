//! Guards that depend partly on an unwritten predicate; the other part decides whether that matters.

use ptx_isa::sorted::SortedMap;

use crate::flow::origin::Origin;

/// A predicate that combines an unwritten predicate with another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UncertainGuard<'a> {
    /// The register that holds it, which has a single writer.
    pub(crate) register: usize,
    /// The unwritten predicate.
    pub(crate) origin: Origin<'a>,
    /// The index of the other predicate.
    pub(crate) other: usize,
    /// The value of the other predicate for which the result depends on the unwritten one.
    pub(crate) keeps: i128,
}

/// The doubtful predicates of a body.
#[derive(Debug, Default)]
pub(crate) struct UncertainGuards<'a> {
    /// By the nodes of the instructions that combine them.
    pub(crate) definitions: SortedMap<usize, UncertainGuard<'a>>,
    /// By the nodes of the instructions that they guard.
    pub(crate) guards: SortedMap<usize, UncertainGuard<'a>>,
}
