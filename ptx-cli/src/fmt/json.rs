//! What was formatted, as one JSON document.

use serde::Serialize;

use super::formatted::{Formatted, Outcome};
use crate::json::{self, Mistake};

#[derive(Serialize)]
struct Document<'a> {
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
    errors: Vec<Mistake<'a>>,
    /// Why it could not be read or written.
    failure: Option<&'a str>,
}

/// The document.
pub(super) fn document(files: &[Formatted]) -> serde_json::Result<String> {
    let files = files.iter().map(file).collect();
    json::document(&Document { files })
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
            entry.errors = json::mistakes(findings);
        }
        Outcome::Failed(why) => (entry.state, entry.failure) = ("failed", Some(why.as_str())),
    }
    entry
}
