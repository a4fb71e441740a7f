//! What is wrong with a text in a version and for a target.

use std::ops::Range;

use ptx_isa::rules::Violation;
use ptx_isa::rules::requirement::Requirement;
use ptx_isa::{Target, Version};
use ptx_text::{Kind, Parsed};

use super::header::{Header, Level};

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
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Needed {
    /// This version or a newer one.
    Version(Version),
    /// One of these targets.
    Targets(Vec<Target>),
}

impl Needed {
    fn of(requirement: Requirement<'_>) -> Self {
        match requirement {
            Requirement::Version(version) => Self::Version(version),
            Requirement::Target(..) => {
                let version = Version::new(0, 0);
                let all = Target::ALL.iter().copied();
                Self::Targets(all.filter(|it| requirement.is_met_by(version, *it)).collect())
            }
        }
    }
}

impl Problem {
    /// Whether it is about the version that the target needs.
    pub(crate) fn is_of_target(&self) -> bool {
        self.code == Some(OF_TARGET)
    }

    /// Whether it is about a word that is not known.
    pub(crate) fn is_unknown_word(&self) -> bool {
        self.code.is_some_and(|code| UNKNOWN.contains(&code))
    }

    /// Whether it is the same problem in another version or for another target.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.code == other.code && self.range == other.range
    }
}

/// The problems of a text with another version and target.
pub(crate) fn problems(original: &Parsed, header: &Header, level: Level) -> Vec<Problem> {
    let edited = header.with(original.bytes(), level);
    let parsed = Parsed::from_bytes(edited.bytes.clone());
    let mut found: Vec<Problem> = parsed
        .syntax()
        .iter()
        .map(|diagnostic| Problem {
            range: edited.original(&diagnostic.range),
            code: diagnostic.code,
            message: needed_part(&diagnostic.message).to_owned(),
            needed: None,
            function: None,
        })
        .collect();
    for (diagnostic, finding) in parsed.check_as(parsed.module()) {
        let violation = finding.as_ref().and_then(|finding| finding.violation());
        let needed = violation.and_then(Violation::requirement).map(Needed::of);
        let is_refused = match diagnostic.kind {
            Kind::Syntax | Kind::Refused => true,
            Kind::Unenforced => needed.is_some(),
            Kind::Hazard => diagnostic.code.is_some_and(|code| UNKNOWN.contains(&code)),
            _ => false,
        };
        if !is_refused {
            continue;
        }
        let message = match violation {
            Some(violation) => violation.in_ptx().message().as_str().to_owned(),
            None => diagnostic.message,
        };
        // What the target needs is shown at the target.
        let is_of_target = diagnostic.code == Some(OF_TARGET);
        let range =
            if is_of_target { header.target.1.clone() } else { edited.original(&diagnostic.range) };
        found.push(Problem {
            range,
            code: diagnostic.code,
            message: needed_part(&message).to_owned(),
            needed,
            function: finding.and_then(|finding| finding.site.function()),
        });
    }
    found
}

/// Whether the grammar refuses a text in a version.
pub(crate) fn is_syntax_refused(original: &Parsed, header: &Header, level: Level) -> bool {
    !Parsed::from_bytes(header.with(original.bytes(), level).bytes).syntax().is_empty()
}

/// The part of a message before that about the module's own version or target.
fn needed_part(message: &str) -> &str {
    message.split_once(", but the ").map_or(message, |(needed, _)| needed)
}
