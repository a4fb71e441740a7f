//! Tests of the rules about declarations.
//!
//! Each test first determines without a branch whether its rule is broken, and then the values of
//! the message, which are not computed for callers that do not need them.

#![allow(clippy::needless_bitwise_bool)] // all of them are evaluated, without a jump for each
#![allow(clippy::inline_always)] // Inlined, unused values are not computed.

use crate::const_ord::{max, min};
use crate::map::{Direction, ElementType};
use crate::map::{Interleave, OobFill, Swizzle};
use crate::map::{Mode, Spec};
use crate::rule::{Arg, Args, NONE, int};

/// The maximum bytes of a tile that the driver was observed to accept.
const TILE_BYTES: u64 = 228 * 1024;

#[inline(always)]
const fn is_interleaved(spec: &Spec) -> bool {
    !matches!(spec.interleave, Interleave::None)
}

const fn is_gather(spec: &Spec) -> bool {
    matches!(spec.mode, Mode::Gather4 { .. } | Mode::Scatter4 { .. })
}

/// The value and the nearest valid one, if the rule applies and the value is out of range.
#[inline(always)]
const fn range_fault(
    applies: bool,
    value: u32,
    (least, most): (u32, u32),
) -> Option<Args<'static>> {
    if applies & ((value < least) | (value > most)) {
        let nearest = min(max(value as usize, least as usize), most as usize);
        return Some([int(value as u64), int(nearest as u64), NONE, NONE]);
    }
    None
}

#[inline(always)]
pub(super) const fn rank_out_of_range(spec: &Spec, _: usize) -> Option<Args<'static>> {
    let Some([rank, ..]) = range_fault(true, spec.rank, (1, 5)) else { return None };
    let (least, most) = if is_gather(spec) {
        (2, 2)
    } else if is_interleaved(spec) || spec.mode.is_im2col() {
        (3, 5)
    } else {
        (1, 5)
    };
    Some([rank, int(if spec.rank < least { least } else { most } as u64), NONE, NONE])
}

#[inline(always)]
pub(super) const fn interleave_rank(spec: &Spec, _: usize) -> Option<Args<'static>> {
    if is_interleaved(spec) & spec.has_rank() & (spec.rank < 3) {
        let fix = if is_gather(spec) {
            "leave the interleave out"
        } else {
            "use rank 3, or leave the interleave out"
        };
        return Some([int(spec.rank as u64), Arg::Str(fix), NONE, NONE]);
    }
    None
}

#[inline(always)]
pub(super) const fn im2col_rank(spec: &Spec, _: usize) -> Option<Args<'static>> {
    if spec.mode.is_im2col() & spec.has_rank() & (spec.rank < 3) {
        return Some([int(spec.rank as u64), Arg::Str(spec.mode.name()), NONE, NONE]);
    }
    None
}

pub(super) const fn gather_rank(spec: &Spec, _: usize) -> Option<Args<'static>> {
    if is_gather(spec) && spec.has_rank() && spec.rank != 2 {
        return Some([int(spec.rank as u64), Arg::Str(spec.mode.name()), NONE, NONE]);
    }
    None
}

/// The interleave and the mode, if the map is interleaved.
const fn interleave_and_mode(spec: &Spec) -> Option<Args<'static>> {
    if is_interleaved(spec) {
        let words = [Arg::Str(spec.interleave.name()), Arg::Str(spec.mode.name()), NONE, NONE];
        return Some(words);
    }
    None
}

pub(super) const fn gather_interleave(spec: &Spec, _: usize) -> Option<Args<'static>> {
    if is_gather(spec) { interleave_and_mode(spec) } else { None }
}

pub(super) const fn wide_interleave(spec: &Spec, _: usize) -> Option<Args<'static>> {
    if spec.mode.is_wide() { interleave_and_mode(spec) } else { None }
}

#[inline(always)]
pub(super) const fn element_too_new(spec: &Spec, _: usize) -> Option<Args<'static>> {
    if spec.element.is_sub_byte() {
        return Some([Arg::Str(spec.element.name()), NONE, NONE, NONE]);
    }
    None
}

#[inline(always)]
pub(super) const fn swizzle_too_new(spec: &Spec, _: usize) -> Option<Args<'static>> {
    if matches!(spec.swizzle.atom(), 32 | 64) {
        return Some([Arg::Str(spec.swizzle.name()), NONE, NONE, NONE]);
    }
    None
}

#[inline(always)]
pub(super) const fn swizzle_96_target(spec: &Spec, _: usize) -> Option<Args<'static>> {
    if !matches!(spec.swizzle, Swizzle::B96) {
        return None;
    }
    let row = spec.element.global_bytes(spec.mode.inner() as u64);
    let is_short = row <= 64 && !spec.element.is_padded();
    let other = if is_short { Swizzle::B64 } else { Swizzle::B128 };
    Some([Arg::Str(other.name()), NONE, NONE, NONE])
}

pub(super) const fn mode_too_new(spec: &Spec, _: usize) -> Option<Args<'static>> {
    let (Mode::Gather4 { .. }
    | Mode::Scatter4 { .. }
    | Mode::Im2colW { .. }
    | Mode::Im2colW128 { .. }) = spec.mode
    else {
        return None;
    };
    let instead = if spec.mode.is_wide() { "im2col" } else { "tile" };
    Some([Arg::Str(spec.mode.name()), Arg::Str(instead), NONE, NONE])
}

pub(super) const fn mode_outside_families(spec: &Spec, _: usize) -> Option<Args<'static>> {
    let instead = match spec.mode {
        Mode::Scatter4 { .. } => "tile",
        Mode::Im2colW128 { .. } => "im2col",
        Mode::Tiled { .. } | Mode::Gather4 { .. } | Mode::Im2col { .. } | Mode::Im2colW { .. } => {
            return None;
        }
    };
    Some([Arg::Str(spec.mode.name()), Arg::Str(instead), NONE, NONE])
}

/// A traversal stride that the rule applies to, and that is not 1 to 8.
#[inline(always)]
const fn stride_fault(spec: &Spec, i: usize, applies: bool) -> Option<Args<'static>> {
    range_fault(applies, spec.element_strides[i], (1, 8))
}

#[inline(always)]
pub(super) const fn element_stride_out_of_range(spec: &Spec, i: usize) -> Option<Args<'static>> {
    stride_fault(spec, i, (i > 0) | is_interleaved(spec))
}

#[inline(always)]
pub(super) const fn element_stride_0_out_of_range(spec: &Spec, i: usize) -> Option<Args<'static>> {
    stride_fault(spec, i, (i == 0) & !is_interleaved(spec))
}

pub(super) const fn element_stride_0_not_one(spec: &Spec, i: usize) -> Option<Args<'static>> {
    let stride = spec.element_strides[0];
    if i == 0 && !is_interleaved(spec) && stride != 1 {
        return Some([int(stride as u64), NONE, NONE, NONE]);
    }
    None
}

#[inline(always)]
pub(super) const fn box_out_of_range(spec: &Spec, i: usize) -> Option<Args<'static>> {
    let Some(extents) = spec.mode.box_dims() else { return None };
    let Some(mut args) = range_fault(true, extents[i], (1, 256)) else { return None };
    if i == 0 {
        args[1] = int(nearest_row(spec));
    }
    Some(args)
}

/// The number of elements of the nearest row that breaks no rule about rows: all of these rules
/// suggest the same one.
const fn nearest_row(spec: &Spec) -> u64 {
    if spec.element.is_padded() {
        return 128;
    }
    let bits = spec.element.bits() as usize;
    let span = if is_interleaved(spec) { 0 } else { spec.swizzle.span() as usize };
    let most = if span == 0 { MAX_ROW as usize } else { span * 8 / bits };
    let row = max(spec.mode.inner() as usize, 1);
    min(row.next_multiple_of(16 * 8 / bits), most) as u64
}

/// The most elements of a row. A row with more has a rule of its own, which advises a number that breaks no other.
pub(super) const MAX_ROW: u32 = 256;

/// Whether a row goes past the span of its swizzle.
#[inline(always)]
const fn is_row_over_span(spec: &Spec) -> bool {
    let (row, span) = (spec.mode.inner() as u64, spec.swizzle.span() as u64);
    let is_over = row * spec.element.bits() as u64 > span * 8;
    (row <= MAX_ROW as u64) & (span != 0) & !is_interleaved(spec) & is_over
}

/// A row that the rule applies to and that is not a multiple of 16 bytes, unless it is too long, which another rule
/// reports.
#[inline(always)]
const fn row_fault(spec: &Spec, i: usize, applies: bool) -> Option<Args<'static>> {
    let (row, bits) = (spec.mode.inner() as u64, spec.element.bits() as u64);
    let is_short = (row <= MAX_ROW as u64) & !is_row_over_span(spec);
    // Rows of padded types have their own rules; the bits of the other types are powers of two.
    if applies & is_short & (i == 0) & !spec.element.is_padded() & (row * bits % 128 != 0) {
        let nearest = int(nearest_row(spec));
        let elements = Arg::Size(row, if row == 1 { "element" } else { "elements" });
        return Some([elements, size(spec.element), total(spec.element, row), nearest]);
    }
    None
}

/// The size of an element, as text.
const fn size(element: ElementType) -> Arg<'static> {
    Arg::Str(match element.bits() {
        4 => "4 bits",
        6 => "6 bits",
        8 => "1 byte",
        16 => "2 bytes",
        32 => "4 bytes",
        _ => "8 bytes",
    })
}

/// The size of this many elements, in bits if that is not a whole number of bytes.
const fn total(element: ElementType, count: u64) -> Arg<'static> {
    let bits = count.saturating_mul(element.bits() as u64);
    if bits.is_multiple_of(8) { Arg::Size(bits / 8, "bytes") } else { Arg::Size(bits, "bits") }
}

#[inline(always)]
pub(super) const fn row_not_of_16_bytes(spec: &Spec, i: usize) -> Option<Args<'static>> {
    row_fault(spec, i, !is_interleaved(spec))
}

#[inline(always)]
pub(super) const fn interleaved_row_not_of_16_bytes(
    spec: &Spec,
    i: usize,
) -> Option<Args<'static>> {
    row_fault(spec, i, is_interleaved(spec))
}

#[inline(always)]
pub(super) const fn row_over_span(spec: &Spec, i: usize) -> Option<Args<'static>> {
    if (i == 0) & is_row_over_span(spec) {
        let row = spec.mode.inner() as u64;
        let bytes = spec.element.global_bytes(row);
        let nearest = nearest_row(spec) as i128;
        let most = Swizzle::B128.span();
        let is_whole = bytes.is_multiple_of(16);
        let fix = if spec.element.is_padded() && bytes <= most as u64 {
            // For padded types the swizzle is wrong, not the row.
            Arg::Str("use the swizzle `B128`")
        } else if spec.element.is_padded() && spec.swizzle.span() < most {
            Arg::Worded("write # and the swizzle `B128`", nearest)
        } else if !spec.element.is_padded() && is_whole && bytes <= most as u64 {
            Arg::Worded("write #, or use the swizzle `B128`", nearest)
        } else if !spec.element.is_padded() && is_whole && !spec.mode.is_wide() {
            Arg::Worded("write #, or leave `swizzle` out", nearest)
        } else {
            Arg::Worded("write #", nearest)
        };
        return Some([int(row), Arg::Bytes(bytes), span(spec.swizzle), fix]);
    }
    None
}

/// What a row holds with a swizzle, in words.
const fn span(swizzle: Swizzle) -> Arg<'static> {
    Arg::Str(match swizzle {
        Swizzle::None => "",
        Swizzle::B32 => "with the swizzle `B32` a row holds at most 32 bytes",
        Swizzle::B64 => "with the swizzle `B64` a row holds at most 64 bytes",
        Swizzle::B96 => "with the swizzle `B96` a row holds at most 96 bytes",
        Swizzle::B128 => "with the swizzle `B128` a row holds at most 128 bytes",
        Swizzle::B128Atom32 => "with the swizzle `B128Atom32` a row holds at most 128 bytes",
        Swizzle::B128Atom32Flip8 => {
            "with the swizzle `B128Atom32Flip8` a row holds at most 128 bytes"
        }
        Swizzle::B128Atom64 => "with the swizzle `B128Atom64` a row holds at most 128 bytes",
    })
}

#[inline(always)]
pub(super) const fn tile_over_shared_memory(spec: &Spec, _: usize) -> Option<Args<'static>> {
    let bytes = spec.driver_tile_bytes();
    if bytes > TILE_BYTES {
        return Some([Arg::Bytes(bytes), Arg::Bytes(TILE_BYTES), NONE, NONE]);
    }
    None
}

#[allow(clippy::unnecessary_wraps)] // All tests of the table have this signature.
pub(super) const fn target_too_old(spec: &Spec, _: usize) -> Option<Args<'static>> {
    Some([Arg::Str(spec.mode.name()), NONE, NONE, NONE])
}

#[inline(always)]
pub(super) const fn channels_out_of_range(spec: &Spec, _: usize) -> Option<Args<'static>> {
    let fault = range_fault(spec.mode.is_im2col(), spec.mode.inner(), (1, 256));
    let Some([channels, ..]) = fault else { return None };
    Some([channels, int(nearest_row(spec)), NONE, NONE])
}

/// A number of pixels that is not 1 to 1024.
#[inline(always)]
const fn pixels_fault(spec: &Spec) -> Option<Args<'static>> {
    let Some(pixels) = spec.mode.pixels_per_column() else { return None };
    range_fault(true, pixels, (1, 1024))
}

#[inline(always)]
pub(super) const fn pixels_out_of_range(spec: &Spec, _: usize) -> Option<Args<'static>> {
    if matches!(spec.mode, Mode::Im2colW128 { .. }) { None } else { pixels_fault(spec) }
}

#[inline(always)]
pub(super) const fn ignored_pixels_out_of_range(spec: &Spec, _: usize) -> Option<Args<'static>> {
    if matches!(spec.mode, Mode::Im2colW128 { .. }) { pixels_fault(spec) } else { None }
}

/// Whether a corner does not fit in this many bits, in a form that allows several corners to be
/// tested together.
#[inline(always)]
const fn is_beyond(corner: i32, bits: u32) -> bool {
    let half = 1_u32 << (bits - 1);
    corner.cast_unsigned().wrapping_add(half) & (half + half).wrapping_neg() != 0
}

#[inline(always)]
const fn corner_range(bits: u32) -> (i64, i64) {
    let half = 1_i64 << (bits - 1);
    (-half, half - 1)
}

/// The values of a message about a corner that does not fit in this many bits.
#[inline(always)]
const fn corner_fault(spec: &Spec, corner: i32, bits: u32) -> Args<'static> {
    let (least, most) = corner_range(bits);
    [
        Arg::Int(corner as i128),
        Arg::Int(least as i128),
        Arg::Int(most as i128),
        Arg::Int(spec.rank as i128),
    ]
}

/// The fault of a corner according to the documents: in the wide modes, corners have 16 bits.
#[inline(always)]
const fn documented_corner(spec: &Spec, corner: i32) -> Option<Args<'static>> {
    let bits = if spec.mode.is_wide() { 16 } else { spec.corner_bits() };
    if spec.mode.is_im2col() & is_beyond(corner, bits) {
        return Some(corner_fault(spec, corner, bits));
    }
    None
}

/// The fault of a corner of a wide mode that only the driver reports.
#[inline(always)]
const fn wide_corner(spec: &Spec, corner: i32, i: usize) -> Option<Args<'static>> {
    let bits = spec.corner_bits();
    if spec.mode.is_wide() & (i == 0) & !is_beyond(corner, 16) & is_beyond(corner, bits) {
        return Some(corner_fault(spec, corner, bits));
    }
    None
}

#[inline(always)]
pub(super) const fn lower_out_of_range(spec: &Spec, i: usize) -> Option<Args<'static>> {
    documented_corner(spec, spec.mode.corners().0[i])
}

#[inline(always)]
pub(super) const fn upper_out_of_range(spec: &Spec, i: usize) -> Option<Args<'static>> {
    documented_corner(spec, spec.mode.corners().1[i])
}

#[inline(always)]
pub(super) const fn wide_lower_out_of_range(spec: &Spec, i: usize) -> Option<Args<'static>> {
    wide_corner(spec, spec.mode.corners().0[i], i)
}

#[inline(always)]
pub(super) const fn wide_upper_out_of_range(spec: &Spec, i: usize) -> Option<Args<'static>> {
    wide_corner(spec, spec.mode.corners().1[i], i)
}

/// The swizzle and the mode.
const fn swizzle_and_mode(spec: &Spec) -> Args<'static> {
    [Arg::Str(spec.swizzle.name()), Arg::Str(spec.mode.name()), NONE, NONE]
}

pub(super) const fn wide_swizzle(spec: &Spec, _: usize) -> Option<Args<'static>> {
    if spec.mode.is_wide() && matches!(spec.swizzle, Swizzle::None | Swizzle::B128Atom32Flip8) {
        return Some(swizzle_and_mode(spec));
    }
    None
}

pub(super) const fn wide_swizzle_of_manual(spec: &Spec, _: usize) -> Option<Args<'static>> {
    if spec.mode.is_wide()
        && matches!(spec.swizzle, Swizzle::B32 | Swizzle::B128Atom64 | Swizzle::B96)
    {
        return Some(swizzle_and_mode(spec));
    }
    None
}

pub(super) const fn interleave_32_swizzle(spec: &Spec, _: usize) -> Option<Args<'static>> {
    if matches!(spec.interleave, Interleave::B32) && !matches!(spec.swizzle, Swizzle::B32) {
        let is_alone = spec.mode.is_wide() || spec.element.is_padded();
        let fix = if is_alone { "leave the interleave out" } else { "write `B32`" };
        return Some([Arg::Str(spec.swizzle.name()), Arg::Str(fix), NONE, NONE]);
    }
    None
}

pub(super) const fn interleave_96(spec: &Spec, _: usize) -> Option<Args<'static>> {
    if matches!(spec.swizzle, Swizzle::B96) { interleave_and_mode(spec) } else { None }
}

#[inline(always)]
pub(super) const fn nan_fill_of_integers(spec: &Spec, _: usize) -> Option<Args<'static>> {
    if matches!(spec.oob_fill, OobFill::Nan) & !spec.element.is_float() {
        return Some([Arg::Str(spec.element.name()), NONE, NONE, NONE]);
    }
    None
}

pub(super) const fn flip_stored(spec: &Spec, _: usize) -> Option<Args<'static>> {
    if matches!((spec.mode, spec.swizzle), (Mode::Scatter4 { .. }, Swizzle::B128Atom32Flip8)) {
        return Some([Arg::Str(spec.mode.name()), NONE, NONE, NONE]);
    }
    None
}

pub(super) const fn element_direction(spec: &Spec, _: usize) -> Option<Args<'static>> {
    let (done, instead) = match (spec.element.direction(), spec.mode) {
        (Direction::Load, Mode::Scatter4 { .. }) => {
            let four = matches!(spec.element, ElementType::B4x16P64);
            ("loaded", if four { "write `b4x16`" } else { "write `b6p2x16`" })
        }
        (Direction::Store, Mode::Gather4 { .. }) => (
            "stored",
            if matches!(spec.swizzle, Swizzle::B64 | Swizzle::B96 | Swizzle::B128Atom64) {
                "write `b6x16_p32` and the swizzle `B128`"
            } else {
                "write `b6x16_p32`"
            },
        ),
        (Direction::Both | Direction::Load | Direction::Store, _) => return None,
    };
    let (element, mode) = (Arg::Str(spec.element.name()), Arg::Str(spec.mode.name()));
    Some([element, Arg::Str(done), mode, Arg::Str(instead)])
}
