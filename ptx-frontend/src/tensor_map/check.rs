//! The rules of tensor maps, asked of tokens.

use super::declaration::TensorMap;
use crate::errors::Errors;

/// Asks every rule if every number is a literal; otherwise rustc asks them.
pub(super) fn check(map: &TensorMap, errors: &mut Errors) {
    if !map.deferred.is_empty() {
        return;
    }
    let verdict = map.spec.check(map.target);
    for violation in verdict.violations() {
        // Without a rank, what else is wrong says nothing.
        let is_idle = violation.rule.code != "M001" && !(1..=5).contains(&map.spec.rank);
        if !is_idle && !map.allow.contains(&violation.rule.code) {
            errors.on(map.place(violation.field), violation);
        }
    }
}
