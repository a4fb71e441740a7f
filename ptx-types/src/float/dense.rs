//! Elements of less than a byte without padding, as tensor maps read them (PTX ISA 5.5.1.1).

use core::fmt;
use core::marker::PhantomData;

use bytemuck::{Pod, Zeroable};

use super::types::{E2M1, E2M3, E3M2, SmallFloat};
use crate::ir::{Extent, Type};
use crate::scalar::ScalarType;
use crate::value::PtxType;

/// A format that has less than a byte: 4 bits, two of which are in a byte, or 6, four of which are in
/// three.
pub trait SubByte: SmallFloat {}

impl SubByte for E2M1 {}
impl SubByte for E2M3 {}
impl SubByte for E3M2 {}

/// `BYTES` bytes of elements one behind the other, without the padding that packed types have: two
/// [`E2M1`] in a byte, four [`E2M3`] or [`E3M2`] in three (PTX ISA 5.5.1.1). The first element is in
/// the lowest bits of the first byte.
///
/// The parameter counts bytes, and [`LEN`](Self::LEN) elements:
///
/// ```
/// use ptx_types::float::Dense;
/// use ptx_types::E3M2;
///
/// type Row = Dense<E3M2, 12>;
/// assert_eq!(Row::LEN, 16);
/// let row = Row::from_elements([E3M2::ONE; 16]);
/// assert_eq!(row.get(15), Some(E3M2::ONE));
/// ```
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Dense<E: SubByte, const BYTES: usize> {
    bytes: [u8; BYTES],
    of: PhantomData<fn() -> E>,
}

impl<E: SubByte, const BYTES: usize> Dense<E, BYTES> {
    /// How many elements there are.
    pub const LEN: usize = {
        let bits = E::FORMAT.bits as usize;
        assert!(
            (BYTES * 8).is_multiple_of(bits),
            "elements of 6 bits stand four in three bytes; write a multiple of 3 bytes"
        );
        BYTES * 8 / bits
    };

    /// The elements in these bytes.
    pub const fn from_bytes(bytes: [u8; BYTES]) -> Self {
        let _ = Self::LEN;
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

    /// These elements, [`LEN`](Self::LEN) of them, which is asked when it is compiled.
    pub fn from_elements<const N: usize>(elements: [E; N]) -> Self {
        const { assert!(N == Self::LEN, "there are not as many elements as the bytes hold") };
        let mut dense = Self::zeroed();
        for (n, element) in elements.into_iter().enumerate() {
            dense.write(n, element);
        }
        dense
    }

    /// Element `n`; `None` behind the last.
    pub fn get(&self, n: usize) -> Option<E> {
        (n < Self::LEN).then(|| {
            let (byte, shift) = Self::place(n);
            let next = self.bytes.get(byte + 1).copied().unwrap_or_default();
            let bits = u16::from_le_bytes([self.bytes[byte], next]) >> shift;
            E::from_storage(bits.into())
        })
    }

    /// Replaces element `n`; `false` if there is none.
    #[must_use]
    pub fn set(&mut self, n: usize, element: E) -> bool {
        let is_one = n < Self::LEN;
        if is_one {
            self.write(n, element);
        }
        is_one
    }

    /// The elements, first to last.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = E> {
        (0..Self::LEN).map(|n| self.get(n).unwrap_or_else(|| E::from_storage(0)))
    }

    #[allow(clippy::cast_possible_truncation)] // below 8
    /// The byte that an element starts in, and at which bit.
    const fn place(n: usize) -> (usize, u32) {
        let bit = n * E::FORMAT.bits as usize;
        (bit / 8, (bit % 8) as u32)
    }

    #[allow(clippy::cast_possible_truncation)] // no element is wider than a byte
    fn write(&mut self, n: usize, element: E) {
        let (byte, shift) = Self::place(n);
        let mask = E::FORMAT.storage_mask() as u16;
        let next = self.bytes.get(byte + 1).copied().unwrap_or_default();
        let bits = u16::from_le_bytes([self.bytes[byte], next]) & !(mask << shift)
            | (element.to_storage() as u16) << shift;
        let [low, high] = bits.to_le_bytes();
        self.bytes[byte] = low;
        if let Some(next) = self.bytes.get_mut(byte + 1) {
            *next = high;
        }
    }
}

impl<E: SubByte, const BYTES: usize> PartialEq for Dense<E, BYTES> {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl<E: SubByte, const BYTES: usize> Eq for Dense<E, BYTES> {}

impl<E: SubByte + fmt::Debug, const BYTES: usize> fmt::Debug for Dense<E, BYTES> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

// SAFETY: transparent bytes, of which zeros are zeros.
unsafe impl<E: SubByte, const BYTES: usize> Zeroable for Dense<E, BYTES> {}

// SAFETY: transparent bytes; every pattern of 4 or 6 bits is an element.
unsafe impl<E: SubByte, const BYTES: usize> Pod for Dense<E, BYTES> {}

// SAFETY: transparent bytes.
unsafe impl<E: SubByte, const BYTES: usize> PtxType for Dense<E, BYTES> {
    const TYPE: &'static Type<'static> = {
        let _ = Self::LEN;
        &Type::Array(Extent::Known(BYTES), &Type::Scalar(ScalarType::B8))
    };
}
