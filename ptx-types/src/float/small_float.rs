//! What the floating-point types of PTX have in common, those of the crate `half` among them.

use core::mem::transmute_copy;

use half::{bf16, f16};

use super::cvt::Cvt;
use super::format::Format;
use super::lane;
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
    fn convert(x: f32, cvt: Cvt) -> Self {
        Self::from_storage(if cvt == Self::CVT {
            lane::encode_lane::<Self>(x.to_bits())
        } else {
            Self::FORMAT.encode_f32(x, cvt)
        })
    }

    /// The value, which is exact.
    fn value(self) -> f32 {
        f32::from_bits(lane::decode_lane::<Self>(self.to_storage()))
    }
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

macro_rules! foreign {
    ($($F:ident, $ROW:ident;)*) => {$(
        impl SmallFloat for $F {
            const FORMAT: &'static Format = &Format::$ROW;
            const CVT: Cvt = Cvt::RN;

            #[allow(clippy::cast_possible_truncation)] // further bits are ignored
            fn from_storage(storage: u32) -> Self {
                Self::from_bits(storage as u16)
            }

            fn to_storage(self) -> u32 {
                self.to_bits().into()
            }
        }
    )*};
}

foreign! {
    f16, F16;
    bf16, BF16;
}
