//! The tokens of Rust.

use super::super::token::{Kind, Token};
use crate::body::token::Delimiter;

/// Why the bodies of a Rust file cannot be told from what surrounds them. `Display` says it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unreadable {
    /// Where, in bytes from the start of the text.
    pub at: usize,
    pub(super) why: &'static str,
}

impl core::fmt::Display for Unreadable {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.why)
    }
}

impl core::error::Error for Unreadable {}

/// The tokens of Rust, which cover every byte. What PTX writes as one word, such as `%r1`, is one.
#[derive(Clone, Debug)]
pub(in crate::format) struct Tokens<'t> {
    text: &'t str,
    at: usize,
    /// Whether `#( .. )` and `#[ .. ]` are one token each.
    is_body: bool,
}

impl<'t> Tokens<'t> {
    pub(super) fn of_file(text: &'t str) -> Self {
        Self { text, at: 0, is_body: false }
    }

    /// The tokens of a body.
    pub(in crate::format) fn of_body(text: &'t str) -> Self {
        Self { text, at: 0, is_body: true }
    }

    /// The tokens of a file or a body, from an offset on.
    pub(super) fn within(text: &'t str, at: usize, is_body: bool) -> Self {
        Self { text, at, is_body }
    }

    /// Continues from an offset at which a token starts.
    pub(super) fn go_to(&mut self, at: usize) {
        self.at = at;
    }

    fn byte(&self, at: usize) -> u8 {
        self.text.as_bytes().get(at).copied().unwrap_or(0)
    }

    fn end_of(&self, at: usize, is_in: impl Fn(u8) -> bool) -> usize {
        let rest = self.text.as_bytes().get(at..).unwrap_or_default();
        at + rest.iter().position(|byte| !is_in(*byte)).unwrap_or(rest.len())
    }

    fn word_end(&self, at: usize) -> usize {
        self.end_of(at, continues)
    }

    /// A block comment, which may have others in it.
    fn block_comment(&self, start: usize) -> (Kind, usize) {
        let (mut at, mut depth) = (start + 2, 1_usize);
        while depth > 0 {
            match (self.byte(at), self.byte(at + 1)) {
                _ if at >= self.text.len() => return (Kind::Unclosed, self.text.len()),
                (b'/', b'*') => (at, depth) = (at + 2, depth + 1),
                (b'*', b'/') => (at, depth) = (at + 2, depth - 1),
                _ => at += 1,
            }
        }
        (Kind::BlockComment, at)
    }

    /// What is in quotes with escapes, from the opening quote on.
    fn quoted(&self, quote: usize) -> (Kind, usize) {
        let mut at = quote + 1;
        while at < self.text.len() {
            match self.byte(at) {
                b'\\' => at += 2,
                byte if byte == self.byte(quote) => return (Kind::Text, at + 1),
                _ => at += 1,
            }
        }
        (Kind::Unclosed, self.text.len())
    }

    /// A raw string, from its first `#` or quote on; `None` if it is none.
    fn raw(&self, start: usize) -> Option<(Kind, usize)> {
        let quote = self.end_of(start, |byte| byte == b'#');
        if self.byte(quote) != b'"' {
            return None;
        }
        let end = format!("\"{}", "#".repeat(quote - start));
        Some(match self.text.get(quote + 1..).and_then(|rest| rest.find(&end)) {
            Some(found) => (Kind::Text, quote + 1 + found + end.len()),
            None => (Kind::Unclosed, self.text.len()),
        })
    }

    /// A word, or a string with a prefix: `r"..`, `b'x'`, `cr#"..`.
    fn word(&self, start: usize) -> (Kind, usize) {
        let end = self.word_end(start);
        let literal = match (&self.text[start..end], self.byte(end)) {
            ("r" | "br" | "cr", b'"' | b'#') => self.raw(end),
            ("b" | "c", b'"') | ("b", b'\'') => Some(self.quoted(end)),
            _ => None,
        };
        literal.unwrap_or((Kind::Word, end))
    }

    /// A character such as `'a'`, or a lifetime.
    fn apostrophe(&self, start: usize) -> (Kind, usize) {
        let character = self.text.get(start + 1..).and_then(|rest| rest.chars().next());
        match character {
            Some('\\') => self.quoted(start),
            Some(character) if self.byte(start + 1 + character.len_utf8()) == b'\'' => {
                (Kind::Text, start + 2 + character.len_utf8())
            }
            _ => (Kind::Sign, self.word_end(start + 1)),
        }
    }

    /// `#( .. )` or `#[ .. ]` in a body.
    fn group(&self, start: usize) -> Option<(Kind, usize)> {
        let mut tokens = Tokens { text: self.text, at: start + 1, is_body: false };
        let open = tokens.next()?;
        let kind = match open.kind {
            Kind::Open(Delimiter::Parenthesis) => Kind::Number,
            Kind::Open(Delimiter::Bracket) => Kind::Attribute,
            _ => return None,
        };
        Some(match end_of_group(self.text, &mut tokens, &open) {
            Ok(end) => (kind, end),
            Err(_) => (Kind::Unclosed, self.text.len()),
        })
    }

    fn other(&self, start: usize) -> (Kind, usize) {
        let (byte, next) = (self.byte(start), self.byte(start + 1));
        let open = |delimiter| (Kind::Open(delimiter), start + 1);
        let close = |delimiter| (Kind::Close(delimiter), start + 1);
        match byte {
            b'/' if next == b'/' => (Kind::LineComment, self.end_of(start, |byte| byte != b'\n')),
            b'/' if next == b'*' => self.block_comment(start),
            b'"' => self.quoted(start),
            b'\'' => self.apostrophe(start),
            b'%' | b'$' if continues(next) => (Kind::Word, self.word_end(start + 1)),
            b'.' if continues(next) => (Kind::Dotted, self.word_end(start + 1)),
            b':' if next == b':' => (Kind::Colons, self.word_end(start + 2)),
            b'(' => open(Delimiter::Parenthesis),
            b'[' => open(Delimiter::Bracket),
            b'{' => open(Delimiter::Brace),
            b')' => close(Delimiter::Parenthesis),
            b']' => close(Delimiter::Bracket),
            b'}' => close(Delimiter::Brace),
            b'#' if self.is_body => self.group(start).unwrap_or((Kind::Sign, start + 1)),
            // All bytes of one character are one token.
            _ => (Kind::Sign, self.end_of(start + 1, |byte| byte & 0xC0 == 0x80)),
        }
    }
}

/// Whether a byte can stand in an identifier or a number; letters that are not ASCII can.
fn continues(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let start = self.at;
        let byte = *self.text.as_bytes().get(start)?;
        let is_space = |byte: u8| byte.is_ascii_whitespace();
        let (kind, end) = if is_space(byte) {
            (Kind::Space, self.end_of(start, is_space))
        } else if byte.is_ascii_digit() {
            let end = self.word_end(start);
            let is_decimal = self.byte(end) == b'.' && self.byte(end + 1).is_ascii_digit();
            (Kind::Number, if is_decimal { self.word_end(end + 1) } else { end })
        } else if continues(byte) && byte != b'$' {
            self.word(start)
        } else {
            self.other(start)
        };
        self.at = end.min(self.text.len());
        Some(Token { kind, at: start..self.at })
    }
}

/// Closes the last group of a stack.
pub(super) fn close(
    stack: &mut Vec<Token>,
    delimiter: Delimiter,
    at: usize,
) -> Result<(), Unreadable> {
    let why = match stack.pop().map(|open| open.kind) {
        Some(Kind::Open(open)) if open == delimiter => return Ok(()),
        Some(Kind::Open(Delimiter::Parenthesis)) => "a `(` is open here; write `)` first",
        Some(Kind::Open(Delimiter::Bracket)) => "a `[` is open here; write `]` first",
        Some(_) => "a `{` is open here; write `}` first",
        None => "this closes nothing; remove it, or open it before",
    };
    Err(Unreadable { at, why })
}

/// Why a comment, a string or a group has no end.
pub(super) fn unclosed(source: &str, token: &Token) -> Unreadable {
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
