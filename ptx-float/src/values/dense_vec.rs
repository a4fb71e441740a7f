//! A vector of sub-byte elements.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;

use super::bytes_error::BytesError;
use super::dense::{SubByte, read, units, units_mut, width, write};
use super::slice::{LengthMismatch, Quantized, dequantize, quantize, same_length};

/// Elements of 4 or 6 bits without gaps, as in [`Dense`](super::Dense), whose number is known at
/// run time: for example, a tensor of [`E2M1`](super::E2M1) from a file, or one to be copied to a GPU.
///
/// Bits of the last byte that do not belong to an element are zero.
///
/// ```
/// use ptx_float::E2M1;
/// use ptx_float::DenseVec;
///
/// let mut weights = DenseVec::<E2M1>::from_f32s(&[0.5, -1.0, 100.0]);
/// assert_eq!((weights.len(), weights.as_bytes()), (3, &[0xa1, 0x07][..]));
/// weights.push(E2M1::ONE);
/// assert_eq!(weights.to_f32s(), [0.5, -1.0, 6.0, 1.0]);
/// ```
#[doc(alias("safetensors", "fp4", "fp6", "mxfp4", "mxfp6", "nvfp4"))]
pub struct DenseVec<E: SubByte> {
    bytes: Vec<u8>,
    len: usize,
    of: PhantomData<fn() -> E>,
}

/// The number of bytes that this many elements take; `None` if it overflows.
fn bytes_of<E: SubByte>(len: usize) -> Option<usize> {
    usize::try_from((len as u128 * width::<E>() as u128).div_ceil(8)).ok()
}

impl<E: SubByte> DenseVec<E> {
    /// An empty vector.
    pub const fn new() -> Self {
        Self { bytes: Vec::new(), len: 0, of: PhantomData }
    }

    /// A vector of `len` elements whose bits are zero.
    ///
    /// # Panics
    /// If the elements take more bytes than can be addressed.
    pub fn zeros(len: usize) -> Self {
        let bytes = bytes_of::<E>(len).expect("the elements take more bytes than can be addressed");
        Self { bytes: vec![0; bytes], len, of: PhantomData }
    }

    /// Converts each number like [`quantize`], at the same speed.
    #[doc(alias = "quantize")]
    pub fn from_f32s(values: &[f32]) -> Self {
        let mut dense = Self::zeros(values.len());
        let whole = dense.whole();
        let (values, rest) = values.split_at(whole * E::Unit::LANES);
        let (units, last) = dense.bytes.split_at_mut(whole * size_of::<E::Unit>());
        quantize(values, units_mut::<E>(units))
            .expect("there is a unit for as many numbers as it holds");
        for (n, x) in rest.iter().enumerate() {
            write(last, n, &E::convert(*x, E::CVT));
        }
        dense
    }

    /// The exact values, like those of [`dequantize`], at the same speed.
    #[doc(alias = "dequantize")]
    pub fn to_f32s(&self) -> Vec<f32> {
        let mut values = vec![0.0; self.len];
        self.write_f32s(&mut values).expect("there is a place for each element");
        values
    }

    /// Like [`to_f32s`](Self::to_f32s), into a slice.
    ///
    /// # Errors
    /// If the length of `values` is not [`len`](Self::len).
    pub fn write_f32s(&self, values: &mut [f32]) -> Result<(), LengthMismatch> {
        same_length("destination", values.len(), self.len)?;
        let whole = self.whole();
        let (values, rest) = values.split_at_mut(whole * E::Unit::LANES);
        dequantize(self.units(), values)?;
        let last = &self.bytes[whole * size_of::<E::Unit>()..];
        for (n, x) in rest.iter_mut().enumerate() {
            *x = read::<E>(last, n).value();
        }
        Ok(())
    }

    /// The number of elements.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether the vector is empty.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The number of whole units.
    fn whole(&self) -> usize {
        self.len / E::Unit::LANES
    }

    /// The elements as a slice, which [`dequantize`] takes, without those after the last whole unit: with
    /// elements of 4 bits, an odd last element is left out.
    pub fn units(&self) -> &[E::Unit] {
        units::<E>(&self.bytes[..self.whole() * size_of::<E::Unit>()])
    }

    /// Like [`units`](Self::units), as a mutable slice, which [`quantize`] takes.
    pub fn units_mut(&mut self) -> &mut [E::Unit] {
        let whole = self.whole();
        units_mut::<E>(&mut self.bytes[..whole * size_of::<E::Unit>()])
    }

    /// Element `n`; `None` if there is no such element.
    pub fn get(&self, n: usize) -> Option<E> {
        (n < self.len).then(|| self.read(n))
    }

    /// Element `n`, which must exist. It is addressed from its unit, since its offset in bits from the first byte
    /// may overflow `usize`.
    fn read(&self, n: usize) -> E {
        let unit = n / E::Unit::LANES * size_of::<E::Unit>();
        read(&self.bytes[unit..], n % E::Unit::LANES)
    }

    /// Replaces element `n`; returns `false` if there is no such element.
    #[must_use]
    pub fn set(&mut self, n: usize, element: E) -> bool {
        let is_one = n < self.len;
        if is_one {
            let unit = n / E::Unit::LANES * size_of::<E::Unit>();
            write(&mut self.bytes[unit..], n % E::Unit::LANES, &element);
        }
        is_one
    }

    /// Appends an element.
    ///
    /// # Panics
    /// If the elements take more bytes than can be addressed.
    pub fn push(&mut self, element: E) {
        let bytes = bytes_of::<E>(self.len + 1);
        let bytes = bytes.expect("an element takes more bytes than can be addressed");
        self.bytes.resize_with(bytes, u8::default);
        self.len += 1;
        let _ = self.set(self.len - 1, element);
    }

    /// The elements, first to last.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = E> + DoubleEndedIterator {
        (0..self.len).map(|n| self.read(n))
    }

    /// The bytes, as few as the elements need.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes, without a copy.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// The `len` elements in these bytes, without a copy if they are a [`Vec`].
    ///
    /// ```
    /// use ptx_float::E2M1;
    /// use ptx_float::DenseVec;
    ///
    /// let weights = DenseVec::<E2M1>::from_bytes([0xa1, 0x07], 3)?;
    /// assert_eq!(weights.to_f32s(), [0.5, -1.0, 6.0]);
    ///
    /// let error = DenseVec::<E2M1>::from_bytes([0xa1], 3).unwrap_err();
    /// assert_eq!(error.to_string(), "3 elements of e2m1 take 2 bytes, but there is 1");
    /// # Ok::<(), ptx_float::BytesError>(())
    /// ```
    ///
    /// # Errors
    /// If the number of bytes is not what the elements need, or if a bit after the last element is not zero.
    pub fn from_bytes(bytes: impl Into<Vec<u8>>, len: usize) -> Result<Self, BytesError> {
        let (bytes, name) = (bytes.into(), E::FORMAT.name);
        let (found, needed) = (bytes.len(), bytes_of::<E>(len));
        if needed != Some(found) {
            return Err(BytesError::Count { found, needed, elements: len, name });
        }
        if let Some(byte) = bytes.last() {
            let used = len % E::Unit::LANES * width::<E>() % 8;
            let mask = if used == 0 { 0xff } else { (1 << used) - 1 };
            if byte & !mask != 0 {
                let size = size_of::<E::Unit>().max(2);
                return Err(BytesError::Pattern { at: found - 1, byte: *byte, mask, name, size });
            }
        }
        Ok(Self { bytes, len, of: PhantomData })
    }
}

impl<E: SubByte> Default for DenseVec<E> {
    /// An empty vector.
    fn default() -> Self {
        Self::new()
    }
}

impl<E: SubByte> Clone for DenseVec<E> {
    fn clone(&self) -> Self {
        Self { bytes: self.bytes.clone(), len: self.len, of: PhantomData }
    }
}

impl<E: SubByte> PartialEq for DenseVec<E> {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.bytes == other.bytes
    }
}

impl<E: SubByte> Eq for DenseVec<E> {}

impl<E: SubByte> Hash for DenseVec<E> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.len.hash(state);
        self.bytes.hash(state);
    }
}

impl<E: SubByte + fmt::Debug> fmt::Debug for DenseVec<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<E: SubByte> Extend<E> for DenseVec<E> {
    fn extend<I: IntoIterator<Item = E>>(&mut self, elements: I) {
        for element in elements {
            self.push(element);
        }
    }
}

impl<E: SubByte> FromIterator<E> for DenseVec<E> {
    fn from_iter<I: IntoIterator<Item = E>>(elements: I) -> Self {
        let mut dense = Self::new();
        dense.extend(elements);
        dense
    }
}

#[cfg(feature = "serde")]
mod text {
    use alloc::vec::Vec;

    use serde::de::{Error, SeqAccess, Visitor};

    use super::{DenseVec, SubByte};

    struct Bytes<B>(B);

    impl serde::Serialize for Bytes<&[u8]> {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_bytes(self.0)
        }
    }

    struct OfBytes;

    impl<'de> Visitor<'de> for OfBytes {
        type Value = Bytes<Vec<u8>>;

        fn expecting(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
            f.write_str("the bytes of elements")
        }

        fn visit_bytes<X: Error>(self, bytes: &[u8]) -> Result<Self::Value, X> {
            Ok(Bytes(bytes.into()))
        }

        fn visit_byte_buf<X: Error>(self, bytes: Vec<u8>) -> Result<Self::Value, X> {
            Ok(Bytes(bytes))
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Self::Value, A::Error> {
            let mut bytes = Vec::new();
            while let Some(byte) = from.next_element()? {
                bytes.push(byte);
            }
            Ok(Bytes(bytes))
        }
    }

    impl<'de> serde::Deserialize<'de> for Bytes<Vec<u8>> {
        fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
            from.deserialize_byte_buf(OfBytes)
        }
    }

    impl<E: SubByte> serde::Serialize for DenseVec<E> {
        /// The number of elements, and their bytes.
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            (self.len, Bytes(self.as_bytes())).serialize(serializer)
        }
    }

    impl<'de, E: SubByte> serde::Deserialize<'de> for DenseVec<E> {
        fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
            let (len, Bytes(bytes)) = <(usize, Bytes<Vec<u8>>)>::deserialize(from)?;
            Self::from_bytes(bytes, len).map_err(D::Error::custom)
        }
    }
}
