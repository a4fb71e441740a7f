//! Bodies written token by token.

use alloc::string::String;
use alloc::vec::Vec;

use super::statement::{HAS_ALLOWANCES, StatementKind};
use super::token::{PLACEHOLDER, TokenKind};
use super::varint::write;
use crate::instruction::Row;

/// Writes a body: the text of its statements, and the table that says what their tokens are.
#[derive(Debug, Default)]
pub struct Encoder {
    text: String,
    table: Vec<u8>,
    /// Where the statement starts that is being written.
    start: usize,
    tokens: Vec<u8>,
    spaces: u8,
    /// The opcode, and the modifiers of an instruction as far as they stand behind it.
    opcode: Option<String>,
    modifiers: Vec<(bool, String)>,
    is_open: bool,
}

impl Encoder {
    /// So many spaces before the next token, at most 15.
    pub fn space(&mut self, spaces: u8) {
        self.spaces = self.spaces.saturating_add(spaces).min(15);
    }

    /// The next token of the statement. Signs, commas and what opens or closes a group are one ASCII
    /// character; the text of a Rust constant does not count.
    pub fn token(&mut self, kind: TokenKind, text: &str) {
        for _ in 0..self.spaces {
            self.text.push(' ');
        }
        self.tokens.push(kind as u8 | self.spaces << 4);
        self.spaces = 0;
        if kind == TokenKind::Constant {
            self.text.push(PLACEHOLDER);
        } else {
            self.text.push_str(text);
        }
        if !kind.is_short() {
            write(text.len() as u64, &mut self.tokens);
        }
        match kind {
            TokenKind::Word if self.opcode.is_none() => {
                self.opcode = Some(text.into());
                self.is_open = true;
            }
            TokenKind::Modifier | TokenKind::Submodifier if self.is_open => {
                let word = text.trim_start_matches(['.', ':']);
                self.modifiers.push((kind == TokenKind::Modifier, word.into()));
            }
            _ => self.is_open = false,
        }
    }

    /// Ends a statement that may break the rules with these codes, such as `A021`.
    /// Of an instruction, a directive and a declaration the semicolon is written here.
    pub fn end<'c>(&mut self, kind: StatementKind, allowed: impl IntoIterator<Item = &'c str>) {
        if kind.has_semicolon() {
            self.text.push(';');
        }
        let codes: Vec<&str> = allowed.into_iter().collect();
        let flag = if codes.is_empty() { 0 } else { HAS_ALLOWANCES };
        self.table.push(kind as u8 | flag);
        write((self.text.len() - self.start) as u64, &mut self.table);
        if !codes.is_empty() {
            let mut bytes = Vec::new();
            for code in codes {
                write(code.len() as u64, &mut bytes);
                bytes.extend_from_slice(code.as_bytes());
            }
            write(bytes.len() as u64, &mut self.table);
            self.table.append(&mut bytes);
        }
        if kind == StatementKind::Instruction {
            let modifiers: Vec<(&str, &str)> = self
                .modifiers
                .iter()
                .map(|(is_first, word)| (if *is_first { "." } else { "::" }, word.as_str()))
                .collect();
            let opcode = self.opcode.as_deref().unwrap_or_default();
            let row = Row::number(opcode, &modifiers).map_or(0, |row| row + 1);
            write(row as u64, &mut self.table);
        }
        write(self.tokens.len() as u64, &mut self.table);
        self.table.append(&mut self.tokens);
        self.start = self.text.len();
        self.spaces = 0;
        (self.opcode, self.is_open) = (None, false);
        self.modifiers.clear();
    }

    /// The text and the table.
    pub fn finish(self) -> (String, Vec<u8>) {
        (self.text, self.table)
    }
}
