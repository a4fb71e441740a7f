//! Conversions of slices on all cores with `rayon`, with the same results as on one core.

use core::marker::PhantomData;
use core::num::NonZeroUsize;

use rayon::prelude::*;

use super::block;
use super::scale::{Block, BlockLength, BlockScale, ScaleRule};
use super::slice::{LengthMismatch, Quantized, same_length};
use super::tiles::{Real, Tiling, TilingError};

/// The approximate number of numbers that a thread converts at a time: enough to amortise the cost of distributing
/// them, and a multiple of the lanes of every packed type.
const PART: usize = 1 << 16;

/// The numbers in blocks that a thread converts at a time: whole blocks and whole packed elements, about [`PART`].
struct OfBlocks<S, const BLOCK: usize>(PhantomData<S>);

impl<S: Quantized, const BLOCK: usize> OfBlocks<S, BLOCK> {
    const PART: usize = {
        let both = BLOCK * S::LANES;
        both * PART.div_ceil(both)
    };
}

/// Like [`quantize_from`](super::quantize_from), on all cores.
///
/// # Errors
/// As for the function on one core.
pub fn quantize_from<T: Real, S: Quantized>(
    from: &[T],
    to: &mut [S],
) -> Result<(), LengthMismatch> {
    same_length("destination", to.len() * S::LANES, from.len())?;
    let parts = from.par_chunks(PART).zip(to.par_chunks_mut(PART / S::LANES));
    parts.try_for_each(|(from, to)| super::quantize_from(from, to))
}

/// Like [`dequantize_to`](super::dequantize_to), on all cores.
///
/// # Errors
/// As for the function on one core.
pub fn dequantize_to<S: Quantized, T: Real>(
    from: &[S],
    to: &mut [T],
) -> Result<(), LengthMismatch> {
    same_length("destination", to.len(), from.len() * S::LANES)?;
    let parts = from.par_chunks(PART / S::LANES).zip(to.par_chunks_mut(PART));
    parts.try_for_each(|(from, to)| super::dequantize_to(from, to))
}

/// Like [`quantize_blocks_with`](super::quantize_blocks_with), on all cores.
///
/// # Errors
/// As for the function on one core.
pub fn quantize_blocks_with<S: Quantized, B: BlockScale, const BLOCK: usize>(
    from: &[f32],
    elements: &mut [S],
    scales: &mut [B],
    rule: ScaleRule,
) -> Result<(), LengthMismatch>
where
    Block<BLOCK>: BlockLength,
{
    block::same_blocks("last block", from.len(), elements.len() * S::LANES, scales.len(), BLOCK)?;
    let part = OfBlocks::<S, BLOCK>::PART;
    let elements = elements.par_chunks_mut(part / S::LANES);
    let parts = from.par_chunks(part).zip(elements).zip(scales.par_chunks_mut(part / BLOCK));
    parts.try_for_each(|((from, elements), scales)| {
        block::quantize_blocks_with::<S, B, BLOCK>(from, elements, scales, rule)
    })
}

/// Like [`dequantize_blocks`](super::dequantize_blocks), on all cores.
///
/// # Errors
/// As for the function on one core.
pub fn dequantize_blocks<S: Quantized, B: BlockScale, const BLOCK: usize>(
    elements: &[S],
    scales: &[B],
    to: &mut [f32],
) -> Result<(), LengthMismatch>
where
    Block<BLOCK>: BlockLength,
{
    let numbers = elements.len() * S::LANES;
    block::same_blocks("last block", numbers, numbers, scales.len(), BLOCK)?;
    same_length("destination", to.len(), numbers)?;
    let part = OfBlocks::<S, BLOCK>::PART;
    let elements = elements.par_chunks(part / S::LANES);
    let parts = to.par_chunks_mut(part).zip(elements).zip(scales.par_chunks(part / BLOCK));
    parts.try_for_each(|((to, elements), scales)| {
        block::dequantize_blocks::<S, B, BLOCK>(elements, scales, to)
    })
}

/// The part of a matrix that a thread converts at a time: whole rows of tiles, about [`PART`] numbers.
struct Bands {
    /// The number of numbers of the source or the destination, including gaps between rows.
    numbers: usize,
    elements: usize,
    scales: usize,
}

impl Bands {
    /// The bands of a matrix; `None` if it is empty.
    fn of<S: Quantized>(tiling: &Tiling) -> Option<Self> {
        let ([height, _], [rows, columns]) = (tiling.tile, tiling.shape.map(NonZeroUsize::new));
        let (_, columns) = (rows?, columns?.get());
        let bands = PART.div_ceil(height.saturating_mul(columns));
        let rows = bands.saturating_mul(height);
        Some(Self {
            numbers: rows.saturating_mul(tiling.stride),
            elements: rows.saturating_mul(columns) / S::LANES,
            scales: bands * tiling.scales()[1],
        })
    }
}

/// Like [`quantize_tiles`](super::quantize_tiles), on all cores. Each thread takes whole rows of tiles, so that a
/// matrix with one row of tiles is converted on one core.
///
/// # Errors
/// As for the function on one core.
pub fn quantize_tiles<T: Real, S: Quantized, B: BlockScale>(
    from: &[T],
    tiling: &Tiling,
    elements: &mut [S],
    scales: &mut [B],
) -> Result<(), TilingError> {
    tiling.check::<S>(("source", from.len()), elements.len(), scales.len())?;
    let Some(bands) = Bands::of::<S>(tiling) else { return Ok(()) };
    let from = from[..tiling.extent()].par_chunks(bands.numbers);
    let elements = elements.par_chunks_mut(bands.elements);
    let parts = from.zip(elements).zip(scales.par_chunks_mut(bands.scales));
    parts.try_for_each(|((from, elements), scales)| {
        let part = tiling.with_rows(elements.len() * S::LANES / tiling.shape[1]);
        super::quantize_tiles(from, &part, elements, scales)
    })
}

/// Like [`dequantize_tiles`](super::dequantize_tiles), on all cores.
///
/// # Errors
/// As for the function on one core.
pub fn dequantize_tiles<T: Real, S: Quantized, B: BlockScale>(
    elements: &[S],
    tiling: &Tiling,
    scales: &[B],
    to: &mut [T],
) -> Result<(), TilingError> {
    tiling.check::<S>(("destination", to.len()), elements.len(), scales.len())?;
    let Some(bands) = Bands::of::<S>(tiling) else { return Ok(()) };
    let to = to[..tiling.extent()].par_chunks_mut(bands.numbers);
    let elements = elements.par_chunks(bands.elements);
    let parts = to.zip(elements).zip(scales.par_chunks(bands.scales));
    parts.try_for_each(|((to, elements), scales)| {
        let part = tiling.with_rows(elements.len() * S::LANES / tiling.shape[1]);
        super::dequantize_tiles(elements, &part, scales, to)
    })
}
