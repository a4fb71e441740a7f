//! The common interface of PTX's floating-point types, including those of the crate `half`.

#![allow(unsafe_code, reason = "it reads floats as their bits in constants")]

use core::mem::transmute_copy;

use super::cvt::Cvt;
use crate::format::Format;
use crate::sealed::Sealed;

/// A floating-point type of PTX, with the conversions of `cvt` at run time; the inherent functions of the
/// types are usable in constants (PTX ISA 5.2.3).
pub trait SmallFloat: Copy + Sealed + 'static {
    /// The format.
    const FORMAT: &'static Format;
    /// The conversion that slices and the type's functions without modifiers use.
    const CVT: Cvt;

    /// The value with this storage; unused bits are ignored.
    fn from_storage(storage: u32) -> Self;

    /// The storage of the value.
    fn to_storage(self) -> u32;

    /// `x` converted as `cvt` with these modifiers does.
    fn convert(x: f32, cvt: Cvt) -> Self;

    /// The exact value.
    fn value(self) -> f32;
}

/// [`SmallFloat::to_storage`] in constants, where trait methods cannot be called.
pub(super) const fn storage_of<F: SmallFloat>(x: &F) -> u32 {
    // SAFETY: the trait is sealed, and its types are transparent over unsigned integers.
    unsafe {
        match size_of::<F>() {
            1 => transmute_copy::<F, u8>(x) as u32,
            2 => transmute_copy::<F, u16>(x) as u32,
            _ => transmute_copy::<F, u32>(x),
        }
    }
}
