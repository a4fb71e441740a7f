//! The rules of tensor maps while rustc evaluates constants.

use super::rules::Field;
use crate::const_str::contains;
use crate::found::Found;
use crate::map::{Spec, Tensor};
use crate::target::Target;
use crate::text::Text;

/// Checks a declaration for the rules that are reported at one of these fields, or else at none of them.
pub const fn check_map(
    spec: &Spec,
    target: Option<Target>,
    allow: &[&str],
    fields: &[Field],
    is_there: bool,
) -> Found {
    let mut from = 0;
    while let Some((at, violation)) = spec.violation(target, from) {
        let (mut blames_one, mut i) = (false, 0);
        while i < fields.len() {
            blames_one |= violation.blames.is(fields[i]);
            i += 1;
        }
        if blames_one == is_there && !contains(allow, violation.rule.code) {
            return Found::of(violation.text());
        }
        from = at + 1;
    }
    Found::NOTHING
}

/// Panics at its caller if a map breaks rules about its tensor, and lists all of them. Rules that the declaration alone
/// breaks were reported there.
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
