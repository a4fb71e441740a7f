//! Tests of the content at an operand's start: barriers, maps, elements of other types.

use super::{Arg, Args, Direction, NONE, Object, Offset, Role, Shape, StorageAccess, gcd};
use crate::const_ord::min;
use crate::const_str::{contains, same};
use crate::ir::{Struct, StructKind, Type};
use crate::scalar::{Class, ScalarType};
use crate::tensor::Spec;

/// Whether bytes `from..to` of a type include a byte of a barrier.
const fn has_barrier(ty: &Type<'_>, from: usize, to: usize) -> bool {
    if from >= to {
        return false;
    }
    match ty {
        Type::Array(_, inner) | Type::Family(_, inner) => match inner.size() {
            Some(0) | None => false,
            Some(size) => {
                let start = from % size;
                let end = start + (to - from);
                // In the first element, and in those after it.
                has_barrier(inner, start, min(end, size))
                    || has_barrier(inner, 0, min(end.saturating_sub(size), size))
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
                        if has_barrier(field.ty, start, min(end, size)) {
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

/// The possible starts of an operand: position `n` of them, from 0 to `count`.
pub(in crate::rules) struct Starts {
    first: i128,
    step: i128,
    /// The size after which positions repeat: a pointer may point to an array of its pointee.
    round: Option<i128>,
    pub(in crate::rules) count: i128,
}

impl Starts {
    /// All possible starts, if they are known and few enough to enumerate.
    pub(in crate::rules) const fn of(offset: Offset, object: Object<'_>) -> Option<Self> {
        if offset.step == 0 && offset.base >= 0 && !object.is_pointee() {
            let step = offset.step as i128;
            return Some(Self { first: offset.base, step, round: None, count: 1 });
        }
        Self::several(offset, object)
    }

    const fn several(offset: Offset, object: Object<'_>) -> Option<Self> {
        let (first, step) = (offset.first(), offset.step as i128);
        let size = match object.ty().size() {
            Some(size) if size > 0 => Some(size as i128),
            Some(_) | None => None,
        };
        // Anything may follow a struct to which a pointer points, since it may be a header.
        if step == 0
            && object.is_pointee()
            && object.ty().is_fields()
            && (first < 0 || matches!(size, Some(size) if first >= size))
        {
            return None;
        }
        let round = if object.is_pointee() { size } else { None };
        let count = match (step, round, size) {
            // Only an exact offset before the start remains, since exact offsets inside return earlier; nothing is
            // there.
            (0, None, _) => 0,
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a size
            (_, Some(round), _) => round / gcd(round as u64, offset.step) as i128,
            (_, None, Some(size)) => (size - first + step - 1) / step,
            (_, None, None) => return None,
        };
        if count > Offset::MOST { None } else { Some(Self { first, step, round, count }) }
    }

    /// The first possible start.
    pub(in crate::rules) const fn first(&self) -> usize {
        self.in_round(self.first)
    }

    pub(in crate::rules) const fn at(&self, n: i128) -> usize {
        self.in_round(self.first + n * self.step)
    }

    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // inside the object
    const fn in_round(&self, at: i128) -> usize {
        match self.round {
            Some(round) => at.rem_euclid(round) as usize,
            None => at as usize,
        }
    }
}

/// The type at a possible start: the first that `fits`, or else the first.
enum Found<'a> {
    /// One fits, or the type is unknown.
    Fits,
    /// None fits; this is the first.
    Misfit(&'a Type<'a>),
}

macro_rules! find {
    ($operand:expr, $object:expr, |$ty:ident, $within:ident| $fits:expr) => {{
        let mut found = Found::Fits;
        if let Some(places) = Starts::of($operand.offset, $object) {
            let mut n = 0;
            while n < places.count {
                let at = places.at(n);
                let Some(($ty, $within)) = $object.ty().at(at) else {
                    found = Found::Fits;
                    break;
                };
                if $fits {
                    found = Found::Fits;
                    break;
                }
                if n == 0 {
                    found = Found::Misfit($ty);
                }
                n += 1;
            }
        }
        found
    }};
}

/// Whether an access to data may access a barrier.
pub(in crate::rules) const fn may_touch_barrier(operand: Shape<'_>, object: Object<'_>) -> bool {
    matches!(operand.form.role, Role::Data | Role::Map)
        && !operand.settled.is_tile
        && !matches!(operand.form.direction, Direction::Taken)
        && match object.ty().size() {
            Some(size) if size > 0 => has_barrier(object.ty(), 0, size),
            Some(_) | None => true,
        }
}

pub(in crate::rules) const fn barrier_touched<'a>(
    operand: StorageAccess<'a>,
    object: Object<'a>,
) -> Option<Args<'a>> {
    if operand.offset.step != 0 || operand.offset.base < 0 {
        return None;
    }
    let Some(places) = Starts::of(operand.offset, object) else { return None };
    let at = places.first();
    let bytes = match operand.bytes {
        Some(bytes) => bytes,
        None => 1,
    };
    if has_barrier(object.ty(), at, at.saturating_add(bytes)) {
        Some([object.arg(), Arg::None, Arg::None, Arg::None])
    } else {
        None
    }
}

/// Whether a value of this type may be used as a barrier.
const fn is_barrier(ty: &Type<'_>) -> bool {
    match ty {
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
    }
}

pub(in crate::rules) const fn wants_barrier(operand: Shape<'_>, _: Object<'_>) -> bool {
    matches!(operand.form.role, Role::Barrier)
}

pub(in crate::rules) const fn not_a_barrier<'a>(
    operand: StorageAccess<'a>,
    object: Object<'a>,
) -> Option<Args<'a>> {
    match find!(operand, object, |ty, _within| is_barrier(ty)) {
        Found::Misfit(found) => Some([object.arg(), Arg::Type(found), Arg::None, Arg::None]),
        Found::Fits => None,
    }
}

/// Whether a value of this type may be used as a tensor map.
const fn is_map(ty: &Type<'_>) -> bool {
    match ty {
        Type::Struct(layout) => matches!(layout.kind, StructKind::TensorMap(_)),
        Type::Scalar(scalar) => !matches!(scalar.class(), Class::Float),
        Type::Vector(..)
        | Type::Array(..)
        | Type::Aligned(..)
        | Type::Opaque(_)
        | Type::Family(..)
        | Type::Unknown => false,
    }
}

pub(in crate::rules) const fn wants_map(operand: Shape<'_>, _: Object<'_>) -> bool {
    matches!(operand.form.role, Role::Map)
}

pub(in crate::rules) const fn not_a_map<'a>(
    operand: StorageAccess<'a>,
    object: Object<'a>,
) -> Option<Args<'a>> {
    match find!(operand, object, |ty, _within| is_map(ty)) {
        Found::Misfit(found) => Some([object.arg(), Arg::Type(found), Arg::None, Arg::None]),
        Found::Fits => None,
    }
}

/// The map that an operand refers to.
pub(in crate::rules) const fn map_of(offset: Offset, object: Object<'_>) -> Option<&Spec> {
    let Some(places) = Starts::of(offset, object) else { return None };
    if offset.step != 0 || places.count == 0 {
        return None;
    }
    match object.ty().at(places.first()) {
        Some((Type::Struct(layout), _)) => match layout.kind {
            StructKind::TensorMap(spec) => Some(spec),
            StructKind::Fields | StructKind::Tile(_) | StructKind::Mbarrier => None,
        },
        Some(_) | None => None,
    }
}

/// Whether an instruction specifies the tensor that it copies.
pub(in crate::rules) const fn names_tensor(operand: Shape<'_>, _: Object<'_>) -> bool {
    operand.form.tensor.is_some()
}

pub(in crate::rules) const fn wrong_rank<'a>(
    operand: StorageAccess<'a>,
    object: Object<'a>,
) -> Option<Args<'a>> {
    let Some(tensor) = operand.form.tensor else { return None };
    match (map_of(operand.offset, object), tensor.rank) {
        (Some(spec), Some(rank)) if spec.rank != rank => {
            Some([object.arg(), Arg::Int(spec.rank as i128), Arg::Int(rank as i128), NONE])
        }
        (_, _) => None,
    }
}

pub(in crate::rules) const fn wrong_mode<'a>(
    operand: StorageAccess<'a>,
    object: Object<'a>,
) -> Option<Args<'a>> {
    let Some(tensor) = operand.form.tensor else { return None };
    match map_of(operand.offset, object) {
        Some(spec) if !tensor.mode.is_of(&spec.mode) => {
            Some([object.arg(), Arg::Name(spec.mode.name()), Arg::Name(tensor.mode.name()), NONE])
        }
        Some(_) | None => None,
    }
}

/// Whether values of this type are raw bits, which are compatible with every type.
const fn is_any(ty: ScalarType) -> bool {
    matches!(ty.class(), Class::Bits) && ty.is_fundamental()
}

/// Whether an instruction may access an element as this type: one of the same size and a compatible class (PTX ISA
/// 5.2.1). Raw bits can be read from anything, and anything from raw bits or bytes.
const fn is_compatible(ty: &Type<'_>, within: usize, taken: ScalarType, is_ordered: bool) -> bool {
    let is = match ty {
        Type::Scalar(scalar) | Type::Vector(_, scalar) => *scalar,
        Type::Struct(Struct { kind: StructKind::Tile(spec), .. }) => {
            return !is_other_format(spec.element.name(), taken);
        }
        // Other rules are about these bytes, and the others are not elements.
        Type::Struct(_)
        | Type::Array(..)
        | Type::Aligned(..)
        | Type::Opaque(_)
        | Type::Family(..)
        | Type::Unknown => return true,
    };
    if is_any(taken)
        || is_any(is)
        || matches!(is, ScalarType::U8)
        || is.bytes() == 0
        // An alignment rule reports that.
        || !within.is_multiple_of(is.bytes())
        || is_packed_of(taken, is)
        || is_packed_of(is, taken)
    {
        return true;
    }
    is.bytes() == taken.bytes()
        && match (is.class(), taken.class()) {
            (Class::Signed, Class::Unsigned) | (Class::Unsigned, Class::Signed) if is_ordered => {
                false
            }
            (Class::Bits, _)
            | (_, Class::Bits)
            | (Class::Signed | Class::Unsigned, Class::Signed | Class::Unsigned) => true,
            (Class::Float, Class::Float) => is as u8 == taken as u8,
            (Class::Float | Class::Signed | Class::Unsigned | Class::Predicate, _) => false,
        }
}

/// Whether floating-point elements of a tile are accessed in another format, or as integers of their size: `bf16` as
/// `f16x2`, `f32` as `u32`. An access as larger integers may be a copy or an initialisation.
const fn is_other_format(element: &str, taken: ScalarType) -> bool {
    const FLOATS: &[&str] = &["f16", "bf16", "tf32", "f32", "f64"];
    let bytes = match element.as_bytes() {
        [b'f' | b'b', .., b'1', b'6'] => 2,
        [.., b'3', b'2'] => 4,
        _ => 8,
    };
    if matches!(taken.class(), Class::Signed | Class::Unsigned) {
        return contains(FLOATS, element) && bytes == taken.bytes();
    }
    let taken = taken.name();
    let taken = match taken.as_bytes() {
        [.., b'x', b'2'] => taken.split_at(taken.len() - 2).0,
        _ => taken,
    };
    let is_same = same(element, taken) || same(element, "tf32") && same(taken, "f32");
    contains(FLOATS, element) && contains(FLOATS, taken) && !is_same
}

/// Whether `packed` consists of several `one`: `f16x2` of `f16`.
const fn is_packed_of(packed: ScalarType, one: ScalarType) -> bool {
    let (packed, one) = (packed.name().as_bytes(), one.name().as_bytes());
    if packed.len() != one.len() + 2 || packed[one.len()] != b'x' {
        return false;
    }
    let mut i = 0;
    while i < one.len() {
        if packed[i] != one[i] {
            return false;
        }
        i += 1;
    }
    true
}

/// The fix for an access of this many bytes with another type than the declared one: loads and stores support raw
/// bits, and most atomic operations do not.
const fn type_fix(direction: Direction, declared: ScalarType, bytes: usize) -> Arg<'static> {
    match (direction, bytes) {
        (Direction::ReadWrite, 2) => Arg::Either {
            rust: "declare it as bits, `B16`, which any type can access",
            ptx: "declare it as bits, `.b16`, which any type can access",
        },
        (Direction::ReadWrite, 4) => Arg::Either {
            rust: "declare it as bits, `B32`, which any type can access",
            ptx: "declare it as bits, `.b32`, which any type can access",
        },
        (Direction::ReadWrite, _) => Arg::Either {
            rust: "declare it as bits, `B64`, which any type can access",
            ptx: "declare it as bits, `.b64`, which any type can access",
        },
        // A register of another size cannot hold it.
        (_, _) if bytes == declared.bytes() && is_loaded(declared) => {
            Arg::Retype(Some(declared.name()), bytes)
        }
        (_, _) => Arg::Retype(None, bytes),
    }
}

/// Whether `ld` and `st` support the type (PTX ISA 9.7.9.8).
const fn is_loaded(ty: ScalarType) -> bool {
    match ty.class() {
        Class::Signed | Class::Unsigned => ty.is_fundamental(),
        Class::Float => matches!(ty, ScalarType::F32 | ScalarType::F64),
        Class::Bits | Class::Predicate => false,
    }
}

/// Whether an access interprets its data as a certain type.
pub(in crate::rules) const fn takes_type(operand: Shape<'_>, _: Object<'_>) -> bool {
    match operand.form.ty {
        Some(taken) => {
            !is_any(taken)
                && !operand.settled.is_zero
                && !matches!(operand.form.direction, Direction::Taken)
        }
        None => false,
    }
}

pub(in crate::rules) const fn wrong_type<'a>(
    operand: StorageAccess<'a>,
    object: Object<'a>,
) -> Option<Args<'a>> {
    let Some(taken) = operand.form.ty else { return None };
    let is_ordered = operand.form.is_ordered;
    let found = find!(operand, object, |ty, within| is_compatible(ty, within, taken, is_ordered));
    let (is, fix) = match found {
        Found::Misfit(Type::Scalar(is) | Type::Vector(_, is)) => {
            (Arg::Scalar(*is), type_fix(operand.form.direction, *is, taken.bytes()))
        }
        Found::Misfit(Type::Struct(layout)) => match layout.kind {
            StructKind::Tile(spec) => {
                let own = "write the type of its elements, or `.b32` for the raw bits";
                (Arg::Str(spec.element.name()), Arg::Str(own))
            }
            StructKind::Fields | StructKind::Mbarrier | StructKind::TensorMap(_) => return None,
        },
        Found::Misfit(_) | Found::Fits => return None,
    };
    Some([object.arg(), is, Arg::Scalar(taken), fix])
}

/// Whether an access may read part of a map as numbers; a copy of its raw bits is legal.
pub(in crate::rules) const fn takes_numbers(operand: Shape<'_>, object: Object<'_>) -> bool {
    match operand.form.ty {
        Some(taken) => {
            !matches!(taken.class(), Class::Bits)
                && !matches!(operand.form.direction, Direction::Taken)
                && has_map(object.ty())
        }
        None => false,
    }
}

/// Whether a type contains a tensor map.
const fn has_map(ty: &Type<'_>) -> bool {
    match ty {
        Type::Array(_, inner) | Type::Family(_, inner) | Type::Aligned(_, inner) => has_map(inner),
        Type::Struct(layout) => match layout.kind {
            StructKind::TensorMap(_) => true,
            StructKind::Tile(_) | StructKind::Mbarrier => false,
            StructKind::Fields => {
                let mut i = 0;
                while i < layout.fields.len() {
                    if has_map(layout.fields[i].ty) {
                        return true;
                    }
                    i += 1;
                }
                false
            }
        },
        Type::Scalar(_) | Type::Vector(..) | Type::Opaque(_) | Type::Unknown => false,
    }
}

pub(in crate::rules) const fn map_loaded<'a>(
    operand: StorageAccess<'a>,
    object: Object<'a>,
) -> Option<Args<'a>> {
    match map_of(operand.offset, object) {
        Some(_) => Some([object.arg(), NONE, NONE, NONE]),
        None => None,
    }
}
