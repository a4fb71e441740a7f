//! What there was to check.

/// What was seen.
#[derive(Default, Debug)]
pub(super) struct Seen {
    pub(super) programs: usize,
    pub(super) values: usize,
    pub(super) reaches: usize,
    pub(super) findings: usize,
    /// The findings that single executions come by.
    pub(super) by_execution: usize,
    /// Those of what is outside in all executions.
    pub(super) nearest: usize,
    /// Those of blocks that a cluster does not have.
    pub(super) of_ranks: usize,
    /// Those of addresses in other blocks that are taken for ones in this.
    pub(super) elsewhere: usize,
    /// Those in functions that are called.
    pub(super) in_callees: usize,
    /// Statements that surely go out of bounds, and those of them that are found.
    pub(super) wrong: usize,
    pub(super) found: usize,
}
