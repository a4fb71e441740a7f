//! The crates `float8`, `float4` and `half` as oracles: results are equal where they follow PTX, and
//! every difference quotes the sentence that decides it (PTX ISA, `cvt`).

use half::{bf16, f16};
use ptx_float::{Cvt, E2M1, E2M3, E3M2, E4M3, E5M2, SmallFloat, Ue8m0};

/// Each exponent with mantissas over its whole range and both signs.
fn inputs() -> impl Iterator<Item = f32> {
    (0..=0xffff_u32).flat_map(|high| {
        [0, 1, 0x1000, 0x7fff, 0x8000, 0x8001, 0xf000, 0xffff]
            .into_iter()
            .map(move |low| f32::from_bits(high << 16 | low))
    })
}

/// The kinds of inputs for which two conversions differ, each with an example.
fn differences<T: PartialEq + core::fmt::Debug>(
    ours: impl Fn(f32) -> T,
    theirs: impl Fn(f32) -> T,
    greatest: f32,
) -> Vec<(&'static str, f32, T, T)> {
    let mut found: Vec<(&'static str, f32, T, T)> = Vec::new();
    for x in inputs() {
        let (a, b) = (ours(x), theirs(x));
        let kind = if x.is_nan() {
            "NaN"
        } else if x.is_infinite() {
            "infinity"
        } else if x.abs() > greatest {
            "too large"
        } else if x == 0.0 {
            "zero"
        } else {
            "number"
        };
        if a != b && !found.iter().any(|(other, ..)| *other == kind) {
            found.push((kind, x, a, b));
        }
    }
    found
}

/// The kinds of differences, in order.
fn kinds<T>(differences: &[(&'static str, f32, T, T)]) -> Vec<&'static str> {
    differences.iter().map(|(kind, ..)| *kind).collect()
}

/// "`NaN` results are converted to canonical `NaN`": in formats with a NaN, it has no sign. `float8`
/// keeps the sign of the input, and uses a different pattern for `e5m2`.
#[test]
fn float8_differs_in_nans() {
    let e4m3 = differences(
        |x| E4M3::from_f32(x).to_bits(),
        |x| float8::F8E4M3::from_f32(x).to_bits(),
        448.0,
    );
    assert_eq!(kinds(&e4m3), ["NaN"], "{e4m3:?}");
    let e5m2 = differences(
        |x| E5M2::from_f32(x).to_bits(),
        |x| float8::F8E5M2::from_f32(x).to_bits(),
        57344.0,
    );
    assert_eq!(kinds(&e5m2), ["NaN"], "{e5m2:?}");
}

/// `float8` always saturates. PTX's `.satfinite` is "mandatory for such conversions", and CUDA's
/// headers also have conversions without it.
#[test]
fn float8_has_no_conversion_without_satfinite() {
    let e4m3 = differences(
        |x| E4M3::from_f32_with(x, Cvt::RN).to_bits(),
        |x| float8::F8E4M3::from_f32(x).to_bits(),
        448.0,
    );
    assert_eq!(kinds(&e4m3), ["too large", "infinity", "NaN"], "{e4m3:?}");
    let e5m2 = differences(
        |x| E5M2::from_f32_with(x, Cvt::RN).to_bits(),
        |x| float8::F8E5M2::from_f32(x).to_bits(),
        57344.0,
    );
    assert_eq!(kinds(&e5m2), ["too large", "infinity", "NaN"], "{e5m2:?}");
}

#[test]
fn float4_agrees_on_e2m1() {
    let found = differences(
        |x| E2M1::from_f32(x).to_bits(),
        |x| float4::F4E2M1::from_f64(x.into()).to_bits(),
        6.0,
    );
    assert_eq!(kinds(&found), [""; 0], "{found:?}");
}

/// `.ue8m0x2`, "for which the destination sign is not supported": the magnitude is converted, as
/// in CUDA's headers; in `float4`, negative numbers become the least number.
#[test]
fn float4_differs_in_the_sign_of_ue8m0() {
    let found = differences(
        |x| Ue8m0::from_f32(x).to_bits(),
        |x| float4::E8M0::from_f64(x.into()).to_bits(),
        f32::MAX,
    );
    assert!(found.iter().all(|(_, x, ..)| x.is_sign_negative()), "{found:?}");
    assert_eq!(kinds(&found), ["number", "infinity"], "{found:?}");
}

/// "`NaN` results are converted to canonical `NaN`": 0x7FFF. `half` keeps the upper bits instead.
#[test]
fn half_differs_in_nans() {
    let single = differences(
        |x| f16::convert(x, Cvt::RN).to_bits(),
        |x| f16::from_f32(x).to_bits(),
        f32::MAX,
    );
    assert_eq!(kinds(&single), ["NaN"], "{single:?}");
    let brain = differences(
        |x| bf16::convert(x, Cvt::RN).to_bits(),
        |x| bf16::from_f32(x).to_bits(),
        f32::MAX,
    );
    assert_eq!(kinds(&brain), ["NaN"], "{brain:?}");
    for bits in 0..=u16::MAX {
        let (ours, theirs) = (f16::from_bits(bits).value(), f16::from_bits(bits).to_f32());
        assert!(ours.to_bits() == theirs.to_bits() || ours.is_nan() && theirs.is_nan());
        let (ours, theirs) = (bf16::from_bits(bits).value(), bf16::from_bits(bits).to_f32());
        assert!(ours.to_bits() == theirs.to_bits() || ours.is_nan() && theirs.is_nan());
    }
}

/// Every pattern has the same value as in the other crates.
#[test]
fn patterns_have_the_values_of_the_others() {
    fn check(ours: f32, theirs: f32, bits: u8) {
        assert!(
            ours.to_bits() == theirs.to_bits() || ours.is_nan() && theirs.is_nan(),
            "{bits:#x}"
        );
    }
    for bits in 0..=u8::MAX {
        check(E4M3::from_bits(bits).to_f32(), float8::F8E4M3::from_bits(bits).to_f32(), bits);
        check(E5M2::from_bits(bits).to_f32(), float8::F8E5M2::from_bits(bits).to_f32(), bits);
        let theirs = float4::E8M0::from_bits(bits).to_f64();
        let ours = Ue8m0::from_bits(bits).to_f64();
        assert!(ours.to_bits() == theirs.to_bits() || ours.is_nan() && theirs.is_nan());
    }
    for bits in 0..16 {
        let theirs = float4::F4E2M1::from_bits(bits).to_f64();
        assert_eq!(E2M1::from_bits(bits).to_f64().to_bits(), theirs.to_bits());
    }
}

/// The results of `ml_dtypes` for the same numbers, as recorded by `data/others.py`: the values of all codes, and the
/// codes of numbers over all exponents and mantissas, rounded to the nearest.
#[test]
fn ml_dtypes_agrees() {
    let table = include_str!("data/ml_dtypes.txt");
    let mut asked = 0;
    for (name, format) in [
        ("float8_e4m3fn", E4M3::FORMAT),
        ("float8_e5m2", E5M2::FORMAT),
        ("float8_e8m0fnu", Ue8m0::FORMAT),
        ("float6_e2m3fn", E2M3::FORMAT),
        ("float6_e3m2fn", E3M2::FORMAT),
        ("float4_e2m1fn", E2M1::FORMAT),
    ] {
        let line = table
            .lines()
            .find(|line| line.split(';').next() == Some(name))
            .expect("the type is there");
        let [_, values, codes] = line.split(';').collect::<Vec<_>>()[..] else {
            panic!("three columns: {line}");
        };
        for (bits, theirs) in (0..1_u32 << format.bits).zip(values.split(' ')) {
            let theirs = f32::from_bits(u32::from_str_radix(theirs, 16).expect("bits of a float"));
            let ours = format.decode_f32(bits);
            assert!(
                ours.to_bits() == theirs.to_bits() || ours.is_nan() && theirs.is_nan(),
                "{name} {bits}"
            );
        }
        for (n, bits) in (0..=u32::MAX).step_by(0x20_0a07).enumerate() {
            let theirs = u32::from_str_radix(&codes[2 * n..2 * n + 2], 16).expect("two digits");
            let x = f32::from_bits(bits);
            // `cvt` to a power of two rounds up or down, and `ml_dtypes` to the nearest. In formats without NaN and
            // infinity, these have no code there, and its NaNs have a sign.
            let has_no_code = format.nan.is_none() && !x.is_finite();
            if format.mantissa_bits == 0 || has_no_code || x.is_nan() {
                continue;
            }
            let ours = format.encode_f32(x, Cvt::RN);
            let is_nan = |code| format.decode_f32(code).is_nan();
            assert!(
                ours == theirs || is_nan(ours) && is_nan(theirs),
                "{name} of {x} ({bits:#x}): {ours:#x} {theirs:#x}"
            );
            asked += 1;
        }
    }
    assert!(asked > 9_000, "{asked}");
}
