//! The bodies of a Rust file that somebody is writing, in which delimiters do not match yet.

use core::ops::Range;

use super::super::token::{Kind, Token};
use super::bodies::bodies;
use super::tokens::Tokens;
use crate::body::token::Delimiter;

/// The [`bodies`] of a Rust file that may be half written: where its delimiters do not match, a body ends at the latest
/// at the first `}` that starts a line and is indented no more than the line in which the body starts. Such a body may
/// end without its brace.
///
/// ```
/// let source = "fn f() {\n    ptx! {\n        call {(%r1\n    }\n}\n";
/// let [body] = &ptx_text::format::draft_bodies(source)[..] else { panic!("there is one") };
/// assert_eq!(source[body.clone()], *"{\n        call {(%r1\n    }");
/// ```
pub fn draft_bodies(source: &str) -> Vec<Range<usize>> {
    if let Ok(found) = bodies(source) {
        return found;
    }
    let mut found = Vec::new();
    let mut tokens = Tokens::of_file(source);
    let (mut is_name, mut is_macro) = (false, false);
    while let Some(token) = tokens.next() {
        match token.kind {
            kind if kind.is_trivia() => {}
            Kind::Open(Delimiter::Brace) if is_macro => {
                let start = token.at.start;
                let end = end_of_draft(source, &mut tokens, &token);
                found.push(start..end);
                // What is after it may be one more.
                tokens.go_to(end);
                (is_name, is_macro) = (false, false);
            }
            _ => {
                let text = &source[token.at.clone()];
                (is_name, is_macro) = (text == "ptx", is_name && text == "!");
            }
        }
    }
    found
}

/// Where the body that `open` opens ends.
fn end_of_draft(source: &str, tokens: &mut Tokens<'_>, open: &Token) -> usize {
    let line = source[..open.at.start].rfind('\n').map_or(0, |at| at + 1);
    let outer = indentation(&source[line..]);
    let mut stack = vec![Delimiter::Brace];
    // The indentation of the line, if nothing else is on it yet.
    let mut line_start = None;
    for token in tokens {
        let text = &source[token.at.clone()];
        match token.kind {
            Kind::Space => {
                if let Some(at) = text.rfind('\n') {
                    line_start = Some(indentation(&text[at + 1..]));
                }
                continue;
            }
            Kind::Close(Delimiter::Brace) if line_start.is_some_and(|own| own <= outer) => {
                return if line_start == Some(outer) { token.at.end } else { token.at.start };
            }
            Kind::Open(delimiter) => stack.push(delimiter),
            Kind::Close(delimiter) => {
                if let Some(open) = stack.iter().rposition(|open| *open == delimiter) {
                    stack.truncate(open);
                }
                if stack.is_empty() {
                    return token.at.end;
                }
            }
            _ => {}
        }
        line_start = None;
    }
    source.len()
}

/// The blanks at the start of a text.
fn indentation(text: &str) -> usize {
    text.bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}
