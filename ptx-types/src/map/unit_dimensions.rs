//! Maps in five dimensions, for what is asked of all of them at once.

#![allow(clippy::inline_always)] // The mode is known where a map is encoded, and decides what is read.

use super::spec::{MAX_RANK, Mode, Spec, Tensor};

impl Spec {
    /// The same declaration with dimensions of one element past its rank: no rule has anything to say of them,
    /// and a descriptor nothing but zeros. What is asked of it is asked of five dimensions, for ranks change
    /// from map to map, and a branch for each would not be foreseen.
    #[inline(always)]
    pub(crate) const fn with_unit_dimensions(&self) -> Self {
        let rank = self.dimensions();
        let mode = match self.mode {
            Mode::Tiled { box_dims } => Mode::Tiled { box_dims: units(box_dims, rank) },
            Mode::Gather4 { row } => Mode::Gather4 { row },
            Mode::Scatter4 { row } => Mode::Scatter4 { row },
            Mode::Im2col { lower, upper, channels_per_pixel, pixels_per_column } => {
                let (lower, upper) = (spatial(lower, rank), spatial(upper, rank));
                Mode::Im2col { lower, upper, channels_per_pixel, pixels_per_column }
            }
            Mode::Im2colW { lower, upper, channels_per_pixel, pixels_per_column } => {
                let ([lower, ..], [upper, ..]) =
                    (spatial([lower, 0, 0], rank), spatial([upper, 0, 0], rank));
                Mode::Im2colW { lower, upper, channels_per_pixel, pixels_per_column }
            }
            Mode::Im2colW128 { lower, upper, channels_per_pixel, pixels_per_column } => {
                let ([lower, ..], [upper, ..]) =
                    (spatial([lower, 0, 0], rank), spatial([upper, 0, 0], rank));
                Mode::Im2colW128 { lower, upper, channels_per_pixel, pixels_per_column }
            }
        };
        Self { mode, element_strides: units(self.element_strides, rank), ..*self }
    }
}

impl Tensor {
    /// The same tensor with dimensions of one element past this rank, as
    /// [`Spec::with_unit_dimensions`].
    #[inline(always)]
    pub(crate) const fn with_unit_dimensions(&self, spec: &Spec) -> Self {
        let within = &WITHIN[spec.dimensions()];
        let Self { address, mut dims, mut strides } = *self;
        let mut i = 0;
        while i < MAX_RANK {
            dims[i] = (dims[i].wrapping_sub(1) & within[i]).wrapping_add(1);
            i += 1;
        }
        i = 1;
        while i < MAX_RANK {
            strides[i - 1] &= within[i];
            i += 1;
        }
        Self { address, dims, strides }
    }
}

/// These numbers, and 1 past the rank.
#[inline(always)]
pub(super) const fn units(mut numbers: [u32; MAX_RANK], rank: usize) -> [u32; MAX_RANK] {
    let mut i = 0;
    while i < MAX_RANK {
        numbers[i] = (numbers[i].wrapping_sub(1) & WITHIN_32[rank][i]).wrapping_add(1);
        i += 1;
    }
    numbers
}

/// These corners, and 0 past the spatial dimensions of the rank.
#[inline(always)]
const fn spatial(mut corners: [i32; 3], rank: usize) -> [i32; 3] {
    let mut i = 0;
    while i < corners.len() {
        corners[i] &= WITHIN_32[rank.saturating_sub(2)][i].cast_signed();
        i += 1;
    }
    corners
}

/// At each rank all bits for the dimensions that there are. A table: of a comparison the compiler may make a
/// branch.
const WITHIN: [[u64; MAX_RANK]; MAX_RANK + 1] = {
    let mut within = [[0; MAX_RANK]; MAX_RANK + 1];
    let mut rank = 1;
    while rank <= MAX_RANK {
        let mut i = 0;
        while i < rank {
            within[rank][i] = u64::MAX;
            i += 1;
        }
        rank += 1;
    }
    within
};

/// The lower halves of [`WITHIN`], for numbers of 32 bits, of which the processor then takes several at once.
#[allow(clippy::cast_possible_truncation)] // The halves are alike.
const WITHIN_32: [[u32; MAX_RANK]; MAX_RANK + 1] = {
    let mut within = [[0; MAX_RANK]; MAX_RANK + 1];
    let mut rank = 0;
    while rank <= MAX_RANK {
        let mut i = 0;
        while i < MAX_RANK {
            within[rank][i] = WITHIN[rank][i] as u32;
            i += 1;
        }
        rank += 1;
    }
    within
};
