//! Bounds and alignment.

use super::{Arg, Args, Direction, NONE, Object, StorageAccess, gcd, is_opaque};

pub(in crate::rules) const fn out_of_bounds<'a>(
    operand: StorageAccess<'a>,
    object: Object<'a>,
) -> Option<Args<'a>> {
    let offset = operand.offset.first();
    let ends_at = match object.bytes() {
        Some(bytes) => Arg::bytes(bytes),
        None => Arg::Str("what the launch says"),
    };
    // How many there are behind a pointer nobody knows, nor what is before it.
    let is_taken = matches!(operand.form.direction, Direction::Taken);
    if is_taken || is_opaque(object) || matches!(object, Object::Pointee(_)) {
        return None;
    }
    if offset < 0 {
        return Some([object.arg(), Arg::Str("starts"), Arg::Int(offset), ends_at]);
    }
    let least = match operand.bytes {
        Some(bytes) => bytes as i128,
        None => 1,
    };
    let end = offset.saturating_add(least);
    match object.bytes() {
        // Nothing is known of what has no bytes: an array without a length, in other words.
        Some(bytes) if bytes > 0 && end > bytes as i128 => {
            Some([object.arg(), Arg::Str("ends"), Arg::Int(end), ends_at])
        }
        Some(_) | None => None,
    }
}

/// The alignment that all possible offsets have to agree with.
const fn needed(operand: StorageAccess<'_>) -> Option<usize> {
    match operand.align {
        Some(align) if operand.offset.settles(align) => Some(align),
        #[allow(clippy::cast_possible_truncation)] // no more than the alignment
        Some(align) => Some(gcd(align as u64, operand.offset.step) as usize),
        None => None,
    }
}

pub(in crate::rules) const fn offset_misaligned<'a>(
    operand: StorageAccess<'a>,
    object: Object<'a>,
) -> Option<Args<'a>> {
    let offset = operand.offset.base;
    match (needed(operand), operand.align) {
        (Some(needed), Some(align))
            if needed > 0
                && offset % needed as i128 != 0
                && !operand.settled.is_aligned
                && !is_opaque(object)
                && !promises_nothing(object) =>
        {
            let offset = operand.offset.first();
            Some([object.arg(), Arg::Int(offset), Arg::Int(align as i128), NONE])
        }
        (_, _) => None,
    }
}

/// Whether a pointer promises no alignment: an explicit 1 is what compilers write for "unknown".
const fn promises_nothing(object: Object<'_>) -> bool {
    match object {
        Object::Pointee(param) => match param.pointer {
            Some(pointer) => matches!(pointer.align, Some(1)),
            None => false,
        },
        _ => false,
    }
}

/// Whether the alignment of storage is below that of an access whose offset is right.
pub(in crate::rules) const fn aligned_below(
    operand: StorageAccess<'_>,
    object: Object<'_>,
) -> bool {
    match (object.alignment(), operand.align) {
        (Some(is), Some(align)) => {
            is < align
                && operand.offset.settles(align)
                && !operand.settled.is_aligned
                && !is_opaque(object)
                && !promises_nothing(object)
                && !matches!(operand.form.direction, Direction::Taken)
                && offset_misaligned(operand, object).is_none()
        }
        (_, _) => false,
    }
}
