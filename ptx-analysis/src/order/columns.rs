//! The columns of tensor memory that blocks hold (PTX ISA 9.7.16.7).

use ptx_isa::sorted::SortedMap;

use crate::order::fault::{Fault, Kind};

/// The columns of the tensor memory of a block.
const COLUMNS: u64 = 512;

/// The fewest columns that are allocated.
const LEAST: u64 = 32;

/// Whether so many columns can be allocated.
pub(super) fn is_allocated(columns: u64) -> bool {
    columns.is_power_of_two() && (LEAST..=COLUMNS).contains(&columns)
}

/// The columns that blocks hold. None is given twice, so that uses of freed ones do not conflict with later ones.
#[derive(Debug, Default)]
pub(super) struct Columns {
    /// For each block, how many it holds, and the step that has allocated the last.
    held: SortedMap<u64, (u64, usize)>,
    /// The first one that was never given.
    next: u64,
}

impl Columns {
    /// Returns how many a block holds.
    pub(super) fn of(&self, block: u64) -> u64 {
        self.held.get(&block).map_or(0, |(count, _)| *count)
    }

    /// Gives a block so many at a step, and returns the first; `None` if there are not as many.
    pub(super) fn allocate(&mut self, block: u64, count: u64, step: usize) -> Option<u64> {
        let held = self.of(block).checked_add(count).filter(|held| *held <= COLUMNS)?;
        *self.held.entry(block).or_default() = (held, step);
        let first = self.next;
        self.next += count;
        Some(first)
    }

    /// Takes so many from a block; returns false if it was given none.
    pub(super) fn free(&mut self, block: u64, count: u64) -> bool {
        let Some((held, _)) = self.held.get_mut(&block) else { return false };
        *held = held.saturating_sub(count);
        true
    }

    /// Returns the faults of blocks that hold some at their ends.
    pub(super) fn never_freed(&self) -> impl Iterator<Item = Fault> {
        let held = self.held.values().filter(|(count, _)| *count > 0);
        held.map(|(count, step)| Fault::new(Kind::NotFreed(*count), *step, None))
    }
}
