//! Scales of tiles in any direction, of any source type, on one core or all, against plain loops; and the layout of
//! scales.

#![allow(clippy::float_cmp)] // values are equal or not: nothing here is approximate

use half::{bf16, f16};
use ptx_float::{
    Block, BlockLength, BlockScale, LengthMismatch, Quantized, Real, ScaleRule, Tiling,
    TilingError, deinterleave_scales, dequantize, dequantize_blocks, dequantize_tiles,
    dequantize_to, interleave_scales, interleaved_scales, quantize, quantize_blocks_with,
    quantize_from, quantize_rows, quantize_tiles,
};
use ptx_float::{E2M1, E2M1x2, E2M1x4, E3M2, E4M3, E4M3x4, E5M2, Padded, SmallFloat, Ue8m0};

/// Numbers of many magnitudes and both signs, including zeros.
fn numbers(count: usize) -> Vec<f32> {
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    (0..count)
        .map(|n| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let bits = u32::try_from(state >> 40).unwrap();
            let magnitude = f32::from_bits((100 + bits % 40) << 23 | bits >> 1);
            if n % 11 == 0 {
                0.0
            } else if bits & 1 == 1 {
                -magnitude
            } else {
                magnitude
            }
        })
        .collect()
}

/// A scale, computed by the documentation.
trait Scale: BlockScale + Default + PartialEq + std::fmt::Debug {
    fn plain(amax: f32, most: f32) -> Self;
    fn value(self) -> f32;
}

impl Scale for f32 {
    fn plain(amax: f32, most: f32) -> Self {
        amax / most
    }

    fn value(self) -> f32 {
        self
    }
}

impl Scale for Ue8m0 {
    fn plain(amax: f32, most: f32) -> Self {
        // The least power of two that is not less.
        let (mut low, mut high) = (0, 254);
        while low < high {
            let middle = low + (high - low) / 2;
            let is_below = Self::from_bits(middle).to_f32() < amax / most;
            (low, high) = if is_below { (middle + 1, high) } else { (low, middle) };
        }
        Self::from_bits(low)
    }

    fn value(self) -> f32 {
        self.to_f32()
    }
}

/// The scale and the elements of each tile on its own.
fn plainly<E: SmallFloat, B: Scale>(
    at: impl Fn(usize, usize) -> f32,
    [rows, columns]: [usize; 2],
    tile: [usize; 2],
    most: f32,
) -> (Vec<E>, Vec<B>) {
    let mut elements = vec![None; rows * columns];
    let mut scales = Vec::new();
    for first_row in (0..rows).step_by(tile[0]) {
        for first in (0..columns).step_by(tile[1]) {
            let inside = || {
                (first_row..rows.min(first_row + tile[0])).flat_map(move |row| {
                    (first..columns.min(first + tile[1])).map(move |column| (row, column))
                })
            };
            let amax = inside().map(|(row, column)| at(row, column).abs()).fold(0.0, f32::max);
            let scale = B::plain(amax, most);
            for (row, column) in inside() {
                let divisor = if scale.value() == 0.0 { 1.0 } else { scale.value() };
                let scaled = (at(row, column) / divisor).clamp(-most, most);
                elements[row * columns + column] = Some(E::convert(scaled, E::CVT));
            }
            scales.push(scale);
        }
    }
    (elements.into_iter().map(Option::unwrap).collect(), scales)
}

const SHAPES: [[usize; 2]; 6] = [[1, 4], [3, 64], [5, 68], [130, 132], [33, 260], [2, 640]];
const TILES: [[usize; 2]; 12] = [
    [1, 32],
    [32, 1],
    [1, 128],
    [128, 1],
    [128, 128],
    [1, 640],
    [200, 640],
    [2, 3],
    [7, 20],
    [4, 16],
    [2, 21],
    [1, 15],
];

/// Checks all tilings of a matrix of this source type with these elements and scales.
fn check<T: Real, S, B: Scale>(to: fn(f32) -> T, back: fn(T) -> f32, most: f32)
where
    S: Quantized + Default + PartialEq + std::fmt::Debug,
{
    for [rows, columns] in SHAPES {
        for (n, tile) in TILES.into_iter().enumerate() {
            // Half of the cases have gaps.
            let stride = columns + (n + rows) % 2 * 5;
            let source: Vec<T> = numbers(rows * stride).into_iter().map(to).collect();
            let tiling = Tiling::new([rows, columns], tile).with_stride(stride);
            let [scale_rows, scale_columns] = tiling.scales();
            let mut elements = vec![S::default(); rows * columns / S::LANES];
            let mut scales = vec![B::default(); scale_rows * scale_columns];
            // The last row does not need a gap after it.
            let used = &source[..(rows - 1) * stride + columns];
            quantize_tiles(used, &tiling, &mut elements, &mut scales).unwrap();
            let at = |row: usize, column: usize| back(source[row * stride + column]);
            let expected = plainly::<S::Element, B>(at, [rows, columns], tile, most);
            let mut values = vec![0.0_f32; rows * columns];
            dequantize(&elements, &mut values).unwrap();
            let plain: Vec<f32> = expected
                .0
                .iter()
                .map(|element| S::Element::FORMAT.decode_f32(element.to_storage()))
                .collect();
            assert_eq!(
                (&values, &scales),
                (&plain, &expected.1),
                "{rows} {columns} {tile:?} {stride}"
            );

            let mut restored = source.clone();
            let used = &mut restored[..(rows - 1) * stride + columns];
            dequantize_tiles(&elements, &tiling, &scales, used).unwrap();
            for row in 0..rows {
                for column in 0..stride {
                    let (of, place) = (back(source[row * stride + column]), row * stride + column);
                    let is_gap = column >= columns;
                    let tile_of = row / tile[0] * scale_columns + column.min(columns - 1) / tile[1];
                    let value = if is_gap {
                        of
                    } else {
                        plain[row * columns + column] * scales[tile_of].value()
                    };
                    assert_eq!(back(restored[place]), back(to(value)), "{row} {column}");
                }
            }
            on_all_cores::<T, S, B>(&source, &tiling, &elements, &scales);
        }
    }
}

#[cfg(not(feature = "rayon"))]
fn on_all_cores<T: Real, S: Quantized, B: BlockScale>(_: &[T], _: &Tiling, _: &[S], _: &[B]) {}

#[cfg(feature = "rayon")]
fn on_all_cores<T: Real, S, B: Scale>(source: &[T], tiling: &Tiling, elements: &[S], scales: &[B])
where
    S: Quantized + Default + PartialEq + std::fmt::Debug,
{
    let mut of_all = (vec![S::default(); elements.len()], vec![B::default(); scales.len()]);
    parallel::quantize_tiles(source, tiling, &mut of_all.0, &mut of_all.1).unwrap();
    assert_eq!((&of_all.0[..], &of_all.1[..]), (elements, scales));
    let (mut one, mut all) = (source.to_vec(), source.to_vec());
    dequantize_tiles(elements, tiling, scales, &mut one).unwrap();
    parallel::dequantize_tiles(elements, tiling, scales, &mut all).unwrap();
    let value = |numbers: &[T]| {
        let mut bits = vec![E5M2::ZERO; numbers.len()];
        quantize_from(numbers, &mut bits).unwrap();
        bits
    };
    assert_eq!(value(&one), value(&all));
}

#[test]
fn tiles_of_single_elements() {
    check::<f32, E4M3, f32>(|x| x, |x| x, 448.0);
    check::<f32, E5M2, Ue8m0>(|x| x, |x| x, 57344.0);
}

#[test]
fn tiles_of_packed_elements() {
    check::<f32, E2M1x2, Ue8m0>(|x| x, |x| x, 6.0);
    check::<f32, E4M3x4, f32>(|x| x, |x| x, 448.0);
    check::<f32, E2M1x4, f32>(|x| x, |x| x, 6.0);
}

/// 16 numbers in 16 bytes: blocks end with such a group, or divide one.
#[test]
fn blocks_of_padded_elements() {
    fn check<const BLOCK: usize>()
    where
        Block<BLOCK>: BlockLength,
    {
        let source = numbers(BLOCK * 48);
        let (mut padded, mut scales) =
            (vec![Padded::<E2M1>::default(); BLOCK * 3], vec![Ue8m0::ONE; 48]);
        quantize_blocks_with::<_, _, BLOCK>(&source, &mut padded, &mut scales, ScaleRule::Up)
            .unwrap();
        let (mut single, mut of_single) = (vec![E2M1::ZERO; source.len()], vec![Ue8m0::ONE; 48]);
        quantize_blocks_with::<_, _, BLOCK>(&source, &mut single, &mut of_single, ScaleRule::Up)
            .unwrap();
        let (mut one, mut other) = (vec![0.0; source.len()], vec![0.0; source.len()]);
        dequantize_blocks::<_, _, BLOCK>(&padded, &scales, &mut one).unwrap();
        dequantize_blocks::<_, _, BLOCK>(&single, &of_single, &mut other).unwrap();
        assert_eq!((one, &scales), (other, &of_single), "{BLOCK}");
        #[cfg(feature = "rayon")]
        {
            let (mut all, mut of_all) = (padded.clone(), vec![Ue8m0::ONE; 48]);
            parallel::quantize_blocks_with::<_, _, BLOCK>(
                &source,
                &mut all,
                &mut of_all,
                ScaleRule::Up,
            )
            .unwrap();
            assert_eq!((all, of_all), (padded, of_single));
        }
    }
    check::<4>();
    check::<8>();
    check::<16>();
    check::<32>();
    check::<48>();
    check::<64>();
    check::<80>();
    check::<112>();
    check::<128>();
    check::<4096>();
}

#[test]
fn tiles_of_halves() {
    check::<bf16, E4M3, f32>(bf16::from_f32, bf16::to_f32, 448.0);
    check::<f16, E3M2, Ue8m0>(f16::from_f32, f16::to_f32, 28.0);
}

#[test]
fn blocks_and_rows_are_tiles() -> Result<(), TilingError> {
    let source = numbers(64 * 256);
    for rule in [ScaleRule::Up, ScaleRule::Floor, ScaleRule::NearestEven] {
        let (mut elements, mut scales) = (vec![E2M1x2::default(); 32 * 256], vec![Ue8m0::ONE; 512]);
        quantize_blocks_with::<_, _, 32>(&source, &mut elements, &mut scales, rule)?;
        let (mut tiled, mut of_tiles) = (vec![E2M1x2::default(); 32 * 256], vec![Ue8m0::ONE; 512]);
        let tiling = Tiling::new([64, 256], [1, 32]).with_rule(rule);
        quantize_tiles(&source, &tiling, &mut tiled, &mut of_tiles)?;
        assert_eq!((tiled, of_tiles), (elements, scales));
    }
    let (mut elements, mut scales) = (vec![E4M3::ZERO; 64 * 256], vec![0.0_f32; 64]);
    quantize_rows(&source, 256, &mut elements, &mut scales)?;
    let (mut tiled, mut of_tiles) = (vec![E4M3::ZERO; 64 * 256], vec![0.0_f32; 64]);
    quantize_tiles(&source, &Tiling::new([64, 256], [1, 256]), &mut tiled, &mut of_tiles)?;
    assert_eq!((tiled, of_tiles), (elements, scales));
    Ok(())
}

#[test]
fn special_numbers_are_as_in_blocks() -> Result<(), TilingError> {
    for special in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::from_bits(1), 0.0, f32::MAX] {
        let mut source = [0.0; 32];
        source[5] = special;
        let (mut elements, mut scales) = ([E4M3::ZERO; 32], [Ue8m0::ONE; 1]);
        quantize_blocks_with::<_, _, 32>(&source, &mut elements, &mut scales, ScaleRule::Up)?;
        // The same numbers as a column.
        let (mut tiled, mut of_tiles) = ([E4M3::ZERO; 32], [Ue8m0::ONE; 1]);
        quantize_tiles(&source, &Tiling::new([32, 1], [32, 1]), &mut tiled, &mut of_tiles)?;
        assert_eq!((tiled.map(E4M3::to_bits), of_tiles), (elements.map(E4M3::to_bits), scales));
    }
    Ok(())
}

#[test]
fn halves_are_converted_as_their_values() -> Result<(), LengthMismatch> {
    let bits = || 0..=u16::MAX;
    let all: Vec<bf16> = bits().map(bf16::from_bits).collect();
    let values: Vec<f32> = all.iter().map(|x| x.to_f32()).collect();
    let (mut ours, mut plain) = (vec![E4M3::ZERO; all.len()], vec![E4M3::ZERO; all.len()]);
    quantize_from(&all, &mut ours)?;
    quantize(&values, &mut plain)?;
    assert_eq!(ours, plain);
    let all: Vec<f16> = bits().map(f16::from_bits).collect();
    let values: Vec<f32> = all.iter().map(|x| x.to_f32()).collect();
    quantize_from(&all, &mut ours)?;
    quantize(&values, &mut plain)?;
    assert_eq!(ours, plain);
    let codes: Vec<E5M2> = (0..=255).map(E5M2::from_bits).collect();
    let mut halves = vec![f16::ZERO; 256];
    dequantize_to(&codes, &mut halves)?;
    for (code, half) in codes.iter().zip(&halves) {
        let same = code.to_f32().is_nan() && half.is_nan() || code.to_f32() == half.to_f32();
        assert!(same, "{code:?} {half:?}");
    }
    Ok(())
}

#[test]
fn mismatched_lengths_are_reported() {
    let message = |tiling: Tiling, numbers: usize, elements: usize, scales: usize| {
        let source = vec![1.0_f32; numbers];
        let (mut to, mut of) = (vec![E2M1x2::default(); elements], vec![0.0_f32; scales]);
        let error = quantize_tiles(&source, &tiling, &mut to, &mut of).unwrap_err();
        let mut back = source;
        let other = dequantize_tiles(&to, &tiling, &of, &mut back).unwrap_err();
        let (message, of_other) = (error.to_string(), other.to_string());
        assert_eq!(message, of_other.replace("destination", "source"));
        message
    };
    let tiling = Tiling::new([2, 4], [1, 4]);
    assert_eq!(message(tiling, 7, 4, 2), "the source holds 7 numbers, but the matrix takes 8");
    assert_eq!(message(tiling, 8, 5, 2), "the slice of elements holds 10 numbers instead of 8");
    assert_eq!(message(tiling, 8, 4, 1), "the slice of scales holds 1 number instead of 2");
    assert_eq!(
        message(tiling.with_stride(3), 8, 4, 2),
        "the row stride is 3, less than the 4 columns"
    );
    assert_eq!(
        message(Tiling::new([2, 3], [1, 4]), 6, 3, 2),
        "a row has 3 columns, which is not a multiple of 2, the numbers of a packed element"
    );
    for tile in [[0, 4], [1, 0]] {
        let text = message(Tiling::new([2, 4], tile), 8, 4, 2);
        let [rows, columns] = tile;
        let expected =
            format!("the tiles are {rows} x {columns}, but have at least one row and one column");
        assert_eq!(text, expected);
        assert_eq!(Tiling::new([2, 4], tile).scales(), [0; 2]);
    }
    // A matrix larger than memory is rejected without an overflow.
    let huge = Tiling::new([usize::MAX, 4], [1, 4]);
    assert!(
        message(huge, 8, 4, 2).starts_with("the source holds 8 numbers, but the matrix takes ")
    );
}

#[test]
fn a_matrix_without_numbers_has_no_scales() {
    for shape in [[0, 4], [4, 0], [0, 0]] {
        let tiling = Tiling::new(shape, [2, 2]);
        let [rows, columns] = tiling.scales();
        assert_eq!(rows * columns, 0);
        assert_eq!(quantize_tiles::<f32, E4M3, f32>(&[], &tiling, &mut [], &mut []), Ok(()));
        assert_eq!(dequantize_tiles::<f32, E4M3, f32>(&[], &tiling, &[], &mut []), Ok(()));
        #[cfg(feature = "rayon")]
        {
            assert_eq!(
                parallel::quantize_tiles::<f32, E4M3, f32>(&[], &tiling, &mut [], &mut []),
                Ok(())
            );
            assert_eq!(
                parallel::dequantize_tiles::<f32, E4M3, f32>(&[], &tiling, &[], &mut []),
                Ok(())
            );
        }
    }
}

#[cfg(feature = "rayon")]
use ptx_float::parallel;

#[cfg(feature = "rayon")]
#[test]
fn slices_on_all_cores_are_those_on_one() -> Result<(), LengthMismatch> {
    for count in [0, 2, 64, 1 << 16, (1 << 16) + 2, 300_000] {
        let source = numbers(count);
        let (mut one, mut all) =
            (vec![E2M1x2::default(); count / 2], vec![E2M1x2::default(); count / 2]);
        quantize(&source, &mut one)?;
        parallel::quantize_from(&source, &mut all)?;
        assert_eq!(one, all);
        let mut back = vec![0.0_f32; count];
        parallel::dequantize_to(&all, &mut back)?;
        let mut plain = vec![0.0; count];
        dequantize(&one, &mut plain)?;
        assert_eq!(back, plain);
        let mut short = vec![E2M1x2::default(); count / 2 + 1];
        let error = parallel::quantize_from(&source, &mut short).unwrap_err();
        assert_eq!((error.found, error.needed), (count + 2, count));

        let (mut one, mut all) = (vec![E4M3::ZERO; count], vec![E4M3::ZERO; count]);
        quantize(&source, &mut one)?;
        parallel::quantize_from(&source, &mut all)?;
        assert_eq!(one, all);
        parallel::dequantize_to(&all, &mut back)?;
        dequantize(&one, &mut plain)?;
        assert_eq!(back, plain);
    }
    let blocks = 5000;
    let source = numbers(blocks * 48);
    let (mut one, mut scales) = (vec![E2M1::ZERO; source.len()], vec![Ue8m0::ONE; blocks]);
    quantize_blocks_with::<_, _, 48>(&source, &mut one, &mut scales, ScaleRule::Floor)?;
    let (mut all, mut of_all) = (vec![E2M1::ZERO; source.len()], vec![Ue8m0::ONE; blocks]);
    parallel::quantize_blocks_with::<_, _, 48>(&source, &mut all, &mut of_all, ScaleRule::Floor)?;
    assert_eq!((&one, &scales), (&all, &of_all));
    let mut back = vec![0.0; source.len()];
    parallel::dequantize_blocks::<_, _, 48>(&all, &of_all, &mut back)?;
    let mut plain = vec![0.0; source.len()];
    dequantize_blocks::<_, _, 48>(&one, &scales, &mut plain)?;
    assert_eq!(back, plain);
    let mut packed = vec![E2M1x2::default(); source.len() / 2];
    parallel::quantize_blocks_with::<_, _, 48>(
        &source,
        &mut packed,
        &mut of_all,
        ScaleRule::Floor,
    )?;
    assert_eq!(scales, of_all);
    parallel::dequantize_blocks::<_, _, 48>(&packed, &of_all, &mut back)?;
    assert_eq!(back, plain);
    assert!(
        parallel::quantize_blocks_with::<_, _, 48>(
            &source,
            &mut all,
            &mut [Ue8m0::ONE; 1],
            ScaleRule::Up
        )
        .is_err()
    );
    Ok(())
}

/// More numbers than a thread converts at a time: several rows of tiles, packed elements, and gaps between rows.
#[cfg(feature = "rayon")]
#[test]
fn large_matrices_are_shared_out_by_rows_of_tiles() -> Result<(), TilingError> {
    for (shape, tile) in [([1030, 132], [2, 3]), ([700, 260], [300, 64]), ([3, 40_000], [1, 16])] {
        let tiling = Tiling::new(shape, tile).with_stride(shape[1] + 4);
        let source = numbers(shape[0] * (shape[1] + 4));
        let [rows, columns] = tiling.scales();
        let mut one = (vec![E2M1x2::default(); shape[0] * shape[1] / 2], vec![0.0; rows * columns]);
        let mut all = one.clone();
        quantize_tiles(&source, &tiling, &mut one.0, &mut one.1)?;
        parallel::quantize_tiles(&source, &tiling, &mut all.0, &mut all.1)?;
        assert_eq!(one, all, "{shape:?} {tile:?}");
        let (mut back, mut plain) = (source.clone(), source);
        parallel::dequantize_tiles(&all.0, &tiling, &all.1, &mut back)?;
        dequantize_tiles(&one.0, &tiling, &one.1, &mut plain)?;
        assert_eq!(back, plain, "{shape:?} {tile:?}");
    }
    Ok(())
}

/// The formula of cuBLAS for one tile, with tiles in row-major order.
#[test]
fn scales_lie_as_cublas_reads_them() {
    for (rows, columns) in
        [(1_usize, 1_usize), (128, 4), (127, 3), (129, 5), (256, 16), (300, 9), (32, 64)]
    {
        let scales: Vec<u32> = (1..=u32::try_from(rows * columns).unwrap()).collect();
        let (padded_rows, padded_columns) = (rows.div_ceil(128) * 128, columns.div_ceil(4) * 4);
        assert_eq!(interleaved_scales(rows, columns), padded_rows * padded_columns);
        let mut expected = vec![0; padded_rows * padded_columns];
        for outer in 0..rows {
            for inner in 0..columns {
                let tile = (outer / 128 * (padded_columns / 4) + inner / 4) * 512;
                let within = (outer % 32) * 16 + (outer % 128 / 32) * 4 + inner % 4;
                expected[tile + within] = scales[outer * columns + inner];
            }
        }
        let mut found = vec![7; expected.len()];
        interleave_scales(&scales, rows, columns, &mut found).unwrap();
        assert_eq!(found, expected, "{rows} {columns}");
        let mut back = vec![0; scales.len()];
        deinterleave_scales(&found, rows, columns, &mut back).unwrap();
        assert_eq!(back, scales);
        assert!(interleave_scales(&scales[1..], rows, columns, &mut found).is_err());
        assert!(interleave_scales(&scales, rows, columns, &mut found[1..]).is_err());
        assert!(deinterleave_scales(&found[1..], rows, columns, &mut back).is_err());
        assert!(deinterleave_scales(&found, rows, columns, &mut back[1..]).is_err());
    }
    // The inverse, as given by cuBLAS for one tile.
    let scales: Vec<usize> = (0..512).collect();
    let mut found = vec![0; 512];
    interleave_scales(&scales, 128, 4, &mut found).unwrap();
    for (offset, scale) in found.into_iter().enumerate() {
        let (outer, inner) = ((offset % 16) / 4 * 32 + offset / 16, offset % 4);
        assert_eq!(scale, outer * 4 + inner);
    }
    for (rows, columns) in [(0, 4), (4, 0)] {
        assert_eq!(interleaved_scales(rows, columns), 0);
        assert_eq!(interleave_scales::<u8>(&[], rows, columns, &mut []), Ok(()));
        assert_eq!(deinterleave_scales::<u8>(&[], rows, columns, &mut []), Ok(()));
    }
}
