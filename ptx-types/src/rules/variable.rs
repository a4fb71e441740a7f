//! Tests of variables, parameters and names.

use super::{Arg, Args, Environment};
use crate::ident;
use crate::ir::{Extent, Init, Linkage, MANAGED_SINCE, Param, Struct, Type, Value, Variable, same};
use crate::rules::CONST_BYTES;
use crate::scalar::{Class, ScalarType};
use crate::space::Space;

/// Where a variable is declared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scope {
    /// Outside functions.
    Module,
    /// As a parameter.
    Param,
    /// In a body.
    Body,
}

/// A gap between the fields of a struct, or at its end.
#[derive(Clone, Copy, Debug)]
pub struct Padding<'a> {
    /// The struct's name.
    pub name: &'a str,
    /// The size of the gap in bytes.
    pub bytes: usize,
    /// The field after the gap; `None` for the end of the struct.
    pub before: Option<&'a str>,
}

impl<'a> Padding<'a> {
    /// The gap before field `n`, or at the end for `n` past the last.
    pub const fn before_field(layout: &Struct<'a>, n: usize) -> Self {
        let before = if n < layout.fields.len() { Some(layout.fields[n].name) } else { None };
        Self { name: layout.name, bytes: layout.gap_before(n), before }
    }
}

const NONE: Arg<'static> = Arg::None;

pub(super) const fn illegal_name<'a>(
    variable: &Variable<'a>,
    _: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match ident::fault(variable.name) {
        Some(fault) => {
            Some([Arg::Str(variable.name), Arg::Str(fault.reason()), Arg::Str(fault.fix()), NONE])
        }
        None => None,
    }
}

pub(super) const fn same_name<'a>(name: &'a str, earlier: &'a str) -> Option<Args<'a>> {
    if same(name, earlier) { Some([Arg::Str(name), NONE, NONE, NONE]) } else { None }
}

pub(super) const fn predicate_stored<'a>(
    variable: &Variable<'a>,
    _: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match variable.ty.scalar() {
        Some(ScalarType::Pred) if !matches!(variable.space, Space::Reg) => {
            Some([Arg::Str(variable.name), NONE, NONE, NONE])
        }
        _ => None,
    }
}

pub(super) const fn vector_too_wide<'a>(
    variable: &Variable<'a>,
    _: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match variable.ty.element() {
        Type::Vector(lanes, scalar) if *lanes as usize * scalar.bytes() > 16 => {
            let bytes = *lanes as usize * scalar.bytes();
            let instead = match (scalar.bytes(), scalar) {
                (8, ScalarType::F64) => "`V2<f64>`",
                (8, ScalarType::U64) => "`V2<u64>`",
                (8, ScalarType::S64) => "`V2<i64>`",
                (8, _) => "`V2<B64>`",
                (16, _) => "an array, `[B128; N]`",
                (_, _) => "`V4`",
            };
            Some([Arg::Type(variable.ty.element()), Arg::Bytes(bytes), Arg::Str(instead), NONE])
        }
        _ => None,
    }
}

pub(super) const fn vector_lanes<'a>(
    variable: &Variable<'a>,
    _: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match variable.ty.element() {
        Type::Vector(2 | 4, _) => None,
        Type::Vector(lanes, _) => {
            Some([Arg::Type(variable.ty.element()), Arg::Int(*lanes as i128), NONE, NONE])
        }
        _ => None,
    }
}

/// The powers of two around an alignment that is none.
const fn around(align: usize) -> (Arg<'static>, Arg<'static>) {
    if align == 0 {
        return (Arg::Int(1), Arg::Int(2));
    }
    let below = 1usize << align.ilog2();
    (Arg::Int(below as i128), Arg::Int(below as i128 * 2))
}

pub(super) const fn align_not_power_of_two<'a>(
    variable: &Variable<'a>,
    _: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match variable.align {
        Some(align) if !align.is_power_of_two() => {
            let (below, above) = around(align);
            Some([Arg::Int(align as i128), below, above, NONE])
        }
        _ => None,
    }
}

pub(super) const fn align_below_natural<'a>(
    variable: &Variable<'a>,
    _: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match (variable.align, variable.ty.align()) {
        (Some(align), Some(natural))
            if align.is_power_of_two() && align < natural && !variable.allows("D006") =>
        {
            let (align, natural) = (Arg::Int(align as i128), Arg::Int(natural as i128));
            Some([align, natural, Arg::Type(variable.ty.element()), NONE])
        }
        _ => None,
    }
}

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
    if matches!(variable.init, Init::None) || !matches!(variable.linkage, Linkage::Extern) {
        return None;
    }
    let what = if variable.is_dynamic() {
        "dynamic shared memory, which the launch provides,"
    } else {
        "defined elsewhere"
    };
    Some([Arg::Str(variable.name), Arg::Str(what), NONE, NONE])
}

pub(super) const fn extent_zero<'a>(
    variable: &Variable<'a>,
    _: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    let mut n = 0;
    while let Some(extent) = variable.ty.extent(n) {
        if matches!(extent, Extent::Known(0)) {
            return Some([Arg::Str(variable.name), Arg::Type(variable.ty), NONE, NONE]);
        }
        n += 1;
    }
    None
}

pub(super) const fn extent_missing<'a>(
    variable: &Variable<'a>,
    _: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    let mut n = 0;
    while let Some(extent) = variable.ty.extent(n) {
        let first_may = n == 0
            && (variable.is_counted_by_value() || matches!(variable.linkage, Linkage::Extern));
        if matches!(extent, Extent::Incomplete) && !first_may {
            return Some([Arg::Str(variable.name), Arg::Type(variable.ty), NONE, NONE]);
        }
        n += 1;
    }
    None
}

pub(super) const fn const_variable_over_limit<'a>(
    variable: &Variable<'a>,
    _: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match (variable.space, variable.bytes()) {
        (Space::Const, Some(bytes)) if bytes > CONST_BYTES => {
            Some([Arg::Str(variable.name), Arg::Bytes(bytes), Arg::Bytes(CONST_BYTES), NONE])
        }
        _ => None,
    }
}

pub(super) const fn type_too_new<'a>(
    variable: &Variable<'a>,
    _: Scope,
    env: Environment,
) -> Option<Args<'a>> {
    let (needed, _) = variable.type_needs();
    match env.version {
        Some(version) if version.is_below(needed) => Some([
            Arg::Type(variable.ty.element()),
            Arg::Version(needed),
            Arg::Version(version),
            NONE,
        ]),
        Some(_) | None => None,
    }
}

pub(super) const fn type_wrong_target<'a>(
    variable: &Variable<'a>,
    _: Scope,
    env: Environment,
) -> Option<Args<'a>> {
    let (_, arch) = variable.type_needs();
    match env.target {
        Some(target) if target.arch() < arch => Some([
            Arg::Type(variable.ty.element()),
            Arg::Int(arch as i128),
            Arg::Str(target.name()),
            NONE,
        ]),
        Some(_) | None => None,
    }
}

pub(super) const fn linkage_too_new<'a>(
    variable: &Variable<'a>,
    _: Scope,
    env: Environment,
) -> Option<Args<'a>> {
    let needed = variable.linkage.since();
    match (env.version, variable.linkage.directive()) {
        (Some(version), Some(linkage)) if version.is_below(needed) => {
            Some([Arg::Str(linkage), Arg::Version(needed), Arg::Version(version), NONE])
        }
        _ => None,
    }
}

pub(super) const fn common_outside_global<'a>(
    variable: &Variable<'a>,
    _: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match (variable.linkage, variable.space) {
        (Linkage::Common, Space::Global) => None,
        (Linkage::Common, space) => {
            Some([Arg::Str(variable.name), Arg::Str(space.directive()), NONE, NONE])
        }
        _ => None,
    }
}

pub(super) const fn managed_outside_global<'a>(
    variable: &Variable<'a>,
    _: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    if variable.managed && !matches!(variable.space, Space::Global) {
        let space = Arg::Str(variable.space.directive());
        return Some([Arg::Str(variable.name), space, NONE, NONE]);
    }
    None
}

pub(super) const fn managed_too_new<'a>(
    variable: &Variable<'a>,
    _: Scope,
    env: Environment,
) -> Option<Args<'a>> {
    match env.version {
        Some(version) if variable.managed && version.is_below(MANAGED_SINCE) => Some([
            Arg::Str(variable.name),
            Arg::Version(MANAGED_SINCE),
            Arg::Version(version),
            NONE,
        ]),
        Some(_) | None => None,
    }
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
            Some(size) if *align > 0 && size % *align != 0 => {
                Some([Arg::Type(inner), Arg::Bytes(size), Arg::Int(*align as i128), NONE])
            }
            _ => aligned_pads_in(inner),
        },
        Type::Array(_, inner) => aligned_pads_in(inner),
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
        Type::Scalar(_) | Type::Vector(..) | Type::Unknown => None,
    }
}

pub(super) const fn space_not_here<'a>(
    variable: &Variable<'a>,
    scope: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    let (here, place) = match scope {
        Scope::Module => (variable.space.is_module_scope(), "outside a function"),
        Scope::Body => (variable.space.is_body_scope(), "in a body"),
        Scope::Param => (matches!(variable.space, Space::Param | Space::Reg), "as a parameter"),
    };
    let fix = match variable.space {
        _ if here => return None,
        Space::Tex => "`.tex` is deprecated: write `.global .texref` (PTX ISA 5.1.8)",
        Space::Sreg => "special registers are predefined: use them by name, as `%tid.x`",
        Space::Reg | Space::Local => "declare it in the body of a kernel",
        Space::Param => "declare it as a parameter of a kernel",
        Space::Const | Space::Global | Space::Shared => "declare it in the module",
    };
    Some([Arg::Str(variable.space.directive()), Arg::Str(place), Arg::Str(fix), NONE])
}

/// What is wrong with a literal value.
enum Fault {
    OutOfRange(ScalarType, i128),
    Kind(&'static str, ScalarType, &'static str),
    Shape(&'static str),
}

/// The first fault of a literal value for a type.
const fn value_fault(ty: &Type<'_>, value: &Value<'_>) -> Option<Fault> {
    match (ty, value) {
        (Type::Scalar(scalar), Value::Int(int)) => match (scalar.class(), scalar.integer_range()) {
            (Class::Float, _) if matches!(scalar, ScalarType::F32 | ScalarType::F64) => {
                Some(Fault::Kind("an integer", *scalar, "floating-point numbers"))
            }
            (_, Some((least, most)))
                if *int < least || *int > 0 && (*int).cast_unsigned() > most =>
            {
                Some(Fault::OutOfRange(*scalar, *int))
            }
            (_, _) => None,
        },
        (Type::Scalar(scalar), Value::Float(_)) => match scalar.class() {
            Class::Signed | Class::Unsigned => {
                Some(Fault::Kind("a floating-point number", *scalar, "integers"))
            }
            Class::Float | Class::Bits | Class::Predicate => None,
        },
        (Type::Vector(lanes, scalar), Value::List(values)) => {
            if values.len() != *lanes as usize {
                return Some(Fault::Shape("a vector takes a value for each element"));
            }
            list_fault(&Type::Scalar(*scalar), values)
        }
        (Type::Array(extent, element), Value::List(values)) => match extent {
            Extent::Known(count) if values.len() > *count => {
                Some(Fault::Shape("there are more values than elements"))
            }
            Extent::Known(_) | Extent::Incomplete | Extent::Unknown => list_fault(element, values),
        },
        (Type::Aligned(_, inner), value) => value_fault(inner, value),
        (Type::Struct(_), Value::List(values)) => list_fault(&Type::Scalar(ScalarType::B8), values),
        (Type::Scalar(_), Value::List(_)) => Some(Fault::Shape("a scalar takes one value")),
        (Type::Vector(..) | Type::Array(..) | Type::Struct(_), Value::Int(_) | Value::Float(_)) => {
            Some(Fault::Shape("it takes a list in braces"))
        }
        (Type::Unknown, _) => None,
    }
}

const fn list_fault(element: &Type<'_>, values: &[Value<'_>]) -> Option<Fault> {
    let mut i = 0;
    while i < values.len() {
        if let Some(fault) = value_fault(element, &values[i]) {
            return Some(fault);
        }
        i += 1;
    }
    None
}

const fn fault_of(variable: &Variable<'_>) -> Option<Fault> {
    match &variable.init {
        Init::Value(value) => value_fault(variable.ty, value),
        Init::Bytes(bytes) => match variable.bytes() {
            Some(size) if size != bytes.len() => Some(Fault::Shape("its bytes are not as many")),
            _ => None,
        },
        Init::None | Init::Unknown => None,
    }
}

pub(super) const fn integer_out_of_range<'a>(
    variable: &Variable<'a>,
    _: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match fault_of(variable) {
        Some(Fault::OutOfRange(scalar, value)) => match scalar.integer_range() {
            #[allow(clippy::cast_possible_wrap)] // at most 64 bits: wider ones hold every value
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
        Some(Fault::Shape(why)) => {
            Some([Arg::Str(variable.name), Arg::Type(variable.ty), Arg::Str(why), NONE])
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
        Init::Value(value)
            if is_incomplete_before(variable.ty, value, true) && !variable.allows("D024") =>
        {
            Some([Arg::Str(variable.name), NONE, NONE, NONE])
        }
        Init::Value(_) | Init::None | Init::Bytes(_) | Init::Unknown => None,
    }
}

/// Whether a list that is not the last has fewer values than elements.
const fn is_incomplete_before(ty: &Type<'_>, value: &Value<'_>, is_last: bool) -> bool {
    match (ty, value) {
        (Type::Array(extent, element), Value::List(values)) => {
            if let Extent::Known(count) = extent
                && values.len() < *count
                && !is_last
            {
                return true;
            }
            let mut i = 0;
            while i < values.len() {
                let is_last = is_last && i + 1 == values.len();
                if is_incomplete_before(element, &values[i], is_last) {
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

pub(super) const fn pointer_not_power_of_two<'a>(param: &Param<'a>) -> Option<Args<'a>> {
    match &param.pointer {
        Some(pointer) => match pointer.align {
            Some(align) if !align.is_power_of_two() => {
                let (below, above) = around(align);
                Some([Arg::Int(align as i128), Arg::Str(param.variable.name), below, above])
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
                if align.is_power_of_two() && align < natural && !param.variable.allows("D021") =>
            {
                let (align, natural) = (Arg::Int(align as i128), Arg::Int(natural as i128));
                Some([align, Arg::Str(param.variable.name), Arg::Type(pointer.pointee), natural])
            }
            _ => None,
        },
        None => None,
    }
}

pub(super) const fn host_layout_differs<'a>(
    ty: &'a Type<'a>,
    size: usize,
    align: usize,
    _: &'a str,
) -> Option<Args<'a>> {
    match (ty.size(), ty.align()) {
        (Some(ptx_size), Some(ptx_align)) if ptx_size == size && ptx_align == align => None,
        (None, _) | (_, None) => None,
        (Some(_), Some(_)) => {
            Some([Arg::Type(ty), Arg::Bytes(size), Arg::Int(align as i128), NONE])
        }
    }
}

pub(super) const fn struct_pads<'a>(padding: &Padding<'a>) -> Option<Args<'a>> {
    if padding.bytes == 0 {
        return None;
    }
    let place = match padding.before {
        Some(field) => Arg::Name(field),
        None => Arg::Str("its end"),
    };
    Some([Arg::Str(padding.name), Arg::Bytes(padding.bytes), place, NONE])
}
