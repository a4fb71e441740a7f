//! Findings in statements that a loop of the body writes several times: each is reported once, with the rounds.

use ptx_isa::sorted::{SortedMap, SortedSet};

use proc_macro2::{LineColumn, Span};
use ptx_analysis::Place;
use ptx_isa::ir::body::TokenRange;

use crate::body::Body;

/// The findings that are reported, each with what to add to its message.
pub(super) struct Once<'b> {
    body: &'b Body,
    /// For each statement in a loop, how many statements before it were written by the same one, and how many were in all.
    copies: Vec<(usize, usize)>,
}

impl<'b> Once<'b> {
    pub(super) fn new(body: &'b Body, statements: usize) -> Self {
        if body.rounds.is_empty() {
            return Self { body, copies: Vec::new() };
        }
        let mut totals: SortedMap<LineColumn, usize> = SortedMap::new();
        let starts: Vec<Option<LineColumn>> =
            (0..statements).map(|n| start(body, n).map(|start| start.start())).collect();
        let before: Vec<usize> = starts
            .iter()
            .map(|start| {
                let total = start.map(|start| totals.entry(start).or_default());
                total.map_or(0, |total| std::mem::replace(total, *total + 1))
            })
            .collect();
        let total =
            |start: &Option<LineColumn>| start.and_then(|start| totals.get(&start).copied());
        let copies = before.into_iter().zip(&starts);
        Self {
            body,
            copies: copies.map(|(before, start)| (before, total(start).unwrap_or(1))).collect(),
        }
    }

    /// The first of the findings of one rule at the same tokens of a loop, each with what to add to its message.
    pub(super) fn first<T>(
        &self,
        found: impl IntoIterator<Item = (Place, Option<&'static str>, T)>,
    ) -> Vec<(T, String)> {
        let mut kept: Vec<(T, Option<&str>, usize)> = Vec::new();
        let mut passed: SortedSet<(LineColumn, LineColumn, &'static str)> = SortedSet::new();
        let mut firsts: SortedMap<(LineColumn, LineColumn, &'static str, usize), usize> =
            SortedMap::new();
        for (place, code, finding) in found {
            let round = self.round(place.statement);
            // What is wrong with an operand that is passed to a fragment is wrong wherever the fragment names it.
            if let (Some((from, to)), Some(code)) = (self.body.operand_of_fragment(place), code)
                && round.is_none()
                && !passed.insert((from.start(), to.end(), code))
            {
                continue;
            }
            let tokens = self.body.at(place).filter(|_| round.is_some());
            if let (Some((from, to)), Some(code)) = (tokens, code) {
                let key = (
                    from.start(),
                    to.end(),
                    code,
                    self.body.statement_of_fragment(place.statement),
                );
                let first = *firsts.entry(key).or_insert(kept.len());
                if let Some((.., more)) = kept.get_mut(first) {
                    *more += 1;
                    continue;
                }
            }
            kept.push((finding, round, 0));
        }
        kept.into_iter().map(|(finding, round, more)| (finding, suffix(round, more))).collect()
    }

    /// The counters in the round that wrote a statement; `None` outside loops.
    fn round(&self, statement: usize) -> Option<&'b str> {
        let (before, copies) = *self.copies.get(statement)?;
        let mut rounds = self.body.rounds.of(start(self.body, statement)?);
        let count = rounds.len();
        // One statement of the source may be several in PTX.
        (count > 0 && copies % count == 0).then(|| rounds.nth(before / (copies / count)))?
    }
}

/// The first token of a statement.
fn start(body: &Body, statement: usize) -> Option<Span> {
    body.at(Place::new(statement, TokenRange::one(0))).map(|(start, _)| start)
}

/// The counters of the first round, and the number of the others in which the same is wrong.
fn suffix(round: Option<&str>, more: usize) -> String {
    let rounds = if more == 1 { "iteration" } else { "iterations" };
    match (round, more) {
        (None | Some(""), 0) => String::new(),
        (None | Some(""), more) => format!(" (and in {more} more {rounds})"),
        (Some(counters), 0) => format!(" (where {counters})"),
        (Some(counters), more) => format!(" (where {counters}, and in {more} more {rounds})"),
    }
}
