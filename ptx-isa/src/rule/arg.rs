//! The values in the messages of violations, and the templates that contain them.

use super::accessor::Accessor;
use super::demand::{Demands, push_demands, push_fix};
use super::language::Language;
use super::operand::{push_fitting, push_wanted};
use crate::const_str::starts_with;
use crate::instruction::{Word, WordKind, WrongOperand};
use crate::ir::{DirectiveKind, Type, Variable};
use crate::scalar::ScalarType;
use crate::space::Space;
use crate::target::{Target, Version};
use crate::text::Text;

/// A value in a message.
#[derive(Clone, Copy, Debug)]
pub enum Arg<'a> {
    /// Nothing.
    None,
    /// A word.
    Str(&'a str),
    /// Text that depends on whether storage is declared in Rust or in PTX.
    Either {
        /// In Rust.
        rust: &'a str,
        /// In PTX.
        ptx: &'a str,
    },
    /// At most three words of a kind, given by their indices and printed in backticks: `` `.f16` or `.f32` ``.
    Words(WordKind, [u16; 3]),
    /// A missing name: `` `y` is missing ``.
    Missing(&'a str),
    /// A name in backticks.
    Name(&'a str),
    /// The pointee of this name: `*p`.
    Pointee(&'a str),
    /// The field at this byte offset of a variable: `image.data`.
    Field(&'a Variable<'a>, usize),
    /// The pointee of the field at this byte offset of a variable: `*image.data`.
    FieldPointee(&'a Variable<'a>, usize),
    /// A name in backticks; with an index if it is an array's: `dims[1]`.
    Element(&'a str, Option<usize>),
    /// A number.
    Int(i128),
    /// A number of bytes, printed with commas.
    Bytes(u64),
    /// A number with its unit: `10 bytes`.
    Size(u64, &'a str),
    /// An address in hexadecimal.
    Address(u64),
    /// A directive, without the dot before its name.
    Directive(DirectiveKind),
    /// A scalar type, without the dot before its name.
    Scalar(ScalarType),
    /// A type.
    Type(&'a Type<'a>),
    /// A type in backticks.
    Spelled(&'a Type<'a>),
    /// A version.
    Version(Version),
    /// The targets with a feature: exactly these, or, if there are none, this architecture or newer.
    Targets(&'a [Target], u16),
    /// Words with a number in place of their `#`: `ends at byte 132`.
    Worded(&'static str, i128),
    /// Words with a name in place of their `#`: `` write `[ROW]` ``.
    Named(&'static str, &'a str),
    /// Either of two numbers, or the only one: `2 or 4`.
    OneOf(u64, u64),
    /// The state space of storage, and the one that an instruction accesses instead of it.
    Spaces(Space, Space),
    /// The replacement for a state space, or, after these words, what to use in it.
    InPlaceOf(Space, &'static str, &'static str, Space),
    /// Words followed by a state space.
    InSpace(&'static str, Space),
    /// This many bytes of padding before a field, or at the end.
    Gap(usize, Option<&'a str>),
    /// The advice to load numbers of this type, or to convert to it what is stored.
    Retype(&'static str, bool),
    /// The advice to shrink this variable, since a block has at most this many bytes of shared memory.
    Shrink(&'a str, usize),
    /// The alignment that accesses need: `12 accesses need 16, the first on line 31`.
    Demands(Demands),
    /// How to satisfy them: `align it to 16 bytes, or access less at a time`.
    SatisfyDemands(Demands),
    /// This many bytes of space, starting at this byte.
    Room(usize, usize),
    /// What an instruction does with an operand: `` `ld.u64` writes 64 bits ``.
    Wanted(WrongOperand),
    /// What to give it: `use a 64-bit register`.
    Fitting(WrongOperand),
    /// A modifier in backticks, with the word after its two colons if it is a known one: `` `.shared::cta` ``.
    Modifier(&'a str, u16),
    /// Who accesses a byte, as the first or the second of two: `thread 32 reads it on line 43`.
    Accessor(Accessor, bool),
    /// This number of operands, with the least and the most of them: `takes 3 or 4 operands, not 2`.
    Operands(usize, usize, usize),
    /// The advice to write one of these modifiers, or one of them before what the message is about.
    Write([Word; 3], bool),
}

/// The values of a message: `{0}` to `{3}`.
pub type Args<'a> = [Arg<'a>; 4];

/// No value.
pub(crate) const NONE: Arg<'static> = Arg::None;

/// A number in a message.
pub(crate) const fn int(value: u64) -> Arg<'static> {
    Arg::Int(value as i128)
}

impl Arg<'_> {
    /// A number of bytes of this host's memory.
    pub(crate) const fn bytes(count: usize) -> Self {
        Self::Bytes(count as u64)
    }

    /// A number of bytes of this host's memory, with its unit.
    pub(crate) const fn sized(count: usize) -> Self {
        Self::Size(count as u64, if count == 1 { "byte" } else { "bytes" })
    }

    /// Whether it is the number 1, after which a unit is in the singular.
    const fn is_one(&self) -> bool {
        matches!(self, Self::Int(1) | Self::Bytes(1))
    }

    const fn push(&self, text: &mut Text<1024>, language: Language) {
        match *self {
            Self::None => {}
            Self::Str(word) => text.push_str(word),
            Self::Directive(kind) => text.push_str(kind.name()),
            Self::Scalar(ty) => text.push_str(ty.name()),
            Self::Either { rust, ptx } => text.push_str(match language {
                Language::Rust => rust,
                Language::Ptx => ptx,
            }),
            Self::Words(kind, words) => push_words(text, kind, words),
            Self::Missing(name) => {
                text.push_str("`");
                text.push_str(name);
                text.push_str("` is missing");
            }
            Self::Name(name) => push_quoted(text, name),
            Self::Pointee(name) => {
                text.push_str("*");
                text.push_str(name);
            }
            Self::Field(variable, at) => push_field(text, variable, at),
            Self::FieldPointee(variable, at) => {
                text.push_str("*");
                push_field(text, variable, at);
            }
            Self::Element(name, index) => {
                text.push_str("`");
                text.push_str(name);
                if let Some(index) = index {
                    text.push_str("[");
                    text.push_int(index as i128, false);
                    text.push_str("]");
                }
                text.push_str("`");
            }
            Self::Int(value) => text.push_int(value, false),
            Self::Bytes(count) => text.push_int(count as i128, true),
            Self::Size(count, unit) => {
                text.push_int(count as i128, true);
                text.push_str(" ");
                text.push_str(unit);
            }
            Self::Address(address) => {
                text.push_str("0x");
                text.push_hex(address, 1, "0123456789abcdef");
            }
            Self::Type(ty) => text.push_type(ty),
            Self::Spelled(ty) => {
                text.push_str("`");
                text.push_type(ty);
                text.push_str("`");
            }
            Self::Version(version) => {
                text.push_int(version.major as i128, false);
                text.push_str(".");
                text.push_int(version.minor as i128, false);
            }
            Self::Targets(only, min_arch) => push_targets(text, only, min_arch),
            Self::Accessor(accessor, false) => accessor.push_first(text),
            Self::Accessor(accessor, true) => accessor.push_second(text),
            Self::Demands(demands) => push_demands(text, demands),
            Self::SatisfyDemands(demands) => push_fix(text, demands, language),
            Self::Worded(words, number) => push_worded(text, words, number),
            Self::Named(words, name) => push_named(text, words, name),
            Self::OneOf(one, other) => {
                text.push_int(one as i128, false);
                if one != other {
                    text.push_str(" or ");
                    text.push_int(other as i128, false);
                }
            }
            Self::Spaces(is, wanted) => {
                push_quoted(text, is.directive());
                text.push_str(", but this instruction accesses ");
                push_quoted(text, wanted.directive());
            }
            Self::InPlaceOf(is, named, or, wanted) => {
                text.push_str("write ");
                push_quoted(text, is.directive());
                text.push_str(" in place of ");
                push_quoted(text, named);
                text.push_str(or);
                push_quoted(text, wanted.directive());
            }
            Self::InSpace(words, space) => {
                text.push_str(words);
                push_quoted(text, space.directive());
            }
            Self::Gap(bytes, before) => push_gap(text, bytes, before),
            Self::Retype(ty, is_stored) => push_retype(text, ty, is_stored),
            Self::Shrink(name, most) => {
                text.push_str("make ");
                push_quoted(text, name);
                text.push_str(" smaller: a block has at most ");
                text.push_int(most as i128, true);
                text.push_str(" bytes of shared memory, dynamic memory included");
            }
            Self::Room(bytes, at) => {
                text.push_int(bytes as i128, true);
                text.push_str(" at byte ");
                text.push_int(at as i128, true);
            }
            Self::Wanted(operand) => push_wanted(text, operand),
            Self::Fitting(operand) => push_fitting(text, operand),
            Self::Modifier(word, sub) => {
                let subs = WordKind::Submodifier.words();
                let is_known = (sub as usize) < subs.len();
                push_modifier(text, word, if is_known { subs[sub as usize] } else { "" });
            }
            Self::Operands(given, least, most) => {
                text.push_str("takes ");
                text.push_int(least as i128, false);
                if least < most {
                    text.push_str(if least + 1 == most { " or " } else { " to " });
                    text.push_int(most as i128, false);
                }
                text.push_str(if most == 1 { " operand, not " } else { " operands, not " });
                text.push_int(given as i128, false);
            }
            Self::Write(words, is_before) => {
                text.push_str("write ");
                push_modifiers(text, words);
                text.push_str(if is_before { " before it" } else { "" });
            }
        }
    }
}

const fn push_quoted(text: &mut Text<1024>, word: &str) {
    text.push_str("`");
    text.push_str(word);
    text.push_str("`");
}

/// Splits words before their `#`.
const fn at_gap(words: &str) -> (&str, &str) {
    let mut at = 0;
    while at < words.len() && words.as_bytes()[at] != b'#' {
        at += 1;
    }
    words.split_at(at)
}

/// Appends words with a name in place of `#`.
const fn push_named(text: &mut Text<1024>, words: &str, name: &str) {
    let (before, rest) = at_gap(words);
    text.push_str(before);
    text.push_str(name);
    if !rest.is_empty() {
        text.push_range(rest, 1, rest.len());
    }
}

/// Appends words with a number in place of `#`.
const fn push_worded(text: &mut Text<1024>, words: &str, number: i128) {
    let (before, rest) = at_gap(words);
    text.push_str(before);
    text.push_int(number, false);
    if !rest.is_empty() {
        let from = if number == 1 { push_singular(text, rest, 1) } else { 1 };
        text.push_range(rest, from, rest.len());
    }
}

/// Appends a gap of a struct: "3 bytes of padding at its end".
const fn push_gap(text: &mut Text<1024>, bytes: usize, before: Option<&str>) {
    text.push_int(bytes as i128, true);
    text.push_str(if bytes == 1 { " byte of padding " } else { " bytes of padding " });
    match before {
        Some(field) => {
            text.push_str("before ");
            push_quoted(text, field);
        }
        None => text.push_str("at its end"),
    }
}

/// Appends how to load numbers of the declared type, or how to store them.
const fn push_retype(text: &mut Text<1024>, ty: &str, is_stored: bool) {
    text.push_str(if is_stored { "convert it to `." } else { "load it as `." });
    text.push_str(ty);
    text.push_str(if is_stored { "` with `cvt` first" } else { "`, and convert it with `cvt`" });
}

/// Appends words as a list, without those whose index is out of range.
const fn push_modifiers(text: &mut Text<1024>, words: [Word; 3]) {
    let mut n = 0;
    while n < words.len() && !words[n].is_none() {
        if n > 0 {
            let is_last = n + 1 == words.len() || words[n + 1].is_none();
            text.push_str(if is_last { " or " } else { ", " });
        }
        let (word, sub) = words[n].text();
        push_modifier(text, word, sub);
        n += 1;
    }
}

/// Appends a modifier, with the word after its two colons unless that is empty.
const fn push_modifier(text: &mut Text<1024>, word: &str, sub: &str) {
    text.push_str("`.");
    text.push_str(word);
    if !sub.is_empty() {
        text.push_str("::");
        text.push_str(sub);
    }
    text.push_str("`");
}

const fn push_words(text: &mut Text<1024>, kind: WordKind, words: [u16; 3]) {
    let known = kind.words();
    let mut n = 0;
    while n < words.len() && (words[n] as usize) < known.len() {
        if n > 0 {
            let is_last = n + 1 == words.len() || words[n + 1] as usize >= known.len();
            text.push_str(if is_last { " or " } else { ", " });
        }
        text.push_str("`");
        text.push_str(kind.separator());
        text.push_str(known[words[n] as usize]);
        text.push_str("`");
        n += 1;
    }
}

/// Appends the path to the field at a byte offset of a variable, through nested structs.
const fn push_field(text: &mut Text<1024>, variable: &Variable<'_>, at: usize) {
    text.push_str(variable.name);
    let (mut ty, mut at) = (variable.ty, at);
    while let Some((field, within)) = ty.field_at(at) {
        text.push_str(".");
        text.push_str(field.name);
        (ty, at) = (field.ty, within);
    }
}

/// Appends a template, with the values for `{0}`.. and the blamed part for `{f}`.
pub(super) const fn push_template(
    text: &mut Text<1024>,
    template: &str,
    args: &Args<'_>,
    part: Arg<'_>,
    language: Language,
) {
    let bytes = template.as_bytes();
    let (mut from, mut i) = (0, 0);
    while i < bytes.len() {
        if bytes[i] == b'{' {
            text.push_range(template, from, i);
            let arg = match bytes[i + 1] {
                b'f' => part,
                digit => args[(digit - b'0') as usize],
            };
            arg.push(text, language);
            i += 3;
            if arg.is_one() {
                i = push_singular(text, template, i);
            }
            from = i;
        } else {
            i += 1;
        }
    }
    text.push_range(template, from, i);
}

/// The units that templates count, in the plural.
const UNITS: [&str; 11] = [
    " bytes",
    " bits",
    " elements",
    " rows",
    " values",
    " members",
    " dimensions",
    " threads",
    " coordinates",
    " arrivals",
    " offsets",
];

/// Appends the unit at this place of a template, if one is there, without its `s`. Returns the place after it.
const fn push_singular(text: &mut Text<1024>, template: &str, at: usize) -> usize {
    let mut n = 0;
    while n < UNITS.len() {
        let unit = UNITS[n];
        if starts_with(template.split_at(at).1, unit) {
            text.push_range(unit, 0, unit.len() - 1);
            return at + unit.len();
        }
        n += 1;
    }
    at
}

const fn push_targets(text: &mut Text<1024>, only: &[Target], min_arch: u16) {
    let mut n = 0;
    while n < only.len() {
        if n > 0 {
            text.push_str(if n + 1 == only.len() { " or " } else { ", " });
        }
        text.push_str(only[n].name());
        n += 1;
    }
    if n == 0 {
        text.push_str("sm_");
        text.push_int(min_arch as i128, false);
        text.push_str(" or newer");
    }
}
