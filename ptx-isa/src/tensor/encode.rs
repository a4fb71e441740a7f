//! Encoding of descriptors without a driver.

use super::bits;
use super::error::MapError;
use super::fitted::Fitted;
use crate::map::{MAX_RANK, Mode, Spec, Tensor};
use crate::map::{OobFill, Swizzle};
use crate::target::Target;

/// Evaluates an expression separately for each kind of mode: in `$of`, a copy of `$spec`, the
/// compiler knows the mode, and tests it once instead of for each number that depends on it. Modes
/// with the same fields share a branch, because a branch between them would be mispredicted.
macro_rules! by_mode {
    ($spec:ident, $of:ident => $body:expr) => {{
        match $spec.mode {
            Mode::Tiled { box_dims } => {
                let $of = &Spec { mode: Mode::Tiled { box_dims }, ..*$spec };
                $body
            }
            Mode::Gather4 { row } | Mode::Scatter4 { row } => {
                let mode = if matches!($spec.mode, Mode::Gather4 { .. }) {
                    Mode::Gather4 { row }
                } else {
                    Mode::Scatter4 { row }
                };
                let $of = &Spec { mode, ..*$spec };
                $body
            }
            Mode::Im2col { lower, upper, channels_per_pixel, pixels_per_column } => {
                let mode = Mode::Im2col { lower, upper, channels_per_pixel, pixels_per_column };
                let $of = &Spec { mode, ..*$spec };
                $body
            }
            Mode::Im2colW { lower, upper, channels_per_pixel, pixels_per_column }
            | Mode::Im2colW128 { lower, upper, channels_per_pixel, pixels_per_column } => {
                let mode = if matches!($spec.mode, Mode::Im2colW { .. }) {
                    Mode::Im2colW { lower, upper, channels_per_pixel, pixels_per_column }
                } else {
                    Mode::Im2colW128 { lower, upper, channels_per_pixel, pixels_per_column }
                };
                let $of = &Spec { mode, ..*$spec };
                $body
            }
        }
    }};
}

/// The descriptor that the driver (API 13.0) was observed to write for this target, byte for byte: as bytes, or as a type
/// that is made of them.
///
/// The layout is observed, not published, and only on `sm_90` (`sm_90a` is the same GPU): for other
/// targets the driver has to encode the map. Every map that the driver accepts is encoded, even if
/// a document forbids it; [`Spec::check_tensor`] checks both.
///
/// # Errors
/// Every rule that the map breaks, if the driver refuses it, or if the tensor has more dimensions
/// than the map, which the driver's call cannot express; for other targets every documented rule
/// that it breaks, or [`MapError::Layout`] if it breaks none.
#[doc(alias("cuTensorMapEncodeTiled", "cuTensorMapEncodeIm2col", "CUtensorMap"))]
pub fn encode<D: From<[u8; 128]>>(
    spec: &Spec,
    tensor: &Tensor,
    target: Target,
) -> Result<D, MapError> {
    if spec.has_rank() && is_known(target) {
        by_mode!(spec, of => {
            let fitted = Fitted::new(of, tensor);
            if fitted.is_whole
                && !fitted.spec.is_refused(&fitted.tensor, TARGET)
                && let Some(descriptor) = write(&fitted, fitted.spec.driver_tile_bytes())
            {
                return Ok(descriptor.into());
            }
        });
    }
    encode_slowly(spec, tensor, target).map(D::from)
}

/// The target that descriptors are encoded for.
const TARGET: Option<Target> = Some(Target::Sm90a);

/// Whether descriptors of this target have been observed.
const fn is_known(target: Target) -> bool {
    matches!(target, Target::Sm90 | Target::Sm90a)
}

/// Like [`encode`], for a map that fails the combined check: every rule is checked separately. With
/// `inline`, the macro, which encodes nothing, is not compiled with it.
#[cold]
#[inline]
fn encode_slowly(spec: &Spec, tensor: &Tensor, target: Target) -> Result<[u8; 128], MapError> {
    let verdict = spec.check_tensor(tensor, Some(target));
    let is_known = is_known(target);
    if !is_known && verdict.is_clean() {
        return Err(MapError::Layout(target));
    }
    if !is_known || !verdict.is_accepted() || tensor.rank() > spec.rank {
        return Err(MapError::Rules(verdict));
    }
    encode_unchecked(spec, tensor).ok_or(MapError::Rules(verdict))
}

/// Like [`encode`], without checks: numbers that do not fit their fields are truncated. `None` if
/// descriptors of `sm_90` have no bits for the map: sub-byte elements, the 96-byte swizzle and
/// those that keep more than 16 bytes together.
#[inline]
pub const fn encode_unchecked(spec: &Spec, tensor: &Tensor) -> Option<[u8; 128]> {
    by_mode!(spec, of => {
        write(&Fitted::new(of, tensor), bits::TILE_BYTES.cut(of.driver_tile_bytes()))
    })
}

/// Writes every field of every rank: a branch for each dimension would cost more.
#[inline(always)]
#[allow(clippy::inline_always)] // The caller knows the mode.
const fn write(map: &Fitted, tile_bytes: u64) -> Option<[u8; 128]> {
    let Fitted { spec, tensor, .. } = map;
    let Some((format, is_tf32)) = bits::format(spec.element) else { return None };
    // The other swizzles of these widths keep more bytes together, and `replace_mode` does not
    // distinguish them.
    if !matches!(spec.swizzle, Swizzle::None | Swizzle::B32 | Swizzle::B64 | Swizzle::B128) {
        return None;
    }
    let mut words = [0; 32];
    bits::ADDRESS.put(&mut words, tensor.address);
    bits::IM2COL.put(&mut words, spec.mode.is_im2col() as u64);
    bits::RANK.put(&mut words, spec.dimensions() as u64 - 1);
    bits::FORMAT.put(&mut words, format);
    bits::INTERLEAVE.put(&mut words, spec.interleave.driver() as u64);
    bits::SWIZZLE.put(&mut words, spec.swizzle.replace_mode() as u64);
    bits::NAN.put(&mut words, matches!(spec.oob_fill, OobFill::Nan) as u64);
    bits::TF32.put(&mut words, is_tf32 as u64);
    bits::PROMOTION.put(&mut words, spec.l2_promotion.driver() as u64);
    let mut i = 0;
    while i < MAX_RANK {
        bits::DIMS[i].put(&mut words, tensor.dims[i] - 1);
        bits::ELEMENT_STRIDES[i].put(&mut words, less_one(spec.element_strides[i]));
        i += 1;
    }
    i = 0;
    while i < bits::STRIDES.len() {
        let (low, high) = bits::STRIDES[i];
        low.put(&mut words, low.cut(tensor.strides[i] >> 4));
        high.put(&mut words, tensor.strides[i] >> 36);
        i += 1;
    }
    match spec.mode.box_dims() {
        Some(box_dims) => {
            i = 0;
            while i < MAX_RANK {
                bits::BOXES[i].put(&mut words, less_one(box_dims[i]));
                i += 1;
            }
        }
        None => {
            let (lower, upper) = spec.mode.corners();
            bits::CHANNELS.put(&mut words, less_one(spec.mode.inner()));
            bits::LOWER.put(&mut words, pack_corners(spec, lower));
            bits::UPPER.put(&mut words, pack_corners(spec, upper));
            if let Some(pixels) = spec.mode.pixels_per_column() {
                bits::PIXELS.put(&mut words, less_one(pixels));
            }
        }
    }
    bits::TILE_BYTES.put(&mut words, tile_bytes);
    bits::ALIGNMENT.put(&mut words, ALIGNMENTS[spec.swizzle as usize]);
    Some(bits::to_bytes(&words))
}

/// The alignment field for each swizzle: the bytes after which its pattern repeats, and at least
/// 16.
const ALIGNMENTS: [u64; Swizzle::ALL.len()] = {
    let mut alignments = [16; Swizzle::ALL.len()];
    let mut i = 0;
    while i < alignments.len() {
        let repeat = Swizzle::ALL[i].repeat() as u64;
        if repeat > 16 {
            alignments[Swizzle::ALL[i] as usize] = repeat;
        }
        i += 1;
    }
    alignments
};

/// A number as it is stored, minus one.
#[inline]
const fn less_one(value: u32) -> u64 {
    value as u64 - 1
}

/// The corners packed in order, W lowest, each with as many bits as the rank leaves it.
#[inline]
const fn pack_corners(spec: &Spec, corners: [i32; 3]) -> u64 {
    let bits = spec.corner_bits();
    let (mut packed, mut i) = (0, 0);
    while i < corners.len() {
        let corner = corners[i].cast_unsigned() as u64 & ((1 << bits) - 1);
        packed |= corner << (bits as usize * i);
        i += 1;
    }
    packed
}
