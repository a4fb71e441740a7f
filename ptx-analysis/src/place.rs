//! Where findings stand.

use ptx_types::ir::body::TokenRange;

/// A place in a body: some tokens of a statement. Front ends map it to their source.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The number of the statement, from 0.
    pub statement: usize,
    /// The tokens.
    pub tokens: TokenRange,
}

impl Place {
    /// These tokens of this statement.
    pub const fn new(statement: usize, tokens: TokenRange) -> Self {
        Self { statement, tokens }
    }
}
