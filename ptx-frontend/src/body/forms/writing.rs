//! Expands the forms in blocks, statements and operands.

use ptx_isa::sorted::{SortedMap, SortedSet};

use proc_macro2::{Ident, Span, TokenStream};
use ptx_text::body::instead;

use super::super::statements::after_guard;
use super::super::token::{Delimiter, Faults};
use super::super::tree::{Tree, label};
use super::around::Around;
use super::count::Counts;
use super::inlining::Inlining;
use super::place::{Bytes, Local};
use super::register::Registers;
use super::rounds::Rounds;

/// Expands the forms in a body.
pub(super) struct Forms<'f> {
    pub(super) around: Around<'f>,
    /// The Rust constants, by their indices.
    pub(super) constants: &'f mut Vec<TokenStream>,
    pub(super) faults: &'f mut Faults<Span>,
    pub(super) counts: Counts,
    pub(super) registers: Registers,
    /// The variables in memory that the body declares.
    pub(super) locals: Vec<Local>,
    /// The keys of the paths' forms, each with the name of its constant and the item that declares it.
    pub(super) places: Vec<(String, Ident, TokenStream)>,
    /// The constants that are numbers of bytes, by their indices.
    pub(super) bytes: SortedMap<usize, Bytes>,
    /// By their text, the types of pointers in registers that the macro does not know, and whether a path starts at such
    /// a register.
    pub(super) pointers: SortedMap<String, (TokenStream, bool)>,
    /// The rounds of the loops.
    pub(super) rounds: Rounds,
    /// The number of statements that loops may still generate.
    pub(super) left: usize,
    /// Whether the current statement has an error; it is then left out.
    pub(super) is_refused: bool,
    /// The fragments that are being inlined.
    pub(super) inlining: Inlining,
    /// The lines and columns of registers beyond the end of an array: later rounds of a loop are beyond it, too.
    pub(super) beyond: SortedSet<(usize, usize)>,
}

/// The maximum number of statements that the loops of a body may generate.
const MOST_STATEMENTS: usize = 1 << 18;

impl<'f> Forms<'f> {
    pub(super) fn new(
        around: Around<'f>,
        constants: &'f mut Vec<TokenStream>,
        faults: &'f mut Faults<Span>,
    ) -> Self {
        Self {
            around,
            constants,
            faults,
            counts: Counts::new(around.integers.clone()),
            registers: Registers::of(around),
            locals: Vec::new(),
            places: Vec::new(),
            bytes: SortedMap::new(),
            pointers: SortedMap::new(),
            rounds: Rounds::default(),
            left: MOST_STATEMENTS,
            is_refused: false,
            inlining: Inlining::default(),
            beyond: SortedSet::new(),
        }
    }
}

impl Forms<'_> {
    /// Expands a block, statement by statement.
    pub(super) fn block(&mut self, tokens: &[Tree]) -> Vec<Tree> {
        let mut out = Vec::new();
        let mut rest = tokens;
        while let Some(first) = rest.first() {
            if let Tree::Inlined(inner, place, at) = first {
                let around = self.inlining.current.replace(*place);
                let inner = self.block(inner);
                self.inlining.current = around;
                out.push(Tree::Inlined(inner, *place, *at));
                rest = &rest[1..];
                continue;
            }
            if let Tree::Group(Delimiter::Brace, inner, open, close) = first {
                let inner = self.scope(inner);
                out.push(Tree::Group(Delimiter::Brace, inner, *open, *close));
                rest = &rest[1..];
                continue;
            }
            // An attribute or a label precedes the statement that it belongs to.
            if let [hash, attribute @ Tree::Group(Delimiter::Bracket, ..), after @ ..] = rest
                && hash.is_sign('#')
            {
                out.extend([hash.clone(), attribute.clone()]);
                rest = after;
                continue;
            }
            if let Some((_, after)) = label(rest) {
                out.extend(rest[..rest.len() - after.len()].iter().cloned());
                rest = after;
                continue;
            }
            if let Some(after) = self.repetition(rest, &mut out) {
                rest = after;
                continue;
            }
            // A statement of another language may end in a block.
            let is_end =
                |it: &Tree| it.is_sign(';') || matches!(it, Tree::Group(Delimiter::Brace, ..));
            if let Tree::Word(word, _) = first
                && instead(word).is_some()
                && let Some(end) = rest.iter().position(is_end)
                && !rest[end].is_sign(';')
            {
                out.extend(rest[..=end].iter().cloned());
                rest = &rest[end + 1..];
                continue;
            }
            let end = rest.iter().position(|token| token.is_sign(';')).unwrap_or(rest.len());
            let (statement, after) = rest.split_at(end);
            let (ends, after) = after.split_at(after.len().min(1));
            self.statement(statement, ends, &mut out);
            rest = after;
        }
        out
    }

    /// Expands a block in a scope for its declarations.
    pub(super) fn scope(&mut self, tokens: &[Tree]) -> Vec<Tree> {
        let (registers, locals) = (self.registers.len(), self.locals.len());
        let out = self.block(tokens);
        self.registers.truncate(registers);
        self.locals.truncate(locals);
        out
    }

    /// Expands a statement that ends in a semicolon, which may be missing.
    fn statement(&mut self, tokens: &[Tree], ends: &[Tree], out: &mut Vec<Tree>) {
        if let Some(first) = tokens.first().filter(|_| self.inlining.is_outside()) {
            self.rounds.write(first.start());
        }
        let called = self.outside_call(tokens);
        if core::mem::take(&mut self.is_refused) {
            return;
        }
        let tokens = called.as_deref().unwrap_or(tokens);
        let has_attribute = matches!(out.as_slice(), [.., hash, Tree::Group(Delimiter::Bracket, ..)] if hash.is_sign('#'));
        if called.is_none() && self.is_use(tokens, has_attribute) {
            if has_attribute {
                self.refuse(tokens[0].start(), "a fragment is several statements and takes no attribute; write it on the statement in the fragment that needs it");
            }
            let written = self.inlined(tokens);
            self.is_refused = false;
            out.extend(written.unwrap_or_default());
            return;
        }
        let written;
        let tokens = match tokens {
            [at, ..] if at.is_sign('@') => {
                let end = tokens.iter().position(|it| matches!(it, Tree::Group(..)));
                let end = end.map_or(0, |end| end + 1);
                written = [self.with_registers(&tokens[..end]), tokens[end..].to_vec()].concat();
                written.as_slice()
            }
            _ => tokens,
        };
        let (guard, rest) = guard(tokens);
        match rest {
            [Tree::Word(word, at), after @ ..] if word == "lea" => {
                let written = self.lea(guard, *at, after);
                self.is_refused = false;
                out.extend(written.unwrap_or_default());
                return;
            }
            [Tree::Word(word, at), after @ ..] if word == "let" && guard.is_empty() => {
                let written = self.typed_registers(*at, after);
                self.is_refused = false;
                out.extend(written.unwrap_or_default());
                return;
            }
            [dot, Tree::Word(word, _), ..] if dot.is_sign('.') && word == "reg" => {
                out.extend(self.registers_declared(tokens));
            }
            [dot, ..] if dot.is_sign('.') => {
                self.note_local(tokens);
                out.extend(self.operands(tokens));
            }
            _ => {
                let operands = self.operands(tokens);
                if core::mem::take(&mut self.is_refused) {
                    return;
                }
                out.extend(operands);
            }
        }
        out.extend(ends.iter().cloned());
    }

    /// Reports an error in a statement.
    pub(super) fn refuse(&mut self, at: Span, message: impl core::fmt::Display) {
        self.faults.at(at, message);
        self.is_refused = true;
    }

    /// Expands tokens that may contain places, counters, and registers of arrays.
    pub(super) fn operands(&mut self, tokens: &[Tree]) -> Vec<Tree> {
        let mut out = Vec::new();
        let mut rest = tokens;
        while let Some(token) = rest.first() {
            if let Some((register, after)) = self.register(rest) {
                out.extend(register);
                rest = after;
                continue;
            }
            // A modifier follows a dot or a colon.
            let is_modifier = matches!(out.last(), Some(Tree::Sign('.' | ':' | '%' | '$', _)));
            match token {
                Tree::Word(word, at) if !is_modifier && self.counts.is_counter(word) => {
                    out.push(Tree::Number(self.counts.value(word).to_string(), *at));
                }
                Tree::Group(Delimiter::Bracket, inner, open, close) => {
                    // As an operand, `ROW[3]` is PTX syntax.
                    let is_index = matches!(
                        out.as_slice(),
                        [.., Tree::Sign(',' | '%' | '$', _), Tree::Word(..)]
                    );
                    let inner = if is_index { self.operands(inner) } else { self.address(inner) };
                    out.push(Tree::Group(Delimiter::Bracket, inner, *open, *close));
                }
                Tree::Group(delimiter, inner, open, close) => {
                    let inner = self.operands(inner);
                    out.push(Tree::Group(*delimiter, inner, *open, *close));
                }
                Tree::Constant(..) => out.push(self.counted(token)),
                other => out.push(other.clone()),
            }
            rest = &rest[1..];
        }
        out
    }
}

/// Splits a statement into its guard and the tokens that follow.
fn guard(tokens: &[Tree]) -> (&[Tree], &[Tree]) {
    tokens.split_at(tokens.len() - after_guard(tokens).len())
}
