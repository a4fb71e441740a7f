//! Locations in a text.

use core::fmt;
use core::ops::Range;

/// A part of a text, in bytes from its start.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Extent {
    /// The offset of its first byte.
    pub start: u32,
    /// The offset just past its last byte.
    pub end: u32,
}

impl Extent {
    /// The part from the start of one part to the end of another.
    pub(super) const fn over((first, last): (Self, Self)) -> Self {
        Self { start: first.start, end: if last.end > first.end { last.end } else { first.end } }
    }

    /// The part as a range of bytes.
    pub const fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// The information that is kept about a token's location.
pub(super) trait Kept: Copy + 'static {
    /// The information about a token from `start` to `end`.
    fn of(start: u32, end: u32) -> Self;
}

impl Kept for Extent {
    fn of(start: u32, end: u32) -> Self {
        Self { start, end }
    }
}

/// Nothing is kept: if there is an error, the statement is parsed again.
impl Kept for () {
    fn of(_: u32, _: u32) {}
}

/// A line and a column of a text. `Display` is `12:17`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}
