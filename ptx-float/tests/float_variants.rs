//! 8-bit floats that PTX does not have, against their definition in `f64` arithmetic, and against the results
//! of `ml_dtypes` for the same numbers, as recorded by `data/others.py`.

#![allow(clippy::float_cmp)] // the values are exact

use ptx_float::{Changed, LengthMismatch, Variant};
use ptx_float::{E2M1, E4M3, E5M2, SmallFloat, Ue4m3};

/// Exponent bits, mantissa bits, bias, and whether the format has infinities and -0.
fn definition(variant: Variant) -> (i32, i32, i32, bool) {
    match variant {
        Variant::E4M3Fnuz => (4, 3, 8, false),
        Variant::E5M2Fnuz => (5, 2, 16, false),
        Variant::E4M3B11Fnuz => (4, 3, 11, false),
        Variant::E3M4 => (3, 4, 3, true),
        Variant::E4M3 => (4, 3, 7, true),
        other => panic!("{other} has no definition here"),
    }
}

/// The value of a pattern by the definition of the format.
fn defined(variant: Variant, bits: u8) -> f64 {
    let (exponent_bits, mantissa_bits, bias, is_ieee) = definition(variant);
    let sign = if bits & 0x80 == 0 { 1.0 } else { -1.0 };
    let exponent = i32::from(bits & 0x7f) >> mantissa_bits;
    let mantissa = f64::from(bits & ((1 << mantissa_bits) - 1)) / 2_f64.powi(mantissa_bits);
    match exponent {
        _ if !is_ieee && bits == 0x80 => f64::NAN,
        _ if is_ieee && exponent == (1 << exponent_bits) - 1 => {
            if mantissa == 0.0 {
                sign * f64::INFINITY
            } else {
                f64::NAN
            }
        }
        0 => sign * mantissa * 2_f64.powi(1 - bias),
        _ => sign * (1.0 + mantissa) * 2_f64.powi(exponent - bias),
    }
}

fn is_same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

#[test]
fn every_pattern_has_the_value_of_its_definition() {
    for variant in Variant::ALL {
        for bits in 0..=u8::MAX {
            let (ours, theirs) = (f64::from(variant.to_f32(bits)), defined(variant, bits));
            assert!(is_same(ours, theirs), "{variant} {bits:#x}: {ours} instead of {theirs}");
        }
    }
    assert_eq!(Variant::ALL.map(Variant::max), [240.0, 57344.0, 30.0, 15.5, 240.0]);
}

#[test]
fn every_value_is_its_pattern() {
    for variant in Variant::ALL {
        for bits in 0..=u8::MAX {
            let x = variant.to_f32(bits);
            if x.is_nan() {
                assert!(variant.to_f32(variant.from_f32(x)).is_nan(), "{variant} {bits:#x}");
            } else {
                assert_eq!(variant.from_f32(x), bits, "{variant} {bits:#x}");
            }
        }
    }
}

/// A nonzero number and its `f32` neighbours.
#[allow(clippy::cast_possible_truncation)] // the midpoints have few bits
fn around(x: f64) -> [f32; 3] {
    let x = x as f32;
    [f32::from_bits(x.to_bits() - 1), x, f32::from_bits(x.to_bits() + 1)]
}

/// Below the greatest number, the midpoint of two neighbours rounds to the even one, and a number next to it to
/// the nearer one; above it, the midpoint to the number that would be next is out of range.
#[test]
fn numbers_are_rounded_to_the_nearest_and_to_the_even() {
    for variant in Variant::ALL {
        let max = variant.from_f32(variant.max());
        for bits in 0..max {
            let middle = f64::midpoint(defined(variant, bits), defined(variant, bits + 1));
            let even = bits + (bits & 1);
            let expected = [bits, even, bits + 1];
            assert_eq!(around(middle).map(|x| variant.from_f32(x)), expected, "{variant} {bits}");
            let negative = around(middle).map(|x| variant.from_f32(-x));
            let is_ieee = definition(variant).3;
            let signed = expected.map(|code| if code == 0 && !is_ieee { 0 } else { code | 0x80 });
            assert_eq!(negative, signed, "{variant} -{bits}");
        }
        let last = defined(variant, max) - defined(variant, max - 1);
        let beyond = around(defined(variant, max) + last / 2.0);
        let (is_ieee, infinity) = (definition(variant).3, max + 1);
        let over = if is_ieee { infinity } else { 0x80 };
        // Of the greatest number and the one that would be next, the one with the even pattern.
        let middle = if max & 1 == 0 { max } else { over };
        assert_eq!(beyond.map(|x| variant.from_f32(x)), [max, middle, over], "{variant}");
        for x in [beyond[2], f32::MAX, f32::INFINITY] {
            assert_eq!(variant.from_f32(x), over, "{variant} {x}");
            assert_eq!(variant.from_f32(-x), over | 0x80, "{variant} -{x}");
            assert_eq!(variant.from_f32_saturating(x), max, "{variant} {x}");
            assert_eq!(variant.from_f32_saturating(-x), max | 0x80, "{variant} -{x}");
        }
        assert_eq!(variant.from_f32(-0.0), if is_ieee { 0x80 } else { 0 });
        assert_eq!(variant.from_f32(f32::from_bits(1)), 0);
    }
}

#[test]
fn ml_dtypes_agrees() {
    let table = include_str!("data/ml_dtypes.txt");
    assert!(table.lines().count() > Variant::ALL.len());
    for (line, variant) in table.lines().zip(Variant::ALL) {
        let [name, values, codes] = line.split(';').collect::<Vec<_>>()[..] else {
            panic!("three columns: {line}");
        };
        assert_eq!(name, variant.to_string());
        let values: Vec<f32> = values
            .split(' ')
            .map(|bits| f32::from_bits(u32::from_str_radix(bits, 16).expect("bits of a float")))
            .collect();
        assert_eq!(values.len(), 256);
        for (bits, theirs) in (0..=u8::MAX).zip(values) {
            let ours = variant.to_f32(bits);
            assert!(is_same(ours.into(), theirs.into()), "{variant} {bits:#x}: {theirs}");
        }
        let inputs: Vec<u32> = (0..=u32::MAX).step_by(0x20_0a07).collect();
        assert_eq!(codes.len(), 2 * inputs.len());
        for (n, bits) in inputs.into_iter().enumerate() {
            let theirs = u8::from_str_radix(&codes[2 * n..2 * n + 2], 16).expect("two digits");
            let x = f32::from_bits(bits);
            assert_eq!(variant.from_f32(x), theirs, "{variant} of {x} ({bits:#x})");
        }
    }
}

#[test]
fn conversions_to_ptx_count_changed_values() -> Result<(), LengthMismatch> {
    let all: Vec<u8> = (0..=u8::MAX).collect();
    // The PTX format has all of its numbers, but no infinities.
    let mut ours = [E4M3::ZERO; 256];
    let changed = Variant::E4M3.to_floats(&all, &mut ours)?;
    assert_eq!(changed, Changed { infinite: 2, ..Changed::default() });
    assert_eq!((ours[0x78], ours[0xf8]), (E4M3::MAX, E4M3::MIN));
    assert!(ours[0x79].is_nan());

    let mut ours = [E5M2::ZERO; 256];
    let changed = Variant::E5M2Fnuz.to_floats(&all, &mut ours)?;
    // The PTX format has half as many subnormal numbers: the odd ones of both signs are rounded.
    let rounded = (0..=u8::MAX)
        .filter(|bits| {
            let x = defined(Variant::E5M2Fnuz, *bits);
            !x.is_nan() && !is_same(E5M2::from_f64(x).to_f64(), x)
        })
        .count();
    assert!(rounded > 0);
    assert_eq!(changed, Changed { rounded, ..Changed::default() });

    let mut ours = [E5M2::ZERO; 3];
    let changed = Variant::E3M4.to_floats(&[0x70, 0xf0, 0x71], &mut ours)?;
    assert_eq!(ours[..2], [E5M2::INFINITY, -E5M2::INFINITY]);
    assert!(ours[2].is_nan() && changed.is_none());

    // 1, a NaN twice, 240, -1 and an infinity.
    let from = [0x38, 0x79, 0x79, 0x77, 0xb8, 0x78];
    let mut ours = [E2M1::ZERO; 6];
    let changed = Variant::E4M3.to_floats(&from, &mut ours)?;
    assert_eq!(ours.map(E2M1::to_f32), [1.0, 6.0, 6.0, 6.0, -1.0, 6.0]);
    assert_eq!(changed, Changed { nan: 2, infinite: 1, saturated: 1, rounded: 0 });
    assert!(!changed.is_none());
    let mut ours = [Ue4m3::ZERO; 2];
    let changed = Variant::E4M3.to_floats(&[0x38, 0xb8], &mut ours)?;
    assert_eq!((ours, changed.rounded), ([Ue4m3::ONE, Ue4m3::ZERO], 1));
    // The greatest number loses its sign, and numbers beyond it are out of range.
    let codes = [-448.0, -512.0].map(|x| Variant::E5M2Fnuz.from_f32(x));
    let changed = Variant::E5M2Fnuz.to_floats(&codes, &mut ours)?;
    assert_eq!(changed, Changed { saturated: 1, rounded: 1, ..Changed::default() });

    let error = Variant::E4M3.to_floats(&from, &mut ours).unwrap_err();
    assert_eq!(error, LengthMismatch { what: "destination", found: 2, needed: 6 });
    Ok(())
}

#[test]
fn conversions_from_ptx_count_changed_values() -> Result<(), LengthMismatch> {
    let from = [E5M2::ONE, E5M2::INFINITY, -E5M2::INFINITY, E5M2::NAN, E5M2::MAX, E5M2::MIN];
    let mut codes = [0; 6];
    let changed = Variant::E4M3Fnuz.from_floats(&from, &mut codes)?;
    assert_eq!(codes, [0x40, 0x7f, 0xff, 0x80, 0x7f, 0xff]);
    assert_eq!(changed, Changed { infinite: 2, saturated: 2, ..Changed::default() });

    let changed = Variant::E4M3.from_floats(&from, &mut codes)?;
    assert_eq!(codes, [0x38, 0x78, 0xf8, 0x7c, 0x77, 0xf7]);
    assert_eq!(changed, Changed { saturated: 2, ..Changed::default() });

    let odd = [E4M3::from_bits(0x39), -E4M3::ZERO];
    let mut codes = [1; 2];
    let changed = Variant::E5M2Fnuz.from_floats(&odd, &mut codes)?;
    // 1.125 is the midpoint of 1 and 1.25.
    assert_eq!((codes, changed), ([0x40, 0], Changed { rounded: 1, ..Changed::default() }));
    assert_eq!(
        Variant::E4M3.from_floats(&odd, &mut [0; 3]),
        Err(LengthMismatch { what: "destination", found: 3, needed: 2 }),
    );
    Ok(())
}

/// One nonzero count is enough.
#[test]
fn each_count_is_a_change() {
    let none = Changed::default();
    assert!(none.is_none());
    for changed in [
        Changed { nan: 1, ..none },
        Changed { infinite: 1, ..none },
        Changed { saturated: 1, ..none },
        Changed { rounded: 1, ..none },
    ] {
        assert!(!changed.is_none(), "{changed:?}");
    }
}

/// Values that both formats have survive a round trip.
#[test]
fn common_values_round_trip() -> Result<(), LengthMismatch> {
    fn check<F: SmallFloat + PartialEq + core::fmt::Debug>(
        variant: Variant,
    ) -> Result<usize, LengthMismatch> {
        let (all, mut kept): (Vec<u8>, usize) = ((0..=u8::MAX).collect(), 0);
        for code in all {
            let (mut float, mut back) = ([F::from_storage(0)], [0]);
            if variant.to_floats(&[code], &mut float)?.is_none() {
                variant.from_floats(&float, &mut back)?;
                let (a, b) = (variant.to_f32(code), variant.to_f32(back[0]));
                assert!(a == b || a.is_nan() && b.is_nan(), "{variant} {code:#x}");
                kept += 1;
            }
        }
        Ok(kept)
    }
    // All except the infinities.
    assert_eq!(check::<E4M3>(Variant::E4M3)?, 254);
    // Numbers below 2^-6 are multiples of 2^-10, and of 2^-9 in `E4M3`: eight odd multiples of each sign are lost.
    assert_eq!(check::<E4M3>(Variant::E4M3Fnuz)?, 256 - 16);
    Ok(())
}
