//! Generates the tokens of instructions.

use proc_macro2::Span;

use super::super::tree::Tree;

/// The tokens of a name.
pub(super) fn named(name: &str, (start, end): (Span, Span)) -> Vec<Tree> {
    match name.strip_prefix('%') {
        Some(rest) => vec![Tree::Sign('%', start), Tree::Word(rest.to_owned(), end)],
        None => vec![Tree::Word(name.to_owned(), end)],
    }
}

/// The tokens of an opcode or a directive with its modifiers: `mad.lo.u32`.
pub(super) fn code(text: &str, at: Span) -> Vec<Tree> {
    let mut out = Vec::new();
    for (n, word) in text.split('.').enumerate() {
        if n > 0 {
            out.push(Tree::Sign('.', at));
        }
        if !word.is_empty() {
            out.push(Tree::Word(word.to_owned(), at));
        }
    }
    out
}
