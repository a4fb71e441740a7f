//! Tests of modules.

use super::{Arg, Args};
use crate::ir::Module;
use crate::space::Space;

/// Constant memory for static variables in bytes (PTX ISA 5.1.3).
pub const CONST_BYTES: usize = 65_536;

pub(super) const fn version_below_target<'a>(module: &Module<'a>) -> Option<Args<'a>> {
    match module.version {
        Some(version) if version.is_below(module.target.since()) => Some([
            Arg::Str(module.target.name()),
            Arg::Version(module.target.since()),
            Arg::Version(version),
            Arg::None,
        ]),
        _ => None,
    }
}

pub(super) const fn no_such_version<'a>(module: &Module<'a>) -> Option<Args<'a>> {
    match module.version {
        Some(version) => {
            let around = match (version.major, version.minor) {
                (7, 9) => ("7.8", "8.0"),
                (8, 9) => ("8.8", "9.0"),
                _ => return None,
            };
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
    let (mut largest, mut size, mut i) = ("", 0, 0);
    while i < module.variables.len() {
        let variable = module.variables[i];
        if let (Space::Const, Some(bytes)) = (variable.space, variable.bytes()) {
            if bytes > CONST_BYTES {
                return None; // D009 says so of the variable itself
            }
            if bytes > size {
                (largest, size) = (variable.name, bytes);
            }
        }
        i += 1;
    }
    Some([Arg::Str(module.name), Arg::Bytes(bytes), Arg::Bytes(CONST_BYTES), Arg::Str(largest)])
}
