//! What is shown between the words of a text, if a client wants it.

use std::collections::BTreeMap;
use std::ops::Range;

use lsp_types::{InlayHint, InlayHintKind, InlayHintLabel, Range as Span};
use ptx_frontend::Arena;

use super::document::Document;
use super::place::Places;
use super::settings::Settings;
use super::values;

/// The hints in a range.
pub(super) fn hints(document: &Document, span: Span, settings: &Settings) -> Vec<InlayHint> {
    let range = document.lines.bytes(&document.text, span);
    let mut found = Vec::new();
    if settings.inlay_hints.values {
        found.extend(of_values(document, &range));
    }
    if settings.inlay_hints.places {
        found.extend(of_places(document, &range).unwrap_or_default());
    }
    let hint = |(end, label): (usize, String)| InlayHint {
        position: document.span(end..end).start,
        padding_left: Some(!label.starts_with(['+', '-'])),
        label: InlayHintLabel::String(label),
        kind: Some(InlayHintKind::TYPE),
        text_edits: None,
        tooltip: None,
        padding_right: None,
        data: None,
    };
    found.into_iter().map(hint).collect()
}

/// The values of registers, after the instructions that write them.
fn of_values(document: &Document, range: &Range<usize>) -> BTreeMap<usize, String> {
    let mut known = BTreeMap::new();
    let functions = &document.outline.functions;
    let first = functions.partition_point(|function| function.range.end < range.start);
    for function in functions[first..].iter().take_while(|it| it.range.start <= range.end) {
        for (at, value) in values::around(document, function.range.start) {
            if range.contains(&at.start)
                && let Some((_, statement)) = document.outline.statement_at(at.start)
            {
                let end = document.outline.range_of(statement).end;
                let label = match value.as_str() {
                    values::UNREACHED => value,
                    value => format!("= {value}"),
                };
                known.entry(end).or_insert(label);
            }
        }
    }
    known
}

/// The offsets of places in brackets, after them: `[SMEM.full[1]]` is at `+1032`.
fn of_places(document: &Document, range: &Range<usize>) -> Option<Vec<(usize, String)>> {
    let arena = Arena::new();
    let mut places = Places::of(document, &arena)?;
    let Document { text, outline, .. } = document;
    let first = outline.names.partition_point(|name| name.at.start < range.start);
    let mut found = Vec::new();
    for name in outline.names[first..].iter().take_while(|it| it.at.start <= range.end) {
        let before = outline.token_at(name.at.start).and_then(|at| at.checked_sub(1));
        let before = before.and_then(|at| outline.tokens.get(at));
        if name.is_definition || before.is_none_or(|token| token.text(text) != "[") {
            continue;
        }
        if let Some(path) = places.path(name, usize::MAX)
            && let (Some(offset), true) = (path.offset, path.steps > 0)
            && path.ty.is_some()
        {
            found.push((path.end, format!("{offset:+}")));
        }
    }
    Some(found)
}
