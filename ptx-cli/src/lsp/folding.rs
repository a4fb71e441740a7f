//! What can be folded: bodies, blocks and comments of several lines.

use lsp_types::{FoldingRange, FoldingRangeKind};

use super::document::Document;

/// What can be folded.
pub(super) fn ranges(document: &Document) -> Vec<FoldingRange> {
    let outline = &document.outline;
    let mut found = Vec::new();
    let bodies = outline.rust.as_ref().map_or(&[][..], |rust| &rust.bodies);
    found.extend(bodies.iter().map(|body| (body.clone(), None)));
    for (n, scope) in outline.scopes.iter().enumerate().skip(1) {
        // What is around a body in Rust is not ours.
        let is_rust = outline.rust.is_some()
            && scope.function.is_none_or(|it| outline.functions[it].scope == n);
        if !is_rust {
            found.push((scope.range.clone(), None));
        }
    }
    // Comments on lines that follow each other are one.
    let mut open: Option<std::ops::Range<usize>> = None;
    for (start, end) in &outline.comments {
        match &mut open {
            Some(comment)
                if document.lines.line(*start) <= document.lines.line(comment.end) + 1
                    && document.slice(comment.end..*start).trim().is_empty() =>
            {
                comment.end = *end;
            }
            _ => found
                .extend(open.replace(*start..*end).map(|it| (it, Some(FoldingRangeKind::Comment)))),
        }
    }
    found.extend(open.map(|comment| (comment, Some(FoldingRangeKind::Comment))));
    found.sort_by_key(|(range, _)| range.start);
    let fold = |(range, kind): (std::ops::Range<usize>, Option<FoldingRangeKind>)| {
        let span = document.span(range);
        (span.start.line < span.end.line).then(|| FoldingRange {
            start_line: span.start.line,
            end_line: span.end.line,
            kind,
            ..FoldingRange::default()
        })
    };
    found.into_iter().filter_map(fold).collect()
}
