//! Statistics about the checks.

/// Counts of what the checks covered.
#[derive(Default, Debug)]
pub(super) struct Seen {
    pub(super) programs: usize,
    pub(super) values: usize,
    pub(super) reaches: usize,
    pub(super) findings: usize,
    /// The findings from single executions.
    pub(super) by_execution: usize,
    /// The findings that are out of bounds in all executions.
    pub(super) nearest: usize,
    /// The findings about block ranks that a cluster does not have.
    pub(super) of_ranks: usize,
    /// The findings about addresses in other blocks that are used as ones in this block.
    pub(super) elsewhere: usize,
    /// The findings in called functions.
    pub(super) in_callees: usize,
    /// The statements that certainly go out of bounds, and how many of them are found.
    pub(super) wrong: usize,
    pub(super) found: usize,
}
