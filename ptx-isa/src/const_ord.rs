//! The lesser and the greater of two numbers in constants, where `Ord` cannot be called yet.

/// The lesser of two numbers.
#[inline]
pub(crate) const fn min(one: usize, other: usize) -> usize {
    one - one.saturating_sub(other)
}

/// The greater of two numbers.
#[inline]
pub(crate) const fn max(one: usize, other: usize) -> usize {
    one + other.saturating_sub(one)
}
