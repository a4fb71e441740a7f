//! The rules about declarations and bodies, in one table.
//!
//! A rule is a row: a code, a section of the PTX ISA, the part of a declaration that it blames, a message, a fix, and
//! a test over the IR that is a `const fn`. The same row is evaluated during macro expansion ([`check_variable`] and
//! its siblings over an IR with unknowns), while rustc evaluates constants, and at run time ([`check_module`]: all
//! violations at once).

use core::fmt;

use crate::ir::Module;
use crate::opaque::TextureMode;
pub(crate) use crate::rule::NONE;
use crate::rule::{self, Table};
pub use crate::rule::{AllowanceSite, Arg, Args};
use crate::target::{Release, Target, Version};
use crate::text::Text;

pub mod access;
mod address;
pub mod aliased;
pub mod alignment;
pub mod block_barrier;
pub mod call;
mod check;
pub(crate) mod checked;
pub(crate) mod checks;
pub mod copy;
mod declaration;
pub(crate) mod deferred;
mod directive;
mod element;
#[doc(hidden)]
pub mod encoded;
pub mod form;
pub mod format;
mod function;
pub mod instruction;
mod layout;
pub mod misplaced;
mod module;
pub mod name_in_body;
mod opaque;
mod operand;
pub mod operand_kind;
mod outside;
pub mod protocol;
pub mod register;
pub mod reload;
pub mod requirement;
pub mod surface;
mod table;
mod tensor;
pub mod trace;
mod value;
mod variable;
pub mod warpgroup;

pub use crate::comparison::{Comparison, signed_in};
pub use crate::ir::Scope;
pub use crate::launch_condition::LaunchCondition;
pub use crate::reached::Reached;
pub use address::AddressTarget;
pub use check::*;
pub use declaration::signature_difference;
pub use directive::{GivenDirective, OtherDirective};
pub use function::{PARAM_BYTES, PARAM_BYTES_BEFORE_8_1, max_param_bytes};
pub use layout::Padding;
pub use module::CONST_BYTES;
pub use operand::{
    AccessForm, AddressKind, Computed, Offset, Settled, StorageAccess, TensorAccess, TensorMode,
    Via, gcd,
};
pub use outside::{check_outside, check_own, name_clash};
pub(crate) use table::OperandFacts;
pub use table::{RULES, WITHDRAWN, rule, withdrawn};

/// Who enforces a rule.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// ptxas or the driver refuses it too.
    Refused,
    /// The ISA forbids it, and the tools accept it.
    Unenforced,
    /// The tools accept it, and it faults, corrupts data or hangs at run time. It can be allowed by its code:
    /// `#[global(align = 1, allow(D006))]`.
    Hazard,
    /// The tools accept it with a warning, or ignore it, and the program runs right without it: it is a warning here as
    /// well, and no error. It can be allowed by its code.
    Warned,
}

/// The part of a declaration that a rule blames, and that the caret marks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Blame {
    /// The name.
    Name,
    /// The state space.
    Space,
    /// The linkage or another attribute.
    Linkage,
    /// The declared alignment.
    Align,
    /// The type.
    Type,
    /// The element type of arrays within the type.
    Element,
    /// The extent within the type that is zero.
    Extent,
    /// The initial value.
    Value,
    /// A number within the initial value that is wrong in any context.
    Number,
    /// A directive.
    Directive,
    /// The value of a directive.
    DirectiveValue,
    /// The combination of the directives.
    Directives,
    /// The PTX version.
    Version,
    /// The offset in an operand; its name if it has no offset.
    Offset,
}

impl Kind {
    /// Whether its rules can be allowed, because a program may intend the behaviour.
    pub(crate) const fn can_be_allowed(self) -> bool {
        match self {
            Self::Hazard | Self::Warned => true,
            Self::Refused | Self::Unenforced => false,
        }
    }

    /// Whether a violation is an error rather than a warning.
    pub const fn is_error(self) -> bool {
        match self {
            Self::Refused | Self::Unenforced | Self::Hazard => true,
            Self::Warned => false,
        }
    }
}

impl Blame {
    /// Whether the rules that blame `part` are among those for `self`.
    const fn covers(self, part: Self) -> bool {
        match self {
            Self::Type => matches!(part, Self::Type | Self::Element | Self::Extent),
            Self::Value => matches!(part, Self::Value | Self::Number),
            Self::Directive => matches!(part, Self::Directive | Self::DirectiveValue),
            Self::Name
            | Self::Space
            | Self::Linkage
            | Self::Align
            | Self::Element
            | Self::Extent
            | Self::Number
            | Self::DirectiveValue
            | Self::Directives
            | Self::Version
            | Self::Offset => self as u8 == part as u8,
        }
    }
}

/// The table of declarations and bodies.
#[derive(Clone, Copy, Debug)]
pub enum Declarations {}

impl Table for Declarations {
    type Kind = Kind;
    type Part = Blame;
    /// The section of the PTX ISA.
    type Source = &'static str;
}

/// One row of the rule table.
pub type Rule = rule::Rule<Declarations>;

/// A broken rule.
pub type Violation<'a> = rule::Violation<'a, Declarations>;

/// The values of a message about `what`, which needs a newer PTX version than the current one.
const fn too_new(what: Arg<'_>, needed: Version, env: Environment) -> Option<Args<'_>> {
    match env.version {
        Some(version) if version.is_below(needed) => {
            Some([what, Arg::Version(needed), Arg::Version(version), NONE])
        }
        Some(_) | None => None,
    }
}

/// The values of a message about `what`, which needs a newer target.
const fn wrong_target(what: Arg<'_>, arch: u16, env: Environment) -> Option<Args<'_>> {
    match env.target {
        Some(target) if target.arch() < arch => {
            Some([what, Arg::Targets(&[], arch), Arg::Str(target.name()), NONE])
        }
        Some(_) | None => None,
    }
}

impl<'a> Violation<'a> {
    /// Adds the only condition under which control reaches the instruction, and the execution, to a violation about
    /// its offset: a program may rely on that condition never holding.
    const fn under(
        self,
        only_where: Option<&'a LaunchCondition>,
        reached: Option<&'a Reached<'a>>,
    ) -> Self {
        match self.rule.blames {
            Blame::Offset => {
                Self { only_where: only_where.copied(), reached: reached.copied(), ..self }
            }
            _ => self,
        }
    }
}

impl Violation<'_> {
    /// The message, the fix, the code and the section, as compile errors print them.
    pub const fn text(&self) -> Text<1024> {
        let mut text = Text::new();
        self.push(&mut text, NONE);
        text.push_str(", PTX ISA ");
        text.push_str(self.rule.source);
        text.push_str("]");
        text
    }

    /// The same with a front end's own words for the message and the fix.
    pub fn in_words<'w>(&self, words: &'w str) -> impl fmt::Display + use<'w> {
        let rule = self.rule;
        fmt::from_fn(move |f| write!(f, "{words} [{}, PTX ISA {}]", rule.code, rule.source))
    }
}

impl fmt::Display for Violation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text().as_str())
    }
}

/// The message about an allowance of the rule with this code if nothing breaks it.
pub const fn unneeded(code: &str) -> Text<128> {
    let mut text = Text::new();
    text.push_str("nothing here breaks `");
    text.push_str(code);
    text.push_str("`; remove the allowance");
    text
}

/// The environment for which a declaration is checked.
#[derive(Clone, Copy, Debug)]
pub struct Environment {
    /// The target; `None` if it is unknown, in which case rules that depend on it are silent.
    pub target: Option<Target>,
    /// The PTX version; `None` for the lowest that suffices.
    pub version: Option<Version>,
    /// The oldest release of ptxas that must accept the text; `None` for any.
    pub release: Option<Release>,
    /// The texture mode; `None` if it is unknown, in which case rules that depend on it are silent.
    pub texture_mode: Option<TextureMode>,
}

impl Environment {
    /// An unknown environment.
    pub const UNKNOWN: Self =
        Self { target: None, version: None, release: None, texture_mode: None };

    /// The environment of a module.
    pub const fn of(module: &Module<'_>) -> Self {
        Self {
            target: Some(module.target),
            version: module.version,
            release: module.release,
            texture_mode: Some(module.texture_mode),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Kind;

    #[test]
    fn each_kind_is_an_error_or_a_warning_and_can_be_allowed_or_not() {
        for (kind, is_error, can_be) in [
            (Kind::Refused, true, false),
            (Kind::Unenforced, true, false),
            (Kind::Hazard, true, true),
            (Kind::Warned, false, true),
        ] {
            assert_eq!(kind.can_be_allowed(), can_be, "{kind:?}");
            assert_eq!(kind.is_error(), is_error, "{kind:?}");
        }
    }
}
