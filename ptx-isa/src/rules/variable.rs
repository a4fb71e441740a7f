//! Tests of variables, parameters and names.

use super::Scope;
use super::{Arg, Args, CONST_BYTES, Environment, NONE, too_new, wrong_target};
use crate::const_str::same;
use crate::ident;
use crate::ir::{Init, Linkage, MANAGED_SINCE, Type, Unified, Variable};
use crate::scalar::{Class, ScalarType};
use crate::space::Space;
use crate::special::special_register;

pub(super) const fn illegal_name<'a>(
    variable: &Variable<'a>,
    scope: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match ident::fault(variable.name) {
        Some(fault) if !is_name_accepted(variable, scope, fault) => {
            Some([Arg::Str(variable.name), Arg::Str(fault.reason()), Arg::Str(fault.fix()), NONE])
        }
        Some(_) | None => None,
    }
}

pub(super) const fn name_accepted_by_ptxas<'a>(
    variable: &Variable<'a>,
    scope: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match ident::fault(variable.name) {
        // A register of a body may hide the special register with its name.
        Some(ident::Fault::SpecialRegister)
            if matches!((scope, variable.space), (Scope::Body, Space::Reg)) =>
        {
            None
        }
        Some(fault) if is_name_accepted(variable, scope, fault) => {
            Some([Arg::Str(variable.name), Arg::Str(fault.reason()), Arg::Str(fault.fix()), NONE])
        }
        Some(_) | None => None,
    }
}

/// Whether ptxas accepts an illegal name: that of a special register if it is hidden or redeclared, `_` as a
/// parameter of a kernel, and an empty name.
const fn is_name_accepted(variable: &Variable<'_>, scope: Scope, fault: ident::Fault) -> bool {
    match (fault, scope) {
        (ident::Fault::SpecialRegister, Scope::Param | Scope::Function | Scope::LastInput)
        | (ident::Fault::SpecialRegister | ident::Fault::Empty, Scope::Body) => true,
        (ident::Fault::SpecialRegister, Scope::Module) => {
            let (Type::Scalar(scalar), Some(register)) =
                (variable.ty, special_register(variable.name))
            else {
                return false;
            };
            let is_bits = matches!(scalar.class(), Class::Bits);
            matches!(variable.space, Space::Global)
                && variable.linkage.is_exported()
                && is_bits
                && !register.is_vector
                && scalar.bytes() == register.ty.bytes()
        }
        (ident::Fault::Lone, Scope::Param) => same(variable.name, "_"),
        (ident::Fault::Empty, Scope::Module) => variable.space.is_module_scope(),
        (_, _) => false,
    }
}

pub(super) const fn same_name<'a>(name: &'a str, earlier: &'a str) -> Option<Args<'a>> {
    if same(name, earlier) { Some([Arg::Str(name), NONE, NONE, NONE]) } else { None }
}

/// The powers of two around an invalid alignment: at least the natural alignment, if known, and at most `most`.
pub(super) const fn around(align: usize, natural: Option<usize>, most: usize) -> Arg<'static> {
    let least = match natural {
        Some(natural) if natural.is_power_of_two() && natural <= most => natural as u64,
        Some(_) | None => 1,
    };
    let most = if most.is_power_of_two() { most as u64 } else { 1 << 63 };
    let below = if align == 0 { 1 } else { 1_u64 << align.ilog2() };
    let above = if below < most { below * 2 } else { most };
    Arg::OneOf(clamp(below, least, most), clamp(above, least, most))
}

const fn clamp(number: u64, least: u64, most: u64) -> u64 {
    if number < least {
        least
    } else if number > most {
        most
    } else {
        number
    }
}

/// The greatest alignment in bytes.
const MAX_ALIGN: usize = 1 << 31;

pub(super) const fn align_not_power_of_two<'a>(
    variable: &Variable<'a>,
    scope: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    let of_type = match variable.ty.element() {
        Type::Struct(layout) => Some(layout.align),
        _ => None,
    };
    let align = match variable.align {
        Some(align) => Some(align),
        None => of_type,
    };
    match align {
        Some(align) if !align.is_power_of_two() => {
            let is_limited = matches!(scope, Scope::Body | Scope::Function | Scope::LastInput)
                && matches!(variable.space, Space::Param);
            let most = if is_limited { 128 } else { MAX_ALIGN };
            let fix = around(align, variable.ty.align(), most);
            Some([Arg::Int(align as i128), fix, NONE, NONE])
        }
        _ => None,
    }
}

pub(super) const fn align_too_large<'a>(
    variable: &Variable<'a>,
    _: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match variable.align {
        Some(align) if align.is_power_of_two() && align > MAX_ALIGN => {
            Some([Arg::Int(align as i128), NONE, NONE, NONE])
        }
        Some(_) | None => None,
    }
}

pub(super) const fn align_below_natural<'a>(
    variable: &Variable<'a>,
    _: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match (variable.align, variable.ty.align()) {
        (Some(align), Some(natural)) if align.is_power_of_two() && align < natural => {
            let (align, natural) = (Arg::Int(align as i128), Arg::Int(natural as i128));
            Some([align, natural, Arg::Type(variable.ty.element()), NONE])
        }
        _ => None,
    }
}

pub(super) const fn const_variable_over_limit<'a>(
    variable: &Variable<'a>,
    _: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    // Each member of a family is a separate variable, and takes no memory if no body names it.
    match (variable.space, variable.unit().bytes()) {
        (Space::Const, Some(bytes)) if bytes > CONST_BYTES => {
            Some([Arg::Str(variable.name), Arg::bytes(bytes), Arg::bytes(CONST_BYTES), NONE])
        }
        _ => None,
    }
}

pub(super) const fn register_array<'a>(
    variable: &Variable<'a>,
    scope: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match (scope, variable.space, variable.ty) {
        (Scope::Body, Space::Reg, Type::Array(..) | Type::Struct(_)) => {
            Some([Arg::Str(variable.name), NONE, NONE, NONE])
        }
        _ => None,
    }
}

pub(super) const fn linkage_too_new<'a>(
    variable: &Variable<'a>,
    _: Scope,
    env: Environment,
) -> Option<Args<'a>> {
    match variable.linkage.directive() {
        Some(linkage) => too_new(Arg::Str(linkage), variable.linkage.since(), env),
        None => None,
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
    let is_family = variable.ty.family().is_some() && !variable.is_dynamic();
    if variable.managed && !is_family && !matches!(variable.space, Space::Global) {
        let space = Arg::Str(variable.space.directive());
        return Some([Arg::Str(variable.name), space, NONE, NONE]);
    }
    None
}

pub(super) const fn family_outside_global<'a>(
    variable: &Variable<'a>,
    _: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    let is_family = variable.ty.family().is_some() && !variable.is_dynamic();
    if variable.managed && is_family && !matches!(variable.space, Space::Global) {
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
    if variable.managed { too_new(Arg::Str(variable.name), MANAGED_SINCE, env) } else { None }
}

pub(super) const fn space_not_here<'a>(
    variable: &Variable<'a>,
    scope: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    let (here, place) = match scope {
        Scope::Module => (variable.space.is_module_scope(), "outside a function"),
        Scope::Body => (variable.space.is_body_scope(), "in a body"),
        Scope::Param => (matches!(variable.space, Space::Param), "as a parameter of a kernel"),
        Scope::Function | Scope::LastInput => {
            (matches!(variable.space, Space::Param | Space::Reg), "as a parameter of a function")
        }
    };
    let fix = match variable.space {
        _ if here => return None,
        Space::Tex => Arg::Either {
            rust: "it was removed in PTX 1.5: write `#[global] static X: TexRef;`, which is `.global .texref`",
            ptx: "it was removed in PTX 1.5: write `.global .texref`",
        },
        Space::Sreg => {
            Arg::Str("special registers are predefined: use them by name, such as `%tid.x`")
        }
        Space::Reg | Space::Local => Arg::Str("declare it in the body of a kernel"),
        Space::Param => Arg::Str("declare it as a parameter of a kernel"),
        Space::Const | Space::Global | Space::Shared => Arg::Str("declare it in the module"),
    };
    Some([Arg::Str(variable.space.directive()), Arg::Str(place), fix, NONE])
}

pub(super) const fn family_initialised<'a>(
    variable: &Variable<'a>,
    _: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    let is_written = !matches!(variable.init, Init::None) && !variable.is_dynamic();
    if variable.ty.family().is_some() && is_written {
        return Some([Arg::Str(variable.name), NONE, NONE, NONE]);
    }
    None
}

pub(super) const fn family_name<'a>(
    variable: &Variable<'a>,
    _: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    let name = variable.name.as_bytes();
    if variable.ty.family().is_some() && !name.is_empty() && name[name.len() - 1].is_ascii_digit() {
        return Some([Arg::Str(variable.name), NONE, NONE, NONE]);
    }
    None
}

pub(super) const fn unified_outside_global<'a>(
    variable: &Variable<'a>,
    _: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    if variable.unified.is_some() && !matches!(variable.space, Space::Global) {
        let space = Arg::Str(variable.space.directive());
        return Some([Arg::Str(variable.name), space, NONE, NONE]);
    }
    None
}

pub(super) const fn unified_too_new<'a>(
    variable: &Variable<'a>,
    _: Scope,
    env: Environment,
) -> Option<Args<'a>> {
    if variable.unified.is_none() {
        return None;
    }
    too_new(Arg::Str(variable.name), Unified::SINCE, env)
}

pub(super) const fn unified_wrong_target<'a>(
    variable: &Variable<'a>,
    _: Scope,
    env: Environment,
) -> Option<Args<'a>> {
    if variable.unified.is_none() {
        return None;
    }
    wrong_target(Arg::Str(variable.name), Unified::MIN_ARCH, env)
}

pub(super) const fn param_type<'a>(
    variable: &Variable<'a>,
    scope: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match (scope, variable.space, variable.ty) {
        (
            Scope::Body,
            Space::Param,
            Type::Scalar(ScalarType::F16x2)
            | Type::Vector(..)
            | Type::Family(_, Type::Scalar(ScalarType::F16x2) | Type::Vector(..)),
        ) => Some([Arg::Str(variable.name), Arg::Type(variable.ty), NONE, NONE]),
        _ => None,
    }
}

pub(super) const fn local_param_over_aligned<'a>(
    variable: &Variable<'a>,
    scope: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match (scope, variable.space, variable.align) {
        (Scope::Body, Space::Param, Some(align @ 129..)) if align.is_power_of_two() => {
            Some([Arg::Str(variable.name), Arg::Int(align as i128), NONE, NONE])
        }
        _ => None,
    }
}
