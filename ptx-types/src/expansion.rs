//! What the macro and the constants that it expands to agree on.

/// How many accesses are judged at once: rustc takes a long evaluation for an endless one.
pub const JUDGED_AT_ONCE: usize = 16;

/// How many rounds tell `count` addresses apart: one of zeros, one of first bytes, one of ones, and
/// one for each binary digit of their numbers, which start at 1.
pub const fn rounds(count: usize) -> u32 {
    3 + (usize::BITS - count.leading_zeros())
}
