//! The rules: what a declaration may say, in one table.
//!
//! A rule is a row: a code, a section of the PTX ISA, the part of a declaration that it blames, a
//! message, a fix, and a test over the IR that is a `const fn`. The same row is asked while a macro
//! expands ([`check_variable`] and its siblings over an IR with unknowns), while rustc evaluates
//! constants, and at run time ([`check_module`]: all violations at once).

use core::fmt;

use crate::ir::{Module, Type};
use crate::target::{Release, Target, Version};
use crate::text::Text;
use crate::texture::TextureMode;

pub mod access;
mod address;
pub mod alignment;
pub mod call;
mod check;
mod comparison;
pub mod copy;
pub(crate) mod deferred;
mod element;
pub mod form;
mod function;
pub mod instruction;
mod layout;
mod module;
mod opaque;
mod operand;
mod table;
mod tensor;
mod value;
mod variable;

pub use address::AddressTarget;
pub use check::*;
pub use comparison::Comparison;
pub use function::{PARAM_BYTES, PARAM_BYTES_BEFORE_8_1, max_param_bytes};
pub use layout::Padding;
pub use module::CONST_BYTES;
pub use operand::{AddressKind, Offset, Operand, Settled, TensorAccess, TensorMode, Via, gcd};
pub use table::{RULES, WITHDRAWN};
pub use variable::Scope;

/// Who enforces a rule.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// ptxas or the driver refuses it too.
    Refused,
    /// The ISA forbids it and the tools take it.
    Unenforced,
    /// The tools take it and it faults, corrupts or hangs at run time. Can be allowed by its code:
    /// `#[global(align = 1, allow(D006))]`.
    Hazard,
}

/// The part of a declaration that a rule blames, where the caret goes.
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
    /// In the type, what its arrays are made of.
    Element,
    /// In the type, the extent that is zero.
    Extent,
    /// The initial value.
    Value,
    /// A directive.
    Directive,
    /// The value of a directive.
    DirectiveValue,
    /// What the directives say together.
    Directives,
    /// The PTX version.
    Version,
    /// The offset in an operand; the name where none is written.
    Offset,
}

impl Blame {
    /// Whether asking for `self` asks for the rules that blame `part` too.
    const fn covers(self, part: Self) -> bool {
        match self {
            Self::Type => matches!(part, Self::Type | Self::Element | Self::Extent),
            Self::Directive => matches!(part, Self::Directive | Self::DirectiveValue),
            Self::Name
            | Self::Space
            | Self::Linkage
            | Self::Align
            | Self::Element
            | Self::Extent
            | Self::Value
            | Self::DirectiveValue
            | Self::Directives
            | Self::Version
            | Self::Offset => self as u8 == part as u8,
        }
    }
}

/// One row of the rule table.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// A code that never changes: `D005`.
    pub code: &'static str,
    /// A name for people: `align_not_power_of_two`.
    pub name: &'static str,
    /// What it is about: `variable`, `param`, `function`.
    pub subject: &'static str,
    /// The section of the PTX ISA.
    pub section: &'static str,
    /// Who enforces it.
    pub kind: Kind,
    /// The part that it blames.
    pub blames: Blame,
    /// What is wrong, with `{0}`.. where the values go.
    pub message: &'static str,
    /// What to write instead.
    pub fix: &'static str,
}

/// The rule with this code.
pub fn rule(code: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.code == code)
}

/// Why the rule with this code was withdrawn, if it was.
pub fn withdrawn(code: &str) -> Option<&'static str> {
    WITHDRAWN.iter().find(|(withdrawn, _)| *withdrawn == code).map(|(_, why)| *why)
}

/// A value in a message.
#[derive(Clone, Copy, Debug)]
pub enum Arg<'a> {
    /// Nothing.
    None,
    /// A word.
    Str(&'a str),
    /// A name, printed in backticks.
    Name(&'a str),
    /// What this name points to: `*p`.
    Pointee(&'a str),
    /// A number.
    Int(i128),
    /// A number of bytes, printed with commas.
    Bytes(usize),
    /// A type.
    Type(&'a Type<'a>),
    /// A version.
    Version(Version),
    /// The targets that have an instruction: `sm_90` or newer.
    Needs(crate::instruction::Needs),
    /// What accesses need of an alignment: `12 accesses need 16, the first on line 31`.
    Demands(alignment::Demands),
    /// How to meet them: `align it to 16 bytes, or access less at a time`.
    Meets(alignment::Demands),
    /// So many bytes of room, from this byte on.
    Room(usize, usize),
}

/// The values of a message: `{0}` to `{3}`.
pub type Args<'a> = [Arg<'a>; 4];

const NONE: Arg<'static> = Arg::None;

/// The values of a message about `what`, which is newer than the version asked for.
const fn too_new(what: Arg<'_>, needed: Version, env: Environment) -> Option<Args<'_>> {
    match env.version {
        Some(version) if version.is_below(needed) => {
            Some([what, Arg::Version(needed), Arg::Version(version), NONE])
        }
        Some(_) | None => None,
    }
}

/// The values of a message about `what`, which the target is too old for.
const fn wrong_target(what: Arg<'_>, arch: u16, env: Environment) -> Option<Args<'_>> {
    match env.target {
        Some(target) if target.arch() < arch => {
            Some([what, Arg::Int(arch as i128), Arg::Str(target.name()), NONE])
        }
        Some(_) | None => None,
    }
}

/// A broken rule.
#[derive(Clone, Copy, Debug)]
pub struct Violation<'a> {
    /// The rule.
    pub rule: &'static Rule,
    /// Whose declaration broke it.
    pub subject: &'a str,
    /// The values in its message.
    pub args: Args<'a>,
    /// The condition under which alone control gets there, as far as one is known; empty for none.
    pub only_where: &'a str,
}

impl<'a> Violation<'a> {
    /// The violation of an instruction that control gets to under this condition alone: of how far it
    /// goes, which may be why it is never reached.
    const fn reached(self, only_where: &'a str) -> Self {
        match self.rule.blames {
            Blame::Offset => Self { only_where, ..self },
            _ => self,
        }
    }
}

impl Violation<'_> {
    /// The message, the fix, the code and the section, as compile errors print them.
    pub const fn text(&self) -> Text<1024> {
        let mut text = Text::new();
        self.push(&mut text, self.rule.message);
        if !self.only_where.is_empty() {
            text.push_str(" (reached only where ");
            text.push_str(self.only_where);
            text.push_str(")");
        }
        text.push_str("; ");
        self.push(&mut text, self.rule.fix);
        if !self.only_where.is_empty() {
            text.push_str("; if no launch is like that, say so with `reqntid` or `maxntid`");
        }
        text.push_str(" [");
        text.push_str(self.rule.code);
        text.push_str(", PTX ISA ");
        text.push_str(self.rule.section);
        text.push_str("]");
        text
    }

    const fn push(&self, text: &mut Text<1024>, template: &str) {
        let bytes = template.as_bytes();
        let (mut from, mut i) = (0, 0);
        while i < bytes.len() {
            if bytes[i] == b'{' {
                text.push_range(template, from, i);
                match self.args[(bytes[i + 1] - b'0') as usize] {
                    Arg::None => {}
                    Arg::Str(word) => text.push_str(word),
                    Arg::Name(name) => {
                        text.push_str("`");
                        text.push_str(name);
                        text.push_str("`");
                    }
                    Arg::Pointee(name) => {
                        text.push_str("*");
                        text.push_str(name);
                    }
                    Arg::Int(value) => text.push_int(value, false),
                    Arg::Bytes(count) => text.push_int(count as i128, true),
                    Arg::Type(ty) => text.push_type(ty),
                    Arg::Version(version) => {
                        text.push_int(version.major as i128, false);
                        text.push_str(".");
                        text.push_int(version.minor as i128, false);
                    }
                    Arg::Needs(needs) => push_targets(text, needs),
                    Arg::Demands(demands) => alignment::push_demands(text, demands),
                    Arg::Meets(demands) => alignment::push_mend(text, demands),
                    Arg::Room(bytes, at) => {
                        text.push_int(bytes as i128, true);
                        text.push_str(" at byte ");
                        text.push_int(at as i128, true);
                    }
                }
                i += 3;
                from = i;
            } else {
                i += 1;
            }
        }
        text.push_range(template, from, i);
    }
}

const fn push_targets(text: &mut Text<1024>, needs: crate::instruction::Needs) {
    let mut n = 0;
    while n < needs.only.len() {
        if n > 0 {
            text.push_str(if n + 1 == needs.only.len() { " or " } else { ", " });
        }
        text.push_str(needs.only[n].name());
        n += 1;
    }
    if n == 0 {
        text.push_str("sm_");
        text.push_int(needs.min_arch as i128, false);
        text.push_str(" or newer");
    }
}

impl fmt::Display for Violation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text().as_str())
    }
}

/// What is said of an allowance of the rule with this code, where nothing breaks it.
pub const fn unneeded(code: &str) -> Text<128> {
    let mut text = Text::new();
    text.push_str("nothing here breaks `");
    text.push_str(code);
    text.push_str("`; remove the allowance");
    text
}

/// What a declaration is judged for.
#[derive(Clone, Copy, Debug)]
pub struct Environment {
    /// The target; `None` if it is not known, and then no rule asks for it.
    pub target: Option<Target>,
    /// The PTX version; `None` for the lowest that suffices.
    pub version: Option<Version>,
    /// The oldest release of ptxas that has to take the text; `None` for any.
    pub release: Option<Release>,
    /// The texture mode; `None` if it is not known, and then no rule asks for it.
    pub texture_mode: Option<TextureMode>,
}

impl Environment {
    /// When nothing is known.
    pub const UNKNOWN: Self =
        Self { target: None, version: None, release: None, texture_mode: None };

    /// What a module is judged for.
    pub const fn of(module: &Module<'_>) -> Self {
        Self {
            target: Some(module.target),
            version: module.version,
            release: module.release,
            texture_mode: Some(module.texture_mode),
        }
    }
}
