//! Scans the statements of bodies.

use std::ops::Range;

use ptx_isa::Space;
use ptx_isa::directive::{self, Directive};
use ptx_isa::instruction::{Row, WordKind};
use ptx_isa::ir::Extent;
use ptx_isa::special::is_special;
use ptx_text::PieceKind;
use ptx_text::body::token::Delimiter;

use super::forms::{is_form, may_be_fragment};
use super::model::{Definition, DefinitionKind, Name, Outline, Scope, Statement, StatementKind};
use super::token::Token;

pub(super) struct Scanner<'t> {
    pub(super) text: &'t str,
    pub(super) outline: Outline,
    /// The index of the next token, and that of the one at which the text ends.
    pub(super) at: usize,
    pub(super) end: usize,
    /// The block that it is in.
    pub(super) scope: usize,
    /// The function whose body it is in.
    pub(super) function: Option<usize>,
}

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t str, outline: Outline) -> Self {
        Self { text, at: 0, end: outline.tokens.len(), outline, scope: 0, function: None }
    }

    fn is_rust(&self) -> bool {
        self.outline.rust.is_some()
    }

    pub(super) fn token(&self, index: usize) -> Option<Token> {
        self.outline.tokens.get(index).copied().filter(|_| index < self.end)
    }

    /// The offset after the token before an index.
    pub(super) fn token_end(&self, index: usize) -> usize {
        let last = index.checked_sub(1).and_then(|last| self.outline.tokens.get(last));
        last.map_or(0, |token| token.end)
    }

    pub(super) fn word(&self, index: usize) -> &'t str {
        self.token(index).map_or("", |token| token.text(self.text))
    }

    /// The directive at a token.
    pub(super) fn directive(&self, index: usize) -> Option<&'static Directive> {
        if self.is_dotted(index) { Directive::from_name(self.word(index)) } else { None }
    }

    pub(super) fn declares_function(&self, index: usize) -> bool {
        self.directive(index).is_some_and(|it| it.kind == directive::Kind::Function)
    }

    pub(super) fn is_dotted(&self, index: usize) -> bool {
        self.token(index).is_some_and(|token| token.kind == PieceKind::Dotted)
    }

    pub(super) fn is_sign(&self, index: usize, sign: &str) -> bool {
        self.token(index).is_some_and(|token| token.is_sign(self.text, sign))
    }

    pub(super) fn note(&mut self, kind: StatementKind, tokens: Range<usize>) -> usize {
        let function = self.function;
        self.outline.statements.push(Statement { kind, tokens, function });
        self.outline.statements.len() - 1
    }

    /// The index after the last token of a directive that ends with its line: with the next that starts one, or with
    /// the next directive.
    pub(super) fn line_end(&self, start: usize) -> usize {
        let is_loc = self.directive(start).is_some_and(|it| it.kind == directive::Kind::Line);
        let mut end = start + 1;
        while let Some(token) = self.token(end)
            && !token.starts_line
            && (is_loc || token.kind != PieceKind::Dotted)
            && !token.closes_brace()
        {
            end += 1;
        }
        end
    }

    /// Whether a declaration outside of functions starts with this token.
    pub(super) fn starts_item(&self, index: usize) -> bool {
        let starts_line = self.token(index).is_some_and(|token| token.starts_line);
        let starts = |it: &Directive| it.starts_item() || it.kind == directive::Kind::Header;
        !self.is_rust() && starts_line && self.directive(index).is_some_and(starts)
    }

    /// The state space that a directive names.
    pub(super) fn space(&self, index: usize) -> Option<Space> {
        let name = self.word(index).strip_prefix('.').filter(|_| self.is_dotted(index))?;
        Space::from_name(name)
    }

    /// Leaves the body of a function, whose last byte is before this offset.
    pub(super) fn end_function(&mut self, end: usize) {
        let statements = self.outline.statements.len();
        while let Some(parent) = self.outline.scopes[self.scope].parent {
            self.outline.scopes[self.scope].range.end = end;
            self.scope = parent;
        }
        if let Some(function) =
            self.function.take().and_then(|it| self.outline.functions.get_mut(it))
        {
            function.range.end = end;
            function.statements.end = statements;
        }
    }

    /// Scans a statement of a body.
    pub(super) fn statement(&mut self, function: usize) {
        let start = self.at;
        let Some(token) = self.token(start) else { return };
        if token.closes_brace() {
            self.note(StatementKind::Close, start..start + 1);
            self.at += 1;
            if self.scope == self.outline.functions[function].scope {
                // In Rust, it is one too many: the body ends elsewhere.
                if !self.is_rust() {
                    self.end_function(token.end);
                }
            } else {
                let scope = &mut self.outline.scopes[self.scope];
                scope.range.end = token.end;
                self.scope = scope.parent.unwrap_or_default();
            }
            return;
        }
        if token.opens_brace() {
            self.open(function, token.start);
            return;
        }
        if token.is_sign(self.text, ";") {
            self.at += 1;
            return;
        }
        if self.is_rust() && self.form(function) {
            return;
        }
        // A declaration outside of functions: the body is not closed yet.
        if self.starts_item(start) && !matches!(self.word(start), ".extern" | ".section") {
            self.end_function(token.start);
            return;
        }
        if self.directive(start).is_some_and(Directive::is_open) {
            self.at = self.line_end(start);
            self.note(StatementKind::Directive, start..self.at);
            return;
        }
        if token.kind == PieceKind::Word && self.is_sign(start + 1, ":") {
            let statement = self.note(StatementKind::Label, start..start + 2);
            self.define(start, DefinitionKind::Label, self.scope, statement);
            self.at += 2;
            return;
        }
        let end = self.statement_end(start);
        self.at = end + usize::from(self.is_sign(end, ";"));
        let range = start..end;
        if self.space(start).is_some() || matches!(self.word(start), ".extern") {
            let statement = self.note(StatementKind::Declaration, range.clone());
            self.declare(statement, range);
        } else if token.kind == PieceKind::Dotted {
            self.note(StatementKind::Directive, range.clone());
            match self.word(start) {
                // Its names are those of a prototype.
                ".callprototype" => {}
                _ => self.use_all(start + 1..end, None),
            }
        } else {
            self.note(StatementKind::Instruction, range.clone());
            self.instruction(range);
        }
    }

    /// Opens a block at the next token; names are visible in it from an offset on.
    pub(super) fn open(&mut self, function: usize, start: usize) {
        self.note(StatementKind::Open, self.at..self.at + 1);
        let end = self.token(self.at).map_or(start, |token| token.end);
        self.at += 1;
        self.outline.scopes.push(Scope {
            parent: Some(self.scope),
            function: Some(function),
            range: start..end,
        });
        self.scope = self.outline.scopes.len() - 1;
    }

    /// The index of the token after a statement: a semicolon, or where the next starts if there is none.
    pub(super) fn statement_end(&self, start: usize) -> usize {
        let (mut depth, mut end) = (0_isize, start);
        while let Some(token) = self.token(end) {
            if depth <= 0 && (token.is_sign(self.text, ";") || token.closes_brace()) {
                break;
            }
            if end > start && token.starts_line && self.starts_statement(end) {
                break;
            }
            depth += token.depth();
            end += 1;
        }
        end
    }

    /// Whether a line that starts with this token looks like another statement, although none has ended before it.
    pub(super) fn starts_statement(&self, index: usize) -> bool {
        let word = self.word(index);
        match self.token(index).map(|token| token.kind) {
            Some(PieceKind::Dotted) => {
                matches!(word, ".reg" | ".shared" | ".local" | ".loc" | ".pragma")
                    || self.starts_item(index)
            }
            Some(PieceKind::Word) if self.is_rust() && is_form(word) => true,
            Some(PieceKind::Word) => {
                let is_opcode = WordKind::Opcode.knows(word);
                let has_modifier = self.token(index + 1).is_some_and(|next| {
                    next.kind == PieceKind::Dotted
                        && self.token(index).is_some_and(|token| token.end == next.start)
                });
                is_opcode && (has_modifier || self.is_sign(index + 1, ";"))
                    || self.is_sign(index + 1, ":")
            }
            Some(PieceKind::Sign) => word == "@",
            Some(PieceKind::Close(Delimiter::Brace)) => {
                self.token(index + 1).is_none_or(|next| next.starts_line)
            }
            _ => false,
        }
    }

    /// Notes what a declaration declares, and what its initial values name.
    pub(super) fn declare(&mut self, statement: usize, range: Range<usize>) {
        let Some(space) = range.clone().find_map(|n| self.space(n)) else { return };
        let kind = match space {
            Space::Reg => DefinitionKind::Register,
            _ => DefinitionKind::Variable(space),
        };
        let (mut depth, mut has_value) = (0_isize, false);
        for n in range {
            let Some(token) = self.token(n) else { break };
            depth += token.depth();
            if depth <= 0 && token.is_sign(self.text, "=") {
                has_value = true;
            } else if depth <= 0 && token.is_sign(self.text, ",") {
                has_value = false;
            } else if token.kind == PieceKind::Word {
                if has_value {
                    self.use_name(n, false);
                } else if depth <= 0 {
                    self.define(n, kind, self.scope, statement);
                }
            }
        }
    }

    /// Notes the names in an instruction.
    fn instruction(&mut self, range: Range<usize>) {
        let mut at = range.start;
        if self.is_sign(at, "@") {
            at += 1 + usize::from(self.is_sign(at + 1, "!"));
            self.use_all(at..at + 1, None);
            at += 1;
        }
        let opcode = self.word(at);
        // In Rust, it may be a fragment.
        if self.is_rust() && may_be_fragment(opcode) {
            self.use_name(at, false);
        }
        at += 1;
        let mut modifiers: Vec<(&str, &str)> = Vec::new();
        while at < range.end
            && let Some(token) = self.token(at)
            && matches!(token.kind, PieceKind::Dotted | PieceKind::Colons)
        {
            let word = token.text(self.text);
            modifiers.push(match word.strip_prefix("::") {
                Some(word) => ("::", word),
                None => (".", word.trim_start_matches('.')),
            });
            at += 1;
        }
        let row = Row::find(opcode, &modifiers);
        // Instructions without a row write their first operand.
        let writes = row.is_none_or(|row| row.has_result);
        self.use_all(at.min(range.end)..range.end, writes.then_some(at));
    }

    /// Notes the names among some tokens, of which those of the first operand are written if it starts here.
    pub(super) fn use_all(&mut self, range: Range<usize>, mut written: Option<usize>) {
        // In brackets, there are addresses and indices.
        let (mut depth, mut brackets) = (0_isize, 0_usize);
        for n in range {
            let Some(token) = self.token(n) else { break };
            depth += token.depth();
            match token.kind {
                PieceKind::Open(Delimiter::Bracket) => brackets += 1,
                PieceKind::Close(Delimiter::Bracket) => brackets = brackets.saturating_sub(1),
                PieceKind::Word => self.use_name(n, written.is_some() && brackets == 0),
                PieceKind::Number if self.is_rust() => self.splice(token),
                _ if depth <= 0 && token.is_sign(self.text, ",") => written = None,
                _ => {}
            }
        }
    }

    pub(super) fn use_name(&mut self, token: usize, is_written: bool) {
        let word = self.word(token);
        if matches!(word, "_" | "generic" | "WARP_SZ") || is_special(word) {
            return;
        }
        let Some(Token { start, end, .. }) = self.token(token) else { return };
        self.outline.names.push(Name {
            at: start..end,
            scope: self.scope,
            definition: None,
            is_definition: false,
            is_written,
        });
    }

    /// Notes a declaration of the name at this token, and returns its index.
    pub(super) fn define(
        &mut self,
        token: usize,
        kind: DefinitionKind,
        scope: usize,
        statement: usize,
    ) -> usize {
        let number = self.outline.definitions.len();
        let at = self.token(token).map_or(0..0, |token| token.start..token.end);
        let (is_family, is_array) = match self.is_rust() {
            false => (self.is_sign(token + 1, "<"), false),
            true if kind != DefinitionKind::Register => (false, false),
            true => (self.is_sign(token + 1, "<"), self.word(token + 1) == "["),
        };
        let count = || self.word(token + 2).parse().map_or(Extent::Unknown, Extent::Known);
        let family = (is_family || is_array).then(count);
        self.outline.definitions.push(Definition {
            at: at.clone(),
            kind,
            scope,
            statement,
            family,
            is_array,
            canonical: number,
        });
        self.outline.names.push(Name {
            at,
            scope,
            definition: Some(number),
            is_definition: true,
            is_written: false,
        });
        number
    }
}
