//! Descriptions of descriptors.

use core::fmt;

use super::bits::{self, BITS, Bits, In, WHICH};
use super::decode::{self, decode};
use crate::map::ElementType;
use crate::map::{Interleave, L2Promotion, Swizzle};

/// A description of the 128 bytes of a descriptor, in the layout of `sm_90` and the driver API
/// 13.0.
///
/// The tile, and the bytes by which a copy completes a transaction, are those of a map in the mode
/// `tile` or `im2col`, as [`decode`](super::decode()) gives it.
///
/// Any bytes can be described: a value without a meaning is printed as a number, and set bits that
/// belong to no field are listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Description<'a> {
    bytes: &'a [u8; 128],
}

/// Describes the 128 bytes of a descriptor.
///
/// ```
/// use ptx_isa::Target;
/// use ptx_isa::tensor::{ElementType, MapError, Spec, Tensor, describe, encode};
/// let spec = Spec::tiled(ElementType::F32, &[16, 8])?;
/// let tensor = Tensor::dense(0x1000, ElementType::F32, [64, 32, 1, 1, 1]);
/// let descriptor = encode(&spec, &tensor, Target::Sm90)?;
/// assert_eq!(
///     describe(&descriptor).to_string(),
///     "tiled map of f32 at 0x1000: 64 x 32 elements, strides 256 bytes, \
///      box 16 x 8, tiles of 512 bytes at a multiple of 128, 512 bytes a copy"
/// );
/// # Ok::<(), MapError>(())
/// ```
pub const fn describe(bytes: &[u8; 128]) -> Description<'_> {
    Description { bytes }
}

impl Description<'_> {
    /// Whether it is an `im2col` map; one of `im2col::w` looks the same.
    pub const fn is_im2col(&self) -> bool {
        bits::IM2COL.get(self.bytes) == 1
    }

    /// The global address.
    pub const fn address(&self) -> u64 {
        bits::ADDRESS.get(self.bytes)
    }

    /// The rank, from 1; no map has one above 5.
    #[allow(clippy::cast_possible_truncation)] // 3 bits.
    pub const fn rank(&self) -> u32 {
        bits::RANK.get(self.bytes) as u32 + 1
    }

    /// The type of the elements, if one has this number.
    pub const fn element(&self) -> Option<ElementType> {
        decode::element(self.bytes)
    }

    /// The interleave, if one has this number.
    #[allow(clippy::cast_possible_truncation)] // 2 bits.
    pub const fn interleave(&self) -> Option<Interleave> {
        Interleave::from_driver(bits::INTERLEAVE.get(self.bytes) as u32)
    }

    /// The swizzle: 2 bits, each value of which has a meaning.
    #[allow(clippy::cast_possible_truncation)] // 2 bits.
    pub const fn swizzle(&self) -> Option<Swizzle> {
        Swizzle::from_driver(bits::SWIZZLE.get(self.bytes) as u32)
    }

    /// The L2 promotion: 2 bits, each value of which has a meaning.
    #[allow(clippy::cast_possible_truncation)] // 2 bits.
    pub const fn l2_promotion(&self) -> Option<L2Promotion> {
        L2Promotion::from_driver(bits::PROMOTION.get(self.bytes) as u32)
    }

    /// The fields and the values of their bits.
    pub fn fields(&self) -> impl Iterator<Item = (Bits, u64)> + '_ {
        let fields = BITS.iter().zip(WHICH);
        fields.filter(|(_, which)| self.has(**which)).map(|(bits, _)| (*bits, bits.get(self.bytes)))
    }

    /// The set bits that belong to no field of such a map.
    pub fn unknown_bits(&self) -> impl Iterator<Item = usize> + '_ {
        let bits = self.bytes.iter().enumerate().flat_map(|(n, byte)| {
            (0..8).filter(move |bit| byte >> bit & 1 == 1).map(move |bit| 8 * n + bit)
        });
        bits.filter(|bit| {
            let mut fields = BITS.iter().zip(WHICH);
            !fields.any(|(bits, which)| self.has(*which) && bits.covers(*bit))
        })
    }

    fn has(self, which: In) -> bool {
        match which {
            In::All => true,
            In::Tiled => !self.is_im2col(),
            In::Im2col => self.is_im2col(),
        }
    }

    /// The number of dimensions to describe.
    fn dimensions(self) -> usize {
        (self.rank() as usize).min(bits::DIMS.len())
    }

    /// Writes numbers that are stored minus one, separated by ` x `.
    fn write_extents(self, f: &mut fmt::Formatter<'_>, fields: &[Bits]) -> fmt::Result {
        for (i, field) in fields.iter().enumerate() {
            let separator = if i == 0 { "" } else { " x " };
            write!(f, "{separator}{}", field.get(self.bytes) + 1)?;
        }
        Ok(())
    }

    /// Writes the corners of the bounding box, W first.
    fn write_corners(self, f: &mut fmt::Formatter<'_>, field: Bits) -> fmt::Result {
        let spatial = self.dimensions().saturating_sub(2).max(1);
        f.write_str("(")?;
        let corners = decode::corners(field.get(self.bytes), self.rank());
        for (i, corner) in corners[..spatial].iter().enumerate() {
            write!(f, "{}{corner}", if i == 0 { "" } else { ", " })?;
        }
        f.write_str(")")
    }
}

impl fmt::Display for Description<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rank = self.dimensions();
        write!(f, "{} map of ", if self.is_im2col() { "im2col" } else { "tiled" })?;
        match self.element() {
            Some(element) => f.write_str(element.name())?,
            None => write!(
                f,
                "elements of unknown format {}{}",
                bits::FORMAT.get(self.bytes),
                if bits::TF32.get(self.bytes) == 1 { " that round to tf32" } else { "" }
            )?,
        }
        write!(f, " at {:#x}: ", self.address())?;
        if self.rank() as usize > rank {
            write!(f, "unknown rank {}, ", self.rank())?;
        }
        self.write_extents(f, &bits::DIMS[..rank])?;
        f.write_str(" elements")?;
        for (i, (low, high)) in bits::STRIDES[..rank - 1].iter().enumerate() {
            let stride = (low.get(self.bytes) | high.get(self.bytes) << 32) << 4;
            write!(f, "{}{stride}", if i == 0 { ", strides " } else { ", " })?;
        }
        if rank > 1 {
            f.write_str(" bytes")?;
        }
        if self.is_im2col() {
            write!(
                f,
                ", {} channels of {} pixels, corners ",
                bits::CHANNELS.get(self.bytes) + 1,
                bits::PIXELS.get(self.bytes) + 1
            )?;
            self.write_corners(f, bits::LOWER)?;
            f.write_str(" and ")?;
            self.write_corners(f, bits::UPPER)?;
        } else {
            f.write_str(", box ")?;
            self.write_extents(f, &bits::BOXES[..rank])?;
        }
        if bits::ELEMENT_STRIDES[..rank].iter().any(|stride| stride.get(self.bytes) != 0) {
            f.write_str(", traversal strides ")?;
            self.write_extents(f, &bits::ELEMENT_STRIDES[..rank])?;
        }
        match self.interleave() {
            Some(Interleave::None) => {}
            Some(interleave) => write!(f, ", interleave {}", interleave.name())?,
            None => write!(f, ", unknown interleave {}", bits::INTERLEAVE.get(self.bytes))?,
        }
        match self.swizzle() {
            Some(Swizzle::None) | None => {}
            Some(swizzle) => write!(f, ", swizzle {}", swizzle.name())?,
        }
        match self.l2_promotion() {
            Some(L2Promotion::None) | None => {}
            Some(promotion) => write!(f, ", L2 promotion {}", promotion.name())?,
        }
        if bits::NAN.get(self.bytes) == 1 {
            f.write_str(", NaN outside")?;
        }
        if let Ok((spec, _)) = decode(self.bytes) {
            let (bytes, alignment) = (spec.tile_bytes(), spec.tile_alignment());
            write!(f, ", tiles of {bytes} bytes at a multiple of {alignment}")?;
            let copied = spec.transaction_bytes();
            write!(f, ", {copied} {} a copy", if copied == 1 { "byte" } else { "bytes" })?;
        }
        // Consecutive bits are printed as a range: `85, 640 to 1023`.
        let (mut separator, mut bits) = ("; unknown bits ", self.unknown_bits().peekable());
        while let Some(first) = bits.next() {
            let mut last = first;
            while let Some(next) = bits.next_if_eq(&(last + 1)) {
                last = next;
            }
            write!(f, "{separator}{first}")?;
            if last > first {
                write!(f, " to {last}")?;
            }
            separator = ", ";
        }
        Ok(())
    }
}
