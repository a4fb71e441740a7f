//! The types with the feature `half`.

#![allow(unsafe_code, reason = "it makes the promises of unsafe traits")]

use core::fmt;
use core::marker::PhantomData;

pub use ::half;
use half::{bf16, f16};
use typenum::{U2, U4};

use crate::ScalarType;
use crate::align_marker::{Align4, Align8};
use crate::float::values::bytes::Storage;
use crate::float::values::lane::single;
use crate::float::values::quantized::quantized;
use crate::float::{Cvt, Format, SmallFloat};
use crate::packed::{Pack, Packed, packed};
use crate::sealed::{Sealed, SealedPack};
use crate::splice::splices;
use crate::types::host::host_scalar;

host_scalar!(f16 => F16, Align4, Align8, [U2, U4]);
host_scalar!(bf16 => Bf16, Align4, Align8, [U2, U4]);

impl Sealed for f16 {}
impl Sealed for bf16 {}

splices! { f16: Bits, bf16: Bits }

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

packed! {
    F16x2 = f16, U2 in u32, F16x2, 2 of u16: f16::to_bits, f16::from_bits;
    Bf16x2 = bf16, U2 in u32, Bf16x2, 2 of u16: bf16::to_bits, bf16::from_bits;
}
use types::{Bf16x2, F16x2};

/// Implements conversions of packed halves; the conversion of single constants is in the crate `half`.
macro_rules! packed_halves {
    ($($Alias:ident = $E:ident, $ROW:ident;)*) => {$(
        quantized! { $Alias: $E, u16, 2 halves of u32; }

        impl Storage for $Alias {
            const NAME: &'static str = stringify!($Alias);
            const MASK: u32 = u32::MAX;
        }

        impl $Alias {
            /// Converts each number, rounded to the nearest, the first into the lowest lane.
            #[allow(clippy::cast_possible_truncation)] // the format is that wide
            pub const fn from_f32_array(values: [f32; 2]) -> Self {
                let row = &Format::$ROW;
                Self::from_lanes([
                    $E::from_bits(row.encode_f32(values[0], Cvt::RN) as u16),
                    $E::from_bits(row.encode_f32(values[1], Cvt::RN) as u16),
                ])
            }

            /// The values of the lanes, from the lowest lane up.
            pub const fn to_f32_array(self) -> [f32; 2] {
                let ([low, high], row) = (self.lanes(), &Format::$ROW);
                [row.decode_f32(low.to_bits() as u32), row.decode_f32(high.to_bits() as u32)]
            }
        }
    )*};
}

packed_halves! {
    F16x2 = f16, F16;
    Bf16x2 = bf16, BF16;
}
