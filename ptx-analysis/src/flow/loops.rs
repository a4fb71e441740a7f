//! The loops of a body.

use alloc::vec;
use alloc::vec::Vec;

use ptx_isa::sorted::{SortedMap, SortedSet};

use crate::flow::effects::Jump;
use crate::flow::node::Node;

/// The loop labels of a body.
#[derive(Debug, Default)]
pub(crate) struct Loops {
    /// The last backward jump to each label that has one.
    ends: SortedMap<usize, usize>,
    /// The labels of loops that can be entered other than by their labels.
    entered: SortedSet<usize>,
}

impl Loops {
    pub(crate) fn of(nodes: &[Node<'_>]) -> Self {
        let mut loops = Self::default();
        let (mut jumps, mut is_anywhere) = (Vec::new(), false);
        for (at, node) in nodes.iter().enumerate() {
            let Node::Instruction(resolved) = node else { continue };
            jumps.extend(resolved.target.map(|target| (at, target)));
            is_anywhere |= matches!(resolved.effects.jump, Jump::Anywhere);
            if let (Some(label), None) = (resolved.target, resolved.forwards(at)) {
                loops.ends.insert(label, at);
            }
        }
        if is_anywhere {
            loops.entered.extend(loops.ends.keys());
        } else {
            loops.entered = entered(&loops.ends, &jumps);
        }
        loops
    }

    /// Returns the node of the last backward jump to a label, if it has one.
    pub(crate) fn end(&self, label: usize) -> Option<usize> {
        self.ends.get(&label).copied()
    }

    /// Returns the labels of loops that can only be entered by their labels, and their ends.
    pub(crate) fn closed(&self) -> impl Iterator<Item = (usize, usize)> {
        let is_closed = |(label, _): &(&usize, &usize)| !self.entered.contains(label);
        self.ends.iter().filter(is_closed).map(|(label, end)| (*label, *end))
    }
}

/// Returns the labels of those loops that a jump from outside enters after the label.
fn entered(ends: &SortedMap<usize, usize>, jumps: &[(usize, usize)]) -> SortedSet<usize> {
    // The first and the last jump to each node: if any jump comes from outside, one of them does.
    let mut to: SortedMap<usize, (usize, usize)> = SortedMap::new();
    for (from, target) in jumps {
        let (first, last) = to.entry(*target).or_insert((*from, *from));
        (*first, *last) = ((*first).min(*from), (*last).max(*from));
    }
    let first: Vec<usize> = to.values().map(|(first, _)| *first).collect();
    let last: Vec<usize> = to.values().map(|(_, last)| *last).collect();
    let (first, last) = (Extremes::of(first, usize::min), Extremes::of(last, usize::max));
    let targets: Vec<usize> = to.keys().copied().collect();
    let is_entered = |(label, end): &(&usize, &usize)| {
        let start = targets.partition_point(|target| target <= label);
        let stop = targets.partition_point(|target| target <= end);
        first.over(start, stop).is_some_and(|first| first < **label)
            || last.over(start, stop).is_some_and(|last| last > **end)
    };
    ends.iter().filter(is_entered).map(|(label, _)| *label).collect()
}

/// A sparse table of the minimum or the maximum over each range whose length is a power of two.
struct Extremes {
    levels: Vec<Vec<usize>>,
    which: fn(usize, usize) -> usize,
}

impl Extremes {
    fn of(numbers: Vec<usize>, which: fn(usize, usize) -> usize) -> Self {
        let mut levels = vec![numbers];
        while let Some(last) = levels.last() {
            let others = last.iter().skip(1 << (levels.len() - 1));
            let both = last.iter().zip(others).map(|(one, other)| which(*one, *other));
            let both: Vec<usize> = both.collect();
            if both.is_empty() {
                break;
            }
            levels.push(both);
        }
        Self { levels, which }
    }

    /// Returns the extreme value over `start..stop`.
    fn over(&self, start: usize, stop: usize) -> Option<usize> {
        let level = stop.checked_sub(start)?.checked_ilog2()?;
        let numbers = self.levels.get(usize::try_from(level).ok()?)?;
        let (one, other) = (numbers.get(start)?, numbers.get(stop - (1 << level))?);
        Some((self.which)(*one, *other))
    }
}

#[cfg(test)]
mod tests;
