//! Tests of initial values.

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

/// An element of the initial value of a variable that does not fit: a number, an address, a list, or the value as a whole.
#[derive(Clone, Copy, Debug)]
pub(super) struct Misfit<'a> {
    /// The name of the variable.
    pub(super) name: &'a str,
    /// What the variable allows.
    pub(super) allow: &'a [&'a str],
    ty: &'a Type<'a>,
    fault: Fault,
}

/// Why an element of an initial value does not fit.
#[derive(Clone, Copy, Debug)]
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
    /// Whether the kind of value causes it, and not the number.
    const fn is_of_type(&self) -> bool {
        match self {
            Self::OutOfRange(..) | Self::Infinite(_) | Self::Mask(_) => false,
            Self::Kind(..)
            | Self::Bits(..)
            | Self::Shape(..)
            | Self::Members
            | Self::AddressIn(_)
            | Self::AddressInU32
            | Self::MaskIn(_) => true,
        }
    }

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

/// How a value fits a type.
enum Fit<'a> {
    /// As a whole, or not for this reason.
    Whole(Option<Fault>),
    /// Each element that it may have has to fit this type. One beyond this number does not fit for this reason.
    Elements(&'a Type<'a>, usize, Fault),
}

/// How a value fits a type, apart from its elements.
const fn fit<'a>(ty: &'a Type<'a>, value: &Value<'_>) -> Fit<'a> {
    let fault = match (ty, value) {
        (Type::Aligned(_, inner), value) => return fit(inner, value),
        (
            Type::Vector(lanes, scalar),
            list @ (Value::List(_) | Value::Integers(_) | Value::Floats(_)),
        ) => {
            let miscounted = Fault::Shape(
                "a vector takes a value for each element",
                "write one value for each element",
            );
            if length(list) >= *lanes as usize {
                return Fit::Elements(Type::of_scalar(*scalar), *lanes as usize, miscounted);
            }
            Some(miscounted)
        }
        (Type::Struct(_), Value::List(_) | Value::Integers(_) | Value::Floats(_)) => {
            return fit_bytes(ty, value);
        }
        (Type::Array(_, element), Value::List(_) | Value::Integers(_) | Value::Floats(_))
            if matches!(element.element(), Type::Struct(_)) =>
        {
            return fit_bytes(ty, value);
        }
        (Type::Array(extent, element), Value::List(_) | Value::Integers(_) | Value::Floats(_)) => {
            let most = match extent {
                // Another rule reports a length of zero.
                Extent::Known(count) if *count > 0 => *count,
                Extent::Known(_) | Extent::Incomplete | Extent::Unknown => usize::MAX,
            };
            let fix = match element {
                Type::Array(..) => "nest one list of values in each dimension",
                _ => "remove some, or make the array longer",
            };
            let why = match element {
                Type::Array(..) => "it has more values than the first dimension has elements",
                _ => "it has more values than elements",
            };
            let surplus = Fault::Shape(why, fix);
            return Fit::Elements(element, most, surplus);
        }
        (Type::Scalar(scalar), value) => number_fault(*scalar, value),
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
        (Type::Family(..) | Type::Unknown, _) => None,
    };
    Fit::Whole(fault)
}

/// How a list fits structs, which are written as bytes; an array of them is one list.
const fn fit_bytes<'a>(ty: &Type<'_>, list: &Value<'_>) -> Fit<'a> {
    let surplus = Fault::Shape("it has more values than bytes", "remove some");
    match ty.size() {
        // Another rule reports a size of zero.
        Some(size) if length(list) > size && size > 0 => Fit::Whole(Some(surplus)),
        Some(_) | None => Fit::Elements(Type::of_scalar(ScalarType::U8), usize::MAX, surplus),
    }
}

/// Why a value does not fit a scalar.
const fn number_fault(scalar: ScalarType, value: &Value<'_>) -> Option<Fault> {
    match value {
        Value::Int(int) => match (scalar.class(), scalar.integer_range()) {
            (Class::Float, _) if scalar.has_carrier() || !scalar.is_fundamental() => Some(
                Fault::Bits("an integer", scalar, "write a floating-point number, or declare bits"),
            ),
            (Class::Float, _) => Some(Fault::Kind("an integer", scalar, "floating-point numbers")),
            (_, Some((least, most)))
                if *int < least || int.is_positive() && (*int).cast_unsigned() > most =>
            {
                Some(Fault::OutOfRange(scalar, *int))
            }
            (_, _) => None,
        },
        Value::Float(float) => match scalar.class() {
            Class::Signed | Class::Unsigned => {
                Some(Fault::Kind("a floating-point number", scalar, "integers"))
            }
            Class::Float if matches!(scalar, ScalarType::F16x2) => {
                Some(Fault::Bits("a single number", scalar, "write the bits of both halves"))
            }
            Class::Float => {
                if float_fits(scalar, *float) {
                    None
                } else {
                    Some(Fault::Infinite(scalar))
                }
            }
            Class::Bits if matches!((scalar, *float), (ScalarType::B64, _) | (_, 0.0)) => None,
            Class::Bits => Some(Fault::Bits(
                "a floating-point number",
                scalar,
                "write the bits as an integer, or declare a floating-point type",
            )),
            Class::Predicate => None,
        },
        Value::Address(_) => match scalar {
            ScalarType::U32 => Some(Fault::AddressInU32),
            ScalarType::U64 => None,
            scalar => Some(Fault::AddressIn(scalar)),
        },
        Value::MaskedAddress(mask, _) => match (Byte::of_mask(*mask), scalar) {
            (None, _) => Some(Fault::Mask(*mask)),
            (Some(_), ScalarType::U8) => None,
            (Some(_), ScalarType::U32 | ScalarType::U64) => Some(Fault::MaskIn(scalar)),
            (Some(_), scalar) => Some(Fault::AddressIn(scalar)),
        },
        Value::MaskedInt(mask, _) => match (Byte::of_mask(*mask), scalar) {
            (None, _) => Some(Fault::Mask(*mask)),
            (Some(_), ScalarType::U8) => None,
            (Some(_), ScalarType::F32 | ScalarType::F64) => {
                Some(Fault::Kind("one byte of an integer", scalar, "floating-point numbers"))
            }
            (Some(_), scalar) => Some(Fault::MaskIn(scalar)),
        },
        Value::List(_) | Value::Integers(_) | Value::Floats(_) => {
            Some(Fault::Shape("a scalar takes one value", "remove the braces, or declare an array"))
        }
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

const fn length(list: &Value<'_>) -> usize {
    match list.elements() {
        Some(length) => length,
        None => 0,
    }
}

/// The first fault of a value for a type, preferably one that ptxas refuses.
const fn first_fault(ty: &Type<'_>, value: &Value<'_>) -> Option<Fault> {
    let (element, most, surplus) = match fit(ty, value) {
        Fit::Whole(fault) => return fault,
        Fit::Elements(element, most, surplus) => (element, most, surplus),
    };
    let length = length(value);
    if length > most {
        return Some(surplus);
    }
    let (mut first, mut i) = (None, 0);
    while i < length {
        match first_fault(element, &value.element(i)) {
            Some(fault) if fault.is_refused() => return Some(fault),
            Some(fault) if first.is_none() => first = Some(fault),
            Some(_) | None => {}
        }
        i += 1;
    }
    first
}

/// Calls `found` with each fault of a value for a type, and the index of the element: `next` is that of the value, and
/// becomes the one after the value and all that is in it. In each list, the first value of a wrong kind that ptxas
/// refuses stands for the others, as does the first that it accepts; and the first surplus element stands for all that
/// is wrong with the list.
fn each_fault(
    ty: &Type<'_>,
    value: &Value<'_>,
    next: &mut usize,
    found: &mut impl FnMut(usize, Fault),
) {
    let index = *next;
    match fit(ty, value) {
        Fit::Elements(element, most, surplus) => {
            *next += 1;
            let is_surplus = length(value) > most;
            let mut is_seen = [false; 2];
            for n in 0..length(value) {
                let inner = value.element(n);
                if n == most {
                    found(*next, surplus);
                }
                let is_told = match fit(element, &inner) {
                    Fit::Whole(Some(fault)) if fault.is_of_type() => {
                        let is_refused = usize::from(fault.is_refused());
                        core::mem::replace(&mut is_seen[is_refused], true)
                    }
                    Fit::Whole(_) | Fit::Elements(..) => false,
                };
                if is_surplus || is_told {
                    *next += inner.each(&mut |_, _| {});
                } else {
                    each_fault(element, &inner, next, found);
                }
            }
        }
        Fit::Whole(fault) => {
            *next += value.each(&mut |_, _| {});
            if let Some(fault) = fault {
                found(index, fault);
            }
        }
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

impl<'a> Misfit<'a> {
    const fn of(variable: &Variable<'a>, fault: Fault) -> Self {
        let Variable { name, allow, ty, .. } = *variable;
        Self { name, allow, ty, fault }
    }

    const fn of_any(variable: &Variable<'a>, fault: Option<Fault>) -> Option<Self> {
        match fault {
            Some(fault) => Some(Self::of(variable, fault)),
            None => None,
        }
    }

    /// The first element of the initial value of a variable that does not fit, preferably one that ptxas refuses.
    pub(super) const fn first(variable: &Variable<'a>) -> Option<Self> {
        let fault = match &variable.init {
            Init::Value(value) if !variable.is_dynamic() => first_fault(variable.ty, value),
            _ => whole_fault(variable),
        };
        Self::of_any(variable, fault)
    }

    /// Calls `found` with each element that does not fit, and its index among all elements of the value.
    pub(super) fn each(variable: &Variable<'a>, found: &mut impl FnMut(usize, Self)) {
        let found = &mut |n, fault| found(n, Self::of(variable, fault));
        match &variable.init {
            Init::Value(value) if !variable.is_dynamic() => {
                each_fault(variable.ty, value, &mut 0, found);
            }
            _ => {
                if let Some(fault) = whole_fault(variable) {
                    found(0, fault);
                }
            }
        }
    }

    /// A number for a scalar, as an element of the initial value of a variable, if it does not fit.
    pub(super) const fn of_number(
        variable: &Variable<'a>,
        scalar: ScalarType,
        number: &Value<'_>,
    ) -> Option<Self> {
        Self::of_any(variable, number_fault(scalar, number))
    }
}

/// Why the initial value of a variable does not fit as a whole.
const fn whole_fault(variable: &Variable<'_>) -> Option<Fault> {
    match &variable.init {
        // Another rule refuses every initial value of dynamic shared memory, which is not written.
        _ if variable.is_dynamic() => None,
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
        Init::None | Init::Value(_) | Init::Members(_) | Init::Unknown(_) => None,
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

pub(super) const fn integer_out_of_range(misfit: Misfit<'_>) -> Option<Args<'_>> {
    match misfit.fault {
        Fault::OutOfRange(scalar, value) => match scalar.integer_range() {
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

pub(super) const fn inexact_kind(misfit: Misfit<'_>) -> Option<Args<'_>> {
    match misfit.fault {
        Fault::Kind(is, scalar, takes) => Some([
            Arg::Str(misfit.name),
            Arg::Str(is),
            Arg::Str(scalar.declared()),
            Arg::Str(takes),
        ]),
        _ => None,
    }
}

pub(super) const fn value_shape(misfit: Misfit<'_>) -> Option<Args<'_>> {
    match misfit.fault {
        Fault::Shape(why, fix) => {
            Some([Arg::Str(misfit.name), Arg::Type(misfit.ty), Arg::Str(why), Arg::Str(fix)])
        }
        Fault::Members => {
            let fix = Arg::Either {
                rust: "write `TexRef::new()`, `SamplerRef::new()` or `SurfRef::new()`, with the members set",
                ptx: "assign its members, as in `{ filter_mode = linear }`",
            };
            let why = Arg::Str("its members are set by name");
            Some([Arg::Str(misfit.name), Arg::Type(misfit.ty), why, fix])
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

pub(super) const fn float_becomes_infinite(misfit: Misfit<'_>) -> Option<Args<'_>> {
    match misfit.fault {
        Fault::Infinite(scalar) => {
            Some([Arg::Str(misfit.name), Arg::Str(scalar.name()), NONE, NONE])
        }
        _ => None,
    }
}

pub(super) const fn bits_or_number(misfit: Misfit<'_>) -> Option<Args<'_>> {
    match misfit.fault {
        Fault::Bits(is, scalar, fix) => {
            Some([Arg::Str(misfit.name), Arg::Str(is), Arg::Str(scalar.name()), Arg::Str(fix)])
        }
        _ => None,
    }
}

pub(super) const fn address_type(misfit: Misfit<'_>) -> Option<Args<'_>> {
    match misfit.fault {
        Fault::AddressIn(scalar) => {
            Some([Arg::Str(misfit.name), Arg::Str(scalar.declared()), NONE, NONE])
        }
        _ => None,
    }
}

pub(super) const fn address_in_u32(misfit: Misfit<'_>) -> Option<Args<'_>> {
    match misfit.fault {
        Fault::AddressInU32 => Some([Arg::Str(misfit.name), NONE, NONE, NONE]),
        _ => None,
    }
}

pub(super) const fn mask_not_a_byte(misfit: Misfit<'_>) -> Option<Args<'_>> {
    match misfit.fault {
        Fault::Mask(mask) => Some([Arg::Int(mask as i128), NONE, NONE, NONE]),
        _ => None,
    }
}

pub(super) const fn mask_type(misfit: Misfit<'_>) -> Option<Args<'_>> {
    match misfit.fault {
        Fault::MaskIn(scalar) => {
            Some([Arg::Str(misfit.name), Arg::Str(scalar.declared()), NONE, NONE])
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
