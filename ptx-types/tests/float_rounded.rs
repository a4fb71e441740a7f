//! Slices that are converted with modifiers have the bits of single values, in every format and rounding.

use half::{bf16, f16};
use ptx_types::float::{Cvt, Quantized, SmallFloat, quantize_with};
use ptx_types::{E2M1x2, E2M3x4, E3M2x2, E4M3, E4M3x4, E5M2, E5M2x2, Tf32, Ue4m3, Ue8m0, Ue8m0x2};

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

/// Around every value of the format, half-way between two, and at the ends of `f32`.
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
    // Whole packed elements.
    all.truncate(all.len() / 4 * 4);
    all
}

fn ask<S: Quantized + Default>() {
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
    ask::<E4M3>();
    ask::<E4M3x4>();
    ask::<E5M2>();
    ask::<E5M2x2>();
    ask::<E2M1x2>();
    ask::<E2M3x4>();
    ask::<E3M2x2>();
    ask::<Ue4m3>();
    ask::<Ue8m0>();
    ask::<Ue8m0x2>();
    ask::<Tf32>();
    ask::<f16>();
    ask::<bf16>();
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
