//! The fields that rules are reported at.

use core::fmt;

use crate::const_str::same;
use crate::map::{Mode, Spec};

/// A field of a [`Spec`](crate::tensor::Spec) or a [`Tensor`](crate::tensor::Tensor).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Field {
    /// The type of the elements.
    Element,
    /// The rank.
    Rank,
    /// The mode.
    Mode,
    /// An extent of the box, by dimension.
    Box(usize),
    /// The row of `tile::gather4` and `tile::scatter4`.
    Row,
    /// The box, or the pixels, as a whole.
    Tile,
    /// A traversal stride, by dimension.
    ElementStride(usize),
    /// The interleave.
    Interleave,
    /// The swizzle.
    Swizzle,
    /// The fill for elements out of bounds.
    OobFill,
    /// A lower corner, by spatial dimension, W first.
    Lower(usize),
    /// An upper corner, by spatial dimension, W first.
    Upper(usize),
    /// The channels of a pixel.
    ChannelsPerPixel,
    /// The pixels of a column.
    PixelsPerColumn,
    /// The global address.
    Address,
    /// An extent of the tensor, by dimension.
    Dim(usize),
    /// A stride of the tensor in bytes: index 0 is that of dimension 1.
    Stride(usize),
}

impl Field {
    /// The name in a declaration or of a [`Tensor`](crate::tensor::Tensor), without an index.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Element => "element",
            Self::Rank => "rank",
            Self::Mode => "mode",
            Self::Box(_) | Self::Tile => "box",
            Self::Row => "row",
            Self::ElementStride(_) => "element_strides",
            Self::Interleave => "interleave",
            Self::Swizzle => "swizzle",
            Self::OobFill => "oob",
            Self::Lower(_) => "lower",
            Self::Upper(_) => "upper",
            Self::ChannelsPerPixel => "channels_per_pixel",
            Self::PixelsPerColumn => "pixels_per_column",
            Self::Address => "address",
            Self::Dim(_) => "dims",
            Self::Stride(_) => "strides",
        }
    }

    /// The index, if the field is an array.
    pub const fn index(self) -> Option<usize> {
        match self {
            Self::Box(i)
            | Self::ElementStride(i)
            | Self::Lower(i)
            | Self::Upper(i)
            | Self::Dim(i)
            | Self::Stride(i) => Some(i),
            Self::Element
            | Self::Rank
            | Self::Mode
            | Self::Row
            | Self::Tile
            | Self::Interleave
            | Self::Swizzle
            | Self::OobFill
            | Self::ChannelsPerPixel
            | Self::PixelsPerColumn
            | Self::Address => None,
        }
    }

    /// Whether it is the same field.
    pub(in crate::tensor) const fn is(self, other: Self) -> bool {
        let same_index = match (self.index(), other.index()) {
            (Some(one), Some(other)) => one == other,
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        same_index && same(self.name(), other.name())
    }

    /// The number of indices of the field.
    pub(super) const fn count(self) -> usize {
        match self {
            Self::Box(_) | Self::ElementStride(_) | Self::Dim(_) => 5,
            Self::Stride(_) => 4,
            Self::Lower(_) | Self::Upper(_) => 3,
            Self::Element
            | Self::Rank
            | Self::Mode
            | Self::Row
            | Self::Tile
            | Self::Interleave
            | Self::Swizzle
            | Self::OobFill
            | Self::ChannelsPerPixel
            | Self::PixelsPerColumn
            | Self::Address => 1,
        }
    }

    /// The number of indices that are used in a map: tests only apply to existing dimensions.
    pub(super) const fn count_in(self, spec: &Spec) -> usize {
        match self {
            // M001 reports this rank, and nothing else can be checked.
            Self::Box(_) | Self::ElementStride(_) | Self::Dim(_) if spec.rank == 0 => 0,
            Self::Box(_) | Self::ElementStride(_) | Self::Dim(_) => spec.dimensions(),
            Self::Stride(_) => spec.dimensions() - 1,
            Self::Lower(_) | Self::Upper(_) => spec.spatial(),
            Self::Element
            | Self::Rank
            | Self::Mode
            | Self::Row
            | Self::Tile
            | Self::Interleave
            | Self::Swizzle
            | Self::OobFill
            | Self::ChannelsPerPixel
            | Self::PixelsPerColumn
            | Self::Address => 1,
        }
    }

    /// The field with this index, under the name that it has in the map's mode.
    pub(super) const fn at(self, index: usize, spec: &Spec) -> Self {
        match (self, &spec.mode) {
            (Self::Box(_), Mode::Gather4 { .. } | Mode::Scatter4 { .. }) => Self::Row,
            (
                Self::Box(_),
                Mode::Im2col { .. } | Mode::Im2colW { .. } | Mode::Im2colW128 { .. },
            ) => Self::ChannelsPerPixel,
            (Self::Tile, Mode::Im2col { .. } | Mode::Im2colW { .. } | Mode::Im2colW128 { .. }) => {
                Self::PixelsPerColumn
            }
            (Self::Box(_), Mode::Tiled { .. }) => Self::Box(index),
            (Self::ElementStride(_), _) => Self::ElementStride(index),
            (Self::Lower(_), _) => Self::Lower(index),
            (Self::Upper(_), _) => Self::Upper(index),
            (Self::Dim(_), _) => Self::Dim(index),
            (Self::Stride(_), _) => Self::Stride(index),
            (
                Self::Element
                | Self::Rank
                | Self::Mode
                | Self::Row
                | Self::Tile
                | Self::Interleave
                | Self::Swizzle
                | Self::OobFill
                | Self::ChannelsPerPixel
                | Self::PixelsPerColumn
                | Self::Address,
                _,
            ) => self,
        }
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.index() {
            Some(index) => write!(f, "{}[{index}]", self.name()),
            None => f.write_str(self.name()),
        }
    }
}
