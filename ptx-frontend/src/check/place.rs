//! Source locations of the tokens of bodies.

use proc_macro2::{Punct, Spacing, Span, TokenStream, TokenTree};
use ptx_isa::ir::body::{StatementKind, Token, TokenKind};
use ptx_isa::ir::{self, Location, Locations, Mark};

use crate::body::Positions;

/// Tokens with these start and end spans, to report an error over.
pub fn tokens_over((start, end): (Span, Span)) -> TokenStream {
    let at = |span| {
        let mut dot = Punct::new('.', Spacing::Alone);
        dot.set_span(span);
        TokenTree::from(dot)
    };
    [at(start), at(end)].into_iter().collect()
}

/// The location of a token; for one that comes from a `macro_rules!`, where it is written.
pub fn location(span: Span) -> Location<String> {
    let start = span.start();
    let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    // Columns of spans start at 0.
    Location { file: span.file(), line: number(start.line), column: number(start.column + 1) }
}

/// The locations of the tokens that a message can point to, in the form that [`Locations::new`] takes: the
/// files, and the table.
pub(super) fn locations(body: ir::Body<'_>, positions: &Positions<Span>) -> (Vec<String>, Vec<u8>) {
    let mut found: Vec<(usize, usize, Location<String>)> = Vec::new();
    for (n, statement) in body.statements().enumerate() {
        let mut mark = |token: usize, offset: usize| {
            if let Some((start, _)) = positions.token(n, token) {
                found.push((n, offset, location(start)));
            }
        };
        match statement.kind() {
            StatementKind::Open | StatementKind::Close => mark(0, 0),
            kind => {
                let mut before = None;
                for token in statement.tokens() {
                    if token.index == 0 || is_marked(kind, &token, before.as_ref()) {
                        mark(token.index, token.offset);
                    }
                    before = Some(token);
                }
            }
        }
    }
    encoded(&found)
}

/// Places of statements and parts of them, in the form that [`Locations::new`] takes: the files, and the table.
pub(super) fn encoded(found: &[(usize, usize, Location<String>)]) -> (Vec<String>, Vec<u8>) {
    let marks = found.iter().map(|(statement, offset, place)| Mark {
        statement: *statement,
        offset: *offset,
        place: Location { file: place.file.as_str(), line: place.line, column: place.column },
    });
    let (files, table) = Locations::encode(marks);
    (files.into_iter().map(str::to_owned).collect(), table)
}

/// Whether a message can point to a token, which excludes punctuation and the count in a declaration.
fn is_marked(kind: StatementKind, token: &Token<'_>, before: Option<&Token<'_>>) -> bool {
    match token.kind {
        TokenKind::Word => kind == StatementKind::Instruction,
        TokenKind::Modifier | TokenKind::Submodifier | TokenKind::Name | TokenKind::Constant => {
            true
        }
        TokenKind::Number => {
            let counts = |before: &Token<'_>| {
                before.is_sign("<") || before.opens("[") || before.kind == TokenKind::Modifier
            };
            kind != StatementKind::Declaration || !before.is_some_and(counts)
        }
        TokenKind::Element
        | TokenKind::Text
        | TokenKind::Sign
        | TokenKind::Comma
        | TokenKind::Open
        | TokenKind::Close => false,
    }
}
