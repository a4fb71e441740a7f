//! Maps whose numbers fit the fields of a descriptor.

#![allow(clippy::inline_always)] // The mode is usually known where a map is encoded, and determines the fields that are read.

use super::bits::{self, Bits};
use crate::map::{MAX_RANK, Mode, Spec, Tensor};

/// A map in five dimensions, with each number truncated to its field.
///
/// Almost no map that is encoded loses anything to this, which one test over all numbers finds out.
/// The compiler knows the range of a truncated number, so that rules which every number in the
/// range satisfies cost nothing. These rules are not repeated here: if a map loses anything, every
/// rule is checked separately.
pub(super) struct Fitted {
    /// The declaration, with [unit dimensions](Spec::with_unit_dimensions) past its rank.
    pub(super) spec: Spec,
    /// The tensor, also with unit dimensions.
    pub(super) tensor: Tensor,
    /// Whether no number was truncated, and the tensor has no more dimensions than the map. Corners
    /// are never truncated: their bits depend on the rank.
    pub(super) is_whole: bool,
}

impl Fitted {
    #[inline(always)]
    pub(super) const fn new(spec: &Spec, tensor: &Tensor) -> Self {
        let beyond = tensor.excess(spec);
        let mut tensor = tensor.with_unit_dimensions(spec);
        let mut spec = spec.with_unit_dimensions();
        let excess = beyond
            | fit_dims(&mut tensor.dims)
            | fit_strides(&mut tensor.strides)
            | fit_all(&mut spec.element_strides, &bits::ELEMENT_STRIDES)
            | match &mut spec.mode {
                Mode::Tiled { box_dims } => fit_all(box_dims, &bits::BOXES),
                Mode::Gather4 { row } | Mode::Scatter4 { row } => fit(row, bits::BOX_0),
                Mode::Im2col { channels_per_pixel, pixels_per_column, .. }
                | Mode::Im2colW { channels_per_pixel, pixels_per_column, .. }
                | Mode::Im2colW128 { channels_per_pixel, pixels_per_column, .. } => {
                    fit(channels_per_pixel, bits::CHANNELS) | fit(pixels_per_column, bits::PIXELS)
                }
            };
        Self { spec, tensor, is_whole: excess == 0 }
    }
}

/// Truncates extents, which are stored minus one; returns the bits lost from any of them.
#[inline(always)]
const fn fit_dims(dims: &mut [u64; 5]) -> u64 {
    let (mut excess, mut i) = (0, 0);
    while i < dims.len() {
        let stored = dims[i].wrapping_sub(1);
        excess |= bits::DIMS[i].excess(stored);
        dims[i] = bits::DIMS[i].cut(stored) + 1;
        i += 1;
    }
    excess
}

/// Truncates strides, which are stored without their lowest four bits; returns the bits lost from
/// any of them.
#[inline(always)]
const fn fit_strides(strides: &mut [u64; 4]) -> u64 {
    const STORED: u64 = bits::STRIDES[0].1.mask() << 36 | bits::STRIDES[0].0.mask() << 4;
    let (mut excess, mut i) = (0, 0);
    while i < strides.len() {
        let stored = strides[i] & STORED;
        excess |= strides[i] ^ stored;
        strides[i] = stored;
        i += 1;
    }
    excess
}

/// Truncates numbers, which are stored minus one; returns the bits lost from any of them.
#[inline(always)]
const fn fit_all(numbers: &mut [u32; 5], fields: &[Bits; 5]) -> u64 {
    let (mut excess, mut i) = (0, 0);
    while i < numbers.len() {
        excess |= fit(&mut numbers[i], fields[i]);
        i += 1;
    }
    excess
}

/// Truncates a number, which is stored minus one; returns the bits that it lost.
#[inline(always)]
#[allow(clippy::cast_possible_truncation)] // It had at most 32 bits before.
const fn fit(number: &mut u32, field: Bits) -> u64 {
    let stored = number.wrapping_sub(1) as u64;
    *number = field.cut(stored) as u32 + 1;
    field.excess(stored)
}

const _: () = {
    let mut i = 0;
    while i < MAX_RANK {
        let is_alike = bits::DIMS[i].width == bits::DIMS[0].width
            && bits::BOXES[i].width == bits::BOXES[0].width
            && bits::ELEMENT_STRIDES[i].width == bits::ELEMENT_STRIDES[0].width;
        assert!(is_alike, "what does not fit one field fits none of them");
        let (low, high) = bits::STRIDES[i % bits::STRIDES.len()];
        assert!(low.width == 32 && high.width == bits::STRIDES[0].1.width, "as above");
        i += 1;
    }
};
