//! Tests of the rules about declarations whose element type has padding.

use super::spec::MAX_ROW;
use crate::map::Spec;
use crate::map::{Direction, ElementType};
use crate::map::{Interleave, Swizzle};
use crate::rule::{Arg, Args, NONE, int};

const fn is_stored(spec: &Spec) -> bool {
    matches!(spec.element.direction(), Direction::Store)
}

/// Whether the row has a length that a box can have; of others, another rule reports it.
const fn is_row(spec: &Spec) -> bool {
    let row = spec.mode.inner() as u64;
    row > 0 && row <= MAX_ROW as u64
}

/// The row, the type, and the nearest row where that is not the only one.
const fn row(spec: &Spec, nearest: Arg<'static>) -> Args<'static> {
    let element = Arg::Str(spec.element.name());
    [int(spec.mode.inner() as u64), element, nearest, NONE]
}

pub(super) const fn padded_box(spec: &Spec, i: usize) -> Option<Args<'static>> {
    let is_here = i == 0 && spec.element.is_padded() && !is_stored(spec) && is_row(spec);
    if is_here && spec.mode.inner() != 128 { Some(row(spec, NONE)) } else { None }
}

pub(super) const fn stored_box(spec: &Spec, i: usize) -> Option<Args<'static>> {
    if i == 0 && is_stored(spec) && is_row(spec) && spec.mode.inner() != 128 {
        Some(row(spec, NONE))
    } else {
        None
    }
}

pub(super) const fn stored_box_of_sm_103a(spec: &Spec, i: usize) -> Option<Args<'static>> {
    let inner = spec.mode.inner();
    if i == 0 && is_stored(spec) && is_row(spec) && inner != 64 && inner != 128 {
        let is_narrow = spec.swizzle.span() > 0 && spec.swizzle.span() < 96;
        return Some(row(spec, int(if inner < 96 || is_narrow { 64 } else { 128 })));
    }
    None
}

/// The swizzle, the type, and what to write.
const fn swizzle(spec: &Spec) -> Args<'static> {
    let fix = if matches!(spec.interleave, Interleave::B32) {
        "write `B128` and leave the interleave out"
    } else {
        "write `B128`"
    };
    [Arg::Str(spec.swizzle.name()), Arg::Str(spec.element.name()), Arg::Str(fix), NONE]
}

pub(super) const fn padded_swizzle(spec: &Spec, _: usize) -> Option<Args<'static>> {
    if !spec.element.is_padded() || is_stored(spec) {
        return None;
    }
    match spec.swizzle {
        Swizzle::None | Swizzle::B128 | Swizzle::B128Atom32 => None,
        Swizzle::B32
        | Swizzle::B64
        | Swizzle::B96
        | Swizzle::B128Atom32Flip8
        | Swizzle::B128Atom64 => Some(swizzle(spec)),
    }
}

pub(super) const fn stored_swizzle(spec: &Spec, _: usize) -> Option<Args<'static>> {
    match spec.swizzle {
        Swizzle::B32 | Swizzle::B128Atom32Flip8 if is_stored(spec) => Some(swizzle(spec)),
        Swizzle::None
        | Swizzle::B32
        | Swizzle::B64
        | Swizzle::B96
        | Swizzle::B128
        | Swizzle::B128Atom32
        | Swizzle::B128Atom32Flip8
        | Swizzle::B128Atom64 => None,
    }
}

pub(super) const fn stored_swizzle_of_sm_103a(spec: &Spec, _: usize) -> Option<Args<'static>> {
    // The 96-byte swizzle has its own rule.
    if is_stored(spec) && matches!(spec.swizzle, Swizzle::B64) { Some(swizzle(spec)) } else { None }
}

pub(super) const fn six_bits_interleave(spec: &Spec, _: usize) -> Option<Args<'static>> {
    let is_interleaved = !matches!(spec.interleave, Interleave::None);
    if is_interleaved && matches!(spec.element, ElementType::B6x16P32 | ElementType::B6P2x16) {
        let element = Arg::Str(spec.element.name());
        return Some([Arg::Str(spec.interleave.name()), element, NONE, NONE]);
    }
    None
}
