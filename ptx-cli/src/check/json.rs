//! Findings as one JSON document.

use serde::Serialize;

use crate::checked::{Checked, Totals};
use crate::finding::Finding;
use crate::json;

#[derive(Serialize)]
struct Document<'a> {
    files: Vec<File<'a>>,
    findings: Vec<Entry<'a>>,
    summary: Summary,
}

#[derive(Serialize)]
struct File<'a> {
    #[serde(rename = "file")]
    name: &'a str,
    /// Why it could not be checked; `null` if it was.
    failure: Option<&'a str>,
    errors: usize,
    warnings: usize,
    allowed: usize,
}

#[derive(Serialize)]
struct Entry<'a> {
    file: &'a str,
    /// From 1; `null` for the whole file, as are all fields up to `byte_end`.
    line: Option<usize>,
    /// In characters, from 1.
    column: Option<usize>,
    end_line: Option<usize>,
    /// After the last character.
    end_column: Option<usize>,
    byte_start: Option<usize>,
    byte_end: Option<usize>,
    /// The other access of a race; `null` for other findings.
    other: Option<Other<'a>>,
    level: &'static str,
    kind: &'static str,
    code: Option<&'static str>,
    message: &'a str,
    help: Option<&'a str>,
    /// The address of the page of the rule; `null` without a rule.
    page: Option<String>,
    /// The messages of ptxas about the same location.
    ptxas: &'a [String],
    /// How it can be allowed; `null` if it cannot.
    allow: Option<Allow>,
}

#[derive(Serialize)]
struct Other<'a> {
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    byte_start: usize,
    byte_end: usize,
    message: &'a str,
}

#[derive(Serialize)]
struct Allow {
    option: String,
    comment: String,
}

#[derive(Serialize)]
struct Summary {
    files: usize,
    failures: usize,
    errors: usize,
    warnings: usize,
    allowed: usize,
}

/// The document.
pub(crate) fn document(files: &[Checked]) -> serde_json::Result<String> {
    let totals = Totals::of(files);
    let document = Document {
        files: files.iter().map(file).collect(),
        findings: files
            .iter()
            .flat_map(|file| file.findings.iter().map(|finding| found(&file.name, finding)))
            .collect(),
        summary: Summary {
            files: totals.files,
            failures: totals.failures,
            errors: totals.errors,
            warnings: totals.warnings,
            allowed: totals.allowed,
        },
    };
    json::document(&document)
}

fn file(checked: &Checked) -> File<'_> {
    let totals = Totals::of(std::slice::from_ref(checked));
    File {
        name: &checked.name,
        failure: checked.failure.as_deref(),
        errors: totals.errors,
        warnings: totals.warnings,
        allowed: totals.allowed,
    }
}

fn found<'a>(file: &'a str, finding: &'a Finding) -> Entry<'a> {
    let place = finding.place.as_ref();
    Entry {
        file,
        line: place.map(|place| place.start.0),
        column: place.map(|place| place.start.1),
        end_line: place.map(|place| place.end.0),
        end_column: place.map(|place| place.end.1),
        byte_start: place.map(|place| place.range.start),
        byte_end: place.map(|place| place.range.end),
        other: finding.other.as_ref().map(|(place, message)| Other {
            line: place.start.0,
            column: place.start.1,
            end_line: place.end.0,
            end_column: place.end.1,
            byte_start: place.range.start,
            byte_end: place.range.end,
            message,
        }),
        level: finding.level.name(),
        kind: finding.kind.name(),
        code: finding.code,
        message: &finding.message,
        help: finding.help.as_deref(),
        page: finding.page(),
        ptxas: &finding.ptxas,
        allow: finding.hazard().map(|rule| Allow {
            option: format!("--allow {}", rule.code),
            comment: format!("// ptx: allow({})", rule.code),
        }),
    }
}
