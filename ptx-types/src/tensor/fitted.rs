//! Maps whose numbers fit the fields of a descriptor.

#![allow(clippy::inline_always)] // The mode is known where a map is encoded, and decides what is read.

use super::bits::{self, Bits};
use crate::map::{Mode, Spec, Tensor};

/// A map in five dimensions of which each number is cut to its field.
///
/// Almost every map that is encoded is one that nothing is cut from. Of the other numbers the compiler knows what
/// a field holds, so that it asks no rule that these all meet; what does not fit goes the slow way, where every
/// rule is asked. So no rule is written here, and none is missed if it changes.
pub(super) struct Fitted {
    /// The declaration, with [unit dimensions](Spec::with_unit_dimensions) past its rank.
    pub(super) spec: Spec,
    /// The tensor, as the declaration.
    pub(super) tensor: Tensor,
    /// Whether nothing was cut, but for corners, whose bits depend on the rank.
    pub(super) is_whole: bool,
}

impl Fitted {
    #[inline(always)]
    pub(super) const fn new(spec: &Spec, tensor: &Tensor) -> Self {
        let Tensor { address, dims, strides } = tensor.with_unit_dimensions(spec);
        let mut spec = spec.with_unit_dimensions();
        let mut excess = 0;
        let dims = {
            let (mut fitted, mut all, mut i) = (dims, 0, 0);
            while i < dims.len() {
                all |= dims[i].wrapping_sub(1);
                fitted[i] = bits::DIMS[i].cut(dims[i].wrapping_sub(1)) + 1;
                i += 1;
            }
            excess |= bits::DIMS[0].excess(all);
            fitted
        };
        let strides = {
            let (mut fitted, mut all, mut i) = (strides, 0, 0);
            while i < strides.len() {
                all |= strides[i];
                fitted[i] &= STRIDE_BITS;
                i += 1;
            }
            excess |= all & !STRIDE_BITS;
            fitted
        };
        excess |= fit(&mut spec.element_strides, &bits::ELEMENT_STRIDES);
        excess |= match &mut spec.mode {
            Mode::Tiled { box_dims } => fit(box_dims, &bits::BOXES),
            Mode::Gather4 { row } | Mode::Scatter4 { row } => fit_one(row, bits::BOXES[0]),
            Mode::Im2col { channels_per_pixel, pixels_per_column, .. }
            | Mode::Im2colW { channels_per_pixel, pixels_per_column, .. }
            | Mode::Im2colW128 { channels_per_pixel, pixels_per_column, .. } => {
                fit_one(channels_per_pixel, bits::CHANNELS)
                    | fit_one(pixels_per_column, bits::PIXELS)
            }
        };
        Self { spec, tensor: Tensor { address, dims, strides }, is_whole: excess == 0 }
    }
}

/// The bits of a stride in bytes that its fields hold.
const STRIDE_BITS: u64 = {
    let (low, high) = bits::STRIDES[0];
    high.mask() << 36 | low.mask() << 4
};

/// Cuts these numbers, which are stored less one, to fields of one width; what was cut.
#[inline(always)]
const fn fit<const N: usize>(numbers: &mut [u32; N], fields: &[Bits; N]) -> u64 {
    let (mut all, mut i) = (0, 0);
    while i < N {
        all |= numbers[i].wrapping_sub(1);
        fit_one(&mut numbers[i], fields[i]);
        i += 1;
    }
    fields[0].excess(all as u64)
}

/// Cuts a number that is stored less one to its field; what was cut.
#[inline(always)]
#[allow(clippy::cast_possible_truncation)] // It was as short before.
const fn fit_one(number: &mut u32, field: Bits) -> u64 {
    let stored = number.wrapping_sub(1) as u64;
    *number = field.cut(stored) as u32 + 1;
    field.excess(stored)
}
