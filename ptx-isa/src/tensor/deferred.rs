//! The rules of tensor maps while rustc evaluates constants: each check panics with the broken
//! rules, at its caller, which expanded code places at the user's token.

use super::rules::{Field, Violation};
use crate::const_str::contains;
use crate::map::{Spec, Tensor};
use crate::target::Target;
use crate::text::Text;

#[track_caller]
const fn refuse(violation: &Violation) {
    panic!("{}", violation.text().as_str());
}

/// Panics if a declaration breaks a rule that is reported at this field.
#[track_caller]
pub const fn require_map_field(spec: &Spec, target: Option<Target>, allow: &[&str], field: Field) {
    let mut from = 0;
    while let Some((at, violation)) = spec.violation(target, from) {
        if violation.blames.is(field) && !contains(allow, violation.rule.code) {
            refuse(&violation);
        }
        from = at + 1;
    }
}

/// Panics if a declaration breaks a rule that is reported at none of these fields, which are
/// checked separately.
#[track_caller]
pub const fn require_map_else(
    spec: &Spec,
    target: Option<Target>,
    allow: &[&str],
    checked: &[Field],
) {
    let mut from = 0;
    while let Some((at, violation)) = spec.violation(target, from) {
        let (mut is_covered, mut i) = (contains(allow, violation.rule.code), 0);
        while i < checked.len() {
            is_covered |= violation.blames.is(checked[i]);
            i += 1;
        }
        if !is_covered {
            refuse(&violation);
        }
        from = at + 1;
    }
}

/// Panics if a map breaks rules about its tensor, and lists all of them. Rules that the declaration
/// alone breaks were reported there.
#[track_caller]
pub const fn require_tensor(spec: &Spec, tensor: &Tensor, target: Option<Target>, allow: &[&str]) {
    let (mut text, mut is_sound, mut from) = (Text::<4096>::new(), true, 0);
    while let Some((at, violation)) = spec.violation_with(tensor, target, from) {
        if !contains(allow, violation.rule.code) {
            if !is_sound {
                text.push_str("\n");
            }
            text.push_str(violation.text().as_str());
            is_sound = false;
        }
        from = at + 1;
    }
    assert!(is_sound, "{}", text.as_str());
}
