//! Rust tokens as trees, which the forms that extend PTX transform before the grammar sees them.

use bumpalo::Bump;
use proc_macro2::Span;

use super::token::{Constant, Delimiter, Joinable, Name, Part, Token, join};

/// A token, or a group of tokens in delimiters.
#[derive(Clone, Debug)]
pub(super) enum Tree {
    /// An identifier.
    Word(String, Span),
    /// A number: `16`, `0f3F800000`, `2d`.
    Number(String, Span),
    /// A string with its quotes.
    Text(String, Span),
    /// A punctuation character.
    Sign(char, Span),
    /// Tokens in delimiters, with the spans of the opening and the closing one.
    Group(Delimiter, Vec<Self>, Span, Span),
    /// A Rust constant, `#( expr )`, with its first and last spans.
    Constant(Constant<Span>, Span, Span),
    /// Whole statements of a fragment, with the number of their place and their span.
    Inlined(Vec<Self>, usize, Span),
}

impl Tree {
    /// The span of its first token.
    pub(super) fn start(&self) -> Span {
        match self {
            Self::Word(_, start)
            | Self::Number(_, start)
            | Self::Text(_, start)
            | Self::Sign(_, start)
            | Self::Group(_, _, start, _)
            | Self::Inlined(_, _, start)
            | Self::Constant(_, start, _) => *start,
        }
    }

    /// Whether it is the punctuation character `sign`.
    pub(super) fn is_sign(&self, sign: char) -> bool {
        matches!(self, Self::Sign(c, _) if *c == sign)
    }
}

impl<'t> Joinable<'t, Span> for &'t Tree {
    fn part(self) -> Part<'t, Span> {
        match self {
            Tree::Sign(sign @ ('%' | '$'), at) => Part::Sign(*sign, *at),
            Tree::Word(word, at) => Part::Word(word, *at),
            Tree::Number(number, at) => Part::Number(number, *at),
            Tree::Sign(..)
            | Tree::Text(..)
            | Tree::Group(..)
            | Tree::Constant(..)
            | Tree::Inlined(..) => Part::None,
        }
    }
}

/// Recognises `name:` at the start of `trees`. Returns the name and what follows; `::` does not end a label.
pub(super) fn label(trees: &[Tree]) -> Option<(Name<'_, Span>, &[Tree])> {
    let (name, after) = join(trees)?;
    match after {
        [colon, next, ..] if colon.is_sign(':') && next.is_sign(':') => None,
        [colon, after @ ..] if colon.is_sign(':') => Some((name, after)),
        _ => None,
    }
}

/// The tokens for the grammar, in which dots and colons are joined with the word that follows them.
pub(super) fn tokens<'t>(trees: &'t [Tree], arena: &'t Bump) -> &'t [Token<'t, Span>] {
    let mut out = bumpalo::collections::Vec::with_capacity_in(trees.len(), arena);
    let mut rest = trees;
    let joined = |separator: &str, word: &str| {
        let mut text =
            bumpalo::collections::String::with_capacity_in(separator.len() + word.len(), arena);
        text.push_str(separator);
        text.push_str(word);
        text.into_bump_str()
    };
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        out.push(match (first, after) {
            (
                Tree::Sign('.', start),
                [Tree::Word(word, end) | Tree::Number(word, end), after @ ..],
            ) => {
                rest = after;
                Token::Dotted(joined(".", word), *start, *end)
            }
            (
                Tree::Sign(':', start),
                [Tree::Sign(':', _), Tree::Word(word, end) | Tree::Number(word, end), after @ ..],
            ) => {
                rest = after;
                Token::Colons(joined("::", word), *start, *end)
            }
            (Tree::Word(text, at), _) => Token::Word(text, *at),
            (Tree::Number(text, at), _) => Token::Number(text, *at),
            (Tree::Text(text, at), _) => Token::Text(text, *at),
            (Tree::Sign(sign, at), _) => Token::Sign(*sign, *at),
            (Tree::Group(delimiter, inner, open, close), _) => {
                Token::Group(*delimiter, tokens(inner, arena), *open, *close)
            }
            (Tree::Constant(constant, start, end), _) => Token::Constant(constant, *start, *end),
            (Tree::Inlined(inner, place, at), _) => {
                Token::Inlined(tokens(inner, arena), *place, *at)
            }
        });
    }
    out.into_bump_slice()
}
