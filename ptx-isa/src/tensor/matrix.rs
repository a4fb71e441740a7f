//! Descriptors of tiles as matrices in shared memory, for `wgmma` and `tcgen05.mma` (PTX ISA 9.7.15 and 9.7.16, matrix
//! descriptors).

use core::fmt;

use super::major::Major;
use super::matrix_error::MatrixError;
use crate::const_ord::max;
use crate::map::{Interleave, Swizzle};
use crate::map::{Mode, Spec};

/// The instructions that read a matrix through a descriptor. Each has its own layout of the swizzle
/// mode.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Reader {
    Wgmma,
    Tcgen05,
}

impl Reader {
    /// The value of the swizzle mode.
    const fn mode(self, swizzle: Swizzle) -> Option<u64> {
        match (self, swizzle) {
            (_, Swizzle::None) => Some(0),
            (Self::Wgmma, Swizzle::B128) => Some(1),
            (Self::Wgmma, Swizzle::B64) | (Self::Tcgen05, Swizzle::B128) => Some(2),
            (Self::Wgmma, Swizzle::B32) => Some(3),
            (Self::Tcgen05, Swizzle::B64) => Some(4),
            (Self::Tcgen05, Swizzle::B32) => Some(6),
            (
                _,
                Swizzle::B96 | Swizzle::B128Atom32 | Swizzle::B128Atom32Flip8 | Swizzle::B128Atom64,
            ) => None,
        }
    }

    /// The lowest bit of the swizzle mode, and the bits that every descriptor sets.
    const fn layout(self) -> (u32, u64) {
        match self {
            Self::Wgmma => (62, 0),
            // The version of the layout.
            Self::Tcgen05 => (61, 1 << 46),
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Wgmma => "wgmma",
            Self::Tcgen05 => "tcgen05.mma",
        }
    }

    /// Whether it reads elements of this many bits with this dimension along the rows.
    const fn reads(self, bits: u32, major: Major) -> bool {
        let is_transposed = matches!(major, Major::Mn);
        match self {
            Self::Wgmma if is_transposed => bits == 16,
            Self::Wgmma => matches!(bits, 8 | 16 | 32),
            Self::Tcgen05 if is_transposed => matches!(bits, 8 | 16),
            Self::Tcgen05 => matches!(bits, 4 | 6 | 8 | 16 | 32),
        }
    }
}

/// A 64-bit descriptor of a matrix in shared memory, as `wgmma.mma_async` or `tcgen05.mma` takes it.
///
/// It does not contain the address of the tile, which a kernel adds: `and` the address with
/// `0x3ffff`, `shr` it by 4, and `add` it to [`bits`](Self::bits). [`at`](Self::at) does so where
/// the address is known.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct MatrixDescriptor {
    /// All fields but the start address.
    fields: u64,
    /// The address of the tile in bytes.
    tile: u32,
    /// The bytes from the tile to the start address.
    along: u32,
    swizzle: Swizzle,
    reader: Reader,
    /// The elements of K between possible starts, and the bytes between these.
    step: (u32, u32),
    /// The elements of K from the start to the end of the tile.
    depth: u32,
}

/// The number of bits of a shared memory address that a descriptor has room for.
const ADDRESS_BITS: u32 = 18;

/// The offset in bytes in the field that starts at this bit of a descriptor.
pub(crate) const fn offset_bytes(descriptor: u64, at: u32) -> u64 {
    (descriptor >> at & 0x3fff) * 16
}

#[allow(clippy::cast_possible_truncation)] // 18 bits.
impl MatrixDescriptor {
    /// The bits; the lowest 14 are the start address in bytes, shifted right by 4.
    pub const fn bits(self) -> u64 {
        self.fields | self.start_bytes() as u64 >> 4
    }

    /// The bytes of the leading dimension offset.
    pub const fn leading_bytes(self) -> usize {
        offset_bytes(self.fields, 16) as usize
    }

    /// The bytes of the stride dimension offset: from 8 rows to the next 8.
    pub const fn stride_bytes(self) -> usize {
        offset_bytes(self.fields, 32) as usize
    }

    /// The start address in bytes: the address of the tile, if [`at`](Self::at) set it, plus the
    /// bytes that [`advance_k`](Self::advance_k) added.
    pub const fn start_bytes(self) -> usize {
        (self.tile + self.along) as usize
    }

    /// The descriptor of the tile at this address of shared memory, in bytes.
    ///
    /// # Errors
    /// If the swizzle's pattern does not start there, or the address is 256 KiB or more.
    pub const fn at(mut self, address: u32) -> Result<Self, MatrixError> {
        let alignment =
            if matches!(self.swizzle, Swizzle::None) { 16 } else { self.swizzle.repeat() };
        if !address.is_multiple_of(alignment) {
            return Err(MatrixError::Unaligned { address, alignment });
        }
        self.tile = address;
        self.checked()
    }

    /// The descriptor, if its start address fits.
    const fn checked(self) -> Result<Self, MatrixError> {
        let start = self.tile.saturating_add(self.along);
        if start >> ADDRESS_BITS == 0 { Ok(self) } else { Err(MatrixError::Address(start)) }
    }

    /// The descriptor of the part of the matrix that starts this many elements further along K: the
    /// next instruction along K takes it.
    ///
    /// ```
    /// use ptx_isa::tensor::{ElementType, Major, Spec, Swizzle};
    /// let tile = Spec::tiled(ElementType::Bf16, &[64, 128]).unwrap().with_swizzle(Swizzle::B128);
    /// let matrix = tile.matrix_descriptor(Major::K)?;
    /// // An instruction takes 16 elements of 2 bytes.
    /// assert_eq!(matrix.advance_k(16)?.bits(), matrix.bits() + (32 >> 4));
    /// assert_eq!(
    ///     matrix.advance_k(64).unwrap_err().to_string(),
    ///     "the tile ends 64 elements further along K: advance by less than 64"
    /// );
    /// # Ok::<(), ptx_isa::tensor::MatrixError>(())
    /// ```
    ///
    /// # Errors
    /// If no instruction can start there, or it is beyond the end of the tile.
    pub const fn advance_k(mut self, elements: u32) -> Result<Self, MatrixError> {
        let (unit, bytes) = self.step;
        if !elements.is_multiple_of(unit) {
            return Err(MatrixError::Step { elements, unit });
        }
        if elements >= self.depth {
            return Err(MatrixError::BeyondTile { elements, depth: self.depth });
        }
        self.depth -= elements;
        self.along = self.along.saturating_add((elements / unit).saturating_mul(bytes));
        self.checked()
    }
}

impl fmt::Debug for MatrixDescriptor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MatrixDescriptor")
            .field("instruction", &self.reader.name())
            .field("start_bytes", &self.start_bytes())
            .field("leading_bytes", &self.leading_bytes())
            .field("stride_bytes", &self.stride_bytes())
            .field("swizzle", &self.swizzle)
            .finish_non_exhaustive()
    }
}

impl Spec {
    /// The rows that a swizzle permutes together, and that a core matrix has.
    const ROWS: usize = 8;

    /// The descriptor of the tile as a matrix of `wgmma` (PTX ISA 9.7.15).
    ///
    /// Without a swizzle, a row of the tile must be 16 bytes, a row of a core matrix: dimension 1
    /// is the other dimension of the matrix, and dimension 2 continues the first. Dimensions of one
    /// element before the rows do not count: a box of `[64, 1, 128]` has 128 rows.
    ///
    /// # Errors
    /// The property of the tile that rules out such a descriptor: interleaves, modes other than
    /// `tile`, swizzles other than those of 32, 64 and 128 bytes in chunks of 16, rows narrower
    /// than the swizzle's span, numbers of rows that are not a multiple of 8, dimensions that the
    /// descriptor cannot describe, elements that `wgmma` does not read (of 64 bits, and with
    /// [`Major::Mn`] all but those of 16), and offsets of 256 KiB and more.
    pub const fn matrix_descriptor(&self, major: Major) -> Result<MatrixDescriptor, MatrixError> {
        self.descriptor_for(Reader::Wgmma, major)
    }

    /// The descriptor of the tile as a matrix of `tcgen05.mma` (PTX ISA 9.7.16), like
    /// [`matrix_descriptor`](Self::matrix_descriptor); the instruction has its own descriptor,
    /// [`MmaDescriptor`](super::MmaDescriptor).
    ///
    /// The layout follows the ISA; it was not tested on a GPU.
    ///
    /// # Errors
    /// As above, with elements of 4 and 6 bits for [`Major::K`], and of 8 bits for both. The
    /// swizzle [`B128Atom32`](Swizzle::B128Atom32), which transposes elements of 32 bits, is
    /// refused: its offsets are not known.
    pub const fn tcgen05_descriptor(&self, major: Major) -> Result<MatrixDescriptor, MatrixError> {
        self.descriptor_for(Reader::Tcgen05, major)
    }

    /// The bytes of a row of the tile as a matrix: the span of the swizzle, or a row of a core
    /// matrix without one.
    pub(crate) const fn matrix_row(&self) -> usize {
        if matches!(self.swizzle, Swizzle::None) { 16 } else { self.swizzle.span() as usize }
    }

    #[allow(clippy::cast_possible_truncation)] // checked
    const fn descriptor_for(
        &self,
        reader: Reader,
        major: Major,
    ) -> Result<MatrixDescriptor, MatrixError> {
        if !matches!(self.mode, Mode::Tiled { .. }) {
            return Err(MatrixError::Mode(self.mode.name()));
        }
        if !matches!(self.interleave, Interleave::None) {
            return Err(MatrixError::Interleave(self.interleave));
        }
        let Some(mode) = reader.mode(self.swizzle) else {
            return Err(MatrixError::Swizzle { swizzle: self.swizzle, by: reader.name() });
        };
        if !reader.reads(self.element.bits(), major) {
            return Err(MatrixError::Element { element: self.element, major, by: reader.name() });
        }
        let tile = self.tile_dims();
        if self.rank < 2 {
            return Err(MatrixError::Rank(self.rank));
        }
        let span = self.matrix_row();
        let row = self.row_bytes();
        if row != span {
            return Err(MatrixError::Row { row, span });
        }
        // Dimensions of one element before the rows do not move them in the tile.
        let mut of_rows = 1;
        while of_rows + 1 < tile.len() && tile[of_rows] == 1 {
            of_rows += 1;
        }
        let rows = tile[of_rows];
        if !(rows as usize).is_multiple_of(Self::ROWS) {
            return Err(MatrixError::Rows(rows));
        }
        // Dimension 2 continues a row if the descriptor has an offset for it.
        let is_flat = matches!((major, self.swizzle), (Major::K, swizzle) if swizzle.span() != 0);
        let further = if of_rows + 1 < tile.len() { tile[of_rows + 1] } else { 1 };
        let mut dimension = if is_flat { of_rows + 1 } else { of_rows + 2 };
        while dimension < tile.len() {
            if tile[dimension] != 1 {
                return Err(MatrixError::Dimension { dimension, extent: tile[dimension] });
            }
            dimension += 1;
        }
        // From one column of rows of the span to the next, and from 8 rows to the next 8.
        let column = span.saturating_mul(rows as usize);
        let eight = span * Self::ROWS;
        let (leading, stride) = match (major, is_flat, self.swizzle) {
            // Within the span, K advances by the start address: the leading offset is not read.
            (Major::K, true, _) => (1 << 4, eight),
            (Major::Mn, _, Swizzle::None) => (eight, column),
            (Major::K | Major::Mn, _, _) => (column, eight),
        };
        let largest = max(leading, stride);
        if largest >= 1 << ADDRESS_BITS {
            return Err(MatrixError::Offset(largest));
        }
        let chunk = 16 * 16 / self.element.shared_bytes_of_16();
        let (step, depth) = match major {
            Major::Mn => ((Self::ROWS as u32, eight as u32), rows),
            Major::K if is_flat => ((chunk, 16), tile[0]),
            Major::K => ((chunk, column as u32), tile[0].saturating_mul(further)),
        };
        let (shift, version) = reader.layout();
        let fields = (leading as u64 >> 4) << 16 | (stride as u64 >> 4) << 32 | mode << shift;
        let swizzle = self.swizzle;
        let fields = fields | version;
        Ok(MatrixDescriptor { fields, tile: 0, along: 0, swizzle, reader, step, depth })
    }
}
