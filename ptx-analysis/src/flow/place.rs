//! Places of findings.

use ptx_isa::ir::body::TokenRange;

/// A place in a body: a token range in a statement. Front ends map it to their source.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The statement index, from 0.
    pub statement: usize,
    /// The tokens.
    pub tokens: TokenRange,
}

impl Place {
    /// Creates a place from a statement index and a token range.
    pub const fn new(statement: usize, tokens: TokenRange) -> Self {
        Self { statement, tokens }
    }
}
