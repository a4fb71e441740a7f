//! Declarations that are meant to be legal: each form in turn, its parts at random.

use ptx_isa::rules::{self, Kind};
use ptx_isa::{Target, Version};

use super::draft::Draft;
use super::function::{
    called, device, directives, kernel_elsewhere, kernel_params, opaque_params, pointers, special,
    unified_function, variadic,
};
use super::limits::{const_near_limit, params_near_limit, shared_near_limit};
use super::variable::{
    counted, dynamic, external, family, initial_bytes, literal, local, local_with_value, managed,
    opaque, unified_variable, variable, with_addresses,
};
use crate::Rng;

/// The forms of a legal declaration.
pub const FORMS: &[fn(&mut Draft)] = &[
    variable,
    variable,
    literal,
    literal,
    initial_bytes,
    counted,
    with_addresses,
    with_addresses,
    with_addresses,
    with_addresses,
    opaque,
    opaque,
    opaque,
    opaque,
    opaque,
    family,
    family,
    managed,
    unified_variable,
    external,
    dynamic,
    kernel_params,
    kernel_params,
    pointers,
    opaque_params,
    directives,
    device,
    device,
    kernel_elsewhere,
    variadic,
    unified_function,
    local,
    local,
    local,
    local_with_value,
    special,
    called,
    shared_near_limit,
    const_near_limit,
    params_near_limit,
];

/// PTX versions that all releases know for some targets, and 9.0.
pub const VERSIONS: &[Version] = &[
    Version::new(4, 0),
    Version::new(4, 1),
    Version::new(4, 2),
    Version::new(4, 3),
    Version::new(5, 0),
    Version::new(6, 0),
    Version::new(6, 1),
    Version::new(6, 2),
    Version::new(6, 3),
    Version::new(6, 4),
    Version::new(6, 5),
    Version::new(7, 0),
    Version::new(7, 1),
    Version::new(7, 2),
    Version::new(7, 3),
    Version::new(7, 4),
    Version::new(7, 5),
    Version::new(7, 6),
    Version::new(7, 7),
    Version::new(7, 8),
    Version::new(8, 0),
    Version::new(8, 1),
    Version::new(8, 2),
    Version::new(8, 3),
    Version::new(8, 4),
    Version::new(8, 5),
    Version::new(8, 6),
    Version::new(8, 7),
    Version::new(8, 8),
    Version::new(9, 0),
];

/// A target that at least one of the two releases knows.
pub fn target(rng: &mut Rng) -> Target {
    loop {
        let target = rng.pick(Target::ALL);
        if !target.since().is_below(Version::new(9, 1)) {
            continue;
        }
        return target;
    }
}

/// Chooses a target, and usually no version, that support the declaration; if it finds none, the case stays as
/// it is, and the rules report the reason.
pub fn settle(draft: &mut Draft) {
    for _ in 0..24 {
        draft.case.target = target(&mut draft.rng);
        draft.case.version = None;
        if draft.rng.one_in(3) {
            let version = draft.rng.pick(VERSIONS);
            let known = |target: &Target| !version.is_below(target.since());
            let fitting: Vec<Target> = Target::ALL.iter().copied().filter(known).collect();
            (draft.case.target, draft.case.version) = (draft.rng.pick(&fitting), Some(version));
        }
        let refused = draft.case.with(None, |module| {
            rules::check_module(module).iter().any(|violation| violation.rule.kind == Kind::Refused)
        });
        if !refused {
            return;
        }
    }
}
