//! The descriptor of a tensor map.

#![allow(unsafe_code, reason = "it makes the promises of unsafe traits")]

use alloc::format;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use ptx_isa::tensor as isa;
use ptx_isa::tensor::{DecodeError, MapError, Spec, Tensor, describe};

use crate::{ParseError, Target};

/// The 128 bytes of a tensor map, at the alignment that every driver accepts.
///
/// As text they are 256 hexadecimal digits, the first byte first: [`describe`] explains them. With
/// the feature `cudarc` it is an argument of a launch, and converts to and from the driver's
/// `CUtensorMap`.
#[doc(alias = "CUtensorMap")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(C, align(128))]
pub struct Descriptor([u8; 128]);

impl Descriptor {
    /// A descriptor with these bytes, whatever they mean.
    pub const fn from_bytes(bytes: [u8; 128]) -> Self {
        Self(bytes)
    }

    /// The bytes.
    pub const fn as_bytes(&self) -> &[u8; 128] {
        &self.0
    }

    /// The map that the descriptor describes, in the layout of `sm_90`: [`encode`] turns it into
    /// the same descriptor.
    ///
    /// Past the rank, extents, boxes and traversal strides are 1, and strides and corners 0. A
    /// descriptor does not record the instructions that use it: `tile::gather4` and
    /// `tile::scatter4` look like a tiled map whose box has one row, and `im2col::w` and
    /// `im2col::w::128` like `im2col`. The other swizzles of 128 bytes decode as `B128`. Bits
    /// without a meaning are ignored; [`describe`] lists them.
    ///
    /// ```
    /// use ptx_types::Target;
    /// use ptx_types::tensor::{ElementType, Spec, encode};
    /// let spec = Spec::tiled(ElementType::F32, &[16, 8]).unwrap();
    /// let tensor = spec.tensor(0x1000, &[64, 32], None).unwrap();
    /// let (decoded, of) = encode(&spec, &tensor, Target::Sm90).unwrap().decode().unwrap();
    /// assert_eq!((decoded, of.dims), (spec, tensor.dims));
    /// ```
    ///
    /// # Errors
    /// The first field without a meaning.
    pub const fn decode(&self) -> Result<(Spec, Tensor), DecodeError> {
        isa::decode(&self.0)
    }

    /// The same map over another address, as the driver's `cuTensorMapReplaceAddress` makes it.
    pub const fn with_address(mut self, address: u64) -> Self {
        let bytes = address.to_le_bytes();
        let mut i = 0;
        while i < bytes.len() {
            self.0[i] = bytes[i];
            i += 1;
        }
        self
    }
}

// SAFETY: 128 bytes without padding, for which all zeros is a valid value.
unsafe impl bytemuck::Zeroable for Descriptor {}

// SAFETY: 128 bytes without padding, for which every bit pattern is a valid value.
unsafe impl bytemuck::Pod for Descriptor {}

impl AsRef<[u8]> for Descriptor {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl AsRef<[u8; 128]> for Descriptor {
    fn as_ref(&self) -> &[u8; 128] {
        &self.0
    }
}

impl From<[u8; 128]> for Descriptor {
    fn from(bytes: [u8; 128]) -> Self {
        Self(bytes)
    }
}

impl From<Descriptor> for [u8; 128] {
    fn from(descriptor: Descriptor) -> Self {
        descriptor.0
    }
}

impl fmt::Display for Descriptor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for Descriptor {
    type Err = ParseError;

    /// Reads 256 hexadecimal digits.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let digit = |other: char| {
            let error = || ParseError::new(format!("`{other}` is not a hexadecimal digit"));
            other.to_digit(16).ok_or_else(error)
        };
        let digits = text.chars().map(digit).collect::<Result<Vec<u32>, ParseError>>()?;
        let (pairs, odd) = digits.as_chunks();
        let bytes = pairs.iter().map(|[high, low]| (high << 4 | low).to_le_bytes()[0]);
        match <[u8; 128]>::try_from(bytes.collect::<Vec<u8>>()) {
            Ok(bytes) if odd.is_empty() => Ok(Self(bytes)),
            Ok(_) | Err(_) => Err(ParseError::new(format!(
                "a descriptor has 256 hexadecimal digits, not {}",
                digits.len()
            ))),
        }
    }
}

ptx_isa::__as_text!(Descriptor, "256 hexadecimal digits");

impl fmt::Debug for Descriptor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Descriptor {{ {} }}", describe(&self.0))
    }
}

/// The descriptor that the driver (API 13.0) was observed to write for this target, byte for byte.
///
/// The layout is observed, not published, and only on `sm_90` (`sm_90a` is the same GPU): for other
/// targets the driver has to encode the map. Every map that the driver accepts is encoded, even if
/// a document forbids it; [`Spec::check_tensor`] checks both.
///
/// # Errors
/// Every rule that the map breaks, if the driver refuses it, or if the tensor has more dimensions
/// than the map, which the driver's call cannot express; for other targets every documented rule
/// that it breaks, or [`MapError::Layout`] if it breaks none.
#[doc(alias("cuTensorMapEncodeTiled", "cuTensorMapEncodeIm2col", "CUtensorMap"))]
pub fn encode(spec: &Spec, tensor: &Tensor, target: Target) -> Result<Descriptor, MapError> {
    isa::encode(spec, tensor, target)
}

/// Like [`encode`], without checks: numbers that do not fit their fields are truncated. `None` if
/// descriptors of `sm_90` have no bits for the map: sub-byte elements, the 96-byte swizzle and
/// those that keep more than 16 bytes together.
pub const fn encode_unchecked(spec: &Spec, tensor: &Tensor) -> Option<Descriptor> {
    match isa::encode_unchecked(spec, tensor) {
        Some(bytes) => Some(Descriptor(bytes)),
        None => None,
    }
}
