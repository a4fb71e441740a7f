//! Blocks with one scale each, compared with plain loops over their numbers: block lengths, types of elements and
//! scales, rules of scales, and slices that are longer than a step.

#![allow(clippy::float_cmp)] // the values are exact

use half::f16;
use ptx_float::{
    Block, BlockLength, BlockScale, Quantized, ScaleRule, SmallFloat, SpecialCounts, amax,
    count_special, dequantize_blocks, dequantize_nvfp4, dequantize_rows, quantize, quantize_blocks,
    quantize_blocks_with, quantize_nvfp4, quantize_rows,
};
use ptx_float::{E2M1, E2M1x2, E2M1x4, E2M3x2, E3M2x4, E4M3, E4M3x4, E5M2x2, Ue4m3, Ue8m0};

/// Numbers of many magnitudes and both signs, including zeros.
fn numbers(count: usize) -> Vec<f32> {
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_be_bytes()[0]
    };
    let number = |_| {
        let mantissa = f32::from(i16::from_ne_bytes([next(), next()])) + 0.375;
        let exponent = i32::from(next() % 24) - 27;
        if next() % 16 == 0 { 0.0 } else { mantissa * 2_f32.powi(exponent) }
    };
    (0..count).map(number).collect()
}

/// The scale and the elements of a block, by the documentation of `quantize_blocks`.
fn block<S: Quantized, B: BlockScale + SmallFloat>(numbers: &[f32]) -> (B, Vec<S::Element>) {
    let format = S::Element::FORMAT;
    let most = format.decode_f32(format.max() << format.padding);
    let is_nan = numbers.iter().any(|x| x.is_nan());
    let greatest =
        if is_nan { f32::NAN } else { numbers.iter().fold(0.0, |most: f32, x| most.max(x.abs())) };
    let mut scale = B::convert(greatest / most, B::CVT);
    if scale.value() == 0.0 && greatest != 0.0 {
        scale = B::from_storage(1);
    }
    let divisor = if scale.value() == 0.0 { 1.0 } else { scale.value() };
    let element = |x: &f32| S::Element::convert((x / divisor).clamp(-most, most), S::Element::CVT);
    (scale, numbers.iter().map(element).collect())
}

/// Compares both directions with plain loops.
fn check<S, B, const BLOCK: usize>(numbers: &[f32])
where
    S: Quantized + Default,
    B: BlockScale + SmallFloat,
    Block<BLOCK>: BlockLength,
{
    let mut elements = vec![S::default(); numbers.len() / S::LANES];
    let mut scales = vec![B::from_storage(1); numbers.len() / BLOCK];
    quantize_blocks::<S, B, BLOCK>(numbers, &mut elements, &mut scales).expect("they fit");
    let mut back = vec![0.0; numbers.len()];
    dequantize_blocks::<S, B, BLOCK>(&elements, &scales, &mut back).expect("they fit");
    let describe = |n: usize| format!("block {n} of {} numbers, {BLOCK} each", numbers.len());
    for (n, (numbers, back)) in numbers.chunks(BLOCK).zip(back.chunks(BLOCK)).enumerate() {
        let (scale, expected) = block::<S, B>(numbers);
        assert_eq!(scales[n].to_storage(), scale.to_storage(), "{}: {numbers:?}", describe(n));
        for (back, element) in back.iter().zip(&expected) {
            let expected = element.value() * scale.value();
            assert_eq!(back.to_bits(), expected.to_bits(), "{}: {numbers:?}", describe(n));
        }
    }
}

/// Checks all block lengths for a type of elements and a type of scales.
fn check_all<S: Quantized + Default, B: BlockScale + SmallFloat>(numbers: &[f32]) {
    check::<S, B, 4>(numbers);
    check::<S, B, 8>(numbers);
    check::<S, B, 16>(numbers);
    check::<S, B, 32>(numbers);
    check::<S, B, 64>(numbers);
}

#[test]
fn blocks_of_every_length_are_those_of_plain_loops() {
    for count in [0, 64, 128, 192, 320, 1024] {
        let numbers = numbers(count);
        check_all::<E2M1x2, Ue8m0>(&numbers);
        check_all::<E2M1x4, Ue4m3>(&numbers);
        check_all::<E2M3x2, Ue8m0>(&numbers);
        check_all::<E3M2x4, Ue8m0>(&numbers);
        check_all::<E4M3x4, Ue8m0>(&numbers);
        check_all::<E5M2x2, Ue8m0>(&numbers);
        check_all::<E4M3, E4M3>(&numbers);
        check_all::<f16, Ue4m3>(&numbers);
    }
}

/// Lengths that are whole blocks but not whole steps.
#[test]
fn the_last_step_may_be_short() {
    let numbers = numbers(1040);
    for blocks in 0..=65 {
        check::<E2M1x2, Ue4m3, 16>(&numbers[..blocks * 16]);
        check::<E4M3x4, Ue8m0, 4>(&numbers[..blocks * 4]);
    }
}

/// NaNs, infinities, and numbers that are too large or too small for the others in their block.
#[test]
fn one_number_decides_a_block() {
    let smallest = f32::from_bits(1);
    for special in [f32::NAN, -f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, smallest, -0.0]
    {
        for at in [0, 15, 16, 31, 64, 127] {
            for other in [0.0, 1.0, -3.5, 1e-30, smallest] {
                let mut numbers = [other; 128];
                numbers[at] = special;
                check::<E2M1x2, Ue8m0, 32>(&numbers);
                check::<E2M1x2, Ue4m3, 16>(&numbers);
                check::<E4M3x4, Ue8m0, 32>(&numbers);
            }
        }
    }
}

/// The last bit of the greatest number decides whether a power of two is rounded up.
#[test]
fn the_last_bit_of_the_greatest_number_counts() {
    let six_and_a_bit = f32::from_bits(6.0_f32.to_bits() + 1);
    for (greatest, expected) in [(6.0, 1.0), (six_and_a_bit, 2.0), (-six_and_a_bit, 2.0)] {
        let mut numbers = [1.0; 32];
        numbers[31] = greatest;
        let (mut elements, mut scales) = ([E2M1x2::default(); 16], [Ue8m0::ONE; 1]);
        quantize_blocks::<_, _, 32>(&numbers, &mut elements, &mut scales).expect("they fit");
        assert_eq!(scales[0].to_f32(), expected, "{greatest}");
    }
}

#[test]
fn mismatched_lengths_are_rejected() {
    let message = |numbers: usize, elements: usize, scales: usize| {
        let (from, mut elements) = (vec![1.0; numbers], vec![E2M1x2::default(); elements]);
        let mut scales = vec![Ue8m0::ONE; scales];
        let encoded = quantize_blocks::<_, _, 32>(&from, &mut elements, &mut scales);
        let mut to = vec![0.0; numbers];
        let decoded = dequantize_blocks::<_, _, 32>(&elements, &scales, &mut to);
        assert_eq!(encoded.is_ok(), decoded.is_ok() && numbers == elements.len() * 2);
        encoded.err().map(|error| (error.what, error.found, error.needed))
    };
    for (numbers, elements, scales, expected) in [
        (0, 0, 0, None),
        (32, 16, 1, None),
        (64, 32, 2, None),
        (64, 31, 2, Some(("slice of elements", 62, 64))),
        (64, 32, 1, Some(("slice of scales", 1, 2))),
        (64, 32, 3, Some(("slice of scales", 3, 2))),
        // This is reported whatever the other slices hold.
        (62, 31, 2, Some(("last block", 30, 32))),
        (31, 16, 1, Some(("last block", 31, 32))),
        (30, 15, 1, Some(("last block", 30, 32))),
        (34, 17, 2, Some(("last block", 2, 32))),
        (96, 48, 3, None),
    ] {
        assert_eq!(message(numbers, elements, scales), expected, "{numbers} {elements} {scales}");
    }
}

#[test]
fn one_number_is_one_number() {
    let error = quantize(&[1.0; 4], &mut [E4M3::ZERO; 1]).expect_err("three more are needed");
    assert_eq!(error.to_string(), "the destination holds 1 number instead of 4");
    let error = quantize(&[1.0], &mut [E4M3::ZERO; 2]).expect_err("one is too many");
    assert_eq!(error.to_string(), "the destination holds 2 numbers instead of 1");
}

#[test]
fn special_numbers_are_counted() {
    fn check<S: Quantized>(greatest: f32) {
        let above = f32::from_bits(greatest.to_bits() + 1);
        for count in [0, 1, 7, 63, 64, 65, 1000] {
            let mut numbers = vec![greatest; count];
            assert_eq!(count_special::<S>(&numbers), SpecialCounts::default());
            for (n, x) in numbers.iter_mut().enumerate() {
                *x = [
                    1.0,
                    above,
                    -above,
                    f32::NAN,
                    f32::INFINITY,
                    f32::NEG_INFINITY,
                    0.0,
                    -greatest,
                ][n % 8];
            }
            let of = |kinds: &[usize]| (0..count).filter(|n| kinds.contains(&(n % 8))).count();
            let expected =
                SpecialCounts { nan: of(&[3]), infinite: of(&[4, 5]), saturated: of(&[1, 2]) };
            assert_eq!(count_special::<S>(&numbers), expected);
        }
    }
    check::<E2M1x2>(6.0);
    check::<E2M3x2>(7.5);
    check::<E3M2x4>(28.0);
    check::<E4M3x4>(448.0);
    check::<E5M2x2>(57344.0);
    check::<f16>(65504.0);
    assert_eq!(E2M1::from_f32(f32::NAN).to_f32(), 6.0);
}

/// Lengths that do not divide a step, or are longer than a step.
#[test]
fn long_and_odd_blocks_are_those_of_plain_loops() {
    let numbers = numbers(3072);
    check::<E4M3x4, Ue8m0, 128>(&numbers);
    check::<E2M1x2, Ue8m0, 1024>(&numbers);
    check::<E4M3, E4M3, 256>(&numbers);
    check::<E2M1x4, Ue4m3, 12>(&numbers);
    check::<E3M2x4, Ue8m0, 96>(&numbers);
    check::<E5M2x2, Ue8m0, 192>(&numbers);
    check::<E4M3x4, Ue8m0, 100>(&numbers[..300]);
    check::<f16, Ue4m3, 68>(&numbers[..68]);
}

/// The exponent of a positive number: the greatest `e` with 2^e not above it.
fn floor_log2(x: f64) -> i32 {
    (-1200..1200).rev().find(|e| 2_f64.powi(*e) <= x).expect("it is above zero")
}

/// A number rounded to this many mantissa bits, ties to even.
fn rounded(x: f64, mantissa_bits: i32) -> f64 {
    let unit = 2_f64.powi(floor_log2(x) - mantissa_bits);
    (x / unit).round_ties_even() * unit
}

#[test]
fn scales_are_by_their_rule() {
    fn check<S: Quantized + Default>(most: f64, mantissa_bits: i32) {
        let of_most = floor_log2(most);
        let mut greatest: Vec<f32> =
            numbers(512).into_iter().map(f32::abs).filter(|x| *x > 0.0).collect();
        for exponent in [-130, -126, -60, -1, 0, 1, 2, 60, 127] {
            for mantissa in [1.0, 1.25, 1.5, 1.625, 1.75, 1.875, 1.9375, 1.96875, 1.999_999_9] {
                greatest.push(
                    mantissa * 2_f32.powi(exponent / 2) * 2_f32.powi(exponent - exponent / 2),
                );
            }
        }
        for greatest in greatest {
            let mut numbers = [greatest / 3.0; 32];
            numbers[7] = -greatest;
            let amax = f64::from(greatest);
            for (rule, exponent) in [
                (ScaleRule::Floor, floor_log2(amax) - of_most),
                (ScaleRule::NearestEven, floor_log2(rounded(amax, mantissa_bits)) - of_most),
                (ScaleRule::Up, -floor_log2(most / amax)),
            ] {
                let (mut elements, mut scales) =
                    (vec![S::default(); 32 / S::LANES], [Ue8m0::ONE; 1]);
                quantize_blocks_with::<S, Ue8m0, 32>(&numbers, &mut elements, &mut scales, rule)
                    .expect("they fit");
                let expected = 2_f64.powi(exponent.clamp(-127, 127));
                assert_eq!(f64::from(scales[0].to_f32()), expected, "{greatest} by {rule:?}");
            }
        }
    }
    check::<E2M1x2>(6.0, 1);
    check::<E2M3x2>(7.5, 3);
    check::<E3M2x4>(28.0, 2);
    check::<E4M3x4>(448.0, 3);
    check::<E5M2x2>(57344.0, 2);
}

/// The rules do not differ for infinities, NaNs and zeros.
#[test]
fn rules_are_about_numbers() {
    for (special, expected) in
        [(f32::INFINITY, Ue8m0::MAX), (f32::NAN, Ue8m0::NAN), (0.0, Ue8m0::MIN_POSITIVE)]
    {
        for rule in [ScaleRule::Up, ScaleRule::Floor, ScaleRule::NearestEven] {
            let mut numbers = [0.0; 32];
            numbers[3] = special;
            let (mut elements, mut scales) = ([E2M1x2::default(); 16], [Ue8m0::ONE; 1]);
            quantize_blocks_with::<_, _, 32>(&numbers, &mut elements, &mut scales, rule)
                .expect("they fit");
            assert_eq!(scales[0], expected, "{special} by {rule:?}");
        }
    }
    // Scales with a mantissa only have one rule.
    let numbers = numbers(64);
    let by = |rule| {
        let (mut elements, mut scales) = ([E2M1x2::default(); 32], [Ue4m3::ZERO; 4]);
        quantize_blocks_with::<_, _, 16>(&numbers, &mut elements, &mut scales, rule)
            .expect("they fit");
        (elements, scales)
    };
    assert_eq!(by(ScaleRule::Floor), by(ScaleRule::Up));
}

#[test]
fn scales_may_be_of_32_bits() {
    fn check<const BLOCK: usize>(numbers: &[f32])
    where
        Block<BLOCK>: BlockLength,
    {
        let mut elements = vec![E4M3::ZERO; numbers.len()];
        let mut scales = vec![1.0_f32; numbers.len() / BLOCK];
        quantize_blocks::<_, _, BLOCK>(numbers, &mut elements, &mut scales).expect("they fit");
        let mut back = vec![0.0; numbers.len()];
        dequantize_blocks::<_, _, BLOCK>(&elements, &scales, &mut back).expect("they fit");
        for (n, numbers) in numbers.chunks(BLOCK).enumerate() {
            let amax = numbers.iter().fold(0.0, |most: f32, x| most.max(x.abs()));
            assert_eq!(scales[n], amax / 448.0);
            for (i, x) in numbers.iter().enumerate() {
                let divisor = if amax == 0.0 { 1.0 } else { scales[n] };
                let expected = E4M3::from_f32(x / divisor).to_f32() * scales[n];
                assert_eq!(back[n * BLOCK + i], expected, "{x} in {BLOCK}");
            }
        }
    }
    let mut numbers = numbers(1024);
    numbers[512..640].fill(0.0);
    check::<128>(&numbers);
    check::<64>(&numbers);
    check::<16>(&numbers);
    // The least scale is positive, and the greatest is finite.
    for (greatest, expected) in
        [(f32::from_bits(1), f32::from_bits(1)), (f32::INFINITY, f32::MAX), (0.0, 0.0)]
    {
        let (mut elements, mut scales) = ([E4M3::ZERO; 128], [1.0_f32]);
        let mut numbers = [0.0; 128];
        numbers[100] = greatest;
        quantize_blocks::<_, _, 128>(&numbers, &mut elements, &mut scales).expect("they fit");
        assert_eq!(scales, [expected]);
        assert_eq!(elements[0], E4M3::ZERO);
    }
}

#[test]
fn nvfp4_has_a_scale_of_the_tensor() {
    for (count, times) in [(16, 1.0), (64, 1e-20), (160, 3e30), (1024, 1.0), (0, 1.0)] {
        let numbers: Vec<f32> = numbers(count).into_iter().map(|x| x * times).collect();
        let mut elements = vec![E2M1x2::default(); count / 2];
        let mut scales = vec![Ue4m3::ZERO; count / 16];
        let of_tensor = quantize_nvfp4(&numbers, &mut elements, &mut scales).expect("they fit");
        let amax = numbers.iter().fold(0.0, |most: f32, x| most.max(x.abs()));
        assert_eq!(of_tensor, if count == 0 { 1.0 } else { amax / (6.0 * 448.0) });
        let mut back = vec![0.0; count];
        dequantize_nvfp4(&elements, &scales, of_tensor, &mut back).expect("they fit");
        for (n, numbers) in numbers.chunks(16).enumerate() {
            let most = numbers.iter().fold(0.0, |most: f32, x| most.max(x.abs()));
            let scale = Ue4m3::from_f32(most / of_tensor / 6.0);
            let scale =
                if scale == Ue4m3::ZERO && most > 0.0 { Ue4m3::from_bits(1) } else { scale };
            assert_eq!(scales[n], scale);
            for (i, x) in numbers.iter().enumerate() {
                let divisor = scale.to_f32() * of_tensor;
                let element = E2M1::from_f32(
                    (x / if divisor == 0.0 { 1.0 } else { divisor }).clamp(-6.0, 6.0),
                );
                assert_eq!(back[n * 16 + i], element.to_f32() * divisor, "{x}");
            }
        }
    }
    let (mut elements, mut scales) = ([E2M1x2::default(); 8], [Ue4m3::ONE; 1]);
    assert_eq!(quantize_nvfp4(&[0.0; 16], &mut elements, &mut scales), Ok(1.0));
    let least = f32::from_bits(1);
    assert_eq!(quantize_nvfp4(&[least; 16], &mut elements, &mut scales), Ok(least));
    let error =
        quantize_nvfp4(&[1.0; 8], &mut elements[..4], &mut scales).expect_err("half a block");
    assert_eq!(error.to_string(), "the last block holds 8 numbers instead of 16");
}

#[test]
fn the_greatest_magnitude_is_found_wherever_it_is() {
    assert_eq!(amax(&[]), 0.0);
    for count in [1, 7, 16, 64, 65, 1000] {
        for at in [0, count / 2, count - 1] {
            let mut numbers = vec![-1.5; count];
            numbers[at] = -2.5;
            assert_eq!(amax(&numbers), 2.5, "{at} of {count}");
            numbers[at] = f32::NAN;
            assert!(amax(&numbers).is_nan(), "{at} of {count}");
        }
    }
}

/// A row is a block of a length that is known at run time.
#[test]
fn rows_are_blocks_of_any_length() {
    let numbers = numbers(1536);
    for columns in [16, 48, 64, 96, 128, 192] {
        let rows = 1536 / columns;
        let mut rowwise = (vec![E2M1x2::default(); 768], vec![Ue4m3::ZERO; rows]);
        quantize_rows(&numbers, columns, &mut rowwise.0, &mut rowwise.1).expect("they fit");
        let mut expected = (vec![E2M1x2::default(); 768], vec![Ue4m3::ZERO; rows]);
        let (elements, scales) = (&mut expected.0, &mut expected.1);
        match columns {
            16 => quantize_blocks::<_, _, 16>(&numbers, elements, scales),
            48 => quantize_blocks::<_, _, 48>(&numbers, elements, scales),
            64 => quantize_blocks::<_, _, 64>(&numbers, elements, scales),
            96 => quantize_blocks::<_, _, 96>(&numbers, elements, scales),
            128 => quantize_blocks::<_, _, 128>(&numbers, elements, scales),
            _ => quantize_blocks::<_, _, 192>(&numbers, elements, scales),
        }
        .expect("they fit");
        assert!(rowwise == expected, "{columns}");
        let mut back = vec![0.0; 1536];
        dequantize_rows(&rowwise.0, columns, &rowwise.1, &mut back).expect("they fit");
        for (n, back) in back.iter().enumerate() {
            let element = rowwise.0[n / 2].lanes()[n % 2].to_f32();
            assert_eq!(*back, element * rowwise.1[n / columns].to_f32(), "{n} of {columns}");
        }
    }
}

#[test]
fn mismatched_rows_are_rejected() {
    let message = |numbers: usize, columns: usize, elements: usize, scales: usize| {
        let mut elements = vec![E2M1x2::default(); elements];
        let mut scales = vec![1.0_f32; scales];
        let encoded = quantize_rows(&vec![1.0; numbers], columns, &mut elements, &mut scales);
        let mut to = vec![0.0; numbers];
        let decoded = dequantize_rows(&elements, columns, &scales, &mut to);
        assert_eq!(encoded.is_ok(), decoded.is_ok(), "{numbers} {columns}");
        encoded.err().map(|error| error.to_string())
    };
    assert_eq!(message(0, 0, 0, 0), None);
    assert_eq!(message(0, 6, 0, 0), None);
    assert_eq!(message(12, 6, 6, 2), None);
    for (numbers, columns, elements, scales, expected) in [
        (12, 5, 6, 2, "the last element of a row holds 1 number instead of 2"),
        (12, 8, 6, 2, "the last row holds 4 numbers instead of 8"),
        (12, 6, 5, 2, "the slice of elements holds 10 numbers instead of 12"),
        (12, 6, 6, 1, "the slice of scales holds 1 number instead of 2"),
        (12, 0, 6, 0, "the slice of numbers holds 12 numbers instead of 0"),
    ] {
        assert_eq!(message(numbers, columns, elements, scales).as_deref(), Some(expected));
    }
}
