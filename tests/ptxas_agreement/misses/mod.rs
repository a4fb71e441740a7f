//! Near misses: declarations that break exactly one refused rule.

mod functions;
mod opaque;
mod values;
mod variables;

use ptx::ir::{Init, Linkage, Param, Type, Variable};
use ptx::rules;
use ptx::{Space, Target, Version};

use functions::*;
use opaque::*;
use ptx_smith::declarations::draft::{Body, Draft};
use ptx_smith::declarations::grammar::{align, sized};
use ptx_smith::declarations::legal::{VERSIONS, target};
use values::*;
use variables::*;

/// A rule, and a function that generates a violation.
type Miss = (&'static str, fn(&mut Draft));

/// The violations of each rule.
pub(crate) const MISSES: &[Miss] = &[
    ("D001", illegal_name),
    ("D002", same_name),
    ("D003", predicate_stored),
    ("D004", vector_too_wide),
    ("D005", align_not_power_of_two),
    ("D007", initialiser_space),
    ("D008", extent_zero),
    ("D009", const_variable_over_limit),
    ("D010", extent_missing),
    ("D011", wide_scalar),
    ("D012", new_scalar),
    ("D013", initialiser_of_extern),
    ("D015", vector_lanes),
    ("D017", space_not_here),
    ("D018", value_shape),
    ("D019", inexact_kind),
    ("D020", pointer_not_power_of_two),
    ("D025", common_outside_global),
    ("D026", managed_outside_global),
    ("D027", common),
    ("D028", managed),
    ("D030", align_too_large),
    ("D031", predicate_vector),
    ("D033", address_of_nothing),
    ("D037", function_is_generic),
    ("D038", offset_of_function),
    ("D039", address_type),
    ("D041", mask_not_a_byte),
    ("D042", address_space),
    ("D044", new_address),
    ("D045", family_initialised),
    ("D046", family_of_arrays),
    ("D048", unified_outside_global),
    ("D049", unified_variable),
    ("D050", unified_variable),
    ("D052", address_cycle),
    ("D055", param_type),
    ("D060", register_array),
    ("D056", local_param_over_aligned),
    ("O001", opaque_misplaced),
    ("O002", member_not_applicable),
    ("O010", members_too_many),
    ("O003", sampler_in_unified_mode),
    ("O008", opaque_common),
    ("F001", params_over_limit),
    ("F002", shared_over_limit),
    ("F003", cluster_directive),
    ("F004", cluster_directive),
    ("F005", directive_zero),
    ("F007", directives_conflict),
    ("F010", param_over_aligned),
    ("F011", register_type),
    ("F012", several_param_returns),
    ("F020", noreturn_returns),
    ("F035", extern_with_body),
    ("F036", directive_of_other_kind),
    ("F037", directives_of_declaration),
    ("F038", declaration_differs),
    ("F017", unified_narrow_parameter),
    ("F018", unified_function_name),
    ("D067", address_without_abi),
    ("F013", unified_function),
    ("F014", unified_function),
    ("S001", new_special),
    ("S002", special),
    ("T001", anything),
    ("T002", anything),
    ("T003", const_over_limit),
];

/// Refused rules that are never broken alone, and the rules that are broken with them: features of PTX 7.8 also
/// need `sm_90`, which has PTX 7.8, and no supported target is as old as the version without `.managed`. A list
/// of too many members has duplicates.
pub(crate) const COMPANIONS: &[(&str, &str)] =
    &[("F003", "F004"), ("D028", "T001"), ("O010", "O007"), ("F017", "F009")];

/// Whether `codes` are exactly the violation of this rule.
pub(crate) fn is_only(rule: &str, codes: &[&str]) -> bool {
    codes.contains(&rule)
        && codes.iter().all(|code| *code == rule || COMPANIONS.contains(&(rule, *code)))
}

/// Chooses a target and a version for which only this rule is broken; if there are none, the case stays as it is,
/// and the rules report the reason.
pub(crate) fn settle(draft: &mut Draft, rule: &str) {
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

/// An arbitrary variable of the module.
fn good(draft: &mut Draft) -> Variable<'static> {
    let rng = &mut draft.rng;
    let space = rng.pick(&[Space::Global, Space::Const, Space::Shared]);
    let ty = sized(rng);
    let (align, linkage) = (
        align(rng, ty).filter(|align| Some(*align) >= ty.align()),
        rng.pick(&[Linkage::Internal, Linkage::Visible]),
    );
    Variable { align, linkage, ..draft.plain(space, ty) }
}

/// A variable that has a value, or can have one.
fn good_with(
    draft: &mut Draft,
    ty: &'static Type<'static>,
    init: Init<'static>,
) -> Variable<'static> {
    let space = draft.rng.pick(&[Space::Global, Space::Const]);
    let linkage = draft.rng.pick(&[Linkage::Internal, Linkage::Visible]);
    Variable { linkage, init, ..draft.plain(space, ty) }
}

/// Declares the variable in the module or in a body.
fn anywhere(draft: &mut Draft, variable: Variable<'static>) {
    if draft.rng.one_in(3) {
        inside(draft, Variable { linkage: Linkage::Internal, ..variable });
    } else {
        draft.add(variable);
    }
}

fn inside(draft: &mut Draft, variable: Variable<'static>) {
    let body = Body::of_local(&mut draft.rng, variable);
    draft.function(body);
}

fn kernel_of(draft: &mut Draft, param: Param<'static>) {
    draft.function(Body { params: vec![param], ..Body::kernel() });
}

fn anything(draft: &mut Draft) {
    let variable = good(draft);
    anywhere(draft, variable);
}
