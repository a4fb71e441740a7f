//! Tests of the element types of variables: their scalars, vectors and extents, and the parts of them that the text
//! of parameters and of dynamic shared memory does not show.

use super::Scope;
use super::{Arg, Args, Environment, NONE, too_new, wrong_target};
use crate::ir::{
    Extent, Init, Type, UNSIZED_SINCE, Variable, is_element_hidden, is_written_as_bits,
};
use crate::scalar::ScalarType;
use crate::space::Space;
use crate::target::Version;

pub(super) const fn predicate_stored<'a>(
    variable: &Variable<'a>,
    scope: Scope,
    env: Environment,
) -> Option<Args<'a>> {
    match variable.ty.scalar() {
        Some(ScalarType::Pred)
            if !matches!(variable.space, Space::Reg)
                && !is_predicate_hidden(variable, scope, env) =>
        {
            Some([Arg::Str(variable.name), NONE, NONE, NONE])
        }
        _ => None,
    }
}

/// Whether ptxas sees bytes instead of predicates, and requires no length.
const fn is_predicate_hidden(variable: &Variable<'_>, scope: Scope, env: Environment) -> bool {
    is_bytes_in_text(variable, scope) && is_length_hidden(variable, scope, env)
}

pub(super) const fn hidden_type<'a>(
    variable: &Variable<'a>,
    scope: Scope,
    env: Environment,
) -> Option<Args<'a>> {
    let is_pred = matches!(variable.ty.scalar(), Some(ScalarType::Pred));
    let (why, fix) = if is_pred && is_predicate_hidden(variable, scope, env) {
        let fix = Arg::Either {
            rust: "store a `u8`, or declare `.reg .pred` in the body",
            ptx: "store it as `.u8`, or declare `.reg .pred` in the body",
        };
        ("predicates live in registers only", fix)
    } else if variable.ty.family().is_some() && variable.is_dynamic() {
        ("the launch sizes one variable, not several", Arg::Str("declare an array"))
    } else if misses_extent(variable)
        && is_length_hidden(variable, scope, env)
        && !is_variadic(variable, scope)
    {
        ("its elements cannot be counted", Arg::Str("write the number of elements"))
    } else {
        return None;
    };
    Some([Arg::Str(variable.name), Arg::Type(variable.ty), Arg::Str(why), fix])
}

/// Whether it is the byte array for variadic arguments: `.param .align 8 .b8 va[]`, as the last parameter.
const fn is_variadic(variable: &Variable<'_>, scope: Scope) -> bool {
    matches!(scope, Scope::LastInput)
        && matches!(variable.ty, Type::Array(Extent::Incomplete, Type::Scalar(scalar)) if scalar.bytes() == 1)
}

pub(super) const fn vector_too_wide<'a>(
    variable: &Variable<'a>,
    scope: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match variable.ty.element() {
        Type::Vector(lanes, scalar)
            if *lanes as usize * scalar.bytes() > 16 && !is_bytes_in_text(variable, scope) =>
        {
            let bytes = *lanes as usize * scalar.bytes();
            let instead = match (scalar.bytes(), scalar) {
                (8, ScalarType::F64) => "`V2<f64>`",
                (8, ScalarType::U64) => "`V2<u64>`",
                (8, ScalarType::S64) => "`V2<i64>`",
                (8, ScalarType::F32x2) => "`V2<F32x2>`",
                (8, _) => "`V2<B64>`",
                (16, _) => "an array, `[B128; N]`",
                (_, _) => "`V4`",
            };
            Some([Arg::Type(variable.ty.element()), Arg::bytes(bytes), Arg::Str(instead), NONE])
        }
        _ => None,
    }
}

pub(super) const fn vector_lanes<'a>(
    variable: &Variable<'a>,
    scope: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match variable.ty.element() {
        Type::Vector(2 | 4, _) => None,
        Type::Vector(lanes, _) if !is_bytes_in_text(variable, scope) => {
            Some([Arg::Type(variable.ty.element()), Arg::Int(*lanes as i128), NONE, NONE])
        }
        _ => None,
    }
}

pub(super) const fn predicate_vector<'a>(
    variable: &Variable<'a>,
    _: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match variable.ty.element() {
        Type::Vector(_, ScalarType::Pred) if matches!(variable.space, Space::Reg) => {
            Some([Arg::Type(variable.ty), NONE, NONE, NONE])
        }
        _ => None,
    }
}

pub(super) const fn extent_zero<'a>(
    variable: &Variable<'a>,
    scope: Scope,
    env: Environment,
) -> Option<Args<'a>> {
    zero_extent(variable, scope, env, false)
}

pub(super) const fn extent_zero_accepted<'a>(
    variable: &Variable<'a>,
    scope: Scope,
    env: Environment,
) -> Option<Args<'a>> {
    zero_extent(variable, scope, env, true)
}

/// The first extent of zero that ptxas accepts or refuses, depending on `is_accepted`.
const fn zero_extent<'a>(
    variable: &Variable<'a>,
    scope: Scope,
    env: Environment,
    is_accepted: bool,
) -> Option<Args<'a>> {
    if let (true, Some((Extent::Known(0), _))) = (is_accepted, variable.ty.family()) {
        return Some([Arg::Str(variable.name), Arg::Type(variable.ty), NONE, NONE]);
    }
    let mut n = 0;
    while let Some(extent) = variable.ty.extent(n) {
        // As the first extent before a value or of external shared memory, zero means the same as a missing extent.
        let is_open = has_values(variable)
            || matches!(variable.space, Space::Shared) && variable.linkage.is_elsewhere();
        // The extents of structs become one extent of bytes.
        let is_counted = is_open && (n == 0 || matches!(variable.ty.element(), Type::Struct(_)));
        if matches!(extent, Extent::Known(0))
            && (is_counted || is_length_hidden(variable, scope, env)) == is_accepted
        {
            return Some([Arg::Str(variable.name), Arg::Type(variable.ty), NONE, NONE]);
        }
        n += 1;
    }
    None
}

/// Whether its text has values between the braces; ptxas counts them if the extent is zero.
const fn has_values(variable: &Variable<'_>) -> bool {
    match variable.init {
        Init::Value(value) => matches!(value.elements(), Some(1..)),
        Init::Bytes(bytes) => !bytes.is_empty(),
        Init::Linked(linked) => !linked.bytes.is_empty(),
        Init::None | Init::Members(_) | Init::Unknown(_) => false,
    }
}

/// Whether ptxas requires no length: the text of dynamic shared memory has none, and the last array parameter of a
/// device function needs none.
const fn is_length_hidden(variable: &Variable<'_>, scope: Scope, env: Environment) -> bool {
    let is_unsized_known = match env.version {
        Some(version) => !version.is_below(UNSIZED_SINCE),
        None => true,
    };
    let is_last = matches!((scope, variable.space), (Scope::LastInput, Space::Param));
    is_last && is_unsized_known || variable.is_dynamic()
}

/// Whether the text has bytes instead of vectors: the `.param` variables of signatures cannot be vectors, and
/// dynamic shared memory consists of bytes. They must still have a valid alignment.
const fn is_bytes_in_text(variable: &Variable<'_>, scope: Scope) -> bool {
    is_element_hidden(variable, scope)
        && matches!(variable.alignment(), Some(align) if align.is_power_of_two())
}

pub(super) const fn vector_as_bytes<'a>(
    variable: &Variable<'a>,
    scope: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match variable.ty.element() {
        Type::Vector(lanes, scalar)
            if is_bytes_in_text(variable, scope)
                && !matches!((*lanes, *lanes as usize * scalar.bytes()), (2 | 4, ..=16)) =>
        {
            Some([Arg::Str(variable.name), Arg::Type(variable.ty.element()), NONE, NONE])
        }
        _ => None,
    }
}

pub(super) const fn extent_missing<'a>(
    variable: &Variable<'a>,
    scope: Scope,
    env: Environment,
) -> Option<Args<'a>> {
    if misses_extent(variable) && !is_length_hidden(variable, scope, env) {
        return Some([Arg::Str(variable.name), Arg::Type(variable.ty), NONE, NONE]);
    }
    None
}

/// Whether an extent is missing that nothing else determines.
const fn misses_extent(variable: &Variable<'_>) -> bool {
    let mut n = 0;
    while let Some(extent) = variable.ty.extent(n) {
        let first_may =
            n == 0 && (variable.is_counted_by_value() || variable.linkage.is_elsewhere());
        if matches!(extent, Extent::Incomplete) && !first_may {
            return true;
        }
        n += 1;
    }
    false
}

/// Whether ptxas checks that the type is supported: it does not for arrays of `.b128` and vectors of `.f16x2`.
const fn is_asked_for(variable: &Variable<'_>) -> bool {
    match variable.ty.element() {
        Type::Scalar(ScalarType::B128) => variable.ty.rank() == 0,
        Type::Vector(_, ScalarType::F16x2) => false,
        _ => true,
    }
}

/// The requirements of the type, if the text names it and `is_asked` equals whether ptxas checks them.
const fn needs(variable: &Variable<'_>, scope: Scope, is_asked: bool) -> Option<(Version, u16)> {
    if is_asked_for(variable) == is_asked && !is_written_as_bits(variable, scope) {
        Some(variable.type_needs())
    } else {
        None
    }
}

pub(super) const fn type_too_new<'a>(
    variable: &Variable<'a>,
    scope: Scope,
    env: Environment,
) -> Option<Args<'a>> {
    match needs(variable, scope, true) {
        Some((since, _)) => too_new(Arg::Type(variable.ty.element()), since, env),
        None => None,
    }
}

pub(super) const fn array_type_too_new<'a>(
    variable: &Variable<'a>,
    scope: Scope,
    env: Environment,
) -> Option<Args<'a>> {
    match needs(variable, scope, false) {
        Some((since, _)) => too_new(Arg::Type(variable.ty.element()), since, env),
        None => None,
    }
}

pub(super) const fn type_wrong_target<'a>(
    variable: &Variable<'a>,
    scope: Scope,
    env: Environment,
) -> Option<Args<'a>> {
    match needs(variable, scope, true) {
        Some((_, arch)) => wrong_target(Arg::Type(variable.ty.element()), arch, env),
        None => None,
    }
}

pub(super) const fn array_type_wrong_target<'a>(
    variable: &Variable<'a>,
    scope: Scope,
    env: Environment,
) -> Option<Args<'a>> {
    match needs(variable, scope, false) {
        Some((_, arch)) => wrong_target(Arg::Type(variable.ty.element()), arch, env),
        None => None,
    }
}

pub(super) const fn family_of_arrays<'a>(
    variable: &Variable<'a>,
    _: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match variable.ty.family() {
        Some((_, Type::Array(..) | Type::Struct(_) | Type::Family(..)))
            if !variable.is_dynamic() =>
        {
            Some([Arg::Str(variable.name), NONE, NONE, NONE])
        }
        _ => None,
    }
}
