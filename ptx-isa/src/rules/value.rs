//! Tests of initial values.

use alloc::vec::Vec;

use super::{Arg, Args, Environment, NONE, Scope, too_new};
use crate::ir::{Byte, Extent, Init, Link, Type, Value, Variable};
use crate::scalar::{Class, ScalarType};

pub(super) const fn initialiser_space<'a>(
    variable: &Variable<'a>,
    _: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    if matches!(variable.init, Init::None)
        || variable.space.is_initialisable()
        || variable.is_dynamic()
    {
        return None;
    }
    Some([Arg::Str(variable.name), Arg::Str(variable.space.directive()), NONE, NONE])
}

pub(super) const fn initialiser_of_extern<'a>(
    variable: &Variable<'a>,
    _: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match (variable.init, variable.linkage) {
        (Init::None, _) => None,
        (_, linkage) if linkage.is_elsewhere() && !variable.is_dynamic() => {
            Some([Arg::Str(variable.name), NONE, NONE, NONE])
        }
        (_, _) => None,
    }
}

pub(super) const fn initialiser_of_dynamic<'a>(
    variable: &Variable<'a>,
    _: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match variable.init {
        Init::None => None,
        _ if variable.is_dynamic() => Some([Arg::Str(variable.name), NONE, NONE, NONE]),
        _ => None,
    }
}

/// A fault of a literal value.
enum Fault {
    OutOfRange(ScalarType, i128),
    Kind(&'static str, ScalarType, &'static str),
    Bits(&'static str, ScalarType, &'static str),
    Shape(&'static str, &'static str),
    /// The value of an opaque type must assign members by name.
    Members,
    Infinite(ScalarType),
    AddressIn(ScalarType),
    AddressInU32,
    MaskIn(ScalarType),
    Mask(u64),
}

impl Fault {
    /// Whether ptxas refuses it as well; these faults take precedence.
    const fn is_refused(&self) -> bool {
        match self {
            Self::Kind(..)
            | Self::Shape(..)
            | Self::Members
            | Self::AddressIn(_)
            | Self::Mask(_) => true,
            Self::OutOfRange(..)
            | Self::Bits(..)
            | Self::Infinite(_)
            | Self::AddressInU32
            | Self::MaskIn(_) => false,
        }
    }
}

/// The first fault of a literal value for a type, preferably one that ptxas refuses.
const fn value_fault(ty: &Type<'_>, value: &Value<'_>) -> Option<Fault> {
    match (ty, value) {
        (Type::Scalar(scalar), Value::Int(int)) => match (scalar.class(), scalar.integer_range()) {
            (Class::Float, _) if scalar.has_carrier() || !scalar.is_fundamental() => {
                Some(Fault::Bits(
                    "an integer",
                    *scalar,
                    "write a floating-point number, or declare bits",
                ))
            }
            (Class::Float, _) => Some(Fault::Kind("an integer", *scalar, "floating-point numbers")),
            (_, Some((least, most)))
                if *int < least || int.is_positive() && (*int).cast_unsigned() > most =>
            {
                Some(Fault::OutOfRange(*scalar, *int))
            }
            (_, _) => None,
        },
        (Type::Scalar(scalar), Value::Float(float)) => match scalar.class() {
            Class::Signed | Class::Unsigned => {
                Some(Fault::Kind("a floating-point number", *scalar, "integers"))
            }
            Class::Float if matches!(scalar, ScalarType::F16x2) => {
                Some(Fault::Bits("a single number", *scalar, "write the bits of both halves"))
            }
            Class::Float => {
                if float_fits(*scalar, *float) {
                    None
                } else {
                    Some(Fault::Infinite(*scalar))
                }
            }
            Class::Bits if matches!((scalar, *float), (ScalarType::B64, _) | (_, 0.0)) => None,
            Class::Bits => Some(Fault::Bits(
                "a floating-point number",
                *scalar,
                "write the bits as an integer, or declare a floating-point type",
            )),
            Class::Predicate => None,
        },
        (Type::Scalar(ScalarType::U32), Value::Address(_)) => Some(Fault::AddressInU32),
        (Type::Scalar(scalar), Value::Address(_)) if !matches!(scalar, ScalarType::U64) => {
            Some(Fault::AddressIn(*scalar))
        }
        (Type::Scalar(scalar), Value::MaskedAddress(mask, _)) => {
            match (Byte::of_mask(*mask), scalar) {
                (None, _) => Some(Fault::Mask(*mask)),
                (Some(_), ScalarType::U8) => None,
                (Some(_), ScalarType::U32 | ScalarType::U64) => Some(Fault::MaskIn(*scalar)),
                (Some(_), scalar) => Some(Fault::AddressIn(*scalar)),
            }
        }
        (Type::Scalar(scalar), Value::MaskedInt(mask, _)) => match (Byte::of_mask(*mask), scalar) {
            (None, _) => Some(Fault::Mask(*mask)),
            (Some(_), ScalarType::U8) => None,
            (Some(_), ScalarType::F32 | ScalarType::F64) => {
                Some(Fault::Kind("one byte of an integer", *scalar, "floating-point numbers"))
            }
            (Some(_), scalar) => Some(Fault::MaskIn(*scalar)),
        },
        (
            Type::Vector(lanes, scalar),
            list @ (Value::List(_) | Value::Integers(_) | Value::Floats(_)),
        ) => {
            if length(list) != *lanes as usize {
                return Some(Fault::Shape(
                    "a vector takes a value for each element",
                    "write one value for each element",
                ));
            }
            list_fault(&Type::Scalar(*scalar), list)
        }
        (Type::Struct(_), list @ (Value::List(_) | Value::Integers(_) | Value::Floats(_))) => {
            bytes_fault(ty, list)
        }
        (
            Type::Array(_, element),
            list @ (Value::List(_) | Value::Integers(_) | Value::Floats(_)),
        ) if matches!(element.element(), Type::Struct(_)) => bytes_fault(ty, list),
        (
            Type::Array(extent, element),
            list @ (Value::List(_) | Value::Integers(_) | Value::Floats(_)),
        ) => match extent {
            // Another rule reports a length of zero.
            Extent::Known(count) if length(list) > *count && *count > 0 => Some(Fault::Shape(
                "it has more values than elements",
                match element {
                    Type::Array(..) => "nest one list of values in each dimension",
                    _ => "remove some, or make the array longer",
                },
            )),
            Extent::Known(_) | Extent::Incomplete | Extent::Unknown => list_fault(element, list),
        },
        (Type::Aligned(_, inner), value) => value_fault(inner, value),
        (Type::Scalar(_), Value::List(_) | Value::Integers(_) | Value::Floats(_)) => {
            Some(Fault::Shape("a scalar takes one value", "remove the braces, or declare an array"))
        }
        (
            Type::Vector(..) | Type::Array(..) | Type::Struct(_),
            Value::Int(_)
            | Value::Float(_)
            | Value::Address(_)
            | Value::MaskedAddress(..)
            | Value::MaskedInt(..),
        ) => Some(Fault::Shape(
            "it takes a list in braces",
            "nest one list of values in each dimension",
        )),
        (Type::Opaque(_), _) => Some(Fault::Members),
        // Another rule refuses every initial value of a family.
        (Type::Scalar(_), Value::Address(_)) | (Type::Family(..) | Type::Unknown, _) => None,
    }
}

/// Whether a finite number stays finite in a type.
#[allow(clippy::cast_possible_truncation)] // the conversion shows the overflow
const fn float_fits(scalar: ScalarType, value: f64) -> bool {
    let most = match scalar {
        ScalarType::F16 => 65_520.0,
        ScalarType::Bf16 | ScalarType::F32 => {
            return !(value as f32).is_infinite() || value.is_infinite();
        }
        _ => return true,
    };
    value.is_infinite() || value.is_nan() || (value < most && value > -most)
}

/// The first fault of a list for structs, which are written as bytes; an array of them is one list.
const fn bytes_fault(ty: &Type<'_>, list: &Value<'_>) -> Option<Fault> {
    match ty.size() {
        // Another rule reports a size of zero.
        Some(size) if length(list) > size && size > 0 => {
            Some(Fault::Shape("it has more values than bytes", "remove some"))
        }
        Some(_) | None => list_fault(&Type::Scalar(ScalarType::U8), list),
    }
}

const fn length(list: &Value<'_>) -> usize {
    match list.elements() {
        Some(length) => length,
        None => 0,
    }
}

const fn list_fault(element: &Type<'_>, list: &Value<'_>) -> Option<Fault> {
    let (mut first, mut i) = (None, 0);
    while i < length(list) {
        match value_fault(element, &list.element(i)) {
            Some(fault) if fault.is_refused() => return Some(fault),
            Some(fault) if first.is_none() => first = Some(fault),
            Some(_) | None => {}
        }
        i += 1;
    }
    first
}

/// The numbers of the elements, from the outermost list, that lead to the part of an initial value that does not fit its
/// type, as the rules about values report it; none if the value as a whole does not fit.
pub fn unfit_element(variable: &Variable<'_>) -> Vec<usize> {
    let mut path = Vec::new();
    let Init::Value(mut value) = variable.init else { return path };
    let mut ty = variable.ty;
    loop {
        let count = match ty {
            Type::Array(Extent::Known(count), _) if *count > 0 => *count,
            Type::Vector(lanes, _) => usize::from(*lanes),
            _ => usize::MAX,
        };
        ty = match (ty, value.elements()) {
            (Type::Aligned(_, inner), _) => {
                ty = inner;
                continue;
            }
            // The first element that is one too many.
            (Type::Array(..) | Type::Vector(..), Some(length)) if length > count => {
                path.push(count);
                return path;
            }
            (Type::Array(_, element), Some(_)) => element,
            (Type::Vector(lanes, scalar), Some(length)) if length == usize::from(*lanes) => {
                Type::of_scalar(*scalar)
            }
            (_, _) => return path,
        };
        let faults = (0..length(&value))
            .filter_map(|n| Some((n, value_fault(ty, &value.element(n))?.is_refused())));
        let mut first = None;
        for (n, is_refused) in faults {
            if is_refused {
                first = Some(n);
                break;
            }
            first = first.or(Some(n));
        }
        let Some(n) = first else { return path };
        path.push(n);
        value = value.element(n);
    }
}

/// Whether bytes that determine the length of an array form whole elements.
const fn is_whole(ty: &Type<'_>, bytes: usize) -> bool {
    match ty {
        Type::Array(Extent::Incomplete, element) => match element.size() {
            Some(size) => size == 0 || bytes.is_multiple_of(size),
            None => true,
        },
        _ => true,
    }
}

const fn fault_of(variable: &Variable<'_>) -> Option<Fault> {
    match &variable.init {
        // Another rule refuses every initial value of dynamic shared memory, which is not written.
        _ if variable.is_dynamic() => None,
        Init::Value(value) => value_fault(variable.ty, value),
        Init::Bytes(bytes) => match variable.bytes() {
            Some(size) if !is_whole(variable.ty, size) => {
                Some(Fault::Shape("its last element is cut off", "write a value of its type"))
            }
            Some(size) if size != bytes.len() && size > 0 => Some(Fault::Shape(
                "it has a different number of bytes",
                "write a value of its type",
            )),
            _ => None,
        },
        Init::Linked(linked) => match variable.bytes() {
            Some(size) if size != linked.bytes.len() => Some(Fault::Shape(
                "it has a different number of bytes",
                "write a value of its type",
            )),
            _ => links_fault(linked.links),
        },
        Init::Members(_) if variable.ty.opaque().is_none() && variable.ty.is_known() => {
            Some(Fault::Shape("it has no members", "write a value of its type"))
        }
        Init::None | Init::Members(_) | Init::Unknown(_) => None,
    }
}

/// The first fault of the addresses in a list of bytes.
const fn links_fault(links: &[Link<'_>]) -> Option<Fault> {
    let (mut first, mut n) = (None, 0);
    while n < links.len() {
        match (links[n].size, links[n].byte) {
            (8, None) | (1, Some(_)) => {}
            (4, None) => first = Some(Fault::AddressInU32),
            (_, _) => return Some(Fault::AddressIn(ScalarType::U8)),
        }
        n += 1;
    }
    first
}

pub(super) const fn integer_out_of_range<'a>(
    variable: &Variable<'a>,
    _: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match fault_of(variable) {
        Some(Fault::OutOfRange(scalar, value)) => match scalar.integer_range() {
            #[allow(clippy::cast_possible_wrap)] // at most 64 bits: wider types have no range
            Some((least, most)) => Some([
                Arg::Int(value),
                Arg::Str(scalar.declared()),
                Arg::Int(least),
                Arg::Int(most as i128),
            ]),
            None => None,
        },
        _ => None,
    }
}

pub(super) const fn inexact_kind<'a>(
    variable: &Variable<'a>,
    _: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match fault_of(variable) {
        Some(Fault::Kind(is, scalar, takes)) => Some([
            Arg::Str(variable.name),
            Arg::Str(is),
            Arg::Str(scalar.declared()),
            Arg::Str(takes),
        ]),
        _ => None,
    }
}

pub(super) const fn value_shape<'a>(
    variable: &Variable<'a>,
    _: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match fault_of(variable) {
        Some(Fault::Shape(why, fix)) => {
            Some([Arg::Str(variable.name), Arg::Type(variable.ty), Arg::Str(why), Arg::Str(fix)])
        }
        Some(Fault::Members) => {
            let fix = Arg::Either {
                rust: "write `TexRef::new()`, `SamplerRef::new()` or `SurfRef::new()`, with the members set",
                ptx: "assign its members, as in `{ filter_mode = linear }`",
            };
            let why = Arg::Str("its members are set by name");
            Some([Arg::Str(variable.name), Arg::Type(variable.ty), why, fix])
        }
        _ => None,
    }
}

pub(super) const fn inner_list_incomplete<'a>(
    variable: &Variable<'a>,
    _: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match &variable.init {
        // The value of dynamic shared memory is not printed.
        Init::Value(value)
            if !variable.is_dynamic() && is_incomplete_before(variable.ty, value, true) =>
        {
            Some([Arg::Str(variable.name), NONE, NONE, NONE])
        }
        Init::Value(_)
        | Init::None
        | Init::Bytes(_)
        | Init::Linked(_)
        | Init::Members(_)
        | Init::Unknown(_) => None,
    }
}

/// Whether a list other than the last has fewer values than elements.
const fn is_incomplete_before(ty: &Type<'_>, value: &Value<'_>, is_last: bool) -> bool {
    match (ty, value) {
        (
            Type::Array(extent, element),
            list @ (Value::List(_) | Value::Integers(_) | Value::Floats(_)),
        ) => {
            let length = length(list);
            if let Extent::Known(count) = extent
                && length < *count
                && !is_last
            {
                return true;
            }
            let mut i = 0;
            while i < length {
                let is_last = is_last && i + 1 == length;
                if is_incomplete_before(element, &list.element(i), is_last) {
                    return true;
                }
                i += 1;
            }
            false
        }
        (Type::Aligned(_, inner), value) => is_incomplete_before(inner, value, is_last),
        _ => false,
    }
}

pub(super) const fn float_becomes_infinite<'a>(
    variable: &Variable<'a>,
    _: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match fault_of(variable) {
        Some(Fault::Infinite(scalar)) => {
            Some([Arg::Str(variable.name), Arg::Str(scalar.name()), NONE, NONE])
        }
        _ => None,
    }
}

pub(super) const fn bits_or_number<'a>(
    variable: &Variable<'a>,
    _: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match fault_of(variable) {
        Some(Fault::Bits(is, scalar, fix)) => {
            Some([Arg::Str(variable.name), Arg::Str(is), Arg::Str(scalar.name()), Arg::Str(fix)])
        }
        _ => None,
    }
}

pub(super) const fn address_type<'a>(
    variable: &Variable<'a>,
    _: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match fault_of(variable) {
        Some(Fault::AddressIn(scalar)) => {
            Some([Arg::Str(variable.name), Arg::Str(scalar.declared()), NONE, NONE])
        }
        _ => None,
    }
}

pub(super) const fn address_in_u32<'a>(
    variable: &Variable<'a>,
    _: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match fault_of(variable) {
        Some(Fault::AddressInU32) => Some([Arg::Str(variable.name), NONE, NONE, NONE]),
        _ => None,
    }
}

pub(super) const fn mask_not_a_byte<'a>(
    variable: &Variable<'a>,
    _: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match fault_of(variable) {
        Some(Fault::Mask(mask)) => Some([Arg::Int(mask as i128), NONE, NONE, NONE]),
        _ => None,
    }
}

pub(super) const fn mask_type<'a>(
    variable: &Variable<'a>,
    _: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match fault_of(variable) {
        Some(Fault::MaskIn(scalar)) => {
            Some([Arg::Str(variable.name), Arg::Str(scalar.declared()), NONE, NONE])
        }
        _ => None,
    }
}

pub(super) const fn address_too_new<'a>(
    variable: &Variable<'a>,
    _: Scope,
    env: Environment,
) -> Option<Args<'a>> {
    too_new(Arg::Str(variable.name), variable.init_since(), env)
}

#[allow(clippy::unnecessary_wraps)] // all tests have this signature; the caller decides whether the number is exact
pub(super) const fn not_exact<'a>(
    literal: &'a str,
    scalar: ScalarType,
    nearest: &'a str,
) -> Option<Args<'a>> {
    Some([Arg::Str(literal), Arg::Str(scalar.name()), Arg::Str(nearest), NONE])
}
