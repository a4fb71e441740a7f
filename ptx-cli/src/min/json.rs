//! The result as one JSON document.

use serde::Serialize;

use super::file::{File, Outcome};
use super::header::Level;
use crate::finding::Finding;
use crate::json;

#[derive(Serialize)]
struct Document<'a> {
    files: Vec<Entry<'a>>,
}

#[derive(Serialize)]
struct Entry<'a> {
    file: &'a str,
    /// Why it could not be read, written or assembled; `null` if it was.
    failure: Option<&'a str>,
    /// What it declares; `null` if that is not known, as are all fields up to `kernels`.
    declared: Option<Header>,
    /// The lowest that suffices; `null` too if there are errors.
    lowest: Option<Header>,
    /// Whether code for the lowest target runs on all newer devices.
    is_forward_compatible: Option<bool>,
    /// The target of a family that suffices, too, but needs a newer version than the declared one.
    family: Option<&'static str>,
    /// Whether the file was changed.
    is_written: bool,
    needs: Vec<Need<'a>>,
    kernels: Vec<Kernel<'a>>,
    errors: Vec<Need<'a>>,
}

#[derive(Serialize)]
struct Header {
    version: String,
    target: &'static str,
}

#[derive(Serialize)]
struct Need<'a> {
    /// `target` or `version`; `null` for an error.
    needs: Option<&'static str>,
    message: &'a str,
    help: Option<&'a str>,
    /// From 1; `null` for the whole file, as are the others.
    line: Option<usize>,
    /// In characters, from 1.
    column: Option<usize>,
    byte_start: Option<usize>,
    byte_end: Option<usize>,
}

#[derive(Serialize)]
struct Kernel<'a> {
    name: &'a str,
    #[serde(flatten)]
    lowest: Header,
}

/// The document.
pub(crate) fn document(files: &[File]) -> serde_json::Result<String> {
    json::document(&Document { files: files.iter().map(entry).collect() })
}

fn entry(file: &File) -> Entry<'_> {
    let outcome = file.outcome.as_ref();
    let mut all = Vec::new();
    if let Some(Outcome { for_target, for_version, .. }) = outcome {
        all.extend(for_target.iter().map(|found| need(Some("target"), found)));
        all.extend(for_version.iter().map(|found| need(Some("version"), found)));
    }
    Entry {
        file: &file.name,
        failure: file.failure.as_deref(),
        declared: outcome.map(|it| header(it.declared)),
        lowest: outcome.map(|it| header(it.lowest)),
        is_forward_compatible: outcome.map(|it| it.lowest.target.is_baseline()),
        family: outcome.and_then(|it| it.family).map(ptx_isa::Target::name),
        is_written: outcome.is_some_and(|it| it.is_written),
        needs: all,
        kernels: outcome.map_or(Vec::new(), |it| {
            let kernels = it.kernels.iter();
            kernels.map(|it| Kernel { name: &it.name, lowest: header(it.level) }).collect()
        }),
        errors: file.errors.iter().map(|found| need(None, found)).collect(),
    }
}

fn header(level: Level) -> Header {
    Header { version: level.version.to_string(), target: level.target.name() }
}

fn need<'a>(needs: Option<&'static str>, found: &'a Finding) -> Need<'a> {
    let place = found.place.as_ref();
    Need {
        needs,
        message: &found.message,
        help: found.help.as_deref(),
        line: place.map(|it| it.start.0),
        column: place.map(|it| it.start.1),
        byte_start: place.map(|it| it.range.start),
        byte_end: place.map(|it| it.range.end),
    }
}
