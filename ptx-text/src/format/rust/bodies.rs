//! The bodies of a Rust file.

use core::ops::Range;

use super::super::token::Kind;
use super::tokens::{Tokens, Unreadable, close, end_of_group, unclosed};
use crate::body::token::Delimiter;

/// The bodies of a Rust file: what `ptx! { .. }` has in its braces, with the braces. What is in strings, in comments or in
/// the macro's other delimiters is not one.
///
/// # Errors
/// A string or a comment has no end, or the delimiters of a body do not match, or those of a file with bodies: then a body
/// may end elsewhere.
pub fn bodies(source: &str) -> Result<Vec<Range<usize>>, Unreadable> {
    let mut found = Vec::new();
    let mut tokens = Tokens::of_file(source);
    // What is open around the bodies, and what was wrong first.
    let (mut open, mut wrong) = (Vec::new(), None);
    // The last two tokens, and whether they are `ptx` and `!`.
    let (mut is_name, mut is_macro) = (false, false);
    while let Some(token) = tokens.next() {
        let text = &source[token.at.clone()];
        match token.kind {
            Kind::Unclosed => return Err(unclosed(source, &token)),
            kind if kind.is_trivia() => {}
            Kind::Open(Delimiter::Brace) if is_macro => {
                found.push(token.at.start..end_of_group(source, &mut tokens, &token)?);
                (is_name, is_macro) = (false, false);
            }
            kind => {
                match kind {
                    Kind::Open(_) => open.push(token.clone()),
                    Kind::Close(delimiter) => {
                        let error = close(&mut open, delimiter, token.at.start).err();
                        wrong = wrong.or(error);
                    }
                    _ => {}
                }
                (is_name, is_macro) = (text == "ptx", is_name && text == "!");
            }
        }
    }
    let unclosed = || open.last().map(|open| Unreadable { at: open.at.start, why: UNCLOSED });
    match wrong.or_else(unclosed).filter(|_| !found.is_empty()) {
        Some(error) => Err(error),
        None => Ok(found),
    }
}

/// What is wrong with a file whose last delimiter is open.
const UNCLOSED: &str = "nothing closes this; until something does, a body may end elsewhere";
