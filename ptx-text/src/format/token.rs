//! The tokens that are laid out: those of PTX text, or of a body in Rust.

use core::ops::Range;

use crate::body::token::Delimiter;
use crate::text::{Lexer, PieceKind};

/// What a token is, as far as the layout depends on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Blanks and line breaks.
    Space,
    /// `// ..`
    LineComment,
    /// `/* .. */`
    BlockComment,
    /// A line marker of the C preprocessor, to the end of its line.
    LineMarker,
    /// An identifier, with its `%` or `$`.
    Word,
    /// A number, or what stands for one: `#( expr )`.
    Number,
    /// A string, or a character.
    Text,
    /// A dot and what follows it.
    Dotted,
    /// Two colons, and the word that follows them.
    Colons,
    /// An opening delimiter.
    Open(Delimiter),
    /// A closing delimiter.
    Close(Delimiter),
    /// An attribute of Rust: `#[allow(A034)]`.
    Attribute,
    /// Anything else.
    Sign,
    /// A comment, a string or a group that nothing ends.
    Unclosed,
}

impl Kind {
    /// Whether the grammar ignores it.
    pub(super) const fn is_trivia(self) -> bool {
        matches!(self, Self::Space | Self::LineComment | Self::BlockComment | Self::LineMarker)
    }
}

/// A token and its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) at: Range<usize>,
}

/// The tokens of PTX text, which cover every byte.
pub(super) fn of_ptx(text: &str) -> impl Iterator<Item = Token> + Clone {
    let bytes = text.as_bytes();
    Lexer::new(text).map(move |piece| {
        let at = piece.at.range();
        let kind = match piece.kind {
            PieceKind::Space => Kind::Space,
            PieceKind::Comment if bytes.get(at.start + 1) == Some(&b'/') => Kind::LineComment,
            PieceKind::Comment => Kind::BlockComment,
            PieceKind::OpenComment | PieceKind::OpenText => Kind::Unclosed,
            PieceKind::LineMarker => Kind::LineMarker,
            PieceKind::Word => Kind::Word,
            PieceKind::Number => Kind::Number,
            PieceKind::Text => Kind::Text,
            PieceKind::Dotted => Kind::Dotted,
            PieceKind::Colons => Kind::Colons,
            PieceKind::Open(delimiter) => Kind::Open(delimiter),
            PieceKind::Close(delimiter) => Kind::Close(delimiter),
            PieceKind::Sign => Kind::Sign,
        };
        Token { kind, at }
    })
}
