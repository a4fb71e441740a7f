//! What is shown between the words of a text, if a client wants it.

use std::collections::BTreeMap;

use lsp_types::{InlayHint, InlayHintKind, InlayHintLabel, Range as Span};

use super::document::Document;
use super::settings::Settings;
use super::values;

/// The values of registers in a range, behind the instructions that write them.
pub(super) fn hints(document: &Document, span: Span, settings: &Settings) -> Vec<InlayHint> {
    if !settings.inlay_hints.values {
        return Vec::new();
    }
    let range = document.lines.bytes(&document.text, span);
    let mut known = BTreeMap::new();
    let functions = &document.outline.functions;
    let first = functions.partition_point(|function| function.range.end < range.start);
    for function in functions[first..].iter().take_while(|it| it.range.start <= range.end) {
        for (at, value) in values::around(document, function.range.start) {
            if range.contains(&at.start)
                && let Some((_, statement)) = document.outline.statement_at(at.start)
            {
                let end = document.outline.range_of(statement).end;
                known.entry(end).or_insert(value);
            }
        }
    }
    let hint = |(end, value): (usize, String)| InlayHint {
        position: document.span(end..end).start,
        label: InlayHintLabel::String(format!("= {value}")),
        kind: Some(InlayHintKind::TYPE),
        text_edits: None,
        tooltip: None,
        padding_left: Some(true),
        padding_right: None,
        data: None,
    };
    known.into_iter().map(hint).collect()
}
