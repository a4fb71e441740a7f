//! The rules of tensor maps, in one table.
//!
//! A rule is a row: a code, its source (the driver's manual, the PTX ISA or an observation of the
//! driver: they differ in places, and then each has its own row), the targets that it applies to,
//! the field that it is reported at, a message, a fix, and a test that is a `const fn`.

use core::fmt;

use crate::rule::{self, Table};
pub use crate::rule::{Arg, Args};
use crate::target::Target;
use crate::text::Text;

mod field;
mod padded;
mod spec;
mod table;
mod tensor;
mod verdict;

pub use field::Field;
pub use table::{RULES, rule};
pub use verdict::Verdict;

/// The GPU and the driver that the rules' observations were made with.
pub const OBSERVED: &str = "sm_90, driver API 13.0";

/// The observed behaviour of a driver for a map that breaks a rule: see [`OBSERVED`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Observed {
    /// It refuses the map; the text describes how it differs from the documents, if it does.
    Refused(&'static str),
    /// It accepts the map, or does not receive the value.
    Taken,
    /// Not observed: `sm_90` does not have such maps.
    Unseen,
}

/// The targets that a rule applies to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Targets {
    /// All of them.
    All,
    /// Architectures below this one: 100 for those before `sm_100`.
    Below(u16),
    /// All but one.
    AllBut(Target),
    /// Only one.
    Only(Target),
    /// All but the family-specific and architecture-specific ones from `sm_100f` to below `sm_120`.
    OutsideFamilies,
}

impl Targets {
    /// Whether the rule applies to this target; if that is unknown, only if it applies to all.
    #[inline]
    pub const fn hold(self, target: Option<Target>) -> bool {
        match (self, target) {
            (Self::All, _) => true,
            (_, None) => false,
            (Self::Below(arch), Some(target)) => target.arch() < arch,
            (Self::AllBut(one), Some(target)) => one as u8 != target as u8,
            (Self::Only(one), Some(target)) => one as u8 == target as u8,
            (Self::OutsideFamilies, Some(target)) => {
                target.is_baseline() || !matches!(target.arch(), 100..120)
            }
        }
    }
}

/// The sources of a rule, and the targets that it applies to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Source {
    /// The parameter whose description in the driver's manual states the rule, if any does.
    pub manual: Option<&'static str>,
    /// The section or instruction of the PTX ISA that states the rule, if any does.
    pub ptx: Option<&'static str>,
    /// The targets that it applies to.
    pub targets: Targets,
}

/// The table of tensor maps.
#[derive(Clone, Copy, Debug)]
pub enum Maps {}

impl Table for Maps {
    /// The observed behaviour of the driver: see [`OBSERVED`].
    type Kind = Observed;
    type Part = Field;
    type Source = Source;
}

/// One row of the rule table.
pub type Rule = rule::Rule<Maps>;

/// A broken rule.
pub type Violation = rule::Violation<'static, Maps>;

impl Observed {
    /// Whether rules of this kind can be allowed: a map that breaks them can still be encoded.
    pub(crate) const fn can_be_allowed(self) -> bool {
        match self {
            Self::Taken => true,
            Self::Refused(_) | Self::Unseen => false,
        }
    }
}

impl Rule {
    /// Whether a document, the driver's manual or the PTX ISA, forbids breaking it.
    pub const fn is_forbidden(&self) -> bool {
        self.source.manual.is_some() || self.source.ptx.is_some()
    }

    /// Whether the driver was observed to enforce it.
    pub const fn is_refused(&self) -> bool {
        matches!(self.kind, Observed::Refused(_))
    }
}

impl Violation {
    /// The message, the fix, the code and the sources, as compile errors print them.
    pub const fn text(&self) -> Text<1024> {
        let mut text = Text::new();
        self.push(&mut text, Arg::Element(self.blames.name(), self.blames.index()));
        let Source { manual, ptx, .. } = self.rule.source;
        if let Some(parameter) = manual {
            text.push_str(", driver manual: ");
            text.push_str(parameter);
        }
        if let Some(section) = ptx {
            text.push_str(", PTX ISA ");
            text.push_str(section);
        }
        text.push_str(match (self.rule.kind, self.rule.is_forbidden()) {
            (Observed::Refused(_), true) => "]",
            (Observed::Refused(_), false) => ", refused by the driver alone]",
            (Observed::Taken, _) => "; the driver takes it]",
            (Observed::Unseen, _) => "; not tried with a driver]",
        });
        text
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text().as_str())
    }
}

#[cfg(test)]
mod tests;
