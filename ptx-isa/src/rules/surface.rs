//! The test of byte coordinates in a row of a surface.

use super::operand::gcd;
use super::{Arg, Args, NONE, Offset};

/// An access in a row of a surface.
#[derive(Clone, Copy, Debug)]
pub struct SurfaceByte {
    /// The byte coordinate.
    pub byte: Offset,
    /// The number of bytes that the instruction accesses.
    pub count: u64,
}

pub(super) const fn surface_misaligned<'a>(at: SurfaceByte) -> Option<Args<'a>> {
    // Only the alignment that all steps share is certain.
    let sure = gcd(at.count, at.byte.step);
    if sure == 0 || at.byte.base % sure as i128 == 0 {
        return None;
    }
    Some([Arg::Int(at.byte.first()), Arg::Int(at.count as i128), NONE, NONE])
}

#[cfg(test)]
mod tests {
    use super::{Offset, SurfaceByte, surface_misaligned};

    fn is_found(base: i128, step: u64, count: u64) -> bool {
        surface_misaligned(SurfaceByte { byte: Offset { base, step }, count }).is_some()
    }

    #[test]
    fn the_known_part_of_the_coordinate_decides() {
        for count in [2, 4, 8, 16_u64] {
            let whole = i128::from(count);
            for base in [0, whole, -whole, 3 * whole] {
                assert!(!is_found(base, 0, count) && !is_found(base, count, count));
            }
            for base in [1, -1, whole - 1, whole + 1, whole / 2] {
                assert!(is_found(base, 0, count), "{base} of {count}");
                assert!(is_found(base, count * 4, count), "{base} of {count}");
                assert!(!is_found(base, 1, count), "{base} of {count}");
            }
        }
        assert!(is_found(2, 4, 8) && !is_found(4, 4, 8) && !is_found(3, 0, 1));
        assert!(!is_found(3, 0, 0), "what has no bytes is anywhere");
    }
}
