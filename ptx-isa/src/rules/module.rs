//! Tests of modules.

use super::{Arg, Args};
use crate::ir::{Module, Variable};
use crate::space::Space;
use crate::target::{Release, Target, Version};

/// The size of constant memory for static variables in bytes (PTX ISA 5.1.3).
pub const CONST_BYTES: usize = 65_536;

pub(super) const fn version_below_target<'a>(module: &Module<'a>) -> Option<Args<'a>> {
    match module.version {
        Some(version)
            if version.is_below(module.target.since()) && !is_accepted_early(module, version) =>
        {
            Some([
                Arg::Str(module.target.name()),
                Arg::Version(module.target.since()),
                Arg::Version(version),
                Arg::None,
            ])
        }
        _ => None,
    }
}

pub(super) const fn version_below_target_accepted<'a>(module: &Module<'a>) -> Option<Args<'a>> {
    match module.version {
        Some(version) if is_accepted_early(module, version) => Some([
            Arg::Str(module.target.name()),
            Arg::Version(module.target.since()),
            Arg::Version(version),
            Arg::None,
        ]),
        _ => None,
    }
}

/// Whether ptxas accepts a version that is too old for the target: 13.0 does for `sm_88`. A text, which is for any release
/// that accepts it, names the newest.
const fn is_accepted_early(module: &Module<'_>, version: Version) -> bool {
    let is_accepted = match module.release {
        Some(Release { major: 13, minor: 0 }) => true,
        Some(Release { major, minor }) => {
            major == Release::NEWEST.major && minor == Release::NEWEST.minor
        }
        None => false,
    };
    is_accepted
        && matches!(module.target, Target::Sm88)
        && version.is_below(module.target.since())
        && !version.is_below(Version::new(7, 3))
}

pub(super) const fn no_such_version<'a>(module: &Module<'a>) -> Option<Args<'a>> {
    match module.version {
        Some(version) => {
            let (last, around) = match version.major {
                1 => (5, ("1.5", "2.0")),
                2 => (3, ("2.3", "3.0")),
                3 => (2, ("3.2", "4.0")),
                4 => (3, ("4.3", "5.0")),
                5 => (1, ("5.1", "6.0")),
                6 => (5, ("6.5", "7.0")),
                7 => (8, ("7.8", "8.0")),
                8 => (8, ("8.8", "9.0")),
                _ => return None,
            };
            if version.minor <= last {
                return None;
            }
            Some([Arg::Version(version), Arg::Str(around.0), Arg::Str(around.1), Arg::None])
        }
        None => None,
    }
}

pub(super) const fn const_over_limit<'a>(module: &Module<'a>) -> Option<Args<'a>> {
    let bytes = match module.const_bytes() {
        Some(bytes) if bytes > CONST_BYTES => bytes,
        Some(_) | None => return None,
    };
    let (mut largest, mut i) = (largest_const(("", 0), module.variables), 0);
    while i < module.functions.len() {
        largest = largest_const(largest, module.functions[i].locals);
        i += 1;
    }
    if largest.1 > CONST_BYTES {
        return None; // D009 reports the variable itself
    }
    Some([Arg::bytes(bytes), Arg::bytes(CONST_BYTES), Arg::Str(largest.0), Arg::None])
}

/// The name and size in bytes of the largest constant among this one and some variables.
const fn largest_const<'a>(
    known: (&'a str, usize),
    variables: &[&Variable<'a>],
) -> (&'a str, usize) {
    let (mut largest, mut i) = (known, 0);
    while i < variables.len() {
        let variable = variables[i];
        if let (Space::Const, Some(bytes)) = (variable.space, variable.unit().bytes())
            && bytes > largest.1
        {
            largest = (variable.name, bytes);
        }
        i += 1;
    }
    largest
}
