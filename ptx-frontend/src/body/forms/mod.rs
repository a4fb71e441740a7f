//! What bodies have that PTX has not: places, `lea`, repetition, registers with Rust types and arrays of
//! them. It is gone before the grammar of PTX reads the tokens: what stands there then is what a reader of
//! the text would have written by hand.

mod constant;
mod count;
mod lea;
mod place;
mod register;
mod repetition;

use std::collections::BTreeMap;

use proc_macro2::{Ident, Span, TokenStream};

use self::count::Counts;
use self::place::Local;
use self::register::Registers;
use super::token::{Delimiter, Faults, Token, join};
use crate::ast::Param;
use crate::integers::Integers;

/// What stands around a body.
#[derive(Clone, Copy)]
pub(crate) struct Around<'f> {
    /// The parameters of its function.
    pub(crate) params: &'f [Param],
    /// What the function returns.
    pub(crate) returns: &'f [Param],
    /// The integers of the module and the function.
    pub(crate) integers: &'f Integers,
}

/// An integer constant that was taken for a number.
pub(crate) struct Taken {
    /// Where.
    pub(crate) at: Span,
    /// The number.
    pub(crate) number: i128,
}

/// Tokens that were written, and what follows those that they stand for.
type Written<'t> = (Vec<Token<Span>>, &'t [Token<Span>]);

/// Writes a body in PTX's own forms.
struct Forms<'f> {
    around: Around<'f>,
    /// The Rust constants, by their numbers.
    constants: &'f mut Vec<TokenStream>,
    faults: &'f mut Faults<Span>,
    counts: Counts,
    registers: Registers,
    /// What the body declares in memory.
    locals: Vec<Local>,
    /// How many statements loops may still write.
    left: usize,
    /// Whether something is wrong with the statement, which is left out then.
    is_refused: bool,
}

/// What stands for the path to the facade.
pub(super) const FACADE: &str = "__PTX";

/// The most statements that the loops of a body may write.
const MOST_STATEMENTS: usize = 1 << 18;

/// Writes a body in PTX's own forms: its tokens, and the constants that were taken for numbers.
pub(super) fn written_out(
    tokens: Vec<Token<Span>>,
    around: Around<'_>,
    constants: &mut Vec<TokenStream>,
    faults: &mut Faults<Span>,
) -> (Vec<Token<Span>>, BTreeMap<String, Taken>) {
    if !has_forms(&tokens, false) {
        return (tokens, BTreeMap::new());
    }
    let mut forms = Forms {
        around,
        constants,
        faults,
        counts: Counts::new(around.integers.clone()),
        registers: Registers::of(around),
        locals: Vec::new(),
        left: MOST_STATEMENTS,
        is_refused: false,
    };
    let tokens = forms.block(&tokens);
    (tokens, forms.counts.taken)
}

/// Whether anything in a body may be a form that PTX has not.
fn has_forms(tokens: &[Token<Span>], in_brackets: bool) -> bool {
    let mut before: Option<&Token<Span>> = None;
    for token in tokens {
        let follows_name = matches!(before, Some(Token::Word(..) | Token::Number(..)));
        let is_form = match token {
            Token::Word(word, _) => {
                matches!(word.as_str(), "for" | "if" | "let" | "lea")
                    || in_brackets && before.is_some_and(|before| before.is_sign('.'))
            }
            Token::Sign('.', _) => before.is_some_and(|before| before.is_sign('.')),
            Token::Group(Delimiter::Bracket, ..) if follows_name => true,
            Token::Group(delimiter, inner, ..) => {
                has_forms(inner, in_brackets || *delimiter == Delimiter::Bracket)
            }
            Token::Number(..) | Token::Text(..) | Token::Sign(..) | Token::Constant(..) => false,
        };
        if is_form {
            return true;
        }
        before = Some(token);
    }
    false
}

impl Forms<'_> {
    /// A block, statement by statement.
    fn block(&mut self, tokens: &[Token<Span>]) -> Vec<Token<Span>> {
        let mut out = Vec::new();
        let mut rest = tokens;
        while let Some(first) = rest.first() {
            if let Token::Group(Delimiter::Brace, inner, open, close) = first {
                let inner = self.scope(inner);
                out.push(Token::Group(Delimiter::Brace, inner, *open, *close));
                rest = &rest[1..];
                continue;
            }
            // An attribute, or a label, before what it stands on.
            if let [hash, attribute @ Token::Group(Delimiter::Bracket, ..), after @ ..] = rest
                && hash.is_sign('#')
            {
                out.extend([hash.clone(), attribute.clone()]);
                rest = after;
                continue;
            }
            if let Some((_, [colon, after @ ..])) = join(rest)
                && colon.is_sign(':')
                && !after.first().is_some_and(|next| next.is_sign(':'))
            {
                out.extend(rest[..rest.len() - after.len()].iter().cloned());
                rest = after;
                continue;
            }
            if let Some(after) = self.repetition(rest, &mut out) {
                rest = after;
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

    /// A block with what is declared in it.
    fn scope(&mut self, tokens: &[Token<Span>]) -> Vec<Token<Span>> {
        let (registers, locals) = (self.registers.len(), self.locals.len());
        let out = self.block(tokens);
        self.registers.truncate(registers);
        self.locals.truncate(locals);
        out
    }

    /// A statement that ends in a semicolon, which may be missing.
    fn statement(
        &mut self,
        tokens: &[Token<Span>],
        ends: &[Token<Span>],
        out: &mut Vec<Token<Span>>,
    ) {
        let (guard, rest) = guard(tokens);
        match rest {
            [Token::Word(word, at), after @ ..] if word == "lea" => {
                let written = self.lea(guard, *at, after);
                self.is_refused = false;
                out.extend(written.unwrap_or_default());
                return;
            }
            [Token::Word(word, at), after @ ..] if word == "let" && guard.is_empty() => {
                let written = self.typed_registers(*at, after);
                self.is_refused = false;
                out.extend(written.unwrap_or_default());
                return;
            }
            [dot, Token::Word(word, _), ..] if dot.is_sign('.') && word == "reg" => {
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

    /// Reports what is wrong with a statement.
    fn refuse(&mut self, at: Span, message: impl core::fmt::Display) {
        self.faults.at(at, message);
        self.is_refused = true;
    }

    /// Tokens in which places, counters, and registers of arrays may stand.
    fn operands(&mut self, tokens: &[Token<Span>]) -> Vec<Token<Span>> {
        let mut out = Vec::new();
        let mut rest = tokens;
        while let Some(token) = rest.first() {
            if let Some((register, after)) = self.register(rest) {
                out.extend(register);
                rest = after;
                continue;
            }
            // Behind a dot or a colon stands a modifier.
            let is_modifier = matches!(out.last(), Some(Token::Sign('.' | ':' | '%' | '$', _)));
            match token {
                Token::Word(word, at) if !is_modifier && self.counts.is_counter(word) => {
                    out.push(Token::Number(self.counts.value(word).to_string(), *at));
                }
                Token::Group(Delimiter::Bracket, inner, open, close) => {
                    // `ROW[3]` as an operand is PTX's own.
                    let is_index = matches!(
                        out.as_slice(),
                        [.., Token::Sign(',' | '%' | '$', _), Token::Word(..)]
                    );
                    let inner = if is_index { self.operands(inner) } else { self.address(inner) };
                    out.push(Token::Group(Delimiter::Bracket, inner, *open, *close));
                }
                Token::Group(delimiter, inner, open, close) => {
                    let inner = self.operands(inner);
                    out.push(Token::Group(*delimiter, inner, *open, *close));
                }
                Token::Constant(..) => out.push(self.counted(token)),
                other => out.push(other.clone()),
            }
            rest = &rest[1..];
        }
        out
    }
}

/// The guard of a statement, and what follows.
fn guard(tokens: &[Token<Span>]) -> (&[Token<Span>], &[Token<Span>]) {
    let [at, after @ ..] = tokens else { return (&[], tokens) };
    if !at.is_sign('@') {
        return (&[], tokens);
    }
    let after = match after {
        [not, after @ ..] if not.is_sign('!') => after,
        after => after,
    };
    match join(after) {
        Some((_, rest)) => tokens.split_at(tokens.len() - rest.len()),
        None => (&[], tokens),
    }
}

/// An identifier with a name of the body.
fn ident(name: &str, at: Span) -> Ident {
    syn::parse_str::<Ident>(name).map_or_else(
        |_| Ident::new_raw(name, at),
        |mut ident| {
            ident.set_span(at);
            ident
        },
    )
}
