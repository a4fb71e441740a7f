//! The rules of tensor maps while rustc evaluates constants: each panics with the first violation,
//! at its caller, which expanded code puts at the user's token.

use super::rules::{Field, Violation};
use super::spec::{Spec, Tensor};
use crate::target::Target;

#[track_caller]
const fn refuse(violation: &Violation) {
    panic!("{}", violation.text().as_str());
}

const fn contains(codes: &[&str], code: &str) -> bool {
    let mut i = 0;
    while i < codes.len() {
        if crate::ir::same(codes[i], code) {
            return true;
        }
        i += 1;
    }
    false
}

/// Panics if a declaration breaks a rule that blames the field.
#[track_caller]
pub const fn require_map_field(spec: &Spec, target: Option<Target>, allow: &[&str], field: Field) {
    let mut from = 0;
    while let Some((at, violation)) = spec.violation(target, from) {
        if violation.field.is(field) && !contains(allow, violation.rule.code) {
            refuse(&violation);
        }
        from = at + 1;
    }
}

/// Panics if a declaration breaks a rule that blames none of these fields, which are asked apart.
#[track_caller]
pub const fn require_map_else(
    spec: &Spec,
    target: Option<Target>,
    allow: &[&str],
    asked: &[Field],
) {
    let mut from = 0;
    while let Some((at, violation)) = spec.violation(target, from) {
        let (mut is_asked, mut i) = (contains(allow, violation.rule.code), 0);
        while i < asked.len() {
            is_asked |= violation.field.is(asked[i]);
            i += 1;
        }
        if !is_asked {
            refuse(&violation);
        }
        from = at + 1;
    }
}

/// Panics if a map breaks a rule that its tensor decides.
#[track_caller]
pub(super) const fn require_tensor(spec: &Spec, tensor: &Tensor, target: Option<Target>) {
    if let Some(violation) = spec.first_violation_with(tensor, target) {
        refuse(&violation);
    }
}

/// A corner from a constant of any integer type; what does not fit becomes the greatest or least,
/// which no rule lets pass.
#[allow(clippy::cast_possible_truncation)] // not after the comparisons
pub const fn to_i32<T: crate::splice::Whole>(value: T) -> i32 {
    let value = crate::rules::late::to_i128(value);
    if value > i32::MAX as i128 {
        i32::MAX
    } else if value < i32::MIN as i128 {
        i32::MIN
    } else {
        value as i32
    }
}
