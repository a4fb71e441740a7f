//! Properties of some of the types: a zero, a sign, a NaN, infinities, unused bits.

#![allow(unsafe_code, reason = "it makes the promises of unsafe traits")]

/// Implements the additional items of a type with a property.
macro_rules! property {
    (zero $F:ident $Bits:ident) => {
        impl $F {
            /// 0.
            pub const ZERO: Self = Self(0);
            /// The least positive number.
            pub const MIN_POSITIVE_SUBNORMAL: Self = Self::of_code(1);
        }
    };
    (sign $F:ident $Bits:ident) => {
        impl $F {
            const SIGN: u32 = Self::FORMAT.sign_bit() << Self::FORMAT.padding;

            /// The least finite number, `-MAX`.
            pub const MIN: Self = Self::of_storage(Self::MAX.0 as u32 | Self::SIGN);

            /// The value without its sign.
            pub const fn abs(self) -> Self {
                Self::of_storage(self.0 as u32 & !Self::SIGN)
            }
        }

        impl Neg for $F {
            type Output = Self;

            fn neg(self) -> Self {
                Self::of_storage(self.to_storage() ^ Self::SIGN)
            }
        }
    };
    (nan $F:ident $Bits:ident) => {
        impl $F {
            /// The NaN that `cvt` produces.
            pub const NAN: Self = match Self::FORMAT.nan {
                Some(storage) => Self::of_storage(storage),
                None => panic!("the format has no NaN"),
            };
        }
    };
    (infinity $F:ident $Bits:ident) => {
        impl $F {
            /// Infinity.
            pub const INFINITY: Self = Self::of_code(Self::FORMAT.max() + 1);
        }
    };
    (every_pattern $F:ident $Bits:ident) => {
        // SAFETY: transparent, and the mask covers all bits, as an assertion beside the type checks.
        #[cfg(feature = "bytemuck")]
        unsafe impl bytemuck::Pod for $F {}
    };
    (unused_bits $F:ident $Bits:ident) => {
        // SAFETY: transparent over an integer.
        #[cfg(feature = "bytemuck")]
        unsafe impl bytemuck::NoUninit for $F {}

        // SAFETY: transparent; the mask has exactly the bits that a value can have set.
        #[cfg(feature = "bytemuck")]
        unsafe impl bytemuck::CheckedBitPattern for $F {
            type Bits = $Bits;

            fn is_valid_bit_pattern(bits: &$Bits) -> bool {
                u32::from(*bits) & !$F::FORMAT.storage_mask() == 0
            }
        }
    };
    // `scale.rs` implements it.
    (scale $F:ident $Bits:ident) => {};
}
pub(super) use property;
