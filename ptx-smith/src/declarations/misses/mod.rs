//! Near misses: declarations that break exactly one refused rule, by construction.

mod functions;
mod good;
mod opaque;
mod values;
mod variables;

use ptx_isa::{Target, Version, rules};

use super::draft::{self, Draft};
use super::legal::{VERSIONS, target};
use crate::Rng;

/// A rule, and a function that generates a violation.
type Miss = (&'static str, fn(&mut Draft));

/// The violations of each rule.
pub const MISSES: &[Miss] = &[
    ("D001", variables::illegal_name),
    ("D002", variables::same_name),
    ("D003", variables::predicate_stored),
    ("D004", variables::vector_too_wide),
    ("D005", variables::align_not_power_of_two),
    ("D007", variables::initialiser_space),
    ("D008", variables::extent_zero),
    ("D009", variables::const_variable_over_limit),
    ("D010", variables::extent_missing),
    ("D011", variables::wide_scalar),
    ("D012", variables::new_scalar),
    ("D013", variables::initialiser_of_extern),
    ("D015", variables::vector_lanes),
    ("D017", variables::space_not_here),
    ("D018", variables::value_shape),
    ("D019", variables::inexact_kind),
    ("D020", variables::pointer_not_power_of_two),
    ("D025", variables::common_outside_global),
    ("D026", variables::managed_outside_global),
    ("D027", variables::common),
    ("D028", variables::managed),
    ("D030", variables::align_too_large),
    ("D031", variables::predicate_vector),
    ("D033", values::address_of_nothing),
    ("D037", values::function_is_generic),
    ("D038", values::offset_of_function),
    ("D039", values::address_type),
    ("D041", values::mask_not_a_byte),
    ("D042", values::address_space),
    ("D044", values::new_address),
    ("D045", values::family_initialised),
    ("D046", values::family_of_arrays),
    ("D048", variables::unified_outside_global),
    ("D049", variables::unified_variable),
    ("D050", variables::unified_variable),
    ("D052", values::address_cycle),
    ("D055", values::param_type),
    ("D060", functions::register_array),
    ("D056", values::local_param_over_aligned),
    ("O001", opaque::opaque_misplaced),
    ("O002", opaque::member_not_applicable),
    ("O010", opaque::members_too_many),
    ("O003", opaque::sampler_in_unified_mode),
    ("O008", opaque::opaque_common),
    ("F001", functions::params_over_limit),
    ("F002", functions::shared_over_limit),
    ("F003", functions::cluster_directive),
    ("F004", functions::cluster_directive),
    ("F005", functions::directive_zero),
    ("F007", functions::directives_conflict),
    ("F010", functions::param_over_aligned),
    ("F011", functions::register_type),
    ("F012", functions::several_param_returns),
    ("F020", functions::noreturn_returns),
    ("F035", functions::extern_with_body),
    ("F036", functions::directive_of_other_kind),
    ("F037", functions::directives_of_declaration),
    ("F038", functions::declaration_differs),
    ("F017", functions::unified_narrow_parameter),
    ("F018", functions::unified_function_name),
    ("D067", functions::address_without_abi),
    ("F013", functions::unified_function),
    ("F014", functions::unified_function),
    ("S001", functions::new_special),
    ("S002", functions::special),
    ("T001", good::anything),
    ("T002", good::anything),
    ("T003", variables::const_over_limit),
];

/// Refused rules that are never broken alone, and the rules that are broken with them: features of PTX 7.8 also
/// need `sm_90`, which has PTX 7.8, and no supported target is as old as the version without `.managed`. A list
/// of too many members has duplicates.
pub const COMPANIONS: &[(&str, &str)] =
    &[("F003", "F004"), ("D028", "T001"), ("O010", "O007"), ("F017", "F009")];

/// Whether `codes` are exactly the violation of this rule.
pub fn is_only(rule: &str, codes: &[&str]) -> bool {
    codes.contains(&rule)
        && codes.iter().all(|code| *code == rule || COMPANIONS.contains(&(rule, *code)))
}

/// Chooses a target and a version for which only this rule is broken; if there are none, the case stays as it is,
/// and the rules report the reason.
pub fn settle(draft: &mut Draft, rule: &str) {
    // None of these is or was a version.
    const NEVER: &[Version] = &[
        Version::new(4, 4),
        Version::new(4, 9),
        Version::new(5, 2),
        Version::new(6, 6),
        Version::new(7, 9),
        Version::new(8, 9),
    ];
    const OLD: &[Version] = &[Version::new(2, 3), Version::new(3, 0), Version::new(3, 2)];
    let versions = match rule {
        "T002" => NEVER,
        "D028" => OLD,
        _ => &[],
    };
    if !versions.is_empty() {
        for _ in 0..100 {
            let (target, version) = (target(&mut draft.rng), draft.rng.pick(versions));
            if breaks_only(draft, rule, target, Some(version)) {
                return;
            }
        }
    }
    for _ in 0..24 {
        let rng = &mut draft.rng;
        let version = match rng.below(16) {
            0..7 => None,
            7 => Some(rng.pick(NEVER)),
            8 => Some(rng.pick(OLD)),
            _ => Some(rng.pick(VERSIONS)),
        };
        let target = target(rng);
        if breaks_only(draft, rule, target, version) {
            return;
        }
    }
    // Some rules need a specific target and version: all are tried, from a random start.
    let (targets, versions) = (Target::ALL, VERSIONS);
    let pairs = targets.len() * versions.len();
    let start = draft.rng.below(pairs);
    for pair in (start..pairs).chain(0..start) {
        let (target, version) = (targets[pair / versions.len()], versions[pair % versions.len()]);
        let is_known = target.since().is_below(Version::new(9, 1));
        if is_known && breaks_only(draft, rule, target, Some(version)) {
            return;
        }
    }
}

/// Whether only this rule is broken for a target and version; the draft then has these.
fn breaks_only(draft: &mut Draft, rule: &str, target: Target, version: Option<Version>) -> bool {
    (draft.case.target, draft.case.version) = (target, version);
    draft.case.with(None, |module| {
        let codes: Vec<&str> =
            rules::check_module(module).iter().map(|violation| violation.rule.code).collect();
        is_only(rule, &codes)
    })
}

/// The text of a module with declarations that break this rule alone; `None` of a rule that has no near miss, or if the
/// one that was drawn breaks another, too.
pub(crate) fn text(rng: &mut Rng, code: &str) -> Option<String> {
    let all: Vec<&Miss> = MISSES.iter().filter(|(of, _)| *of == code).collect();
    if all.is_empty() {
        return None;
    }
    let (_, make) = rng.pick(&all);
    let mut draft = Draft::new(rng.next(), 0);
    make(&mut draft);
    settle(&mut draft, code);
    let (target, version) = (draft.case.target, draft.case.version);
    breaks_only(&mut draft, code, target, version).then(|| draft.case.with(None, draft::text))
}
