use std::collections::HashSet;
use std::fmt;

use ptx_isa::ir::{FunctionKind, Location, Module};

use super::quoted::{quoted, remarked, statement_place};
use crate::write::{Origin, write_with_origins};

/// The severity of a message.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// The text is accepted, but the code is slower than it could be, or waits where the source does not.
    Remark,
    /// The text is accepted.
    Warning,
    /// The text is rejected.
    Error,
    /// The text is rejected, and parsing stopped.
    Fatal,
}

/// A message of ptxas.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// Its severity.
    pub severity: Severity,
    /// The line of the PTX text, from 1; `None` for a module read from a file, for which `place` has the line.
    pub line: Option<usize>,
    /// The message.
    pub message: String,
    /// The text of that line.
    pub text: Option<String>,
    /// The declaration or statement it came from: `kernel rows, statement 3`.
    pub origin: Option<String>,
    /// The location in Rust or in a PTX file: of the token that the message quotes, if the statement has it,
    /// otherwise of the first token. Modules that were built by hand have no locations.
    pub place: Option<Location<String>>,
    /// How to fix it, if that is known.
    pub advice: Option<String>,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        write!(f, "{}: ", self.severity)?;
        self.fmt_words(f)
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Remark => "remark",
            Self::Warning => "warning",
            Self::Error | Self::Fatal => "error",
        })
    }
}

impl Diagnostic {
    /// The text without its location and its severity: the message, its subject, and the advice.
    pub fn words(&self) -> String {
        struct Words<'d>(&'d Diagnostic);
        impl fmt::Display for Words<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt_words(f)
            }
        }
        Words(self).to_string()
    }

    fn fmt_words(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match (&self.origin, self.line) {
            (Some(origin), Some(line)) => write!(f, " ({origin}, PTX line {line})")?,
            (None, Some(line)) => write!(f, " (PTX line {line})")?,
            (Some(origin), None) => write!(f, " ({origin})")?,
            (None, None) => {}
        }
        if let Some(text) = &self.text {
            write!(f, ": `{}`", text.trim())?;
        }
        if let Some(advice) = &self.advice {
            write!(f, "; {advice}")?;
        }
        Ok(())
    }
}

/// The language that a module is written in, and so where it has to be changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Language {
    /// `#[ptx::module(..)]`.
    Rust,
    Ptx,
}

impl Language {
    pub(super) fn of(module: &Module<'_>) -> Self {
        if module.source.is_some() { Self::Ptx } else { Self::Rust }
    }
}

/// Parses the messages that ptxas printed about `ptx`, the text of a module that is written in `language`.
pub(super) fn parse(output: &str, ptx: &str, language: Language) -> Vec<Diagnostic> {
    let ptx: Vec<&str> = ptx.lines().collect();
    let mut found: Vec<Diagnostic> =
        output.lines().filter_map(|line| parse_line(line, &ptx, language)).collect();
    // ptxas repeats some messages for each operand.
    let mut seen = HashSet::new();
    found.retain(|Diagnostic { line, message, .. }| {
        line.is_none() || seen.insert((*line, message.clone()))
    });
    // `Unknown symbol` comes after, and explains, the mismatch on its line.
    let unknown: Vec<Option<usize>> = found
        .iter()
        .filter(|diagnostic| diagnostic.message.starts_with("Unknown symbol"))
        .map(|diagnostic| diagnostic.line)
        .collect();
    found.retain(|diagnostic| {
        !(diagnostic.message.starts_with("Arguments mismatch")
            && unknown.contains(&diagnostic.line))
    });
    // Where a newer version suffices for this target, the message that asks for another target is dropped.
    let of_this_target: HashSet<(Option<usize>, String)> =
        found.iter().filter_map(newer_version_for_this_target).collect();
    found.retain(|Diagnostic { line, message, .. }| {
        let feature = required(message, ".target ");
        feature.is_none_or(|feature| !of_this_target.contains(&(*line, feature.to_owned())))
    });
    let aborted = "Ptx assembly aborted due to errors";
    if found.iter().any(|d| d.severity >= Severity::Error && d.message != aborted) {
        found.retain(|diagnostic| diagnostic.message != aborted);
    }
    found
}

/// The feature that a message is about, which requires this: `Feature 'elect' requires .target sm_90 or higher`.
fn required<'m>(message: &'m str, what: &str) -> Option<&'m str> {
    let (feature, required) = message.strip_prefix("Feature '")?.split_once("' requires ")?;
    required.starts_with(what).then_some(feature)
}

/// The line of a message and its feature, if this target has the feature from a newer version on:
/// `Feature 'F on sm_89' requires PTX ISA .version 8.1 or later`.
fn newer_version_for_this_target(diagnostic: &Diagnostic) -> Option<(Option<usize>, String)> {
    let feature = required(&diagnostic.message, "PTX ISA .version ")?;
    let (feature, target) = feature.rsplit_once(" on ")?;
    target.starts_with("sm_").then(|| (diagnostic.line, feature.to_owned()))
}

/// Does the same as [`parse`], with line numbers from the output for the same text without its line markers, which
/// change how ptxas counts. A message that is not repeated there has no line.
pub(super) fn parse_marked(
    output: &str,
    unmarked: &str,
    ptx: &str,
    language: Language,
) -> Vec<Diagnostic> {
    let words = |output: &str| -> Vec<(Severity, String)> {
        let diagnostics = output.lines().filter_map(|line| parse_line(line, &[], language));
        diagnostics.map(|diagnostic| (diagnostic.severity, diagnostic.message)).collect()
    };
    if words(output) == words(unmarked) {
        return parse(unmarked, ptx, language);
    }
    let mut found = parse(output, ptx, language);
    for diagnostic in &mut found {
        (diagnostic.line, diagnostic.text) = (None, None);
    }
    found
}

/// `ptxas FILE, line N; error   : MESSAGE` or `ptxas error   : MESSAGE`, about a text of these lines.
fn parse_line(line: &str, ptx: &[&str], language: Language) -> Option<Diagnostic> {
    let rest = line.strip_prefix("ptxas ")?;
    if let Some(message) = remark(rest) {
        let line = number_behind(message, "around line ");
        let text = line.and_then(|line| line_of(ptx, line));
        return Some(Diagnostic {
            severity: Severity::Remark,
            line,
            message: message.to_owned(),
            text,
            origin: None,
            place: None,
            advice: None,
        });
    }
    let (at, rest) = match rest.split_once("; ") {
        Some((place, rest)) if place.contains(", line ") => {
            (place.rsplit(' ').next().and_then(|number| number.parse().ok()), rest)
        }
        _ => (None, rest),
    };
    let (word, message) = rest.split_once(':')?;
    let severity = match word.trim() {
        "warning" => Severity::Warning,
        "error" => Severity::Error,
        "fatal" => Severity::Fatal,
        _ => return None,
    };
    let message = message.trim().to_owned();
    let advice = advice(&message, language);
    let at = at.or_else(|| number_behind(&message, " encountered on line "));
    let text = at.and_then(|line| line_of(ptx, line));
    Some(Diagnostic { severity, line: at, message, text, origin: None, place: None, advice })
}

/// `info    : (C7517) MESSAGE`: among the messages of this severity, only remarks have a code.
fn remark(rest: &str) -> Option<&str> {
    let (_, message) = rest.strip_prefix("info")?.split_once(':')?;
    let message = message.trim();
    let (code, _) = message.strip_prefix("(C")?.split_once(')')?;
    code.bytes().all(|byte| byte.is_ascii_digit()).then_some(message)
}

/// The line of the PTX text that a message names, as in `.. is injected in around line 13 by compiler ..`.
fn number_behind(message: &str, words: &str) -> Option<usize> {
    let (_, rest) = message.split_once(words)?;
    rest.split(' ').next()?.parse().ok()
}

fn line_of(ptx: &[&str], line: usize) -> Option<String> {
    ptx.get(line.checked_sub(1)?).map(|text| (*text).to_owned())
}

/// The advice for a message.
fn advice(message: &str, language: Language) -> Option<String> {
    if let Some((_, rest)) = message.split_once("requires PTX ISA .version ") {
        let version = rest.split_whitespace().next()?;
        return Some(match language {
            Language::Rust => format!("write `version = {version}` in `#[ptx::module(..)]`"),
            Language::Ptx => format!("write `.version {version}` in the text"),
        });
    }
    if let Some((_, rest)) = message.split_once("requires .target ") {
        let target = rest.split_whitespace().next()?;
        return Some(match language {
            Language::Rust => {
                format!("write `target = {target}` or a newer one in `#[ptx::module(..)]`")
            }
            Language::Ptx => format!("write `.target {target}` or a newer one in the text"),
        });
    }
    let fixed = |text: &str| Some(text.to_owned());
    if message.starts_with("Unsupported .version") {
        return fixed(match language {
            Language::Rust => "use a newer ptxas, or an older `version` in `#[ptx::module(..)]`",
            Language::Ptx => "use a newer ptxas, or an older `.version` in the text",
        });
    }
    if message.starts_with("SM version specified by .target is higher") {
        return fixed("assemble it for its own target or a newer one");
    }
    // Code that uses the features of one target runs on that target only.
    if message.contains("cannot be compiled for architecture")
        || message.contains("cannot be compiled to future architecture")
    {
        return fixed("assemble it for its own target");
    }
    if message.ends_with("is not defined for option 'gpu-name'") {
        return fixed("this release of ptxas does not have the target; use another");
    }
    None
}

/// The origins of the lines of a module's text.
pub struct Source<'m> {
    module: &'m Module<'m>,
    /// The first line of each part, in order, and the part.
    starts: Vec<(usize, Origin)>,
}

impl<'m> Source<'m> {
    /// The lines of `module`.
    pub fn of(module: &'m Module<'m>) -> Self {
        let mut starts = Vec::new();
        let _ = write_with_origins(module, &mut String::new(), |line, origin| {
            starts.push((line, origin));
        });
        Self { module, starts }
    }

    /// The subject of a message: the origin of its line, or else the part that it names.
    fn origin(&self, severity: Severity, line: Option<usize>, message: &str) -> Option<Origin> {
        if let Some(line) = line {
            let after = self.starts.partition_point(|(start, _)| *start <= line);
            return self.starts.get(after.checked_sub(1)?).map(|(_, origin)| *origin);
        }
        let names = |name: &str| message.contains(&format!("'{name}'"));
        let function = self.module.functions.iter().position(|function| names(function.name));
        if severity == Severity::Remark
            && let Some((function, statement)) = remarked(self.module, function, message)
        {
            return Some(Origin::Statement(function, statement));
        }
        let variable = || self.module.variables.iter().position(|variable| names(variable.name));
        function.map(Origin::Function).or_else(|| variable().map(Origin::Variable))
    }

    fn describe(&self, origin: Origin, has_line: bool) -> Option<String> {
        let function = |i: usize| {
            let function = self.module.functions.get(i)?;
            Some(match function.kind {
                FunctionKind::Kernel => format!("kernel `{}`", function.name),
                FunctionKind::Device => format!("function `{}`", function.name),
            })
        };
        match origin {
            Origin::Header => Some("the module's header".to_owned()),
            Origin::Variable(i) => {
                Some(format!("variable `{}`", self.module.variables.get(i)?.name))
            }
            Origin::Function(i) if has_line => Some(format!("signature of {}", function(i)?)),
            Origin::Function(i) => function(i),
            Origin::Statement(i, n) => {
                let inlined = self.module.functions.get(i)?.inlined.in_words(n);
                Some(format!("{}, statement {}{inlined}", function(i)?, n + 1))
            }
        }
    }

    fn place(&self, origin: Origin, message: &str) -> Option<Location<&'m str>> {
        match origin {
            Origin::Header => None,
            Origin::Variable(i) => self.module.variables.get(i)?.place?.location(),
            Origin::Function(i) => {
                let function = self.module.functions.get(i)?;
                let mut params = function.params.iter().chain(function.returns);
                let quoted = params
                    .find(|param| quoted(message).any(|quoted| quoted == param.variable.name));
                quoted.and_then(|param| param.variable.place).or(function.place)?.location()
            }
            Origin::Statement(i, n) => statement_place(self.module.functions.get(i)?, n, message),
        }
    }
}

impl Diagnostic {
    /// Adds the declaration or statement that the message is about, and its location.
    pub(super) fn locate(&mut self, source: &Source<'_>) {
        let Some(origin) = source.origin(self.severity, self.line, &self.message) else { return };
        self.origin = source.describe(origin, self.line.is_some());
        let place = source.place(origin, &self.message);
        self.place = place.map(|Location { file, line, column }| Location {
            file: file.to_owned(),
            line,
            column,
        });
    }
}
