//! What only bodies in Rust have.

use ptx_isa::instruction::WordKind;
use ptx_isa::ir::Extent;
use ptx_text::body::token::Delimiter;
use ptx_text::{Lexer, PieceKind};

use super::model::{DefinitionKind, Name, StatementKind};
use super::scan::Scanner;
use super::token::Token;

/// A form that PTX does not have.
pub(crate) struct Form {
    /// The word that it starts with.
    pub(crate) word: &'static str,
    /// How it is written.
    pub(crate) example: &'static str,
    /// What it becomes.
    pub(crate) about: &'static str,
}

const fn row(word: &'static str, example: &'static str, about: &'static str) -> Form {
    Form { word, example, about }
}

/// Every form that starts with a word of its own.
pub(crate) const FORMS: &[Form] = &[
    row("let", "let %x, %d: [f32; 4];", "Registers of a Rust type."),
    row("for", "for i in 0..4 { .. }", "Its block once for each number."),
    row("if", "if i == 0 { .. } else { .. }", "One of its blocks, chosen by constants."),
    row("else", "if i == 0 { .. } else { .. }", "The block of an `if` whose constants are not so."),
    row(
        LEA,
        "lea.shared.u32 %at, PLACE.field[%index];",
        "The address of a place, computed by `mov`, `mad` and `add`.",
    ),
];

/// The one that is written like an instruction.
const LEA: &str = "lea";

/// Whether a statement that starts with this word is a form that is not written like an instruction.
pub(super) fn is_form(word: &str) -> bool {
    word != LEA && FORMS.iter().any(|form| form.word == word)
}

/// Whether an instruction that starts with this word may be the use of a fragment.
pub(super) fn may_be_fragment(word: &str) -> bool {
    !WordKind::Opcode.knows(word) && word != LEA
}

/// Whether a word in a statement of this kind is one of those that make it a form.
pub(crate) fn is_keyword(word: &str, kind: StatementKind) -> bool {
    match kind {
        StatementKind::Form => word == "in" || is_form(word),
        StatementKind::Declaration => word == "let",
        _ => false,
    }
}

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
