//! What violations ask of the header of a module.

use super::{Arg, Violation};
use crate::target::{Target, Version};

/// The PTX version or the target that a part of a module needs, by a rule that the module's own breaks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Requirement<'a> {
    /// This PTX version, or a newer one.
    Version(Version),
    /// One of these targets; if there are none, this architecture (90 for `sm_90`) or a newer one.
    Target(&'a [Target], u16),
}

impl Requirement<'_> {
    /// Whether this version and this target have what it needs.
    pub fn is_met_by(&self, version: Version, target: Target) -> bool {
        match *self {
            Self::Version(needed) => !version.is_below(needed),
            Self::Target([], arch) => target.arch() >= arch,
            Self::Target(only, _) => only.contains(&target),
        }
    }
}

impl<'a> Violation<'a> {
    /// The version or the target that what breaks the rule needs; `None` if the rule is about anything else.
    ///
    /// ```
    /// use ptx_isa::rules::{check_module_alone, requirement::Requirement};
    /// use ptx_isa::{Target, Version, ir::Module};
    ///
    /// let module = Module { version: Some(Version::new(7, 0)), ..Module::new("", Target::Sm90) };
    /// let needed = check_module_alone(&module)[0].requirement();
    /// assert_eq!(needed, Some(Requirement::Version(Version::new(7, 8))));
    /// ```
    pub const fn requirement(&self) -> Option<Requirement<'a>> {
        match self.args {
            [_, Arg::Version(needed), Arg::Version(_), _] => Some(Requirement::Version(needed)),
            [_, Arg::Targets(only, arch), ..] => Some(Requirement::Target(only, arch)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::RULES;

    /// Callers show the part of these messages before "but", which is about the module's own version or target.
    #[test]
    fn messages_say_first_what_is_needed() {
        for rule in RULES {
            // What a tensor map needs is a table of its own.
            let is_of_map = rule.name == "tensor_map_wrong_target";
            let is_of_needs =
                rule.name.ends_with("_too_new") || rule.name.ends_with("_wrong_target");
            if is_of_needs && !is_of_map {
                let (needed, _) = rule.message.split_once(", but the ").expect(rule.name);
                assert!(needed.contains("needs "), "{}", rule.code);
            }
        }
    }
}
