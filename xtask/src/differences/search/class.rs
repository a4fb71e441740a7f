//! What ptxas, its releases and the rules disagree about.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ptx_text::{Kind, Parsed};

use super::super::assembler::{Assembled, Assemblers};
use super::super::outcome::Verdict;
use super::initial;
use super::texts::Made;

/// A kind of disagreement. Messages are without names and numbers.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Class {
    /// These releases crash, in this way.
    Crash(String, String),
    /// These releases accept a text that these refuse, with this message.
    Releases(String, String, String),
    /// The initial bytes of this type of variables are other ones.
    Initial(String, String),
    /// Every release accepts what this rule forbids.
    Accepted(&'static str),
    /// Every release accepts what this rule, or the syntax, says that ptxas refuses.
    NotRefused(String),
    /// Every release accepts what goes wrong by this rule.
    Hazard(&'static str),
    /// Every release refuses it with this message, and no rule finds an error.
    Refused(String),
    /// Every release, and `ptx check`, refuse with these messages what the PTX ISA allows.
    Allowed(String, String),
    /// Every release, and `ptx check`, accept what the PTX ISA forbids for this reason.
    Forbidden(String),
    /// The check panics.
    Panic,
}

impl Class {
    /// Whether texts of this class may have nothing else in common.
    pub(super) fn is_coarse(&self) -> bool {
        matches!(self, Self::Crash(..) | Self::Initial(..))
    }

    /// Whether the PTX ISA says something else than ptxas.
    pub(super) fn is_difference(&self) -> bool {
        !matches!(self, Self::Hazard(_))
    }

    /// Whether a text of this class can be shrunk: what the PTX ISA says of it is known of the whole text alone.
    pub(super) fn can_be_shrunk(&self) -> bool {
        !matches!(self, Self::Forbidden(_))
    }

    /// Whether a text with these findings may be of it.
    fn may_have(&self, findings: &Findings) -> bool {
        let has = |wanted: &str| findings.all.iter().any(|(_, name)| name == wanted);
        match self {
            Self::Accepted(code) | Self::Hazard(code) => has(code),
            Self::NotRefused(name) | Self::Allowed(_, name) => has(name),
            Self::Refused(_) | Self::Forbidden(_) => findings.error().is_none(),
            Self::Crash(..) | Self::Releases(..) | Self::Initial(..) | Self::Panic => true,
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Crash(versions, how) => write!(f, "ptxas {versions} crashes: {how}"),
            Self::Releases(accept, refuse, message) => {
                write!(f, "ptxas {accept} accepts what {refuse} refuses: {message}")
            }
            Self::Initial(versions, what) => {
                write!(f, "ptxas {versions} writes other initial bytes: {what}")
            }
            Self::Accepted(code) => write!(f, "ptxas accepts what {code} forbids"),
            Self::NotRefused(code) => {
                write!(f, "ptxas accepts what is refused: {code}")
            }
            Self::Hazard(code) => write!(f, "ptxas accepts what goes wrong: {code}"),
            Self::Refused(message) => write!(f, "ptxas alone refuses: {message}"),
            Self::Allowed(message, ours) => {
                write!(f, "ptxas refuses what the PTX ISA allows: {message} ({ours})")
            }
            Self::Forbidden(why) => {
                write!(f, "ptxas and `ptx check` accept what the PTX ISA forbids: {why}")
            }
            Self::Panic => f.write_str("`ptx check` panics"),
        }
    }
}

/// Messages about the options, the version or the target, which only some releases know.
const UNKNOWN: [&str; 4] = [
    "Unsupported .version",
    "is not defined for option",
    "Unsupported .target",
    "Unresolved extern",
];

/// What `ptx check` finds in a text: the code of each finding, or its message without names and numbers.
pub(super) struct Findings {
    all: Vec<(Kind, String)>,
    codes: Vec<&'static str>,
    arch: String,
    values: Vec<initial::Value>,
}

impl Findings {
    /// `None` if the check panics.
    pub(super) fn of(text: &str) -> Option<Self> {
        let read = AssertUnwindSafe(|| {
            let parsed = Parsed::new(text);
            let found = parsed.check();
            let name = |code: Option<&str>, message: &str| {
                code.map_or_else(|| generalised(message, '`'), str::to_owned)
            };
            Self {
                all: found.iter().map(|it| (it.kind, name(it.code, &it.message))).collect(),
                codes: found.iter().filter_map(|it| it.code).collect(),
                arch: arch(parsed.module()),
                values: initial::values(parsed.module(), text),
            }
        });
        catch_unwind(read).ok()
    }

    /// The first error, apart from what goes wrong when it runs.
    fn error(&self) -> Option<&str> {
        let is_error = |kind: Kind| kind.is_error() && kind != Kind::Hazard;
        self.all.iter().find(|(kind, _)| is_error(*kind)).map(|(_, name)| name.as_str())
    }

    /// Their names, without those of warnings.
    pub(super) fn names(&self) -> BTreeSet<String> {
        self.all.iter().filter(|(kind, _)| kind.is_error()).map(|(_, name)| name.clone()).collect()
    }

    /// The types of the variables whose initial bytes are known.
    pub(super) fn types(&self) -> BTreeSet<String> {
        self.values.iter().map(|value| value.what.clone()).collect()
    }
}

/// The classes of a text.
///
/// # Errors
/// If a ptxas cannot be run.
pub(super) fn classes(made: &Made, assemblers: &Assemblers) -> Result<BTreeSet<Class>, String> {
    let Some(findings) = Findings::of(&made.text) else {
        return Ok(BTreeSet::from([Class::Panic]));
    };
    let all = assemblers.all.iter();
    let assembled =
        all.map(|it| it.assemble(made.text.as_bytes(), &findings.arch, &assemblers.options));
    Ok(of_outcomes(made, &findings, assembled.collect::<Result<_, _>>()?, assemblers))
}

/// Whether a text that is like `made` has the class, too. No ptxas is run after the first that does something else with
/// it.
///
/// # Errors
/// If a ptxas cannot be run.
pub(super) fn is_still(
    class: &Class,
    made: &Made,
    text: &str,
    verdicts: &[Verdict],
    assemblers: &Assemblers,
) -> Result<bool, String> {
    let Some(findings) = Findings::of(text) else { return Ok(*class == Class::Panic) };
    if !class.may_have(&findings) {
        return Ok(false);
    }
    let mut assembled = Vec::new();
    for (assembler, verdict) in assemblers.all.iter().zip(verdicts) {
        let one = assembler.assemble(text.as_bytes(), &findings.arch, &assemblers.options)?;
        if one.outcome.verdict != *verdict {
            return Ok(false);
        }
        assembled.push(one);
    }
    let made = Made { text: text.to_owned(), ..made.clone() };
    Ok(of_outcomes(&made, &findings, assembled, assemblers).contains(class))
}

/// What each ptxas does with a text.
///
/// # Errors
/// If a ptxas cannot be run.
pub(super) fn verdicts(text: &str, assemblers: &Assemblers) -> Result<Vec<Verdict>, String> {
    let arch = Findings::of(text).map_or_else(|| OLDEST.to_string(), |findings| findings.arch);
    let all = assemblers.all.iter();
    all.map(|it| Ok(it.assemble(text.as_bytes(), &arch, &assemblers.options)?.outcome.verdict))
        .collect()
}

fn of_outcomes(
    made: &Made,
    findings: &Findings,
    assembled: Vec<Assembled>,
    assemblers: &Assemblers,
) -> BTreeSet<Class> {
    let mut classes = BTreeSet::new();
    let is_known = |assembled: &Assembled| {
        let details = &assembled.outcome.details;
        !details.iter().any(|line| UNKNOWN.iter().any(|part| line.contains(part)))
    };
    let all = assemblers.all.iter().map(|it| it.version.as_str()).zip(assembled);
    let known: Vec<(&str, Assembled)> = all.filter(|(_, it)| is_known(it)).collect();
    let versions = |verdict| {
        let versions = known.iter().filter(|(_, it)| it.outcome.verdict == verdict);
        versions.map(|(version, _)| *version).collect::<Vec<_>>().join(", ")
    };
    let first = |verdict| known.iter().find(|(_, it)| it.outcome.verdict == verdict);
    let (accept, refuse) = (versions(Verdict::Accepted), versions(Verdict::Refused));
    let message =
        first(Verdict::Refused).map(|(_, it)| generalised(message(&it.outcome.details), '\''));
    if let Some((_, crash)) = first(Verdict::Crashed) {
        // What overwrites memory ends in one way or another.
        let how = match crash.outcome.details.join(" ") {
            how if matches!(how.as_str(), "segmentation fault" | "abort" | "bus error") => {
                "a signal".to_owned()
            }
            how => how,
        };
        classes.insert(Class::Crash(versions(Verdict::Crashed), generalised(&how, '\'')));
    }
    match (message, findings.error()) {
        (Some(message), _) if !accept.is_empty() => {
            classes.insert(Class::Releases(accept, refuse, message));
        }
        (Some(message), None) => {
            classes.insert(Class::Refused(message));
        }
        (Some(message), Some(ours)) if made.is_legal => {
            classes.insert(Class::Allowed(message, ours.to_owned()));
        }
        (None, error) if first(Verdict::Accepted).is_some() => {
            if let (None, Some(why)) = (error, &made.forbidden) {
                classes.insert(Class::Forbidden(why.clone()));
            }
            for (kind, name) in findings.all.iter().filter(|(kind, _)| kind.is_error()) {
                let code = findings.codes.iter().copied().find(|code| code == name);
                classes.insert(match (kind, code) {
                    (Kind::Hazard, Some(code)) => Class::Hazard(code),
                    (Kind::Unenforced, Some(code)) => Class::Accepted(code),
                    _ => Class::NotRefused(name.clone()),
                });
            }
        }
        _ => {}
    }
    initial_bytes(&known, &findings.values, &mut classes);
    classes
}

/// Adds the variables whose initial bytes are not those of their values.
fn initial_bytes(
    known: &[(&str, Assembled)],
    values: &[initial::Value],
    classes: &mut BTreeSet<Class>,
) {
    let mut differing: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (version, assembled) in known {
        for value in values {
            let bytes = assembled.values.get(&value.name);
            if bytes.is_some_and(|bytes| *bytes != value.bytes) {
                let versions = differing.entry(&value.what).or_default();
                if !versions.contains(version) {
                    versions.push(version);
                }
            }
        }
    }
    let differing = differing.into_iter();
    classes.extend(differing.map(|(what, by)| Class::Initial(by.join(", "), what.to_owned())));
}

/// The first error among messages, without its line.
fn message(details: &[String]) -> &str {
    let words = |line: &'_ String| {
        let at = line.find("error: ").map(|at| at + 7);
        at.or_else(|| line.find("fatal: ").map(|at| at + 7))
    };
    let error = details.iter().find_map(|line| Some(&line[words(line)?..]));
    error.unwrap_or_default()
}

/// A message with `_` for what it puts in these quotes, and `N` for numbers.
fn generalised(words: &str, quote: char) -> String {
    let mut made = String::new();
    for (n, part) in words.split(quote).enumerate() {
        if n % 2 == 1 {
            made.extend([quote, '_', quote]);
            continue;
        }
        let mut is_number = false;
        for c in part.chars() {
            if !c.is_ascii_digit() {
                made.push(c);
            } else if !is_number {
                made.push('N');
            }
            is_number = c.is_ascii_digit();
        }
    }
    made
}

/// The oldest architecture that every pinned release assembles for.
const OLDEST: ptx_isa::Target = ptx_isa::Target::Sm75;

/// The architecture to assemble a module for.
fn arch(module: &ptx_isa::ir::Module<'_>) -> String {
    let target = module.target;
    if target.arch() < OLDEST.arch() { OLDEST.to_string() } else { target.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_compared_without_names_and_numbers() {
        let details =
            ["line 3: warning: x".to_owned(), "line 4: error: 'a1' has 12 'b'".to_owned()];
        assert_eq!(message(&details), "'a1' has 12 'b'");
        assert_eq!(generalised(message(&details), '\''), "'_' has N '_'");
        assert_eq!(message(&[]), "");
    }
}
