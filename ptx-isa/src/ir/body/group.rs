//! Groups of tokens: the contents of parentheses, brackets and braces.

use alloc::vec::Vec;

use super::token::{Token, TokenKind};

/// The depth to which groups and operators in an operand are read; deeper ones are `Other`. PTX has
/// three: an index in a vector in brackets.
pub(super) const MOST_DEPTH: usize = 32;

/// The tokens between the commas that are outside groups.
pub(super) fn split<'t, 'a>(tokens: &'t [Token<'a>]) -> Vec<&'t [Token<'a>]> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0_usize, 0);
    for (i, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close => depth = depth.saturating_sub(1),
            TokenKind::Comma if depth == 0 => {
                parts.push(&tokens[start..i]);
                start = i + 1;
            }
            _ => {}
        }
    }
    if start < tokens.len() || !parts.is_empty() {
        parts.push(&tokens[start..]);
    }
    parts
}

/// The contents of the group at the start of some tokens, and the tokens after it.
pub(super) fn group<'t, 'a>(tokens: &'t [Token<'a>]) -> (&'t [Token<'a>], &'t [Token<'a>]) {
    let mut depth = 0_usize;
    for (i, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return (&tokens[1..i], &tokens[i + 1..]);
                }
            }
            _ => {}
        }
    }
    (tokens.get(1..).unwrap_or_default(), &[])
}
