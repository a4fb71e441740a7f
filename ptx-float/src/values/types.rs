//! The types, declared from the rows of their formats.

#![allow(unsafe_code, reason = "it makes the promises of unsafe traits")]

use core::cmp::Ordering;
use core::fmt;
use core::num::FpCategory;
use core::ops::Neg;
use core::str::FromStr;

use super::cvt::{Cvt, Exact};
use super::lane::{self, single};
use super::parse::{ParseFloatError, parse};
use super::property::property;
use super::quantized::quantized;
use super::small_float::{SmallFloat, storage_of};
use crate::format::Format;
use crate::sealed::Sealed;

/// Whether one of these words is this one, in constants.
macro_rules! has {
    ($words:expr, $word:literal) => {{
        let (mut found, mut n) = (false, 0);
        while n < $words.len() {
            found |= matches!($words[n], $word);
            n += 1;
        }
        found
    }};
}

/// Declares the types, one row each.
macro_rules! floats {
    ($(
        $(#[$doc:meta])*
        $F:ident($Bits:ident) {
            cvt: $modifiers:literal = $cvt:expr,
            with: [$($word:ident)*],
            $(#[$_format:meta])* format: $ROW:ident { $($_fields:tt)* },
            $(variable: $_Scalar:ident,)?
        }
    )*) => {$(
        $(#[$doc])*
        ///
        /// Two values are equal if their bits are equal, and they are ordered by
        /// [`total_cmp`](Self::total_cmp): -0 is less than +0, and a NaN equals itself.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
        #[repr(transparent)]
        pub struct $F($Bits);

        impl $F {
            /// The format of the type.
            pub const FORMAT: &'static Format = &Format::$ROW;
            /// The number of bits of a value, without padding.
            pub const BITS: u32 = Format::$ROW.bits;
            /// The greatest finite number.
            pub const MAX: Self = Self::of_code(Format::$ROW.max());
            /// The least positive normal number.
            pub const MIN_POSITIVE: Self = Self::of_code(Format::$ROW.min_positive());
            /// The distance from 1 to the next greater number.
            pub const EPSILON: Self =
                Self::from_f64(1.0 / (1_u32 << Format::$ROW.mantissa_bits) as f64);
            /// The conversion that the functions without modifiers use.
            pub const CVT: Cvt = $cvt;
            /// 1.
            #[allow(clippy::cast_sign_loss)] // no bias is negative
            pub const ONE: Self =
                Self::of_code((Format::$ROW.bias as u32) << Format::$ROW.mantissa_bits);

            const fn of_code(code: u32) -> Self {
                Self::of_storage(code << Format::$ROW.padding)
            }

            #[allow(clippy::cast_possible_truncation)] // it is that wide
            const fn of_storage(storage: u32) -> Self {
                Self((storage & Format::$ROW.storage_mask()) as $Bits)
            }

            /// The value with these bits; unused bits are ignored.
            pub const fn from_bits(bits: $Bits) -> Self {
                Self::of_storage(bits as u32)
            }

            /// The bits.
            pub const fn to_bits(self) -> $Bits {
                self.0
            }

            #[doc = concat!("`x` converted as `cvt", $modifiers, "` does.")]
            pub const fn from_f32(x: f32) -> Self {
                Self::of_storage(lane::encode_lane::<Self>(x.to_bits()))
            }

            /// `x` converted as `cvt` with these modifiers does.
            pub const fn from_f32_with(x: f32, cvt: Cvt) -> Self {
                Self::of_storage(Format::$ROW.encode_f32(x, cvt))
            }

            /// Like [`from_f32`](Self::from_f32), rounded once; a NaN becomes this format's NaN.
            pub const fn from_f64(x: f64) -> Self {
                Self::from_f64_with(x, Self::CVT)
            }

            /// Like [`from_f32_with`](Self::from_f32_with), rounded once.
            pub const fn from_f64_with(x: f64, cvt: Cvt) -> Self {
                Self::of_storage(Format::$ROW.encode_f64(x, cvt))
            }

            /// Like [`from_f32`](Self::from_f32), rounded once.
            pub const fn from_i64(x: i64) -> Self {
                Self::from_i64_with(x, Self::CVT)
            }

            /// Like [`from_f32_with`](Self::from_f32_with), rounded once.
            pub const fn from_i64_with(x: i64, cvt: Cvt) -> Self {
                Self::of_storage(Format::$ROW.encode_i64(x, cvt))
            }

            /// Like [`from_f32`](Self::from_f32), rounded once.
            pub const fn from_u64(x: u64) -> Self {
                Self::from_u64_with(x, Self::CVT)
            }

            /// Like [`from_f32_with`](Self::from_f32_with), rounded once.
            pub const fn from_u64_with(x: u64, cvt: Cvt) -> Self {
                Self::of_storage(Format::$ROW.encode_u64(x, cvt))
            }

            /// Converts a number of another format, `f16` and `bf16` included, rounded once. A NaN becomes this
            /// format's NaN.
            ///
            /// `E2M1::from_float(f16::ONE)`, `E4M3::from_float(E5M2::MAX)`.
            pub const fn from_float<F: SmallFloat>(x: F) -> Self {
                Self::from_float_with(x, Self::CVT)
            }

            /// Like [`from_float`](Self::from_float), with these modifiers.
            pub const fn from_float_with<F: SmallFloat>(x: F, cvt: Cvt) -> Self {
                Self::of_storage(Format::$ROW.encode_from(F::FORMAT, storage_of(&x), cvt))
            }

            /// Converts each number like [`from_f32`](Self::from_f32), for example for a constant table of weights.
            pub const fn from_f32_array<const N: usize>(values: [f32; N]) -> [Self; N] {
                let mut converted = [Self(0); N];
                let mut n = 0;
                while n < N {
                    converted[n] = Self::from_f32(values[n]);
                    n += 1;
                }
                converted
            }

            /// Converts each number like [`from_f32_with`](Self::from_f32_with).
            pub const fn from_f32_array_with<const N: usize>(
                values: [f32; N],
                cvt: Cvt,
            ) -> [Self; N] {
                let mut converted = [Self(0); N];
                let mut n = 0;
                while n < N {
                    converted[n] = Self::from_f32_with(values[n], cvt);
                    n += 1;
                }
                converted
            }

            /// Converts each number like [`from_f64`](Self::from_f64).
            pub const fn from_f64_array<const N: usize>(values: [f64; N]) -> [Self; N] {
                let mut converted = [Self(0); N];
                let mut n = 0;
                while n < N {
                    converted[n] = Self::from_f64(values[n]);
                    n += 1;
                }
                converted
            }

            /// The exact values of an array.
            pub const fn to_f32_array<const N: usize>(numbers: [Self; N]) -> [f32; N] {
                let mut values = [0.0; N];
                let mut n = 0;
                while n < N {
                    values[n] = numbers[n].to_f32();
                    n += 1;
                }
                values
            }

            /// The exact value.
            pub const fn to_f32(self) -> f32 {
                f32::from_bits(lane::decode_lane::<Self>(self.0 as u32))
            }

            /// The exact value.
            pub const fn to_f64(self) -> f64 {
                Format::$ROW.decode_f64(self.0 as u32)
            }

            /// The floating-point category of the number.
            pub const fn classify(self) -> FpCategory {
                match Format::$ROW.decode(self.0 as u32) {
                    Exact::Nan => FpCategory::Nan,
                    Exact::Infinity(_) => FpCategory::Infinite,
                    Exact::Finite(_, 0, _) => FpCategory::Zero,
                    Exact::Finite(..) => {
                        let code = (self.0 as u32 >> Format::$ROW.padding)
                            & Format::$ROW.magnitude_mask();
                        if code < Format::$ROW.min_positive() {
                            FpCategory::Subnormal
                        } else {
                            FpCategory::Normal
                        }
                    }
                }
            }

            /// Whether it is NaN.
            pub const fn is_nan(self) -> bool {
                matches!(self.classify(), FpCategory::Nan)
            }

            /// Whether it is infinite.
            pub const fn is_infinite(self) -> bool {
                matches!(self.classify(), FpCategory::Infinite)
            }

            /// Whether it is neither infinite nor NaN.
            pub const fn is_finite(self) -> bool {
                !self.is_nan() && !self.is_infinite()
            }

            /// Whether it is finite, not zero and not subnormal.
            pub const fn is_normal(self) -> bool {
                matches!(self.classify(), FpCategory::Normal)
            }

            /// Whether the sign bit is set.
            pub const fn is_sign_negative(self) -> bool {
                let sign = Format::$ROW.sign_bit() << Format::$ROW.padding;
                self.0 as u32 & sign != 0
            }

            /// Orders the bits as sign and magnitude: -NaN, -infinity, numbers, infinity, NaN.
            pub const fn total_cmp(&self, other: &Self) -> Ordering {
                let (a, b) = (self.key(), other.key());
                if a < b {
                    Ordering::Less
                } else if a > b {
                    Ordering::Greater
                } else {
                    Ordering::Equal
                }
            }

            const fn key(self) -> i64 {
                let sign = Format::$ROW.sign_bit() << Format::$ROW.padding;
                let magnitude = (self.0 as u32 & !sign) as i64;
                if self.is_sign_negative() { -1 - magnitude } else { magnitude }
            }
        }

        impl SmallFloat for $F {
            const FORMAT: &'static Format = &Format::$ROW;
            const CVT: Cvt = $cvt;

            fn from_storage(storage: u32) -> Self {
                Self::of_storage(storage)
            }

            fn to_storage(self) -> u32 {
                self.0.into()
            }

            single!();
        }

        quantized! { $F: $F, $Bits, 1 whole of $Bits; }

        impl Ord for $F {
            fn cmp(&self, other: &Self) -> Ordering {
                self.total_cmp(other)
            }
        }

        impl PartialOrd for $F {
            fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
                Some(self.cmp(other))
            }
        }

        impl fmt::Display for $F {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.to_f32(), f)
            }
        }

        impl fmt::Debug for $F {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($F), "({:?}, {:#x})"), self.to_f32(), self.0)
            }
        }

        impl FromStr for $F {
            type Err = ParseFloatError;

            /// Parses a decimal number, rounded once to the nearest, ties to even. A number out of range
            /// becomes the greatest number, and `inf` is infinity if the format has one.
            ///
            /// # Errors
            /// If the text is not a number, or if it is `nan` and the format has no NaN.
            fn from_str(text: &str) -> Result<Self, ParseFloatError> {
                parse(&Format::$ROW, text).map(Self::of_storage)
            }
        }

        impl From<$F> for f32 {
            fn from(x: $F) -> Self {
                x.to_f32()
            }
        }

        impl From<$F> for f64 {
            fn from(x: $F) -> Self {
                x.to_f64()
            }
        }

        #[cfg(feature = "serde")]
        impl serde::Serialize for $F {
            /// The bits.
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.0.serialize(serializer)
            }
        }

        #[cfg(feature = "serde")]
        impl<'de> serde::Deserialize<'de> for $F {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let bits = <$Bits>::deserialize(from)?;
                let value = Self::from_bits(bits);
                if value.0 == bits {
                    return Ok(value);
                }
                Err(serde::de::Error::custom(format_args!(
                    concat!("{:#x} has more bits than an `", stringify!($F), "`"),
                    bits
                )))
            }
        }

        impl Sealed for $F {}

        // SAFETY: transparent, and 0 is a valid value.
        #[cfg(feature = "bytemuck")]
        unsafe impl bytemuck::Zeroable for $F {}

        $(property!($word $F $Bits);)*

        // The words of the row agree with its format.
        const _: () = {
            let (row, words) = (&Format::$ROW, &[$(stringify!($word).as_bytes()),*]);
            let is_full = row.storage_mask().count_ones() == <$Bits>::BITS;
            assert!(has!(words, b"zero") == row.has_zero);
            assert!(has!(words, b"sign") == row.is_signed);
            assert!(has!(words, b"nan") == row.nan.is_some());
            assert!(has!(words, b"infinity") == row.infinity().is_some());
            assert!(has!(words, b"every_pattern") == is_full);
            assert!(has!(words, b"unused_bits") != is_full);
        };
    )*};
}

crate::__small_floats!(floats);
