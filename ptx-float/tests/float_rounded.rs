//! Slices converted with modifiers have the same bits as single values, in every format and rounding mode.

use half::{bf16, f16};
use ptx_float::{Cvt, Quantized, SmallFloat, quantize_with};
use ptx_float::{
    E2M1, E2M1x2, E2M3x4, E3M2x2, E4M3, E4M3x4, E5M2, E5M2x2, Tf32, Ue4m3, Ue8m0, Ue8m0x2,
};

/// Every conversion.
fn conversions() -> Vec<Cvt> {
    let mut all = vec![Cvt::RN, Cvt::RNA, Cvt::RZ, Cvt::RP, Cvt::RM];
    for bits in [0, 1, 0x1000, 0xabcd, u32::MAX] {
        all.extend([4, 13, 16, 17].map(|count| Cvt::rs(bits, count)));
    }
    let plain = all.clone();
    all.extend(plain.iter().map(|cvt| cvt.satfinite()));
    all.extend(plain.iter().map(|cvt| cvt.relu()));
    all.extend(plain.iter().map(|cvt| cvt.satfinite().relu()));
    all
}

/// Numbers around every value of the format, at midpoints, and at the ends of `f32`.
fn inputs<F: SmallFloat>() -> Vec<f32> {
    let format = F::FORMAT;
    let mut all =
        vec![f32::MAX, f32::MIN_POSITIVE, f32::INFINITY, f32::NAN, f32::from_bits(0x7f80_0001)];
    let mut push = |bits: u32| {
        for near in [0_i32, -1, 1, 0x1000, -0x1000, 0xfff, 0x2345] {
            all.push(f32::from_bits(bits.saturating_add_signed(near).min(0x7f80_0000)));
        }
    };
    let codes = 1 << (format.bits - u32::from(format.is_signed)).min(10);
    let step = (1 << (format.bits - u32::from(format.is_signed))) / codes;
    for code in 0..codes {
        let value = format.decode_f32((code * step) << format.padding);
        push(value.to_bits());
        push((value * 1.0625).to_bits());
        push((value * 0.75).to_bits());
    }
    for exponent in 0..255 {
        push(exponent << 23);
        push(exponent << 23 | 0x7f_ffff);
        push(exponent << 23 | 0x40_0000);
    }
    let negative: Vec<f32> = all.iter().map(|x| -x).collect();
    all.extend(negative);
    // Fill up to whole packed elements.
    all.truncate(all.len() / 4 * 4);
    all
}

fn check<S: Quantized + Default>() {
    let numbers = inputs::<S::Element>();
    let mut to = vec![S::default(); numbers.len() / S::LANES];
    for cvt in conversions() {
        quantize_with(&numbers, &mut to, cvt).expect("they fit");
        let mut codes = [S::Code::default(); 4];
        for (n, x) in numbers.iter().enumerate() {
            to[n / S::LANES].split(&mut codes[..S::LANES]);
            let found = S::widen(codes[n % S::LANES]);
            let expected = S::Element::convert(*x, cvt).to_storage();
            let name = S::Element::FORMAT.name;
            assert_eq!(found, expected, "{x:e} ({:#x}) to {name} by {cvt:?}", x.to_bits());
        }
    }
}

#[test]
fn slices_have_the_bits_of_single_values() {
    check::<E4M3>();
    check::<E4M3x4>();
    check::<E5M2>();
    check::<E5M2x2>();
    check::<E2M1x2>();
    check::<E2M3x4>();
    check::<E3M2x2>();
    check::<Ue4m3>();
    check::<Ue8m0>();
    check::<Ue8m0x2>();
    check::<Tf32>();
    check::<f16>();
    check::<bf16>();
}

/// Whether the lowest `count` random bits, added to as many of the highest discarded bits, carry, so that the
/// number is rounded away from zero.
fn carries<F: SmallFloat>(x: f32, bits: u32, count: u32) -> bool {
    let format = F::FORMAT;
    let value = |code: u32| format.decode_f64(code << format.padding).abs();
    let code = F::convert(x.abs(), Cvt::RZ).to_storage() >> format.padding;
    let part = (f64::from(x).abs() - value(code)) / (value(code + 1) - value(code));
    let all = 2_f64.powi(i32::try_from(count).expect("small"));
    let random = u64::from(bits) % (1 << count);
    #[allow(clippy::cast_precision_loss)] // of 32 bits
    let sum = (part * all).floor() + random as f64;
    sum >= all
}

/// Every number of random bits and of discarded bits: numbers far below the least one only carry with random bits
/// close to all ones.
#[test]
fn random_bits_of_every_count_carry() {
    fn check<F: Quantized + SmallFloat + Default>() {
        let code = |x: f32, cvt| F::convert(x, cvt).to_storage() >> F::FORMAT.padding;
        let most = F::FORMAT.decode_f32(F::FORMAT.max() << F::FORMAT.padding);
        for count in [0, 1, 2, 5, 13, 16, 17, 24, 30, 31, 32, 33, 34, u32::MAX] {
            let meant = count.min(32);
            for exponent in (0..255).step_by(if F::FORMAT.bits > 8 { 7 } else { 2 }) {
                for mantissa in [0, 1, 0x1234, 0x2a_aaaa, 0x40_0000, 0x55_5555, 0x7f_ffff] {
                    let x = f32::from_bits(exponent << 23 | mantissa);
                    if x >= most {
                        continue;
                    }
                    // The least random number that carries is near the complement of the discarded bits.
                    let missing = u32::MAX >> mantissa.count_ones();
                    let shifted = u32::try_from((1_u64 << meant) - 1).expect("of 32 bits");
                    let highest = 0x80_0000 | mantissa;
                    let near = shifted.wrapping_sub(highest >> (24 - meant.min(24)));
                    let far = shifted.wrapping_sub(highest >> 16);
                    for bits in [0, u32::MAX, missing, near, near.wrapping_add(1), far] {
                        let up = u32::from(carries::<F>(x, bits, meant));
                        let expected = code(x, Cvt::RZ) + up;
                        let cvt = Cvt::rs(bits, count);
                        assert_eq!(code(x, cvt), expected, "{x:e} {bits:#x} of {count}");
                        let mut to = [F::default()];
                        quantize_with(&[-x], &mut to, cvt).expect("it fits");
                        assert_eq!(to[0].to_storage(), F::convert(-x, cvt).to_storage(), "{x:e}");
                        quantize_with(&[x], &mut to, cvt).expect("it fits");
                        let found = to[0].to_storage() >> F::FORMAT.padding;
                        assert_eq!(found, expected, "{x:e} {bits:#x} of {count}");
                    }
                }
            }
        }
    }
    check::<E4M3>();
    check::<E5M2>();
    check::<E2M1>();
    check::<Ue4m3>();
    check::<Tf32>();
    check::<f16>();
    check::<bf16>();
}

#[test]
fn every_length_is_converted() {
    for count in 0..200 {
        let numbers: Vec<f32> = (0..count).map(|n: u8| f32::from(n) / 7.0 - 9.0).collect();
        let mut to = vec![E4M3::ONE; numbers.len()];
        quantize_with(&numbers, &mut to, Cvt::RZ.satfinite()).expect("they fit");
        for (to, x) in to.iter().zip(&numbers) {
            assert_eq!(*to, E4M3::from_f32_with(*x, Cvt::RZ.satfinite()));
        }
    }
    let error = quantize_with(&[1.0; 3], &mut [E4M3::ONE; 2], Cvt::RZ).expect_err("two of three");
    assert_eq!(error.to_string(), "the destination holds 2 numbers instead of 3");
}
