//! Errors of matrix descriptors.

use core::fmt;

use super::major::Major;
use crate::map::{ElementType, Interleave, Swizzle};

/// The reason why a tile has no matrix descriptor, or a descriptor cannot be moved.
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum MatrixError {
    /// The mode is not `tile`: its name.
    Mode(&'static str),
    /// The map is interleaved.
    Interleave(Interleave),
    /// The instruction does not read this swizzle.
    Swizzle {
        /// The swizzle.
        swizzle: Swizzle,
        /// The instruction.
        by: &'static str,
    },
    /// The instruction does not read these elements along this dimension.
    Element {
        /// The type of the elements.
        element: ElementType,
        /// The dimension that lies along the rows.
        major: Major,
        /// The instruction.
        by: &'static str,
    },
    /// The tile has one dimension, and a matrix two: its rank.
    Rank(u32),
    /// A row is not as wide as the swizzle's span, or without a swizzle not 16 bytes.
    Row {
        /// The bytes of a row.
        row: usize,
        /// The bytes that it needs.
        span: usize,
    },
    /// The number of rows is not a multiple of 8.
    Rows(u32),
    /// The descriptor has no offset for a dimension with more than one element.
    Dimension {
        /// The dimension, where 0 is the innermost.
        dimension: usize,
        /// Its elements.
        extent: u32,
    },
    /// An offset is 256 KiB or more: its bytes.
    Offset(usize),
    /// The tile does not start at a multiple of the alignment that its swizzle needs.
    Unaligned {
        /// The address in bytes.
        address: u32,
        /// The alignment in bytes.
        alignment: u32,
    },
    /// The address is 256 KiB or more: its bytes.
    Address(u32),
    /// No instruction starts this many elements further along K.
    Step {
        /// The elements.
        elements: u32,
        /// The number that they must be a multiple of.
        unit: u32,
    },
    /// The tile does not have this many elements along K.
    BeyondTile {
        /// The elements.
        elements: u32,
        /// The elements of the tile from the start address on.
        depth: u32,
    },
}

crate::__debug_as_message!(MatrixError);

impl fmt::Display for MatrixError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Mode(mode) => write!(f, "the mode is `{mode}`, but a matrix is a box of `tile`"),
            Self::Interleave(interleave) => {
                write!(f, "the interleave is `{}`, but a matrix has none", interleave.name())
            }
            Self::Swizzle { swizzle, by } => {
                write!(f, "{by} does not read the swizzle `{}`", swizzle.name())
            }
            Self::Element { element, major, by } => {
                let major = match major {
                    Major::K => "K-major",
                    Major::Mn => "M- or N-major",
                };
                write!(f, "{by} does not read {major} matrices of `{}`", element.name())
            }
            Self::Rank(rank) => {
                write!(f, "the rank is {rank}, but a matrix has 2 dimensions or more")
            }
            Self::Row { row, span } => write!(
                f,
                "a row of the tile is {row} bytes, and with this swizzle the rows of a matrix are {span}: \
                 choose the swizzle of {row} bytes, or rows of {span}"
            ),
            Self::Rows(rows) => {
                write!(f, "the tile has {rows} rows, which is not a multiple of 8")
            }
            Self::Dimension { dimension, extent } => write!(
                f,
                "dimension {dimension} of the tile has {extent} elements, and the descriptor has \
                 no offset for it"
            ),
            Self::Offset(bytes) => write!(
                f,
                "an offset of the matrix is {bytes} bytes, but the descriptor takes less than 262144"
            ),
            Self::Unaligned { address, alignment } => {
                write!(f, "the tile is at {address:#x}, which is not a multiple of {alignment:#x}")
            }
            Self::Address(address) => write!(
                f,
                "the matrix is at {address:#x}, but the descriptor takes addresses below 0x40000"
            ),
            Self::Step { elements, unit } => {
                write!(
                    f,
                    "K advances by {unit} elements at a time, but {elements} is not a multiple of that"
                )
            }
            Self::BeyondTile { depth, .. } => write!(
                f,
                "the tile ends {depth} elements further along K: advance by less than {depth}"
            ),
        }
    }
}

impl core::error::Error for MatrixError {}
