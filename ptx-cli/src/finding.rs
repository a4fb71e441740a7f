//! Findings, as they are written.

use std::ops::Range;

use ptx_isa::rules::{self, Rule};
use ptx_text::{Diagnostic, Parsed};

use crate::excerpt::Excerpt;
use crate::site;

/// The rules about unknown instructions and misspelt words.
const UNKNOWN: [&str; 2] = ["A030", "A084"];

/// The kind of the rule that a finding breaks, or the source of a finding without a rule.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Kind {
    /// The text is not valid PTX.
    Syntax,
    /// ptxas or the driver refuses it too.
    Refused,
    /// The ISA forbids it, and ptxas accepts it.
    Unenforced,
    /// ptxas accepts it, and it goes wrong at run time.
    Hazard,
    /// ptxas accepts it with a warning, or ignores it.
    Warned,
    /// An allowance has no effect.
    Unneeded,
    /// Threads are not followed any further.
    NotFollowed,
    /// ptxas reports it.
    Ptxas,
}

impl Kind {
    /// The name in JSON, and the rule in SARIF of a finding without a code.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Syntax => "syntax",
            Self::Refused => "refused",
            Self::Unenforced => "unenforced",
            Self::Hazard => "hazard",
            Self::Warned => "warned",
            Self::Unneeded => "unneeded",
            Self::NotFollowed => "not-followed",
            Self::Ptxas => "ptxas",
        }
    }

    /// Whether a rule of the table is broken.
    pub(crate) const fn is_of_rule(self) -> bool {
        match self {
            Self::Refused | Self::Unenforced | Self::Hazard | Self::Warned => true,
            Self::Syntax | Self::Unneeded | Self::NotFollowed | Self::Ptxas => false,
        }
    }

    /// The explanation of findings of this kind.
    pub(crate) const fn meaning(self) -> &'static str {
        match self {
            Self::Syntax => "the text is not PTX",
            Self::Refused => "ptxas or the driver refuses it too",
            Self::Unenforced => "the PTX ISA forbids it, but ptxas accepts it",
            Self::Hazard => "ptxas accepts it, but it may fault, corrupt data or hang at run time",
            Self::Warned => "ptxas accepts it and ignores it, mostly with a warning",
            Self::Unneeded => "nothing needs an allowance",
            Self::NotFollowed => "what threads do from here on is not checked",
            Self::Ptxas => "the message of ptxas for the file",
        }
    }
}

impl From<ptx_text::Kind> for Kind {
    fn from(kind: ptx_text::Kind) -> Self {
        match kind {
            ptx_text::Kind::Refused => Self::Refused,
            ptx_text::Kind::Unenforced => Self::Unenforced,
            ptx_text::Kind::Hazard => Self::Hazard,
            ptx_text::Kind::Warned => Self::Warned,
            ptx_text::Kind::Unneeded => Self::Unneeded,
            ptx_text::Kind::NotFollowed => Self::NotFollowed,
            // `Syntax`, and kinds that this tool does not know yet.
            _ => Self::Syntax,
        }
    }
}

impl From<rules::Kind> for Kind {
    fn from(kind: rules::Kind) -> Self {
        match kind {
            rules::Kind::Refused => Self::Refused,
            rules::Kind::Unenforced => Self::Unenforced,
            rules::Kind::Hazard => Self::Hazard,
            rules::Kind::Warned => Self::Warned,
        }
    }
}

/// The severity of a finding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Level {
    /// It is information.
    Note,
    /// The file is valid, but should be changed.
    Warning,
    /// The file is wrong.
    Error,
}

impl Level {
    /// The name in JSON and in SARIF.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// A location in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    /// The range in bytes.
    pub(crate) range: Range<usize>,
    /// The line and column of its start, from 1, columns in characters.
    pub(crate) start: (usize, usize),
    /// The line and column after its end.
    pub(crate) end: (usize, usize),
    /// The lines.
    pub(crate) excerpt: Excerpt,
}

impl Place {
    /// The location of `range`.
    pub(crate) fn of(parsed: &Parsed, range: Range<usize>) -> Self {
        let length = parsed.text().len();
        let range = range.start.min(length)..range.end.clamp(range.start.min(length), length);
        let at = |offset| {
            let position = parsed.position(offset);
            (to_usize(position.line), to_usize(position.column))
        };
        Self {
            start: at(range.start),
            end: at(range.end),
            excerpt: Excerpt::of(parsed.text(), &range),
            range,
        }
    }

    /// The highlighted text, as far as it is shown.
    pub(crate) fn blamed(&self) -> &str {
        &self.excerpt.text[self.excerpt.span.clone()]
    }
}

/// A mistake in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Finding {
    /// The location; `None` for the whole file.
    pub(crate) place: Option<Place>,
    /// The other access of a race, and the message for it.
    pub(crate) other: Option<(Place, String)>,
    /// Its kind.
    pub(crate) kind: Kind,
    /// Its severity.
    pub(crate) level: Level,
    /// The code of the rule that it breaks, if any.
    pub(crate) code: Option<&'static str>,
    /// The message.
    pub(crate) message: String,
    /// The fix.
    pub(crate) help: Option<String>,
    /// The messages of ptxas about the same location.
    pub(crate) ptxas: Vec<String>,
}

impl Finding {
    /// A finding of the front end.
    pub(crate) fn of(parsed: &Parsed, diagnostic: Diagnostic) -> Self {
        let Diagnostic { kind, code, range, other, message, help } = diagnostic;
        let level = match kind {
            ptx_text::Kind::NotFollowed => Level::Note,
            _ if kind.is_error() => Level::Error,
            _ => Level::Warning,
        };
        let kind = Kind::from(kind);
        let (message, help) = match help {
            Some(help) => (message, Some(help)),
            None => apart(message),
        };
        let place = Some(Place::of(parsed, range));
        let other = other
            .zip(code)
            .map(|(range, code)| (Place::of(parsed, range), ptx_text::message::other_place(code)));
        Self { place, other, kind, level, code, message, help, ptxas: Vec::new() }
    }

    /// The rule that it breaks, if any.
    pub(crate) fn rule(&self) -> Option<&'static Rule> {
        self.code.filter(|_| self.kind.is_of_rule()).and_then(rules::rule)
    }

    /// The address of the page of that rule.
    pub(crate) fn page(&self) -> Option<String> {
        self.rule().map(|rule| site::of_rule(rule.code))
    }

    /// Whether it reports an unknown instruction.
    pub(crate) fn is_of_unknown_instruction(&self) -> bool {
        self.rule().is_some_and(|rule| UNKNOWN.contains(&rule.code))
    }

    /// The rule that it breaks, if that rule can be allowed.
    pub(crate) fn hazard(&self) -> Option<&'static Rule> {
        self.rule().filter(|rule| rule.allowed.is_anywhere())
    }
}

/// The explanation of a rule's kind; `None` for the rule about unknown instructions, which ptxas
/// may reject.
pub(crate) fn meaning(rule: &Rule) -> Option<&'static str> {
    (!UNKNOWN.contains(&rule.code)).then(|| Kind::from(rule.kind).meaning())
}

/// Splits a message from its fix, which follows a semicolon.
fn apart(message: String) -> (String, Option<String>) {
    match message.split_once("; ") {
        Some((wrong, help)) => (wrong.to_owned(), Some(help.to_owned())),
        None => (message, None),
    }
}

/// A line or a column.
fn to_usize(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_to_write_stands_apart() {
        let message = "nothing here is named `x`; declare it".to_owned();
        let both = ("nothing here is named `x`".to_owned(), Some("declare it".to_owned()));
        assert_eq!(apart(message), both);
        assert_eq!(apart("a `;` is missing".to_owned()), ("a `;` is missing".to_owned(), None));
    }
}
