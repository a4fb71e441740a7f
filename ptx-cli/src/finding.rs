//! What is wrong with a file, in the form in which it is written.

use std::ops::Range;

use ptx_frontend::text::{self, Diagnostic, Parsed};
use ptx_types::rules::{self, Rule};

use crate::excerpt::Excerpt;

/// The rule about instructions that are not known here.
const UNKNOWN_INSTRUCTION: &str = "A030";

/// What kind of rule a finding breaks, or who says so.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Kind {
    /// It is not PTX.
    Syntax,
    /// A name stands for nothing, or for something else.
    Name,
    /// ptxas or the driver refuses it too.
    Refused,
    /// The ISA forbids it, and ptxas takes it.
    Unenforced,
    /// ptxas takes it, and it goes wrong when it runs.
    Hazard,
    /// An allowance is of no use.
    Unneeded,
    /// ptxas says so.
    Ptxas,
}

impl Kind {
    /// The word for it in JSON, and of what has no code, its rule in SARIF.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Syntax => "syntax",
            Self::Name => "name",
            Self::Refused => "refused",
            Self::Unenforced => "unenforced",
            Self::Hazard => "hazard",
            Self::Unneeded => "unneeded",
            Self::Ptxas => "ptxas",
        }
    }

    /// Whether a rule of the table is broken.
    pub(crate) const fn is_of_rule(self) -> bool {
        match self {
            Self::Refused | Self::Unenforced | Self::Hazard => true,
            Self::Syntax | Self::Name | Self::Unneeded | Self::Ptxas => false,
        }
    }

    /// What it says of its findings.
    pub(crate) const fn meaning(self) -> &'static str {
        match self {
            Self::Syntax => "the text is not PTX",
            Self::Name => "a name is not declared, or means something else",
            Self::Refused => "ptxas or the driver refuses it too",
            Self::Unenforced => "the PTX ISA forbids it, but ptxas accepts it",
            Self::Hazard => "ptxas accepts it, but it may fault, corrupt data or hang at run time",
            Self::Unneeded => "nothing needs an allowance",
            Self::Ptxas => "the message of ptxas for the file",
        }
    }
}

impl From<text::Kind> for Kind {
    fn from(kind: text::Kind) -> Self {
        match kind {
            text::Kind::Name => Self::Name,
            text::Kind::Refused => Self::Refused,
            text::Kind::Unenforced => Self::Unenforced,
            text::Kind::Hazard => Self::Hazard,
            text::Kind::Unneeded => Self::Unneeded,
            // `Syntax`, and what this tool does not know yet.
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
        }
    }
}

/// How bad a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Level {
    /// It is good to know.
    Note,
    /// The file is good, but not as it should be.
    Warning,
    /// The file is bad.
    Error,
}

impl Level {
    /// The word for it, in JSON and in SARIF.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// Where in a file something is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    /// In bytes.
    pub(crate) range: Range<usize>,
    /// The line and column at which it starts, from 1, columns in characters.
    pub(crate) start: (usize, usize),
    /// The line and column behind its end.
    pub(crate) end: (usize, usize),
    /// The lines.
    pub(crate) excerpt: Excerpt,
}

impl Place {
    /// The place of `range`.
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

    /// What is blamed, as far as it is shown.
    pub(crate) fn blamed(&self) -> &str {
        &self.excerpt.text[self.excerpt.span.clone()]
    }
}

/// Something that is wrong with a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Finding {
    /// Where; `None` of a file as a whole.
    pub(crate) place: Option<Place>,
    /// What kind it is.
    pub(crate) kind: Kind,
    /// How bad it is.
    pub(crate) level: Level,
    /// The code of the rule that is broken, if it is one.
    pub(crate) code: Option<&'static str>,
    /// What is wrong.
    pub(crate) message: String,
    /// What to write instead.
    pub(crate) help: Option<String>,
    /// What ptxas says of the same place.
    pub(crate) ptxas: Vec<String>,
}

impl Finding {
    /// What the front end found.
    pub(crate) fn of(parsed: &Parsed, diagnostic: Diagnostic) -> Self {
        let Diagnostic { kind, code, range, message, help } = diagnostic;
        let level = if kind.is_error() { Level::Error } else { Level::Warning };
        let kind = Kind::from(kind);
        let (message, help) = match help {
            Some(help) => (message, Some(help)),
            None => apart(message),
        };
        let place = Some(Place::of(parsed, range));
        Self { place, kind, level, code, message, help, ptxas: Vec::new() }
    }

    /// The rule that is broken, if it is one.
    pub(crate) fn rule(&self) -> Option<&'static Rule> {
        self.code.filter(|_| self.kind.is_of_rule()).and_then(rules::rule)
    }

    /// Whether it says that an instruction is not known here.
    pub(crate) fn is_of_unknown_instruction(&self) -> bool {
        self.rule().is_some_and(|rule| rule.code == UNKNOWN_INSTRUCTION)
    }

    /// The rule that is broken, if that can be allowed.
    pub(crate) fn hazard(&self) -> Option<&'static Rule> {
        self.rule().filter(|rule| rule.allowed.is_anywhere())
    }
}

/// What the kind of a rule says of what breaks it; nothing of an instruction that is not known, which ptxas
/// need not take.
pub(crate) fn meaning(rule: &Rule) -> Option<&'static str> {
    (rule.code != UNKNOWN_INSTRUCTION).then(|| Kind::from(rule.kind).meaning())
}

/// What is wrong, and what to write instead, which stands behind a semicolon.
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
