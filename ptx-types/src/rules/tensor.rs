//! Tests of tensor maps in storage: their targets, and the buffers of static ones.

use super::{Arg, Args, Environment, NONE, Scope, Symbol};
use crate::ir::{Address, Init, StructKind, Type, Variable};
use crate::target::Target;
use crate::tensor::rules::{Targets, Violation};
use crate::tensor::{Spec, extent_bytes};

/// The first map or tile in a type that a target does not have: its name, and the rule.
const fn absent_in<'a>(ty: &'a Type<'a>, target: Target) -> Option<(&'a str, Violation)> {
    match ty {
        Type::Struct(layout) => {
            if let StructKind::TensorMap(spec) | StructKind::Tile(spec) = layout.kind {
                return match absent(spec, target) {
                    Some(violation) => Some((layout.name, violation)),
                    None => None,
                };
            }
            let mut i = 0;
            while i < layout.fields.len() {
                if let Some(found) = absent_in(layout.fields[i].ty, target) {
                    return Some(found);
                }
                i += 1;
            }
            None
        }
        Type::Array(_, inner) | Type::Aligned(_, inner) | Type::Family(_, inner) => {
            absent_in(inner, target)
        }
        Type::Scalar(_) | Type::Vector(..) | Type::Opaque(_) | Type::Unknown => None,
    }
}

/// The first rule that a declaration breaks for this target and not for all.
const fn absent(spec: &Spec, target: Target) -> Option<Violation> {
    let mut from = 0;
    while let Some((at, violation)) = spec.violation(Some(target), from) {
        if !matches!(violation.rule.targets, Targets::All) {
            return Some(violation);
        }
        from = at + 1;
    }
    None
}

pub(super) const fn tensor_map_wrong_target<'a>(
    variable: &Variable<'a>,
    _: Scope,
    env: Environment,
) -> Option<Args<'a>> {
    let Some(target) = env.target else { return None };
    match absent_in(variable.ty, target) {
        Some((name, violation)) if !variable.allows("D071") => Some([
            Arg::Str(name),
            Arg::Str(violation.field.name()),
            Arg::Str(target.name()),
            Arg::Str(violation.rule.code),
        ]),
        Some(_) | None => None,
    }
}

/// Whether the elements are tensor maps, and the value is given.
const fn is_static_map(variable: &Variable<'_>) -> bool {
    match (variable.ty.element(), variable.init) {
        (Type::Struct(layout), Init::Linked(_)) => matches!(layout.kind, StructKind::TensorMap(_)),
        _ => false,
    }
}

pub(super) const fn static_map_unobserved<'a>(
    variable: &Variable<'a>,
    _: Scope,
    env: Environment,
) -> Option<Args<'a>> {
    match env.target {
        Some(target)
            if target.arch() != 90 && is_static_map(variable) && !variable.allows("D073") =>
        {
            Some([Arg::Str(variable.name), Arg::Str(target.name()), NONE, NONE])
        }
        Some(_) | None => None,
    }
}

pub(super) const fn tensor_beyond_buffer<'a>(
    address: &Address<'a>,
    symbol: Symbol<'a>,
    holder: &Variable<'a>,
) -> Option<Args<'a>> {
    let (Symbol::Variable(target), Init::Linked(linked)) = (symbol, holder.init) else {
        return None;
    };
    let Some(bytes) = target.bytes() else { return None };
    if !is_static_map(holder) || holder.allows("D072") || address.addend < 0 {
        return None;
    }
    let mut i = 0;
    while i < linked.links.len() {
        let link = &linked.links[i];
        let (_, map) = linked.bytes.split_at(link.at);
        if link.address.addend == address.addend
            && crate::ir::same(link.address.symbol, address.symbol)
            && let Some(map) = map.first_chunk::<128>()
            && let Some(extent) = extent_bytes(map)
            && address.addend.saturating_add(extent as i128) > bytes as i128
        {
            return Some([
                Arg::Str(holder.name),
                Arg::Int(address.addend.saturating_add(extent as i128)),
                Arg::Str(address.symbol),
                Arg::Bytes(bytes),
            ]);
        }
        i += 1;
    }
    None
}
