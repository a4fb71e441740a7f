//! Errors of copies.

use core::fmt;

use super::reduction::Reduction;
use crate::count::Count;
use crate::tensor::{Direction, ElementType};

/// The direction of an instruction that copies a tile.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Access {
    /// A copy from global to shared memory.
    Load,
    /// A copy from shared to global memory.
    Store,
    /// A reduction from shared memory into global memory.
    Reduce,
}

impl Access {
    /// The name in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Load => "load",
            Self::Store => "store",
            Self::Reduce => "reduction",
        }
    }
}

/// The reason why a copy does not exist. On the GPU most of these are an illegal instruction or
/// worse.
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum CopyError {
    /// The mode does not support the rank or the access.
    Mode {
        /// PTX's name of the mode.
        mode: &'static str,
        /// The requested access.
        access: Access,
        /// The rank of the map.
        rank: u32,
        /// The copies that the mode has: `loads of rank 2`.
        has: &'static str,
    },
    /// The type of the elements cannot be copied that way.
    Element {
        /// The type.
        element: ElementType,
        /// The requested access.
        access: Access,
    },
    /// The swizzle is for loads only.
    Swizzle {
        /// Its name.
        swizzle: &'static str,
        /// The requested access.
        access: Access,
    },
    /// The reduction is not defined for the type of the elements.
    Reduction {
        /// The reduction.
        reduction: Reduction,
        /// The type.
        element: ElementType,
    },
    /// The instruction takes another number of coordinates.
    Coordinates {
        /// The number that it takes.
        expected: usize,
        /// The number that was given.
        found: usize,
    },
    /// The instruction takes another number of offsets, or of halo and offset.
    Info {
        /// The number that it takes.
        expected: usize,
        /// The number that was given.
        found: usize,
    },
    /// An offset, a halo or an offset along W is larger than its field.
    InfoTooLarge {
        /// Its index.
        index: usize,
        /// The value.
        value: u16,
        /// The largest value that fits.
        most: u16,
    },
    /// The innermost coordinate is not a multiple of 16 bytes, or of the elements that a padded
    /// type requires.
    Unaligned {
        /// The coordinate.
        coordinate: i32,
        /// The number of elements that it must be a multiple of.
        multiple: u32,
    },
    /// A store or a reduction starts before the tensor.
    Negative {
        /// The dimension.
        dimension: usize,
        /// The coordinate.
        coordinate: i32,
    },
    /// The base of the filter is outside the bounding box.
    OutsideBox {
        /// The dimension.
        dimension: usize,
        /// The coordinate.
        coordinate: i64,
        /// The first position inside.
        first: i64,
        /// The last position inside.
        last: i64,
    },
    /// The bounding box of a store or a reduction reaches beyond the tensor.
    BoxOutside {
        /// The spatial dimension, where 0 is W.
        dimension: usize,
    },
    /// The tile does not start at a multiple of 128 bytes of shared memory.
    SharedAddress {
        /// The address.
        address: usize,
    },
    /// The tile ends beyond the 32-bit addresses of shared memory.
    SharedWindow {
        /// The address.
        address: usize,
        /// The bytes of the tile.
        tile: usize,
    },
    /// The slice of shared memory is shorter than the tile.
    SharedTooShort {
        /// The bytes of the tile.
        needed: usize,
        /// The bytes of the slice.
        found: usize,
    },
    /// The slice of global memory is shorter than the tensor.
    GlobalTooShort {
        /// The bytes of the tensor.
        needed: u64,
        /// The bytes of the slice.
        found: usize,
    },
    /// The mode does not copy interleaved maps of this rank.
    Interleave {
        /// PTX's name of the mode.
        mode: &'static str,
        /// The interleave's name.
        interleave: &'static str,
        /// The rank of the map.
        rank: u32,
    },
}

ptx_isa::__debug_as_message!(CopyError);

impl fmt::Display for CopyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Mode { mode, access, rank, has } => write!(
                f,
                "there is no {} of rank {rank} in the mode `.{mode}`, which has {has}",
                access.name()
            ),
            Self::Interleave { mode, interleave, rank } => write!(
                f,
                "the interleave is `{interleave}`, which needs the mode `.tile` or `.im2col` and a rank of 3 to 5, but \
                 the mode is `.{mode}` and the rank {rank}"
            ),
            Self::Element { element, access } => {
                let name = element.name();
                match element.direction() {
                    Direction::Load => write!(f, "`{name}` is only loaded"),
                    Direction::Store => write!(f, "`{name}` is only stored"),
                    Direction::Both => write!(f, "`{name}` is only loaded and stored"),
                }?;
                write!(f, ", but this is a {}", access.name())
            }
            Self::Swizzle { swizzle, access } => write!(
                f,
                "the swizzle `{swizzle}` is for loads, but this is a {}; use `B128Atom32`",
                access.name()
            ),
            Self::Reduction { reduction, element } => {
                let (name, of) = (reduction.name(), element.name());
                write!(f, "there is no reduction `.{name}` of `{of}`")?;
                let others = Reduction::ALL.iter().filter(|other| other.takes(element));
                for (n, other) in others.enumerate() {
                    let before = if n == 0 { "; there is" } else { "," };
                    write!(f, "{before} `.{}`", other.name())?;
                }
                Ok(())
            }
            Self::Coordinates { expected, found } => write!(
                f,
                "`coordinates` has {}, but the instruction takes {expected}",
                Count(found, "value")
            ),
            Self::Info { expected, found } => {
                write!(
                    f,
                    "`info` has {}, but the instruction takes {expected}",
                    Count(found, "value")
                )
            }
            Self::InfoTooLarge { index, value, most } => {
                write!(f, "`info[{index}]` is {value}, but at most {most} fits")
            }
            Self::Unaligned { coordinate, multiple } => write!(
                f,
                "coordinate 0 is {coordinate}, but must be a multiple of {multiple} elements"
            ),
            Self::Negative { dimension, coordinate } => write!(
                f,
                "coordinate {dimension} is {coordinate}, but stores and reductions start at 0 or above"
            ),
            Self::OutsideBox { dimension, coordinate, first, last } => write!(
                f,
                "coordinate {dimension} is {coordinate}, but the bounding box is {first} to {last}"
            ),
            Self::BoxOutside { dimension } => write!(
                f,
                "the bounding box reaches beyond the tensor in spatial dimension {dimension}, but \
                 stores and reductions have to stay inside"
            ),
            Self::SharedAddress { address } => write!(
                f,
                "the tile is at shared address {address:#x}, but must be at a multiple of 128 bytes"
            ),
            Self::SharedWindow { address, tile } => write!(
                f,
                "a tile of {tile} bytes at {address:#x} ends beyond the addresses of shared memory, \
                 which have 32 bits"
            ),
            Self::SharedTooShort { needed, found } => {
                write!(
                    f,
                    "the tile takes {needed} bytes of shared memory, but the slice has {found}"
                )
            }
            Self::GlobalTooShort { needed, found } => {
                write!(
                    f,
                    "the tensor takes {needed} bytes of global memory, but the slice has {found}"
                )
            }
        }
    }
}

impl core::error::Error for CopyError {}
