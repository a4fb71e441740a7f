//! Sub-byte elements as tensor maps read and write them (PTX ISA 5.5.1.1): without gaps, or in padded
//! groups of sixteen.

#![allow(
    unsafe_code,
    reason = "it makes the promises of unsafe traits, and reads elements as their bits"
)]

use core::fmt;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;
use core::mem::transmute_copy;
use core::slice;

#[cfg(feature = "bytemuck")]
use bytemuck::Pod as Plain;
#[cfg(not(feature = "bytemuck"))]
use core::marker::Copy as Plain;

use super::quantized::quantized;
use super::slice::{LengthMismatch, Quantized, dequantize, quantize};
use super::small_float::SmallFloat;
use super::types::{E2M1, E2M3, E3M2};
use crate::sealed::Sealed;

/// A sub-byte format: two elements of 4 bits in a byte, or four elements of 6 bits in three
/// bytes.
pub trait SubByte: SmallFloat {
    /// The fewest whole bytes with whole elements: slices of units are quantised, and every
    /// [`Dense`] is a slice of units.
    type Unit: Quantized<Element = Self> + Plain;
}

/// Declares the formats, one row each: the bytes of its unit, and the number of elements in them.
macro_rules! sub_bytes {
    ($($E:ident: $LANES:tt $kind:ident in $bytes:tt;)*) => {$(
        impl SubByte for $E {
            type Unit = Dense<Self, $bytes>;
        }

        quantized! {
            Dense<$E, $bytes>: $E, u8, $LANES $kind of $bytes;
            Padded<$E>: $E, u8, 16 padded of (Dense<$E, $bytes>);
        }
    )*};
}

sub_bytes! {
    E2M1: 2 four in 1;
    E2M3: 4 six in 3;
    E3M2: 4 six in 3;
}

/// The number of bits of an element.
pub(super) const fn width<E: SubByte>() -> usize {
    E::FORMAT.bits as usize
}

/// Whole units of elements, which these bytes are.
pub(super) fn units<E: SubByte>(bytes: &[u8]) -> &[E::Unit] {
    let count = bytes.len() / size_of::<E::Unit>();
    // SAFETY: the trait is sealed, and its units are transparent over bytes, of which every pattern is elements.
    unsafe { slice::from_raw_parts(bytes.as_ptr().cast(), count) }
}

/// Like [`units`], for writing.
pub(super) fn units_mut<E: SubByte>(bytes: &mut [u8]) -> &mut [E::Unit] {
    let count = bytes.len() / size_of::<E::Unit>();
    // SAFETY: as above.
    unsafe { slice::from_raw_parts_mut(bytes.as_mut_ptr().cast(), count) }
}

/// The byte at this index and the next byte, if there is one.
const fn pair(bytes: &[u8], at: usize) -> u16 {
    match bytes.split_at(at).1 {
        [low, high, ..] => u16::from_le_bytes([*low, *high]),
        [last] => *last as u16,
        [] => panic!("the element lies after the last byte"),
    }
}

/// Element `n`, which must be within the bytes.
pub(super) const fn read<E: SubByte>(bytes: &[u8], n: usize) -> E {
    let (byte, shift) = (n * width::<E>() / 8, n * width::<E>() % 8);
    let mask = (1 << width::<E>()) - 1;
    let [code, _] = (pair(bytes, byte) >> shift & mask).to_le_bytes();
    // SAFETY: the trait is sealed, and its types are transparent over a byte, for which any bits within
    // the mask are a valid value.
    unsafe { transmute_copy::<u8, E>(&code) }
}

/// Replaces element `n`, which must be within the bytes.
pub(super) const fn write<E: SubByte>(bytes: &mut [u8], n: usize, element: &E) {
    let (byte, shift) = (n * width::<E>() / 8, n * width::<E>() % 8);
    let mask = (1 << width::<E>()) - 1;
    // SAFETY: the trait is sealed, and its types are transparent over a byte.
    let code = unsafe { transmute_copy::<E, u8>(element) };
    let bits = pair(bytes, byte) & !(mask << shift) | (code as u16) << shift;
    match bytes.split_at_mut(byte).1 {
        [low, high, ..] => [*low, *high] = bits.to_le_bytes(),
        [last] => [*last, _] = bits.to_le_bytes(),
        [] => {}
    }
}

/// `BYTES` bytes of elements without gaps, unlike packed types, which have padding: two
/// [`E2M1`] in a byte, or four [`E2M3`] or [`E3M2`] in three bytes. This is the layout in global memory for a
/// tensor map (PTX ISA 5.5.1.1). The first element is in the lowest bits of the first byte.
///
/// The parameter counts bytes, [`LEN`](Self::LEN) elements:
///
/// ```
/// use ptx_float::Dense;
/// use ptx_float::E3M2;
///
/// const ROW: Dense<E3M2, 12> = Dense::from_elements([E3M2::ONE; 16]);
/// assert_eq!(Dense::<E3M2, 12>::LEN, 16);
/// assert_eq!(ROW.get(15), Some(E3M2::ONE));
///
/// let row = Dense::<E3M2, 12>::from_f32_slice(&[0.25; 16])?;
/// assert_eq!(row.get(0).map(E3M2::to_f32), Some(0.25));
/// # Ok::<(), ptx_float::LengthMismatch>(())
/// ```
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Dense<E: SubByte, const BYTES: usize> {
    bytes: [u8; BYTES],
    of: PhantomData<fn() -> E>,
}

impl<E: SubByte, const BYTES: usize> Dense<E, BYTES> {
    /// The number of elements.
    pub const LEN: usize = {
        assert!(
            (BYTES * 8).is_multiple_of(width::<E>()),
            "three bytes hold four 6-bit elements; write a multiple of 3 bytes"
        );
        BYTES * 8 / width::<E>()
    };

    const ZEROS: Self = Self::from_bytes([0; BYTES]);

    /// The elements in these bytes.
    pub const fn from_bytes(bytes: [u8; BYTES]) -> Self {
        let _ = const { Self::LEN };
        Self { bytes, of: PhantomData }
    }

    /// The bytes.
    pub const fn to_bytes(self) -> [u8; BYTES] {
        self.bytes
    }

    /// The bytes.
    pub const fn as_bytes(&self) -> &[u8; BYTES] {
        &self.bytes
    }

    /// Packs elements; their number must be [`LEN`](Self::LEN), which is checked at compile time.
    pub const fn from_elements<const N: usize>(elements: [E; N]) -> Self {
        const { assert!(N == Self::LEN, "the number of elements is not that of the bytes") };
        let (mut dense, mut n) = (Self::ZEROS, 0);
        while n < N {
            write(&mut dense.bytes, n, &elements[n]);
            n += 1;
        }
        dense
    }

    /// Converts each number like [`quantize`].
    ///
    /// # Errors
    /// If the number of numbers is not [`LEN`](Self::LEN).
    pub fn from_f32_slice(values: &[f32]) -> Result<Self, LengthMismatch> {
        let mut dense = Self::default();
        quantize(values, dense.units_mut())?;
        Ok(dense)
    }

    /// Converts each element like [`dequantize`].
    ///
    /// # Errors
    /// If the length of `values` is not [`LEN`](Self::LEN).
    pub fn to_f32_slice(&self, values: &mut [f32]) -> Result<(), LengthMismatch> {
        dequantize(self.units(), values)
    }

    /// The elements as a slice, which [`dequantize`] takes.
    pub fn units(&self) -> &[E::Unit] {
        let _ = const { Self::LEN };
        units::<E>(&self.bytes)
    }

    /// The elements as a slice, which [`quantize`] takes.
    pub fn units_mut(&mut self) -> &mut [E::Unit] {
        let _ = const { Self::LEN };
        units_mut::<E>(&mut self.bytes)
    }

    /// Element `n`; `None` if there is no such element.
    pub const fn get(&self, n: usize) -> Option<E> {
        if n < Self::LEN { Some(read(&self.bytes, n)) } else { None }
    }

    /// Replaces element `n`; returns `false` if there is no such element.
    #[must_use]
    pub const fn set(&mut self, n: usize, element: E) -> bool {
        let is_one = n < Self::LEN;
        if is_one {
            write(&mut self.bytes, n, &element);
        }
        is_one
    }

    /// The elements, first to last.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = E> {
        (0..Self::LEN).map(|n| read(&self.bytes, n))
    }
}

impl<E: SubByte, const BYTES: usize> Default for Dense<E, BYTES> {
    /// All elements are zero.
    fn default() -> Self {
        Self::ZEROS
    }
}

impl<E: SubByte, const BYTES: usize> PartialEq for Dense<E, BYTES> {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl<E: SubByte, const BYTES: usize> Eq for Dense<E, BYTES> {}

impl<E: SubByte, const BYTES: usize> Hash for Dense<E, BYTES> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.bytes.hash(state);
    }
}

impl<E: SubByte + fmt::Debug, const BYTES: usize> fmt::Debug for Dense<E, BYTES> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<E: SubByte, const BYTES: usize> Sealed for Dense<E, BYTES> {}

// SAFETY: transparent bytes; all zeros are elements that are zero.
#[cfg(feature = "bytemuck")]
unsafe impl<E: SubByte, const BYTES: usize> bytemuck::Zeroable for Dense<E, BYTES> {}

// SAFETY: transparent bytes; every pattern of 4 or 6 bits is an element.
#[cfg(feature = "bytemuck")]
unsafe impl<E: SubByte, const BYTES: usize> bytemuck::Pod for Dense<E, BYTES> {}

/// Sixteen sub-byte elements in 16 bytes: 8 or 12 bytes as in [`Dense`], then 8 or 4 bytes
/// of padding. This is the layout in shared memory for the tensor-map types `.b4x16_p64` and `.b6x16_p32` (PTX ISA
/// 5.5.1.1).
///
/// The padding can have any value: equality and hash ignore it. The layout that `.b6p2x16` reads from
/// shared memory has one byte for each element: `[E2M3; 16]`.
///
/// ```
/// use ptx_float::Padded;
/// use ptx_float::E2M1;
///
/// let group = Padded::from_elements([E2M1::ONE; 16]);
/// assert_eq!(group.to_bytes()[..8], [0x22; 8]);
/// assert_eq!(group.to_bytes()[8..], [0; 8]);
/// ```
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Padded<E: SubByte> {
    bytes: [u8; 16],
    of: PhantomData<fn() -> E>,
}

impl<E: SubByte> Padded<E> {
    /// The number of elements.
    pub const LEN: usize = 16;
    /// The number of bytes of the elements, before the padding.
    pub const PAYLOAD: usize = Self::LEN * width::<E>() / 8;

    const ZEROS: Self = Self::from_bytes([0; 16]);
    const ZERO: E = read(&Self::ZEROS.bytes, 0);

    /// The elements in these bytes; the padding is kept.
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self { bytes, of: PhantomData }
    }

    /// The bytes, including the padding.
    pub const fn to_bytes(self) -> [u8; 16] {
        self.bytes
    }

    /// Packs elements; the padding is zero.
    pub const fn from_elements(elements: [E; 16]) -> Self {
        let (mut padded, mut n) = (Self::ZEROS, 0);
        while n < Self::LEN {
            write(&mut padded.bytes, n, &elements[n]);
            n += 1;
        }
        padded
    }

    /// The elements, first to last.
    pub const fn elements(&self) -> [E; 16] {
        let (mut elements, mut n) = ([Self::ZERO; 16], 0);
        while n < Self::LEN {
            elements[n] = read(&self.bytes, n);
            n += 1;
        }
        elements
    }

    /// The bytes without the padding.
    pub fn payload(&self) -> &[u8] {
        &self.bytes[..Self::PAYLOAD]
    }

    /// Element `n`; `None` if there is no such element.
    pub const fn get(&self, n: usize) -> Option<E> {
        if n < Self::LEN { Some(read(&self.bytes, n)) } else { None }
    }

    /// Replaces element `n`; returns `false` if there is no such element.
    #[must_use]
    pub const fn set(&mut self, n: usize, element: E) -> bool {
        let is_one = n < Self::LEN;
        if is_one {
            write(&mut self.bytes, n, &element);
        }
        is_one
    }
}

impl<E: SubByte> Default for Padded<E> {
    /// All elements are zero.
    fn default() -> Self {
        Self::ZEROS
    }
}

impl<E: SubByte> PartialEq for Padded<E> {
    fn eq(&self, other: &Self) -> bool {
        self.payload() == other.payload()
    }
}

impl<E: SubByte> Eq for Padded<E> {}

impl<E: SubByte> Hash for Padded<E> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.payload().hash(state);
    }
}

impl<E: SubByte + fmt::Debug> fmt::Debug for Padded<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.elements()).finish()
    }
}

impl<E: SubByte> Sealed for Padded<E> {}

// SAFETY: transparent bytes; all zeros are elements that are zero.
#[cfg(feature = "bytemuck")]
unsafe impl<E: SubByte> bytemuck::Zeroable for Padded<E> {}

// SAFETY: transparent bytes; every pattern of 4 or 6 bits is an element.
#[cfg(feature = "bytemuck")]
unsafe impl<E: SubByte> bytemuck::Pod for Padded<E> {}

#[cfg(feature = "serde")]
mod text {
    use serde::de::{Error, SeqAccess, Visitor};

    use super::{Dense, Padded, SubByte};

    impl<E: SubByte, const BYTES: usize> serde::Serialize for Dense<E, BYTES> {
        /// The bytes.
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_bytes(&self.bytes)
        }
    }

    struct Bytes<const BYTES: usize>;

    impl<'de, const BYTES: usize> Visitor<'de> for Bytes<BYTES> {
        type Value = [u8; BYTES];

        fn expecting(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
            write!(f, "{BYTES} bytes of elements")
        }

        fn visit_bytes<X: Error>(self, bytes: &[u8]) -> Result<[u8; BYTES], X> {
            bytes.try_into().map_err(|_| X::invalid_length(bytes.len(), &self))
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<[u8; BYTES], A::Error> {
            let mut bytes = [u8::default(); BYTES];
            for (n, byte) in bytes.iter_mut().enumerate() {
                *byte = from.next_element()?.ok_or_else(|| Error::invalid_length(n, &self))?;
            }
            match from.next_element::<u8>()? {
                None => Ok(bytes),
                Some(_) => Err(Error::invalid_length(BYTES + 1, &self)),
            }
        }
    }

    impl<E: SubByte> serde::Serialize for Padded<E> {
        /// The bytes, including the padding.
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_bytes(&self.bytes)
        }
    }

    impl<'de, E: SubByte> serde::Deserialize<'de> for Padded<E> {
        fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
            from.deserialize_bytes(Bytes::<16>).map(Self::from_bytes)
        }
    }

    impl<'de, E: SubByte, const BYTES: usize> serde::Deserialize<'de> for Dense<E, BYTES> {
        fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
            from.deserialize_bytes(Bytes::<BYTES>).map(Self::from_bytes)
        }
    }
}
