//! The JSON documents that commands write, which all start alike.

use std::io;

use serde::Serialize;

use crate::finding::Finding;
use crate::terminal::Terminal;

/// The version of the formats of all documents; it changes when a field of one of them changes its meaning or is removed.
const VERSION: u32 = 1;

/// What all documents have.
#[derive(Serialize)]
struct Document<'f, F> {
    version: u32,
    #[serde(flatten)]
    fields: &'f F,
}

/// A document with these fields.
///
/// # Errors
/// A field cannot be written as JSON.
pub(crate) fn document(fields: &impl Serialize) -> serde_json::Result<String> {
    serde_json::to_string_pretty(&Document { version: VERSION, fields })
}

/// Writes a document with these fields.
///
/// # Errors
/// It could not be written.
pub(crate) fn write(fields: &impl Serialize, terminal: &mut Terminal<'_>) -> io::Result<()> {
    writeln!(terminal.out, "{}", document(fields)?)
}

/// Why a file cannot be used.
#[derive(Serialize)]
pub(crate) struct Mistake<'a> {
    /// From 1.
    line: Option<usize>,
    /// In characters, from 1.
    column: Option<usize>,
    message: &'a str,
    help: Option<&'a str>,
}

/// The mistakes because of which a file cannot be used.
pub(crate) fn mistakes(findings: &[Finding]) -> Vec<Mistake<'_>> {
    let mistake = |finding: &'_ Finding| {
        let place = finding.place.as_ref();
        (place.map(|place| place.start.0), place.map(|place| place.start.1))
    };
    findings
        .iter()
        .map(|finding| {
            let (line, column) = mistake(finding);
            Mistake { line, column, message: &finding.message, help: finding.help.as_deref() }
        })
        .collect()
}
