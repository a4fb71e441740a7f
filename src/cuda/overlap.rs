//! Arguments through which a kernel may write the same bytes.

use super::launch_error::{LaunchError, Reason};
use super::prepared::Prepared;

/// The bytes that a kernel may write through an argument: from the first address to the second, which is not
/// included.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Written(u64, u64);

impl Written {
    pub(super) const NOTHING: Self = Self(0, 0);

    /// So many bytes from this address on.
    #[inline]
    pub(super) const fn bytes(address: u64, bytes: u64) -> Self {
        Self(address, if bytes == 0 { 0 } else { address.saturating_add(bytes) })
    }

    /// So many elements of this type.
    #[inline]
    pub(super) const fn elements<E>(address: u64, len: usize) -> Self {
        Self::bytes(address, (len as u64).saturating_mul(size_of::<E>() as u64))
    }

    #[inline]
    const fn overlaps(self, other: Self) -> bool {
        self.0 < other.1 && other.0 < self.1
    }
}

impl Prepared<'_> {
    /// Compares the bytes that a kernel may write through its arguments, which are given with the numbers of
    /// their parameters.
    ///
    /// # Errors
    /// Two arguments overlap.
    #[inline]
    pub fn check_overlap<const N: usize>(
        &self,
        written: [(usize, Written); N],
    ) -> Result<(), LaunchError> {
        for (n, (first, one)) in written.iter().enumerate() {
            for (second, other) in written.iter().take(n) {
                if one.overlaps(*other) {
                    return Err(self.overlap((*second, *other), (*first, *one)));
                }
            }
        }
        Ok(())
    }

    #[cold]
    fn overlap(
        &self,
        (first, one): (usize, Written),
        (second, other): (usize, Written),
    ) -> LaunchError {
        let address = one.0.max(other.0);
        let bytes = one.1.min(other.1).saturating_sub(address);
        let name = |index| self.param(index).variable.name;
        self.error(Reason::Overlap { first: name(first), second: name(second), address, bytes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_overlap_where_they_share_a_byte() {
        let range = Written::bytes;
        assert!(range(16, 16).overlaps(range(31, 1)));
        assert!(range(16, 16).overlaps(range(0, 17)));
        assert!(range(16, 16).overlaps(range(20, 4)) && range(20, 4).overlaps(range(16, 16)));
        assert!(!range(16, 16).overlaps(range(32, 16)) && !range(16, 16).overlaps(range(0, 16)));
        assert!(!range(16, 0).overlaps(range(0, 64)) && !range(0, 64).overlaps(range(16, 0)));
        assert!(!Written::NOTHING.overlaps(Written::NOTHING));
        assert!(!Written::NOTHING.overlaps(range(0, 64)));
        assert!(Written::elements::<u64>(8, 2).overlaps(range(23, 1)));
        assert!(range(u64::MAX - 1, 8).overlaps(range(0, u64::MAX)));
    }
}
