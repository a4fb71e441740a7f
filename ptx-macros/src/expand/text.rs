//! Formats tokens as a person would write them.

use std::fmt::Write as _;

use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};
use quote::ToTokens;

/// The tokens as a person would write them, for messages.
pub(super) fn text_of(tokens: &TokenStream) -> String {
    let mut text = String::new();
    write_text(tokens.clone(), &mut text);
    text
}

/// Writes tokens with spaces around operators and after commas.
fn write_text(tokens: TokenStream, text: &mut String) {
    // Whether an operand precedes, so that a punctuation mark is a binary operator.
    let mut is_after_operand = false;
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::None => ("", ""),
                };
                text.push_str(open);
                write_text(group.stream(), text);
                text.push_str(close);
                is_after_operand = true;
            }
            TokenTree::Punct(punct) => match punct.as_char() {
                mark @ ('.' | ':') => {
                    text.push(mark);
                    is_after_operand = false;
                }
                ',' => {
                    text.push_str(", ");
                    is_after_operand = false;
                }
                mark if !is_after_operand => text.push(mark),
                mark => {
                    text.push(' ');
                    text.push(mark);
                    if punct.spacing() == Spacing::Joint
                        && let Some(TokenTree::Punct(next)) =
                            tokens.next_if(|next| matches!(next, TokenTree::Punct(_)))
                    {
                        text.push(next.as_char());
                    }
                    text.push(' ');
                    is_after_operand = false;
                }
            },
            TokenTree::Ident(_) | TokenTree::Literal(_) => {
                if is_after_operand {
                    text.push(' ');
                }
                text.push_str(&token.to_string());
                // `as` is between an operand and a type.
                if matches!(&token, TokenTree::Ident(ident) if ident == "as") {
                    text.push(' ');
                    is_after_operand = false;
                } else {
                    is_after_operand = true;
                }
            }
        }
    }
}

/// A type in the usual Rust formatting.
pub(super) fn type_text(ty: &impl ToTokens) -> String {
    let mut text = String::new();
    write_type(ty.to_token_stream(), &mut text);
    text
}

fn write_type(tokens: TokenStream, text: &mut String) {
    let mut is_after_word = false;
    for token in tokens {
        let is_word = matches!(token, TokenTree::Ident(_) | TokenTree::Literal(_));
        if is_word && is_after_word {
            text.push(' ');
        }
        match &token {
            TokenTree::Group(group) => write_type_group(group, text),
            TokenTree::Punct(punct) => match punct.as_char() {
                mark @ (',' | ';') => {
                    text.push(mark);
                    text.push(' ');
                }
                mark @ ('+' | '*' | '/' | '-' | '=') => {
                    let _ = write!(text, " {mark} ");
                }
                mark => text.push(mark),
            },
            TokenTree::Ident(_) | TokenTree::Literal(_) => text.push_str(&token.to_string()),
        }
        is_after_word = is_word;
    }
}

fn write_type_group(group: &Group, text: &mut String) {
    let (open, close) = match group.delimiter() {
        Delimiter::Parenthesis => ("(", ")"),
        Delimiter::Bracket => ("[", "]"),
        Delimiter::Brace => ("{ ", " }"),
        Delimiter::None => ("", ""),
    };
    text.push_str(open);
    write_type(group.stream(), text);
    text.push_str(close);
}

#[cfg(test)]
mod tests {
    use super::text_of;

    #[test]
    fn contracts_read_as_they_are_written() {
        for text in [
            "dst.len() >= rows * columns",
            "to.len() >= (rows * columns) as u64 && n > -4",
            "n % 4 == 0 || !flag",
            "shape.columns <= config::MAX",
            "a.min(b, 3) != [1, 2].len()",
            "n << 2 > 1 & m",
        ] {
            assert_eq!(text_of(&text.parse().expect("tokens")), text);
        }
    }
}
