//! Bodies as text: one statement per line.

use alloc::string::String;
use alloc::vec::Vec;

use ptx_isa::ir::body::{Encoder, StatementKind, TokenKind};

/// Encodes a body as tests write it: labels, declarations, instructions, blocks and, after `!`, verbatim text, one
/// per line. `$N` is a Rust constant, and the codes after `// allow` are allowed.
pub fn encode(text: &str) -> (String, Vec<u8>) {
    let mut encoder = Encoder::default();
    for line in text.lines() {
        let (line, allowed) = line.split_once(" // allow ").unwrap_or((line, ""));
        let rest = line.strip_suffix(';').unwrap_or(line);
        let kind = match line.split('.').next() {
            _ if line.ends_with(':') => StatementKind::Label,
            _ if line == "{" => StatementKind::Open,
            _ if line == "}" => StatementKind::Close,
            _ if line.starts_with('!') => StatementKind::Verbatim,
            _ if is_directive(line) => StatementKind::Directive,
            Some("") => StatementKind::Declaration,
            Some(_) | None => StatementKind::Instruction,
        };
        match kind {
            StatementKind::Label => encoder.token(TokenKind::Name, line.trim_end_matches(':')),
            StatementKind::Open => encoder.token(TokenKind::Open, line),
            StatementKind::Close => encoder.token(TokenKind::Close, line),
            StatementKind::Verbatim => encoder.token(TokenKind::Text, &line[1..]),
            StatementKind::Declaration | StatementKind::Directive | StatementKind::Instruction => {
                tokens(rest, &mut encoder);
            }
        }
        encoder.end(kind, allowed.split_whitespace());
    }
    encoder.finish()
}

/// Whether a line is a directive that does not declare storage.
pub fn is_directive(line: &str) -> bool {
    line.starts_with(".pragma") || line.starts_with(".branchtargets")
}

fn tokens(mut rest: &str, encoder: &mut Encoder) {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let (mut is_opcode, mut is_special) = (true, false);
    while let Some(first) = rest.chars().next() {
        let (kind, length) = match first {
            ' ' => {
                encoder.space(1);
                rest = &rest[1..];
                continue;
            }
            ',' => (TokenKind::Comma, 1),
            '$' => (TokenKind::Constant, 1 + word(&rest[1..], is_word)),
            '.' if is_opcode => {
                is_opcode = false;
                (TokenKind::Word, 1 + word(&rest[1..], is_word))
            }
            '.' if is_special => (TokenKind::Element, 1 + word(&rest[1..], is_word)),
            '.' => (TokenKind::Modifier, 1 + word(&rest[1..], is_word)),
            ':' => (TokenKind::Submodifier, 2 + word(&rest[2..], is_word)),
            '%' => (TokenKind::Name, 1 + word(&rest[1..], is_word)),
            '[' | '{' | '(' => (TokenKind::Open, 1),
            ']' | '}' | ')' => (TokenKind::Close, 1),
            first if first.is_ascii_digit() => (TokenKind::Number, word(rest, is_word)),
            first if is_word(first) && is_opcode => {
                is_opcode = false;
                (TokenKind::Word, word(rest, is_word))
            }
            first if is_word(first) => (TokenKind::Name, word(rest, is_word)),
            _ => (TokenKind::Sign, 1),
        };
        is_special = kind == TokenKind::Name;
        encoder.token(kind, &rest[..length]);
        rest = &rest[length..];
    }
}

fn word(text: &str, is_word: impl Fn(char) -> bool) -> usize {
    text.find(|c| !is_word(c)).unwrap_or(text.len())
}
