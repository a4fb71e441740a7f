//! The tokens of a text.

use ptx_text::body::token::Delimiter;
use ptx_text::{Lexer, PieceKind};

/// A piece of a text that the grammar does not ignore.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    /// Its kind.
    pub(crate) kind: PieceKind,
    /// The offset of its first byte.
    pub(crate) start: usize,
    /// The offset after its last byte.
    pub(crate) end: usize,
    /// Whether it is the first of its line.
    pub(crate) starts_line: bool,
}

impl Token {
    /// Its text.
    pub(crate) fn text<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.start..self.end).unwrap_or_default()
    }

    /// By how much it changes the depth of parentheses, brackets and braces.
    pub(crate) const fn depth(&self) -> isize {
        match self.kind {
            PieceKind::Open(_) => 1,
            PieceKind::Close(_) => -1,
            _ => 0,
        }
    }

    /// Whether it is this punctuation.
    pub(crate) fn is_sign(&self, text: &str, sign: &str) -> bool {
        self.kind == PieceKind::Sign && self.text(text) == sign
    }

    /// Whether it opens a block.
    pub(crate) const fn opens_brace(&self) -> bool {
        matches!(self.kind, PieceKind::Open(Delimiter::Brace))
    }

    /// Whether it closes a block.
    pub(crate) const fn closes_brace(&self) -> bool {
        matches!(self.kind, PieceKind::Close(Delimiter::Brace))
    }
}

/// The tokens of a text, and the extents of its comments.
pub(super) fn tokens(text: &str) -> (Vec<Token>, Vec<(usize, usize)>) {
    let (mut tokens, mut comments, mut starts_line) = (Vec::new(), Vec::new(), true);
    for piece in Lexer::new(text) {
        let range = piece.at.range();
        match piece.kind {
            PieceKind::Space => starts_line |= text[range].contains(['\n', '\r']),
            PieceKind::Comment | PieceKind::OpenComment => {
                comments.push((range.start, range.end));
                starts_line |= text[range].contains('\n');
            }
            PieceKind::LineMarker => starts_line = true,
            kind => {
                tokens.push(Token { kind, start: range.start, end: range.end, starts_line });
                starts_line = false;
            }
        }
    }
    (tokens, comments)
}
