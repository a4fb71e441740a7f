//! The open documents.

use std::cell::OnceCell;
use std::ops::Range;
use std::sync::Arc;

use lsp_types::{Location, Position, Range as Span, TextDocumentContentChangeEvent, TextEdit, Uri};
use ptx_text::Parsed;

use super::lines::{Encoding, Lines};
use super::outline::{Outline, scan};

/// An open document.
pub(super) struct Document {
    /// Where it is.
    pub(super) uri: Uri,
    /// Its version, which the client counts.
    pub(super) version: i32,
    /// Its text.
    pub(super) text: Arc<str>,
    /// The lines of the text.
    pub(super) lines: Lines,
    /// The names in it.
    pub(super) outline: Outline,
    /// What was parsed, once something has asked for it.
    parsed: OnceCell<Parsed>,
}

impl Document {
    /// A document with this text.
    pub(super) fn new(uri: Uri, version: i32, text: &str, encoding: Encoding) -> Self {
        Self {
            uri,
            version,
            lines: Lines::of(text, encoding),
            outline: scan(text),
            text: text.into(),
            parsed: OnceCell::new(),
        }
    }

    /// The document after these changes, each of which is one of the text that those before it have left.
    pub(super) fn changed(
        &self,
        version: i32,
        changes: &[TextDocumentContentChangeEvent],
        encoding: Encoding,
    ) -> Self {
        let mut text = self.text.to_string();
        let mut lines = None;
        for change in changes {
            match change.range {
                Some(range) => {
                    let lines = lines.get_or_insert_with(|| Lines::of(&text, encoding));
                    let bytes = lines.bytes(&text, range);
                    text.replace_range(bytes, &change.text);
                }
                None => text.clone_from(&change.text),
            }
            lines = None;
        }
        Self::new(self.uri.clone(), version, &text, encoding)
    }

    /// What was parsed.
    pub(super) fn parsed(&self) -> &Parsed {
        self.parsed.get_or_init(|| Parsed::new(&*self.text))
    }

    /// The offset of a position.
    pub(super) fn offset(&self, position: Position) -> usize {
        self.lines.offset(&self.text, position)
    }

    /// The range of some bytes.
    pub(super) fn span(&self, range: Range<usize>) -> Span {
        self.lines.range(&self.text, range)
    }

    /// The text of some bytes.
    pub(super) fn slice(&self, range: Range<usize>) -> &str {
        self.text.get(range).unwrap_or_default()
    }

    /// Where some bytes are.
    pub(super) fn location(&self, range: Range<usize>) -> Location {
        Location::new(self.uri.clone(), self.span(range))
    }

    /// Puts another text in the place of some bytes.
    pub(super) fn edit(&self, range: Range<usize>, new: impl Into<String>) -> TextEdit {
        TextEdit::new(self.span(range), new.into())
    }
}
