//! The bytes between the fields of a struct.

#![allow(
    unsafe_code,
    reason = "it makes the promises of unsafe traits, and of padding only zeros exist"
)]

use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};

use bytemuck::{Pod, Zeroable};

use crate::ScalarType;
use crate::ir::{Extent, Type};

use super::{DeviceCopy, PtxType};

/// Padding between the fields of a struct or at its end, with which `#[ptx::padded]` fills gaps. All values
/// are equal, whatever bytes a GPU left in them.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Padding<const BYTES: usize>([u8; BYTES]);

impl<const BYTES: usize> Padding<BYTES> {
    /// Padding of zero bytes.
    pub const ZEROS: Self = Self([0; BYTES]);
}

impl<const BYTES: usize> Default for Padding<BYTES> {
    fn default() -> Self {
        Self::ZEROS
    }
}

impl<const BYTES: usize> PartialEq for Padding<BYTES> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<const BYTES: usize> Eq for Padding<BYTES> {}

impl<const BYTES: usize> PartialOrd for Padding<BYTES> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<const BYTES: usize> Ord for Padding<BYTES> {
    fn cmp(&self, _: &Self) -> Ordering {
        Ordering::Equal
    }
}

impl<const BYTES: usize> Hash for Padding<BYTES> {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl<const BYTES: usize> fmt::Debug for Padding<BYTES> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{BYTES} bytes")
    }
}

// SAFETY: bytes, all of which are initialised, and for which any value is valid.
unsafe impl<const BYTES: usize> PtxType for Padding<BYTES> {
    const TYPE: &'static Type<'static> =
        &Type::Array(Extent::Known(BYTES), &Type::Scalar(ScalarType::U8));
}

// SAFETY: any bytes are a valid value.
unsafe impl<const BYTES: usize> DeviceCopy for Padding<BYTES> {
    type Passing = super::value::ByValue;
}

// SAFETY: transparent bytes.
unsafe impl<const BYTES: usize> Zeroable for Padding<BYTES> {}

// SAFETY: transparent bytes without padding.
unsafe impl<const BYTES: usize> Pod for Padding<BYTES> {}

/// The gaps in bytes before each field of a `#[repr(C)]` struct whose fields have these sizes and alignments, and
/// at the end of the struct, which is aligned to at least `align`.
pub const fn gaps<const ENDS: usize>(fields: &[(usize, usize)], align: usize) -> [usize; ENDS] {
    let (mut gaps, mut end, mut most, mut n) = ([0; ENDS], 0_usize, align, 0);
    while n < fields.len() {
        let (size, align) = fields[n];
        let start = end.next_multiple_of(align);
        gaps[n] = start - end;
        end = start + size;
        if most < align {
            most = align;
        }
        n += 1;
    }
    gaps[n] = end.next_multiple_of(most) - end;
    gaps
}

/// A value whose bytes are all zero.
pub const fn zeros<T: PtxType>() -> T {
    // SAFETY: every bit pattern is a value of a `PtxType`, unless it has no values, in which case constant
    // evaluation panics.
    unsafe { core::mem::zeroed() }
}
