//! The map that a descriptor describes.

use core::fmt;

use super::bits;
use crate::map::{
    ElementType, Interleave, L2Promotion, MAX_RANK, Mode, OobFill, Spec, Swizzle, Tensor,
};

/// A field of a descriptor without a meaning.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DecodeError {
    /// A rank above 5, or below 3 in the mode `im2col`.
    Rank(u32),
    /// The number of a format that no element type has.
    Element(u64),
    /// A number that no interleave has.
    Interleave(u64),
}

crate::__debug_as_message!(DecodeError);

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rank(rank) => write!(
                f,
                "the rank of the descriptor is {rank}, but maps have 1 to 5 dimensions, and 3 to 5 in the mode `.im2col`"
            ),
            Self::Element(format) => write!(
                f,
                "the format of the descriptor is {format}, which is not that of an element type"
            ),
            Self::Interleave(number) => {
                write!(f, "the interleave of the descriptor is {number}, and there are 0 to 2")
            }
        }
    }
}

impl core::error::Error for DecodeError {}

/// The map that a descriptor of these bytes describes, in the layout of `sm_90`: `Descriptor::decode` of `ptx-types`.
///
/// # Errors
/// The first field without a meaning.
#[allow(clippy::cast_possible_truncation)] // Every field has fewer bits.
pub const fn decode(bytes: &[u8; 128]) -> Result<(Spec, Tensor), DecodeError> {
    let is_im2col = bits::IM2COL.get(bytes) == 1;
    let rank = bits::RANK.get(bytes) as u32 + 1;
    if rank as usize > MAX_RANK || is_im2col && rank < 3 {
        return Err(DecodeError::Rank(rank));
    }
    let Some(element) = element(bytes) else {
        return Err(DecodeError::Element(bits::FORMAT.get(bytes)));
    };
    let interleave = bits::INTERLEAVE.get(bytes);
    let Some(interleave) = Interleave::from_driver(interleave as u32) else {
        return Err(DecodeError::Interleave(interleave));
    };
    // Two bits, each value of which has a meaning.
    let swizzle = match Swizzle::from_driver(bits::SWIZZLE.get(bytes) as u32) {
        Some(swizzle) => swizzle,
        None => Swizzle::None,
    };
    let l2_promotion = match L2Promotion::from_driver(bits::PROMOTION.get(bytes) as u32) {
        Some(promotion) => promotion,
        None => L2Promotion::None,
    };
    let (mut dims, mut strides) = ([1; MAX_RANK], [0; MAX_RANK - 1]);
    let (mut box_dims, mut element_strides) = ([1; MAX_RANK], [1; MAX_RANK]);
    let mut i = 0;
    while i < rank as usize {
        dims[i] = bits::DIMS[i].get(bytes) + 1;
        box_dims[i] = bits::BOXES[i].get(bytes) as u32 + 1;
        element_strides[i] = bits::ELEMENT_STRIDES[i].get(bytes) as u32 + 1;
        if i > 0 {
            let (low, high) = bits::STRIDES[i - 1];
            strides[i - 1] = (high.get(bytes) << 32 | low.get(bytes)) << 4;
        }
        i += 1;
    }
    let mode = if is_im2col {
        Mode::Im2col {
            lower: corners_of(bits::LOWER.get(bytes), rank),
            upper: corners_of(bits::UPPER.get(bytes), rank),
            channels_per_pixel: bits::CHANNELS.get(bytes) as u32 + 1,
            pixels_per_column: bits::PIXELS.get(bytes) as u32 + 1,
        }
    } else {
        Mode::Tiled { box_dims }
    };
    let oob_fill = if bits::NAN.get(bytes) == 1 { OobFill::Nan } else { OobFill::Zero };
    let spec =
        Spec { element, rank, mode, element_strides, interleave, swizzle, l2_promotion, oob_fill };
    Ok((spec, Tensor { address: bits::ADDRESS.get(bytes), dims, strides }))
}

/// Three consecutive corners, W lowest, each with as many bits as the rank leaves it.
#[allow(clippy::cast_possible_truncation)] // At most 16 bits.
pub(super) const fn corners(packed: u64, rank: u32) -> [i32; 3] {
    let width = match rank {
        0..=3 => 16,
        4 => 8,
        5.. => 5,
    };
    let (mut corners, mut i) = ([0; 3], 0);
    while i < corners.len() {
        // This shifts the sign bit of the corner to the top, and extends it on the way back.
        let corner = (packed << (64 - width * (i + 1))).cast_signed() >> (64 - width);
        corners[i] = corner as i32;
        i += 1;
    }
    corners
}

/// The same, with 0 for missing dimensions.
const fn corners_of(packed: u64, rank: u32) -> [i32; 3] {
    let (mut corners, mut i) = (corners(packed, rank), 3);
    while i + 2 > rank as usize {
        i -= 1;
        corners[i] = 0;
    }
    corners
}

/// The bytes from a tensor's first to the end of its last, by its descriptor; `None` if that cannot
/// be decoded.
pub(crate) const fn extent_bytes(descriptor: &[u8; 128]) -> Option<u64> {
    match decode(descriptor) {
        Ok((spec, tensor)) => Some(spec.extent_bytes(&tensor)),
        Err(_) => None,
    }
}

/// The type of the elements of a descriptor, whatever its other fields hold.
pub(super) const fn element(bytes: &[u8; 128]) -> Option<ElementType> {
    bits::element(bits::FORMAT.get(bytes), bits::TF32.get(bytes) == 1)
}
