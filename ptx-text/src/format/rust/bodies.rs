//! The bodies of a Rust file.

use core::ops::Range;

use super::super::token::{Kind, Token};
use super::tokens::Tokens;
use crate::body::token::Delimiter;

/// Why the bodies of a Rust file cannot be told from what surrounds them. `Display` says it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unreadable {
    /// Where, in bytes from the start of the text.
    pub at: usize,
    why: &'static str,
}

impl core::fmt::Display for Unreadable {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.why)
    }
}

impl core::error::Error for Unreadable {}

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

/// Closes the last group of a stack.
fn close(stack: &mut Vec<Token>, delimiter: Delimiter, at: usize) -> Result<(), Unreadable> {
    let why = match stack.pop().map(|open| open.kind) {
        Some(Kind::Open(open)) if open == delimiter => return Ok(()),
        Some(Kind::Open(Delimiter::Parenthesis)) => "a `(` is open here; write `)` first",
        Some(Kind::Open(Delimiter::Bracket)) => "a `[` is open here; write `]` first",
        Some(_) => "a `{` is open here; write `}` first",
        None => "this closes nothing; remove it, or open it before",
    };
    Err(Unreadable { at, why })
}

fn unclosed(source: &str, token: &Token) -> Unreadable {
    let why = match source.as_bytes()[token.at.start] {
        b'/' => "nothing ends this comment; write `*/` after it",
        b'#' => "nothing closes this splice or attribute",
        _ => "nothing ends this string; write `\"` after it",
    };
    Unreadable { at: token.at.start, why }
}

/// The end of the group that `open` opens.
pub(super) fn end_of_group(
    source: &str,
    tokens: &mut Tokens<'_>,
    open: &Token,
) -> Result<usize, Unreadable> {
    let mut stack = vec![open.clone()];
    for token in tokens {
        match token.kind {
            Kind::Unclosed => return Err(unclosed(source, &token)),
            Kind::Open(_) => stack.push(token),
            Kind::Close(delimiter) => {
                close(&mut stack, delimiter, token.at.start)?;
                if stack.is_empty() {
                    return Ok(token.at.end);
                }
            }
            _ => {}
        }
    }
    let at = stack.last().map_or(open.at.start, |open| open.at.start);
    Err(Unreadable { at, why: "nothing closes this in the body" })
}
