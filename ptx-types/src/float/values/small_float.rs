//! What the floating-point types of PTX have in common, those of the crate `half` among them.

#![allow(unsafe_code, reason = "it reads floats as their bits in constants")]

use core::mem::transmute_copy;

use super::cvt::Cvt;
use crate::float::format::Format;
use crate::sealed::Sealed;

/// A floating-point type of PTX, with the conversions of `cvt` at run time; the types themselves
/// have them in constants (PTX ISA 5.2.3).
pub trait SmallFloat: Copy + Sealed + 'static {
    /// Its row.
    const FORMAT: &'static Format;
    /// The conversion of slices, and of the type's functions without modifiers.
    const CVT: Cvt;

    /// The value with this storage, of which further bits are ignored.
    fn from_storage(storage: u32) -> Self;

    /// The bits as they are stored.
    fn to_storage(self) -> u32;

    /// `x` converted as `cvt` with these modifiers does.
    fn convert(x: f32, cvt: Cvt) -> Self;

    /// The value, which is exact.
    fn value(self) -> f32;
}

/// [`SmallFloat::to_storage`] in constants, where a trait's functions cannot be called.
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
