//! `f16` and `bf16` as bits.

use ptx_float::{Cvt, Format};

/// The bits of a number in a 16-bit format, rounded once; a NaN keeps its sign and the upper bits of its
/// payload, as a NaN of an `f32` does, although conversions on the GPU produce one NaN.
#[allow(clippy::cast_possible_truncation)] // only the lower bits matter
pub(crate) fn half_bits(format: &Format, value: f64) -> u128 {
    let infinity = format.infinity().unwrap_or_default();
    let storage = if value.is_nan() {
        let (sign, quiet) =
            (u32::from(value.is_sign_negative()) << 15, 1 << (format.mantissa_bits - 1));
        let payload = value.to_bits() >> (f64::MANTISSA_DIGITS - 1 - format.mantissa_bits);
        sign | infinity | quiet | payload as u32 & (quiet - 1)
    } else {
        format.encode_f64(value, Cvt::RN)
    };
    u128::from(storage)
}

#[cfg(test)]
mod tests {
    use super::{Format, half_bits};

    #[test]
    fn numbers_of_16_bits_are_those_of_the_crate_half() {
        let special = [
            0.0,
            -0.0,
            1.0,
            -2.5,
            0.1,
            65_504.0,
            65_519.9,
            65_520.0,
            1e-8,
            5.96e-8,
            2.98e-8,
            -6.1e-5,
            3.3e38,
            3.4e38,
            f64::MAX,
            f64::MIN_POSITIVE,
            1e-40,
            9.2e-41,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            -f64::NAN,
            f64::from_bits(0x7ff0_0000_0000_0001),
            f64::from_bits(0xfff4_5678_9abc_def0),
        ];
        let drawn = (1..100_000_u64).map(|n| {
            // Exponents from -64 to 63; the lower half is zero, because `half` ignores it.
            let bits = n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let exponent = 1023 - 64 + (bits >> 5) % 128;
            f64::from_bits(bits & 0x800f_ffff_0000_0000 | exponent << 52)
        });
        for value in special.into_iter().chain(drawn) {
            let bits = half::f16::from_f64(value).to_bits();
            assert_eq!(half_bits(&Format::F16, value), bits.into(), "{value:e} as `f16`");
            let bits = half::bf16::from_f64(value).to_bits();
            assert_eq!(half_bits(&Format::BF16, value), bits.into(), "{value:e} as `bf16`");
        }
    }

    #[test]
    fn a_value_just_above_the_middle_is_rounded_up() {
        let above = |bits: i32| 1.0 + 2.0_f64.powi(-bits - 1) + 2.0_f64.powi(-50);
        assert_eq!(half_bits(&Format::F16, above(10)), 0x3c01);
        assert_eq!(half_bits(&Format::BF16, above(7)), 0x3f81);
    }
}
