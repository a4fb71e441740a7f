//! The rules of tensor maps while rustc evaluates constants: each panics with what is broken, at its
//! caller, which expanded code puts at the user's token.

use super::rules::{Field, Violation};
use crate::const_str::contains;
use crate::map::{Spec, Tensor};
use crate::target::Target;
use crate::text::Text;

#[track_caller]
const fn refuse(violation: &Violation) {
    panic!("{}", violation.text().as_str());
}

/// Panics if a declaration breaks a rule that blames the field.
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
            is_asked |= violation.blames.is(asked[i]);
            i += 1;
        }
        if !is_asked {
            refuse(&violation);
        }
        from = at + 1;
    }
}

/// Panics if a map breaks rules that its tensor decides, with all of them. What the declaration
/// breaks was reported there.
#[track_caller]
pub(super) const fn require_tensor(
    spec: &Spec,
    tensor: &Tensor,
    target: Option<Target>,
    allow: &[&str],
) {
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

/// A corner from a constant of any integer type; what does not fit becomes the greatest or least,
/// which no rule lets pass.
#[allow(clippy::cast_possible_truncation)] // which is asked
pub const fn to_i32<T: crate::splice::Whole>(value: T) -> i32 {
    let value = crate::splice::whole(value);
    let corner = value as i32;
    if corner as i128 == value {
        corner
    } else if value.is_negative() {
        i32::MIN
    } else {
        i32::MAX
    }
}
