//! Tests of layout: padding, alignment of pointees, and differences between Rust's layout and PTX's.

use super::variable::around;
use super::{Arg, Args, Environment, NONE, Scope};
use crate::ir::{Param, Struct, StructKind, Type, Variable};

/// A gap between the fields of a struct, or at its end.
#[derive(Clone, Copy, Debug)]
pub struct Padding<'a> {
    /// The struct's name.
    pub name: &'a str,
    /// The size of the gap in bytes.
    pub bytes: usize,
    /// The field after the gap; `None` for the end of the struct.
    pub before: Option<&'a str>,
    /// Whether the struct has no gap if its fields are sorted by their alignment.
    pub can_be_sorted: bool,
}

impl<'a> Padding<'a> {
    /// The gap before field `n`, or at the end for `n` past the last.
    pub const fn before_field(layout: &Struct<'a>, n: usize) -> Self {
        let before = if n < layout.fields.len() { Some(layout.fields[n].name) } else { None };
        Self {
            name: layout.name,
            bytes: layout.gap_before(n),
            before,
            can_be_sorted: fills_its_alignment(layout),
        }
    }
}

/// Whether the total size of a struct's fields is a multiple of its alignment, so that they need no padding when
/// sorted by alignment.
const fn fills_its_alignment(layout: &Struct<'_>) -> bool {
    let (mut bytes, mut n) = (0_usize, 0);
    while n < layout.fields.len() {
        match layout.fields[n].ty.size() {
            Some(size) => bytes = bytes.saturating_add(size),
            None => return false,
        }
        n += 1;
    }
    layout.align > 0 && bytes.is_multiple_of(layout.align)
}

pub(super) const fn aligned_pads<'a>(
    variable: &Variable<'a>,
    _: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    aligned_pads_in(variable.ty)
}

const fn aligned_pads_in<'a>(ty: &'a Type<'a>) -> Option<Args<'a>> {
    match ty {
        Type::Aligned(align, inner) => match inner.size() {
            Some(size) if !matches!(size.checked_rem(*align), None | Some(0)) => {
                Some([Arg::Type(inner), Arg::bytes(size), Arg::Int(*align as i128), NONE])
            }
            _ => aligned_pads_in(inner),
        },
        Type::Array(_, inner) | Type::Family(_, inner) => aligned_pads_in(inner),
        Type::Struct(layout) => {
            let mut i = 0;
            while i < layout.fields.len() {
                if let Some(args) = aligned_pads_in(layout.fields[i].ty) {
                    return Some(args);
                }
                i += 1;
            }
            None
        }
        Type::Scalar(_) | Type::Vector(..) | Type::Opaque(_) | Type::Unknown => None,
    }
}

pub(super) const fn pointer_not_power_of_two<'a>(param: &Param<'a>) -> Option<Args<'a>> {
    match &param.pointer {
        Some(pointer) => match pointer.align {
            Some(align) if !align.is_power_of_two() => {
                let natural = pointer.pointee.align();
                let name = Arg::Str(param.variable.name);
                Some([Arg::Int(align as i128), name, around(align, natural, usize::MAX), NONE])
            }
            _ => None,
        },
        None => None,
    }
}

pub(super) const fn pointer_below_natural<'a>(param: &Param<'a>) -> Option<Args<'a>> {
    match &param.pointer {
        Some(pointer) => match (pointer.align, pointer.pointee.align()) {
            (Some(align), Some(natural))
                // Compilers write an explicit 1 for "unknown"; it guarantees nothing.
                if align.is_power_of_two()
                    && align != 1
                    && align < natural =>
            {
                let (align, natural) = (Arg::Int(align as i128), Arg::Int(natural as i128));
                Some([align, Arg::Str(param.variable.name), Arg::Type(pointer.pointee), natural])
            }
            _ => None,
        },
        None => None,
    }
}

pub(super) const fn readonly_not_pointer<'a>(param: &Param<'a>) -> Option<Args<'a>> {
    let ty = param.variable.ty;
    let is_map = matches!(ty, Type::Struct(Struct { kind: StructKind::TensorMap(_), .. }));
    // rustc checks types that are unknown here.
    if param.readonly && param.pointer.is_none() && !is_map && ty.is_known() {
        Some([Arg::Str(param.variable.name), Arg::Type(ty), Arg::None, Arg::None])
    } else {
        None
    }
}

pub(super) const fn host_layout_differs<'a>(
    ty: &'a Type<'a>,
    size: usize,
    align: usize,
    _: &'a str,
) -> Option<Args<'a>> {
    if ty.opaque().is_some() {
        return None; // the host holds the members, and PTX a handle
    }
    match (ty.size(), ty.align()) {
        (Some(ptx_size), Some(ptx_align)) if ptx_size == size && ptx_align == align => None,
        (None, _) | (_, None) => None,
        (Some(_), Some(_)) => {
            Some([Arg::Type(ty), Arg::bytes(size), Arg::Int(align as i128), NONE])
        }
    }
}

pub(super) const fn struct_pads<'a>(padding: &Padding<'a>) -> Option<Args<'a>> {
    if padding.bytes == 0 {
        return None;
    }
    let fix = if padding.can_be_sorted {
        "sort the fields by alignment, largest first, or fill the gap with"
    } else {
        "fill it with"
    };
    let gap = Arg::Gap(padding.bytes, padding.before);
    Some([Arg::Str(padding.name), Arg::Int(padding.bytes as i128), gap, Arg::Str(fix)])
}
