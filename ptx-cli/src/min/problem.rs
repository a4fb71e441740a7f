//! What is wrong with a text in a version and for a target.

use std::ops::Range;

use ptx_isa::rules::Violation;
use ptx_isa::rules::requirement::Requirement;
use ptx_isa::{Target, Version};
use ptx_text::{Diagnostic, Finding, Kind, Parsed};

use super::header::{Edited, Header, Level};

/// The rules about words that are not known; A108 is one where no version up to the declared one has the word.
const UNKNOWN: [&str; 3] = ["A030", "A084", "A108"];

/// The rule about the version that the target needs.
const OF_TARGET: &str = "T001";

/// Something that is refused in a version or for a target, or not known.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    /// Its place in the original text.
    pub(crate) range: Range<usize>,
    /// The code of the rule; `None` for an error of syntax.
    pub(crate) code: Option<&'static str>,
    /// What is needed, such as "`wgmma.fence` needs `sm_90a`".
    pub(crate) message: String,
    /// What would help, if the rule says so.
    pub(crate) needed: Option<Needed>,
    /// The function that it is in, by its index.
    pub(crate) function: Option<usize>,
}

/// A version or targets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Needed {
    /// This version or a newer one.
    Version(Version),
    /// One of these targets.
    Targets(Targets),
}

/// A set of targets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Targets(u64);

impl Targets {
    /// All of them.
    pub(crate) const ALL: Self = Self(u64::MAX);

    fn those(is_wanted: impl Fn(Target) -> bool) -> Self {
        let bits = Target::ALL.iter().enumerate();
        Self(bits.filter(|(_, it)| is_wanted(**it)).map(|(n, _)| 1 << n).sum())
    }

    /// Whether it has this target.
    pub(crate) fn has(self, target: Target) -> bool {
        let number = Target::ALL.iter().position(|it| *it == target);
        number.is_some_and(|n| self.0 >> n & 1 == 1)
    }

    /// Those that are in another set, too.
    pub(crate) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

/// Each target has a bit.
const _: () = assert!(Target::ALL.len() <= 64);

impl Needed {
    fn of(requirement: Requirement<'_>) -> Self {
        match requirement {
            Requirement::Version(version) => Self::Version(version),
            Requirement::Target(..) => {
                let version = Version::new(0, 0);
                Self::Targets(Targets::those(|target| requirement.is_met_by(version, target)))
            }
        }
    }
}

/// The rule and the place of a problem.
pub(crate) type Identity = (Option<&'static str>, Range<usize>);

impl Problem {
    /// Whether it is about the version that the target needs.
    pub(crate) fn is_of_target(&self) -> bool {
        self.code == Some(OF_TARGET)
    }

    /// Whether it is about a word that is not known.
    pub(crate) fn is_unknown_word(&self) -> bool {
        self.code.is_some_and(|code| UNKNOWN.contains(&code))
    }

    /// What is the same for the same problem in another version or for another target.
    pub(crate) fn identity(&self) -> Identity {
        (self.code, self.range.clone())
    }
}

/// A text with another version and target.
pub(crate) struct Variant<'h> {
    header: &'h Header,
    edited: Edited,
    parsed: Parsed,
}

impl<'h> Variant<'h> {
    /// The text of this level.
    pub(crate) fn of(original: &Parsed, header: &'h Header, level: Level) -> Self {
        let mut edited = header.with(original.bytes(), level);
        let parsed = Parsed::from_bytes(std::mem::take(&mut edited.bytes));
        Self { header, edited, parsed }
    }

    /// Whether the grammar refuses it.
    pub(crate) fn is_syntax_refused(&self) -> bool {
        !self.parsed.syntax().is_empty()
    }

    /// What the grammar refuses.
    fn syntax(&self) -> impl Iterator<Item = Problem> {
        self.parsed.syntax().iter().map(|diagnostic| Problem {
            range: self.edited.original(&diagnostic.range),
            code: diagnostic.code,
            message: needed_part(&diagnostic.message).to_owned(),
            needed: None,
            function: None,
        })
    }

    /// Its problems.
    pub(crate) fn problems(&self) -> Vec<Problem> {
        let found = self.parsed.check_statements();
        self.syntax().chain(found.into_iter().filter_map(|it| self.problem(it))).collect()
    }

    fn problem(&self, (diagnostic, finding): (Diagnostic, Option<Finding<'_>>)) -> Option<Problem> {
        let violation = finding.as_ref().and_then(|finding| finding.violation());
        let needed = violation.and_then(Violation::requirement).map(Needed::of);
        let is_refused = match diagnostic.kind {
            Kind::Syntax | Kind::Refused => true,
            Kind::Unenforced => needed.is_some(),
            Kind::Hazard => diagnostic.code.is_some_and(|code| UNKNOWN.contains(&code)),
            _ => false,
        };
        if !is_refused {
            return None;
        }
        let message = match violation {
            Some(violation) => violation.in_ptx().message().as_str().to_owned(),
            None => diagnostic.message,
        };
        // What the target needs is shown at the target.
        let range = if diagnostic.code == Some(OF_TARGET) {
            self.header.target.1.clone()
        } else {
            self.edited.original(&diagnostic.range)
        };
        Some(Problem {
            range,
            code: diagnostic.code,
            message: needed_part(&message).to_owned(),
            needed,
            function: finding.and_then(|finding| finding.site.function()),
        })
    }
}

/// The part of a message before that about the module's own version or target.
fn needed_part(message: &str) -> &str {
    message.split_once(", but the ").map_or(message, |(needed, _)| needed)
}
