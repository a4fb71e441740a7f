//! Counts of the numbers that a conversion of slices cannot represent.

#![allow(clippy::inline_always)]

use super::scale::most_of;
use super::slice::{Quantized, multiversion};
use super::small_float::SmallFloat;

/// The number of numbers that a conversion cannot represent, by reason; see [`count_special`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct SpecialCounts {
    /// NaNs. In a format without NaN they become the greatest number: 6.0 in [`E2M1`](super::E2M1).
    pub nan: usize,
    /// Infinities of either sign. In a format without infinities they become the greatest number, and in a block they
    /// determine the scale, so that all other elements of the block become zero.
    pub infinite: usize,
    /// Finite numbers whose magnitude is out of range: they become the greatest number.
    pub saturated: usize,
}

/// Counts the numbers that a conversion to `S` with its type's [`CVT`](SmallFloat::CVT) cannot represent: those that
/// are not finite, and those out of range.
///
/// [`quantize`](super::quantize) converts them without an error, as PTX's `cvt` does. Numbers that are quantised in
/// blocks are divided by a scale first, and only saturate if the scale does; for them, only the counts of NaNs and
/// infinities apply.
///
/// ```
/// use ptx_float::E2M1x2;
/// use ptx_float::{SpecialCounts, count_special};
///
/// let counts = count_special::<E2M1x2>(&[1.0, 6.0, -7.0, f32::NAN, f32::INFINITY]);
/// assert_eq!(counts, SpecialCounts { nan: 1, infinite: 1, saturated: 1 });
/// ```
pub fn count_special<S: Quantized>(from: &[f32]) -> SpecialCounts {
    let mut counts = SpecialCounts::default();
    let found = &mut counts;
    multiversion!([S: Quantized] count [S] (from: &[f32], found: &mut SpecialCounts));
    counts
}

#[inline(always)]
fn count<S: Quantized>(from: &[f32], counts: &mut SpecialCounts) {
    let most = most_of(S::Element::FORMAT);
    let (mut nan, mut infinite, mut beyond) = (0, 0, 0);
    for x in from {
        nan += usize::from(x.is_nan());
        infinite += usize::from(x.is_infinite());
        beyond += usize::from(x.abs() > most);
    }
    *counts = SpecialCounts { nan, infinite, saturated: beyond - infinite };
}
