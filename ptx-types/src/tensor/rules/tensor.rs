//! What the host may give.

use crate::map::ElementType;
use crate::map::Interleave;
use crate::map::{Spec, Tensor, row_bytes};
use crate::rule::{Arg, Args, NONE, int};

/// The most elements of a dimension.
const MAX_DIM: u64 = 1 << 32;
/// The first stride that is too large.
const STRIDE_LIMIT: u64 = 1 << 40;
/// The first address that the driver was observed to refuse for its size.
const ADDRESS_LIMIT: u64 = 1 << 57;

const fn is_interleave_32(spec: &Spec) -> bool {
    matches!(spec.interleave, Interleave::B32)
}

/// The values of a message about an address that is no such multiple: it, and its neighbours.
const fn address_fault(spec: &Spec, address: u64, multiple: u64) -> Option<Args<'static>> {
    if address.is_multiple_of(multiple) {
        return None;
    }
    let below = address - address % multiple;
    let element = Arg::Str(spec.element.name());
    let above = Arg::Address(below.saturating_add(multiple));
    Some([Arg::Address(address), Arg::Address(below), above, element])
}

pub(super) const fn address_alignment(
    spec: &Spec,
    tensor: &Tensor,
    _: usize,
) -> Option<Args<'static>> {
    address_fault(spec, tensor.address, 16)
}

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

pub(super) const fn interleaved_address_alignment(
    spec: &Spec,
    tensor: &Tensor,
    _: usize,
) -> Option<Args<'static>> {
    if is_interleave_32(spec) && tensor.address.is_multiple_of(16) {
        return address_fault(spec, tensor.address, 32);
    }
    None
}

pub(super) const fn padded_address_alignment(
    spec: &Spec,
    tensor: &Tensor,
    _: usize,
) -> Option<Args<'static>> {
    if spec.element.is_padded() && !is_interleave_32(spec) && tensor.address.is_multiple_of(16) {
        return address_fault(spec, tensor.address, 32);
    }
    None
}

pub(super) const fn dim_out_of_range(
    spec: &Spec,
    tensor: &Tensor,
    i: usize,
) -> Option<Args<'static>> {
    if i >= spec.dimensions() {
        return None;
    }
    let dim = tensor.dims[i];
    if dim == 0 {
        return Some([int(dim), int(1), NONE, NONE]);
    }
    if dim > MAX_DIM { Some([int(dim), int(MAX_DIM), NONE, NONE]) } else { None }
}

pub(super) const fn padded_dim(spec: &Spec, tensor: &Tensor, i: usize) -> Option<Args<'static>> {
    let multiple = if spec.element.is_padded() {
        128
    } else if matches!(spec.element, ElementType::B4x16) {
        2
    } else {
        return None;
    };
    let dim = tensor.dims[0];
    if i != 0 || dim.is_multiple_of(multiple) {
        return None;
    }
    let next = int((dim - dim % multiple).saturating_add(multiple));
    Some([int(dim), Arg::Str(spec.element.name()), int(multiple), next])
}

/// The values of a message about a stride that is no such multiple: it, and the next one.
const fn stride_fault(
    spec: &Spec,
    tensor: &Tensor,
    i: usize,
    multiple: u64,
) -> Option<Args<'static>> {
    if i + 1 >= spec.dimensions() || tensor.strides[i].is_multiple_of(multiple) {
        return None;
    }
    let stride = tensor.strides[i];
    let next = (stride - stride % multiple).saturating_add(multiple);
    Some([Arg::Bytes(stride), int(next), Arg::Str(spec.element.name()), NONE])
}

pub(super) const fn stride_alignment(
    spec: &Spec,
    tensor: &Tensor,
    i: usize,
) -> Option<Args<'static>> {
    stride_fault(spec, tensor, i, 16)
}

pub(super) const fn stride_too_large(
    spec: &Spec,
    tensor: &Tensor,
    i: usize,
) -> Option<Args<'static>> {
    if i + 1 < spec.dimensions() && tensor.strides[i] >= STRIDE_LIMIT {
        let multiple = if is_interleave_32(spec) || spec.element.is_padded() { 32 } else { 16 };
        return Some([
            Arg::Bytes(tensor.strides[i]),
            Arg::Bytes(STRIDE_LIMIT - multiple),
            NONE,
            NONE,
        ]);
    }
    None
}

pub(super) const fn interleaved_stride_alignment(
    spec: &Spec,
    tensor: &Tensor,
    i: usize,
) -> Option<Args<'static>> {
    if is_interleave_32(spec) && tensor.strides[i].is_multiple_of(16) {
        return stride_fault(spec, tensor, i, 32);
    }
    None
}

pub(super) const fn padded_stride_alignment(
    spec: &Spec,
    tensor: &Tensor,
    i: usize,
) -> Option<Args<'static>> {
    if spec.element.is_padded() && !is_interleave_32(spec) && tensor.strides[i].is_multiple_of(16) {
        return stride_fault(spec, tensor, i, 32);
    }
    None
}

pub(super) const fn stride_too_short(
    spec: &Spec,
    tensor: &Tensor,
    i: usize,
) -> Option<Args<'static>> {
    if i + 1 >= spec.dimensions() {
        return None;
    }
    let least = if i == 0 {
        row_bytes(spec.element, spec.interleave, tensor.dims[0])
    } else {
        tensor.strides[i - 1].saturating_mul(tensor.dims[i])
    };
    if tensor.strides[i] >= least {
        return None;
    }
    let is_wide = spec.element.is_padded() || matches!(spec.interleave, Interleave::B32);
    let multiple = if is_wide { 32 } else { 16 };
    let enough = match least.checked_next_multiple_of(multiple) {
        Some(enough) => enough,
        None => u64::MAX,
    };
    Some([Arg::Bytes(tensor.strides[i]), int(i as u64), Arg::Bytes(least), Arg::Bytes(enough)])
}

/// The values of a message about a dimension of which the corners of spatial dimension `spatial`
/// leave nothing.
const fn window_fault(spec: &Spec, dim: i64, spatial: usize) -> Option<Args<'static>> {
    let (lower, upper) = spec.mode.corners();
    let (lower, upper) = (lower[spatial] as i64, upper[spatial] as i64);
    let left = dim.saturating_add(upper - lower);
    if left >= 1 {
        return None;
    }
    let int = [dim as i128, lower as i128, upper as i128, left as i128];
    Some([Arg::Int(int[0]), Arg::Int(int[1]), Arg::Int(int[2]), Arg::Int(int[3])])
}

/// A dimension as it is.
const fn exact(dim: u64) -> i64 {
    if dim > i64::MAX as u64 { i64::MAX } else { dim.cast_signed() }
}

/// Where the box ends that the corners of spatial dimension `spatial` leave of a dimension, as the
/// driver counts it: in signed numbers of 32 bits, which wrap. `None` if it has a pixel for it.
#[allow(clippy::cast_possible_truncation)] // As the driver does.
const fn driver_end(spec: &Spec, dim: u64, spatial: usize) -> Option<i64> {
    let (lower, upper) = spec.mode.corners();
    let end = (dim as i32).wrapping_add(upper[spatial]);
    if end > lower[spatial] { None } else { Some(end as i64) }
}

/// Whether the mode has corners and `i` is a spatial dimension of the tensor.
const fn is_spatial(spec: &Spec, i: usize) -> bool {
    spec.mode.is_im2col() && i >= 1 && i - 1 < spec.spatial()
}

pub(super) const fn corners_empty(spec: &Spec, tensor: &Tensor, i: usize) -> Option<Args<'static>> {
    if is_spatial(spec, i) && matches!(spec.interleave, Interleave::None) {
        return window_fault(spec, exact(tensor.dims[i]), i - 1);
    }
    None
}

pub(super) const fn corners_of_large_dim(
    spec: &Spec,
    tensor: &Tensor,
    i: usize,
) -> Option<Args<'static>> {
    let is_here = is_spatial(spec, i) && matches!(spec.interleave, Interleave::None);
    if !is_here || window_fault(spec, exact(tensor.dims[i]), i - 1).is_some() {
        return None;
    }
    let Some(end) = driver_end(spec, tensor.dims[i], i - 1) else { return None };
    let upper = spec.mode.corners().1[i - 1];
    let most = i32::MAX as i128 - if upper > 0 { upper as i128 } else { 0 };
    let mode = Arg::Str(spec.mode.name());
    Some([int(tensor.dims[i]), Arg::Int(end as i128), mode, Arg::Int(most)])
}

pub(super) const fn corners_of_interleaved_dim(
    spec: &Spec,
    tensor: &Tensor,
    i: usize,
) -> Option<Args<'static>> {
    if !is_spatial(spec, i + 1) || matches!(spec.interleave, Interleave::None) {
        return None;
    }
    let Some(end) = driver_end(spec, tensor.dims[i], i) else { return None };
    let (lower, upper) = spec.mode.corners();
    let (lower, upper) = (lower[i] as i128, upper[i] as i128);
    Some([int(tensor.dims[i]), Arg::Int(lower), Arg::Int(upper), Arg::Int(end as i128 - lower)])
}

pub(super) const fn interleaved_corners_empty(
    spec: &Spec,
    tensor: &Tensor,
    i: usize,
) -> Option<Args<'static>> {
    if is_spatial(spec, i) && !matches!(spec.interleave, Interleave::None) {
        return window_fault(spec, exact(tensor.dims[i]), i - 1);
    }
    None
}
