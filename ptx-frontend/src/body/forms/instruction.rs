//! Tokens of instructions.

use proc_macro2::Span;

use super::super::token::Token;

/// The tokens of a name.
pub(super) fn named(name: &str, (start, end): (Span, Span)) -> Vec<Token<Span>> {
    match name.strip_prefix('%') {
        Some(rest) => vec![Token::Sign('%', start), Token::Word(rest.to_owned(), end)],
        None => vec![Token::Word(name.to_owned(), end)],
    }
}

/// The tokens of an opcode or a directive with its modifiers: `mad.lo.u32`.
pub(super) fn code(text: &str, at: Span) -> Vec<Token<Span>> {
    let mut out = Vec::new();
    for (n, word) in text.split('.').enumerate() {
        if n > 0 {
            out.push(Token::Sign('.', at));
        }
        if !word.is_empty() {
            out.push(Token::Word(word.to_owned(), at));
        }
    }
    out
}
