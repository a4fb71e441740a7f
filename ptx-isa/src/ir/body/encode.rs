//! The encoder: writes bodies token by token.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::mem;
use core::ops::Range;

use super::statement::{HAS_ALLOWANCES, HAS_CONSTANTS, StatementKind};
use super::token::{PLACEHOLDER, TokenKind};
use super::varint::write;
use crate::instruction::Row;
use crate::sorted::SortedMap;

/// Writes a body: the text of its statements, and a table with the kinds of their tokens.
#[derive(Debug, Default)]
pub struct Encoder {
    text: String,
    table: Vec<u8>,
    /// Where the current statement starts.
    start: usize,
    tokens: Vec<u8>,
    /// Whether it has a Rust constant.
    has_constant: bool,
    spaces: u8,
    /// The range of the opcode in the text, and those of the modifiers right after it, each with
    /// whether it is a modifier rather than a submodifier.
    opcode: Option<Range<usize>>,
    modifiers: Vec<(bool, Range<usize>)>,
    is_open: bool,
    rows: Rows,
}

/// A position in the statement that is being written.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    text: usize,
    tokens: usize,
    has_constant: bool,
}

/// A position in the body, between two statements.
#[derive(Clone, Copy, Debug)]
pub struct Ended {
    text: usize,
    table: usize,
}

impl Encoder {
    /// Adds spaces before the next token, at most 15.
    pub fn space(&mut self, spaces: u8) {
        self.spaces = self.spaces.saturating_add(spaces).min(15);
    }

    /// Writes the next token of the statement. Signs, commas and the brackets of groups are one
    /// ASCII character; the text of a Rust constant is ignored.
    pub fn token(&mut self, kind: TokenKind, text: &str) {
        for _ in 0..self.spaces {
            self.text.push(' ');
        }
        self.tokens.push(kind as u8 | self.spaces << 4);
        self.spaces = 0;
        let start = self.text.len();
        if kind == TokenKind::Constant {
            self.text.push(PLACEHOLDER);
            self.has_constant = true;
        } else {
            self.text.push_str(text);
        }
        if !kind.is_short() {
            write(text.len() as u64, &mut self.tokens);
        }
        match kind {
            TokenKind::Word if self.opcode.is_none() => {
                self.opcode = Some(start..self.text.len());
                self.is_open = true;
            }
            TokenKind::Modifier | TokenKind::Submodifier if self.is_open => {
                self.modifiers.push((kind == TokenKind::Modifier, start..self.text.len()));
            }
            _ => self.is_open = false,
        }
    }

    /// The position in the statement that is being written.
    pub fn mark(&self) -> Mark {
        let has_constant = self.has_constant;
        Mark { text: self.text.len(), tokens: self.tokens.len(), has_constant }
    }

    /// Removes everything that was written of the statement since `to`.
    pub fn take_back(&mut self, to: Mark) {
        self.text.truncate(to.text);
        self.tokens.truncate(to.tokens);
        self.has_constant = to.has_constant;
        self.modifiers.retain(|(_, at)| at.end <= to.text);
        if self.opcode.as_ref().is_some_and(|at| at.end > to.text) {
            self.opcode = None;
        }
        (self.spaces, self.is_open) = (0, false);
    }

    /// Removes everything that was written of the statement.
    pub fn take_back_all(&mut self) {
        self.take_back(Mark { text: self.start, tokens: 0, has_constant: false });
    }

    /// The position in the body, after the last statement that was ended.
    pub fn ended(&self) -> Ended {
        Ended { text: self.start, table: self.table.len() }
    }

    /// Removes everything that was written since `to`.
    pub fn return_to(&mut self, to: Ended) {
        self.start = to.text;
        self.take_back_all();
        self.table.truncate(to.table);
    }

    /// Ends a statement that may break the rules with these codes, such as `A021`. This writes the
    /// semicolon of an instruction, a directive or a declaration.
    pub fn end<'c>(&mut self, kind: StatementKind, allowed: impl IntoIterator<Item = &'c str>) {
        if kind.has_semicolon() {
            self.text.push(';');
        }
        let mut codes = Vec::new();
        for code in allowed {
            write(code.len() as u64, &mut codes);
            codes.extend_from_slice(code.as_bytes());
        }
        let allows = if codes.is_empty() { 0 } else { HAS_ALLOWANCES };
        let constants = if mem::take(&mut self.has_constant) { HAS_CONSTANTS } else { 0 };
        self.table.push(kind as u8 | allows | constants);
        write((self.text.len() - self.start) as u64, &mut self.table);
        if !codes.is_empty() {
            write(codes.len() as u64, &mut self.table);
            self.table.append(&mut codes);
        }
        if kind == StatementKind::Instruction {
            let opcode = self.opcode.clone().unwrap_or_default();
            let row = self.rows.number(&self.text, opcode, &self.modifiers);
            write(row as u64, &mut self.table);
        }
        write(self.tokens.len() as u64, &mut self.table);
        self.table.append(&mut self.tokens);
        self.start = self.text.len();
        self.spaces = 0;
        self.opcode = None;
        self.modifiers.clear();
    }

    /// Returns the text and the table.
    pub fn finish(mut self) -> (String, Vec<u8>) {
        self.take()
    }

    /// Returns the text and the table of the body so far; a new body starts here.
    pub fn take(&mut self) -> (String, Vec<u8>) {
        self.take_back_all();
        self.start = 0;
        (mem::take(&mut self.text), mem::take(&mut self.table))
    }
}

/// The instruction rows already looked up, by spelling: the instructions of a body have few
/// spellings.
#[derive(Default)]
struct Rows(SortedMap<Box<str>, usize>);

impl Rows {
    /// The number of an instruction's row, from 1, or 0 if it has none.
    fn number(
        &mut self,
        text: &str,
        opcode: Range<usize>,
        modifiers: &[(bool, Range<usize>)],
    ) -> usize {
        let end = modifiers.last().map_or(opcode.end, |(_, at)| at.end);
        let spelling = &text[opcode.start..end];
        if let Some(row) = self.0.get(spelling) {
            *row
        } else {
            let modifiers: Vec<(&str, &str)> = modifiers
                .iter()
                .map(|(is_first, at)| {
                    let word = text[at.clone()].trim_start_matches(['.', ':']);
                    (if *is_first { "." } else { "::" }, word)
                })
                .collect();
            let row = Row::number(&text[opcode], &modifiers).map_or(0, |row| row + 1);
            self.0.insert(spelling.into(), row);
            row
        }
    }
}

impl fmt::Debug for Rows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rows").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
