//! Scans the bodies of a Rust file into an outline.

use std::ops::Range;

use ptx_text::format::draft_bodies;

use super::items::{Item, ItemKind, items};
use super::model::{Definition, DefinitionKind, Function, Outline, RustFile, Scope, StatementKind};
use super::resolve::resolve;
use super::scan::Scanner;
use super::token::tokens_of_rust;

/// Scans a Rust file.
pub(crate) fn scan_rust(text: &str) -> Outline {
    let bodies = draft_bodies(text);
    let module = Scope { parent: None, function: None, range: 0..text.len() };
    let mut outline = Outline { scopes: vec![module], ..Outline::default() };
    // Most files have none.
    if bodies.is_empty() {
        outline.rust = Some(RustFile::default());
        return outline;
    }
    let (tokens, comments, foreign) = tokens_of_rust(text, &bodies);
    let at = |offset: usize| tokens.partition_point(|token| token.start < offset);
    let ranges: Vec<Range<usize>> =
        bodies.iter().map(|body| at(body.start)..at(body.end)).collect();
    let items = items(text, &tokens, &ranges);
    outline.rust = Some(RustFile { bodies, foreign, targets: Vec::new() });
    (outline.tokens, outline.comments) = (tokens, comments);
    let mut file = File { scanner: Scanner::new(text, outline), open: Vec::new() };
    // The function of the outline for each item.
    let mut functions = vec![None; items.len()];
    for (n, item) in items.iter().enumerate() {
        functions[n] = file.item(item, &functions);
    }
    let mut outline = file.scanner.outline;
    resolve(text, &mut outline);
    // Of what is in `#( expr )`, only counters are ours.
    let Outline { names, definitions, rust, .. } = &mut outline;
    let foreign = rust.as_ref().map_or(&[][..], |rust| &rust.foreign);
    names.retain(|name| {
        let after = foreign.partition_point(|it| it.start <= name.at.start);
        let is_foreign = after.checked_sub(1).is_some_and(|n| name.at.start < foreign[n].end);
        let definition = name.definition.and_then(|it| definitions.get(it));
        !is_foreign || definition.is_some_and(|it| it.kind == DefinitionKind::Counter)
    });
    outline
}

struct File<'t> {
    scanner: Scanner<'t>,
    /// The blocks of the items around, each with the token at which it ends.
    open: Vec<(usize, usize)>,
}

impl File<'_> {
    /// The extent of some tokens in bytes.
    fn bytes(&self, tokens: Range<usize>) -> Range<usize> {
        let all = &self.scanner.outline.tokens;
        let start = all.get(tokens.start).map_or(0, |token| token.start);
        let last = tokens.end.checked_sub(1).and_then(|last| all.get(last));
        start..last.map_or(start, |token| token.end.max(start))
    }

    fn scope(&mut self, item: &Item, function: Option<usize>) -> usize {
        let parent = self.open.last().map_or(0, |it| it.0);
        let range = self.bytes(item.head.start..item.end);
        let scopes = &mut self.scanner.outline.scopes;
        scopes.push(Scope { parent: Some(parent), function, range });
        let scope = scopes.len() - 1;
        self.open.push((scope, item.end));
        scope
    }

    /// Notes an item; of a function with a body, its number.
    fn item(&mut self, item: &Item, functions: &[Option<usize>]) -> Option<usize> {
        while self.open.last().is_some_and(|(_, end)| *end <= item.head.start) {
            self.open.pop();
        }
        let around = self.open.last().map_or(0, |it| it.0);
        match &item.kind {
            ItemKind::Module(target) => {
                self.scope(item, None);
                let range = self.bytes(item.head.start..item.end);
                let rust = self.scanner.outline.rust.as_mut();
                if let (Some(rust), Some(target)) = (rust, target) {
                    rust.targets.push((range, *target));
                }
                None
            }
            ItemKind::Static { space, name } => {
                let statement = self.scanner.note(StatementKind::Declaration, item.head.clone());
                self.scanner.define(*name, DefinitionKind::Variable(*space), around, statement);
                None
            }
            ItemKind::Function { kind, name, params, has_body } => {
                // Those that are called or used have their own `ptx!`.
                if !has_body {
                    return None;
                }
                let number = self.scanner.outline.functions.len();
                let statement = self.scanner.note(StatementKind::Signature, item.head.clone());
                self.scanner.outline.statements[statement].function = Some(number);
                let definition = self.scanner.define(*name, *kind, around, statement);
                let scope = self.scope(item, Some(number));
                for param in params {
                    self.scanner.define(*param, DefinitionKind::Param, scope, statement);
                }
                let range = self.bytes(item.head.start..item.end);
                self.function(definition, scope, statement, range);
                Some(number)
            }
            ItemKind::Body(owner) => {
                let owner = owner.and_then(|owner| functions.get(owner).copied().flatten());
                let function = owner.unwrap_or_else(|| self.anonymous(item));
                self.body(item, function);
                None
            }
        }
    }

    fn function(&mut self, definition: usize, scope: usize, statement: usize, range: Range<usize>) {
        let statements = statement..statement + 1;
        let function = Function { definition, range, scope, statements, has_body: true };
        self.scanner.outline.functions.push(function);
    }

    /// A function for a body that is in none.
    fn anonymous(&mut self, item: &Item) -> usize {
        let number = self.scanner.outline.functions.len();
        let statement = self.scanner.outline.statements.len();
        let range = self.bytes(item.head.clone());
        let scope = self.scope(item, Some(number));
        let definition = self.scanner.outline.definitions.len();
        self.scanner.outline.definitions.push(Definition {
            at: range.start..range.start,
            kind: DefinitionKind::Fragment,
            scope: 0,
            statement,
            family: None,
            is_array: false,
            canonical: definition,
        });
        self.function(definition, scope, statement, range);
        number
    }

    /// Scans the statements of a body.
    fn body(&mut self, item: &Item, function: usize) {
        let scanner = &mut self.scanner;
        let is_closed = item.head.len() > 1
            && scanner.token(item.head.end - 1).is_some_and(|token| token.closes_brace());
        scanner.scope = scanner.outline.functions[function].scope;
        scanner.function = Some(function);
        scanner.note(StatementKind::Open, item.head.start..item.head.start + 1);
        scanner.at = item.head.start + 1;
        scanner.end = item.head.end - usize::from(is_closed);
        while scanner.at < scanner.end {
            let before = scanner.at;
            scanner.statement(function);
            // Whatever it is, the scan goes on after it.
            scanner.at = scanner.at.max(before + 1);
        }
        let end = scanner.token_end(scanner.end);
        while scanner.scope != scanner.outline.functions[function].scope {
            let scope = &mut scanner.outline.scopes[scanner.scope];
            scope.range.end = end;
            scanner.scope = scope.parent.unwrap_or_default();
        }
        scanner.end = scanner.outline.tokens.len();
        if is_closed {
            scanner.note(StatementKind::Close, item.head.end - 1..item.head.end);
        }
        scanner.outline.functions[function].statements.end = scanner.outline.statements.len();
        (scanner.scope, scanner.function) = (0, None);
    }
}
