//! The pieces of a Rust file.

use core::ops::Range;

use super::super::token::{Kind, Token};
use super::tokens::Tokens;
use crate::text::PieceKind;

/// A piece of a Rust file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RustPiece {
    /// Its kind.
    pub kind: RustPieceKind,
    /// Its place, in bytes from the start of the file.
    pub at: Range<usize>,
}

/// The kind of a [`RustPiece`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RustPieceKind {
    /// What PTX has, too.
    Ptx(PieceKind),
    /// `#( expr )` in a body.
    Splice,
    /// `#[ .. ]` in a body.
    Attribute,
}

/// The pieces of a Rust file with these [`bodies`](super::bodies), which cover every byte. What PTX writes as one word, such as
/// `%r1`, is one piece.
///
/// ```
/// use ptx_text::format::{RustPieceKind, bodies, pieces};
///
/// let source = "ptx! { add.u32 %r0, %r1, #(2 * N); }";
/// let splice = pieces(source, &bodies(source).unwrap()).find(|it| it.kind == RustPieceKind::Splice);
/// assert_eq!(&source[splice.unwrap().at], "#(2 * N)");
/// ```
pub fn pieces<'s>(
    source: &'s str,
    bodies: &'s [Range<usize>],
) -> impl Iterator<Item = RustPiece> + 's {
    let ends = bodies.iter().flat_map(|body| [(body.start, false), (body.end, true)]);
    let ends = ends.chain([(source.len(), false)]);
    let parts = ends.scan(0, |start, (end, is_body)| {
        let part = *start..end;
        *start = end;
        Some((part, is_body))
    });
    parts.flat_map(|(part, is_body)| {
        // A part that has been cut out of a text ends where it ends.
        let text = source.get(..part.end).unwrap_or(source);
        let mut tokens = Tokens::within(text, part.start, is_body);
        core::iter::from_fn(move || {
            let Token { kind, mut at } = tokens.next()?;
            let kind = match kind {
                // Nothing closes it yet: what follows are pieces of their own, and no others are looked for.
                Kind::Unclosed if text[at.clone()].starts_with('#') => {
                    at.end = at.start + 1;
                    tokens = Tokens::within(text, at.end, false);
                    RustPieceKind::Ptx(PieceKind::Sign)
                }
                Kind::Number if text[at.clone()].starts_with('#') => RustPieceKind::Splice,
                Kind::Attribute => RustPieceKind::Attribute,
                kind => RustPieceKind::Ptx(of_ptx(kind, &text[at.clone()])),
            };
            Some(RustPiece { kind, at })
        })
    })
}

/// The kind of a token that PTX has, too.
fn of_ptx(kind: Kind, text: &str) -> PieceKind {
    match kind {
        Kind::Space => PieceKind::Space,
        Kind::LineComment | Kind::BlockComment => PieceKind::Comment,
        Kind::LineMarker => PieceKind::LineMarker,
        Kind::Word => PieceKind::Word,
        Kind::Number => PieceKind::Number,
        Kind::Text => PieceKind::Text,
        Kind::Dotted => PieceKind::Dotted,
        Kind::Colons => PieceKind::Colons,
        Kind::Open(delimiter) => PieceKind::Open(delimiter),
        Kind::Close(delimiter) => PieceKind::Close(delimiter),
        Kind::Attribute | Kind::Sign => PieceKind::Sign,
        Kind::Unclosed if text.starts_with('/') => PieceKind::OpenComment,
        Kind::Unclosed => PieceKind::OpenText,
    }
}
