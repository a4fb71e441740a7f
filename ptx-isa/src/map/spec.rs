//! The declaration of a tensor map, the tensor that the host adds, and what follows from both.

use super::element::ElementType;
use super::options::{Interleave, L2Promotion, OobFill, Swizzle};
use super::rank::{MAX_RANK, units};
use crate::const_ord::{max, min};

/// The access mode of a map, with its parameters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Mode {
    /// `.tile`: a box of elements (PTX ISA 5.5.3).
    Tiled {
        /// The elements that the box spans along each dimension, the innermost first.
        box_dims: [u32; 5],
    },
    /// `.tile::gather4`: four rows of a matrix become a tile (5.5.3.4).
    Gather4 {
        /// The elements of a row.
        row: u32,
    },
    /// `.tile::scatter4`: a tile becomes four rows of a matrix (5.5.3.4).
    Scatter4 {
        /// The elements of a row.
        row: u32,
    },
    /// `.im2col`: pixels of images, row by row of a bounding box (5.5.4).
    Im2col {
        /// The lower corner of the bounding box, W first; only as many are used as there are
        /// spatial dimensions, two less than the rank.
        lower: [i32; 3],
        /// The upper corner, as an offset from the tensor's, W first.
        upper: [i32; 3],
        /// The channels of a pixel to copy.
        channels_per_pixel: u32,
        /// The pixels to copy.
        pixels_per_column: u32,
    },
    /// `.im2col::w`: pixels along W (5.5.5).
    Im2colW {
        /// The lower corner of the bounding box along W.
        lower: i32,
        /// The upper corner along W, as an offset from the tensor's.
        upper: i32,
        /// The channels of a pixel to copy.
        channels_per_pixel: u32,
        /// The pixels to copy.
        pixels_per_column: u32,
    },
    /// `.im2col::w::128`: 128 pixels along W (5.5.5).
    Im2colW128 {
        /// The lower corner of the bounding box along W.
        lower: i32,
        /// The upper corner along W, as an offset from the tensor's.
        upper: i32,
        /// The channels of a pixel to copy.
        channels_per_pixel: u32,
        /// Ignored by the copy, which always copies 128; the driver's call reads and checks it.
        pixels_per_column: u32,
    },
}

impl Mode {
    /// The pixels that `.im2col::w::128` copies.
    pub const W128_PIXELS: u32 = 128;

    /// The name in a declaration and in PTX, without a dot: `tile::gather4`.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Tiled { .. } => "tile",
            Self::Gather4 { .. } => "tile::gather4",
            Self::Scatter4 { .. } => "tile::scatter4",
            Self::Im2col { .. } => "im2col",
            Self::Im2colW { .. } => "im2col::w",
            Self::Im2colW128 { .. } => "im2col::w::128",
        }
    }

    /// Whether it is `.im2col` or one of its `w` forms.
    #[inline]
    pub const fn is_im2col(&self) -> bool {
        match self {
            Self::Tiled { .. } | Self::Gather4 { .. } | Self::Scatter4 { .. } => false,
            Self::Im2col { .. } | Self::Im2colW { .. } | Self::Im2colW128 { .. } => true,
        }
    }

    /// Whether it is one of the `w` forms of `.im2col`: the driver's wide call encodes them.
    #[inline]
    pub const fn is_wide(&self) -> bool {
        matches!(self, Self::Im2colW { .. } | Self::Im2colW128 { .. })
    }

    /// The box that the driver's tiled call takes; `None` in the `im2col` modes.
    #[inline]
    pub const fn box_dims(&self) -> Option<[u32; 5]> {
        match *self {
            Self::Tiled { box_dims } => Some(box_dims),
            Self::Gather4 { row } | Self::Scatter4 { row } => Some([row, 1, 1, 1, 1]),
            Self::Im2col { .. } | Self::Im2colW { .. } | Self::Im2colW128 { .. } => None,
        }
    }

    /// The elements of a row of the tile: the innermost extent of the box, or the channels of a
    /// pixel.
    #[inline]
    pub const fn inner(&self) -> u32 {
        match *self {
            Self::Tiled { box_dims } => box_dims[0],
            Self::Gather4 { row } | Self::Scatter4 { row } => row,
            Self::Im2col { channels_per_pixel, .. }
            | Self::Im2colW { channels_per_pixel, .. }
            | Self::Im2colW128 { channels_per_pixel, .. } => channels_per_pixel,
        }
    }

    /// The corners of the bounding box in all three spatial dimensions, W first; zero where the
    /// mode has none.
    #[inline]
    pub const fn corners(&self) -> ([i32; 3], [i32; 3]) {
        match *self {
            Self::Tiled { .. } | Self::Gather4 { .. } | Self::Scatter4 { .. } => ([0; 3], [0; 3]),
            Self::Im2col { lower, upper, .. } => (lower, upper),
            Self::Im2colW { lower, upper, .. } | Self::Im2colW128 { lower, upper, .. } => {
                ([lower, 0, 0], [upper, 0, 0])
            }
        }
    }

    /// The pixels of a column that the driver's call takes; `None` in the tiled modes.
    #[inline]
    pub const fn pixels_per_column(&self) -> Option<u32> {
        match *self {
            Self::Tiled { .. } | Self::Gather4 { .. } | Self::Scatter4 { .. } => None,
            Self::Im2col { pixels_per_column, .. }
            | Self::Im2colW { pixels_per_column, .. }
            | Self::Im2colW128 { pixels_per_column, .. } => Some(pixels_per_column),
        }
    }
}

/// The part of a tensor map that its declaration fixes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Spec {
    /// The type of the elements.
    pub element: ElementType,
    /// The number of dimensions, 1 to 5. Array entries past it are ignored.
    pub rank: u32,
    /// The access mode.
    pub mode: Mode,
    /// The traversal stride along each dimension, in elements.
    pub element_strides: [u32; 5],
    /// The layout of channels in memory.
    pub interleave: Interleave,
    /// The permutation of chunks in shared memory.
    pub swizzle: Swizzle,
    /// The size of an L2 cache fetch.
    pub l2_promotion: L2Promotion,
    /// What a load writes for elements outside the tensor.
    pub oob_fill: OobFill,
}

/// The part of a tensor map that the host knows: the tensor itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Tensor {
    /// The global address of the first element.
    pub address: u64,
    /// The elements along each dimension, the innermost first. Past the rank of the map they must
    /// be 1 or 0: a tensor with more dimensions than its map breaks M065.
    pub dims: [u64; 5],
    /// The bytes from one element to the next along each dimension but the innermost, which has
    /// none: `strides[0]` is that of dimension 1. Past the rank of the map they are ignored.
    pub strides: [u64; 4],
}

impl Tensor {
    /// One element at address 0.
    #[doc(hidden)]
    pub const UNIT: Self = Self { address: 0, dims: [1; 5], strides: [0; 4] };

    /// The number of dimensions up to the last one with more than one element, at least 1; a map of
    /// the tensor has at least this rank.
    #[allow(clippy::cast_possible_truncation)] // At most 5.
    pub const fn rank(&self) -> u32 {
        let mut rank = MAX_RANK;
        while rank > 1 && self.dims[rank - 1] <= 1 {
            rank -= 1;
        }
        rank as u32
    }

    /// A tensor without interleave and without gaps between its rows: each stride is the one before
    /// times its extent. [`Spec::dense`] supports interleaves.
    pub const fn dense(address: u64, element: ElementType, dims: [u64; 5]) -> Self {
        Self { address, dims, strides: dense_strides(element.global_bytes(dims[0]), dims) }
    }
}

impl Spec {
    /// A tiled map with everything else at its default: traversal strides of 1, no interleave, no
    /// swizzle, no promotion, zeros for elements out of bounds. Nothing is checked, so that it
    /// works in constants; [`tiled`](Self::tiled) checks.
    pub const fn tiled_unchecked(element: ElementType, rank: u32, box_dims: [u32; 5]) -> Self {
        Self {
            element,
            rank,
            mode: Mode::Tiled { box_dims },
            element_strides: [1; 5],
            interleave: Interleave::None,
            swizzle: Swizzle::None,
            l2_promotion: L2Promotion::None,
            oob_fill: OobFill::Zero,
        }
    }

    /// A tensor without gaps between its rows, for this declaration: each stride is the one before
    /// times its extent. With an interleave dimension 0 counts slices of 16 or 32 bytes.
    pub const fn dense(&self, address: u64, dims: [u64; 5]) -> Tensor {
        let row = row_bytes(self.element, self.interleave, dims[0]);
        Tensor { address, dims, strides: dense_strides(row, dims) }
    }

    /// The bytes from a tensor's first to the end of its last. With an interleave dimension 0
    /// counts slices of 16 or 32 bytes.
    pub const fn extent_bytes(&self, tensor: &Tensor) -> u64 {
        extent(self.element, self.interleave, self.dimensions(), &tensor.dims, &tensor.strides)
    }

    /// Whether the rank is valid, 1 to 5.
    #[inline]
    pub(crate) const fn has_rank(&self) -> bool {
        self.rank as usize == self.dimensions()
    }

    /// The rank, with invalid ranks clamped to the nearest valid one, for use as an index.
    #[inline]
    #[doc(hidden)]
    pub const fn dimensions(&self) -> usize {
        min(max(self.rank as usize, 1), MAX_RANK)
    }

    /// The spatial dimensions of the `im2col` modes: two less than the rank.
    #[inline]
    #[doc(hidden)]
    pub const fn spatial(&self) -> usize {
        self.dimensions().saturating_sub(2)
    }

    /// The dimension of W in the `im2col` modes: after the channels, or the innermost with an
    /// interleave.
    #[doc(hidden)]
    pub const fn first_spatial(&self) -> usize {
        if self.slice_bytes().is_some() { 0 } else { 1 }
    }

    /// The bits of a corner of the `im2col` modes at this rank.
    #[inline]
    #[doc(hidden)]
    pub const fn corner_bits(&self) -> u32 {
        const BITS: [u32; MAX_RANK + 1] = [16, 16, 16, 16, 8, 5];
        BITS[self.dimensions()]
    }

    /// The bytes of a tile as the driver counts them: with a traversal stride, the box divided by
    /// it, rounded **down**, dimension 0 included; one row for `gather4` and `scatter4`; the pixels
    /// passed to the call for `im2col::w::128`.
    #[inline(always)]
    #[allow(clippy::inline_always)] // The mode is usually known where a map is encoded.
    pub(crate) const fn driver_tile_bytes(&self) -> u64 {
        let elements = match self.mode.box_dims() {
            Some(box_dims) => self.traversed(box_dims),
            None => match self.mode.pixels_per_column() {
                Some(pixels) => (self.mode.inner() as u64).saturating_mul(pixels as u64),
                None => 0,
            },
        };
        self.element.shared_bytes(elements)
    }

    /// The elements of a box that remain with traversal strides; a stride of 0 leaves all.
    #[inline(always)]
    #[allow(clippy::inline_always)] // As above.
    const fn traversed(&self, box_dims: [u32; 5]) -> u64 {
        let rank = self.dimensions();
        let (extents, strides) = (units(box_dims, rank), units(self.element_strides, rank));
        let (mut counts, mut i) = (extents, 0);
        while i < MAX_RANK {
            if !matches!((extents[i], strides[i]), (1..=256, 1..=8)) {
                return self.traversed_by_division(box_dims);
            }
            let reciprocal = RECIPROCALS[strides[i] as usize - 1];
            counts[i] = (extents[i] * reciprocal as u32) >> RECIPROCAL_BITS;
            i += 1;
        }
        // These are numbers up to 256, so that the product of two fits in 32 bits.
        let (first, second) = (counts[0] * counts[1], counts[2] * counts[3]);
        first as u64 * second as u64 * counts[4] as u64
    }

    /// Like [`traversed`](Self::traversed), for numbers that no valid map has.
    #[cold]
    const fn traversed_by_division(&self, box_dims: [u32; 5]) -> u64 {
        let (mut elements, mut i) = (1_u64, 0);
        while i < self.dimensions() {
            let stride = if self.element_strides[i] == 0 { 1 } else { self.element_strides[i] };
            elements = elements.saturating_mul((box_dims[i] / stride) as u64);
            i += 1;
        }
        elements
    }
}

/// The strides of rows of this many bytes without gaps: each is the one before times its extent.
const fn dense_strides(row: u64, [_, rows, slices, volumes, _]: [u64; MAX_RANK]) -> [u64; 4] {
    let slice = row.saturating_mul(rows);
    let volume = slice.saturating_mul(slices);
    [row, slice, volume, volume.saturating_mul(volumes)]
}

/// The fractional bits of [`RECIPROCALS`].
const RECIPROCAL_BITS: u32 = 15;

/// The reciprocals of traversal strides 1 to 8, rounded up. Times an extent up to 256 they give the
/// exact quotient: five divisions would take as long as all other checks of a map.
#[allow(clippy::cast_possible_truncation)] // Strides up to 8.
const RECIPROCALS: [u16; 8] = {
    let (mut reciprocals, mut stride) = ([0; 8], 1);
    while stride <= reciprocals.len() {
        let reciprocal = (1_u16 << RECIPROCAL_BITS).div_ceil(stride as u16);
        reciprocals[stride - 1] = reciprocal;
        let mut extent = 0;
        while extent <= 256 {
            let count = (extent * reciprocal as usize) >> RECIPROCAL_BITS;
            assert!(count == extent / stride, "it is exact");
            extent += 1;
        }
        stride += 1;
    }
    reciprocals
};

/// The bytes that dimension 0 takes.
pub(crate) const fn row_bytes(element: ElementType, interleave: Interleave, count: u64) -> u64 {
    match interleave.slice_bytes() {
        None => element.global_bytes(count),
        Some(slice) => count.saturating_mul(slice as u64),
    }
}

/// The bytes from a tensor's first to the end of its last.
const fn extent(
    element: ElementType,
    interleave: Interleave,
    rank: usize,
    dims: &[u64; 5],
    strides: &[u64; 4],
) -> u64 {
    let mut bytes = row_bytes(element, interleave, dims[0]);
    let mut i = 1;
    while i < rank {
        let last = dims[i].saturating_sub(1);
        bytes = bytes.saturating_add(last.saturating_mul(strides[i - 1]));
        i += 1;
    }
    bytes
}
