//! Tests of calls: their arguments against the parameters of the function.

use super::{Arg, Args, NONE};
use crate::ir::{Param, Type, Variable};
use crate::scalar::{Class, ScalarType};
use crate::space::Space;

/// An argument of a call, or the receiver of a value that it returns.
#[derive(Clone, Copy, Debug)]
pub enum Actual<'a> {
    /// A register of this type.
    Register(&'a Variable<'a>),
    /// An integer constant.
    Int,
    /// A floating-point constant.
    Float,
    /// A `.param` variable of the body.
    LocalParam(&'a Variable<'a>),
    /// Something that cannot be passed, described in words.
    Other(&'static str),
    /// Something unknown.
    Unknown,
}

/// An address that is passed to a function, in a state space.
#[derive(Clone, Copy, Debug)]
pub struct PassedAddress<'a> {
    /// The parameter.
    pub formal: &'a Param<'a>,
    /// The object at the address, or the parameter that is the pointer.
    pub name: Arg<'a>,
    /// Its state space.
    pub space: Space,
}

pub(super) const fn argument_space(passed: PassedAddress<'_>) -> Option<Args<'_>> {
    let Some(pointer) = passed.formal.pointer else { return None };
    let Some(wanted) = pointer.space else { return None };
    if wanted as u8 == passed.space as u8 {
        return None;
    }
    Some([
        Arg::Str(passed.formal.variable.name),
        Arg::Str(wanted.directive()),
        passed.name,
        Arg::Str(passed.space.directive()),
    ])
}

/// A name that is passed to a function.
#[derive(Clone, Copy, Debug)]
pub struct PassedName<'a> {
    /// The register, or the `.param` variable.
    pub name: &'a str,
    /// The parameter.
    pub formal: &'a Param<'a>,
    /// The function.
    pub function: &'a str,
    /// Whether it is written on any path to the call.
    pub is_set: bool,
    /// Whether the function certainly computes with it.
    pub is_needed: bool,
}

pub(super) const fn argument_not_set(passed: PassedName<'_>) -> Option<Args<'_>> {
    if passed.is_set || !passed.is_needed {
        return None;
    }
    let formal = Arg::Str(passed.formal.variable.name);
    Some([Arg::Str(passed.name), formal, Arg::Str(passed.function), NONE])
}

/// The numbers of values that a function takes and returns, and those in a call of it.
#[derive(Clone, Copy, Debug)]
pub struct Counts<'a> {
    /// The parameters.
    pub params: usize,
    /// The arguments.
    pub args: usize,
    /// The values that the function returns.
    pub returns: usize,
    /// The variables that receive them.
    pub receivers: usize,
    /// The first parameter without an argument.
    pub missing: Option<&'a str>,
}

/// The properties of a function other than its parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Callee {
    /// Whether it is defined in another module.
    pub is_extern: bool,
    /// Whether calls of it follow the ABI, which ptxas uses unless a function of the module returns several values.
    pub has_abi: bool,
}

impl Callee {
    /// The properties of a function in a module, in which some function may return several values.
    pub const fn new(is_extern: bool, several_returns: bool) -> Self {
        Self { is_extern, has_abi: !several_returns }
    }
}

pub(super) const fn call_of_kernel<'a>(
    name: &'a str,
    _: Counts<'a>,
    is_kernel: bool,
) -> Option<Args<'a>> {
    if is_kernel { Some([Arg::Str(name), NONE, NONE, NONE]) } else { None }
}

pub(super) const fn call_args<'a>(
    name: &'a str,
    counts: Counts<'a>,
    is_kernel: bool,
) -> Option<Args<'a>> {
    if is_kernel || counts.params == counts.args {
        return None;
    }
    let params = counted(counts.params, "argument", "arguments");
    let args = counted(counts.args, "is", "are");
    let advice = match counts.missing {
        Some(name) => Arg::Missing(name),
        None => Arg::Str("pass one for each parameter"),
    };
    Some([Arg::Str(name), params, args, advice])
}

pub(super) const fn call_returns<'a>(
    name: &'a str,
    counts: Counts<'a>,
    is_kernel: bool,
) -> Option<Args<'a>> {
    if is_kernel || counts.returns == counts.receivers || counts.params != counts.args {
        return None;
    }
    let returns = counted(counts.returns, "value", "values");
    let found = counted(counts.receivers, "is", "are");
    Some([Arg::Str(name), returns, found, NONE])
}

/// `1 argument`, `2 arguments`.
const fn counted(count: usize, one: &'static str, more: &'static str) -> Arg<'static> {
    Arg::Size(count as u64, if count == 1 { one } else { more })
}

/// The shape of a value in a call: a scalar of a kind and size, or an array of that many bytes; `None` if a
/// part is unknown.
const fn shape(ty: &Type<'_>) -> Option<(Option<Class>, usize)> {
    match ty {
        Type::Scalar(scalar) => Some((Some(carried(*scalar)), scalar.bytes())),
        // Only a member of a family can be named, and has this type.
        Type::Aligned(_, inner) | Type::Family(_, inner) => shape(inner),
        _ => match ty.size() {
            Some(size) => Some((None, size)),
            None => None,
        },
    }
}

/// The class in PTX: bits for the types that PTX does not name.
const fn carried(scalar: ScalarType) -> Class {
    if scalar.is_fundamental() { scalar.class() } else { Class::Bits }
}

/// Whether two classes of the same size are compatible (PTX ISA 5.2.1).
const fn are_compatible(a: Class, b: Class) -> bool {
    match (a, b) {
        (Class::Predicate, other) | (other, Class::Predicate) => {
            matches!(other, Class::Predicate)
        }
        (Class::Bits, _)
        | (_, Class::Bits)
        | (Class::Signed | Class::Unsigned, Class::Signed | Class::Unsigned) => true,
        (Class::Float, other) | (other, Class::Float) => matches!(other, Class::Float),
    }
}

pub(super) const fn argument_place<'a>(formal: &Param<'a>, actual: Actual<'a>) -> Option<Args<'a>> {
    let formal_is_array = !is_scalar(formal.variable.ty);
    let instead = if formal_is_array && matches!(formal.variable.space, Space::Param) {
        "a `.param` array of bytes that this body declares, of its size and alignment"
    } else {
        "a register, a constant, or a `.param` variable of this body"
    };
    let is = match actual {
        Actual::Other(what) => Arg::Str(what),
        Actual::Register(_) | Actual::Int | Actual::Float
            if formal_is_array && matches!(formal.variable.space, Space::Param) =>
        {
            Arg::Str("a value that is not a `.param` variable")
        }
        _ => return None,
    };
    Some([Arg::Str(formal.variable.name), is, Arg::Str(instead), NONE])
}

const fn is_scalar(ty: &Type<'_>) -> bool {
    matches!(ty, Type::Scalar(_) | Type::Unknown | Type::Aligned(_, Type::Scalar(_)))
}

pub(super) const fn argument_type<'a>(formal: &Param<'a>, actual: Actual<'a>) -> Option<Args<'a>> {
    if argument_place(formal, actual).is_some() {
        return None;
    }
    let wanted = Arg::Type(formal.variable.ty);
    let name = Arg::Str(formal.variable.name);
    match (actual, shape(formal.variable.ty)) {
        (Actual::Int, Some((Some(Class::Float | Class::Predicate), size))) => {
            Some([name, wanted, Arg::Str("an integer"), Arg::Int(size as i128 * 8)])
        }
        (Actual::Float, Some((Some(Class::Signed | Class::Unsigned | Class::Predicate), size))) => {
            Some([name, wanted, Arg::Str("a floating-point number"), Arg::Int(size as i128 * 8)])
        }
        (Actual::Register(actual) | Actual::LocalParam(actual), Some((wanted_class, size))) => {
            let Some((class, found)) = shape(actual.ty) else { return None };
            let fits = match (wanted_class, class) {
                (Some(wanted), Some(class)) => are_compatible(wanted, class),
                (None, None) => true,
                (Some(_), None) | (None, Some(_)) => false,
            };
            if fits && size == found {
                None
            } else {
                Some([name, wanted, Arg::Spelled(actual.ty), Arg::Int(size as i128 * 8)])
            }
        }
        (Actual::Other(_) | Actual::Unknown | Actual::Int | Actual::Float, _) | (_, None) => None,
    }
}

pub(super) const fn argument_alignment<'a>(
    formal: &Param<'a>,
    actual: Actual<'a>,
) -> Option<Args<'a>> {
    if argument_place(formal, actual).is_some() || argument_type(formal, actual).is_some() {
        return None;
    }
    let Actual::LocalParam(actual) = actual else { return None };
    match (formal.variable.least_alignment(), actual.least_alignment()) {
        (Some(wanted), Some(found)) if wanted != found => Some([
            Arg::Str(formal.variable.name),
            Arg::Int(wanted as i128),
            Arg::Str(actual.name),
            Arg::Int(found as i128),
        ]),
        _ => None,
    }
}

/// Whether a parameter of a function is narrower than ptxas can pass.
pub(super) const fn narrow_parameter<'a>(param: &Param<'a>, callee: Callee) -> Option<Args<'a>> {
    if callee.has_abi { narrow(param) } else { None }
}

/// A parameter that is narrower than the ABI can pass.
pub(super) const fn narrow<'a>(param: &Param<'a>) -> Option<Args<'a>> {
    let mut ty = param.variable.ty;
    while let Type::Aligned(_, inner) = ty {
        ty = *inner;
    }
    match ty {
        // Untyped bits and `.f16` of that size can be passed.
        Type::Scalar(
            scalar @ (ScalarType::U8
            | ScalarType::S8
            | ScalarType::U16
            | ScalarType::S16
            | ScalarType::Pred),
        ) => Some([Arg::Str(param.variable.name), Arg::Str(scalar.declared()), NONE, NONE]),
        _ => None,
    }
}

/// Whether a parameter of a function has a greater alignment than ptxas accepts.
pub(super) const fn param_over_aligned<'a>(param: &Param<'a>, callee: Callee) -> Option<Args<'a>> {
    if callee.is_extern { None } else { over_aligned(param) }
}

pub(super) const fn extern_param_over_aligned<'a>(
    param: &Param<'a>,
    callee: Callee,
) -> Option<Args<'a>> {
    if callee.is_extern { over_aligned(param) } else { None }
}

const fn over_aligned<'a>(param: &Param<'a>) -> Option<Args<'a>> {
    match (param.variable.space, param.variable.alignment()) {
        (Space::Param, Some(align @ 129..)) if align.is_power_of_two() => {
            Some([Arg::Str(param.variable.name), Arg::Int(align as i128), NONE, NONE])
        }
        _ => None,
    }
}

/// Whether a register parameter has a type that registers cannot have.
pub(super) const fn register_type<'a>(param: &Param<'a>, _: Callee) -> Option<Args<'a>> {
    match (param.variable.space, param.variable.ty) {
        (
            Space::Reg,
            Type::Array(..)
            | Type::Struct(_)
            | Type::Aligned(..)
            | Type::Family(..)
            | Type::Opaque(_),
        ) => Some([Arg::Str(param.variable.name), NONE, NONE, NONE]),
        _ => None,
    }
}
