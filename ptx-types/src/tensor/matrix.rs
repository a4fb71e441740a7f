//! Matrix descriptors of tiles for `wgmma` (PTX ISA 9.7.15, `wgmma`: matrix descriptor format).

use crate::map::{Interleave, Swizzle};
use crate::map::{Mode, Spec};

/// Which dimension of a matrix lies along the rows of a tile.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Major {
    /// K, the dimension that the product sums over: the innermost of the tile.
    K,
    /// M or N: the matrix is the transpose of what a tile of K-major rows would be.
    Mn,
}

/// A 64-bit shared-memory matrix descriptor, as `wgmma.mma_async` takes it: where the rows of a
/// matrix are, without the address of the tile.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MatrixDescriptor(u64);

impl MatrixDescriptor {
    /// The bits, of which the lowest 14 are for the start address: its bytes, shifted right by 4.
    /// In a kernel: `and` the address with `0x3ffff`, `shr` it by 4, and `or` it in.
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The bytes of the leading dimension offset.
    pub const fn leading_bytes(self) -> usize {
        (self.0 >> 16 & 0x3fff) as usize * 16
    }

    /// The bytes of the stride dimension offset: from 8 rows to the next 8.
    pub const fn stride_bytes(self) -> usize {
        (self.0 >> 32 & 0x3fff) as usize * 16
    }
}

impl Spec {
    /// The rows that a swizzle permutes together, and a core matrix has.
    const ROWS: usize = 8;

    /// The descriptor of the tile as a matrix of `wgmma`; `None` where there is none: for
    /// interleaves, `im2col` modes, swizzles other than 32, 64 and 128 bytes of 16-byte chunks, rows
    /// narrower than the swizzle's span, numbers of rows that are no multiple of 8, dimensions that
    /// the descriptor does not describe, elements that `wgmma` does not read (of 64 bits, and with
    /// [`Major::Mn`] all but those of 16), and offsets of 256 KiB and more.
    ///
    /// Without a swizzle a row of the tile has to be 16 bytes, a row of a core matrix: dimension 1
    /// is the other dimension of the matrix, and dimension 2 goes on along the first.
    #[allow(clippy::cast_possible_truncation)] // checked
    pub const fn matrix_descriptor(&self, major: Major) -> Option<MatrixDescriptor> {
        let (mode, span) = match self.swizzle {
            Swizzle::None => (0, 16),
            Swizzle::B128 => (1, 128),
            Swizzle::B64 => (2, 64),
            Swizzle::B32 => (3, 32),
            Swizzle::B96 | Swizzle::B128Atom32 | Swizzle::B128Atom32Flip8 | Swizzle::B128Atom64 => {
                return None;
            }
        };
        let is_tiled = matches!(self.mode, Mode::Tiled { .. });
        let tile = self.tile_dims();
        // Dimension 2 goes on along a row where the descriptor has an offset for it.
        let is_flat = matches!((major, self.swizzle), (Major::K, swizzle) if swizzle.span() > 0);
        let is_matrix = self.rank >= 2
            && (tile[1] as usize).is_multiple_of(Self::ROWS)
            && (tile[2] == 1 || !is_flat)
            && tile[3] == 1
            && tile[4] == 1;
        let is_read = match (major, self.element.bits()) {
            (Major::K, 8 | 16 | 32) | (Major::Mn, 16) => true,
            (Major::K | Major::Mn, _) => false,
        };
        if !is_tiled
            || !is_matrix
            || !is_read
            || !matches!(self.interleave, Interleave::None)
            || self.row_bytes() != span
        {
            return None;
        }
        // From one column of rows of the span to the next, and from 8 rows to the next 8.
        let column = span.saturating_mul(self.tile_dims()[1] as usize);
        let rows = span * Self::ROWS;
        let (leading, stride) = match (major, self.swizzle) {
            // Within the span K goes on by the start address: the leading offset is not read.
            (Major::K, Swizzle::B32 | Swizzle::B64 | Swizzle::B128) => (16, rows),
            (Major::Mn, Swizzle::None) => (rows, column),
            (Major::K | Major::Mn, _) => (column, rows),
        };
        if leading >= 1 << 18 || stride >= 1 << 18 {
            return None;
        }
        let (leading, stride) = (leading as u64 >> 4, stride as u64 >> 4);
        Some(MatrixDescriptor(leading << 16 | stride << 32 | mode << 62))
    }
}
