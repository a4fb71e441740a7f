//! A tokenizer for the PTX text in test programs.

use alloc::string::String;
use alloc::vec::Vec;

use ptx_isa::ir::body::{Encoder, StatementKind, TokenKind};

/// A token, with the number of spaces before it and its line number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'t> {
    pub(super) text: &'t str,
    spaces: u8,
    pub(super) line: usize,
}

/// Returns the tokens of a text; words include dots and colons: `.b32`, `::cta`, `%tid`.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    let mut tokens = Vec::new();
    for (line, text) in text.lines().enumerate() {
        let mut rest = text.split("//").next().unwrap_or_default();
        let mut spaces = 0;
        while let Some(first) = rest.chars().next() {
            if first == ' ' {
                (spaces, rest) = (spaces + 1, &rest[1..]);
                continue;
            }
            let prefix = match first {
                ':' if rest.starts_with("::") => 2,
                '.' | '%' => 1,
                _ => 0,
            };
            let length = rest[prefix..].find(|c| !is_word(c)).unwrap_or(rest.len() - prefix);
            let (token, behind) = rest.split_at((prefix + length).max(1));
            tokens.push(Token { text: token, spaces, line });
            (spaces, rest) = (0, behind);
        }
    }
    tokens
}

/// A statement of a body, or a declaration outside: its tokens without a semicolon.
pub(super) type Statement<'t> = (StatementKind, Vec<Token<'t>>);

/// Returns the statements of a body, from its first token up to the end of its block.
pub(super) fn statements<'t>(tokens: &mut impl Iterator<Item = Token<'t>>) -> Vec<Statement<'t>> {
    let mut statements = Vec::new();
    let (mut open, mut statement) = (0, Vec::new());
    for token in tokens {
        let is_first = statement.is_empty();
        match token.text {
            "{" if is_first => {
                open += 1;
                statements.push((StatementKind::Open, alloc::vec![token]));
            }
            "}" if is_first && open == 0 => break,
            "}" if is_first => {
                open -= 1;
                statements.push((StatementKind::Close, alloc::vec![token]));
            }
            ":" => statements.push((StatementKind::Label, core::mem::take(&mut statement))),
            ";" => {
                let first: &Token<'_> = statement.first().expect("a statement has tokens");
                let kind = match first.text {
                    ".pragma" | ".branchtargets" | ".calltargets" => StatementKind::Directive,
                    text if text.starts_with('.') => StatementKind::Declaration,
                    _ => StatementKind::Instruction,
                };
                statements.push((kind, core::mem::take(&mut statement)));
            }
            _ => statement.push(token),
        }
    }
    assert!(statement.is_empty(), "no semicolon behind {statement:?}");
    statements
}

/// Encodes the statements of a body.
pub(super) fn encode(statements: &[Statement<'_>]) -> (String, Vec<u8>) {
    let mut encoder = Encoder::default();
    for (kind, tokens) in statements {
        let (mut is_opcode, mut was) = (*kind != StatementKind::Label, None);
        for (n, token) in tokens.iter().enumerate() {
            let before = n.checked_sub(1).map(|n| tokens[n].text);
            let first = token.text.chars().next().unwrap_or(' ');
            let is_kind = match first {
                '{' | '}' if matches!(kind, StatementKind::Open | StatementKind::Close) => {
                    if first == '{' { TokenKind::Open } else { TokenKind::Close }
                }
                ',' => TokenKind::Comma,
                '#' => TokenKind::Constant,
                '(' | '[' | '{' => TokenKind::Open,
                ')' | ']' | '}' => TokenKind::Close,
                '.' if is_opcode => TokenKind::Word,
                '.' if was == Some(TokenKind::Name) => TokenKind::Element,
                '.' => TokenKind::Modifier,
                ':' => TokenKind::Submodifier,
                '0'..='9' => TokenKind::Number,
                'a'..='z' | 'A'..='Z' | '_' if is_opcode && !matches!(before, Some("@" | "!")) => {
                    TokenKind::Word
                }
                '%' | '$' | '_' | 'a'..='z' | 'A'..='Z' if token.text != "%" => TokenKind::Name,
                _ => TokenKind::Sign,
            };
            is_opcode &= is_kind != TokenKind::Word;
            was = Some(is_kind);
            if n > 0 {
                encoder.space(token.spaces);
            }
            encoder.token(is_kind, token.text);
        }
        encoder.end(*kind, []);
    }
    encoder.finish()
}
