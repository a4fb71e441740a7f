//! Rust tokens as PTX sees them.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};

/// A token of a body. Groups without delimiters, which `macro_rules!` leaves around what it
/// passes on, are gone.
#[derive(Clone, Debug)]
pub(super) enum Token {
    /// An identifier.
    Word(String, Span),
    /// A literal: `16`, `0f3F800000`, `2d`.
    Number(String, Span),
    /// A string with its quotes.
    Text(String, Span),
    /// A punctuation character.
    Punct(char, Span),
    /// Tokens in delimiters.
    Group(Delimiter, Vec<Token>, Span, Span),
    /// `#( expr )`.
    Splice(TokenStream, Span, Span),
}

impl Token {
    pub(super) fn span(&self) -> Span {
        match self {
            Self::Word(_, span)
            | Self::Number(_, span)
            | Self::Text(_, span)
            | Self::Punct(_, span)
            | Self::Group(_, _, span, _)
            | Self::Splice(_, span, _) => *span,
        }
    }

    pub(super) fn end(&self) -> Span {
        match self {
            Self::Group(_, _, _, end) | Self::Splice(_, _, end) => *end,
            Self::Word(..) | Self::Number(..) | Self::Text(..) | Self::Punct(..) => self.span(),
        }
    }

    pub(super) fn is_punct(&self, punct: char) -> bool {
        matches!(self, Self::Punct(c, _) if *c == punct)
    }
}

/// What opens and closes a group.
pub(super) fn delimiters(delimiter: Delimiter) -> (&'static str, &'static str) {
    match delimiter {
        Delimiter::Parenthesis => ("(", ")"),
        Delimiter::Brace => ("{", "}"),
        Delimiter::Bracket => ("[", "]"),
        Delimiter::None => ("", ""),
    }
}

/// The tokens of a body as a tree.
pub(super) fn tree(tokens: TokenStream) -> Vec<Token> {
    let mut out = Vec::new();
    push(tokens, &mut out);
    out
}

/// Whether this is `[doc = ".."]`.
fn is_documentation(group: &Group) -> bool {
    let mut tokens = group.stream().into_iter();
    group.delimiter() == Delimiter::Bracket
        && matches!(tokens.next(), Some(TokenTree::Ident(word)) if word == "doc")
        && matches!(tokens.next(), Some(TokenTree::Punct(equals)) if equals.as_char() == '=')
}

/// Whether the tokens end in `#` or `#!`.
fn ends_in_hash(tokens: &[Token]) -> bool {
    match tokens {
        [.., hash, not] if not.is_punct('!') => hash.is_punct('#'),
        [.., hash] => hash.is_punct('#'),
        [] => false,
    }
}

fn push(tokens: TokenStream, out: &mut Vec<Token>) {
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => {
                let text = ident.to_string();
                let text = text.strip_prefix("r#").unwrap_or(&text).to_owned();
                out.push(Token::Word(text, ident.span()));
            }
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                let span = literal.span();
                out.push(if text.starts_with(|c: char| c.is_ascii_digit()) {
                    Token::Number(text, span)
                } else {
                    Token::Text(text, span)
                });
            }
            TokenTree::Punct(punct) => out.push(Token::Punct(punct.as_char(), punct.span())),
            TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
                push(group.stream(), out);
            }
            // `///` and `//!` are comments here, which Rust makes attributes of.
            TokenTree::Group(group) if is_documentation(&group) && ends_in_hash(out) => {
                while out.last().is_some_and(|token| token.is_punct('!')) {
                    out.pop();
                }
                out.pop();
            }
            TokenTree::Group(group) => {
                let splices = group.delimiter() == Delimiter::Parenthesis
                    && out.last().is_some_and(|token| token.is_punct('#'));
                if splices {
                    let start = out.pop().map_or_else(|| group.span_open(), |hash| hash.span());
                    out.push(Token::Splice(group.stream(), start, group.span_close()));
                } else {
                    let (open, close) = (group.span_open(), group.span_close());
                    out.push(Token::Group(group.delimiter(), tree(group.stream()), open, close));
                }
            }
        }
    }
}
