//! The rounds of loops, and the statements that they write.

use ptx_isa::sorted::SortedMap;

use proc_macro2::{LineColumn, Span};

/// The rounds in which a body's loops write their statements.
#[derive(Debug, Default)]
pub struct Rounds {
    /// The counters of each round in words, `` `i` is 1 ``; empty without a counter.
    counters: Vec<String>,
    /// The round that is being written.
    round: Option<usize>,
    /// For each statement in a loop, by the place at which it starts, the rounds that wrote it.
    written: SortedMap<LineColumn, Vec<usize>>,
}

impl Rounds {
    /// Starts a round, in which the counters have these values. Returns the one around it, for [`leave`](Self::leave).
    pub(super) fn enter(&mut self, counters: String) -> Option<usize> {
        self.counters.push(counters);
        self.round.replace(self.counters.len() - 1)
    }

    /// Ends a round.
    pub(super) fn leave(&mut self, around: Option<usize>) {
        self.round = around;
    }

    /// Notes that a statement is written.
    pub(super) fn write(&mut self, start: Span) {
        if let Some(round) = self.round {
            self.written.entry(start.start()).or_default().push(round);
        }
    }

    /// The counters in the rounds that wrote the statement that starts here, in order; empty outside loops.
    pub(crate) fn of(&self, start: Span) -> impl ExactSizeIterator<Item = &str> {
        let rounds = self.written.get(&start.start()).map_or(&[][..], Vec::as_slice);
        rounds.iter().map(|round| self.counters[*round].as_str())
    }

    /// Whether there are no loops.
    pub(crate) fn is_empty(&self) -> bool {
        self.written.is_empty()
    }
}
