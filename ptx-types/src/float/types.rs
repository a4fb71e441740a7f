//! The types: their bits, and what their row says.

use core::cmp::Ordering;
use core::fmt;
use core::mem::transmute_copy;
use core::num::FpCategory;
use core::ops::Neg;
use core::str::FromStr;

use bytemuck::{CheckedBitPattern, NoUninit, Pod, Zeroable};
use half::{bf16, f16};

use super::cvt::{Cvt, Exact, Rounding};
use super::format::Format;
use super::lane;
use super::parse::{ParseFloatError, parse};
use super::small::SmallFloat;
use crate::sealed::Sealed;
use crate::value::host_scalars;

/// The conversions of a [`SmallFloat`].
macro_rules! conversions {
    () => {
        fn convert(x: f32, cvt: Cvt) -> Self {
            Self::from_storage(if cvt == Self::CVT {
                lane::encode_lane::<Self>(x.to_bits())
            } else {
                Self::FORMAT.encode_f32(x, cvt)
            })
        }

        fn value(self) -> f32 {
            f32::from_bits(lane::decode_lane::<Self>(self.to_storage()))
        }
    };
}

/// [`SmallFloat::to_storage`] in constants, where a trait's functions cannot be called.
const fn storage_of<F: SmallFloat>(x: &F) -> u32 {
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

            conversions!();
        }
    )*};
}

foreign! {
    f16, F16;
    bf16, BF16;
}

/// One row a type; its format has the rest.
macro_rules! floats {
    ($(
        $(#[$doc:meta])*
        $F:ident($Bits:ty) = $ROW:ident, $modifiers:literal: $cvt:expr;
    )*) => {$(
        $(#[$doc])*
        ///
        /// Two values are equal if their bits are, and their order is that of
        /// [`total_cmp`](Self::total_cmp): -0 comes before +0, and a NaN equals itself.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
        #[repr(transparent)]
        pub struct $F($Bits);

        impl $F {
            /// The row of the type.
            pub const FORMAT: &'static Format = &Format::$ROW;
            /// The number of bits of a value, without padding.
            pub const BITS: u32 = Format::$ROW.bits;
            /// The greatest finite number.
            pub const MAX: Self = Self::of_code(Format::$ROW.max());
            /// The least number above zero that is not subnormal.
            pub const MIN_POSITIVE: Self = Self::of_code(Format::$ROW.min_positive());
            /// The distance from 1 to the next greater number.
            pub const EPSILON: Self =
                Self::from_f64(1.0 / (1_u32 << Format::$ROW.mantissa_bits) as f64);
            /// The conversion that the functions without modifiers make.
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

            /// The value with these bits; those that a value does not have are ignored.
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

            /// As [`from_f32`](Self::from_f32), rounded once; a NaN is this format's.
            pub const fn from_f64(x: f64) -> Self {
                Self::from_f64_with(x, Self::CVT)
            }

            /// As [`from_f32_with`](Self::from_f32_with), rounded once.
            pub const fn from_f64_with(x: f64, cvt: Cvt) -> Self {
                Self::of_storage(Format::$ROW.encode_f64(x, cvt))
            }

            /// As [`from_f32`](Self::from_f32), rounded once.
            pub const fn from_i64(x: i64) -> Self {
                Self::from_i64_with(x, Self::CVT)
            }

            /// As [`from_f32_with`](Self::from_f32_with), rounded once.
            pub const fn from_i64_with(x: i64, cvt: Cvt) -> Self {
                Self::of_storage(Format::$ROW.encode_i64(x, cvt))
            }

            /// As [`from_f32`](Self::from_f32), rounded once.
            pub const fn from_u64(x: u64) -> Self {
                Self::from_u64_with(x, Self::CVT)
            }

            /// As [`from_f32_with`](Self::from_f32_with), rounded once.
            pub const fn from_u64_with(x: u64, cvt: Cvt) -> Self {
                Self::of_storage(Format::$ROW.encode_u64(x, cvt))
            }

            /// A number of another format, `f16` and `bf16` among them, rounded once. A NaN is this
            /// format's.
            ///
            /// `E2M1::from_float(f16::ONE)`, `E4M3::from_float(E5M2::MAX)`.
            pub const fn from_float<F: SmallFloat>(x: F) -> Self {
                Self::from_float_with(x, Self::CVT)
            }

            /// As [`from_float`](Self::from_float), with these modifiers.
            pub const fn from_float_with<F: SmallFloat>(x: F, cvt: Cvt) -> Self {
                Self::of_storage(Format::$ROW.encode_from(F::FORMAT, storage_of(&x), cvt))
            }

            /// Each as by [`from_f32`](Self::from_f32): a table of weights as one constant.
            pub const fn from_f32_array<const N: usize>(values: [f32; N]) -> [Self; N] {
                let mut converted = [Self(0); N];
                let mut n = 0;
                while n < N {
                    converted[n] = Self::from_f32(values[n]);
                    n += 1;
                }
                converted
            }

            /// Each as by [`from_f32_with`](Self::from_f32_with).
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

            /// Each as by [`from_f64`](Self::from_f64).
            pub const fn from_f64_array<const N: usize>(values: [f64; N]) -> [Self; N] {
                let mut converted = [Self(0); N];
                let mut n = 0;
                while n < N {
                    converted[n] = Self::from_f64(values[n]);
                    n += 1;
                }
                converted
            }

            /// The values of a whole array.
            pub const fn to_f32_array<const N: usize>(numbers: [Self; N]) -> [f32; N] {
                let mut values = [0.0; N];
                let mut n = 0;
                while n < N {
                    values[n] = numbers[n].to_f32();
                    n += 1;
                }
                values
            }

            /// The value, which is exact.
            pub const fn to_f32(self) -> f32 {
                f32::from_bits(lane::decode_lane::<Self>(self.0 as u32))
            }

            /// The value, which is exact.
            pub const fn to_f64(self) -> f64 {
                Format::$ROW.decode_f64(self.0 as u32)
            }

            /// The value rounded to the nearest `f16`, `cvt.rn.f16`.
            #[allow(clippy::cast_possible_truncation)] // it is that wide
            pub const fn to_f16(self) -> f16 {
                let bits = Format::F16.encode_from(&Format::$ROW, self.0 as u32, Cvt::RN);
                f16::from_bits(bits as u16)
            }

            /// The value rounded to the nearest `bf16`, `cvt.rn.bf16`.
            #[allow(clippy::cast_possible_truncation)] // it is that wide
            pub const fn to_bf16(self) -> bf16 {
                let bits = Format::BF16.encode_from(&Format::$ROW, self.0 as u32, Cvt::RN);
                bf16::from_bits(bits as u16)
            }

            /// What kind of number it is.
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

            /// Whether it is no number.
            pub const fn is_nan(self) -> bool {
                matches!(self.classify(), FpCategory::Nan)
            }

            /// Whether it is infinite.
            pub const fn is_infinite(self) -> bool {
                matches!(self.classify(), FpCategory::Infinite)
            }

            /// Whether it is neither infinite nor a NaN.
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

            /// The order of the bits as signed magnitudes: -NaN, -infinity, numbers, infinity, NaN.
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

            conversions!();
        }

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

            /// The nearest to a decimal number, rounded once, of two the even one; what is too large
            /// is the greatest, and `inf` is infinity where there is one.
            ///
            /// # Errors
            /// If the text is no number, or `nan` where there is none.
            fn from_str(text: &str) -> Result<Self, ParseFloatError> {
                let cvt = Cvt { satfinite: true, ..Cvt::RN };
                parse(&Format::$ROW, text, cvt).map(Self::of_storage)
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

        // SAFETY: transparent, and 0 is a value.
        unsafe impl Zeroable for $F {}
    )*};
}

floats! {
    /// 1 sign, 4 exponent and 3 mantissa bits; up to 448, a NaN, no infinity. `.b8` in PTX (PTX ISA
    /// 5.2.3).
    E4M3(u8) = E4M3, ".rn.satfinite": Cvt::RN.satfinite();
    /// 1 sign, 5 exponent and 2 mantissa bits; up to 57344. `.b8` in PTX (PTX ISA 5.2.3).
    E5M2(u8) = E5M2, ".rn.satfinite": Cvt::RN.satfinite();
    /// 1 sign, 2 exponent and 3 mantissa bits, in the lower 6 bits of a byte; up to 7.5. Only packed
    /// in PTX (PTX ISA 5.2.3).
    E2M3(u8) = E2M3, ".rn.satfinite": Cvt::RN.satfinite();
    /// 1 sign, 3 exponent and 2 mantissa bits, in the lower 6 bits of a byte; up to 28. Only packed
    /// in PTX (PTX ISA 5.2.3).
    E3M2(u8) = E3M2, ".rn.satfinite": Cvt::RN.satfinite();
    /// 1 sign, 2 exponent bits and 1 mantissa bit, in the lower 4 bits of a byte: 0, 0.5, 1, 1.5, 2,
    /// 3, 4 and 6. Only packed in PTX (PTX ISA 5.2.3).
    E2M1(u8) = E2M1, ".rn.satfinite": Cvt::RN.satfinite();
    /// 8 exponent bits: the powers of two from 2^-127 to 2^127, and a NaN; no zero. Only packed in
    /// PTX (PTX ISA 5.2.3).
    ///
    /// There is no sign: conversions take a number's magnitude, and of 0 give the least number.
    Ue8m0(u8) = UE8M0, ".rp.satfinite": Cvt::RP.satfinite();
    /// 4 exponent and 3 mantissa bits, no sign, in the lower 7 bits of a byte; up to 448, and a NaN.
    /// `.b8` in PTX (PTX ISA 5.2.3).
    ///
    /// What is negative becomes 0.
    Ue4m3(u8) = UE4M3, ".rn.satfinite": Cvt::RN.satfinite();
    /// The range of `f32` with 10 mantissa bits, in the upper 19 of 32 bits. `.b32` in PTX (PTX ISA
    /// 5.2.3).
    ///
    /// Of a NaN of `f32`, `cvt.rna` keeps the upper bits as they are: a NaN whose upper mantissa bits
    /// are zero becomes an infinity.
    Tf32(u32) = TF32, ".rna": Cvt::RNA;
}

/// Formats with a zero.
macro_rules! with_zero {
    ($($F:ident)*) => {$(
        impl $F {
            /// 0.
            pub const ZERO: Self = Self(0);
            /// The least number above zero.
            pub const MIN_POSITIVE_SUBNORMAL: Self = Self::of_code(1);
        }
    )*};
}

with_zero!(E4M3 E5M2 E2M3 E3M2 E2M1 Ue4m3 Tf32);

/// Formats with a sign.
macro_rules! with_sign {
    ($($F:ident)*) => {$(
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
    )*};
}

with_sign!(E4M3 E5M2 E2M3 E3M2 E2M1 Tf32);

/// Formats with a NaN.
macro_rules! with_nan {
    ($($F:ident = $nan:literal)*) => {$(
        impl $F {
            /// The NaN that `cvt` makes.
            pub const NAN: Self = Self($nan);
        }

        const _: () = assert!(matches!($F::FORMAT.nan, Some($nan)));
    )*};
}

with_nan!(E4M3 = 0x7f E5M2 = 0x7f Ue8m0 = 0xff Ue4m3 = 0x7f Tf32 = 0x7fff_e000);

/// Formats with infinities.
macro_rules! with_infinity {
    ($($F:ident)*) => {$(
        impl $F {
            /// Infinity.
            pub const INFINITY: Self = Self::of_code(Self::FORMAT.max() + 1);
        }
    )*};
}

with_infinity!(E5M2 Tf32);

/// Formats of which every pattern of the bits is a value.
macro_rules! every_pattern {
    ($($F:ident)*) => {$(
        // SAFETY: transparent, and the mask is as wide as the bits.
        unsafe impl Pod for $F {}

        const _: () = assert!($F::FORMAT.storage_mask().count_ones() as usize == size_of::<$F>() * 8);
    )*};
}

every_pattern!(E4M3 E5M2 Ue8m0);

/// Formats that leave bits of their storage zero.
macro_rules! zero_elsewhere {
    ($($F:ident($Bits:ty))*) => {$(
        // SAFETY: transparent over an integer.
        unsafe impl NoUninit for $F {}

        // SAFETY: transparent; the bits of the mask are those that a value has.
        unsafe impl CheckedBitPattern for $F {
            type Bits = $Bits;

            fn is_valid_bit_pattern(bits: &$Bits) -> bool {
                u32::from(*bits) & !$F::FORMAT.storage_mask() == 0
            }
        }
    )*};
}

zero_elsewhere!(E2M3(u8) E3M2(u8) E2M1(u8) Ue4m3(u8) Tf32(u32));

host_scalars! { E4M3 => E4m3, E5M2 => E5m2, Ue4m3 => Ue4m3, Tf32 => Tf32 }

// The lanes of the format without a zero know one rounding.
const _: () = {
    assert!(matches!(Ue8m0::CVT, Cvt { rounding: Rounding::Up, satfinite: true, relu: false }));
    assert!(Format::UE8M0.bias == 127);
};
