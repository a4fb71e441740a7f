//! Scans what only bodies in Rust have.

use ptx_isa::ir::Extent;
use ptx_text::body::token::Delimiter;
use ptx_text::{Lexer, PieceKind};

use super::forms::is_form;
use super::model::{DefinitionKind, Name, StatementKind};
use super::scan::Scanner;
use super::token::Token;

impl Scanner<'_> {
    /// Scans a form, if the next statement is one.
    pub(super) fn form(&mut self, function: usize) -> bool {
        let start = self.at;
        let word = self.word(start);
        // A label may have any name.
        if !is_form(word) || self.is_sign(start + 1, ":") {
            return false;
        }
        if word == "let" {
            self.registers();
        } else {
            self.block(function);
        }
        true
    }

    /// Scans `let %x, %y: f32;`.
    fn registers(&mut self) {
        let start = self.at;
        let end = self.statement_end(start);
        self.at = end + usize::from(self.is_sign(end, ";"));
        let statement = self.note(StatementKind::Declaration, start..end);
        let colon = (start..end).find(|n| self.is_sign(*n, ":")).unwrap_or(end);
        let family = (self.word(colon + 1) == "[" && colon + 1 < end).then(|| {
            // The number of elements is the last word: `[f32; 8]`.
            let closes = |n: &usize| {
                self.token(*n).is_some_and(|it| it.kind == PieceKind::Close(Delimiter::Bracket))
            };
            let close = (colon..end).rfind(closes);
            let count = close.filter(|close| self.is_sign(close - 2, ";"));
            let count = count.and_then(|close| self.word(close - 1).parse().ok());
            count.map_or(Extent::Unknown, Extent::Known)
        });
        for n in start + 1..colon {
            if self.token(n).is_some_and(|token| token.kind == PieceKind::Word) {
                let number = self.define(n, DefinitionKind::Register, self.scope, statement);
                if let Some(definition) = self.outline.definitions.get_mut(number) {
                    (definition.family, definition.is_array) = (family, family.is_some());
                }
            }
        }
    }

    /// Scans the head of `for`, `if` or `else`, and enters its block.
    fn block(&mut self, function: usize) {
        let start = self.at;
        let (mut depth, mut end) = (0_isize, start + 1);
        while let Some(token) = self.token(end) {
            let is_over = depth <= 0 && (token.opens_brace() || token.is_sign(self.text, ";"))
                || token.closes_brace()
                || token.starts_line && self.starts_statement(end);
            if is_over {
                break;
            }
            depth += token.depth();
            end += 1;
        }
        self.at = end;
        let statement = self.note(StatementKind::Form, start..end);
        let counter = (self.word(start) == "for").then(|| self.token(start + 1)).flatten();
        let counter = counter.filter(|it| it.kind == PieceKind::Word && it.text(self.text) != "_");
        let first = start + 1 + usize::from(counter.is_some());
        for n in first..end {
            if let Some(token) = self.token(n)
                && token.kind == PieceKind::Word
                && !matches!(token.text(self.text), "in" | "if")
            {
                self.use_name(n, false);
            }
        }
        if self.token(end).is_some_and(|token| token.opens_brace()) {
            let start_of_block = self.token(end).map_or(0, |token| token.start);
            self.open(function, counter.map_or(start_of_block, |counter| counter.start));
            if counter.is_some() {
                self.define(start + 1, DefinitionKind::Counter, self.scope, statement);
            }
        }
    }

    /// Notes the words in `#( expr )`, which may be counters.
    pub(super) fn splice(&mut self, token: Token) {
        let content = token.text(self.text).strip_prefix("#(").unwrap_or_default();
        let start = token.end - content.len();
        for piece in Lexer::new(content).filter(|piece| piece.kind == PieceKind::Word) {
            let at = piece.at.range();
            self.outline.names.push(Name {
                at: start + at.start..start + at.end,
                scope: self.scope,
                definition: None,
                is_definition: false,
                is_written: false,
            });
        }
    }
}
