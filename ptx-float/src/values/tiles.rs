//! Matrices whose tiles share a scale, of `f32`, `f16` and `bf16`.

// Inlining compiles a function for the instruction set of each caller.
#![allow(clippy::inline_always)]

use core::fmt;

use super::block::{Scaling, divisor_of, greatest, scale_of, set_scale};
use super::scale::{BlockScale, ScaleRule, most_of};
use super::slice::{
    LengthMismatch, Quantized, STEP, ZEROS, decode_step, encode_step, multiversion, same_length,
};
use super::small_float::SmallFloat;
use crate::message::Count;
use crate::sealed::Sealed;

/// A type of numbers that are converted to small floats and back: `f32`, and with the feature `half`, `f16` and `bf16`.
pub trait Real: Copy + Sealed + Send + Sync + 'static {
    /// Loads the exact values of at most [`STEP`] numbers.
    #[doc(hidden)]
    fn load(from: &[Self], to: &mut [f32; STEP]);

    /// Stores at most [`STEP`] numbers, rounded to the nearest.
    #[doc(hidden)]
    fn store(from: &[f32; STEP], to: &mut [Self]);
}

impl Real for f32 {
    #[inline(always)]
    fn load(from: &[Self], to: &mut [f32; STEP]) {
        to[..from.len()].copy_from_slice(from);
    }

    #[inline(always)]
    fn store(from: &[f32; STEP], to: &mut [Self]) {
        to.copy_from_slice(&from[..to.len()]);
    }
}

#[cfg(feature = "half")]
macro_rules! halves {
    ($($F:ty),*) => {$(
        impl Real for $F {
            #[inline(always)]
            fn load(from: &[Self], to: &mut [f32; STEP]) {
                decode_step(from, to);
            }

            #[inline(always)]
            fn store(from: &[f32; STEP], to: &mut [Self]) {
                encode_step(from, to);
            }
        }
    )*};
}
#[cfg(feature = "half")]
halves!(half::f16, half::bf16);

/// The shape of a matrix and of its tiles, each of which has a scale: `[1, 32]` for blocks of 32 along a row, `[32, 1]`
/// along a column, `[1, 128]` and `[128, 128]` for activations and weights in fp8, `[1, columns]` for rows, and
/// `[rows, columns]` for the whole matrix.
///
/// Tiles at the end of a row or a column may be smaller. The elements are stored in row-major order without gaps, and
/// so are the scales, as a matrix with the shape [`scales`](Self::scales).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Tiling {
    pub(super) shape: [usize; 2],
    pub(super) tile: [usize; 2],
    pub(super) stride: usize,
    rule: ScaleRule,
}

impl Tiling {
    /// A matrix with the rows and columns of `shape`, in tiles with the rows and columns of `tile`, counted in numbers.
    pub const fn new(shape: [usize; 2], tile: [usize; 2]) -> Self {
        Self { shape, tile, stride: shape[1], rule: ScaleRule::Up }
    }

    /// Sets the row stride of the source in numbers. It is greater than the number of columns if the matrix is part of
    /// a wider one.
    #[must_use]
    pub const fn with_stride(self, stride: usize) -> Self {
        Self { stride, ..self }
    }

    /// Sets the rule for the scales.
    #[must_use]
    pub const fn with_rule(self, rule: ScaleRule) -> Self {
        Self { rule, ..self }
    }

    /// The tiling of some of its rows, with the same tiles.
    #[cfg(feature = "rayon")]
    pub(super) const fn with_rows(self, rows: usize) -> Self {
        Self { shape: [rows, self.shape[1]], ..self }
    }

    /// The rows and columns of scales, one scale for each tile; zeros if a tile is empty.
    pub const fn scales(&self) -> [usize; 2] {
        let [rows, columns] = self.tile;
        if rows == 0 || columns == 0 {
            return [0; 2];
        }
        [self.shape[0].div_ceil(rows), self.shape[1].div_ceil(columns)]
    }

    /// The number of numbers in the matrix.
    const fn numbers(&self) -> usize {
        self.shape[0].saturating_mul(self.shape[1])
    }

    /// The length of the source in numbers, from the first to the last of the matrix.
    pub(super) const fn extent(&self) -> usize {
        if self.numbers() == 0 {
            return 0;
        }
        (self.shape[0] - 1).saturating_mul(self.stride).saturating_add(self.shape[1])
    }

    /// Checks the lengths of slices: of the source or destination, of the elements and of the scales.
    pub(super) fn check<S: Quantized>(
        &self,
        (what, numbers): (&'static str, usize),
        elements: usize,
        scales: usize,
    ) -> Result<(), TilingError> {
        let ([rows, columns], stride, lanes) = (self.tile, self.stride, S::LANES);
        if rows == 0 || columns == 0 {
            return Err(TilingError::Tile { tile: self.tile });
        }
        let columns = self.shape[1];
        if stride < columns {
            return Err(TilingError::Stride { stride, columns });
        }
        if !columns.is_multiple_of(lanes) {
            return Err(TilingError::Lanes { columns, lanes });
        }
        if numbers < self.extent() {
            return Err(TilingError::Short { what, found: numbers, needed: self.extent() });
        }
        same_length("slice of elements", elements.saturating_mul(lanes), self.numbers())?;
        let [rows, columns] = self.scales();
        Ok(same_length("slice of scales", scales, rows.saturating_mul(columns))?)
    }
}

/// The error for a matrix that cannot be divided into these tiles, or for slices of the wrong length.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TilingError {
    /// A tile has no rows or no columns.
    Tile {
        /// The rows and columns of a tile.
        tile: [usize; 2],
    },
    /// The rows overlap.
    Stride {
        /// The row stride in numbers.
        stride: usize,
        /// The number of columns of the matrix.
        columns: usize,
    },
    /// A row ends within a packed element.
    Lanes {
        /// The number of columns of the matrix.
        columns: usize,
        /// The number of lanes of a packed element.
        lanes: usize,
    },
    /// The source or the destination ends before the matrix does.
    Short {
        /// The slice: `source` or `destination`.
        what: &'static str,
        /// The number of numbers that it holds.
        found: usize,
        /// The number of numbers that the matrix takes, including gaps between its rows.
        needed: usize,
    },
    /// The number of elements or of scales does not match the matrix.
    Length(LengthMismatch),
}

crate::message::debug_as_message!(TilingError);

impl From<LengthMismatch> for TilingError {
    fn from(mismatch: LengthMismatch) -> Self {
        Self::Length(mismatch)
    }
}

impl fmt::Display for TilingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tile { tile: [rows, columns] } => {
                write!(
                    f,
                    "the tiles are {rows} x {columns}, but have at least one row and one column"
                )
            }
            Self::Stride { stride, columns } => {
                write!(f, "the row stride is {stride}, less than the {columns} columns")
            }
            Self::Lanes { columns, lanes } => write!(
                f,
                "a row has {}, which is not a multiple of {lanes}, the numbers of a packed element",
                Count(*columns, "column")
            ),
            Self::Short { what, found, needed } => {
                write!(
                    f,
                    "the {what} holds {}, but the matrix takes {needed}",
                    Count(*found, "number")
                )
            }
            Self::Length(mismatch) => mismatch.fmt(f),
        }
    }
}

impl core::error::Error for TilingError {}

/// Converts a matrix with one scale for each tile: a number is approximately its element times the scale of its tile.
/// The scale is computed like that of a [block](super::quantize_blocks).
///
/// ```
/// use ptx_float::E4M3;
/// use ptx_float::{Tiling, dequantize_tiles, quantize_tiles};
///
/// // 256 x 384 weights in tiles of 128 x 128 with `f32` scales.
/// let weights = vec![0.5_f32; 256 * 384];
/// let tiling = Tiling::new([256, 384], [128, 128]);
/// let (mut elements, mut scales) = (vec![E4M3::ZERO; 256 * 384], vec![0.0_f32; 2 * 3]);
/// quantize_tiles(&weights, &tiling, &mut elements, &mut scales)?;
/// let mut back = vec![0.0_f32; 256 * 384];
/// dequantize_tiles(&elements, &tiling, &scales, &mut back)?;
/// assert_eq!(weights, back);
/// # Ok::<(), ptx_float::TilingError>(())
/// ```
///
/// # Errors
/// If `from` does not hold the matrix, if `elements` does not hold exactly as many numbers, if `scales` does not hold
/// one scale for each tile, if a tile is empty, or if the stride is less than the number of columns. Each row starts
/// with a new packed element: the number of columns must be a multiple of its lanes.
#[doc(alias("deepgemm", "1x128", "128x128", "blockwise"))]
pub fn quantize_tiles<T: Real, S: Quantized, B: BlockScale>(
    from: &[T],
    tiling: &Tiling,
    elements: &mut [S],
    scales: &mut [B],
) -> Result<(), TilingError> {
    tiling.check::<S>(("source", from.len()), elements.len(), scales.len())?;
    multiversion!(
        [T: Real, S: Quantized, B: BlockScale] encode_tiles [T, S, B]
        (from: &[T], tiling: &Tiling, elements: &mut [S], scales: &mut [B])
    );
    Ok(())
}

/// Converts back: each number is its element times the scale of its tile, rounded to `f32` and then to `T`.
///
/// # Errors
/// As for [`quantize_tiles`], with `to` in place of `from`.
pub fn dequantize_tiles<T: Real, S: Quantized, B: BlockScale>(
    elements: &[S],
    tiling: &Tiling,
    scales: &[B],
    to: &mut [T],
) -> Result<(), TilingError> {
    tiling.check::<S>(("destination", to.len()), elements.len(), scales.len())?;
    multiversion!(
        [T: Real, S: Quantized, B: BlockScale] decode_tiles [T, S, B]
        (elements: &[S], tiling: &Tiling, scales: &[B], to: &mut [T])
    );
    Ok(())
}

/// Converts numbers of any [`Real`] type as [`quantize`](super::quantize) converts `f32`.
///
/// ```
/// use ptx_float::E5M2;
/// use ptx_float::quantize_from;
/// use half::bf16;
///
/// let mut to = [E5M2::ZERO; 2];
/// quantize_from(&[bf16::from_f32(1.5), bf16::from_f32(-3.0)], &mut to)?;
/// assert_eq!(to.map(E5M2::to_f32), [1.5, -3.0]);
/// # Ok::<(), ptx_float::LengthMismatch>(())
/// ```
///
/// # Errors
/// If `to` does not hold exactly as many numbers as `from`.
pub fn quantize_from<T: Real, S: Quantized>(
    from: &[T],
    to: &mut [S],
) -> Result<(), LengthMismatch> {
    same_length("destination", to.len() * S::LANES, from.len())?;
    multiversion!([T: Real, S: Quantized] encode_from [T, S] (from: &[T], to: &mut [S]));
    Ok(())
}

/// Converts the value of each number to `T`, rounded to the nearest if `T` has fewer bits.
///
/// # Errors
/// If `to` does not hold exactly as many numbers as `from`.
pub fn dequantize_to<S: Quantized, T: Real>(
    from: &[S],
    to: &mut [T],
) -> Result<(), LengthMismatch> {
    same_length("destination", to.len(), from.len() * S::LANES)?;
    multiversion!([S: Quantized, T: Real] decode_to [S, T] (from: &[S], to: &mut [T]));
    Ok(())
}

#[inline(always)]
fn encode_from<T: Real, S: Quantized>(from: &[T], to: &mut [S]) {
    for (from, to) in from.chunks(STEP).zip(to.chunks_mut(STEP / S::LANES)) {
        let mut numbers = ZEROS;
        T::load(from, &mut numbers);
        encode_step(&numbers, to);
    }
}

#[inline(always)]
fn decode_to<S: Quantized, T: Real>(from: &[S], to: &mut [T]) {
    for (from, to) in from.chunks(STEP / S::LANES).zip(to.chunks_mut(STEP)) {
        let mut numbers = ZEROS;
        decode_step(from, &mut numbers);
        T::store(&numbers, to);
    }
}

#[inline(always)]
fn encode_tiles<T: Real, S: Quantized, B: BlockScale>(
    from: &[T],
    tiling: &Tiling,
    elements: &mut [S],
    scales: &mut [B],
) {
    match tiling.tile {
        _ if tiling.numbers() == 0 => {}
        [1, 16] => encode_short::<T, S, B, 16>(from, tiling, elements, scales),
        [1, 32] => encode_short::<T, S, B, 32>(from, tiling, elements, scales),
        [1, STEP] => encode_short::<T, S, B, STEP>(from, tiling, elements, scales),
        [_, width @ WIDE..=usize::MAX] if width.is_multiple_of(S::LANES) => {
            encode_wide(from, tiling, elements, scales);
        }
        _ => encode_narrow(from, tiling, elements, scales),
    }
}

/// Converts rows with several tiles in a step.
#[inline(always)]
fn encode_short<T: Real, S: Quantized, B: BlockScale, const BLOCK: usize>(
    from: &[T],
    tiling: &Tiling,
    elements: &mut [S],
    scales: &mut [B],
) {
    let columns = tiling.shape[1];
    let scaling = Scaling { rule: tiling.rule, of_tensor: 1.0 };
    let most = most_of(S::Element::FORMAT);
    let rows = from.chunks(tiling.stride).zip(elements.chunks_exact_mut(columns / S::LANES));
    for ((row, elements), scales) in rows.zip(scales.chunks_exact_mut(columns.div_ceil(BLOCK))) {
        let steps = row[..columns].chunks(STEP).zip(elements.chunks_mut(STEP / S::LANES));
        for ((numbers, elements), scales) in steps.zip(scales.chunks_mut(const { STEP / BLOCK })) {
            let mut scaled = ZEROS;
            T::load(numbers, &mut scaled);
            for (block, scale) in scaled.chunks_exact_mut(BLOCK).zip(scales) {
                let divisor = set_scale::<S, B>(scale, block, scaling);
                for x in block {
                    *x = (*x / divisor).clamp(-most, most);
                }
            }
            encode_step(&scaled, elements);
        }
    }
}

/// Converts tile by tile, so that the numbers of a tile are still in the cache on the second pass.
#[inline(always)]
fn encode_wide<T: Real, S: Quantized, B: BlockScale>(
    from: &[T],
    tiling: &Tiling,
    elements: &mut [S],
    scales: &mut [B],
) {
    let ([rows, columns], [height, width]) = (tiling.shape, tiling.tile);
    let scaling = Scaling { rule: tiling.rule, of_tensor: 1.0 };
    let most = most_of(S::Element::FORMAT);
    for (n, scale) in scales.iter_mut().enumerate() {
        let (band, tile) = (n / tiling.scales()[1], n % tiling.scales()[1]);
        let (start, end) = (tile * width, columns.min((tile + 1) * width));
        let rows = band * height..rows.min((band + 1) * height);
        let parts = rows.clone().map(|row| &from[row * tiling.stride..][start..end]);
        *scale = scale_of::<S, B>(greatest_of(parts), scaling);
        let divisor = divisor_of(*scale, scaling);
        for row in rows {
            let to = &mut elements[row * columns / S::LANES..][start / S::LANES..end / S::LANES];
            let parts = from[row * tiling.stride..][start..end].chunks(STEP);
            for (part, to) in parts.zip(to.chunks_mut(STEP / S::LANES)) {
                let mut numbers = ZEROS;
                T::load(part, &mut numbers);
                for x in &mut numbers {
                    *x = (*x / divisor).clamp(-most, most);
                }
                encode_step(&numbers, to);
            }
        }
    }
}

/// Converts tiles that are narrow, or do not end with a packed element: a step of columns at a time, each divided by
/// the divisor of its tile.
#[inline(always)]
fn encode_narrow<T: Real, S: Quantized, B: BlockScale>(
    from: &[T],
    tiling: &Tiling,
    elements: &mut [S],
    scales: &mut [B],
) {
    let [rows, columns] = tiling.shape;
    let scaling = Scaling { rule: tiling.rule, of_tensor: 1.0 };
    let most = most_of(S::Element::FORMAT);
    let row_of = |row: usize| &from[row * tiling.stride..][..columns];
    for (band, scales) in scales.chunks_exact_mut(tiling.scales()[1]).enumerate() {
        let first = band * tiling.tile[0];
        let rows = first..rows.min(first + tiling.tile[0]);
        set_scales::<T, S, B>(&rows.clone().map(row_of), tiling, scales);
        for start in (0..columns).step_by(STEP) {
            let end = columns.min(start + STEP);
            let divisors = factors(scales, tiling, start, end, |scale| divisor_of(scale, scaling));
            for row in rows.clone() {
                let mut numbers = ZEROS;
                T::load(&row_of(row)[start..end], &mut numbers);
                for (x, divisor) in numbers.iter_mut().zip(&divisors) {
                    *x = (*x / divisor).clamp(-most, most);
                }
                let (start, end) = (row * columns + start, row * columns + end);
                encode_step(&numbers, &mut elements[start / S::LANES..end / S::LANES]);
            }
        }
    }
}

#[inline(always)]
fn decode_tiles<T: Real, S: Quantized, B: BlockScale>(
    elements: &[S],
    tiling: &Tiling,
    scales: &[B],
    to: &mut [T],
) {
    let [rows, columns] = tiling.shape;
    let [_, scale_columns] = tiling.scales();
    if columns == 0 {
        return;
    }
    for (band, scales) in scales.chunks_exact(scale_columns).enumerate() {
        let first = band * tiling.tile[0];
        for start in (0..columns).step_by(STEP) {
            let end = columns.min(start + STEP);
            let factors = factors(scales, tiling, start, end, B::factor);
            for row in first..rows.min(first + tiling.tile[0]) {
                let (from, till) = (row * columns + start, row * columns + end);
                let mut numbers = ZEROS;
                decode_step(&elements[from / S::LANES..till / S::LANES], &mut numbers);
                for (x, factor) in numbers.iter_mut().zip(&factors) {
                    *x *= factor;
                }
                T::store(&numbers, &mut to[row * tiling.stride..][start..end]);
            }
        }
    }
}

const ONES: [f32; STEP] = [1.0; STEP];

/// The factor or divisor of each of these columns; 1 past the last.
#[inline(always)]
fn factors<B: BlockScale>(
    scales: &[B],
    tiling: &Tiling,
    start: usize,
    end: usize,
    of: impl Fn(B) -> f32,
) -> [f32; STEP] {
    let width = tiling.tile[1];
    let mut factors = ONES;
    let mut at = start;
    while at < end {
        let tile = at / width;
        let next = end.min((tile + 1) * width);
        factors[at - start..next - start].fill(of(scales[tile]));
        at = next;
    }
    factors
}

/// The narrowest tile whose greatest number is computed on its own; for narrower tiles, those of several columns are
/// computed at once.
const WIDE: usize = 16;
const _: () = assert!(STEP.is_multiple_of(WIDE));

/// The greatest magnitude in parts of rows; NaN if any number is NaN.
#[inline(always)]
fn greatest_of<'a, T: Real>(parts: impl Iterator<Item = &'a [T]>) -> f32 {
    let (mut numbers, mut most) = (ZEROS, 0);
    for part in parts {
        for part in part.chunks(numbers.len()) {
            // Past the end of a short part, `numbers` still has numbers of the same tile.
            T::load(part, &mut numbers);
            most = greatest(&numbers).max(most);
        }
    }
    f32::from_bits(most)
}

/// Sets the scales of a band of tiles.
#[inline(always)]
fn set_scales<'a, T: Real, S: Quantized, B: BlockScale>(
    rows: &(impl Iterator<Item = &'a [T]> + Clone),
    tiling: &Tiling,
    scales: &mut [B],
) {
    let (columns, width) = (tiling.shape[1], tiling.tile[1]);
    let scaling = Scaling { rule: tiling.rule, of_tensor: 1.0 };
    match width {
        WIDE.. => {
            for (tile, scale) in scales.iter_mut().enumerate() {
                let (start, end) = (tile * width, columns.min((tile + 1) * width));
                let parts = rows.clone().map(|row| &row[start..end]);
                *scale = scale_of::<S, B>(greatest_of(parts), scaling);
            }
        }
        _ => {
            // The largest number of columns in a step that are whole tiles.
            let step = STEP - STEP % width;
            for (n, scales) in scales.chunks_mut(step / width).enumerate() {
                let (start, end) = (n * step, columns.min((n + 1) * step));
                let mut most = [0; STEP];
                for row in rows.clone() {
                    let mut numbers = ZEROS;
                    T::load(&row[start..end], &mut numbers);
                    for (most, x) in most.iter_mut().zip(&numbers) {
                        *most = (x.to_bits() & 0x7fff_ffff).max(*most);
                    }
                }
                for (scale, most) in scales.iter_mut().zip(most.chunks(width)) {
                    let most = most.iter().fold(0, |greatest, most| *most.max(&greatest));
                    *scale = scale_of::<S, B>(f32::from_bits(most), scaling);
                }
            }
        }
    }
}
