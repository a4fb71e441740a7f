//! Branchless conversions of one number without modifiers, which can be vectorised. Their results are identical to
//! those of the scalar conversions, as the tests check for every number.

// Inlining compiles a function for the instruction set of each caller.
#![allow(clippy::inline_always)]

use super::cvt::{Cvt, Rounding};
use super::small_float::SmallFloat;
use crate::format::Specials;

const INFINITY: u32 = 0x7f80_0000;

/// The lesser of two numbers, usable in constants.
#[inline(always)]
const fn lesser(a: u32, b: u32) -> u32 {
    a - a.saturating_sub(b)
}

/// The `ue8m0` of the least power of two that is not less than a magnitude.
#[inline(always)]
const fn power_above(magnitude: u32) -> u32 {
    const LEAST: u32 = 1 << 22; // 2^-127, a subnormal `f32`
    let above = (magnitude + 0x7f_ffff) >> 23;
    let code = if magnitude > LEAST { above } else { 0 };
    let code = lesser(code, 0xfe);
    if magnitude > INFINITY { 0xff } else { code }
}

/// The bits of the `f32` value of a `ue8m0`.
#[inline(always)]
const fn power(code: u32) -> u32 {
    let least = if code == 0 { 1 << 22 } else { 0 };
    if code == 0xff { 0x7fff_ffff } else { code << 23 | least }
}

/// The storage for the number with these bits, equal to that of [`Format::encode_f32`] with the modifiers
/// that slices use. It is branchless, so that it can be vectorised.
///
/// [`Format::encode_f32`]: crate::Format::encode_f32
#[inline(always)]
pub(crate) const fn encode_lane<F: SmallFloat>(bits: u32) -> u32 {
    // The only format without zero is `ue8m0`, for which only one rounding mode is implemented here.
    const {
        assert!(F::FORMAT.has_zero || F::FORMAT.bias == 127);
        let is_up = matches!(F::CVT, Cvt { rounding: Rounding::Up, satfinite: true, relu: false });
        assert!(F::FORMAT.has_zero || is_up);
    };
    let cut = const { 23 - F::FORMAT.mantissa_bits };
    let (magnitude, sign) = (bits & 0x7fff_ffff, bits >> 31);
    if const { !F::FORMAT.has_zero } {
        return power_above(magnitude);
    }
    let half = 1 << (cut - 1);
    // Adding half a unit, or just less if the code is even, carries if the nearest number is above.
    let half = if const { matches!(F::CVT.rounding, Rounding::NearestAway) } {
        half
    } else {
        half - 1 + ((magnitude >> cut) & 1)
    };
    let rebias = const { (127 - F::FORMAT.bias).unsigned_abs() << F::FORMAT.mantissa_bits };
    let normal = ((magnitude + half) >> cut).wrapping_sub(rebias);
    let code = if const { F::FORMAT.bias == 127 } {
        normal
    } else {
        // Below the least normal number, a float addition rounds: the last bit of its result has the weight
        // of the last bit of a subnormal number.
        let least = const { (128 - F::FORMAT.bias).unsigned_abs() << 23 };
        let magic =
            const { ((151 - F::FORMAT.bias).unsigned_abs() - F::FORMAT.mantissa_bits) << 23 };
        let sum = f32::from_bits(magnitude) + f32::from_bits(magic);
        if magnitude < least { sum.to_bits().wrapping_sub(magic) } else { normal }
    };
    let greatest = const {
        match F::FORMAT.infinity() {
            Some(infinity) if !F::CVT.satfinite => infinity,
            Some(_) | None => F::FORMAT.max(),
        }
    };
    let nan = const {
        match F::FORMAT.nan {
            Some(nan) => nan,
            None => F::FORMAT.max(),
        }
    };
    let code = lesser(code, greatest);
    let code = if const { F::FORMAT.is_signed } {
        code | sign << const { F::FORMAT.bits - 1 }
    } else {
        code & sign.wrapping_sub(1)
    };
    let nan = if const { F::FORMAT.padding > 0 } {
        bits & const { !((1 << F::FORMAT.padding) - 1) }
    } else {
        nan
    };
    if magnitude > INFINITY { nan } else { code << const { F::FORMAT.padding } }
}

/// The bits of the value of this storage, equal to that of [`Format::decode_f32`].
///
/// [`Format::decode_f32`]: crate::Format::decode_f32
#[inline(always)]
pub(crate) const fn decode_lane<F: SmallFloat>(storage: u32) -> u32 {
    let code = storage >> const { F::FORMAT.padding };
    if const { !F::FORMAT.has_zero } {
        return power(code);
    }
    if const { F::FORMAT.is_cut_f32() } {
        return code << const { 32 - F::FORMAT.bits };
    }
    let magnitude = code & const { F::FORMAT.magnitude_mask() };
    let sign = (code & const { F::FORMAT.sign_bit() }) << const { 32 - F::FORMAT.bits };
    let shifted = magnitude << const { 23 - F::FORMAT.mantissa_bits };
    // For a subnormal number, the hidden bit is added and subtracted again, so that no intermediate `f32`
    // is subnormal, which is slow on some processors.
    let rebias = const { (127 - F::FORMAT.bias).unsigned_abs() << 23 };
    let least = const { (128 - F::FORMAT.bias).unsigned_abs() << 23 };
    let subnormal = f32::from_bits(shifted + least) - f32::from_bits(least);
    let value = match magnitude >> const { F::FORMAT.mantissa_bits } {
        0 => subnormal.to_bits(),
        _ => shifted + rebias,
    };
    let last = const { F::FORMAT.max() };
    let special = if const { matches!(F::FORMAT.specials, Specials::Ieee) } {
        if magnitude == last + 1 { 0x7f80_0000 | sign } else { 0x7fff_ffff }
    } else {
        0x7fff_ffff
    };
    if const { !matches!(F::FORMAT.specials, Specials::None) } && magnitude > last {
        special
    } else {
        value | sign
    }
}

/// Implements [`SmallFloat::convert`] and [`SmallFloat::value`] with the conversions of lanes.
macro_rules! single {
    () => {
        #[inline]
        fn convert(x: f32, cvt: Cvt) -> Self {
            use $crate::values::lane::encode_lane;
            Self::from_storage(if cvt == <Self as SmallFloat>::CVT {
                encode_lane::<Self>(x.to_bits())
            } else {
                <Self as SmallFloat>::FORMAT.encode_f32(x, cvt)
            })
        }

        #[inline]
        fn value(self) -> f32 {
            f32::from_bits($crate::values::lane::decode_lane::<Self>(self.to_storage()))
        }
    };
}
pub(crate) use single;
