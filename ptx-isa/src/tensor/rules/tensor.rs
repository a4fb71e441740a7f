//! Tests of the rules about tensors.
//!
//! Each test first determines without a branch whether its rule is broken, and then the values of
//! the message, which are not computed for callers that do not need them.

#![allow(clippy::needless_bitwise_bool)] // all of them are evaluated, without a jump for each
#![allow(clippy::inline_always)] // Inlined, unused values are not computed.

use crate::map::ElementType;
use crate::map::Interleave;
use crate::map::{Spec, Tensor, row_bytes};
use crate::rule::{Arg, Args, NONE, int};

/// The maximum number of elements of a dimension.
const MAX_DIM: u64 = 1 << 32;
/// The first stride that is too large.
const STRIDE_LIMIT: u64 = 1 << 40;
/// The first address that the driver was observed to refuse for its size.
const ADDRESS_LIMIT: u64 = 1 << 57;

#[inline(always)]
const fn is_interleave_32(spec: &Spec) -> bool {
    matches!(spec.interleave, Interleave::B32)
}

/// Whether a number is a multiple of 16, and not of 32.
#[inline(always)]
const fn is_off_32(number: u64) -> bool {
    number % 32 == 16
}

/// What addresses and strides have to be multiples of, in bytes.
const fn multiple(spec: &Spec) -> u64 {
    if is_interleave_32(spec) || spec.element.is_padded() { 32 } else { 16 }
}

/// The values of a message about an address that is not such a multiple: it, and its neighbours.
#[inline(always)]
const fn address_fault(spec: &Spec, address: u64, multiple: u64) -> Args<'static> {
    let below = address - address % multiple;
    let element = Arg::Str(spec.element.name());
    let above = Arg::Address(below.saturating_add(multiple));
    [Arg::Address(address), Arg::Address(below), above, element]
}

#[inline(always)]
pub(super) const fn address_alignment(
    spec: &Spec,
    tensor: &Tensor,
    _: usize,
) -> Option<Args<'static>> {
    if tensor.address.is_multiple_of(16) {
        return None;
    }
    Some(address_fault(spec, tensor.address, multiple(spec)))
}

#[inline(always)]
pub(super) const fn address_too_large(
    _: &Spec,
    tensor: &Tensor,
    _: usize,
) -> Option<Args<'static>> {
    if tensor.address < ADDRESS_LIMIT {
        return None;
    }
    Some([Arg::Address(tensor.address), Arg::Address(ADDRESS_LIMIT), NONE, NONE])
}

#[inline(always)]
pub(super) const fn interleaved_address_alignment(
    spec: &Spec,
    tensor: &Tensor,
    _: usize,
) -> Option<Args<'static>> {
    if is_interleave_32(spec) & is_off_32(tensor.address) {
        return Some(address_fault(spec, tensor.address, 32));
    }
    None
}

pub(super) const fn padded_address_alignment(
    spec: &Spec,
    tensor: &Tensor,
    _: usize,
) -> Option<Args<'static>> {
    if spec.element.is_padded() & !is_interleave_32(spec) & is_off_32(tensor.address) {
        return Some(address_fault(spec, tensor.address, 32));
    }
    None
}

#[inline(always)]
pub(super) const fn dim_out_of_range(
    spec: &Spec,
    tensor: &Tensor,
    i: usize,
) -> Option<Args<'static>> {
    let dim = tensor.dims[i];
    if (dim == 0) | (dim > MAX_DIM) {
        let least = if i == 0 { unit(spec) } else { 1 };
        let nearest = if dim == 0 { least } else { MAX_DIM };
        return Some([int(dim), int(nearest), NONE, NONE]);
    }
    None
}

/// What a row of a tensor is a multiple of, in elements.
const fn unit(spec: &Spec) -> u64 {
    if spec.element.is_padded() {
        128
    } else if matches!(spec.element, ElementType::B4x16) {
        2
    } else {
        1
    }
}

pub(super) const fn padded_dim(spec: &Spec, tensor: &Tensor, i: usize) -> Option<Args<'static>> {
    let (multiple, dim) = (unit(spec), tensor.dims[0]);
    if i != 0 || dim.is_multiple_of(multiple) {
        return None;
    }
    let next = int((dim - dim % multiple).saturating_add(multiple));
    Some([int(dim), Arg::Str(spec.element.name()), int(multiple), next])
}

/// The values of a message about a misaligned stride: the stride, and the next aligned one.
#[inline(always)]
const fn stride_fault(spec: &Spec, stride: u64, multiple: u64) -> Args<'static> {
    let next = (stride - stride % multiple).saturating_add(multiple);
    [Arg::Bytes(stride), int(next), Arg::Str(spec.element.name()), NONE]
}

#[inline(always)]
pub(super) const fn stride_alignment(
    spec: &Spec,
    tensor: &Tensor,
    i: usize,
) -> Option<Args<'static>> {
    let stride = tensor.strides[i];
    if !stride.is_multiple_of(16) {
        return Some(stride_fault(spec, stride, multiple(spec)));
    }
    None
}

#[inline(always)]
pub(super) const fn stride_too_large(
    spec: &Spec,
    tensor: &Tensor,
    i: usize,
) -> Option<Args<'static>> {
    if tensor.strides[i] >= STRIDE_LIMIT {
        return Some([
            Arg::Bytes(tensor.strides[i]),
            Arg::Bytes(STRIDE_LIMIT - multiple(spec)),
            NONE,
            NONE,
        ]);
    }
    None
}

#[inline(always)]
pub(super) const fn interleaved_stride_alignment(
    spec: &Spec,
    tensor: &Tensor,
    i: usize,
) -> Option<Args<'static>> {
    let stride = tensor.strides[i];
    if is_interleave_32(spec) & is_off_32(stride) {
        return Some(stride_fault(spec, stride, 32));
    }
    None
}

pub(super) const fn padded_stride_alignment(
    spec: &Spec,
    tensor: &Tensor,
    i: usize,
) -> Option<Args<'static>> {
    let stride = tensor.strides[i];
    let applies = spec.element.is_padded() & !is_interleave_32(spec);
    if applies & is_off_32(stride) {
        return Some(stride_fault(spec, stride, 32));
    }
    None
}

pub(super) const fn stride_too_short(
    spec: &Spec,
    tensor: &Tensor,
    i: usize,
) -> Option<Args<'static>> {
    let least = if i == 0 {
        row_bytes(spec.element, spec.interleave, tensor.dims[0])
    } else {
        tensor.strides[i - 1].saturating_mul(tensor.dims[i])
    };
    if tensor.strides[i] >= least {
        return None;
    }
    let enough = match least.checked_next_multiple_of(multiple(spec)) {
        Some(enough) => enough,
        None => u64::MAX,
    };
    Some([Arg::Bytes(tensor.strides[i]), int(i as u64), Arg::Bytes(least), Arg::Bytes(enough)])
}

/// The corners of a spatial dimension; arbitrary ones for any other dimension.
#[inline(always)]
const fn corners_of(spec: &Spec, spatial: usize) -> (i32, i32) {
    let (lower, upper) = spec.mode.corners();
    (lower[spatial % lower.len()], upper[spatial % upper.len()])
}

/// The number of elements of a dimension that the corners of spatial dimension `spatial` leave.
#[inline(always)]
const fn window(spec: &Spec, dim: u64, spatial: usize) -> i64 {
    let (lower, upper) = corners_of(spec, spatial);
    (upper as i64 - lower as i64).saturating_add_unsigned(dim)
}

/// The values of a message about a dimension where the corners of spatial dimension `spatial` leave
/// nothing.
#[inline(always)]
const fn window_fault(spec: &Spec, dim: u64, spatial: usize) -> Args<'static> {
    let (lower, upper) = corners_of(spec, spatial);
    let left = window(spec, dim, spatial);
    let int = [dim as i128, lower as i128, upper as i128, left as i128];
    [Arg::Int(int[0]), Arg::Int(int[1]), Arg::Int(int[2]), Arg::Int(int[3])]
}

/// The end of the box that the corners of spatial dimension `spatial` leave of a dimension, as the
/// driver computes it: in signed 32-bit numbers, which wrap.
#[inline(always)]
#[allow(clippy::cast_possible_truncation)] // The driver does the same.
const fn driver_end(spec: &Spec, dim: u64, spatial: usize) -> i32 {
    (dim as i32).wrapping_add(corners_of(spec, spatial).1)
}

/// Whether that box has no pixels for the driver.
#[inline(always)]
const fn is_empty_to_driver(spec: &Spec, dim: u64, spatial: usize) -> bool {
    driver_end(spec, dim, spatial) <= corners_of(spec, spatial).0
}

/// Whether the mode has corners and `i` is a spatial dimension of the tensor; 0 is not one, and
/// wraps.
#[inline(always)]
const fn is_spatial(spec: &Spec, i: usize) -> bool {
    spec.mode.is_im2col() & (i.wrapping_sub(1) < spec.spatial())
}

#[inline(always)]
const fn is_interleaved(spec: &Spec) -> bool {
    !matches!(spec.interleave, Interleave::None)
}

#[inline(always)]
pub(super) const fn corners_empty(spec: &Spec, tensor: &Tensor, i: usize) -> Option<Args<'static>> {
    let (dim, spatial) = (tensor.dims[i], i.wrapping_sub(1));
    if is_spatial(spec, i) & !is_interleaved(spec) & (window(spec, dim, spatial) < 1) {
        return Some(window_fault(spec, dim, spatial));
    }
    None
}

#[inline(always)]
pub(super) const fn corners_of_large_dim(
    spec: &Spec,
    tensor: &Tensor,
    i: usize,
) -> Option<Args<'static>> {
    let (dim, spatial) = (tensor.dims[i], i.wrapping_sub(1));
    let is_here = is_spatial(spec, i) & !is_interleaved(spec) & (window(spec, dim, spatial) >= 1);
    if is_here & is_empty_to_driver(spec, dim, spatial) {
        let upper = corners_of(spec, spatial).1;
        let most = i32::MAX.saturating_sub(upper) as i128;
        let end = driver_end(spec, dim, spatial);
        let mode = Arg::Str(spec.mode.name());
        return Some([int(dim), Arg::Int(end as i128), mode, Arg::Int(most)]);
    }
    None
}

#[inline(always)]
pub(super) const fn corners_of_interleaved_dim(
    spec: &Spec,
    tensor: &Tensor,
    i: usize,
) -> Option<Args<'static>> {
    let dim = tensor.dims[i];
    if is_spatial(spec, i + 1) & is_interleaved(spec) & is_empty_to_driver(spec, dim, i) {
        let (lower, upper) = corners_of(spec, i);
        let left = driver_end(spec, dim, i) as i128 - lower as i128;
        let (lower, upper) = (Arg::Int(lower as i128), Arg::Int(upper as i128));
        return Some([int(dim), lower, upper, Arg::Int(left)]);
    }
    None
}

pub(super) const fn interleaved_corners_empty(
    spec: &Spec,
    tensor: &Tensor,
    i: usize,
) -> Option<Args<'static>> {
    let (dim, spatial) = (tensor.dims[i], i.wrapping_sub(1));
    if is_spatial(spec, i) & is_interleaved(spec) & (window(spec, dim, spatial) < 1) {
        return Some(window_fault(spec, dim, spatial));
    }
    None
}

pub(super) const fn more_dimensions(
    spec: &Spec,
    tensor: &Tensor,
    _: usize,
) -> Option<Args<'static>> {
    let rank = tensor.rank();
    if !spec.has_rank() || rank <= spec.rank {
        return None;
    }
    let last = rank - 1;
    let extent = int(tensor.dims[last as usize]);
    Some([int(rank as u64), int(last as u64), extent, int(spec.rank as u64)])
}
