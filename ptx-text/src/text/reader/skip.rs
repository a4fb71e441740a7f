//! Parts of a text that are skipped.

use super::Reader;
use crate::text::extent::Extent;

impl<'t> Reader<'t> {
    /// Skips the rest of the line, or of the statement on it.
    pub(in crate::text) fn skip_line(&mut self) {
        while let Some(next) = self.peek() {
            if next.is_first || matches!(self.text(next.piece.at), "{" | "}") {
                return;
            }
            self.token();
            if self.text(next.piece.at) == ";" {
                return;
            }
        }
    }

    /// Skips a line for the C preprocessor that is not a line marker, if there is one here.
    pub(in crate::text) fn skip_preprocessor(&mut self) -> Option<Extent> {
        let hash = self.peek().filter(|next| next.is_first && self.text(next.piece.at) == "#")?;
        self.token();
        while self.peek().is_some_and(|next| !next.is_first) {
            self.token();
        }
        Some(hash.piece.at)
    }

    /// The text that is left.
    pub(in crate::text) fn rest(&mut self) -> &'t str {
        let start =
            self.peek().map_or(self.lexer.text().len(), |next| next.piece.at.start as usize);
        self.lexer.text().get(start..).unwrap_or_default()
    }

    /// Consumes the text that is left.
    pub(in crate::text) fn finish(&mut self) {
        self.lexer.go_to(self.lexer.text().len());
        self.next = None;
    }
}
