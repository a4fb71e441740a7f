//! Tests of tensor maps in storage: their targets, and the buffers of static ones.

use super::{AddressTarget, Arg, Args, Environment, NONE, Scope};
use crate::ir::{Address, Init, StructKind, Type, Variable};
use crate::space::Space;
use crate::target::Target;
use crate::tensor::rules::{Targets, Violation};
use crate::tensor::{Spec, extent_bytes};

/// The first map or tile in a type that a target does not support: its name, and the rule.
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

/// The first rule that a declaration breaks only for some targets, including this one.
const fn absent(spec: &Spec, target: Target) -> Option<Violation> {
    let mut from = 0;
    while let Some((at, violation)) = spec.violation(Some(target), from) {
        if !matches!(violation.rule.source.targets, Targets::All) {
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
        Some((name, violation)) => Some([
            Arg::Str(name),
            Arg::Str(violation.blames.name()),
            Arg::Str(target.name()),
            Arg::Str(violation.rule.code),
        ]),
        None => None,
    }
}

/// The tensor map at this byte offset of a type.
const fn map_at<'a>(ty: &Type<'a>, at: usize) -> Option<&'a Spec> {
    match ty.at(at) {
        Some((Type::Struct(layout), 0)) => match layout.kind {
            StructKind::TensorMap(spec) => Some(spec),
            StructKind::Tile(_) | StructKind::Mbarrier | StructKind::Fields => None,
        },
        Some(_) | None => None,
    }
}

pub(super) const fn static_map_unobserved<'a>(
    variable: &Variable<'a>,
    _: Scope,
    env: Environment,
) -> Option<Args<'a>> {
    let (Some(target), Init::Linked(linked)) = (env.target, variable.init) else { return None };
    if target.arch() == 90 {
        return None;
    }
    let mut i = 0;
    while i < linked.links.len() {
        if map_at(variable.ty, linked.links[i].at).is_some() {
            return Some([Arg::Str(variable.name), Arg::Str(target.name()), NONE, NONE]);
        }
        i += 1;
    }
    None
}

/// A static map of `holder` over an address, at or after link `from`: its position, its declaration and its bytes.
const fn map_over<'a>(
    address: &Address<'a>,
    holder: &Variable<'a>,
    mut from: usize,
) -> Option<(usize, &'a Spec, &'a [u8; 128])> {
    let Init::Linked(linked) = holder.init else { return None };
    while from < linked.links.len() {
        let link = &linked.links[from];
        if link.address.addend == address.addend
            && crate::const_str::same(link.address.symbol, address.symbol)
            && let Some(spec) = map_at(holder.ty, link.at)
            && let Some(map) = linked.bytes.split_at(link.at).1.first_chunk::<128>()
        {
            return Some((from, spec, map));
        }
        from += 1;
    }
    None
}

pub(super) const fn tensor_beyond_buffer<'a>(
    address: &Address<'a>,
    symbol: AddressTarget<'a>,
    holder: &Variable<'a>,
) -> Option<Args<'a>> {
    let AddressTarget::Variable(target) = symbol else { return None };
    let Some(bytes) = target.bytes() else { return None };
    if address.addend < 0 {
        return None;
    }
    let mut from = 0;
    while let Some((at, _, map)) = map_over(address, holder, from) {
        if let Some(extent) = extent_bytes(map) {
            let end = address.addend.saturating_add(extent as i128);
            if end > bytes as i128 {
                return Some([
                    Arg::Str(holder.name),
                    Arg::Int(end),
                    Arg::Str(address.symbol),
                    Arg::bytes(bytes),
                ]);
            }
        }
        from = at + 1;
    }
    None
}

pub(super) const fn tensor_of_other_elements<'a>(
    address: &Address<'a>,
    symbol: AddressTarget<'a>,
    holder: &Variable<'a>,
) -> Option<Args<'a>> {
    let AddressTarget::Variable(target) = symbol else { return None };
    let Some(scalar) = target.ty.scalar() else { return None };
    if tensor_beyond_buffer(address, symbol, holder).is_some() {
        return None;
    }
    // Bytes can hold any type.
    if scalar.bytes() == 1 {
        return None;
    }
    let mut from = 0;
    while let Some((at, spec, _)) = map_over(address, holder, from) {
        if scalar.bytes() * 8 != spec.element.bits() as usize {
            return Some([
                Arg::Str(holder.name),
                Arg::Str(spec.element.name()),
                Arg::Str(address.symbol),
                Arg::Type(target.ty.element()),
            ]);
        }
        from = at + 1;
    }
    None
}

/// The first tile or barrier in a type: its name, and its kind.
const fn shared_only<'a>(ty: &'a Type<'a>) -> Option<(&'a str, &'static str)> {
    match ty {
        Type::Struct(layout) => {
            match layout.kind {
                StructKind::Tile(_) => return Some((layout.name, "the tile of a tensor map")),
                StructKind::Mbarrier => return Some((layout.name, "a barrier")),
                StructKind::TensorMap(_) | StructKind::Fields => {}
            }
            let mut i = 0;
            while i < layout.fields.len() {
                if let Some(found) = shared_only(layout.fields[i].ty) {
                    return Some(found);
                }
                i += 1;
            }
            None
        }
        Type::Array(_, inner) | Type::Aligned(_, inner) | Type::Family(_, inner) => {
            shared_only(inner)
        }
        Type::Scalar(_) | Type::Vector(..) | Type::Opaque(_) | Type::Unknown => None,
    }
}

pub(super) const fn shared_only_elsewhere<'a>(
    variable: &Variable<'a>,
    _: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match (variable.space, shared_only(variable.ty)) {
        (Space::Shared, _) | (_, None) => None,
        (space, Some((name, what))) => Some([
            Arg::Str(variable.name),
            Arg::Str(name),
            Arg::Str(what),
            Arg::Str(space.directive()),
        ]),
    }
}
