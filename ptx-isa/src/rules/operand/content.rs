//! Tests of the content at an operand's start: barriers, maps, elements of other types.

use super::{
    AccessForm, Arg, Args, Computed, Direction, NONE, Object, Offset, Role, Shape, StorageAccess,
    gcd,
};
use crate::const_ord::min;
use crate::ir::{Struct, StructKind, Type};
use crate::number_format::NumberFormat;
use crate::rules::format::may_be;
use crate::scalar::Class;
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
enum FirstType<'a> {
    /// One fits, or the type is unknown.
    Fits,
    /// None fits; this is the first.
    Misfit(&'a Type<'a>),
}

macro_rules! find {
    ($operand:expr, $object:expr, |$ty:ident, $within:ident| $fits:expr) => {{
        let mut found = FirstType::Fits;
        if let Some(places) = Starts::of($operand.offset, $object) {
            let mut n = 0;
            while n < places.count {
                let at = places.at(n);
                let Some(($ty, $within)) = $object.ty().at(at) else {
                    found = FirstType::Fits;
                    break;
                };
                if $fits {
                    found = FirstType::Fits;
                    break;
                }
                if n == 0 {
                    found = FirstType::Misfit($ty);
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
        FirstType::Misfit(found) => Some([object.arg(), Arg::Type(found), Arg::None, Arg::None]),
        FirstType::Fits => None,
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
        FirstType::Misfit(found) => Some([object.arg(), Arg::Type(found), Arg::None, Arg::None]),
        FirstType::Fits => None,
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

/// The numbers that are declared at a place, with their type as a message names it; `None` for bits and bytes, and
/// where other rules apply.
const fn declared_at(ty: &Type<'_>, within: usize) -> Option<(Numbers, &'static str)> {
    let (numbers, bytes, name) = match ty {
        Type::Scalar(scalar) | Type::Vector(_, scalar) => {
            let numbers = match (NumberFormat::of_scalar(*scalar), scalar.class()) {
                (Some(format), _) => Numbers::Format(format),
                (None, Class::Signed | Class::Unsigned) if scalar.bytes() > 1 => {
                    Numbers::Integers(scalar.bytes())
                }
                (
                    None,
                    Class::Signed | Class::Unsigned | Class::Float | Class::Bits | Class::Predicate,
                ) => return None,
            };
            (numbers, scalar.bytes(), scalar.name())
        }
        Type::Struct(Struct { kind: StructKind::Tile(spec), .. }) => {
            let Some(format) = NumberFormat::of_element(spec.element) else { return None };
            (Numbers::Format(format), format.bytes(), spec.element.name())
        }
        Type::Struct(_)
        | Type::Array(..)
        | Type::Aligned(..)
        | Type::Opaque(_)
        | Type::Family(..)
        | Type::Unknown => return None,
    };
    // An alignment rule reports what starts within a number.
    if within.is_multiple_of(bytes) { Some((numbers, name)) } else { None }
}

/// The numbers that are declared at a place.
enum Numbers {
    /// In this format.
    Format(NumberFormat),
    /// Integers of this many bytes.
    Integers(usize),
}

/// Whether the declared numbers certainly become other ones where the program computes with them.
const fn become_others(
    declared: &Numbers,
    computed: Computed,
    form: AccessForm,
    object: Object<'_>,
) -> bool {
    match (declared, computed) {
        (Numbers::Format(stored), Computed::Numbers(format)) => {
            // The rules of formats report the register that narrow numbers are loaded into.
            let is_left = matches!(form.direction, Direction::Read) && stored.is_narrow();
            // Of a wider number, only the upper part is one of these, and the lower part overwrites another.
            let is_over =
                matches!(form.direction, Direction::Write) && format.bytes() > stored.bytes();
            !is_left && (is_over || !may_be(*stored, format))
        }
        // Integers may be the bits of a number, which code says by accesses as bits or integers.
        (Numbers::Integers(bytes), Computed::Numbers(format)) => {
            *bytes == format.bytes() && matches!(form.ty, Some(ty) if ty.is_float())
        }
        (Numbers::Integers(8), Computed::Address) => match object {
            Object::EntryParam(param) => param.pointer.is_some(),
            _ => false,
        },
        (Numbers::Integers(_) | Numbers::Format(_), Computed::Address) => false,
    }
}

/// The fix for an access to numbers of the declared type.
const fn type_fix(
    direction: Direction,
    (declared, bytes): (&'static str, usize),
    computed: Computed,
) -> Arg<'static> {
    match (direction, computed) {
        (_, Computed::Address) => Arg::Str("load all of it, as `.u64`"),
        (Direction::ReadWrite, Computed::Numbers(_)) => match bytes {
            1 | 2 => Arg::Either {
                rust: "declare it as bits, `B16`, which any type can access",
                ptx: "declare it as bits, `.b16`, which any type can access",
            },
            4 => Arg::Either {
                rust: "declare it as bits, `B32`, which any type can access",
                ptx: "declare it as bits, `.b32`, which any type can access",
            },
            _ => Arg::Either {
                rust: "declare it as bits, `B64`, which any type can access",
                ptx: "declare it as bits, `.b64`, which any type can access",
            },
        },
        (Direction::Write, Computed::Numbers(_)) => Arg::Retype(declared, true),
        (Direction::Read | Direction::Cache | Direction::Taken, Computed::Numbers(_)) => {
            Arg::Retype(declared, false)
        }
    }
}

/// Whether the program certainly computes with the data of an access.
pub(in crate::rules) const fn is_computed_with(operand: Shape<'_>, _: Object<'_>) -> bool {
    operand.settled.computed.is_some()
}

pub(in crate::rules) const fn wrong_type<'a>(
    operand: StorageAccess<'a>,
    object: Object<'a>,
) -> Option<Args<'a>> {
    let Some(computed) = operand.settled.computed else { return None };
    let form = operand.form;
    let found = find!(operand, object, |ty, within| match declared_at(ty, within) {
        Some((declared, _)) => !become_others(&declared, computed, form, object),
        None => true,
    });
    let FirstType::Misfit(ty) = found else { return None };
    let Some((numbers, declared)) = declared_at(ty, 0) else { return None };
    let taken = match (computed, form.ty) {
        // Both numbers of a packed type.
        (Computed::Numbers(format), Some(ty)) if ty.is_float() && ty.bytes() > format.bytes() => {
            ty.name()
        }
        (Computed::Numbers(format), _) => format.name(),
        (Computed::Address, _) => "u32",
    };
    let (stored, bytes) = match (ty, numbers) {
        (Type::Scalar(scalar) | Type::Vector(_, scalar), _) => {
            (Arg::Scalar(*scalar), scalar.bytes())
        }
        (_, Numbers::Format(format)) => (Arg::Str(declared), format.bytes()),
        (_, Numbers::Integers(bytes)) => (Arg::Str(declared), bytes),
    };
    let fix = type_fix(form.direction, (declared, bytes), computed);
    Some([object.arg(), stored, Arg::Str(taken), fix])
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
