//! Tests of the declarations of functions: of what goes with a body, and of one function that is declared several
//! times.

use super::directive::{GivenDirective, OtherDirective};
use super::function::has;
use super::{Arg, Args, Environment};
use crate::ir::{DirectiveKind, Extent, Function, FunctionKind, Linkage, Param, Type};

pub(super) const fn extern_with_body<'a>(
    function: &Function<'a>,
    _: Environment,
) -> Option<Args<'a>> {
    if function.linkage.is_elsewhere() && function.body.is_some() {
        return Some([Arg::Str(function.name), Arg::None, Arg::None, Arg::None]);
    }
    None
}

pub(super) const fn directive_of_other_kind<'a>(
    directive: GivenDirective<'a>,
    function: &Function<'a>,
    _: Environment,
) -> Option<Args<'a>> {
    let OtherDirective { name, of: Some(of), .. } = directive.described() else { return None };
    if of as u8 == function.kind as u8 {
        return None;
    }
    let (here, there) = match function.kind {
        FunctionKind::Kernel => ("a kernel", "device functions"),
        FunctionKind::Device => ("a device function", "kernels"),
    };
    Some([Arg::Str(name), Arg::Str(there), Arg::Str(function.name), Arg::Str(here)])
}

pub(super) const fn directives_of_declaration<'a>(
    function: &Function<'a>,
    _: Environment,
) -> Option<Args<'a>> {
    let is_kernel = matches!(function.kind, FunctionKind::Kernel);
    if is_kernel && function.body.is_none() && !function.directives.is_empty() {
        return Some([Arg::Str(function.name), Arg::None, Arg::None, Arg::None]);
    }
    None
}

/// ptxas accepts declarations before the definition, all with one signature; what has no linkage takes that of the
/// visible or weak declaration before it.
pub(super) const fn declaration_differs<'a>(
    earlier: &Function<'a>,
    function: &Function<'a>,
) -> Option<Args<'a>> {
    const SAME: &str = "declare it the same way each time";
    let (why, fix) = match (earlier.body, function.body) {
        // A second definition has the name of the first: D002.
        (Some(_), Some(_)) => return None,
        (Some(_), None) => {
            ("that is its definition", "remove it, or move it before the definition")
        }
        (None, _) => {
            if earlier.kind as u8 != function.kind as u8 {
                ("one is a kernel, and the other a device function", SAME)
            } else if !is_linkage_kept(earlier.linkage, function.linkage) {
                if signature_difference(earlier, function).is_some() {
                    ("their linkages differ, and so do their parameters", SAME)
                } else {
                    ("their linkages differ", SAME)
                }
            } else if has(earlier, DirectiveKind::NoReturn)
                != has(function, DirectiveKind::NoReturn)
            {
                ("only one is `.noreturn`", SAME)
            } else {
                match signature_difference(earlier, function) {
                    Some(why) => (why, SAME),
                    None => return None,
                }
            }
        }
    };
    Some([Arg::Str(function.name), Arg::Str(why), Arg::Str(fix), Arg::None])
}

/// How the signatures of two declarations of a function differ, in words; `None` if they do not, as far as it is known.
pub const fn signature_difference(
    one: &Function<'_>,
    other: &Function<'_>,
) -> Option<&'static str> {
    match (params_differ(one.params, other.params), params_differ(one.returns, other.returns)) {
        (Some(why), _) | (None, Some(why)) => Some(why),
        (None, None) => None,
    }
}

const fn is_linkage_kept(earlier: Linkage, later: Linkage) -> bool {
    match (earlier, later) {
        (Linkage::Visible | Linkage::Weak, Linkage::Internal)
        | (Linkage::Extern | Linkage::Dynamic, Linkage::Extern | Linkage::Dynamic) => true,
        (_, _) => earlier as u8 == later as u8,
    }
}

const fn params_differ(earlier: &[Param<'_>], later: &[Param<'_>]) -> Option<&'static str> {
    if earlier.len() != later.len() {
        return Some("they differ in the number of parameters");
    }
    let mut n = 0;
    while n < later.len() {
        let (one, other) = (&earlier[n].variable, &later[n].variable);
        if one.space as u8 != other.space as u8 {
            return Some("they differ in the state space of a parameter");
        }
        if is_other_type(one.ty, other.ty) {
            return Some("they differ in the type of a parameter");
        }
        if let (Some(one), Some(other)) = (one.least_alignment(), other.least_alignment())
            && one != other
        {
            return Some("they differ in the alignment of a parameter");
        }
        n += 1;
    }
    None
}

/// Whether the texts of two types certainly differ: structs become bytes.
const fn is_other_type(one: &Type<'_>, other: &Type<'_>) -> bool {
    match (one, other) {
        (Type::Scalar(one), Type::Scalar(other)) => *one as u8 != *other as u8,
        (Type::Vector(lanes, one), Type::Vector(others, other)) => {
            *lanes != *others || *one as u8 != *other as u8
        }
        (Type::Opaque(one), Type::Opaque(other)) => *one as u8 != *other as u8,
        (Type::Array(extent, one), Type::Array(count, other)) => {
            let is_other = match (extent, count) {
                (Extent::Unknown, _)
                | (_, Extent::Unknown)
                | (Extent::Incomplete, Extent::Incomplete) => false,
                (Extent::Known(one), Extent::Known(other)) => *one != *other,
                (Extent::Known(_), Extent::Incomplete) | (Extent::Incomplete, Extent::Known(_)) => {
                    true
                }
            };
            is_other || is_other_type(one, other)
        }
        (Type::Scalar(_), Type::Vector(..) | Type::Array(..) | Type::Opaque(_))
        | (Type::Vector(..) | Type::Array(..), Type::Scalar(_) | Type::Opaque(_))
        | (Type::Opaque(_), Type::Scalar(_) | Type::Vector(..) | Type::Array(..)) => true,
        (_, _) => false,
    }
}
