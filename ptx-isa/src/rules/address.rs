//! Tests of addresses in initial values: the names in them, and the addends.

use super::{Arg, Args, NONE};
use crate::ir::{Address, Variable};
use crate::space::Space;

/// The meaning of the name in an address.
#[derive(Clone, Copy, Debug)]
pub enum AddressTarget<'a> {
    /// An undeclared name.
    Nothing,
    /// A variable, or a member of a family.
    Variable(&'a Variable<'a>),
    /// A kernel or device function, defined here or in another module.
    Function,
    /// A label, register or parameter of the body that contains the value.
    Local(&'static str),
}

pub(super) const fn address_of_nothing<'a>(
    address: &Address<'a>,
    symbol: AddressTarget<'a>,
    _: &Variable<'a>,
) -> Option<Args<'a>> {
    match symbol {
        AddressTarget::Nothing => Some([Arg::Str(address.symbol), NONE, NONE, NONE]),
        AddressTarget::Variable(_) | AddressTarget::Function | AddressTarget::Local(_) => None,
    }
}

pub(super) const fn address_of_local<'a>(
    address: &Address<'a>,
    symbol: AddressTarget<'a>,
    _: &Variable<'a>,
) -> Option<Args<'a>> {
    match symbol {
        AddressTarget::Local(what) => Some([Arg::Str(address.symbol), Arg::Str(what), NONE, NONE]),
        AddressTarget::Nothing | AddressTarget::Variable(_) | AddressTarget::Function => None,
    }
}

pub(super) const fn address_space<'a>(
    address: &Address<'a>,
    symbol: AddressTarget<'a>,
    _: &Variable<'a>,
) -> Option<Args<'a>> {
    match symbol {
        AddressTarget::Variable(target)
            if !matches!(target.space, Space::Global | Space::Const) =>
        {
            Some([Arg::Str(address.symbol), Arg::Str(target.space.directive()), NONE, NONE])
        }
        _ => None,
    }
}

pub(super) const fn address_outside<'a>(
    address: &Address<'a>,
    symbol: AddressTarget<'a>,
    _: &Variable<'a>,
) -> Option<Args<'a>> {
    let AddressTarget::Variable(target) = symbol else { return None };
    let bytes = match (target.ty.family(), target.bytes()) {
        (Some((_, member)), _) => member.size(),
        (None, bytes) => bytes,
    };
    // Opaque variables have their own rule.
    if target.ty.opaque().is_some() {
        return None;
    }
    let addend = Arg::Int(address.addend);
    match bytes {
        Some(bytes) if address.addend < 0 || address.addend >= bytes as i128 => {
            let (has, fix) = match bytes {
                0 => (Arg::Str("which has no bytes"), Arg::Str("remove the offset")),
                _ => (
                    Arg::Worded("which has # bytes", bytes as i128),
                    Arg::Worded("write an offset in bytes, from 0 to #", bytes as i128 - 1),
                ),
            };
            Some([Arg::Str(address.symbol), addend, has, fix])
        }
        None if address.addend < 0 => {
            let fix = Arg::Str("write an offset in bytes, from 0 up");
            Some([Arg::Str(address.symbol), addend, Arg::Str("which starts at 0"), fix])
        }
        Some(_) | None => None,
    }
}

pub(super) const fn address_of_opaque<'a>(
    address: &Address<'a>,
    symbol: AddressTarget<'a>,
    _: &Variable<'a>,
) -> Option<Args<'a>> {
    match symbol {
        AddressTarget::Variable(target) => match target.ty.opaque() {
            Some(opaque) => {
                Some([Arg::Str(address.symbol), Arg::Str(opaque.declared()), NONE, NONE])
            }
            None => None,
        },
        _ => None,
    }
}

pub(super) const fn function_is_generic<'a>(
    address: &Address<'a>,
    symbol: AddressTarget<'a>,
    _: &Variable<'a>,
) -> Option<Args<'a>> {
    match symbol {
        AddressTarget::Function if address.generic => {
            Some([Arg::Str(address.symbol), NONE, NONE, NONE])
        }
        _ => None,
    }
}

pub(super) const fn offset_of_function<'a>(
    address: &Address<'a>,
    symbol: AddressTarget<'a>,
    _: &Variable<'a>,
) -> Option<Args<'a>> {
    match symbol {
        AddressTarget::Function if address.addend != 0 => {
            Some([Arg::Str(address.symbol), Arg::Int(address.addend), NONE, NONE])
        }
        _ => None,
    }
}

#[allow(clippy::unnecessary_wraps)] // all tests have this signature
pub(super) const fn address_cycle(name: &str) -> Option<Args<'_>> {
    Some([Arg::Str(name), NONE, NONE, NONE])
}

#[allow(clippy::unnecessary_wraps)] // all tests have this signature
pub(super) const fn address_without_abi<'a>(
    several: &'a str,
    function: &'a str,
) -> Option<Args<'a>> {
    Some([Arg::Str(several), Arg::Str(function), NONE, NONE])
}

pub(super) const fn pointer_misaligned(
    symbol: &str,
    aligned: usize,
    promised: usize,
) -> Option<Args<'_>> {
    if aligned.is_multiple_of(promised) {
        return None;
    }
    let (aligned, promised) = (Arg::Int(aligned as i128), Arg::Int(promised as i128));
    Some([Arg::Str(symbol), aligned, promised, NONE])
}
