//! Tests of textures, samplers and surfaces.

use super::{Arg, Args, Environment, NONE, Scope};
use crate::ir::{Init, Linkage, Type, Variable};
use crate::opaque::{
    Applies, Assignment, ChannelOrder, ChannelType, Domain, Member, MemberValue, Opaque,
    TextureMode,
};
use crate::space::Space;

pub(super) const fn opaque_misplaced<'a>(
    variable: &Variable<'a>,
    scope: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    if is_passed_over(variable, scope) { None } else { misplaced(variable, scope) }
}

pub(super) const fn opaque_array_misplaced<'a>(
    variable: &Variable<'a>,
    scope: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    if is_passed_over(variable, scope) { misplaced(variable, scope) } else { None }
}

/// Whether ptxas does not check where it is declared: it checks arrays only in bodies, and sees dynamic shared
/// memory as bytes.
const fn is_passed_over(variable: &Variable<'_>, scope: Scope) -> bool {
    variable.ty.rank() > 0 && !matches!(scope, Scope::Body) || variable.is_dynamic()
}

const fn misplaced<'a>(variable: &Variable<'a>, scope: Scope) -> Option<Args<'a>> {
    let Some(opaque) = variable.ty.opaque() else { return None };
    let place = match (scope, variable.space) {
        (Scope::Module, Space::Global) | (Scope::Param, _) => return None,
        (Scope::Function | Scope::LastInput, _) => "a parameter of a device function",
        (Scope::Body, _) => "declared in a body",
        (Scope::Module, Space::Const) => "in `.const`",
        (Scope::Module, Space::Shared) => "in `.shared`",
        (Scope::Module, Space::Local) => "in `.local`",
        (Scope::Module, Space::Param) => "in `.param`",
        (Scope::Module, Space::Reg | Space::Sreg) => "a register",
        (Scope::Module, Space::Tex) => "in `.tex`",
    };
    Some([Arg::Str(variable.name), Arg::Str(opaque.declared()), Arg::Str(place), NONE])
}

pub(super) const fn opaque_composed<'a>(
    variable: &Variable<'a>,
    _: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match (variable.ty.opaque(), variable.ty) {
        (None, _) | (_, Type::Opaque(_) | Type::Family(_, Type::Opaque(_))) => None,
        (Some(opaque), _) => {
            Some([Arg::Str(variable.name), Arg::Str(opaque.declared()), NONE, NONE])
        }
    }
}

pub(super) const fn sampler_in_unified_mode<'a>(
    variable: &Variable<'a>,
    _: Scope,
    env: Environment,
) -> Option<Args<'a>> {
    match (variable.ty, env.texture_mode) {
        (_, _) if variable.is_dynamic() => None,
        (
            Type::Opaque(Opaque::SamplerRef) | Type::Family(_, Type::Opaque(Opaque::SamplerRef)),
            Some(TextureMode::Unified),
        ) => Some([Arg::Str(variable.name), NONE, NONE, NONE]),
        _ => None,
    }
}

pub(super) const fn opaque_common<'a>(
    variable: &Variable<'a>,
    _: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match (variable.ty.opaque(), variable.linkage) {
        (Some(opaque), Linkage::Common) if variable.ty.rank() == 0 => {
            Some([Arg::Str(variable.name), Arg::Str(opaque.declared()), NONE, NONE])
        }
        _ => None,
    }
}

/// The members that the initial value of an opaque variable assigns.
const fn assigned<'a>(variable: &Variable<'a>) -> Option<(Opaque, &'a [Assignment])> {
    match (variable.ty, variable.init) {
        (Type::Opaque(opaque), Init::Members(members)) if !variable.is_dynamic() => {
            Some((*opaque, members))
        }
        _ => None,
    }
}

/// Whether ptxas reads a member and ignores it, although the tables say "ignored" or "N/A".
const fn is_ignored(opaque: Opaque, member: Member, mode: TextureMode) -> bool {
    match (opaque, mode, member.applies(opaque, mode)) {
        (_, _, Applies::Ignored) => true,
        (Opaque::TexRef, TextureMode::Independent, Applies::No) => {
            matches!(member.domain(), Domain::Address)
        }
        (_, _, Applies::Yes | Applies::No) => false,
    }
}

pub(super) const fn member_not_applicable<'a>(
    variable: &Variable<'a>,
    _: Scope,
    env: Environment,
) -> Option<Args<'a>> {
    member_against_tables(variable, env, false)
}

pub(super) const fn member_ignored<'a>(
    variable: &Variable<'a>,
    _: Scope,
    env: Environment,
) -> Option<Args<'a>> {
    member_against_tables(variable, env, true)
}

const fn member_against_tables<'a>(
    variable: &Variable<'a>,
    env: Environment,
    ignored: bool,
) -> Option<Args<'a>> {
    let (Some((opaque, members)), Some(mode)) = (assigned(variable), env.texture_mode) else {
        return None;
    };
    let (table, mode_name) = match mode {
        TextureMode::Unified => ("10", "unified"),
        TextureMode::Independent => ("11", "independent"),
    };
    let mut n = 0;
    while n < members.len() {
        let member = members[n].member;
        let applies = matches!(member.applies(opaque, mode), Applies::Yes);
        if !applies && is_ignored(opaque, member, mode) == ignored {
            let (name, ty) = (Arg::Str(member.name()), Arg::Str(opaque.declared()));
            return Some([name, ty, Arg::Str(mode_name), Arg::Str(table)]);
        }
        n += 1;
    }
    None
}

pub(super) const fn member_twice<'a>(
    variable: &Variable<'a>,
    scope: Scope,
    env: Environment,
) -> Option<Args<'a>> {
    let Some((_, members)) = assigned(variable) else { return None };
    if members_too_many(variable, scope, env).is_some() {
        return None;
    }
    let (mut is_assigned, mut n) = ([false; Member::ALL.len()], 0);
    while n < members.len() {
        let member = members[n].member;
        if is_assigned[member as usize] {
            return Some([Arg::Str(member.name()), Arg::Str(variable.name), NONE, NONE]);
        }
        is_assigned[member as usize] = true;
        n += 1;
    }
    None
}

pub(super) const fn members_too_many<'a>(
    variable: &Variable<'a>,
    _: Scope,
    env: Environment,
) -> Option<Args<'a>> {
    let (Some((opaque, members)), Some(mode)) = (assigned(variable), env.texture_mode) else {
        return None;
    };
    let (mut most, mut n) = (0, 0);
    while n < Member::ALL.len() {
        let member = Member::ALL[n];
        let applies = matches!(member.applies(opaque, mode), Applies::Yes);
        if applies || is_ignored(opaque, member, mode) {
            most += 1;
        }
        n += 1;
    }
    if members.len() <= most {
        return None;
    }
    Some([
        Arg::Str(variable.name),
        Arg::Int(members.len() as i128),
        Arg::Str(opaque.declared()),
        Arg::Int(most as i128),
    ])
}

pub(super) const fn member_value<'a>(
    variable: &Variable<'a>,
    _: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    let Some((_, members)) = assigned(variable) else { return None };
    let mut n = 0;
    while n < members.len() {
        let Assignment { member, value } = members[n];
        if !is_value(member.domain(), value) {
            let is = match value {
                MemberValue::Int(value) => Arg::Int(value),
                MemberValue::Filter(mode) => Arg::Str(mode.name()),
                MemberValue::Address(mode) => Arg::Str(mode.name()),
            };
            return Some([Arg::Str(member.name()), is, Arg::Str(values(member.domain())), NONE]);
        }
        n += 1;
    }
    None
}

/// Whether a domain contains a value.
const fn is_value(domain: Domain, value: MemberValue) -> bool {
    match (domain, value) {
        (Domain::Count, MemberValue::Int(value)) => value >= 0 && value <= u32::MAX as i128,
        (Domain::Flag, MemberValue::Int(value)) => value == 0 || value == 1,
        (Domain::ChannelType, MemberValue::Int(value)) => {
            let mut n = 0;
            while n < ChannelType::ALL.len() {
                if ChannelType::ALL[n].value() as i128 == value {
                    return true;
                }
                n += 1;
            }
            false
        }
        (Domain::ChannelOrder, MemberValue::Int(value)) => {
            let mut n = 0;
            while n < ChannelOrder::ALL.len() {
                if ChannelOrder::ALL[n].value() as i128 == value {
                    return true;
                }
                n += 1;
            }
            false
        }
        (Domain::Filter, MemberValue::Filter(_)) | (Domain::Address, MemberValue::Address(_)) => {
            true
        }
        (_, _) => false,
    }
}

/// The values of a domain, in words.
const fn values(domain: Domain) -> &'static str {
    match domain {
        Domain::Count => "a number from 0 to 4294967295",
        Domain::Flag => "0 or 1",
        Domain::ChannelType => "a channel data type, 0x10D0 to 0x10DE (table 12)",
        Domain::ChannelOrder => "a channel order, 0x10B0 to 0x10B9 (table 13)",
        Domain::Filter => "`nearest` or `linear`",
        Domain::Address => "`wrap`, `mirror`, `clamp_ogl`, `clamp_to_edge` or `clamp_to_border`",
    }
}
