//! Modifiers.

use alloc::vec::Vec;

use super::token::{Token, TokenKind};

/// A modifier of an instruction or an operand: `.f32`, `::cta`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Modifier<'a> {
    /// The word, without the separator before it.
    pub word: &'a str,
    /// Whether it belongs to the modifier before it: `::cta`.
    pub is_sub: bool,
}

impl<'a> Modifier<'a> {
    fn of(token: &Token<'a>) -> Option<Self> {
        let is_sub = match token.kind {
            TokenKind::Modifier => false,
            TokenKind::Submodifier => true,
            _ => return None,
        };
        Some(Self { word: token.text.trim_start_matches(['.', ':']), is_sub })
    }

    /// The word with the separator before it, as the instruction table takes them.
    pub const fn pair(&self) -> (&'static str, &'a str) {
        (if self.is_sub { "::" } else { "." }, self.word)
    }
}

/// The modifiers at the start of some tokens, and the tokens after them.
pub(super) fn modifiers<'a, 't>(tokens: &'t [Token<'a>]) -> (Vec<Modifier<'a>>, &'t [Token<'a>]) {
    let found: Vec<Modifier<'a>> = tokens.iter().map_while(Modifier::of).collect();
    let rest = &tokens[found.len()..];
    (found, rest)
}
