//! Formats documents as `ptx fmt` does.

use std::ops::Range;

use lsp_types::{Range as Span, TextEdit};
use ptx_text::format;
use similar::{DiffOp, TextDiff};

use super::document::Document;

/// The edits that format a document, or those of them that are in a range; one for each group of lines that change.
///
/// # Errors
/// What is not PTX yet has no format.
pub(super) fn edits(document: &Document, within: Option<Span>) -> Result<Vec<TextEdit>, String> {
    let new = formatted(document)?;
    let old = &*document.text;
    let range = within.map_or(0..old.len(), |span| document.lines.bytes(old, span));
    let diff = TextDiff::from_lines(old, new.as_str());
    // The offset of each line; the lines of a difference end with `\n`, those of the protocol with `\r` as well.
    let starts = |text: &str| {
        let ends = text.split_inclusive('\n').scan(0, |end, line| {
            *end += line.len();
            Some(*end)
        });
        std::iter::once(0).chain(ends).collect::<Vec<usize>>()
    };
    let (old_starts, new_starts) = (starts(old), starts(&new));
    let at = |starts: &[usize], line: usize| {
        starts.get(line).or(starts.last()).copied().unwrap_or_default()
    };
    let edit = |(was, is): (Range<usize>, Range<usize>)| {
        let old = at(&old_starts, was.start)..at(&old_starts, was.end);
        let new = &new[at(&new_starts, is.start)..at(&new_starts, is.end)];
        let is_within = range.start <= old.start.max(old.end.saturating_sub(1))
            && old.start < range.end.max(range.start + 1);
        is_within.then(|| document.edit(old, new))
    };
    let changes = diff.ops().iter().filter(|op| !matches!(op, DiffOp::Equal { .. }));
    Ok(changes.flat_map(lines).filter_map(edit).collect())
}

/// A document in the format of `ptx fmt`; of a Rust file, its bodies.
fn formatted(document: &Document) -> Result<String, String> {
    let line = |offset| document.lines.line(offset) + 1;
    let Some(parsed) = document.parsed() else {
        return format::rust(&document.text).map_err(|error| {
            let line = line(error.at);
            format!("a body that does not end has no format; in line {line}, {error}")
        });
    };
    format::parsed(parsed).map_err(|errors| {
        let first = errors.first();
        let line = first.map_or(1, |it| line(it.range.start));
        let message = first.map_or("it is not PTX", |it| it.message.as_str());
        format!("a file with syntax errors has no format; the first is in line {line}: {message}")
    })
}

/// The lines that change, one by one if there are as many after the change.
fn lines(op: &DiffOp) -> Vec<(Range<usize>, Range<usize>)> {
    let (was, is) = (op.old_range(), op.new_range());
    if was.len() == is.len() {
        was.zip(is).map(|(was, is)| (was..was + 1, is..is + 1)).collect()
    } else {
        vec![(was, is)]
    }
}
