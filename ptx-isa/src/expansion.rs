//! Conventions shared by the macro and the constants that it expands to.

/// The number of accesses checked in one evaluation: rustc lints a long constant evaluation as endless.
pub const CHECKED_AT_ONCE: usize = 16;

/// The number of rounds that distinguish `count` addresses: one of zeros, one of first bytes, one of ones,
/// and one for each binary digit of their numbers, which start at 1.
pub const fn rounds(count: usize) -> u32 {
    3 + (usize::BITS - count.leading_zeros())
}
