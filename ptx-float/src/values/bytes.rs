//! Bytes of files and buffers, reinterpreted as slices of small floats without a copy.

use bytemuck::checked::try_cast_slice;
use bytemuck::{CheckedBitPattern, NoUninit, Pod};

use super::bytes_error::BytesError;
use super::dense::{Dense, Padded, SubByte};
use crate::sealed::Sealed;

/// A type as which slices of bytes can be reinterpreted: the small floats, their packed types, [`Dense`],
/// [`Padded`], and, with the feature `half`, `f16` and `bf16`.
#[diagnostic::on_unimplemented(
    message = "slices of bytes cannot be viewed as `{Self}`",
    label = "not storage of small floats",
    note = "they can be viewed as small floats, packed small floats, `Dense` and `Padded`"
)]
pub trait Storage: CheckedBitPattern + NoUninit + Sealed {
    /// PTX's name, or the name of the Rust type.
    #[doc(hidden)]
    const NAME: &'static str;
    /// The bits that a value can have set; all of them for a type of more than 4 bytes.
    #[doc(hidden)]
    const MASK: u32;
}

/// Implements [`Storage`] for the formats, one row each.
macro_rules! singles {
    ($($(#[$_type:meta])* $F:ident($Bits:ident) { $($_row:tt)* })*) => {$(
        impl Storage for super::types::$F {
            const NAME: &'static str = Self::FORMAT.name;
            const MASK: u32 = Self::FORMAT.storage_mask();
        }
    )*};
}

crate::__small_floats!(singles);

impl<E: SubByte, const BYTES: usize> Storage for Dense<E, BYTES> {
    const NAME: &'static str = "Dense";
    const MASK: u32 = u32::MAX;
}

impl<E: SubByte> Storage for Padded<E> {
    const NAME: &'static str = "Padded";
    const MASK: u32 = u32::MAX;
}

/// Checks that the length and the address of the bytes fit whole values.
fn check_place<T>(bytes: &[u8]) -> Result<(), BytesError> {
    let (len, address) = (bytes.len(), bytes.as_ptr().addr());
    if !len.is_multiple_of(size_of::<T>()) {
        return Err(BytesError::Length { len, size: size_of::<T>() });
    }
    if !address.is_multiple_of(align_of::<T>()) {
        return Err(BytesError::Alignment { address, align: align_of::<T>() });
    }
    Ok(())
}

/// The error for the first byte with a bit set that is zero in every value.
fn wrong_byte<T: Storage>(bytes: &[u8]) -> Option<BytesError> {
    let masks = T::MASK.to_le_bytes();
    let (name, size) = (T::NAME, size_of::<T>());
    bytes.iter().enumerate().find_map(|(at, byte)| {
        let mask = masks[at % size % masks.len()];
        let error = BytesError::Pattern { at, byte: *byte, mask, name, size };
        (byte & !mask != 0).then_some(error)
    })
}

/// Reinterprets bytes as values without a copy, for example those of a file, of mapped memory, or of a buffer
/// that was copied from a GPU. An empty slice is accepted at any address.
///
/// ```
/// use ptx_float::from_bytes;
/// use ptx_float::{E2M3, E4M3};
///
/// let weights: &[E4M3] = from_bytes(&[0x38, 0xb8])?;
/// assert_eq!(weights, [E4M3::ONE, -E4M3::ONE]);
///
/// let error = from_bytes::<E2M3>(&[0x08, 0xc1]).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "byte 1 is 0xc1, which is not an e2m3: its upper 2 bits are not zero",
/// );
/// # Ok::<(), ptx_float::BytesError>(())
/// ```
///
/// # Errors
/// If the last value is incomplete, if the bytes are not aligned for the values, or if a bit is set that is zero in
/// every value.
#[doc(alias("cast_slice", "safetensors", "mmap"))]
pub fn from_bytes<T: Storage>(bytes: &[u8]) -> Result<&[T], BytesError> {
    if bytes.is_empty() {
        return Ok(&[]);
    }
    check_place::<T>(bytes)?;
    try_cast_slice(bytes).map_err(|_| {
        // Length and address are valid, so a byte must be wrong.
        wrong_byte::<T>(bytes)
            .unwrap_or(BytesError::Length { len: bytes.len(), size: size_of::<T>() })
    })
}

/// Like [`from_bytes`], for writing. Every bit pattern of the type must be a value, since the bytes could be
/// written afterwards.
///
/// # Errors
/// If the last value is incomplete, or if the bytes are not aligned for the values.
pub fn from_bytes_mut<T: Storage + Pod>(bytes: &mut [u8]) -> Result<&mut [T], BytesError> {
    if bytes.is_empty() {
        return Ok(&mut []);
    }
    check_place::<T>(bytes)?;
    Ok(bytemuck::cast_slice_mut(bytes))
}

/// The bytes of values, in memory order.
///
/// ```
/// use ptx_float::E2M1x4;
/// use ptx_float::as_bytes;
///
/// assert_eq!(as_bytes(&[E2M1x4::from_f32_array([0.5, 1.0, 2.0, 6.0])]), [0x21, 0x74]);
/// ```
#[doc(alias("safetensors", "bytemuck"))]
pub fn as_bytes<T: Storage>(values: &[T]) -> &[u8] {
    bytemuck::cast_slice(values)
}

/// The bytes of values, for writing. Every bit pattern of the type must be a value.
///
/// ```compile_fail,E0277
/// // The upper 2 bits of an `E2M3` are zero.
/// let _ = ptx_float::as_bytes_mut(&mut [ptx_float::E2M3::ONE]);
/// ```
pub fn as_bytes_mut<T: Storage + Pod>(values: &mut [T]) -> &mut [u8] {
    bytemuck::cast_slice_mut(values)
}
