//! The formats whose types are the crate `half`'s.

use half::{bf16, f16};

use super::cvt::Cvt;
use super::format::Format;
use super::lane::single;
use super::quantized::quantized;
use super::small_float::SmallFloat;

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

            single!();
        }

        quantized! { $F: $F, u16, 1 whole of u16; }
    )*};
}

foreign! {
    f16, F16;
    bf16, BF16;
}
