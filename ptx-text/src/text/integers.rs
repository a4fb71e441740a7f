//! The integers of an initial value, and their locations.

use ptx_isa::ir::body::integer;

use super::extent::Extent;
use super::lexer::{Piece, PieceKind};
use super::reader::Reader;

/// The integers of the initial value that starts at `start`, with their signs, and their locations.
pub(super) fn numbers(text: &str, start: u32) -> impl Iterator<Item = (i128, Extent)> {
    let mut reader = Reader::from(text, start);
    let mut minus: Option<Extent> = None;
    core::iter::from_fn(move || {
        loop {
            let Piece { kind, at } = reader.token()?.piece;
            let text = reader.text(at);
            let sign = minus.take();
            match (kind, text) {
                (PieceKind::Sign, ";") => return None,
                (PieceKind::Sign, "-") => minus = Some(at),
                (PieceKind::Number, _) => {
                    let Some(number) = integer(text) else { continue };
                    return Some(match sign {
                        Some(sign) => (-number, Extent::over((sign, at))),
                        None => (number, at),
                    });
                }
                _ => {}
            }
        }
    })
}

/// The extent that is zero among those after the name of an array, or else the first with its brackets.
pub(super) fn extent(text: &str, name: Extent) -> Option<Extent> {
    let mut reader = Reader::from(text, name.end);
    let (mut open, mut first) = (None, None);
    loop {
        let Piece { kind, at } = reader.token()?.piece;
        match (kind, reader.text(at)) {
            (_, "[") => open = Some(at),
            (_, "]") => first = first.or(open.map(|open| Extent::over((open, at)))),
            (PieceKind::Number, number) if integer(number) == Some(0) => return Some(at),
            (PieceKind::Number, _) => {}
            _ => return first,
        }
    }
}
