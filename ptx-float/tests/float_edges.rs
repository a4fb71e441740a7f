//! Zeros, ones and last elements: the edge cases of the other tests of small floats.

#![allow(clippy::float_cmp)] // values are equal or not: nothing here is approximate

use ptx_float::{
    BytesError, Cvt, Dense, DenseVec, Format, LengthMismatch, Padded, ScaleRule, SpecialCounts,
    SubByte, Variant, count_special, dequantize_rows, quantize_blocks_with, quantize_rows,
};
use ptx_float::{E2M1, E2M1x2, E2M3, E3M2, E4M3, E5M2, Rounding, Tf32, Ue8m0};

const ROUNDINGS: [Rounding; 5] =
    [Rounding::Nearest, Rounding::NearestAway, Rounding::Zero, Rounding::Up, Rounding::Down];

/// An integer is rounded as the double that holds it, and 0 has no sign.
#[test]
#[allow(clippy::cast_precision_loss)] // a double represents them
fn integers_are_doubles() {
    for format in Format::ALL {
        for rounding in ROUNDINGS {
            let plain = Cvt::new(rounding);
            for cvt in [plain, plain.satfinite(), plain.relu()] {
                for n in (0..600).chain((10..52).map(|shift| (1 << shift) - 1)) {
                    let (is, x) = (format!("{n} in {} by {cvt:?}", format.name), n as f64);
                    assert_eq!(format.encode_i64(n, cvt), format.encode_f64(x, cvt), "{is}");
                    let unsigned = n.cast_unsigned();
                    assert_eq!(format.encode_u64(unsigned, cvt), format.encode_f64(x, cvt), "{is}");
                    let expected = format.encode_f64(if n == 0 { 0.0 } else { -x }, cvt);
                    assert_eq!(format.encode_i64(-n, cvt), expected, "-{is}");
                }
            }
        }
    }
}

/// Numbers out of range, in every rounding direction, and the greatest number itself.
#[test]
fn modifiers_handle_numbers_out_of_range() {
    for rounding in ROUNDINGS {
        let plain = Cvt::new(rounding);
        let of = |x: f32, cvt| E5M2::from_f32_with(x, cvt);
        assert_eq!((of(57344.0, plain), of(-57344.0, plain)), (E5M2::MAX, E5M2::MIN));
        let (is_up, is_down) = (rounding != Rounding::Down, rounding != Rounding::Up);
        let cuts = rounding == Rounding::Zero;
        let above = if is_up && !cuts { E5M2::INFINITY } else { E5M2::MAX };
        let below = if is_down && !cuts { -E5M2::INFINITY } else { E5M2::MIN };
        assert_eq!((of(1e9, plain), of(-1e9, plain)), (above, below), "{rounding:?}");
        assert_eq!(of(f32::INFINITY, plain), E5M2::INFINITY);
        let finite = plain.satfinite();
        assert_eq!((of(1e9, finite), of(-1e9, finite)), (E5M2::MAX, E5M2::MIN));
        assert_eq!((of(-1.0, plain.relu()), of(1.0, plain.relu())), (E5M2::ZERO, E5M2::ONE));
        assert_eq!((of(f32::NAN, plain), of(f32::NAN, finite)), (E5M2::NAN, E5M2::NAN));
        assert_eq!(E4M3::from_f32_with(1e9, plain).is_nan(), above == E5M2::INFINITY);
        assert_eq!(E4M3::from_f32_with(f32::NEG_INFINITY, plain), -E4M3::NAN);
    }
}

/// 20 bits are discarded, of which the highest is set, like the highest of 32 random bits.
#[test]
fn at_most_32_random_bits_are_used() {
    for count in [32, 33, 40, u32::MAX] {
        let up = E4M3::from_f32_with(1.0625, Cvt::rs(1 << 31, count));
        assert_eq!((up.to_f32(), count), (1.125, count));
        let down = E4M3::from_f32_with(1.0625, Cvt::rs((1 << 31) - 1, count));
        assert_eq!((down.to_f32(), count), (1.0, count));
    }
}

fn zeros_and_the_last<E: SubByte + PartialEq + core::fmt::Debug, const BYTES: usize>() {
    let (mut dense, mut padded) = (Dense::<E, BYTES>::default(), Padded::<E>::default());
    assert_eq!((dense.to_bytes(), padded.to_bytes()), ([0; BYTES], [0; 16]));
    let (last, top) = (Dense::<E, BYTES>::LEN - 1, E::from_storage(u32::MAX));
    assert_eq!(dense.get(last), Some(E::from_storage(0)));
    assert!(dense.set(last, top) && padded.set(15, top));
    assert_eq!((dense.get(last), padded.get(15)), (Some(top), Some(top)));
    assert_eq!((dense.get(last + 1), padded.get(16)), (None, None));
    assert_eq!(dense.iter().len(), last + 1);
}

#[test]
fn elements_are_zeros_until_they_are_set() {
    zeros_and_the_last::<E2M1, 1>();
    zeros_and_the_last::<E2M3, 3>();
    zeros_and_the_last::<E3M2, 6>();
}

/// A matrix without columns has no numbers, in either direction.
#[test]
fn a_matrix_without_columns_is_empty() {
    let mismatch = |what, found| Err(LengthMismatch { what, found, needed: 0 });
    let quantized = |numbers: usize, elements: usize, scales: usize| {
        let mut to = (vec![E2M1x2::default(); elements], vec![1.0_f32; scales]);
        quantize_rows(&vec![1.0; numbers], 0, &mut to.0, &mut to.1)
    };
    assert_eq!(quantized(0, 0, 0), Ok(()));
    assert_eq!(quantized(1, 0, 0), mismatch("slice of numbers", 1));
    assert_eq!(quantized(0, 1, 0), mismatch("slice of elements", 2));
    assert_eq!(quantized(0, 0, 1), mismatch("slice of scales", 1));
    let dequantized = |elements: usize, scales: usize| {
        let from = (vec![E4M3::ONE; elements], vec![1.0_f32; scales]);
        dequantize_rows(&from.0, 0, &from.1, &mut vec![0.0; elements])
    };
    assert_eq!(dequantized(0, 0), Ok(()));
    assert_eq!(dequantized(1, 0), mismatch("slice of elements", 1));
    assert_eq!(dequantized(0, 1), mismatch("slice of scales", 1));
}

/// The least power of two that is not less than a magnitude, and the format's least one for lesser numbers.
#[test]
fn powers_of_two_are_rounded_up() {
    let code = |bits: u32| Ue8m0::from_f32(f32::from_bits(bits)).to_bits();
    let least = 2_f32.powi(-127).to_bits();
    assert_eq!([0, 1, least - 1, least, least + 1].map(code), [0, 0, 0, 0, 1]);
    let one = 1_f32.to_bits();
    assert_eq!([one - 1, one, one + 1, one + (1 << 23)].map(code), [127, 127, 128, 128]);
    assert_eq!(
        [0x7f00_0000, 0x7f7f_ffff, 0x7f80_0000, 0x7f80_0001].map(code),
        [254, 254, 254, 255]
    );
}

/// 7 is the midpoint of 6 and 8, and 8 is even: the next lesser number is rounded to 6.
#[test]
fn the_nearest_power_of_two_is_that_of_the_rounded_number() {
    for (greatest, expected) in [(7.0_f32.next_down(), 1.0), (7.0, 2.0)] {
        let (mut elements, mut scales) = ([E2M1x2::default(); 16], [Ue8m0::ONE; 1]);
        let rule = ScaleRule::NearestEven;
        quantize_blocks_with::<_, _, 32>(&[greatest; 32], &mut elements, &mut scales, rule)
            .expect("a block");
        assert_eq!(scales[0].to_f32(), expected, "{greatest}");
    }
}

/// NaNs become PTX's canonical one, except in formats that are a truncated `f32`, whose NaNs keep their bits.
#[test]
fn nans_have_their_bits() {
    let nan = |format: &Format, storage| format.decode_f32(storage).to_bits();
    assert_eq!(nan(&Format::E4M3, 0xff), 0x7fff_ffff);
    assert_eq!(nan(&Format::UE8M0, 0xff), 0x7fff_ffff);
    assert_eq!(nan(&Format::F16, 0x7e01), 0x7fff_ffff);
    assert_eq!(nan(&Format::BF16, 0xffc1), 0xffc1_0000);
    assert_eq!(nan(&Format::TF32, 0x7f80_2000), 0x7f80_2000);
    let upper = |bits: u32| Tf32::from_f32(f32::from_bits(bits)).to_bits();
    let expected = [0x7f80_0000, 0xff80_2000, 0x3f80_0000];
    assert_eq!([0x7f80_0001, 0xff80_2001, 0x3f80_0000].map(upper), expected);
    assert_eq!(Tf32::from_bits(0x7f80_2000).to_f32().to_bits(), 0x7f80_2000);
    assert_eq!(E5M2::from_bits(0x7d).to_f32().to_bits(), 0x7fff_ffff);
    assert_eq!(E4M3::from_f32(f32::from_bits(0x7f80_0001)), E4M3::NAN);
    assert_eq!(Variant::E4M3Fnuz.to_f32(0x80).to_bits(), 0x7fff_ffff);
    assert_eq!(count_special::<Tf32>(&[1.0]), SpecialCounts::default());
}

#[cfg(feature = "serde")]
#[test]
fn bytes_may_come_one_by_one() {
    use serde_test::{Token, assert_de_tokens, assert_de_tokens_error};

    let tokens = |bytes: &[u8]| {
        let each = bytes.iter().map(|byte| Token::U8(*byte));
        let all = [Token::Seq { len: None }].into_iter().chain(each);
        all.chain([Token::SeqEnd]).collect::<Vec<_>>()
    };
    let dense = Dense::<E2M1, 2>::from_bytes([0x21, 0x43]);
    assert_de_tokens(&dense, &tokens(&[0x21, 0x43]));
    for (bytes, expected) in [
        (&[0x21][..], "invalid length 1, expected 2 bytes of elements"),
        (&[0x21, 0x43, 0x65], "invalid length 3, expected 2 bytes of elements"),
    ] {
        assert_de_tokens_error::<Dense<E2M1, 2>>(&tokens(bytes), expected);
    }
}

#[test]
fn a_nibble_is_part_of_a_byte() {
    let error = DenseVec::<E2M1>::from_bytes([0x10], 1).unwrap_err();
    let (byte, mask, name) = (0x10, 0x0f, "e2m1");
    assert_eq!(error, BytesError::Pattern { at: 0, byte, mask, name, size: 2 });
}
