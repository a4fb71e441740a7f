//! Blocks of numbers that share a scale: the MX formats and NVFP4.

// A function is compiled anew for each set of instructions that it is inlined into.
#![allow(clippy::inline_always)]

use super::slice::{
    LengthMismatch, Quantized, STEP, decode_step, encode_step, multiversion, same_length,
};
use super::small_float::SmallFloat;

/// A type of the scales of blocks.
pub trait BlockScale: SmallFloat {
    /// The scale of a block whose greatest magnitude is `greatest`, for elements up to `most`:
    /// their quotient, in the conversion that [`CVT`](SmallFloat::CVT) is.
    fn of_block(greatest: f32, most: f32) -> Self {
        Self::convert(greatest / most, Self::CVT)
    }
}

macro_rules! scales {
    ($($(#[$_type:meta])* $F:ident($_Bits:ident) {
        cvt: $_modifiers:literal = $_cvt:expr,
        with: [$($word:ident)*],
        $($_rest:tt)*
    })*) => {
        $($(scales!(@ $word $F);)*)*
    };
    (@ scale $F:ident) => {
        impl BlockScale for super::types::$F {}
    };
    (@ $_other:ident $F:ident) => {};
}

crate::__small_floats!(scales);

/// Converts `from` in blocks of `BLOCK` numbers, each with a scale of its own: a number is about its
/// element times the scale of its block. MX has blocks of 32 with [`Ue8m0`](super::Ue8m0), NVFP4 blocks of 16
/// [`E2M1`](super::E2M1) with [`Ue4m3`](super::Ue4m3).
///
/// The scale is the greatest magnitude of the block divided by the greatest element, converted as
/// its type's [`CVT`](SmallFloat::CVT) says: a power of two is rounded up, so that no element
/// saturates. A block that is not all zero has a scale above zero. An element is the number divided by
/// that scale, in `f32`, converted likewise; what is too large for the element then is the greatest. A
/// NaN makes the scale of its block a NaN, and an infinity makes it the greatest scale, so that all other
/// elements of the block become zero: [`count_special`](super::count_special) counts both beforehand.
///
/// The scales have the range of their type: of [`E4M3`](super::E4M3) and [`Ue4m3`](super::Ue4m3), from 2^-9 to 448. Numbers beyond
/// are divided by a scale of the whole tensor first, which is the caller's.
///
/// ```
/// use ptx_types::float::quantize_blocks;
/// use ptx_types::{E2M1x2, Ue8m0};
///
/// let mut elements = [E2M1x2::default(); 16];
/// let mut scales = [Ue8m0::ONE; 1];
/// quantize_blocks::<_, _, 32>(&[12.0; 32], &mut elements, &mut scales)?;
/// assert_eq!(scales[0].to_f32(), 2.0);
/// assert_eq!(elements[0].lanes().map(|lane| lane.to_f32()), [6.0, 6.0]);
/// # Ok::<(), ptx_types::float::LengthMismatch>(())
/// ```
///
/// # Errors
/// Unless `from` holds whole blocks, and `elements` has room for exactly as many numbers, and `scales` for a scale
/// of each block.
pub fn quantize_blocks<S: Quantized, B: BlockScale, const BLOCK: usize>(
    from: &[f32],
    elements: &mut [S],
    scales: &mut [B],
) -> Result<(), LengthMismatch> {
    const { assert_block(BLOCK, S::LANES) };
    whole_blocks(from.len(), BLOCK)?;
    same_length("slice of elements", elements.len() * S::LANES, from.len())?;
    same_length("slice of scales", scales.len(), from.len() / BLOCK)?;
    multiversion!(
        [S: Quantized, B: BlockScale, const BLOCK: usize] encode_blocks [S, B, BLOCK]
        (from: &[f32], elements: &mut [S], scales: &mut [B])
    )
}

/// Each element times the scale of its block, rounded to `f32` once: what is beyond `f32`, as 6 times
/// 2^127 is, becomes an infinity, and a scale that is a NaN makes its block NaNs.
///
/// # Errors
/// Unless `to` has room for exactly as many numbers as there are elements, in whole blocks with a
/// scale each.
pub fn dequantize_blocks<S: Quantized, B: BlockScale, const BLOCK: usize>(
    elements: &[S],
    scales: &[B],
    to: &mut [f32],
) -> Result<(), LengthMismatch> {
    const { assert_block(BLOCK, S::LANES) };
    let numbers = elements.len() * S::LANES;
    whole_blocks(numbers, BLOCK)?;
    same_length("slice of scales", scales.len(), numbers / BLOCK)?;
    same_length("destination", to.len(), numbers)?;
    multiversion!(
        [S: Quantized, B: BlockScale, const BLOCK: usize] decode_blocks [S, B, BLOCK]
        (elements: &[S], scales: &[B], to: &mut [f32])
    )
}

const fn assert_block(block: usize, lanes: usize) {
    assert!(
        block > 0 && STEP.is_multiple_of(block) && block.is_multiple_of(lanes),
        "a block has 4, 8, 16, 32 or 64 numbers; MX has 32 and NVFP4 16"
    );
}

/// So many numbers are whole blocks.
fn whole_blocks(numbers: usize, block: usize) -> Result<(), LengthMismatch> {
    match numbers % block {
        0 => Ok(()),
        last => same_length("last block", last, block),
    }
}

#[inline(always)]
fn encode_blocks<S: Quantized, B: BlockScale, const BLOCK: usize>(
    from: &[f32],
    elements: &mut [S],
    scales: &mut [B],
) {
    let most =
        S::Element::FORMAT.decode_f32(S::Element::FORMAT.max() << S::Element::FORMAT.padding);
    let steps = from.chunks(STEP).zip(elements.chunks_mut(STEP / S::LANES));
    for ((from, elements), scales) in steps.zip(scales.chunks_mut(STEP / BLOCK)) {
        let mut scaled = [0.0; STEP];
        scaled[..from.len()].copy_from_slice(from);
        for (block, scale) in scaled.chunks_exact_mut(BLOCK).zip(scales) {
            // Of magnitudes, the greatest bits are the greatest number, and a NaN is greater still.
            let greatest = block.iter().fold(0, |most, x| (x.to_bits() & 0x7fff_ffff).max(most));
            *scale = B::of_block(f32::from_bits(greatest), most);
            if scale.value() == 0.0 {
                // The least number above zero; of zeros, as good as any.
                *scale = B::from_storage((greatest > 0).into());
            }
            let divisor = if scale.value() == 0.0 { 1.0 } else { scale.value() };
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
    to: &mut [f32],
) {
    let steps = to.chunks_mut(STEP).zip(elements.chunks(STEP / S::LANES));
    for ((to, elements), scales) in steps.zip(scales.chunks(STEP / BLOCK)) {
        let mut values = [0.0; STEP];
        decode_step(elements, &mut values);
        let blocks = to.chunks_exact_mut(BLOCK).zip(values.chunks_exact(BLOCK));
        for ((to, values), scale) in blocks.zip(scales) {
            let scale = scale.value();
            for (to, value) in to.iter_mut().zip(values) {
                *to = value * scale;
            }
        }
    }
}
