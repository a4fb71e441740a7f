//! Small floats against a reference that does not use bits: the sorted values of a format, and the nearest of
//! them by exact subtraction.
//!
//! `cargo test --release -p ptx-float --test float -- --ignored` checks every `f32` in every format.

#![allow(clippy::float_cmp)] // values are equal or not: nothing here is approximate

use half::{bf16, f16};
use proptest::prelude::*;
use ptx_float::{
    Bf16x2, Cvt, Dense, E2M1, E2M1x2, E2M1x4, E2M3, E2M3x2, E2M3x4, E3M2, E3M2x2, E3M2x4, E4M3,
    E4M3x2, E4M3x4, E5M2, E5M2x2, E5M2x4, F16x2, Padded, Rounding, SmallFloat, Tf32, Ue4m3, Ue8m0,
    Ue8m0x2,
};
use ptx_float::{
    Format, Quantized, Specials, dequantize, dequantize_blocks, quantize, quantize_blocks,
};

/// The values of a format's unsigned codes, in order, and the value beyond them.
struct Reference {
    format: &'static Format,
    /// The value of each code, by the textbook definition.
    values: Vec<f64>,
    /// The next value if the exponent were unbounded.
    beyond: f64,
}

impl Reference {
    fn of(format: &'static Format) -> Self {
        let value = |code: u32| {
            let (exponent, mantissa) =
                (code >> format.mantissa_bits, code & ((1 << format.mantissa_bits) - 1));
            let fraction = f64::from(mantissa) / f64::from(1_u32 << format.mantissa_bits);
            let exponent = i32::try_from(exponent).expect("small");
            match exponent {
                0 if format.has_zero => fraction * 2_f64.powi(1 - format.bias),
                _ => (1.0 + fraction) * 2_f64.powi(exponent - format.bias),
            }
        };
        let values = (0..=format.max()).map(value).collect();
        Self { format, values, beyond: value(format.max() + 1) }
    }

    /// The storage of `x` converted with `cvt`, by the definition of each modifier.
    fn convert(&self, x: f64, cvt: Cvt) -> u32 {
        let format = self.format;
        let storage = |code: u32| code << format.padding;
        if x.is_nan() {
            return format.nan.unwrap_or(storage(format.max()));
        }
        let is_negative = x.is_sign_negative() && format.has_zero;
        if is_negative && (cvt.relu || !format.is_signed) {
            return 0;
        }
        let sign = if is_negative { 1 << (format.bits - 1) } else { 0 };
        let magnitude = x.abs();
        // The least code whose value is not less.
        let above = self.values.partition_point(|value| *value < magnitude);
        let code = |n: usize| u32::try_from(n).expect("small");
        let next = self.values.get(above).copied().unwrap_or(self.beyond);
        let found = if next == magnitude {
            code(above)
        } else if magnitude > self.beyond {
            format.max() + 1
        } else if above == 0 {
            // Below the least power of two.
            0
        } else {
            let below = self.values[above - 1];
            let (down, up) = (magnitude - below, next - magnitude);
            let goes_up = match cvt.rounding {
                Rounding::Nearest => down > up || down == up && (above - 1) % 2 == 1,
                Rounding::NearestAway => down >= up,
                Rounding::Zero => false,
                Rounding::Up => !is_negative,
                Rounding::Down => is_negative,
                Rounding::Stochastic { .. } => unreachable!("not asked"),
            };
            code(above) - u32::from(!goes_up)
        };
        if found <= format.max() {
            return storage(found | sign);
        }
        let to_max = cvt.satfinite
            || match cvt.rounding {
                Rounding::Zero => x.is_finite(),
                Rounding::Up => x.is_finite() && is_negative,
                Rounding::Down => x.is_finite() && !is_negative,
                _ => false,
            };
        match format.specials {
            _ if to_max => storage(format.max() | sign),
            Specials::None => storage(format.max() | sign),
            Specials::Ieee => storage((format.max() + 1) | sign),
            Specials::OneNan if format.is_signed => storage((format.max() + 1) | sign),
            Specials::OneNan => storage(format.max() + 1),
        }
    }
}

const ROUNDINGS: [Rounding; 5] =
    [Rounding::Nearest, Rounding::NearestAway, Rounding::Zero, Rounding::Up, Rounding::Down];

fn conversions() -> impl Iterator<Item = Cvt> {
    ROUNDINGS.into_iter().flat_map(|rounding| {
        let plain = Cvt::new(rounding);
        [plain, plain.satfinite(), plain.relu(), plain.satfinite().relu()]
    })
}

/// Numbers where the rounding of a format is decided: its values, the midpoints between them, their `f32`
/// neighbours, each exponent of `f32`, infinities and NaNs.
fn inputs(reference: &Reference) -> Vec<f32> {
    let mut found = vec![0.0, f32::INFINITY, f32::NAN, f32::from_bits(0x7f80_0001), f32::MAX];
    let values = reference.values.iter().copied().chain([reference.beyond]);
    let values: Vec<f64> = values.collect();
    // Without optimization, a seventh of the widest format's: `.ci/nightly` has all.
    let step = if cfg!(debug_assertions) && values.len() > 1 << 16 { 7 } else { 1 };
    for pair in values.windows(2).step_by(step) {
        for exact in [pair[0], f64::midpoint(pair[0], pair[1])] {
            #[allow(clippy::cast_possible_truncation)] // the nearest will do
            let near = exact as f32;
            found.extend([near, near.next_up(), near.next_down()]);
        }
    }
    for exponent in 0..=0xff_u32 {
        for mantissa in (0..1_u32 << 23).step_by((1 << 18) - 1) {
            found.push(f32::from_bits(exponent << 23 | mantissa));
        }
    }
    let negative: Vec<f32> = found.iter().map(|x| -x).collect();
    found.extend(negative);
    found
}

#[test]
fn every_tie_and_every_exponent_in_every_format() {
    for format in Format::ALL {
        let reference = Reference::of(format);
        // The widest format has too many values for every conversion: most are only checked with ties.
        let ties = |cvt: &Cvt| matches!(cvt.rounding, Rounding::Nearest | Rounding::NearestAway);
        let is_wide = reference.values.len() > 1 << 16;
        for x in inputs(&reference) {
            for cvt in conversions().filter(|cvt| {
                !is_wide || x.to_bits() % 9 == 0 || ties(cvt) && !cvt.relu && !cvt.satfinite
            }) {
                // This conversion keeps bits of the NaN instead of producing a canonical one.
                if x.is_nan() && format.padding > 0 && cvt.rounding == Rounding::NearestAway {
                    continue;
                }
                let (found, right) =
                    (format.encode_f32(x, cvt), reference.convert(f64::from(x), cvt));
                assert_eq!(found, right, "{} of {x:e} by {cvt:?}", format.name);
            }
        }
    }
}

#[test]
fn every_pattern_there_and_back() {
    for format in Format::ALL {
        for code in 0..1_u32 << format.bits {
            let storage = code << format.padding;
            let (single, double) = (format.decode_f32(storage), format.decode_f64(storage));
            let is_nan = single.is_nan();
            assert!(is_nan == double.is_nan() && (is_nan || f64::from(single) == double));
            assert!(is_nan || single.is_sign_negative() == double.is_sign_negative());
            for cvt in conversions().filter(|cvt| !cvt.relu && !cvt.satfinite) {
                if is_nan && format.padding > 0 && cvt.rounding == Rounding::NearestAway {
                    continue;
                }
                let back = format.encode_f32(single, cvt);
                let right = if is_nan { format.nan.expect("there is one") } else { storage };
                assert_eq!(back, right, "{} {code:#x}", format.name);
                assert_eq!(format.encode_f64(double, cvt), right);
                assert_eq!(format.encode_from(format, storage, cvt), right);
            }
        }
    }
}

/// The positive values, as the specification of the formats lists them (OCP Microscaling Formats,
/// 5.3), in eighths or sixteenths.
#[test]
fn values_are_those_of_the_tables() {
    const E2M1_EIGHTHS: [u16; 8] = [0, 4, 8, 12, 16, 24, 32, 48];
    const E2M3_EIGHTHS: [u16; 32] = [
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 22, 24, 26, 28, 30, 32,
        36, 40, 44, 48, 52, 56, 60,
    ];
    const E3M2_SIXTEENTHS: [u16; 32] = [
        0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 48, 56, 64, 80, 96, 112,
        128, 160, 192, 224, 256, 320, 384, 448,
    ];
    for (bits, parts) in (0..).zip(E2M1_EIGHTHS) {
        assert_eq!(E2M1::from_bits(bits).to_f32(), f32::from(parts) / 8.0);
    }
    for (bits, parts) in (0..).zip(E2M3_EIGHTHS) {
        assert_eq!(E2M3::from_bits(bits).to_f32(), f32::from(parts) / 8.0);
    }
    for (bits, parts) in (0..).zip(E3M2_SIXTEENTHS) {
        assert_eq!(E3M2::from_bits(bits).to_f32(), f32::from(parts) / 16.0);
    }
    for bits in 0..=254 {
        assert_eq!(Ue8m0::from_bits(bits).to_f64(), 2_f64.powi(i32::from(bits) - 127));
    }
    for bits in 0..0x7f {
        assert_eq!(Ue4m3::from_bits(bits).to_f32(), E4M3::from_bits(bits).to_f32());
    }
}

/// The results of `sm_90`: `cvt.rna.tf32` adds and truncates.
#[test]
fn nans_of_tf32_keep_their_upper_bits() {
    let away = |bits| Format::TF32.encode_f32(f32::from_bits(bits), Cvt::RNA);
    let finite = |bits| Format::TF32.encode_f32(f32::from_bits(bits), Cvt::RNA.satfinite());
    assert_eq!([away(0x7f80_1fff), away(0x7f80_2000)], [0x7f80_0000, 0x7f80_2000]);
    assert_eq!([away(0x7fff_ffff), away(0xffff_f000)], [0x7fff_e000, 0xffff_e000]);
    assert_eq!([finite(0x7f80_0001), finite(0x7f80_2000)], [0x7f7f_e000, 0x7f80_0000]);
    assert_eq!([finite(0xff80_1000), finite(0xffff_ffff)], [0xff7f_e000, 0xffff_c000]);
    assert_eq!(Format::TF32.encode_f32(f32::NAN, Cvt::RN), Tf32::NAN.to_bits());
}

/// Every `f16` and `bf16` in every format.
#[test]
fn halves_in_every_format() {
    for format in Format::ALL {
        for from in [&Format::F16, &Format::BF16] {
            for code in 0..=0xffff {
                let value = from.decode_f32(code);
                for cvt in [Cvt::RN, Cvt::RN.satfinite(), Cvt::RZ, Cvt::RP.satfinite().relu()] {
                    assert_eq!(format.encode_from(from, code, cvt), format.encode_f32(value, cvt));
                }
            }
        }
    }
}

fn same_as_one_by_one<S: Quantized + Default>(values: &[f32]) {
    let mut quantized = vec![S::default(); values.len() / S::LANES];
    quantize(values, &mut quantized).expect("as many");
    let mut back = vec![0.0; values.len()];
    dequantize(&quantized, &mut back).expect("as many");
    for (x, found) in values.iter().zip(&back) {
        let format = S::Element::FORMAT;
        let right = format.decode_f32(format.encode_f32(*x, S::Element::CVT));
        assert_eq!(found.to_bits(), right.to_bits(), "{x:e} ({:#x})", x.to_bits());
    }
}

/// Every storage to which slices are converted.
fn slices(values: &[f32]) {
    macro_rules! alone {
        ($($(#[$_type:meta])* $F:ident($_Bits:ident) { $($_row:tt)* })*) => {
            $(same_as_one_by_one::<ptx_float::$F>(values);)*
        };
    }
    ptx_float::__small_floats!(alone);
    same_as_one_by_one::<f16>(values);
    same_as_one_by_one::<bf16>(values);
    same_as_one_by_one::<F16x2>(values);
    same_as_one_by_one::<Bf16x2>(values);
    same_as_one_by_one::<E4M3x2>(values);
    same_as_one_by_one::<E4M3x4>(values);
    same_as_one_by_one::<E5M2x2>(values);
    same_as_one_by_one::<E5M2x4>(values);
    same_as_one_by_one::<E2M3x2>(values);
    same_as_one_by_one::<E2M3x4>(values);
    same_as_one_by_one::<E3M2x2>(values);
    same_as_one_by_one::<E3M2x4>(values);
    same_as_one_by_one::<E2M1x2>(values);
    same_as_one_by_one::<E2M1x4>(values);
    same_as_one_by_one::<Ue8m0x2>(values);
    same_as_one_by_one::<Dense<E2M1, 1>>(values);
    same_as_one_by_one::<Dense<E2M3, 3>>(values);
    same_as_one_by_one::<Dense<E3M2, 3>>(values);
    if values.len().is_multiple_of(16) {
        same_as_one_by_one::<Padded<E2M1>>(values);
        same_as_one_by_one::<Padded<E2M3>>(values);
        same_as_one_by_one::<Padded<E3M2>>(values);
    }
}

/// The number of values that slices of a format are made of, about.
const MOST_OF_A_FORMAT: usize = 1 << 15;

#[test]
fn slices_have_the_bits_of_single_values() {
    for format in Format::ALL {
        let mut values = inputs(&Reference::of(format));
        values.truncate(values.len() / 16 * 16);
        // Of the widest format, slices take a part: the ignored tests take every `f32`.
        let step = 1 + values.len() / MOST_OF_A_FORMAT;
        let part: Vec<f32> = values.chunks_exact(16).step_by(step).flatten().copied().collect();
        slices(&part);
    }
    for len in (0..140).step_by(4) {
        slices(&vec![1.25; len]);
    }
}

/// Memory and types have the same representation: bytes are cast if every pattern is a value, and
/// checked if padding must be zero.
#[test]
fn bytes_are_values_where_padding_allows_it() {
    let packed: &[E4M3x4] = bytemuck::cast_slice(&[0x4038_3020_u32]);
    assert_eq!(packed[0].lanes().map(E4M3::to_bits), [0x20, 0x30, 0x38, 0x40]);
    let nibbles: &[E2M1x2] = bytemuck::cast_slice(&[0xf1_u8]);
    assert_eq!(nibbles[0].to_f32_array(), [0.5, -6.0]);
    assert!(bytemuck::checked::try_cast_slice::<u8, E2M3>(&[0x3f, 0x40]).is_err());
    assert!(bytemuck::checked::try_cast_slice::<u8, E2M3>(&[0x3f, 0x00]).is_ok());
    assert_eq!(E2M1::from_bits(0xff).to_bits(), 0x0f);
    assert_eq!(Tf32::from_bits(0x3f80_1fff), Tf32::ONE);
    assert!(bytemuck::checked::try_cast_slice::<f32, Tf32>(&[1.0, f32::EPSILON / 1e3]).is_err());
    assert!(bytemuck::checked::try_cast_slice::<f32, Tf32>(&[1.0, 0.5]).is_ok());
    assert!(bytemuck::checked::try_cast_slice::<u16, E2M3x2>(&[0x403f]).is_err());
    assert!(bytemuck::checked::try_cast_slice::<u16, E2M3x2>(&[0x3f3f]).is_ok());
    assert_eq!(bytemuck::bytes_of(&E3M2x4::from_bits(u32::MAX)), [0x3f; 4]);
    assert_eq!(
        [E2M3x2::from_bits(0xffff).to_bits(), E4M3x2::from_bits(0xffff).to_bits()],
        [0x3f3f, 0xffff]
    );
}

/// Conversions between formats: a value that the target can represent is kept, others are rounded once.
#[test]
fn small_floats_of_small_floats() {
    const HALF: E2M1 = E2M1::from_float(f16::from_f32_const(0.4));
    macro_rules! all {
        ($($(#[$_type:meta])* $F:ident($Bits:ident) { $($_row:tt)* })*) => {
            fn into_all<F: SmallFloat>(from: F) {
                let (x, up) = (from.value(), Cvt::RP.relu());
                $({
                    use ptx_float::$F;
                    let (single, there) = ($F::from_f32(x), $F::from_float(from));
                    // The NaN of `cvt.rna.tf32` keeps bits of the `f32`.
                    let is_left_over = single.is_nan() && $F::FORMAT.padding > 0;
                    assert!(single == there || is_left_over && Some(there.to_storage()) == $F::FORMAT.nan);
                    assert_eq!($F::from_float_with(from, up), $F::from_f32_with(x, up));
                })*
            }

            fn from_all(bits: u16) {
                $(if $Bits::BITS > 8 || bits <= 0xff {
                    // For the widest format, the upper bits and one of the lower bits.
                    let least = 1 << ptx_float::$F::FORMAT.padding;
                    let storage = match $Bits::BITS {
                        ..=16 => bits.into(),
                        wide => u32::from(bits) << (wide - 16) | 2 * least,
                    };
                    into_all(<ptx_float::$F as SmallFloat>::from_storage(storage));
                })*
            }
        };
    }
    ptx_float::__small_floats!(all);
    assert_eq!(HALF.to_f32(), 0.5);
    for bits in 0..=u16::MAX {
        into_all(f16::from_bits(bits));
        into_all(bf16::from_bits(bits));
        from_all(bits);
    }
}

/// The layout of 5.5.1.1, with the first element in the lowest bits.
#[test]
fn dense_and_padded_elements_are_where_tensor_maps_read_them() {
    const ROW: Dense<E2M3, 3> = Dense::from_elements([E2M3::ONE, E2M3::MAX, E2M3::ZERO, E2M3::MIN]);
    assert_eq!(ROW.to_bytes(), [0xc8, 0x07, 0xfc]);
    let (mut dense, mut group) = (Dense::<E3M2, 12>::default(), Padded::<E3M2>::default());
    for n in 0..16_u8 {
        assert!(dense.set(n.into(), E3M2::from_bits(n * 4 + 1)));
        assert!(group.set(n.into(), E3M2::from_bits(n * 4 + 1)));
    }
    assert!(!dense.set(16, E3M2::ONE) && !group.set(16, E3M2::ONE) && dense.get(16).is_none());
    assert_eq!(group.payload(), dense.as_bytes());
    assert!(dense.iter().eq(group.elements()));
    let mut bytes = group.to_bytes();
    bytes[12..].fill(0xaa); // whatever was in shared memory before
    assert_eq!(Padded::from_bytes(bytes), group);
    let mut values = [0.0; 16];
    dense.to_f32_slice(&mut values).expect("as many");
    assert_eq!(Dense::<E3M2, 12>::from_f32_slice(&values), Ok(dense));
    let error = Dense::<E3M2, 12>::from_f32_slice(&[0.0; 3]).expect_err("too few").to_string();
    assert_eq!(error, "the destination holds 16 numbers instead of 3");
}

#[test]
fn numbers_are_read_and_written() {
    assert_eq!(E4M3::from_f32(1.5).to_string(), "1.5");
    assert_eq!(format!("{:?}", E4M3::from_f32(1.5)), "E4M3(1.5, 0x3c)");
    let packed = E2M1x2::from_f32_array([1.0, -0.5]);
    assert_eq!(
        [packed.to_string(), format!("{packed:?}")],
        ["[1, -0.5]", "E2M1x2([1, -0.5], 0x92)"]
    );
    assert_eq!(format!("{:.1}", F16x2::from_f32_array([1.0, 65_520.0])), "[1.0, inf]");
    assert_eq!(Bf16x2::from_f32_array([0.1, 3.0]).to_f32_array(), [0.100_097_656, 3.0]);
    assert_eq!(format!("{:6.2}|", E2M1::from_f32(-6.0)), " -6.00|");
    assert_eq!("0.1".parse::<E4M3>().map(E4M3::to_bits), Ok(E4M3::from_f64(0.1).to_bits()));
    assert_eq!("1e999".parse(), Ok(E4M3::MAX));
    assert_eq!(["-inf".parse(), "-1e9".parse()], [Ok(-E5M2::INFINITY), Ok(E5M2::MIN)]);
    assert_eq!("1.5000000000000000000000000000001".parse(), Ok(Ue8m0::from_f32(2.0)));
    assert!("nan".parse::<E2M1>().is_err() && "nan".parse::<E4M3>().is_ok_and(E4M3::is_nan));
    assert_eq!("3.5e38".parse(), Ok(Tf32::MAX));
    assert!("one".parse::<E2M3>().is_err() && "".parse::<Tf32>().is_err());
    let mut values = [E5M2::NAN, E5M2::INFINITY, E5M2::ZERO, -E5M2::ZERO, E5M2::MIN, E5M2::ONE];
    values.sort();
    let bits = values.map(E5M2::to_bits);
    assert_eq!(bits, [0xfb, 0x80, 0, 0x3c, 0x7c, 0x7f]);
}

/// Displayed numbers are parsed back.
#[test]
fn every_pattern_survives_its_text() {
    macro_rules! all {
        ($($(#[$_type:meta])* $F:ident($Bits:ident) { $($_row:tt)* })*) => {$(
            for upper in 0..=u8::MAX {
                let x = ptx_float::$F::from_bits($Bits::from(upper) << ($Bits::BITS - 8));
                assert!(x.is_nan() || x.to_string().parse() == Ok(x), "{x:?}");
            }
        )*};
    }
    ptx_float::__small_floats!(all);
}

/// Scales make no nonzero number zero, and no finite number infinite.
#[test]
fn blocks_preserve_zero_and_finite_numbers() {
    let back = |values: [f32; 16]| {
        let (mut elements, mut scales) = ([E4M3x4::default(); 4], [Ue4m3::ZERO; 1]);
        quantize_blocks::<_, _, 16>(&values, &mut elements, &mut scales).expect("as many");
        let mut back = [0.0; 16];
        dequantize_blocks::<_, _, 16>(&elements, &scales, &mut back).expect("as many");
        back
    };
    assert_eq!(back([0.0; 16]), [0.0; 16]);
    let small = back([0.4; 16]);
    assert!(small.iter().all(|x| (x - 0.4).abs() < 0.02), "{small:?}");
    let (mut elements, mut scales) = ([f16::ZERO; 16], [E4M3::ZERO; 1]);
    quantize_blocks::<_, _, 16>(&[69_000.0; 16], &mut elements, &mut scales).expect("as many");
    assert!(elements.iter().all(|x| x.is_finite()));
    let error = quantize_blocks::<_, _, 16>(&[1.0; 16], &mut elements, &mut [E4M3::ZERO; 2]);
    let error = error.expect_err("one scale too many").to_string();
    assert_eq!(error, "the slice of scales holds 2 numbers instead of 1");
    let mut elements = [f16::ZERO; 20];
    let error = quantize_blocks::<_, _, 16>(&[1.0; 20], &mut elements, &mut [E4M3::ZERO; 2]);
    let error = error.expect_err("a block of 4").to_string();
    assert_eq!(error, "the last block holds 4 numbers instead of 16");
    assert_eq!(quantize_blocks::<f16, E4M3, 16>(&[], &mut [], &mut []), Ok(()));
}

/// The constants have the values that their names promise.
#[test]
fn constants_have_their_values() {
    assert_eq!([E4M3::MAX.to_f32(), E5M2::MAX.to_f32()], [448.0, 57344.0]);
    assert_eq!([E2M3::MAX.to_f32(), E3M2::MAX.to_f32(), E2M1::MAX.to_f32()], [7.5, 28.0, 6.0]);
    assert_eq!([Ue4m3::MAX.to_f32(), Ue8m0::MAX.to_f32()], [448.0, 2_f32.powi(127)]);
    assert_eq!(Tf32::MAX.to_bits(), 0x7f7f_e000);
    assert_eq!([E4M3::MIN_POSITIVE.to_f32(), E4M3::EPSILON.to_f32()], [2_f32.powi(-6), 0.125]);
    assert_eq!(E4M3::MIN_POSITIVE_SUBNORMAL.to_f32(), 2_f32.powi(-9));
    assert_eq!([E3M2::ONE.to_f32(), Ue8m0::ONE.to_f32(), Tf32::ONE.to_f32()], [1.0; 3]);
    assert_eq!([E4M3::BITS, E2M3::BITS, E2M1::BITS, Ue4m3::BITS, Tf32::BITS], [8, 6, 4, 7, 19]);
    assert!(E4M3::NAN.is_nan() && E5M2::INFINITY.is_infinite() && !E2M1::MAX.is_nan());
    assert!(!E4M3::MIN_POSITIVE_SUBNORMAL.is_normal() && E4M3::MIN_POSITIVE.is_normal());
    assert_eq!([-E2M1::MAX, E2M1::MIN.abs()], [E2M1::MIN, E2M1::MAX]);
}

#[cfg(feature = "serde")]
#[test]
fn serde_has_the_bits() {
    use serde_test::{Token, assert_de_tokens_error, assert_tokens};
    assert_tokens(&E4M3::ONE, &[Token::U8(0x38)]);
    assert_tokens(&Tf32::ONE, &[Token::U32(0x3f80_0000)]);
    assert_tokens(&E2M3x2::from_bits(0x3f01), &[Token::U16(0x3f01)]);
    assert_de_tokens_error::<E2M3x2>(
        &[Token::U16(0x4000)],
        "0x4000 has bits that no lane of an `E2M3x2` has",
    );
    let padded = Padded::from_elements([E2M1::ONE; 16]);
    assert_tokens(&padded, &[Token::Bytes(b"\x22\x22\x22\x22\x22\x22\x22\x22\0\0\0\0\0\0\0\0")]);
    let dense = Dense::<E2M1, 2>::from_bytes([0x21, 0x43]);
    assert_tokens(&dense, &[Token::Bytes(&[0x21, 0x43])]);
    assert_de_tokens_error::<Dense<E2M1, 2>>(
        &[Token::Bytes(&[1])],
        "invalid length 1, expected 2 bytes of elements",
    );
    assert_de_tokens_error::<E2M1>(&[Token::U8(0x10)], "0x10 has more bits than an `E2M1`");
}

#[test]
fn mismatched_lengths_are_rejected() {
    let mut packed = [E2M1x4::default(); 2];
    let error = quantize(&[1.0; 7], &mut packed).expect_err("7 are not 8");
    assert_eq!(error.to_string(), "the destination holds 8 numbers instead of 7");
    dequantize(&packed, &mut [0.0; 9]).expect_err("9 are not 8");
}

/// Calls a function with each part of the numbers below `end`, on all cores.
fn on_all_cores(end: u64, check: impl Fn(core::ops::Range<u64>) + Sync) {
    let cores = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let share = end.div_ceil(cores);
    std::thread::scope(|scope| {
        for core in 0..cores {
            let check = &check;
            scope.spawn(move || check(core * share..((core + 1) * share).min(end)));
        }
    });
}

/// Every `f32` in every format, or those named in `PTX_FORMATS` (`e2m1,e3m2`), with every conversion.
/// The reference is only evaluated where its results change: they are monotonic in the magnitude.
#[test]
#[ignore = "minutes, with optimisation: cargo test --release -p ptx-float --test float -- --ignored"]
fn every_f32_in_every_format() {
    const INFINITY: u32 = 0x7f80_0000;
    let named = std::env::var("PTX_FORMATS").ok();
    let is_asked = |format: &&&Format| {
        named.as_ref().is_none_or(|named| named.split(',').any(|name| name == format.name))
    };
    for format in Format::ALL.iter().filter(is_asked) {
        let reference = Reference::of(format);
        for cvt in conversions() {
            for sign in [0, 1_u32 << 31] {
                let right = |magnitude: u32| {
                    reference.convert(f32::from_bits(magnitude | sign).into(), cvt)
                };
                // The first magnitude of each result.
                let (mut starts, mut at) = (vec![(0, right(0))], 0);
                while at < INFINITY {
                    let (mut low, mut high) = (at, INFINITY);
                    let current = right(at);
                    if right(INFINITY) == current {
                        break;
                    }
                    while high - low > 1 {
                        let middle = low + (high - low) / 2;
                        if right(middle) == current { low = middle } else { high = middle }
                    }
                    starts.push((high, right(high)));
                    at = high;
                }
                on_all_cores(u64::from(INFINITY) + 1, |part| {
                    let bits = |x| u32::try_from(x).expect("of 32 bits");
                    let first = bits(part.start);
                    let mut n = starts.partition_point(|(start, _)| *start <= first) - 1;
                    for magnitude in first..bits(part.end) {
                        if starts.get(n + 1).is_some_and(|(start, _)| *start == magnitude) {
                            n += 1;
                        }
                        let x = f32::from_bits(magnitude | sign);
                        let found = format.encode_f32(x, cvt);
                        assert_eq!(found, starts[n].1, "{} of {x:e} by {cvt:?}", format.name);
                    }
                });
                if format.padding > 0 && cvt.rounding == Rounding::NearestAway {
                    continue;
                }
                let nan = right(INFINITY + 1);
                on_all_cores((1 << 23) - 1, |part| {
                    for n in part {
                        let bits = INFINITY + 1 + u32::try_from(n).expect("of 23 bits");
                        let x = f32::from_bits(bits | sign);
                        assert_eq!(format.encode_f32(x, cvt), nan, "{} of NaN", format.name);
                    }
                });
            }
        }
        println!("{}: every f32 by {} conversions", format.name, conversions().count());
    }
}

/// Every `f32` in every storage of slices.
#[test]
#[ignore = "minutes, with optimisation: cargo test --release -p ptx-float --test float -- --ignored"]
fn every_f32_in_slices() {
    on_all_cores(1 << 16, |part| {
        for high in part {
            let high = u32::try_from(high).expect("of 16 bits") << 16;
            let values: Vec<f32> = (0..1_u32 << 16).map(|low| f32::from_bits(high | low)).collect();
            slices(&values);
        }
    });
}

/// The number of random numbers that carry is proportional to the discarded bits.
#[test]
fn stochastic_rounding_goes_up_as_often_as_it_should() {
    let (down, up) =
        (Format::F16.encode_f32(1.0, Cvt::RN), Format::F16.encode_f32(1.0, Cvt::RN) + 1);
    for cut in [0, 1, 0x800, 0x1000, 0x1fff_u32] {
        for sign in [0, 1_u32 << 31] {
            let x = f32::from_bits(1.0_f32.to_bits() | cut | sign);
            let results = (0..1 << 13).map(|bits| Format::F16.encode_f32(x, Cvt::rs(bits, 13)));
            let ups = results.filter(|found| *found & 0x7fff == up).count();
            assert_eq!(ups, cut as usize);
        }
    }
    assert_eq!(Format::F16.encode_f32(1.0, Cvt::rs(u32::MAX, 13)), down);
    let [b, a] = Cvt::rs_bf16x2(0xffff_0000);
    let x = f32::from_bits(0x3f80_0001);
    assert_eq!(Format::BF16.encode_f32(x, b), 0x3f80);
    assert_eq!(Format::BF16.encode_f32(x, a), 0x3f81);
    // One bit of each half decides: the discarded part is just less than what carries, or exactly that, and any other
    // number of random bits would change the result.
    for n in 0..16 {
        let random = 1 << n;
        let carries = |cvt, bits: u32| {
            let cut = (1 << bits) - random;
            let up = |cut: u32| {
                let x = f32::from_bits(0x3f80_0000 | cut);
                let format = if bits == 16 { Format::BF16 } else { Format::F16 };
                format.encode_f32(x, cvt) != format.encode_f32(1.0, cvt)
            };
            (up(cut - 1), up(cut))
        };
        let [b, a] = Cvt::rs_bf16x2(random);
        assert_eq!([carries(b, 16), carries(a, 16)], [(false, true), (false, false)], "{n}");
        let [b, a] = Cvt::rs_bf16x2(random << 16);
        assert_eq!([carries(b, 16), carries(a, 16)], [(false, false), (false, true)], "{n}");
        if n < 13 {
            let [b, a] = Cvt::rs_f16x2(random);
            assert_eq!([carries(b, 13), carries(a, 13)], [(false, true), (false, false)], "{n}");
            let [b, a] = Cvt::rs_f16x2(random << 16);
            assert_eq!([carries(b, 13), carries(a, 13)], [(false, false), (false, true)], "{n}");
        }
    }
    assert_eq!(E4M3::from_f32_with(1e9, Cvt::rs_x4(0)[3]), E4M3::MAX);
}

/// Integers near a midpoint, closer to it than a double can represent.
#[test]
fn integers_are_rounded_once() {
    let (below, tie) = (1_u64 << 60, (1_u64 << 60) + (1 << 52));
    let bits = |x| Format::BF16.encode_u64(x, Cvt::RN);
    assert_eq!(bits(tie - 1), bits(below));
    assert_eq!(bits(tie), bits(below));
    assert_eq!(bits(tie + 1), bits(below) + 1);
    assert_eq!(Format::BF16.encode_i64(i64::MIN, Cvt::RN), 0xdf00);
    assert_eq!(E4M3::from_u64(u64::MAX), E4M3::MAX);
    assert_eq!(E5M2::from_i64(-3).to_f32(), -3.0);
}

proptest! {
    /// Doubles and integers are rounded once.
    #[test]
    fn doubles_and_integers_are_rounded_once(bits: u64, n: i64, near in 0_usize..1_000_000) {
        for format in Format::ALL {
            let reference = Reference::of(format);
            let n_of = near % (reference.values.len() - 1);
            let tie = f64::midpoint(reference.values[n_of], reference.values[n_of + 1]);
            for x in [f64::from_bits(bits), tie, tie.next_up(), tie.next_down(), -tie.next_up()] {
                for cvt in conversions() {
                    prop_assert_eq!(format.encode_f64(x, cvt), reference.convert(x, cvt));
                }
            }
            for n in [n, n >> 11, n >> 40, n >> 54] {
                // Integers that a double represents exactly.
                let n = n >> 11 << 11;
                #[allow(clippy::cast_precision_loss)]
                let exact = n as f64;
                for cvt in conversions() {
                    prop_assert_eq!(format.encode_i64(n, cvt), reference.convert(exact, cvt));
                }
            }
        }
    }

    /// Decimal numbers are rounded once, however many digits they have.
    #[test]
    fn decimals_are_rounded_once(near in 0_usize..255, digits in 1_usize..40) {
        let reference = Reference::of(&Format::E5M2);
        let near = near % (reference.values.len() - 1);
        let (below, above) = (reference.values[near], reference.values[near + 1]);
        let tie = format!("{:.200}", f64::midpoint(below, above));
        let higher = format!("{tie}{}1", "0".repeat(digits));
        let parsed: E5M2 = higher.parse().expect("a number");
        prop_assert_eq!(parsed.to_f64(), above);
        let even = if near.is_multiple_of(2) { below } else { above };
        prop_assert_eq!(tie.parse::<E5M2>().expect("a number").to_f64(), even);
    }
}
