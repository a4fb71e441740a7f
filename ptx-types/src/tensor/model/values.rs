//! The effects of a copy on values: the fill for elements out of bounds, and numbers that are
//! flushed or rounded.

use super::walk::Line;
use crate::tensor::ElementType;
use crate::tensor::OobFill;
use crate::tensor::Spec;

/// Two bytes of the pattern that a load writes for elements outside the tensor, whatever the size
/// of an element. The rules refuse NaN for elements that are not floats.
pub(super) const fn fill(spec: &Spec) -> [u8; 2] {
    match spec.oob_fill {
        OobFill::Zero => [0; 2],
        OobFill::Nan => 0x7ff7_u16.to_le_bytes(),
    }
}

/// Whether a load rounds its elements to `tf32`.
pub(super) const fn rounds(element: ElementType) -> bool {
    match element {
        ElementType::Tf32 | ElementType::Tf32Ftz => true,
        ElementType::U8
        | ElementType::U16
        | ElementType::U32
        | ElementType::I32
        | ElementType::U64
        | ElementType::I64
        | ElementType::F16
        | ElementType::F32
        | ElementType::F64
        | ElementType::Bf16
        | ElementType::F32Ftz
        | ElementType::B4x16
        | ElementType::B4x16P64
        | ElementType::B6x16P32
        | ElementType::B6P2x16 => false,
    }
}

/// The nearest `tf32`, ties to even; subnormal numbers stay subnormal with and without `ftz`, and
/// every NaN becomes the same one.
pub(super) fn round_to_tf32(bits: u32) -> u32 {
    if bits & 0x7fff_ffff > 0x7f80_0000 {
        return 0x7fff_e000;
    }
    let odd = bits >> 13 & 1;
    (bits + 0xfff + odd) & !0x1fff
}

/// Consecutive bytes that are equal in both memories.
#[derive(Clone, Copy)]
pub(super) struct Run {
    /// The offset from the start of the tile, without the swizzle.
    pub(super) shared: usize,
    /// The offset from the line's start in global memory.
    pub(super) global: usize,
    /// The number of bytes.
    pub(super) bytes: usize,
}

/// Visits the bytes of a line that are copied unchanged: all of it, or the parts between padding.
#[inline]
pub(super) fn runs(spec: &Spec, line: &Line, mut visit: impl FnMut(Run)) {
    if let Some(slice) = spec.slice_bytes() {
        let bytes = super::size(line.units * u64::from(slice));
        return visit(Run { shared: line.shared, global: 0, bytes });
    }
    if !spec.element.is_padded() {
        let bytes = super::size(spec.element.global_bytes(line.units));
        return visit(Run { shared: line.shared, global: 0, bytes });
    }
    let groups = super::size(line.units / 16);
    let bytes = spec.element.global_bytes_of_16() as usize;
    let pitch = spec.element.shared_bytes_of_16() as usize;
    for group in 0..groups {
        visit(Run { shared: line.shared + group * pitch, global: group * bytes, bytes });
    }
}
