//! Scans PTX text into an outline.

use std::ops::Range;

use ptx_isa::directive::{self, Directive};
use ptx_text::PieceKind;

use super::model::{Definition, DefinitionKind, Function, Outline, Scope, StatementKind};
use super::resolve::resolve;
use super::scan::Scanner;
use super::token::tokens;

/// Scans PTX text.
pub(crate) fn scan(text: &str) -> Outline {
    let (tokens, comments) = tokens(text);
    let module = Scope { parent: None, function: None, range: 0..text.len() };
    let outline = Outline { tokens, comments, scopes: vec![module], ..Outline::default() };
    let mut scanner = Scanner::new(text, outline);
    while scanner.at < scanner.outline.tokens.len() {
        let before = scanner.at;
        match scanner.function {
            Some(function) => scanner.statement(function),
            None => scanner.item(),
        }
        // Whatever it is, the scan goes on after it.
        if scanner.at == before && scanner.function.is_none() {
            scanner.at += 1;
        }
    }
    if scanner.function.is_some() {
        scanner.end_function(text.len());
    }
    let mut outline = scanner.outline;
    resolve(text, &mut outline);
    outline
}

impl Scanner<'_> {
    /// Scans a declaration outside of functions.
    fn item(&mut self) {
        let start = self.at;
        if self.directive(start).is_some_and(Directive::is_open) {
            self.at = self.line_end(start);
            self.note(StatementKind::Directive, start..self.at);
            return;
        }
        let is_function =
            |scanner: &Self, range: Range<usize>| range.rev().any(|n| scanner.declares_function(n));
        let (mut depth, mut end) = (0_isize, start);
        let mut has_body = false;
        while let Some(token) = self.token(end) {
            if end > start && self.starts_item(end) {
                let is_linkage = !is_function(self, start..end)
                    && self.directive(start).is_some_and(|it| it.kind == directive::Kind::Linkage);
                // `.visible` and `.entry` may stand on two lines.
                if !is_linkage || end > start + 1 {
                    break;
                }
            }
            if depth <= 0 && token.is_sign(self.text, ";") {
                break;
            }
            if depth <= 0 && token.opens_brace() && is_function(self, start..end) {
                has_body = true;
                break;
            }
            depth += token.depth();
            end += 1;
            if depth <= 0 && token.closes_brace() && self.word(start) == ".section" {
                break;
            }
        }
        self.at = end;
        let range = start..end;
        if range.is_empty() {
            return;
        }
        if is_function(self, range.clone()) {
            self.signature(range, has_body);
        } else if range.clone().any(|n| self.space(n).is_some()) && self.word(start) != ".section" {
            let statement = self.note(StatementKind::Declaration, range.clone());
            self.declare(statement, range);
        } else {
            self.note(StatementKind::Directive, range.clone());
            if self.word(start) == ".alias" {
                self.use_all(start + 1..end, None);
            }
        }
        if self.is_sign(self.at, ";") {
            self.at += 1;
        }
    }

    /// Scans the signature of a function, and enters its body.
    fn signature(&mut self, range: Range<usize>, has_body: bool) {
        let number = self.outline.functions.len();
        let scope = self.outline.scopes.len();
        let statement = self.note(StatementKind::Signature, range.clone());
        self.outline.statements[statement].function = Some(number);
        let start = self.token(range.start).map_or(0, |token| token.start);
        let end = self.token(range.end.max(1) - 1).map_or(start, |token| token.end);
        let keyword = range.clone().find(|n| self.declares_function(*n));
        let keyword = keyword.unwrap_or(range.start);
        let kind = match self.word(keyword) {
            ".entry" => DefinitionKind::Kernel,
            _ => DefinitionKind::Device,
        };
        self.outline.scopes.push(Scope {
            parent: Some(0),
            function: Some(number),
            range: start..end,
        });
        let (mut depth, mut name) = (0_isize, None);
        let mut is_attribute = false;
        for n in keyword + 1..range.end {
            let Some(token) = self.token(n) else { break };
            if depth == 0 && token.kind == PieceKind::Dotted {
                is_attribute = true;
            }
            depth += token.depth();
            if token.kind != PieceKind::Word {
                continue;
            }
            let is_param = depth == 1 && !(is_attribute && name.is_none());
            if depth == 0 && name.is_none() {
                name = Some(self.define(n, kind, 0, statement));
                is_attribute = false;
            } else if is_param && token.text(self.text) != "_" {
                self.define(n, DefinitionKind::Param, scope, statement);
            }
        }
        let Some(definition) = name else {
            // Without a name it is not a function yet, but its body is read like one.
            let at = end..end;
            self.outline.definitions.push(Definition {
                at,
                kind,
                scope: 0,
                statement,
                family: None,
                is_array: false,
                canonical: self.outline.definitions.len(),
            });
            let definition = self.outline.definitions.len() - 1;
            self.enter((number, scope, definition), (statement, start..end), has_body);
            return;
        };
        self.enter((number, scope, definition), (statement, start..end), has_body);
    }

    /// Notes a function, and enters its body.
    fn enter(
        &mut self,
        (number, scope, definition): (usize, usize, usize),
        (statement, range): (usize, Range<usize>),
        has_body: bool,
    ) {
        let statements = statement..statement + 1;
        self.outline.functions.push(Function { definition, range, scope, statements, has_body });
        if has_body {
            self.scope = scope;
            self.function = Some(number);
            self.note(StatementKind::Open, self.at..self.at + 1);
            self.at += 1;
        }
    }
}
