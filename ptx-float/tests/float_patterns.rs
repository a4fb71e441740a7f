//! The category of every pattern of every format, and its place in the total order.

use core::num::FpCategory;

use ptx_float::SmallFloat;
use ptx_float::{Format, Specials};

/// The category by the textbook definition: the exponents of all ones and of all zeros are for special numbers.
fn kind(format: &Format, code: u32) -> FpCategory {
    let exponents = (1 << format.exponent_bits) - 1;
    let mantissas = (1 << format.mantissa_bits) - 1;
    let (exponent, mantissa) = (code >> format.mantissa_bits & exponents, code & mantissas);
    match (format.specials, exponent == exponents, mantissa) {
        (Specials::Ieee, true, 0) => FpCategory::Infinite,
        (Specials::Ieee, true, _) => FpCategory::Nan,
        (Specials::OneNan, true, _) if mantissa == mantissas => FpCategory::Nan,
        _ if exponent > 0 || !format.has_zero => FpCategory::Normal,
        (_, _, 0) => FpCategory::Zero,
        _ => FpCategory::Subnormal,
    }
}

#[test]
fn every_pattern_has_its_category() {
    macro_rules! all {
        ($($(#[$_type:meta])* $F:ident($Bits:ident) { $($_row:tt)* })*) => {$({
            use ptx_float::$F;
            let format = $F::FORMAT;
            for code in 0..1_u32 << format.bits {
                let x = $F::from_storage(code << format.padding);
                let kind = kind(format, code);
                assert_eq!(x.classify(), kind, "{x:?}");
                assert_eq!(x.is_nan(), kind == FpCategory::Nan, "{x:?}");
                assert_eq!(x.is_infinite(), kind == FpCategory::Infinite, "{x:?}");
                let is_finite = !matches!(kind, FpCategory::Nan | FpCategory::Infinite);
                assert_eq!(x.is_finite(), is_finite, "{x:?}");
                assert_eq!(x.is_normal(), kind == FpCategory::Normal, "{x:?}");
                let is_negative = format.is_signed && code >> (format.bits - 1) == 1;
                assert_eq!(x.is_sign_negative(), is_negative, "{x:?}");
                assert_eq!((f64::from(x).is_nan(), x.value().is_nan()), (x.is_nan(), x.is_nan()));
                assert!(x.is_nan() || f64::from(x).is_sign_negative() == is_negative, "{x:?}");
                if code > 0 && !is_negative {
                    let before = $F::from_storage((code - 1) << format.padding);
                    assert!(before < x, "{before:?} {x:?}");
                    assert!(!x.is_finite() || before.to_f64() < x.to_f64(), "{before:?} {x:?}");
                }
            }
        })*};
    }
    ptx_float::__small_floats!(all);
}

/// The conversions of formats with NaN and infinities, with one of them, or with neither.
#[test]
fn formats_have_their_special_values() {
    for format in Format::ALL {
        let codes = 0..1_u32 << format.bits;
        let positive =
            || codes.clone().filter(|code| format.decode_f32(code << format.padding) > 0.0);
        let value = |code: u32| format.decode_f32(code << format.padding);
        let is_normal = |code: &u32| kind(format, *code) == FpCategory::Normal;
        let infinity = codes.clone().find(|code| value(*code) == f32::INFINITY);
        assert_eq!(format.infinity(), infinity, "{}", format.name);
        let finite = positive().filter(|code| value(*code).is_finite());
        let greatest = finite.max_by(|a, b| value(*a).total_cmp(&value(*b)));
        assert_eq!(Some(format.max()), greatest, "{}", format.name);
        let least = positive().filter(is_normal).min_by(|a, b| value(*a).total_cmp(&value(*b)));
        assert_eq!(Some(format.min_positive()), least, "{}", format.name);
        let all = codes.clone().fold(0, |all, code| all | code << format.padding);
        assert_eq!(format.storage_mask(), all, "{}", format.name);
        if let Some(nan) = format.nan {
            assert!(format.decode_f32(nan).is_nan(), "{}", format.name);
        }
    }
}
