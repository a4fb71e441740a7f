//! Two `f16` or `bf16` of the crate `half`, packed.

use core::fmt;
use core::marker::PhantomData;

use half::{bf16, f16};
use typenum::U2;

use crate::packed::{Pack, Packed, packed};
use crate::sealed::SealedPack;
#[cfg(feature = "bytemuck")]
use crate::values::bytes::Storage;
use crate::values::quantized::quantized;
use crate::{Cvt, Format};

packed! {
    F16x2 = f16, U2 in u32, 2 of u16: f16::to_bits, f16::from_bits;
    Bf16x2 = bf16, U2 in u32, 2 of u16: bf16::to_bits, bf16::from_bits;
}
pub use types::{Bf16x2, F16x2};

/// Implements conversions of packed halves; the conversion of single constants is in the crate `half`.
macro_rules! packed_halves {
    ($($Alias:ident = $E:ident, $ROW:ident;)*) => {$(
        quantized! { $Alias: $E, u16, 2 halves of u32; }

        #[cfg(feature = "bytemuck")]
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
