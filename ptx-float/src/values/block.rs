//! Blocks of numbers that share a scale: the MX formats and NVFP4.

// Inlining compiles a function for the instruction set of each caller.
#![allow(clippy::inline_always)]

use super::scale::{Block, BlockLength, BlockScale, ScaleRule, most_of};
use super::slice::{
    LengthMismatch, Quantized, STEP, ZEROS, decode_step, encode_step, multiversion, same_length,
};
use super::small_float::SmallFloat;
use super::types::{E2M1, E4M3};

/// Converts `from` in blocks of `BLOCK` numbers with one scale each: a number is approximately its element
/// times the scale of its block. MX has blocks of 32 with [`Ue8m0`](super::Ue8m0) scales, NVFP4 blocks of 16
/// [`E2M1`](super::E2M1) with [`Ue4m3`](super::Ue4m3) scales and a [scale of the tensor](quantize_nvfp4).
///
/// The scale is the greatest magnitude of the block divided by the greatest element, converted with the
/// [`CVT`](SmallFloat::CVT) of its type: a power of two is rounded up, so that no element
/// saturates ([`quantize_blocks_with`] has other rules). The scale of a block that is not all zero is positive. An
/// element is the number divided by that scale, in `f32`, converted likewise; a quotient out of range becomes the
/// greatest element. A NaN makes the scale of its block NaN, and an infinity makes it the greatest scale, so that
/// all other elements of the block become zero if the scale has the range of `f32`:
/// [`count_special`](super::count_special) counts both beforehand.
///
/// The scales are limited to the range of their type: for [`E4M3`](super::E4M3) and [`Ue4m3`](super::Ue4m3), 2^-9 to
/// 448. For numbers beyond it, divide by a scale of the whole tensor first, as [`quantize_nvfp4`] does.
///
/// ```
/// use ptx_float::quantize_blocks;
/// use ptx_float::{E2M1x2, Ue8m0};
///
/// let mut elements = [E2M1x2::default(); 16];
/// let mut scales = [Ue8m0::ONE; 1];
/// quantize_blocks::<_, _, 32>(&[12.0; 32], &mut elements, &mut scales)?;
/// assert_eq!(scales[0].to_f32(), 2.0);
/// assert_eq!(elements[0].lanes().map(|lane| lane.to_f32()), [6.0, 6.0]);
/// # Ok::<(), ptx_float::LengthMismatch>(())
/// ```
///
/// # Errors
/// If `from` does not hold whole blocks, if `elements` does not hold exactly as many numbers, or if `scales` does
/// not hold one scale for each block. A block that ends within a packed element, such as one of 12 numbers in
/// [`Padded`](super::Padded), does not compile.
#[doc(alias("mxfp4", "mxfp6", "mxfp8"))]
pub fn quantize_blocks<S: Quantized, B: BlockScale, const BLOCK: usize>(
    from: &[f32],
    elements: &mut [S],
    scales: &mut [B],
) -> Result<(), LengthMismatch>
where
    Block<BLOCK>: BlockLength,
{
    quantize_blocks_with::<S, B, BLOCK>(from, elements, scales, ScaleRule::default())
}

/// Like [`quantize_blocks`], with scales by this rule.
///
/// ```
/// use ptx_float::{ScaleRule, quantize_blocks_with};
/// use ptx_float::{E2M1x2, Ue8m0};
///
/// let (mut elements, mut scales) = ([E2M1x2::default(); 16], [Ue8m0::ONE; 1]);
/// // 7 has the exponent 2, like 6, the greatest element: OCP's scale is 1, and 7 becomes 6.
/// quantize_blocks_with::<_, _, 32>(&[7.0; 32], &mut elements, &mut scales, ScaleRule::Floor)?;
/// assert_eq!((scales[0].to_f32(), elements[0].lanes()[0].to_f32()), (1.0, 6.0));
/// # Ok::<(), ptx_float::LengthMismatch>(())
/// ```
///
/// # Errors
/// As for [`quantize_blocks`].
pub fn quantize_blocks_with<S: Quantized, B: BlockScale, const BLOCK: usize>(
    from: &[f32],
    elements: &mut [S],
    scales: &mut [B],
    rule: ScaleRule,
) -> Result<(), LengthMismatch>
where
    Block<BLOCK>: BlockLength,
{
    same_blocks("last block", from.len(), elements.len() * S::LANES, scales.len(), BLOCK)?;
    encode::<S, B, BLOCK>(from, elements, scales, Scaling { rule, of_tensor: 1.0 });
    Ok(())
}

/// Converts `from` to NVFP4: each 16 numbers share a scale, and the whole tensor shares the scale that is returned. A
/// number is approximately its element times the scale of its block times that of the tensor.
///
/// With `amax` the greatest magnitude of all, the tensor's scale is `amax / (6 * 448)`, so that the greatest scale of a
/// block is 448 (or 1 if all numbers are zero). The scale of a block is `amax_of_block / 6 / tensor_scale`, rounded to
/// the nearest, and an element is `x / (scale * tensor_scale)`, rounded to the nearest and saturated. A NaN or an
/// infinity anywhere makes the scale of the tensor NaN or infinite, and the elements meaningless:
/// [`count_special`](super::count_special) counts such numbers beforehand.
///
/// ```
/// use ptx_float::{dequantize_nvfp4, quantize_nvfp4};
/// use ptx_float::{E2M1x2, Ue4m3};
///
/// let weights: Vec<f32> = (0..64).map(|n| n as f32 / 100.0).collect();
/// let (mut elements, mut scales) = ([E2M1x2::default(); 32], [Ue4m3::ZERO; 4]);
/// let tensor_scale = quantize_nvfp4(&weights, &mut elements, &mut scales)?;
/// let mut back = [0.0; 64];
/// dequantize_nvfp4(&elements, &scales, tensor_scale, &mut back)?;
/// assert!((back[63] - 0.63).abs() < 1e-6);
/// # Ok::<(), ptx_float::LengthMismatch>(())
/// ```
///
/// # Errors
/// As for [`quantize_blocks`], in blocks of 16.
#[doc(alias = "nvfp4")]
pub fn quantize_nvfp4<S: Quantized<Element = E2M1>, B: BlockScale>(
    from: &[f32],
    elements: &mut [S],
    scales: &mut [B],
) -> Result<f32, LengthMismatch> {
    same_blocks("last block", from.len(), elements.len() * S::LANES, scales.len(), 16)?;
    let greatest = amax(from);
    let of_tensor = if greatest == 0.0 {
        1.0
    } else {
        greatest / (most_of(E2M1::FORMAT) * most_of(E4M3::FORMAT))
    };
    // For the least numbers, the quotient is zero.
    let of_tensor = if of_tensor == 0.0 { f32::from_bits(1) } else { of_tensor };
    let rule = ScaleRule::default();
    encode::<S, B, 16>(from, elements, scales, Scaling { rule, of_tensor });
    Ok(of_tensor)
}

/// Converts back: each number is its element times the scale of its block, times that of the tensor.
///
/// # Errors
/// As for [`dequantize_blocks`], in blocks of 16.
#[doc(alias = "nvfp4")]
pub fn dequantize_nvfp4<S: Quantized<Element = E2M1>, B: BlockScale>(
    elements: &[S],
    scales: &[B],
    tensor_scale: f32,
    to: &mut [f32],
) -> Result<(), LengthMismatch> {
    decode::<S, B, 16>(elements, scales, tensor_scale, to)
}

/// Converts a matrix with this number of `columns`, with one scale for each row: a number is approximately its
/// element times the scale of its row. For one scale of a whole tensor, pass it as one row.
///
/// The scale is computed like that of a [block](quantize_blocks).
///
/// ```
/// use ptx_float::E4M3;
/// use ptx_float::quantize_rows;
///
/// let (mut elements, mut scales) = ([E4M3::ZERO; 6], [0.0_f32; 2]);
/// quantize_rows(&[1.0, 2.0, -4.48, 0.1, 0.2, 0.448], 3, &mut elements, &mut scales)?;
/// assert_eq!(elements[2].to_f32(), -448.0);
/// assert_eq!(elements[5].to_f32(), 448.0);
/// # Ok::<(), ptx_float::LengthMismatch>(())
/// ```
///
/// # Errors
/// If `from` does not hold whole rows, if `elements` does not hold exactly as many numbers, or if `scales` does not
/// hold one scale for each row. Each row starts with a new packed element: `columns` must be a multiple of its lanes.
pub fn quantize_rows<S: Quantized, B: BlockScale>(
    from: &[f32],
    columns: usize,
    elements: &mut [S],
    scales: &mut [B],
) -> Result<(), LengthMismatch> {
    whole_rows::<S>(columns)?;
    if columns == 0 {
        same_length("slice of numbers", from.len(), 0)?;
        same_length("slice of elements", elements.len() * S::LANES, 0)?;
        return same_length("slice of scales", scales.len(), 0);
    }
    same_blocks("last row", from.len(), elements.len() * S::LANES, scales.len(), columns)?;
    let scaling = Scaling { rule: ScaleRule::default(), of_tensor: 1.0 };
    multiversion!(
        [S: Quantized, B: BlockScale] encode_long [S, B]
        (from: &[f32], columns: usize, elements: &mut [S], scales: &mut [B], scaling: Scaling)
    );
    Ok(())
}

/// Converts back: each number is its element times the scale of its row.
///
/// # Errors
/// As for [`quantize_rows`], with `to` in place of `from`.
pub fn dequantize_rows<S: Quantized, B: BlockScale>(
    elements: &[S],
    columns: usize,
    scales: &[B],
    to: &mut [f32],
) -> Result<(), LengthMismatch> {
    whole_rows::<S>(columns)?;
    let numbers = elements.len() * S::LANES;
    same_length("destination", to.len(), numbers)?;
    if columns == 0 {
        same_length("slice of elements", numbers, 0)?;
        return same_length("slice of scales", scales.len(), 0);
    }
    same_blocks("last row", numbers, numbers, scales.len(), columns)?;
    let of_tensor = 1.0;
    multiversion!(
        [S: Quantized, B: BlockScale] decode_long [S, B]
        (elements: &[S], columns: usize, scales: &[B], of_tensor: f32, to: &mut [f32])
    );
    Ok(())
}

/// Checks that a row of this many numbers consists of whole packed elements.
fn whole_rows<S: Quantized>(columns: usize) -> Result<(), LengthMismatch> {
    match columns % S::LANES {
        0 => Ok(()),
        rest => same_length("last element of a row", rest, S::LANES),
    }
}

/// The greatest magnitude: NaN if any number is NaN, and 0 for an empty slice.
pub fn amax(numbers: &[f32]) -> f32 {
    let mut most = u32::default();
    let found = &mut most;
    multiversion!([] note_greatest [] (numbers: &[f32], found: &mut u32));
    f32::from_bits(most)
}

#[inline(always)]
fn note_greatest(numbers: &[f32], most: &mut u32) {
    *most = greatest(numbers);
}

/// The bits of the greatest magnitude: magnitudes are ordered like their bits, and those of a NaN are
/// greater than all others.
#[inline(always)]
pub(super) fn greatest(numbers: &[f32]) -> u32 {
    numbers.iter().fold(0, |most, x| (x.to_bits() & 0x7fff_ffff).max(most))
}

/// Converts back: each number is its element times the scale of its block, rounded once to `f32`. A product
/// beyond `f32`, such as 6 times 2^127, becomes an infinity, and a NaN scale makes its whole block NaN.
///
/// # Errors
/// If the elements are not whole blocks with one scale each, or if `to` does not have the same length.
pub fn dequantize_blocks<S: Quantized, B: BlockScale, const BLOCK: usize>(
    elements: &[S],
    scales: &[B],
    to: &mut [f32],
) -> Result<(), LengthMismatch>
where
    Block<BLOCK>: BlockLength,
{
    decode::<S, B, BLOCK>(elements, scales, 1.0, to)
}

/// How numbers are scaled.
#[derive(Clone, Copy)]
pub(super) struct Scaling {
    pub(super) rule: ScaleRule,
    /// The divisor of all numbers.
    pub(super) of_tensor: f32,
}

/// Checks that this many numbers are whole blocks, with as many elements and one scale for each block.
pub(super) fn same_blocks(
    what: &'static str,
    numbers: usize,
    elements: usize,
    scales: usize,
    block: usize,
) -> Result<(), LengthMismatch> {
    let last = numbers % block;
    if last != 0 {
        return same_length(what, last, block);
    }
    same_length("slice of elements", elements, numbers)?;
    same_length("slice of scales", scales, numbers / block)
}

/// Checks at compile time that a block ends with a packed element, or a step with a block: an element shared by two
/// blocks would have two scales.
struct WholeElements<S, const BLOCK: usize>(core::marker::PhantomData<S>);

impl<S: Quantized, const BLOCK: usize> WholeElements<S, BLOCK> {
    const CHECKED: () = assert!(
        BLOCK.is_multiple_of(S::LANES)
            || S::LANES.is_multiple_of(BLOCK) && STEP.is_multiple_of(BLOCK),
        "a block of this length does not end where a packed element ends: choose a multiple of the numbers that it packs"
    );
}

fn encode<S: Quantized, B: BlockScale, const BLOCK: usize>(
    from: &[f32],
    elements: &mut [S],
    scales: &mut [B],
    scaling: Scaling,
) {
    let () = WholeElements::<S, BLOCK>::CHECKED;
    multiversion!(
        [S: Quantized, B: BlockScale, const BLOCK: usize] encode_blocks [S, B, BLOCK]
        (from: &[f32], elements: &mut [S], scales: &mut [B], scaling: Scaling)
    );
}

fn decode<S: Quantized, B: BlockScale, const BLOCK: usize>(
    elements: &[S],
    scales: &[B],
    of_tensor: f32,
    to: &mut [f32],
) -> Result<(), LengthMismatch> {
    let () = WholeElements::<S, BLOCK>::CHECKED;
    let numbers = elements.len() * S::LANES;
    same_blocks("last block", numbers, numbers, scales.len(), BLOCK)?;
    same_length("destination", to.len(), numbers)?;
    multiversion!(
        [S: Quantized, B: BlockScale, const BLOCK: usize] decode_blocks [S, B, BLOCK]
        (elements: &[S], scales: &[B], of_tensor: f32, to: &mut [f32])
    );
    Ok(())
}

/// The scale of a block with this greatest magnitude.
#[inline(always)]
pub(super) fn scale_of<S: Quantized, B: BlockScale>(greatest: f32, scaling: Scaling) -> B {
    let scale = B::of_block(greatest / scaling.of_tensor, S::Element::FORMAT, scaling.rule);
    if scale.factor() == 0.0 && greatest > 0.0 { B::LEAST } else { scale }
}

/// Sets the scale of a block, and returns the divisor of its numbers.
#[inline(always)]
pub(super) fn set_scale<S: Quantized, B: BlockScale>(
    scale: &mut B,
    numbers: &[f32],
    scaling: Scaling,
) -> f32 {
    *scale = scale_of::<S, B>(f32::from_bits(greatest(numbers)), scaling);
    divisor_of(*scale, scaling)
}

/// The divisor of the numbers of a block with this scale.
#[inline(always)]
pub(super) fn divisor_of<B: BlockScale>(scale: B, scaling: Scaling) -> f32 {
    let divisor = scale.factor() * scaling.of_tensor;
    // If it is zero, every number rounds to zero.
    if divisor == 0.0 { f32::INFINITY } else { divisor }
}

#[inline(always)]
fn encode_blocks<S: Quantized, B: BlockScale, const BLOCK: usize>(
    from: &[f32],
    elements: &mut [S],
    scales: &mut [B],
    scaling: Scaling,
) {
    if const { !STEP.is_multiple_of(BLOCK) } {
        return encode_long(from, BLOCK, elements, scales, scaling);
    }
    let most = most_of(S::Element::FORMAT);
    let steps = from.chunks(STEP).zip(elements.chunks_mut(STEP / S::LANES));
    for ((from, elements), scales) in steps.zip(scales.chunks_mut(const { STEP / BLOCK })) {
        let mut scaled = ZEROS;
        scaled[..from.len()].copy_from_slice(from);
        for (block, scale) in scaled.chunks_exact_mut(BLOCK).zip(scales) {
            let divisor = set_scale::<S, B>(scale, block, scaling);
            for x in block {
                *x = (*x / divisor).clamp(-most, most);
            }
        }
        encode_step(&scaled, elements);
    }
}

#[inline(always)]
fn decode_blocks<S: Quantized, B: BlockScale, const BLOCK: usize>(
    elements: &[S],
    scales: &[B],
    of_tensor: f32,
    to: &mut [f32],
) {
    if const { !STEP.is_multiple_of(BLOCK) } {
        return decode_long(elements, BLOCK, scales, of_tensor, to);
    }
    let steps = to.chunks_mut(STEP).zip(elements.chunks(STEP / S::LANES));
    for ((to, elements), scales) in steps.zip(scales.chunks(const { STEP / BLOCK })) {
        let mut values = ZEROS;
        decode_step(elements, &mut values);
        let blocks = to.chunks_exact_mut(BLOCK).zip(values.chunks_exact(BLOCK));
        for ((to, values), scale) in blocks.zip(scales) {
            let factor = scale.factor() * of_tensor;
            for (to, value) in to.iter_mut().zip(values) {
                *to = value * factor;
            }
        }
    }
}

/// Like [`encode_blocks`], for blocks whose length does not divide a step.
#[inline(always)]
fn encode_long<S: Quantized, B: BlockScale>(
    from: &[f32],
    block: usize,
    elements: &mut [S],
    scales: &mut [B],
    scaling: Scaling,
) {
    let most = most_of(S::Element::FORMAT);
    let blocks = from.chunks_exact(block).zip(elements.chunks_exact_mut(block / S::LANES));
    for ((numbers, elements), scale) in blocks.zip(scales) {
        let divisor = set_scale::<S, B>(scale, numbers, scaling);
        for (numbers, elements) in numbers.chunks(STEP).zip(elements.chunks_mut(STEP / S::LANES)) {
            let mut scaled = ZEROS;
            for (scaled, x) in scaled.iter_mut().zip(numbers) {
                *scaled = (x / divisor).clamp(-most, most);
            }
            encode_step(&scaled, elements);
        }
    }
}

/// Like [`decode_blocks`], for blocks whose length does not divide a step.
#[inline(always)]
fn decode_long<S: Quantized, B: BlockScale>(
    elements: &[S],
    block: usize,
    scales: &[B],
    of_tensor: f32,
    to: &mut [f32],
) {
    let blocks = to.chunks_exact_mut(block).zip(elements.chunks_exact(block / S::LANES));
    for ((to, elements), scale) in blocks.zip(scales) {
        let factor = scale.factor() * of_tensor;
        for (to, elements) in to.chunks_mut(STEP).zip(elements.chunks(STEP / S::LANES)) {
            let mut values = ZEROS;
            decode_step(elements, &mut values);
            for (to, value) in to.iter_mut().zip(values) {
                *to = value * factor;
            }
        }
    }
}
