//! What was formatted, as one JSON document.

use serde::Serialize;

use super::formatted::{Formatted, Outcome};

/// The version of the document's format; it changes when a field changes its meaning or is removed.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    files: Vec<File<'a>>,
}

#[derive(Serialize)]
struct File<'a> {
    #[serde(rename = "file")]
    name: &'a str,
    /// `unchanged`, `changed`, `errors` or `failed`.
    state: &'static str,
    /// With `--check`, the differences of a file that is `changed`, as `diff -u` writes them.
    diff: Option<&'a str>,
    errors: Vec<Entry<'a>>,
    /// Why it could not be read or written.
    failure: Option<&'a str>,
}

#[derive(Serialize)]
struct Entry<'a> {
    /// From 1.
    line: Option<usize>,
    /// In characters, from 1.
    column: Option<usize>,
    message: &'a str,
    help: Option<&'a str>,
}

/// The document.
pub(super) fn document(files: &[Formatted]) -> serde_json::Result<String> {
    let files = files.iter().map(file).collect();
    serde_json::to_string_pretty(&Document { version: VERSION, files })
}

fn file(file: &Formatted) -> File<'_> {
    let mut entry = File {
        name: &file.name,
        state: "unchanged",
        diff: None,
        errors: Vec::new(),
        failure: None,
    };
    match &file.outcome {
        Outcome::Unchanged => {}
        Outcome::Changed(diff) => (entry.state, entry.diff) = ("changed", diff.as_deref()),
        Outcome::Text(_) => entry.state = "changed",
        Outcome::Refused(findings) => {
            entry.state = "errors";
            entry.errors = findings
                .iter()
                .map(|finding| Entry {
                    line: finding.place.as_ref().map(|place| place.start.0),
                    column: finding.place.as_ref().map(|place| place.start.1),
                    message: &finding.message,
                    help: finding.help.as_deref(),
                })
                .collect();
        }
        Outcome::Failed(why) => (entry.state, entry.failure) = ("failed", Some(why.as_str())),
    }
    entry
}
