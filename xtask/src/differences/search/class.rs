//! What ptxas, its releases and the rules disagree about.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ptx_text::{Kind, Parsed};

use super::super::assembler::{Assembled, Assembler};
use super::super::outcome::Verdict;
use super::initial;

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
    /// Every release refuses it with this message, and no rule finds an error.
    Refused(String),
    /// The check panics.
    Panic,
}

impl Class {
    /// Whether texts of this class may have nothing else in common.
    pub(super) fn is_coarse(&self) -> bool {
        matches!(self, Self::Crash(..))
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
            Self::Refused(message) => write!(f, "ptxas alone refuses: {message}"),
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

/// The classes of a text.
///
/// # Errors
/// If a ptxas cannot be run.
pub(super) fn classes(text: &str, assemblers: &[Assembler]) -> Result<BTreeSet<Class>, String> {
    let mut classes = BTreeSet::new();
    let read = catch_unwind(AssertUnwindSafe(|| {
        let parsed = Parsed::new(text);
        let found = parsed.check();
        let codes: Vec<(Kind, Result<&'static str, String>)> =
            found.iter().map(|it| (it.kind, it.code.ok_or_else(|| it.message.clone()))).collect();
        (arch(parsed.module()), codes, initial::values(parsed.module()))
    }));
    let Ok((arch, codes, values)) = read else {
        classes.insert(Class::Panic);
        return Ok(classes);
    };
    let mut known: Vec<(&str, Assembled)> = Vec::new();
    for assembler in assemblers {
        let assembled = assembler.assemble(text.as_bytes(), &arch, &[])?;
        let details = &assembled.outcome.details;
        if !details.iter().any(|line| UNKNOWN.iter().any(|part| line.contains(part))) {
            known.push((&assembler.version, assembled));
        }
    }
    let versions = |verdict| {
        let versions = known.iter().filter(|(_, it)| it.outcome.verdict == verdict);
        versions.map(|(version, _)| *version).collect::<Vec<_>>().join(", ")
    };
    let first = |verdict| known.iter().find(|(_, it)| it.outcome.verdict == verdict);
    let (accept, refuse) = (versions(Verdict::Accepted), versions(Verdict::Refused));
    let message =
        first(Verdict::Refused).map(|(_, it)| generalised(message(&it.outcome.details), '\''));
    if let Some((_, crash)) = first(Verdict::Crashed) {
        let how = crash.outcome.details.join(" ");
        classes.insert(Class::Crash(versions(Verdict::Crashed), generalised(&how, '\'')));
    }
    let mut errors = codes.iter().filter(|(kind, _)| kind.is_error() && *kind != Kind::Hazard);
    match message {
        Some(message) if !accept.is_empty() => {
            classes.insert(Class::Releases(accept, refuse, message));
        }
        Some(message) if errors.next().is_none() => {
            classes.insert(Class::Refused(message));
        }
        None if first(Verdict::Accepted).is_some() => {
            for (kind, code) in errors {
                classes.insert(match (kind, code) {
                    (Kind::Unenforced, Ok(code)) => Class::Accepted(code),
                    (_, Ok(code)) => Class::NotRefused((*code).to_owned()),
                    (_, Err(message)) => Class::NotRefused(generalised(message, '`')),
                });
            }
        }
        _ => {}
    }
    initial_bytes(&known, &values, &mut classes);
    Ok(classes)
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
