//! `f16` and `bf16` of the crate `half`.

use half::{bf16, f16};

use crate::sealed::Sealed;
#[cfg(feature = "bytemuck")]
use crate::values::bytes::Storage;
use crate::values::lane::single;
use crate::values::quantized::quantized;
use crate::{Cvt, Format, SmallFloat};

impl Sealed for f16 {}
impl Sealed for bf16 {}

macro_rules! foreign {
    ($($F:ident, $ROW:ident;)*) => {$(
        impl SmallFloat for $F {
            const FORMAT: &'static Format = &Format::$ROW;
            const CVT: Cvt = Cvt::RN;

            #[allow(clippy::cast_possible_truncation)] // unused bits are ignored
            fn from_storage(storage: u32) -> Self {
                Self::from_bits(storage as u16)
            }

            fn to_storage(self) -> u32 {
                self.to_bits().into()
            }

            single!();
        }

        quantized! { $F: $F, u16, 1 whole of u16; }

        #[cfg(feature = "bytemuck")]
        impl Storage for $F {
            const NAME: &'static str = Format::$ROW.name;
            const MASK: u32 = Format::$ROW.storage_mask();
        }
    )*};
}

foreign! {
    f16, F16;
    bf16, BF16;
}

/// Implements conversions of the other small floats to halves.
macro_rules! to_halves {
    ($($(#[$_type:meta])* $F:ident($Bits:ident) { $($_row:tt)* })*) => {$(
        impl crate::$F {
            /// The value rounded to the nearest `f16`, `cvt.rn.f16`.
            #[allow(clippy::cast_possible_truncation)] // it is that wide
            pub const fn to_f16(self) -> f16 {
                let bits = Format::F16.encode_from(Self::FORMAT, self.to_bits() as u32, Cvt::RN);
                f16::from_bits(bits as u16)
            }

            /// The value rounded to the nearest `bf16`, `cvt.rn.bf16`.
            #[allow(clippy::cast_possible_truncation)] // it is that wide
            pub const fn to_bf16(self) -> bf16 {
                let bits = Format::BF16.encode_from(Self::FORMAT, self.to_bits() as u32, Cvt::RN);
                bf16::from_bits(bits as u16)
            }
        }
    )*};
}

crate::__small_floats!(to_halves);
