//! The engine of the rules: the columns that all rules have, the evaluation of a table of them, and the text of a
//! violation.
//!
//! A [`Table`] gives the types of the columns in which tables differ: [`rules`](crate::rules) is the table of
//! declarations and bodies, [`tensor::rules`](crate::tensor::rules) that of tensor maps. Nothing here
//! depends on a particular rule.

mod accessor;
mod arg;
mod demand;
mod in_ptx;
mod language;
mod operand;
mod table;

use alloc::vec::Vec;
use core::fmt::Debug;

pub use accessor::{AccessedBy, Accessor};
pub use arg::{Arg, Args};
pub(crate) use arg::{NONE, int};
pub use demand::{Demand, Demands};
pub use in_ptx::InPtx;
use language::Language;
pub(crate) use table::rules;

use crate::const_str;
use crate::launch_condition::LaunchCondition;
use crate::reached::Reached;
use crate::text::Text;

/// A table of rules, with the types of its own columns.
pub trait Table: 'static {
    /// Who enforces a rule.
    type Kind: Copy + Debug;
    /// The part of a declaration that a rule blames.
    type Part: Copy + Debug;
    /// The document that states a rule.
    type Source: Copy + Debug;
}

/// One row of a table of rules.
#[derive(Clone, Copy, Debug)]
pub struct Rule<T: Table> {
    /// A permanent code: `D005`.
    pub code: &'static str,
    /// A readable name: `align_not_power_of_two`.
    pub name: &'static str,
    /// Its subject: `variable`, `param`, `function`.
    pub subject: &'static str,
    /// The document that states it.
    pub source: T::Source,
    /// Who enforces it.
    pub kind: T::Kind,
    /// The part that it blames; if it can blame several of the same kind, the first.
    pub blames: T::Part,
    /// The places where it can be allowed by its code.
    pub allowed: AllowanceSites,
    /// The problem, with `{0}`.. for the values and `{f}` for the part.
    pub message: &'static str,
    /// The fix, where storage is declared in Rust.
    pub fix: &'static str,
    /// The fix in PTX; empty if it is the same.
    pub fix_in_ptx: &'static str,
    /// The cases in which it is silent.
    pub silence: Silence,
}

/// The cases in which a rule is silent although something may be wrong, in words that continue "silent ..".
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Silence {
    /// The cases in which all rules of its subject are silent; empty if there are none.
    pub subject: &'static str,
    /// Further cases in which this rule is silent; empty if there are none.
    pub rule: &'static str,
}

impl<T: Table> Rule<T> {
    /// The fix in PTX, with `{0}`.. for the values.
    pub const fn fix_in_ptx(&self) -> &'static str {
        if self.fix_in_ptx.is_empty() { self.fix } else { self.fix_in_ptx }
    }

    /// Whether the fix in PTX is also that of a declaration in the body of a kernel that is written in Rust: what it
    /// declares is PTX, unless the fix is a newer version of PTX.
    pub fn is_fixed_in_ptx_in_bodies(&self) -> bool {
        !self.fix_in_ptx.is_empty() && !self.fix.contains("`version = ")
    }

    /// Whether it can be allowed at this site.
    pub const fn is_allowed_on(&self, site: AllowanceSite) -> bool {
        self.allowed.has(site)
    }

    /// Whether it can be allowed at this site, and its code is in this list.
    pub(crate) const fn is_allowed_by(&self, site: AllowanceSite, codes: &[&str]) -> bool {
        self.is_allowed_on(site) && const_str::contains(codes, self.code)
    }

    /// The violation of a declaration, which breaks the part that the rule blames.
    pub(crate) const fn violation<'a>(
        &'static self,
        subject: &'a str,
        args: Args<'a>,
        is_allowed: bool,
    ) -> Violation<'a, T> {
        Violation {
            rule: self,
            subject,
            blames: self.blames,
            args,
            only_where: None,
            reached: None,
            is_allowed,
        }
    }
}

/// A site where a rule can be allowed by its code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AllowanceSite {
    /// On a variable of the module.
    Variable,
    /// On a parameter.
    Param,
    /// On a kernel or a device function.
    Function,
    /// On a declaration in a body.
    Local,
    /// On a statement.
    Statement,
    /// On the declaration of a tensor map.
    Map,
}

/// The sites where a rule can be allowed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AllowanceSites(u8);

impl AllowanceSites {
    /// Whether there are any.
    pub const fn is_anywhere(self) -> bool {
        self.0 != 0
    }

    /// No sites.
    pub const NOWHERE: Self = Self(0);

    /// Adds this site.
    pub const fn and(self, site: AllowanceSite) -> Self {
        Self(self.0 | 1 << site as u8)
    }

    /// Whether it contains this site.
    pub const fn has(self, site: AllowanceSite) -> bool {
        self.0 & 1 << site as u8 != 0
    }
}

/// A broken rule.
#[derive(Clone, Copy, Debug)]
pub struct Violation<'a, T: Table> {
    /// The rule.
    pub rule: &'static Rule<T>,
    /// The name of the declaration that breaks it.
    pub subject: &'a str,
    /// The part that breaks it.
    pub blames: T::Part,
    /// The values in its message.
    pub args: Args<'a>,
    /// The only condition under which control reaches it, if one is known.
    pub only_where: Option<LaunchCondition>,
    /// The execution that breaks it, if others do not.
    pub reached: Option<Reached<'a>>,
    /// Whether a declaration allows it.
    pub is_allowed: bool,
}

impl<T: Table> Violation<'_, T> {
    /// Appends the problem, the fix, and the code after an opening bracket.
    pub(crate) const fn push(&self, text: &mut Text<1024>, part: Arg<'_>) {
        self.push_words(text, part);
        text.push_str(" [");
        text.push_str(self.rule.code);
    }

    /// The problem and the fix, which compile errors print before the rule.
    pub const fn words(&self) -> Text<1024> {
        let mut text = Text::new();
        self.push_words(&mut text, NONE);
        text
    }

    const fn push_words(&self, text: &mut Text<1024>, part: Arg<'_>) {
        self.push_message(text, part, Language::Rust);
        text.push_str("; ");
        self.push_fix(text, part, Language::Rust);
    }

    const fn push_message(&self, text: &mut Text<1024>, part: Arg<'_>, language: Language) {
        arg::push_template(text, self.rule.message, &self.args, part, language);
        if let Some(reached) = &self.reached
            && reached.is_told()
        {
            text.push_str(" (");
            reached.push(text);
            text.push_str(")");
        }
        if let Some(condition) = &self.only_where {
            text.push_str(" (reached only where ");
            condition.push(text);
            text.push_str(")");
        }
    }

    const fn push_fix(&self, text: &mut Text<1024>, part: Arg<'_>, language: Language) {
        let (fix, directives) = match language {
            Language::Rust => (self.rule.fix, "`reqntid` or `maxntid`"),
            Language::Ptx => (self.rule.fix_in_ptx(), "`.reqntid` or `.maxntid`"),
        };
        arg::push_template(text, fix, &self.args, part, language);
        if self.only_where.is_some() {
            text.push_str("; if no launch is like that, declare it with ");
            text.push_str(directives);
        }
    }
}

/// The rule of a table with this code.
pub(crate) fn find<T: Table>(rules: &'static [Rule<T>], code: &str) -> Option<&'static Rule<T>> {
    rules.iter().find(|rule| rule.code == code)
}

/// Collects all violations that nothing allows: `next(i)` returns the first at or after position `i`, with its
/// position.
pub(crate) fn all<'a, T: Table>(
    mut next: impl FnMut(usize) -> Option<(usize, Violation<'a, T>)>,
) -> Vec<Violation<'a, T>> {
    collected(&mut next, false)
}

/// Collects all violations, allowed or not.
pub(crate) fn with_allowed<'a, T: Table>(
    mut next: impl FnMut(usize) -> Option<(usize, Violation<'a, T>)>,
) -> Vec<Violation<'a, T>> {
    collected(&mut next, true)
}

/// Collects violations, those that are allowed only if `with_allowed`.
fn collected<'a, T: Table>(
    next: &mut dyn FnMut(usize) -> Option<(usize, Violation<'a, T>)>,
    with_allowed: bool,
) -> Vec<Violation<'a, T>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some((at, violation)) = next(from) {
        if with_allowed || !violation.is_allowed {
            found.push(violation);
        }
        from = at + 1;
    }
    found
}
