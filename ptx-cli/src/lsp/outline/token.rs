//! The tokens of a text.

use std::ops::Range;

use ptx_text::body::token::Delimiter;
use ptx_text::format::{RustPieceKind, pieces};
use ptx_text::{Lexer, PieceKind, digits_before_name};

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
    let mut tokens = Tokens { text, ..Tokens::default() };
    for piece in Lexer::new(text) {
        tokens.push(piece.kind, piece.at.range());
    }
    (tokens.all, tokens.comments)
}

/// The extents of what is Rust in bodies.
pub(super) type Foreign = Vec<Range<usize>>;

/// The tokens of a Rust file with these bodies, the extents of the comments in bodies, and those of `#( expr )` and
/// `#[ .. ]` in them.
pub(super) fn tokens_of_rust(
    text: &str,
    bodies: &[Range<usize>],
) -> (Vec<Token>, Vec<(usize, usize)>, Foreign) {
    let mut tokens = Tokens { text, ..Tokens::default() };
    let mut foreign = Foreign::new();
    for piece in pieces(text, bodies) {
        match piece.kind {
            RustPieceKind::Ptx(kind) => tokens.push(kind, piece.at),
            // It stands where PTX has a number.
            RustPieceKind::Splice => {
                foreign.push(piece.at.clone());
                tokens.push(PieceKind::Number, piece.at);
            }
            RustPieceKind::Attribute => foreign.push(piece.at),
        }
    }
    // Those outside of bodies are not ours.
    let is_inside = |(start, _): &(usize, usize)| {
        let after = bodies.partition_point(|body| body.start < *start);
        after.checked_sub(1).is_some_and(|n| *start < bodies[n].end)
    };
    tokens.comments.retain(is_inside);
    (tokens.all, tokens.comments, foreign)
}

/// Collects tokens and comments.
#[derive(Default)]
struct Tokens<'t> {
    text: &'t str,
    all: Vec<Token>,
    comments: Vec<(usize, usize)>,
    has_content: bool,
}

impl Tokens<'_> {
    fn push(&mut self, kind: PieceKind, range: Range<usize>) {
        match kind {
            PieceKind::Space => self.has_content &= !self.text[range].contains(['\n', '\r']),
            PieceKind::Comment | PieceKind::OpenComment => {
                self.comments.push((range.start, range.end));
                self.has_content &= !self.text[range].contains('\n');
            }
            PieceKind::LineMarker => self.has_content = false,
            // `.align 8p`
            PieceKind::Number
                if self.all.last().is_some_and(|last| last.text(self.text) == ".align")
                    && let Some(digits) = digits_before_name(&self.text[range.clone()])
                    && digits > 0 =>
            {
                let middle = range.start + digits;
                for (kind, start, end) in
                    [(PieceKind::Number, range.start, middle), (PieceKind::Word, middle, range.end)]
                {
                    let starts_line = !self.has_content;
                    self.all.push(Token { kind, start, end, starts_line });
                    self.has_content = true;
                }
            }
            kind => {
                let starts_line = !self.has_content;
                self.all.push(Token { kind, start: range.start, end: range.end, starts_line });
                self.has_content = true;
            }
        }
    }
}
