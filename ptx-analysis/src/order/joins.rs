//! Where the paths after a branch meet: at its immediate postdominator, and what may be done until then.

use alloc::vec;
use alloc::vec::Vec;

use ptx_isa::sorted::SortedSet;

use crate::order::step::{Does, Step};

/// The places where paths meet.
#[derive(Debug)]
pub(super) struct Joins {
    /// The next step that all paths from a step pass; the number of steps is the end.
    next: Vec<usize>,
    /// Whether each step leads to a trap.
    fails: Vec<bool>,
}

/// What may be done between a branch and the step where its paths meet.
#[derive(Debug)]
pub(super) struct Between {
    /// Where they meet.
    pub(super) join: usize,
    /// The steps that may be executed.
    pub(super) steps: SortedSet<usize>,
    /// The registers that may be written.
    pub(super) written: SortedSet<usize>,
    /// Whether memory may be written.
    pub(super) stores: bool,
    /// Whether a flag may be waited for.
    pub(super) waits: bool,
    /// Whether there may be a fence.
    pub(super) fences: bool,
}

/// The most steps from one at which a kernel fails to where it does.
const MOST_OF_FAILURE: usize = 32;

/// Whether a step leads to a trap, in a straight line.
fn fails(steps: &[Step], mut at: usize) -> bool {
    for _ in 0..MOST_OF_FAILURE {
        let Some(step) = steps.get(at).filter(|step| step.guard.is_none()) else { return false };
        at = match step.does {
            Does::Traps => return true,
            Does::Jump(to) => to,
            Does::Nothing
            | Does::Lost
            | Does::Changes
            | Does::Load(..)
            | Does::Store(..)
            | Does::Access(_) => at + 1,
            _ => return false,
        };
    }
    false
}

/// Returns the steps that may follow a step in a kernel that does not fail; `fails` tells which steps lead to a trap.
fn after(steps: &[Step], fails: &[bool], at: usize) -> impl Iterator<Item = usize> {
    let fails = |at: usize| fails.get(at).copied().unwrap_or_default();
    let step = &steps[at];
    let (to, continues) = match step.does {
        Does::Jump(to) => (Some(to), step.guard.is_some()),
        Does::Switch(..) | Does::Traps => (None, step.guard.is_some()),
        // A call of what reports that the kernel fails.
        Does::Lost if fails(at + 1) => (None, step.guard.is_some()),
        Does::Ends | Does::Lost => (Some(steps.len()), step.guard.is_some()),
        _ => (None, true),
    };
    let listed = match &step.does {
        Does::Switch(_, listed) => listed,
        _ => &[][..],
    };
    to.into_iter()
        .chain(listed.iter().copied())
        .chain(continues.then_some(at + 1))
        .filter(move |to| !fails(*to))
}

impl Joins {
    pub(super) fn of(steps: &[Step]) -> Self {
        let end = steps.len();
        let fails: Vec<bool> = (0..end).map(|at| fails(steps, at)).collect();
        // The order in which a walk back from the end leaves the steps.
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); end + 1];
        for at in 0..end {
            for to in after(steps, &fails, at) {
                before[to].push(at);
            }
        }
        let mut rank = vec![usize::MAX; end + 1];
        let (mut order, mut open) = (Vec::new(), vec![(end, 0)]);
        let mut seen = vec![false; end + 1];
        seen[end] = true;
        while let Some((at, n)) = open.last_mut() {
            if let Some(from) = before[*at].get(*n).copied() {
                *n += 1;
                if !core::mem::replace(&mut seen[from], true) {
                    open.push((from, 0));
                }
            } else {
                rank[*at] = order.len();
                order.push(*at);
                open.pop();
            }
        }
        let mut next = vec![usize::MAX; end + 1];
        next[end] = end;
        let mut is_changed = true;
        while core::mem::take(&mut is_changed) {
            for at in order.iter().rev().copied().filter(|at| *at != end) {
                let mut joined = None;
                for to in after(steps, &fails, at).filter(|to| next[*to] != usize::MAX) {
                    joined = Some(joined.map_or(to, |other| meet(&next, &rank, to, other)));
                }
                if let Some(joined) = joined
                    && next[at] != joined
                {
                    next[at] = joined;
                    is_changed = true;
                }
            }
        }
        Self { next, fails }
    }

    /// Returns the steps that threads may reach from these.
    pub(super) fn reach(
        &self,
        steps: &[Step],
        from: impl Iterator<Item = usize>,
    ) -> SortedSet<usize> {
        let mut seen = SortedSet::new();
        let mut open: Vec<usize> = from.collect();
        while let Some(at) = open.pop() {
            if at < steps.len() && seen.insert(at) {
                open.extend(after(steps, &self.fails, at));
            }
        }
        seen
    }

    /// Returns what may be done after a branch until its paths meet; `None` if that has to be followed.
    pub(super) fn between(&self, steps: &[Step], branch: usize) -> Option<Between> {
        let join = *self.next.get(branch)?;
        if join >= steps.len() {
            return None;
        }
        let mut found = Between {
            join,
            steps: SortedSet::new(),
            written: SortedSet::new(),
            stores: false,
            waits: false,
            fences: false,
        };
        let mut open: Vec<usize> = after(steps, &self.fails, branch).collect();
        while let Some(at) = open.pop() {
            if at == join || !found.steps.insert(at) {
                continue;
            }
            let step = steps.get(at)?;
            match &step.does {
                Does::Nothing | Does::Jump(_) | Does::Switch(..) => {}
                Does::Fence | Does::FenceProxy => found.fences = true,
                Does::Load(_, to, ..) => to.iter().flatten().for_each(|register| {
                    found.written.insert(*register);
                }),
                Does::Store(..) | Does::Access(_) | Does::Changes => found.stores = true,
                Does::Flag(..) => (found.stores, found.waits) = (true, true),
                _ => return None,
            }
            step.writes.iter().for_each(|(register, _)| {
                found.written.insert(*register);
            });
            open.extend(after(steps, &self.fails, at));
        }
        Some(found)
    }
}

/// Returns the first step that all paths from two steps pass.
fn meet(next: &[usize], rank: &[usize], mut one: usize, mut other: usize) -> usize {
    while one != other {
        while rank[one] < rank[other] {
            one = next[one];
        }
        while rank[other] < rank[one] {
            other = next[other];
        }
    }
    one
}
