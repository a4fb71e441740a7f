//! Groups of the copies of a warp's threads: each thread commits and waits for its own (PTX ISA 9.7.9.25.3).

use alloc::collections::VecDeque;
use alloc::vec;
use alloc::vec::Vec;

use crate::order::lanes::Mask;

/// The copies of a kind of a warp, which have times in order.
#[derive(Clone, Debug)]
pub(super) struct Groups {
    /// The time of the last copy.
    time: u32,
    /// The groups of threads that have done the same.
    threads: Vec<(Mask, Pending)>,
}

/// The copies that were not waited for, each group by the time of its first one.
#[derive(Clone, Debug, Default)]
struct Pending {
    /// Those that are not committed.
    open: Option<u32>,
    groups: VecDeque<Option<u32>>,
}

/// The most groups that are told apart: more than any wait leaves.
const MOST_GROUPS: usize = 64;

impl Groups {
    pub(super) fn new() -> Self {
        Self { time: 0, threads: vec![(Mask::MAX, Pending::default())] }
    }

    /// Does something with the copies of these threads.
    fn each(&mut self, mask: Mask, mut does: impl FnMut(&mut Pending)) {
        for n in 0..self.threads.len() {
            let (all, pending) = &mut self.threads[n];
            let (these, others) = (*all & mask, *all & !mask);
            if these == 0 {
                continue;
            }
            let before = (others != 0).then(|| pending.clone());
            *all = these;
            does(pending);
            if let Some(before) = before {
                self.threads.push((others, before));
            }
        }
    }

    /// Starts a copy of these threads, and returns its time.
    pub(super) fn copy(&mut self, mask: Mask) -> u32 {
        self.time += 1;
        let time = self.time;
        self.each(mask, |pending| {
            pending.open.get_or_insert(time);
        });
        time
    }

    /// Commits the copies of these threads.
    pub(super) fn commit(&mut self, mask: Mask) {
        self.each(mask, |pending| {
            let group = pending.open.take();
            pending.groups.push_back(group);
            if pending.groups.len() > MOST_GROUPS
                && let Some(oldest @ Some(_)) = pending.groups.pop_front()
                && let Some(next) = pending.groups.front_mut()
            {
                *next = oldest;
            }
        });
    }

    /// Waits in these threads until at most so many groups are pending.
    pub(super) fn wait(&mut self, mask: Mask, left: usize) {
        self.each(mask, |pending| {
            while pending.groups.len() > left {
                pending.groups.pop_front();
            }
        });
    }

    /// Waits in these threads for all copies.
    pub(super) fn wait_all(&mut self, mask: Mask) {
        self.each(mask, |pending| *pending = Pending::default());
    }

    /// Returns the time up to which all copies were waited for.
    pub(super) fn reached(&self) -> u32 {
        let pending = |(_, pending): &(Mask, Pending)| {
            pending.groups.iter().flatten().chain(&pending.open).copied().next()
        };
        self.threads.iter().filter_map(pending).min().map_or(self.time, |first| first - 1)
    }

    /// Returns the time of the last copy.
    pub(super) const fn time(&self) -> u32 {
        self.time
    }
}
