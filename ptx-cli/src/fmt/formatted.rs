//! The work for one file.

use std::ops::Range;
use std::path::Path;

use ptx_text::{Parsed, format};

use super::diff;
use crate::arguments::{Fmt, OutputFormat};
use crate::excerpt::Excerpt;
use crate::finding::{Finding, Kind, Level, Place};
use crate::input::Input;
use crate::output;

/// A file that was formatted, or not.
#[derive(Debug)]
pub(super) struct Formatted {
    pub(super) name: String,
    pub(super) outcome: Outcome,
}

/// What became of a file.
#[derive(Debug)]
pub(super) enum Outcome {
    /// It is formatted already.
    Unchanged,
    /// It was written; or with `--check`, these are the differences.
    Changed(Option<String>),
    /// The format of the standard input.
    Text(String),
    /// It has errors, and stays as it is.
    Refused(Vec<Finding>),
    /// It could not be read or written.
    Failed(String),
}

impl Formatted {
    /// Formats a file as the command line says.
    pub(super) fn of(input: &Input, command: &Fmt) -> Self {
        Self { name: input.name.clone(), outcome: outcome(input, command) }
    }
}

fn outcome(input: &Input, command: &Fmt) -> Outcome {
    let bytes = match input.read() {
        Ok(bytes) => bytes,
        Err(error) => return Outcome::Failed(error.to_string()),
    };
    let is_rust = |path: &Path| path.extension().is_some_and(|extension| extension == "rs");
    let formatted = if command.rust || input.path().is_some_and(is_rust) {
        of_rust(bytes)
    } else {
        of_ptx(bytes)
    };
    let (source, formatted) = match formatted {
        Ok(both) => both,
        Err(findings) => return Outcome::Refused(findings),
    };
    match input.path() {
        None if !command.check && command.output.format() == OutputFormat::Text => {
            Outcome::Text(formatted)
        }
        _ if source == formatted => Outcome::Unchanged,
        _ if command.check => Outcome::Changed(Some(diff::of(&input.name, &source, &formatted))),
        None => Outcome::Changed(None),
        Some(path) => match output::write(path, formatted.as_bytes()) {
            Ok(()) => Outcome::Changed(None),
            Err(error) => Outcome::Failed(error.to_string()),
        },
    }
}

/// The text of a PTX file, and how it is formatted.
fn of_ptx(bytes: Vec<u8>) -> Result<(String, String), Vec<Finding>> {
    let parsed = Parsed::from_bytes(bytes);
    match format::parsed(&parsed) {
        Ok(formatted) => Ok((parsed.text().to_owned(), formatted)),
        Err(errors) => {
            Err(errors.iter().cloned().map(|error| Finding::of(&parsed, error)).collect())
        }
    }
}

/// The text of a Rust file, and how it is formatted.
fn of_rust(bytes: Vec<u8>) -> Result<(String, String), Vec<Finding>> {
    let source = match String::from_utf8(bytes) {
        Ok(source) => source,
        Err(error) => {
            let text = String::from_utf8_lossy(error.as_bytes());
            let at = error.utf8_error().valid_up_to();
            let message = "this is not UTF-8, as Rust files are; save it as UTF-8".to_owned();
            return Err(vec![of_syntax(&text, at, message)]);
        }
    };
    match format::rust(&source) {
        Ok(formatted) => Ok((source, formatted)),
        Err(error) => Err(vec![of_syntax(&source, error.at, error.to_string())]),
    }
}

/// An error of syntax at one character of a text.
fn of_syntax(text: &str, at: usize, message: String) -> Finding {
    let length = text.get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
    let range: Range<usize> = at..at + length;
    let before = &text[..at];
    let line_start = before.rfind('\n').map_or(0, |end| end + 1);
    let (line, column) =
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1);
    let place = Place {
        excerpt: Excerpt::of(text, &range),
        start: (line, column),
        end: (line, column + usize::from(length > 0)),
        range,
    };
    let (message, help) = match message.split_once("; ") {
        Some((wrong, help)) => (wrong.to_owned(), Some(help.to_owned())),
        None => (message, None),
    };
    let (kind, level) = (Kind::Syntax, Level::Error);
    let (place, ptxas) = (Some(place), Vec::new());
    Finding { place, other: None, kind, level, code: None, message, help, ptxas }
}
