//! What the small formats have in common.

use super::cvt::Cvt;
use super::format::Format;
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
