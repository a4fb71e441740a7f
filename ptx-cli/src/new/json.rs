//! What was created, as one JSON document.

use serde::Serialize;

/// The version of the document's format; it changes when a field changes its meaning or is removed.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    name: &'a str,
    template: &'a str,
    folder: &'a str,
    /// Relative to the folder, with `/`.
    files: Vec<&'static str>,
}

/// The document.
pub(super) fn document(
    name: &str,
    template: &str,
    folder: &str,
    files: &[(&'static str, String)],
) -> serde_json::Result<String> {
    let files = files.iter().map(|(path, _)| *path).collect();
    serde_json::to_string_pretty(&Document { version: VERSION, name, template, folder, files })
}
