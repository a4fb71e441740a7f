//! The tile of a map: the layout of a box in shared memory.

use crate::const_ord::max;
use crate::map::ElementType;
use crate::map::{Interleave, Swizzle};
use crate::map::{MAX_RANK, Mode, Spec};

impl Spec {
    /// The elements of the tile along each dimension in shared memory, with 1 past the last
    /// dimension: with a traversal stride, the box divided by it, rounded up; four rows for
    /// `gather4` and `scatter4`; channels and pixels in the `im2col` modes, without a halo.
    ///
    /// The stride of dimension 0 is used with an interleave only: without one the GPU ignores it,
    /// as the driver's manual states.
    ///
    /// With an interleave a copy takes one slice of channels, whatever the box or the channels of a
    /// pixel are: dimension 0, which is then W, counts slices of 16 or 32 bytes.
    pub const fn tile_dims(&self) -> [u32; 5] {
        let mut tile = [1; MAX_RANK];
        match self.mode {
            Mode::Tiled { box_dims } => {
                let mut i = 0;
                while i < self.dimensions() {
                    let ignored = i == 0 && matches!(self.interleave, Interleave::None);
                    let stride = self.element_strides[i];
                    tile[i] = if ignored || stride == 0 {
                        box_dims[i]
                    } else {
                        box_dims[i].div_ceil(stride)
                    };
                    i += 1;
                }
                if self.slice_bytes().is_some() {
                    tile[self.dimensions() - 2] = 1;
                }
            }
            Mode::Gather4 { row } | Mode::Scatter4 { row } => {
                tile[0] = row;
                tile[1] = 4;
            }
            Mode::Im2col { channels_per_pixel, pixels_per_column, .. }
            | Mode::Im2colW { channels_per_pixel, pixels_per_column, .. } => {
                tile[0] = if self.slice_bytes().is_some() { 1 } else { channels_per_pixel };
                tile[1] = pixels_per_column;
            }
            Mode::Im2colW128 { channels_per_pixel, .. } => {
                tile[0] = channels_per_pixel;
                tile[1] = Mode::W128_PIXELS;
            }
        }
        tile
    }

    /// The bytes of a slice of channels, which dimension 0 counts; `None` without an interleave, or
    /// at a rank that cannot have one.
    #[doc(hidden)]
    pub const fn slice_bytes(&self) -> Option<u32> {
        if self.dimensions() < 3 {
            return None;
        }
        self.interleave.slice_bytes()
    }

    /// The bytes of one row of the tile in shared memory, padding of sub-byte elements included.
    pub const fn row_bytes(&self) -> usize {
        let units = self.tile_dims()[0] as u64;
        match self.slice_bytes() {
            Some(slice) => to_size(units * slice as u64),
            None => to_size(self.element.shared_bytes(units)),
        }
    }

    /// The bytes from one row of the tile to the next in shared memory: a row narrower than the
    /// swizzle's span takes the whole span, except with the 96-byte swizzle, whose rows are packed.
    /// With an interleave, rows are packed too.
    pub const fn row_pitch(&self) -> usize {
        let (row, span) = (self.row_bytes(), self.swizzle.span() as usize);
        let is_packed =
            matches!(self.swizzle, Swizzle::B96) || !matches!(self.interleave, Interleave::None);
        if is_packed { row } else { max(row, span) }
    }

    /// The rows of the tile, without a halo.
    pub const fn rows(&self) -> usize {
        let tile = self.tile_dims();
        let (mut rows, mut i) = (1_u64, 1);
        while i < MAX_RANK {
            rows = rows.saturating_mul(tile[i] as u64);
            i += 1;
        }
        to_size(rows)
    }

    /// The bytes of one tile in shared memory, without a halo, up to the end of the swizzle's span,
    /// anywhere in which its last bytes may be.
    pub const fn tile_bytes(&self) -> usize {
        self.footprint(self.rows())
    }

    /// The bytes of this many rows, up to the end of a span of the swizzle.
    const fn footprint(&self, rows: usize) -> usize {
        let bytes = self.row_pitch().saturating_mul(rows);
        // The 96-byte swizzle moves chunks within 32 bytes.
        let span = match self.swizzle {
            Swizzle::None => return bytes,
            Swizzle::B96 => 32,
            Swizzle::B32
            | Swizzle::B64
            | Swizzle::B128
            | Swizzle::B128Atom32
            | Swizzle::B128Atom32Flip8
            | Swizzle::B128Atom64 => self.swizzle.span() as usize,
        };
        match bytes.checked_next_multiple_of(span) {
            Some(bytes) => bytes,
            None => usize::MAX,
        }
    }

    /// Like [`tile_bytes`](Self::tile_bytes), with this many halo pixels in the instruction; `None`
    /// where [`transaction_bytes_with_halo`](Self::transaction_bytes_with_halo) is.
    pub const fn tile_bytes_with_halo(&self, halo: u32) -> Option<usize> {
        match self.halo_rows(halo) {
            Some(extra) => Some(self.footprint(self.rows().saturating_add(extra))),
            None => None,
        }
    }

    /// The bytes by which a copy of one tile to shared memory completes the transaction of its
    /// mbarrier, wherever the tile is: elements out of bounds count too, because they are filled.
    ///
    /// Padding, of sub-byte elements and of rows narrower than their pitch, is not written and does
    /// not count. (For padded elements this follows the reports of others; it was not tested.)
    pub const fn transaction_bytes(&self) -> usize {
        self.row_payload().saturating_mul(self.rows())
    }

    /// The bytes of a row without padding.
    const fn row_payload(&self) -> usize {
        match self.slice_bytes() {
            Some(_) => self.row_bytes(),
            None => to_size(self.element.global_bytes(self.tile_dims()[0] as u64)),
        }
    }

    /// Like [`transaction_bytes`](Self::transaction_bytes), with this many halo pixels in the
    /// instruction: once after all pixels in `.im2col::w` (below 512), after every 32 in
    /// `.im2col::w::128` (below 32). `None` if the mode does not take this many.
    pub const fn transaction_bytes_with_halo(&self, halo: u32) -> Option<usize> {
        match self.halo_rows(halo) {
            Some(extra) => {
                Some(self.row_payload().saturating_mul(self.rows().saturating_add(extra)))
            }
            None => None,
        }
    }

    /// The rows that a halo adds.
    #[doc(hidden)]
    pub const fn halo_rows(&self, halo: u32) -> Option<usize> {
        match self.mode {
            Mode::Im2colW { .. } if halo < 512 => Some(halo as usize),
            // The halo follows each 32 of the 128 pixels.
            Mode::Im2colW128 { .. } if halo < 32 => Some(4 * halo as usize),
            Mode::Tiled { .. }
            | Mode::Gather4 { .. }
            | Mode::Scatter4 { .. }
            | Mode::Im2col { .. }
                if halo == 0 =>
            {
                Some(0)
            }
            Mode::Tiled { .. }
            | Mode::Gather4 { .. }
            | Mode::Scatter4 { .. }
            | Mode::Im2col { .. }
            | Mode::Im2colW { .. }
            | Mode::Im2colW128 { .. } => None,
        }
    }

    /// The alignment in bytes that a tile needs in shared memory, so that the swizzle's pattern
    /// starts with it: 1024, 512 or 256, and at least 128.
    pub const fn tile_alignment(&self) -> usize {
        self.swizzle.alignment() as usize
    }

    /// The bytes from one tile to the next in an array:
    /// [`tile_bytes`](Self::tile_bytes), rounded up to the [alignment](Self::tile_alignment).
    pub const fn tile_stride(&self) -> usize {
        match self.tile_bytes().checked_next_multiple_of(self.tile_alignment()) {
            Some(stride) => stride,
            None => usize::MAX,
        }
    }

    /// The offset of the byte that would be at this offset of the tile without the swizzle, in a
    /// tile at its [alignment](Self::tile_alignment).
    pub const fn swizzle(&self, offset: usize) -> usize {
        self.swizzle.apply(offset)
    }

    /// The offset in bytes of an element from the start of its tile in shared memory, with the
    /// swizzle, in a tile at its [alignment](Self::tile_alignment); for elements smaller than a
    /// byte, that of the byte where it starts. `None` outside the [tile](Self::tile_dims).
    ///
    /// Coordinates count the elements of the tile, the innermost first; in the `im2col` modes the
    /// channel and the pixel. With an interleave the innermost counts slices of 16 or 32 bytes.
    pub const fn element_offset(&self, coordinates: [u32; 5]) -> Option<usize> {
        let tile = self.tile_dims();
        let (mut row, mut i) = (0_u64, MAX_RANK);
        while i > 1 {
            i -= 1;
            if coordinates[i] >= tile[i] {
                return None;
            }
            row = row.saturating_mul(tile[i] as u64).saturating_add(coordinates[i] as u64);
        }
        if coordinates[0] >= tile[0] {
            return None;
        }
        let column = self.column_offset(coordinates[0] as u64);
        let offset = to_size(row).saturating_mul(self.row_pitch()).saturating_add(column);
        Some(self.swizzle.apply(offset))
    }

    /// The number of coordinates of an element of the tile.
    #[doc(hidden)]
    pub const fn tile_coordinates(&self) -> usize {
        match self.mode {
            Mode::Tiled { .. } => self.rank as usize,
            Mode::Gather4 { .. }
            | Mode::Scatter4 { .. }
            | Mode::Im2col { .. }
            | Mode::Im2colW { .. }
            | Mode::Im2colW128 { .. } => 2,
        }
    }

    /// The bytes from one element of a row to the next, or from one slice to the next; `None` for elements that are
    /// smaller than a byte or have padding between them.
    #[doc(hidden)]
    pub const fn element_bytes(&self) -> Option<usize> {
        if let Some(slice) = self.slice_bytes() {
            return Some(slice as usize);
        }
        let group = self.element.shared_bytes_of_16();
        let is_whole = self.element.bits().is_multiple_of(8) && group == 2 * self.element.bits();
        if is_whole { Some((group / 16) as usize) } else { None }
    }

    /// The offset in bytes of an element in its row, without the swizzle.
    const fn column_offset(&self, column: u64) -> usize {
        if let Some(slice) = self.slice_bytes() {
            return to_size(column * slice as u64);
        }
        let group = self.element.shared_bytes_of_16() as u64;
        let (of_16, within) = (column / 16, column % 16);
        // This is the only type with padding in every element; the others have it after each 16.
        let bits = match self.element {
            ElementType::B6P2x16 => 8,
            ElementType::U8
            | ElementType::U16
            | ElementType::U32
            | ElementType::I32
            | ElementType::U64
            | ElementType::I64
            | ElementType::F16
            | ElementType::F32
            | ElementType::F64
            | ElementType::Bf16
            | ElementType::F32Ftz
            | ElementType::Tf32
            | ElementType::Tf32Ftz
            | ElementType::B4x16
            | ElementType::B4x16P64
            | ElementType::B6x16P32 => self.element.bits() as u64,
        };
        to_size(of_16 * group + within * bits / 8)
    }
}

/// A number of bytes as a `usize`; saturates on a 32-bit host.
#[allow(clippy::cast_possible_truncation)] // Checked.
pub(super) const fn to_size(bytes: u64) -> usize {
    let size = bytes as usize;
    if size as u64 == bytes { size } else { usize::MAX }
}
