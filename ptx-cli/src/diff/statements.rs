//! The statements of two functions side by side, as they are written.

use ptx_isa::ir::Site;
use ptx_text::PieceKind;

use super::body::{Body, Reference};
use super::compare::{Difference, Renamed, Step};
use super::comparison::Comparison;
use super::file::{File, SymbolKind};

/// A statement of one file or of both.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    /// Its line in each file, from 1.
    pub(super) lines: [Option<u32>; 2],
    /// As it is written: in B, if it is in both.
    pub(super) text: String,
    pub(super) notes: Vec<String>,
}

/// The statements of a function of both files.
pub(super) struct Statements<'c, 'a> {
    files: [&'c File<'a>; 2],
    bodies: [&'c Body<'a>; 2],
    functions: [usize; 2],
}

impl<'c, 'a> Statements<'c, 'a> {
    /// Those of a function; `None` if only one file has it.
    pub(super) fn of(comparison: &Comparison<'c, 'a>, symbols: [Option<usize>; 2]) -> Option<Self> {
        let [Some(a), Some(b)] = symbols else { return None };
        let of = |side: usize, n: usize| {
            let symbol = &comparison.files[side].symbols[n];
            match &symbol.of {
                SymbolKind::Function(_, body) => Some((body, symbol.site.function()?)),
                SymbolKind::Variable(_) => None,
            }
        };
        let ((one, f), (other, g)) = (of(0, a)?, of(1, b)?);
        Some(Self { files: comparison.files, bodies: [one, other], functions: [f, g] })
    }

    /// The digits of the greatest line number.
    pub(super) fn width(&self, difference: &Difference) -> usize {
        let lines = difference.steps.iter().rev().take(2).flat_map(|step| match step {
            Step::Same(a, b) => vec![self.line(0, *a), self.line(1, *b)],
            Step::Removed(a) => vec![self.line(0, *a)],
            Step::Added(b) => vec![self.line(1, *b)],
        });
        let last = [0, 1].map(|side| {
            self.bodies[side].lines.len().checked_sub(1).map_or(0, |n| self.line(side, n))
        });
        lines.chain(last).max().unwrap_or(0).to_string().len()
    }

    /// The statements that differ, with so many around them.
    pub(super) fn hunks(&self, difference: &Difference, context: usize) -> Vec<Vec<Shown>> {
        let steps = &difference.steps;
        let mut is_near = vec![false; steps.len()];
        for (n, step) in steps.iter().enumerate() {
            if !matches!(step, Step::Same(..)) {
                let end = steps.len().min(n.saturating_add(context).saturating_add(1));
                is_near[n.saturating_sub(context)..end].fill(true);
            }
        }
        let mut hunks: Vec<Vec<Shown>> = Vec::new();
        let mut was_near = false;
        let (mut n, mut renamed) = (0, difference.renamed.iter().peekable());
        while n < steps.len() {
            if !is_near[n] {
                (was_near, n) = (false, n + 1);
                continue;
            }
            if !was_near {
                hunks.push(Vec::new());
            }
            was_near = true;
            let Some(hunk) = hunks.last_mut() else { break };
            if let Step::Same(a, b) = steps[n] {
                hunk.push(self.shown([Some(a), Some(b)], Vec::new()));
                n += 1;
                continue;
            }
            // What is removed stands before what is added.
            let end = steps[n..].iter().position(|step| matches!(step, Step::Same(..)));
            let end = end.map_or(steps.len(), |length| n + length);
            for step in &steps[n..end] {
                if let Step::Removed(a) = step {
                    hunk.push(self.shown([Some(*a), None], Vec::new()));
                }
            }
            for step in &steps[n..end] {
                if let Step::Added(b) = step {
                    let mut notes = Vec::new();
                    while let Some(renamed) = renamed.next_if(|renamed| renamed.line == *b) {
                        notes.push(self.note(renamed));
                    }
                    hunk.push(self.shown([None, Some(*b)], notes));
                }
            }
            n = end;
        }
        hunks
    }

    fn shown(&self, lines: [Option<usize>; 2], notes: Vec<String>) -> Shown {
        let at = [0, 1].map(|side| lines[side].map(|n| self.line(side, n)));
        let text = match lines {
            [_, Some(n)] => self.text(1, n),
            [Some(n), None] => self.text(0, n),
            [None, None] => String::new(),
        };
        Shown { lines: at, text, notes }
    }

    fn site(&self, side: usize, n: usize) -> Site {
        let line = &self.bodies[side].lines[n];
        Site::Tokens {
            function: self.functions[side],
            statement: line.statement,
            tokens: line.tokens,
        }
    }

    fn line(&self, side: usize, n: usize) -> u32 {
        self.files[side].line(self.site(side, n))
    }

    /// A statement as it is written, on one line and without comments.
    fn text(&self, side: usize, n: usize) -> String {
        let parsed = self.files[side].parsed;
        let range = parsed.locate(self.site(side, n));
        let mut text = String::new();
        let mut is_spaced = false;
        for piece in ptx_text::Lexer::new(&parsed.text()[range.clone()]) {
            if piece.kind.is_trivia() {
                is_spaced = true;
                continue;
            }
            if std::mem::take(&mut is_spaced) && !text.is_empty() {
                text.push(' ');
            }
            text.push_str(&parsed.text()[range.start..][piece.at.range()]);
        }
        let mut rest = ptx_text::Lexer::new(&parsed.text()[range.end..]);
        let next = rest.find(|piece| !piece.kind.is_trivia());
        let next = next.filter(|piece| piece.kind == PieceKind::Sign);
        let next = next.map(|piece| &parsed.text()[range.end..][piece.at.range()]);
        text.extend(next.filter(|sign| matches!(*sign, ";" | ":")));
        text
    }

    fn note(&self, renamed: &Renamed) -> String {
        let name = |side: usize, reference: Reference| match reference {
            Reference::Own(n) => self.bodies[side].entities[n].name,
            Reference::Symbol(n) => self.files[side].symbols[n].name,
        };
        let (from, to) = (name(0, renamed.from), name(1, renamed.to));
        let elsewhere = renamed.elsewhere.map(|reference| name(1, reference));
        let before = renamed.before.map(|reference| name(0, reference));
        match (elsewhere, before) {
            (Some(elsewhere), _) => {
                format!("`{from}` is `{to}` here, and `{elsewhere}` elsewhere")
            }
            (None, Some(before)) => {
                format!("`{to}` stands for `{from}` here, and for `{before}` elsewhere")
            }
            (None, None) => format!("`{from}` is `{to}` here"),
        }
    }
}
