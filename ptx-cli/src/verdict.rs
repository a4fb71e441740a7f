//! Merges the messages of ptxas about a file with the findings of the rules.

use std::ops::Range;
use std::path::Path;

use ptx_emit::ptxas::{AssembleError, Assembled, Diagnostic, FindError, Ptxas, Report, Severity};
use ptx_isa::ir::Module;
use ptx_isa::{Release, Space, Target};
use ptx_text::{Lexer, Parsed};

use crate::arguments::AssemblerOptions;
use crate::finding::{Finding, Kind, Level, Place};

/// The ptxas to run.
#[derive(Clone, Debug)]
pub(crate) struct Assembler {
    ptxas: Ptxas,
    /// The target, if not the file's own.
    target: Option<Target>,
}

impl Assembler {
    /// The ptxas at `path`, or else the one that is found.
    ///
    /// # Errors
    /// There is no ptxas: the error lists where it was looked for, and how to get it.
    pub(crate) fn find(path: Option<&Path>, target: Option<Target>) -> Result<Self, FindError> {
        let ptxas = match path {
            // A name without a folder is looked up in `PATH`, unless the file is in the current folder.
            Some(path) if path.is_file() => Ptxas::at(Path::new(".").join(path))?,
            Some(path) => Ptxas::at(path)?,
            None => Ptxas::find()?,
        };
        Ok(Self { ptxas, target })
    }

    /// The one that the options name, if it is asked for.
    ///
    /// # Errors
    /// As [`find`](Self::find).
    pub(crate) fn if_asked(
        is_asked: bool,
        options: &AssemblerOptions,
    ) -> Result<Option<Self>, FindError> {
        let find = || Self::find(options.path.ptxas_path.as_deref(), options.target);
        is_asked.then(find).transpose()
    }

    /// Adds the messages of ptxas to the findings, in order of location.
    ///
    /// # Errors
    /// Why ptxas could not be run, or that it crashed.
    pub(crate) fn add_messages(
        &self,
        parsed: &Parsed,
        found: &mut Vec<Finding>,
    ) -> Result<(), String> {
        let diagnostics = match self.assemble(parsed, self.target_of(parsed)) {
            Ok(assembled) => [assembled.warnings, assembled.remarks].concat(),
            Err(AssembleError::Refused { diagnostics, .. }) => diagnostics,
            Err(error) => return Err(error.to_string()),
        };
        merge(parsed, self.ptxas.release(), diagnostics, found);
        Ok(())
    }

    /// The resources that the kernels of a file use.
    ///
    /// # Errors
    /// Why ptxas refuses it or could not be run, or that it crashed.
    pub(crate) fn report(&self, parsed: &Parsed) -> Result<Report, AssembleError> {
        self.assemble(parsed, self.target_of(parsed)).map(|assembled| assembled.report)
    }

    /// What it assembles for.
    fn target_of(&self, parsed: &Parsed) -> Target {
        self.target.unwrap_or(parsed.module().target)
    }

    /// The errors of ptxas about a text; none if it assembles it. If the release has no devices of the target any
    /// longer, it assembles for the oldest ones that it has and that run the text.
    ///
    /// # Errors
    /// Why ptxas could not be run, or that it crashed.
    pub(crate) fn errors(&self, parsed: &Parsed) -> Result<Vec<Finding>, String> {
        let declared = parsed.module().target;
        let newer = Target::ALL.iter().copied().filter(|it| it.is_baseline());
        let newer = newer.filter(|it| it.arch() > declared.arch() && declared.runs_on(it.arch()));
        let mut found = Vec::new();
        for target in std::iter::once(declared).chain(newer) {
            match self.assemble(parsed, target) {
                Ok(_) => return Ok(Vec::new()),
                Err(AssembleError::Refused { diagnostics, .. }) => {
                    let is_unknown = |it: &Diagnostic| it.message.ends_with(NO_SUCH_DEVICE);
                    if !found.is_empty() && diagnostics.iter().any(is_unknown) {
                        continue;
                    }
                    let is_final = !diagnostics.iter().any(is_unknown);
                    found = diagnostics;
                    if is_final {
                        break;
                    }
                }
                Err(error) => return Err(error.to_string()),
            }
        }
        let mut findings = Vec::new();
        merge(parsed, self.ptxas.release(), found, &mut findings);
        Ok(findings)
    }

    /// The release of ptxas.
    pub(crate) fn release(&self) -> Release {
        self.ptxas.release()
    }

    fn assemble(&self, parsed: &Parsed, target: Target) -> Result<Assembled, AssembleError> {
        let options: &[&str] =
            if is_for_linker(parsed.module()) { &["--compile-only"] } else { &[] };
        self.ptxas.assemble_text_with(parsed.bytes(), target, options)
    }
}

/// The end of what ptxas says about a target whose devices it does not know.
const NO_SUCH_DEVICE: &str = "is not defined for option 'gpu-name'";

/// Whether the module names anything defined elsewhere or is unified, which a linker resolves.
fn is_for_linker(module: &Module<'_>) -> bool {
    let is_far = module.variables.iter().any(|variable| {
        variable.unified.is_some()
            || variable.linkage.is_elsewhere() && variable.space != Space::Shared
    });
    is_far
        || module
            .functions
            .iter()
            .any(|function| function.unified.is_some() || function.linkage.is_elsewhere())
}

/// Adds the messages of ptxas: to a finding about the same mistake, or as findings of their own.
fn merge(
    parsed: &Parsed,
    release: Release,
    diagnostics: Vec<Diagnostic>,
    found: &mut Vec<Finding>,
) {
    let lines = Lines::of(parsed.text());
    let own = found.len();
    for diagnostic in diagnostics {
        let declared = match diagnostic.line {
            Some(_) => None,
            None => lines.declared(&diagnostic.message),
        };
        let same = || {
            let same = found[..own].iter().enumerate();
            same.filter(|(_, finding)| is_same(&lines, finding, &diagnostic, declared.as_ref()))
        };
        // If several findings are on a line, the message belongs to the one whose name it quotes.
        let named = same().find(|(_, finding)| quotes(&diagnostic.message, finding));
        let same = named.or_else(|| same().next()).map(|(n, _)| n);
        let cause =
            || found[..own].iter().position(|finding| is_cause(&lines, finding, &diagnostic));
        match same.or_else(cause) {
            Some(n) => {
                let Diagnostic { severity, message, .. } = diagnostic;
                found[n].ptxas.push(format!("ptxas {release} agrees: {severity}: {message}"));
            }
            None => found.push(finding(parsed, &lines, diagnostic, declared)),
        }
    }
    found.sort_by_key(|finding| {
        finding.place.as_ref().map_or(usize::MAX, |place| place.range.start)
    });
}

/// Whether a finding is an error or a warning that ptxas reports too: on the same line, or, for a syntax error, at the next token,
/// where ptxas stops; or about the same declaration, if ptxas gives no line.
fn is_same(
    lines: &Lines<'_>,
    finding: &Finding,
    diagnostic: &Diagnostic,
    declared: Option<&Range<usize>>,
) -> bool {
    let Some(place) = &finding.place else { return false };
    let least = if finding.kind == Kind::Warned { Severity::Warning } else { Severity::Error };
    if diagnostic.severity < least {
        return false;
    }
    let (first, last) = (lines.number(place.range.start), lines.number(place.range.end));
    match (finding.kind, diagnostic.line) {
        (Kind::Syntax, Some(line)) => {
            (first..=last + 1).contains(&line)
                || line > last && line == lines.number(lines.next_token(place.range.end))
        }
        (Kind::Refused | Kind::Warned, Some(line)) => (first..=last).contains(&line),
        (Kind::Refused, None) => declared == Some(&place.range),
        // ptxas does not know the instruction either.
        (Kind::Hazard, Some(line)) if finding.is_of_unknown_instruction() => {
            (first..=last).contains(&line) && quotes(&diagnostic.message, finding)
        }
        (Kind::Syntax | Kind::Warned, None)
        | (Kind::Unenforced | Kind::Hazard | Kind::Unneeded | Kind::NotFollowed | Kind::Ptxas, _) => {
            false
        }
    }
}

/// Whether a finding is an error that ptxas reports elsewhere: at a later token for an unclosed brace, at the end of a
/// second definition, or at the version for one that is too old for the target.
fn is_cause(lines: &Lines<'_>, finding: &Finding, diagnostic: &Diagnostic) -> bool {
    let (Some(place), Some(line)) = (&finding.place, diagnostic.line) else { return false };
    let (message, first) = (&diagnostic.message, lines.number(place.range.start));
    if diagnostic.severity < Severity::Error || line < first {
        return false;
    }
    match finding.kind {
        Kind::Syntax => {
            matches!(place.blamed(), "(" | "[" | "{") && message.starts_with("Parsing error")
        }
        Kind::Refused if message.starts_with("Duplicate definition") => quotes(message, finding),
        Kind::Refused if message.starts_with("PTX .version") => {
            lines.declared(message).is_some_and(|version| lines.number(version.start) == first)
        }
        Kind::Refused
        | Kind::Unenforced
        | Kind::Hazard
        | Kind::Warned
        | Kind::Unneeded
        | Kind::NotFollowed
        | Kind::Ptxas => false,
    }
}

/// Whether a message quotes the token of a finding.
fn quotes(message: &str, finding: &Finding) -> bool {
    finding.place.as_ref().is_some_and(|place| quoted(message).any(|word| word == place.blamed()))
}

fn finding(
    parsed: &Parsed,
    lines: &Lines<'_>,
    diagnostic: Diagnostic,
    declared: Option<Range<usize>>,
) -> Finding {
    let level = match diagnostic.severity {
        Severity::Remark => Level::Note,
        Severity::Warning => Level::Warning,
        Severity::Error | Severity::Fatal => Level::Error,
    };
    let range = match diagnostic.line {
        Some(line) => lines.blamed(line, &diagnostic.message),
        None => declared,
    };
    Finding {
        place: range.map(|range| Place::of(parsed, range)),
        other: None,
        kind: Kind::Ptxas,
        level,
        code: None,
        message: diagnostic.message,
        help: diagnostic.advice,
        ptxas: Vec::new(),
    }
}

/// The lines of a text as ptxas counts them: a lone carriage return does not end a line.
struct Lines<'a> {
    text: &'a str,
    /// The start of each line.
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Self {
        let mut starts = vec![0];
        starts.extend(text.match_indices('\n').map(|(at, _)| at + 1));
        Self { text, starts }
    }

    /// The line, from 1, that contains a byte.
    fn number(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start <= at)
    }

    /// The start of the first token at or after a byte, or the end of the text.
    fn next_token(&self, at: usize) -> usize {
        let rest = self.text.get(at..).unwrap_or_default();
        let token = Lexer::new(rest).find(|piece| !piece.kind.is_trivia());
        token.map_or(self.text.len(), |token| at + token.at.range().start)
    }

    /// The part of a line, from 1, that a message is about: the text that it quotes, or else the whole line.
    fn blamed(&self, line: usize, message: &str) -> Option<Range<usize>> {
        let start = *self.starts.get(line.checked_sub(1)?)?;
        let end = self.starts.get(line).map_or(self.text.len(), |next| next - 1);
        let content = &self.text[start..end];
        let quoted =
            quoted(message).filter_map(|word| Some((find_word(content, word)?, word.len())));
        if let Some((at, length)) = quoted.last() {
            return Some(start + at..start + at + length);
        }
        let code = content.trim();
        let at = start + content.len() - content.trim_start().len();
        Some(at..at + code.len())
    }

    /// The first occurrence of the quoted text, its declaration, or else of the directive that the message names.
    fn declared(&self, message: &str) -> Option<Range<usize>> {
        let directives = message.split(' ').filter(|word| word.starts_with('.'));
        quoted(message).chain(directives).find_map(|word| {
            self.starts.iter().enumerate().find_map(|(n, start)| {
                let end = self.starts.get(n + 1).copied().unwrap_or(self.text.len());
                let line = &self.text[*start..end];
                let code = line.split_once("//").map_or(line, |(code, _)| code);
                let at = start + find_word(code, word)?;
                Some(at..at + word.len())
            })
        })
    }
}

/// The texts in single quotes.
fn quoted(message: &str) -> impl Iterator<Item = &str> {
    message.split('\'').skip(1).step_by(2).filter(|text| !text.is_empty())
}

/// The position of a word, not as a part of another word.
fn find_word(text: &str, word: &str) -> Option<usize> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '%');
    text.match_indices(word).map(|(at, _)| at).find(|at| {
        !text[..*at].chars().next_back().is_some_and(|c| is_part(c) && word.starts_with(is_part))
            && !text[at + word.len()..]
                .chars()
                .next()
                .is_some_and(|c| is_part(c) && word.ends_with(is_part))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "// .globl k\n.entry k()\n{\n\tld.u32 \t%r1, [x1];\n\tadd.u32 %r11, %r1, x;\n}";

    fn blamed(line: usize, message: &str) -> Option<&'static str> {
        Lines::of(TEXT).blamed(line, message).map(|range| &TEXT[range])
    }

    #[test]
    fn the_quoted_token_is_blamed() {
        assert_eq!(blamed(4, "Unknown symbol 'x1'"), Some("x1"));
        assert_eq!(blamed(5, "Unknown symbol 'x'"), Some("x"));
        assert_eq!(blamed(5, "Unknown symbol '%r1'"), Some("%r1"));
        assert_eq!(
            Lines::of(TEXT).blamed(5, "'%r1'").map(|range| range.start),
            TEXT.find("%r1, x;")
        );
    }

    #[test]
    fn else_it_is_the_line() {
        assert_eq!(
            blamed(4, "Arguments mismatch for instruction 'st'"),
            Some("ld.u32 \t%r1, [x1];")
        );
        assert_eq!(blamed(3, "nothing quoted"), Some("{"));
        assert_eq!(blamed(0, "'x'"), None);
        assert_eq!(blamed(70, "'x'"), None);
    }

    #[test]
    fn lines_are_counted_as_ptxas_counts_them() {
        let text = "a\rb\r\nc // d\n/* e\n*/ \n# 7 \"f.cu\"\ng";
        let lines = Lines::of(text);
        let number = |word| lines.number(text.find(word).expect("it is there"));
        assert_eq!(["a", "b", "c", "*/", "g"].map(number), [1, 1, 2, 4, 6]);
        let behind = text.find(" // d").expect("it is there");
        assert_eq!(lines.number(lines.next_token(behind)), 6);
        assert_eq!(lines.next_token(text.len()), text.len());
    }

    #[test]
    fn what_has_no_line_is_about_a_declaration() {
        let declared = |message| Lines::of(TEXT).declared(message);
        assert_eq!(declared("Entry function 'k' uses too much shared data"), Some(19..20));
        assert_eq!(declared("no such thing as 'absent'"), None);
        let entry = TEXT.find(".entry").expect("it is there");
        assert_eq!(declared("specified by .entry is higher"), Some(entry..entry + 6));
    }
}
