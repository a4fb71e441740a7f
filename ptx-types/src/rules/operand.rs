//! Tests of what an instruction does at an address that names its storage.

use super::access::Object;
use super::instruction::Role;
use super::{Arg, Args, NONE};
use crate::ir::{StructKind, Type};
use crate::scalar::Class;
use crate::space::Space;
use crate::tensor::Spec;

/// An operand in brackets that names storage: `[NAME + offset]`.
#[derive(Clone, Copy, Debug)]
pub struct Operand {
    /// What the instruction takes it for.
    pub role: Role,
    /// The state space that the instruction goes to; `None` for generic addresses.
    pub space: Option<Space>,
    /// Whether that is said, or a generic address into it does too.
    pub is_said: bool,
    /// How many bytes it goes to; `None` where that is unknown.
    pub bytes: Option<usize>,
    /// The alignment in bytes that it needs; `None` where that is unknown.
    pub align: Option<usize>,
    /// What is added to the name, in bytes; `None` where that is unknown.
    pub offset: Option<i128>,
    /// What the instruction says of the tensor, if it takes a map.
    pub tensor: Option<TensorAccess>,
}

/// What an instruction says of the tensor that it copies.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TensorAccess {
    /// The number of dimensions: `.2d`.
    pub rank: u32,
    /// Whether it is `.im2col` in one of its modes, and `.tile` otherwise.
    pub is_im2col: bool,
}

const fn name(object: Object<'_>) -> Arg<'_> {
    Arg::Str(object.variable().name)
}

const fn is_opaque(object: Object<'_>) -> bool {
    object.variable().ty.opaque().is_some() // another rule says so
}

pub(super) const fn wrong_space(operand: Operand, object: Object<'_>) -> Option<Args<'_>> {
    let is = object.variable().space;
    match operand.space {
        Some(wanted) if wanted as u8 != is as u8 && !is_opaque(object) => Some([
            name(object),
            Arg::Str(is.directive()),
            Arg::Str(wanted.directive()),
            Arg::Str(if operand.is_said {
                "name the space that it is in"
            } else if matches!(is, Space::Param) {
                "take its address with `mov` and `cvta.param`"
            } else {
                "name something in that space"
            }),
        ]),
        Some(_) | None => None,
    }
}

pub(super) const fn space_not_said(operand: Operand, object: Object<'_>) -> Option<Args<'_>> {
    match (operand.space, object.variable().space) {
        (None, is @ (Space::Const | Space::Param)) if !is_opaque(object) => {
            Some([name(object), Arg::Str(is.directive()), NONE, NONE])
        }
        (_, _) => None,
    }
}

pub(super) const fn out_of_bounds(operand: Operand, object: Object<'_>) -> Option<Args<'_>> {
    let Some(offset) = operand.offset else { return None };
    let ends_at = match object.variable().bytes() {
        Some(bytes) => Arg::Bytes(bytes),
        None => Arg::Str("what the launch says"),
    };
    if is_opaque(object) {
        return None;
    }
    if offset < 0 {
        return Some([name(object), Arg::Str("starts"), Arg::Int(offset), ends_at]);
    }
    let least = match operand.bytes {
        Some(bytes) => bytes as i128,
        None => 1,
    };
    let end = offset.saturating_add(least);
    match object.variable().bytes() {
        // Nothing is known of what has no bytes: an array without a length, in other words.
        Some(bytes) if bytes > 0 && end > bytes as i128 => {
            Some([name(object), Arg::Str("ends"), Arg::Int(end), ends_at])
        }
        Some(_) | None => None,
    }
}

pub(super) const fn offset_misaligned(operand: Operand, object: Object<'_>) -> Option<Args<'_>> {
    match (operand.offset, operand.align) {
        (Some(offset), Some(align))
            if align > 0 && offset % align as i128 != 0 && !is_opaque(object) =>
        {
            Some([name(object), Arg::Int(offset), Arg::Int(align as i128), NONE])
        }
        (_, _) => None,
    }
}

pub(super) const fn base_misaligned(operand: Operand, object: Object<'_>) -> Option<Args<'_>> {
    match (object.variable().alignment(), operand.align) {
        (Some(is), Some(align))
            if is < align && !is_opaque(object) && offset_misaligned(operand, object).is_none() =>
        {
            Some([name(object), Arg::Int(is as i128), Arg::Int(align as i128), NONE])
        }
        (_, _) => None,
    }
}

/// Whether bytes `from` up to `to` of a type have a byte of a barrier among them.
const fn has_barrier(ty: &Type<'_>, from: usize, to: usize) -> bool {
    if from >= to {
        return false;
    }
    match ty {
        Type::Array(_, inner) | Type::Family(_, inner) => match inner.size() {
            Some(0) | None => false,
            Some(size) => {
                let (at, length) = (from % size, to - from);
                if at + length <= size {
                    has_barrier(inner, at, at + length)
                } else {
                    // The end of one, the start of the next, and perhaps a whole one.
                    has_barrier(inner, at, size)
                        || has_barrier(
                            inner,
                            0,
                            if at + length >= 2 * size { size } else { at + length - size },
                        )
                }
            }
        },
        Type::Aligned(_, inner) => has_barrier(inner, from, to),
        Type::Struct(layout) => match layout.kind {
            StructKind::Mbarrier => from < layout.size,
            StructKind::TensorMap(_) | StructKind::Tile(_) => false,
            StructKind::Fields => {
                let mut i = 0;
                while i < layout.fields.len() {
                    let field = &layout.fields[i];
                    if let Some(size) = field.ty.size() {
                        let start = from.saturating_sub(field.offset);
                        let end = to.saturating_sub(field.offset);
                        if has_barrier(field.ty, start, if end < size { end } else { size }) {
                            return true;
                        }
                    }
                    i += 1;
                }
                false
            }
        },
        Type::Scalar(_) | Type::Vector(..) | Type::Opaque(_) | Type::Unknown => false,
    }
}

/// An offset that can lie in a type.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // after the comparison
const fn inside(offset: Option<i128>) -> Option<usize> {
    match offset {
        Some(offset) if offset >= 0 && offset <= u32::MAX as i128 => Some(offset as usize),
        Some(_) | None => None,
    }
}

pub(super) const fn barrier_touched(operand: Operand, object: Object<'_>) -> Option<Args<'_>> {
    let Some(at) = inside(operand.offset) else { return None };
    let bytes = match operand.bytes {
        Some(bytes) => bytes,
        None => 1,
    };
    match operand.role {
        Role::Data | Role::Map
            if has_barrier(object.variable().ty, at, at.saturating_add(bytes)) =>
        {
            Some([name(object), NONE, NONE, NONE])
        }
        Role::Data | Role::Map | Role::Barrier | Role::Handle | Role::TensorMemory => None,
    }
}

pub(super) const fn not_a_barrier(operand: Operand, object: Object<'_>) -> Option<Args<'_>> {
    let Some(at) = inside(operand.offset) else { return None };
    let Some((found, _)) = object.variable().ty.at(at) else { return None };
    let does = match found {
        Type::Struct(layout) => matches!(layout.kind, StructKind::Mbarrier),
        Type::Scalar(scalar) => {
            matches!(scalar.class(), Class::Bits)
                || matches!(scalar.bytes(), 1 | 8) && !matches!(scalar.class(), Class::Float)
        }
        Type::Vector(..)
        | Type::Array(..)
        | Type::Aligned(..)
        | Type::Opaque(_)
        | Type::Family(..)
        | Type::Unknown => false,
    };
    match operand.role {
        Role::Barrier if !does => Some([name(object), Arg::Type(found), NONE, NONE]),
        Role::Barrier | Role::Data | Role::Map | Role::Handle | Role::TensorMemory => None,
    }
}

pub(super) const fn not_a_map(operand: Operand, object: Object<'_>) -> Option<Args<'_>> {
    let Some(at) = inside(operand.offset) else { return None };
    let Some((found, _)) = object.variable().ty.at(at) else { return None };
    let does = match found {
        Type::Struct(layout) => matches!(layout.kind, StructKind::TensorMap(_)),
        Type::Scalar(scalar) => !matches!(scalar.class(), Class::Float),
        Type::Vector(..)
        | Type::Array(..)
        | Type::Aligned(..)
        | Type::Opaque(_)
        | Type::Family(..)
        | Type::Unknown => false,
    };
    match operand.role {
        Role::Map if !does => Some([name(object), Arg::Type(found), NONE, NONE]),
        Role::Map | Role::Data | Role::Barrier | Role::Handle | Role::TensorMemory => None,
    }
}

/// The map that an operand names, and what the instruction says of its tensor.
const fn map_of(operand: Operand, object: Object<'_>) -> Option<(&Spec, TensorAccess)> {
    let (Some(at), Some(tensor)) = (inside(operand.offset), operand.tensor) else { return None };
    match object.variable().ty.at(at) {
        Some((Type::Struct(layout), _)) => match layout.kind {
            StructKind::TensorMap(spec) => Some((spec, tensor)),
            StructKind::Fields | StructKind::Tile(_) | StructKind::Mbarrier => None,
        },
        Some(_) | None => None,
    }
}

pub(super) const fn wrong_rank(operand: Operand, object: Object<'_>) -> Option<Args<'_>> {
    match map_of(operand, object) {
        Some((spec, tensor)) if spec.rank != tensor.rank => {
            Some([name(object), Arg::Int(spec.rank as i128), Arg::Int(tensor.rank as i128), NONE])
        }
        Some(_) | None => None,
    }
}

pub(super) const fn wrong_mode(operand: Operand, object: Object<'_>) -> Option<Args<'_>> {
    match map_of(operand, object) {
        Some((spec, tensor)) if spec.mode.is_im2col() != tensor.is_im2col => {
            let says = if tensor.is_im2col { "`.im2col`" } else { "`.tile`" };
            Some([name(object), Arg::Name(spec.mode.name()), Arg::Str(says), NONE])
        }
        Some(_) | None => None,
    }
}
