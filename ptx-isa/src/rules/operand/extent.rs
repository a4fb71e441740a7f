//! Bounds and alignment.

use super::{Arg, Args, Direction, Object, Shape, StorageAccess, gcd, is_opaque};

/// Whether an access must be within bounds. Behind a pointer, only a contract says how many elements there are, and
/// nothing what is before them; a copy of no bytes accesses nothing.
pub(in crate::rules) const fn has_bounds(operand: Shape<'_>, object: Object<'_>) -> bool {
    !matches!(operand.form.direction, Direction::Taken)
        && !operand.form.may_be_nothing
        && (!object.is_pointee() || object.bytes().is_some())
        && !is_opaque(object)
}

pub(in crate::rules) const fn out_of_bounds<'a>(
    operand: StorageAccess<'a>,
    object: Object<'a>,
) -> Option<Args<'a>> {
    if operand.settled.is_conditional {
        return None;
    }
    let offset = operand.offset.first();
    let least = match operand.bytes {
        Some(bytes) => bytes as i128,
        // A prefetch beyond the end has no effect.
        None if matches!(operand.form.direction, Direction::Cache) => return None,
        None => 1,
    };
    let (end, bytes) = (offset.saturating_add(least), object.bytes());
    let (edge, fix) = match bytes {
        _ if offset < 0 && object.is_pointee() => return None,
        _ if offset < 0 => {
            let fix = Arg::Str("offsets count bytes, and the first is 0");
            (Arg::Worded("starts at byte #", offset), fix)
        }
        // A size of 0 means an unknown length, except behind a pointer.
        Some(bytes) if (bytes > 0 || object.is_pointee()) && end > bytes as i128 => {
            (Arg::Worded("ends at byte #", end), last_offset(operand.align, least, bytes as i128))
        }
        Some(_) | None => return None,
    };
    let has = match bytes {
        Some(bytes) if object.is_pointee() => {
            Arg::Worded("of which the contract grants # bytes", bytes as i128)
        }
        Some(1) => Arg::Str("which has 1 byte"),
        Some(bytes) => Arg::Worded("which has # bytes", bytes as i128),
        None => Arg::Str("whose length the launch specifies"),
    };
    Some([object.arg(), edge, has, fix])
}

/// The last valid offset of an access of this many bytes in its storage, as advice.
const fn last_offset(align: Option<usize>, least: i128, bytes: i128) -> Arg<'static> {
    if least > bytes {
        return Arg::Worded("it accesses # bytes: access fewer, or declare more", least);
    }
    let last = bytes - least;
    let last = match align {
        Some(align @ 1..) => last - last % align as i128,
        Some(0) | None => last,
    };
    Arg::Worded("offsets count bytes, and the last that fits is #", last)
}

/// The alignment that all possible offsets share with the access.
const fn needed(operand: StorageAccess<'_>) -> Option<usize> {
    match operand.align {
        Some(align) if operand.offset.settles(align) => Some(align),
        #[allow(clippy::cast_possible_truncation)] // at most the alignment
        Some(align) => Some(gcd(align as u64, operand.offset.step) as usize),
        None => None,
    }
}

/// Whether an access needs an alignment that may be missing.
pub(in crate::rules) const fn needs_alignment(operand: Shape<'_>, object: Object<'_>) -> bool {
    operand.align.is_some()
        && !operand.settled.is_aligned
        && !is_opaque(object)
        && !promises_nothing(object)
}

pub(in crate::rules) const fn offset_misaligned<'a>(
    operand: StorageAccess<'a>,
    object: Object<'a>,
) -> Option<Args<'a>> {
    match (needed(operand), operand.align) {
        (Some(needed), Some(align))
            if !matches!(operand.offset.base.checked_rem(needed as i128), None | Some(0)) =>
        {
            let offset = operand.offset.first();
            Some([object.arg(), Arg::Int(offset), Arg::Int(align as i128), Arg::None])
        }
        (_, _) => None,
    }
}

/// Whether a pointer guarantees no alignment: compilers write an explicit 1 for "unknown".
const fn promises_nothing(object: Object<'_>) -> bool {
    match object.pointer() {
        Some(pointer) => matches!(pointer.align, Some(1)),
        None => false,
    }
}

/// Whether storage has a lower alignment than an access needs, if the offset is aligned.
pub(in crate::rules) const fn may_demand(operand: Shape<'_>, object: Object<'_>) -> bool {
    match (object.alignment(), operand.align) {
        (Some(is), Some(align)) => {
            is < align
                && !matches!(operand.form.direction, Direction::Taken)
                && needs_alignment(operand, object)
        }
        (_, _) => false,
    }
}

/// Whether storage has a lower alignment than an access needs, and the offset is aligned.
pub(in crate::rules) const fn aligned_below(
    operand: StorageAccess<'_>,
    object: Object<'_>,
) -> bool {
    match operand.align {
        Some(align) => {
            may_demand(operand.shape(), object)
                && operand.offset.settles(align)
                && offset_misaligned(operand, object).is_none()
        }
        None => false,
    }
}

/// Whether the PTX ISA asks for more alignment than the access needs.
pub(in crate::rules) const fn has_isa_alignment(operand: Shape<'_>, object: Object<'_>) -> bool {
    operand.form.isa_align.is_some() && needs_alignment(operand, object)
}

pub(in crate::rules) const fn fragment_misaligned<'a>(
    operand: StorageAccess<'a>,
    object: Object<'a>,
) -> Option<Args<'a>> {
    let (Some(isa), Some(base)) = (operand.form.isa_align, object.alignment()) else {
        return None;
    };
    // A pointer may be aligned better than its type promises.
    if object.is_pointee() && base < isa {
        return None;
    }
    let common = gcd(isa as u64, operand.offset.step) as i128;
    let past = operand.offset.base.rem_euclid(common);
    let aligned = match past {
        0 if operand.offset.settles(isa) => base as u64,
        0 => return None,
        #[allow(clippy::cast_sign_loss, clippy::cast_possible_truncation)]
        // less than the alignment
        past => gcd(base as u64, gcd(past as u64, common as u64)),
    };
    // Less than the access needs breaks a rule about faults.
    match operand.align {
        Some(needed) if needed as u64 <= aligned && aligned < isa as u64 => {}
        Some(_) | None => return None,
    }
    let unit = if aligned == 1 { "byte" } else { "bytes" };
    Some([object.arg(), Arg::Size(aligned, unit), Arg::Int(isa as i128), Arg::None])
}
