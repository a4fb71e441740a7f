//! The rules of tensor maps, asked of tokens.

use super::declaration::TensorMap;
use crate::errors::Errors;

/// Asks every rule if every number is a literal; otherwise rustc asks them.
pub(super) fn check(map: &TensorMap, errors: &mut Errors) {
    if !map.deferred.is_empty() {
        return;
    }
    let verdict = map.spec.check(map.target);
    // Without a rank, which comes first, what else is wrong says nothing.
    let most = if (1..=5).contains(&map.spec.rank) { usize::MAX } else { 1 };
    for violation in verdict.violations().iter().take(most) {
        if !map.allow.contains(&violation.rule.code) {
            errors.on(map.place(violation.blames), violation);
        }
    }
}
