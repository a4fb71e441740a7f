//! Looks things up in an outline.

use std::ops::Range;

use super::model::{Definition, Function, Name, Outline, Statement, StatementKind};
use super::token::Token;

impl Outline {
    /// The tokens of a statement.
    pub(crate) fn tokens_of(&self, statement: &Statement) -> &[Token] {
        self.tokens.get(statement.tokens.clone()).unwrap_or_default()
    }

    /// The extent of a statement in bytes, without its semicolon.
    pub(crate) fn range_of(&self, statement: &Statement) -> Range<usize> {
        let tokens = self.tokens_of(statement);
        let start = tokens.first().map_or(0, |token| token.start);
        start..tokens.last().map_or(start, |token| token.end)
    }

    /// The name at an offset, or just before it.
    pub(crate) fn name_at(&self, offset: usize) -> Option<&Name> {
        let after = self.names.partition_point(|name| name.at.start <= offset);
        self.names.get(after.checked_sub(1)?).filter(|name| offset <= name.at.end)
    }

    /// The index of the token at an offset, or of the one that ends there.
    pub(crate) fn token_at(&self, offset: usize) -> Option<usize> {
        let after = self.tokens.partition_point(|token| token.start <= offset);
        let found = after.checked_sub(1)?;
        let token = self.tokens.get(found).filter(|token| offset <= token.end)?;
        // Of two that touch, a word rather than what follows it.
        let before = found.checked_sub(1).and_then(|n| self.tokens.get(n));
        let is_word = |token: &Token| token.kind == ptx_text::PieceKind::Word;
        let is_after_word = before.is_some_and(|it| it.end == offset && is_word(it));
        Some(if token.start == offset && is_after_word { found - 1 } else { found })
    }

    /// The statement that this offset is in or right after, or that starts before it without having ended.
    pub(crate) fn statement_at(&self, offset: usize) -> Option<(usize, &Statement)> {
        let starts_before = |statement: &Statement| self.range_of(statement).start <= offset;
        let number = self.statements.partition_point(starts_before).checked_sub(1)?;
        Some((number, self.statements.get(number)?))
    }

    /// The innermost block at an offset.
    pub(crate) fn scope_at(&self, offset: usize) -> usize {
        let is_in = |scope: &&(usize, &super::model::Scope)| {
            scope.1.range.start <= offset && offset <= scope.1.range.end
        };
        let scopes = self.scopes.iter().enumerate().collect::<Vec<_>>();
        scopes.iter().rev().find(is_in).map_or(0, |(n, _)| *n)
    }

    /// The function whose signature or body an offset is in.
    pub(crate) fn function_at(&self, offset: usize) -> Option<(usize, &Function)> {
        let after = self.functions.partition_point(|function| function.range.start <= offset);
        let found = after.checked_sub(1)?;
        self.functions.get(found).filter(|it| offset <= it.range.end).map(|it| (found, it))
    }

    /// The declarations that are visible in a block, the innermost first.
    pub(crate) fn visible(&self, scope: usize) -> Vec<&Definition> {
        let mut visible = Vec::new();
        let mut next = Some(scope);
        while let Some(scope) = next {
            let range = match scope {
                0 => 0..usize::MAX,
                _ => self.scopes.get(scope).map_or(0..0, |scope| scope.range.clone()),
            };
            let first = match scope {
                0 => 0,
                _ => self.definitions.partition_point(|it| it.at.start < range.start),
            };
            let own = self.definitions.iter().enumerate().skip(first);
            let own = own.take_while(|(_, it)| it.at.start <= range.end);
            let own = own.filter(|(n, it)| it.scope == scope && it.canonical == *n);
            visible.extend(own.map(|(_, definition)| definition));
            next = self.scopes.get(scope).and_then(|scope| scope.parent);
        }
        visible
    }

    /// All places of a declaration: of all that stand for the same, and of their uses.
    pub(crate) fn places(&self, canonical: usize) -> impl Iterator<Item = &Name> {
        self.names.iter().filter(move |name| {
            let definition = name.definition.and_then(|it| self.definitions.get(it));
            definition.is_some_and(|it| it.canonical == canonical)
        })
    }

    /// The opcode of an instruction, by the index of its token, and the index after its modifiers.
    pub(crate) fn opcode(&self, text: &str, statement: &Statement) -> Option<(usize, usize)> {
        if statement.kind != StatementKind::Instruction {
            return None;
        }
        let mut at = statement.tokens.start;
        let is_sign = |at: usize, sign: &str| {
            self.tokens.get(at).is_some_and(|token| token.is_sign(text, sign))
        };
        if is_sign(at, "@") {
            at += if is_sign(at + 1, "!") { 3 } else { 2 };
        }
        let end = statement.tokens.end;
        let is_modifier = |token: &&Token| {
            matches!(token.kind, ptx_text::PieceKind::Dotted | ptx_text::PieceKind::Colons)
        };
        let modifiers = self.tokens.get(at + 1..end).unwrap_or_default().iter();
        (at < end).then(|| (at, at + 1 + modifiers.take_while(is_modifier).count()))
    }
}
