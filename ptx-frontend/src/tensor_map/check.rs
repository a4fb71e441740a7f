//! Checks the rules of tensor maps on tokens.

use super::declaration::TensorMap;
use crate::errors::Errors;

/// Checks every rule if every number is a literal; otherwise rustc checks them.
pub(super) fn check(map: &TensorMap, errors: &mut Errors) {
    if !map.deferred.is_empty() {
        return;
    }
    let verdict = map.spec.check(map.target);
    // If the rank is wrong, which is reported first, other errors are meaningless.
    let most = if (1..=5).contains(&map.spec.rank) { usize::MAX } else { 1 };
    for violation in verdict.violations().iter().take(most) {
        if !map.allow.contains(&violation.rule.code) {
            errors.on(map.place(violation.blames), violation);
        }
    }
}
