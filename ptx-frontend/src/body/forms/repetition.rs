//! Loops over numbers and conditions on them, which are expanded before a body is parsed.

use proc_macro2::Span;

use super::super::statements::{after_statement, has_names};
use super::super::token::Delimiter;
use super::super::tree::Tree;
use super::writing::Forms;

/// The advice about the bounds of a loop.
const BOUNDS: &str = "a loop goes over numbers that are known while the macro runs: literals, integer constants of this module that are made of literals, counters of loops around it, and parameters of a `macro_rules!`; for a number that only the kernel knows, write a label, `setp` and `bra`";

/// The maximum number of numbers that a message lists.
const MOST_LISTED: usize = 16;

impl Forms<'_> {
    /// Expands `for i in 0..8 { .. }` or `if i == 0 { .. } else { .. }` at the start of `tokens`. Returns the
    /// tokens that follow.
    pub(super) fn repetition<'t>(
        &mut self,
        tokens: &'t [Tree],
        out: &mut Vec<Tree>,
    ) -> Option<&'t [Tree]> {
        match tokens {
            [Tree::Word(word, at), rest @ ..] if word == "for" => {
                Some(self.repeated(*at, rest, out))
            }
            [Tree::Word(word, at), rest @ ..] if word == "if" => {
                Some(self.chosen(*at, rest, out, true))
            }
            _ => None,
        }
    }

    /// Expands a loop, given the tokens after `for`.
    fn repeated<'t>(&mut self, at: Span, tokens: &'t [Tree], out: &mut Vec<Tree>) -> &'t [Tree] {
        let Some((over, body, after)) = before_block(tokens) else {
            self.faults.at(at, "a loop needs a block: write `for i in 0..8 { .. }`");
            return after_statement(tokens);
        };
        let [Tree::Word(counter, _), Tree::Word(word, _), over @ ..] = over else {
            self.faults.at(at, "a loop needs a counter: write `for i in 0..8 { .. }`");
            return after;
        };
        if word != "in" {
            self.faults.at(at, "a loop needs a range: write `for i in 0..8 { .. }`");
            return after;
        }
        let Some(numbers) = self.numbers(over) else {
            if let Some((at, list)) = self.stepped(over) {
                self.faults.at(at, format_args!("a loop goes over a range or a list, without methods; write `for {counter} in [{list}]`"));
                return after;
            }
            let unknown = self.unknown(over);
            self.faults.over(unknown.unwrap_or((at, at)), BOUNDS);
            return after;
        };
        // As in Rust, `_` binds nothing: in the block it is PTX's sink operand.
        let binds = counter != "_";
        for number in numbers {
            if binds {
                self.counts.enter(counter, number);
            }
            // The rounds of a fragment's own loops are not those of the body.
            let is_own = self.inlining.is_outside();
            let around = is_own.then(|| self.rounds.enter(self.counts.in_words()));
            let round = self.scope(body.inner);
            if let Some(around) = around {
                self.rounds.leave(around);
            }
            if binds {
                self.counts.leave();
            }
            let statements = round.iter().filter(|token| token.is_sign(';')).count();
            let Some(left) = self.left.checked_sub(statements + 1) else {
                self.faults.at(at, "the loops of this body write too many statements; let a loop at run time go around instead");
                return after;
            };
            self.left = left;
            body.put(round, out);
        }
        after
    }

    /// Expands a condition, given the tokens after `if`, of which only the chosen branch is expanded.
    fn chosen<'t>(
        &mut self,
        at: Span,
        tokens: &'t [Tree],
        out: &mut Vec<Tree>,
        is_open: bool,
    ) -> &'t [Tree] {
        let Some((condition, body, after)) = before_block(tokens) else {
            self.faults.at(at, "a condition needs a block: write `if i == 0 { .. }`; for one at run time write a guard, `@%p`");
            return after_statement(tokens);
        };
        let unknown = self.unknown(condition).unwrap_or((at, at));
        let condition = self.rust(condition);
        let holds = if is_open { self.counts.holds(&condition) } else { Some(true) };
        if holds.is_none() {
            self.faults.over(unknown, "a condition is known while the macro runs: it is made of literals, constants of this module that are made of literals, and counters of loops around it; for one at run time write `@%p bra LABEL;`");
        }
        if is_open && holds == Some(true) {
            let inner = self.scope(body.inner);
            body.put(inner, out);
        }
        let is_open = is_open && holds == Some(false);
        match after {
            [Tree::Word(word, _), Tree::Word(next, at), rest @ ..]
                if word == "else" && next == "if" =>
            {
                self.chosen(*at, rest, out, is_open)
            }
            [Tree::Word(word, _), Tree::Group(Delimiter::Brace, inner, open, close), rest @ ..]
                if word == "else" =>
            {
                if is_open {
                    let inner = self.scope(inner);
                    Block { inner: &[], open: *open, close: *close }.put(inner, out);
                }
                rest
            }
            after => after,
        }
    }

    /// The first name without a known value, or else the first token.
    fn unknown(&self, tokens: &[Tree]) -> Option<(Span, Span)> {
        let first = tokens.first()?;
        let n = tokens.iter().position(|token| self.is_unknown(token)).unwrap_or(0);
        if n > 0
            && let (sign @ Tree::Sign('%' | '$', _), word) = (&tokens[n - 1], &tokens[n])
        {
            return Some((sign.start(), word.start()));
        }
        let found = if self.is_unknown(first) { first } else { &tokens[n] };
        match found {
            Tree::Group(_, inner, ..) if self.is_unknown(found) => self.unknown(inner),
            found => Some((found.start(), found.start())),
        }
    }

    /// Whether a token is a name without a known value.
    fn is_unknown(&self, token: &Tree) -> bool {
        match token {
            Tree::Word(word, _) => !self.counts.knows(word),
            Tree::Group(_, inner, ..) => inner.iter().any(|token| self.is_unknown(token)),
            Tree::Number(..)
            | Tree::Text(..)
            | Tree::Sign(..)
            | Tree::Constant(..)
            | Tree::Inlined(..) => false,
        }
    }

    /// The numbers of `0..8`, `0..=7` or `[1, 2, 4]`.
    fn numbers(&mut self, tokens: &[Tree]) -> Option<Vec<i128>> {
        if let [Tree::Group(Delimiter::Bracket, inner, ..)] = tokens {
            let mut items: Vec<&[Tree]> = inner.split(|token| token.is_sign(',')).collect();
            if items.last().is_some_and(|last| last.is_empty()) {
                items.pop();
            }
            return items.into_iter().map(|item| self.number(item)).collect();
        }
        self.range(tokens).map(Iterator::collect)
    }

    /// The list of the numbers of `(0..16).step_by(4)`, and the place of the method.
    fn stepped(&mut self, tokens: &[Tree]) -> Option<(Span, String)> {
        let [Tree::Group(Delimiter::Parenthesis, range, ..), dot, Tree::Word(method, at), call] =
            tokens
        else {
            return None;
        };
        let Tree::Group(Delimiter::Parenthesis, step, ..) = call else { return None };
        if !dot.is_sign('.') || method != "step_by" {
            return None;
        }
        let (range, step) = (self.range(range)?, self.number(step)?);
        let step = usize::try_from(step).ok().filter(|step| *step > 0)?;
        let mut numbers: Vec<String> =
            range.step_by(step).take(MOST_LISTED + 1).map(|number| number.to_string()).collect();
        if numbers.len() > MOST_LISTED {
            numbers.truncate(MOST_LISTED);
            numbers.push("..".to_owned());
        }
        Some((*at, numbers.join(", ")))
    }

    /// The numbers of `0..8` or `0..=7`.
    pub(super) fn range(&mut self, tokens: &[Tree]) -> Option<core::ops::Range<i128>> {
        let dots = |two: &[Tree]| two[0].is_sign('.') && two[1].is_sign('.');
        let at = tokens.windows(2).position(dots)?;
        let (first, last) = (&tokens[..at], &tokens[at + 2..]);
        let (last, more) = match last {
            [equals, last @ ..] if equals.is_sign('=') => (last, 1),
            last => (last, 0),
        };
        let (first, end) = (self.number(first)?, self.number(last)?.checked_add(more)?);
        // No body has a larger loop.
        (end.saturating_sub(first) <= 1 << 18).then_some(first..end)
    }
}

/// A block in braces.
struct Block<'t> {
    inner: &'t [Tree],
    open: Span,
    close: Span,
}

impl Block<'_> {
    /// Appends an expansion of the block, in braces if it declares names of its own.
    fn put(&self, inner: Vec<Tree>, out: &mut Vec<Tree>) {
        if has_names(&inner) {
            out.push(Tree::Group(Delimiter::Brace, inner, self.open, self.close));
        } else {
            out.extend(inner);
        }
    }
}

/// The tokens before a block, the block, and the tokens that follow.
type Around<'t> = (&'t [Tree], Block<'t>, &'t [Tree]);

/// Splits tokens into those before the next block, the block, and those that follow.
fn before_block(tokens: &[Tree]) -> Option<Around<'_>> {
    let is_end =
        |token: &Tree| token.is_sign(';') || matches!(token, Tree::Group(Delimiter::Brace, ..));
    let at = tokens.iter().position(is_end)?;
    let Tree::Group(_, inner, open, close) = &tokens[at] else { return None };
    let block = Block { inner, open: *open, close: *close };
    Some((&tokens[..at], block, &tokens[at + 1..]))
}
