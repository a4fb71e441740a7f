//! Maps padded to five dimensions, for checks over all dimensions at once.

#![allow(clippy::inline_always)] // The mode is usually known where a map is encoded, and determines the fields that are read.

use super::rank::{MAX_RANK, WITHIN, corners, excess, unit_dims, units};
use super::spec::{Mode, Spec, Tensor};

impl Spec {
    /// The same declaration with dimensions of one element past its rank, which break no rule, and
    /// are all zeros in a descriptor. Checks then run over five dimensions: ranks vary from map to
    /// map, so that a branch on the rank would be mispredicted.
    #[inline(always)]
    pub(crate) const fn with_unit_dimensions(&self) -> Self {
        let rank = self.dimensions();
        let mode = match self.mode {
            Mode::Tiled { box_dims } => Mode::Tiled { box_dims: units(box_dims, rank) },
            Mode::Gather4 { row } => Mode::Gather4 { row },
            Mode::Scatter4 { row } => Mode::Scatter4 { row },
            Mode::Im2col { lower, upper, channels_per_pixel, pixels_per_column } => {
                let (lower, upper) = (corners(lower, rank), corners(upper, rank));
                Mode::Im2col { lower, upper, channels_per_pixel, pixels_per_column }
            }
            Mode::Im2colW { lower, upper, channels_per_pixel, pixels_per_column } => {
                let ([lower, ..], [upper, ..]) =
                    (corners([lower; 3], rank), corners([upper; 3], rank));
                Mode::Im2colW { lower, upper, channels_per_pixel, pixels_per_column }
            }
            Mode::Im2colW128 { lower, upper, channels_per_pixel, pixels_per_column } => {
                let ([lower, ..], [upper, ..]) =
                    (corners([lower; 3], rank), corners([upper; 3], rank));
                Mode::Im2colW128 { lower, upper, channels_per_pixel, pixels_per_column }
            }
        };
        Self { mode, element_strides: units(self.element_strides, rank), ..*self }
    }
}

impl Tensor {
    /// The same tensor with dimensions of one element past this rank, like
    /// [`Spec::with_unit_dimensions`].
    #[inline(always)]
    pub(crate) const fn with_unit_dimensions(&self, spec: &Spec) -> Self {
        let within = &WITHIN[spec.dimensions()];
        let Self { address, dims, mut strides } = *self;
        let dims = unit_dims(dims, spec.dimensions());
        let mut i = 1;
        while i < MAX_RANK {
            strides[i - 1] &= within[i];
            i += 1;
        }
        Self { address, dims, strides }
    }

    /// A number that is not 0 if the tensor has more than one element along a dimension that the
    /// map does not have.
    #[inline(always)]
    pub(crate) const fn excess(&self, spec: &Spec) -> u64 {
        excess(self.dims, spec.dimensions())
    }
}
