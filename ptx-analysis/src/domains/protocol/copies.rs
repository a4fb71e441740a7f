//! Asynchronous copies: accesses to their sources and destinations before they complete, and proxy fences.

use alloc::vec;
use alloc::vec::Vec;

use ptx_isa::instruction::{Direction, Group, Order};
use ptx_isa::rules::protocol::{Disorder, Unwaited};
use ptx_isa::sorted::{SortedMap, SortedSet};

use super::Protocol;
use super::events::{Access, By, Does, Events};
use super::span::Span;
use crate::flow::effects::Action;
use crate::flow::effort::Effort;
use crate::flow::node::Node;

/// The maximum number of nodes visited, per node of a body and in addition, to find out whether a copy is waited for.
const MOST_STEPS: (usize, usize) = (64, 65);

/// The maximum number of committed groups that are counted.
const MOST_GROUPS: i128 = 64;

/// The completion status of a thread's copies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Pending {
    /// The maximum number of groups committed since the first of the copies, if any is pending.
    groups: Option<i128>,
    /// The maximum number of groups that a wait since then leaves pending, if there is a wait.
    left: Option<i128>,
}

impl Pending {
    const NONE: Self = Self { groups: None, left: None };

    fn join(self, other: Self) -> Self {
        Self { groups: self.groups.max(other.groups), left: self.left.max(other.left) }
    }
}

impl Protocol<'_, '_, '_, '_, '_> {
    /// Returns the status of the copies at these nodes when a thread reaches a node after them, the first time or, if
    /// that may be about other bytes, later; `None` if something may have waited for them, even in another role of the
    /// block, or if there are none.
    fn pending(
        &mut self,
        of: Group,
        copies: &[usize],
        (at, is_first): (usize, bool),
    ) -> Option<Pending> {
        let nodes = self.graph.nodes;
        let ways = self.graph.before(at)?;
        let mut before: Vec<Option<Pending>> = vec![None; nodes.len()];
        let mut left: Vec<usize> = copies.to_vec();
        for copy in copies {
            before[*copy] = Some(Pending::NONE);
        }
        let mut effort = Effort::of(nodes.len(), MOST_STEPS);
        while let Some(node) = left.pop() {
            let Some(known) = before[node] else { continue };
            effort.step()?;
            if node == at && is_first {
                continue;
            }
            let mut after = known;
            if copies.contains(&node) {
                after.groups = after.groups.max(Some(0));
            }
            if let Node::Instruction(resolved) = &nodes[node] {
                // Threads may wait for their copies of one tile in their own role; a thread that overwrites the source
                // of another's copy comes after that thread.
                let counts = of == Group::Copies || node == at || ways.reaches(node);
                match resolved.effects.order() {
                    Some((Order::Commit(group), _)) if group == of => {
                        after.groups = after.groups.map(|n| (n + 1).min(MOST_GROUPS));
                    }
                    Some((Order::Wait(group, _), amount)) if group == of && counts => {
                        let leaves = amount.known()?;
                        if after.groups > Some(leaves) || leaves >= MOST_GROUPS {
                            return None;
                        }
                        after.left = after.left.max(Some(leaves));
                    }
                    Some((Order::WaitAll(group), _)) if group == of => {
                        return None;
                    }
                    _ => {}
                }
                // A `cp.async.mbarrier.arrive` makes an mbarrier wait for the copies.
                let is_wait = matches!(resolved.effects.action, Action::Wait(_));
                if of == Group::Copies && is_wait {
                    return None;
                }
            }
            for to in self.graph.next(node, &[]).flatten() {
                let joined = before[to].map_or(after, |known| known.join(after));
                if before[to] != Some(joined) {
                    before[to] = Some(joined);
                    left.push(to);
                }
            }
        }
        before[at].filter(|pending| pending.groups.is_some())
    }

    /// Checks reads of data that `cp.async` copies.
    pub(super) fn copied(&mut self) {
        let accesses = &self.events.accesses;
        let mut reported = SortedSet::new();
        for read in accesses {
            let is_read =
                read.is_data && read.by == By::Thread && read.direction == Direction::Read;
            if !is_read || !read.span.is_own_shared() || reported.contains(&read.span.of) {
                continue;
            }
            let writers =
                accesses.iter().filter(|it| it.writes() && it.span.may_overlap(&read.span));
            let writers: Vec<&Access> = writers.collect();
            if writers.is_empty() || writers.iter().any(|it| it.by != By::Copy) {
                continue;
            }
            // Where all threads are followed, it is known whether one reads what is copied.
            if self.is_unordered.is_some_and(|is_unordered| !is_unordered(read.event.node)) {
                continue;
            }
            let Some(object) = read.span.object(self.checker) else { continue };
            let copies: Vec<usize> = writers.iter().map(|it| it.event.node).collect();
            // A loop may read one half while it copies to the other, and wait at its end.
            let is_fixed = read.span.is_fixed && writers.iter().all(|it| it.span.is_fixed);
            let is_first = is_fixed || writers.iter().any(|it| it.span.must_overlap(&read.span));
            let at = (read.event.node, is_first);
            let Some(pending) = self.pending(Group::Copies, &copies, at) else { continue };
            let unwaited = match pending {
                Pending { groups: Some(0), .. } => Unwaited::NotCommitted,
                Pending { left: Some(left), .. } => Unwaited::Leaves(left),
                Pending { .. } => Unwaited::NoWait,
            };
            reported.insert(read.span.of);
            let what = Disorder::ReadBeforeWait(unwaited);
            self.report(object.name(), what, read.event.place, &read.event);
        }
    }

    /// Checks reads of data that bulk copies bring which complete on mbarriers for which nothing waits.
    pub(super) fn completed(&mut self) {
        let Events { uses, accesses, .. } = self.events;
        let is_awaited = |barrier: &Span| {
            let mut waits = uses.iter().filter(|it| matches!(it.does, Does::Wait(_)));
            !barrier.is_exact() || waits.any(|wait| wait.span.may_overlap(barrier))
        };
        let copies: SortedMap<usize, bool> = uses
            .iter()
            .filter(|it| matches!(it.does, Does::Copy))
            .map(|it| (it.event.node, is_awaited(&it.span)))
            .collect();
        if copies.values().all(|is_awaited| *is_awaited) {
            return;
        }
        let nodes = self.graph.nodes;
        // An ordered read may poll.
        let is_ordered = |node: usize| {
            let order = nodes[node].instruction().and_then(|it| it.effects.order());
            matches!(order, Some((Order::Threads, _)))
        };
        let mut reported = SortedSet::new();
        for read in accesses.iter().filter(|it| it.is_data && it.direction == Direction::Read) {
            let at = read.event.node;
            if !read.span.is_own_shared() || reported.contains(&read.span.of) || is_ordered(at) {
                continue;
            }
            let writers =
                accesses.iter().filter(|it| it.writes() && it.span.may_overlap(&read.span));
            let writers: Vec<usize> = writers.map(|it| it.event.node).collect();
            if writers.iter().any(|writer| copies.get(writer) != Some(&false)) {
                continue;
            }
            let Some(object) = read.span.object(self.checker) else { continue };
            for copy in writers {
                let Some(walk) = self.graph.after(copy, &[], |_| true) else { return };
                if walk.reaches(at) && reported.insert(read.span.of) {
                    let what = Disorder::CompletionNotAwaited;
                    self.report(object.name(), what, read.event.place, &read.event);
                }
            }
        }
    }

    /// Checks writes to the sources of bulk copies.
    pub(super) fn overwritten(&mut self) {
        let accesses = &self.events.accesses;
        let mut reported = SortedSet::new();
        let is_source = |it: &&Access| {
            it.by == By::BulkGroup && it.direction == Direction::Read && it.span.is_exact()
        };
        for copy in accesses.iter().filter(is_source) {
            for write in accesses.iter().filter(|it| it.writes() && it.is_data) {
                if !write.span.must_overlap(&copy.span)
                    || reported.contains(&write.event.node)
                    || self.leads_to(copy, write) != Some(true)
                {
                    continue;
                }
                let Some(object) = write.span.object(self.checker) else { continue };
                let from = [copy.event.node];
                if self.pending(Group::Bulk, &from, (write.event.node, true)).is_some() {
                    reported.insert(write.event.node);
                    let place = write.event.place;
                    self.report(object.name(), Disorder::SourceOverwritten, place, &write.event);
                }
            }
        }
    }

    /// Whether a thread that executes the first access certainly reaches the second, at the latest in the next
    /// iteration of a loop; `None` if the budget is exhausted.
    fn leads_to(&mut self, first: &Access, second: &Access) -> Option<bool> {
        let (copy, write) = (first.event.node, second.event.node);
        let known = &first.event.launch;
        if second.event.is_guarded && second.event.launch.is_empty() {
            return Some(false);
        }
        let after = self.graph.after(copy, known, |node| node != write)?;
        if after.reaches(write) && !after.ends {
            return Some(true);
        }
        // In a loop that contains both, on every path.
        Some(
            after.reaches(write)
                && !after.reaches(copy)
                && self.graph.after(write, known, |_| true)?.reaches(copy)
                && !self.graph.after(write, known, |node| node != copy)?.reaches(write),
        )
    }

    /// Checks reads through the async proxy of data written through the generic proxy.
    pub(super) fn fenced(&mut self) {
        let accesses = &self.events.accesses;
        let nodes = self.graph.nodes;
        let is_fence = |node: usize| {
            let order = nodes[node].instruction().and_then(|it| it.effects.order());
            matches!(order, Some((Order::Proxies, _)))
        };
        let mut reported = SortedSet::new();
        for read in accesses {
            let is_async = matches!(read.by, By::BulkGroup | By::Other);
            let is_read = is_async && read.is_data && read.direction == Direction::Read;
            if !is_read || !read.span.is_own_shared() || reported.contains(&read.span.of) {
                continue;
            }
            let writers =
                accesses.iter().filter(|it| it.writes() && it.span.may_overlap(&read.span));
            let writers: Vec<&Access> = writers.filter(|it| it.is_data).collect();
            if writers.is_empty() || writers.iter().any(|it| it.by != By::Thread) {
                continue;
            }
            let Some(object) = read.span.object(self.checker) else { continue };
            let (mut is_written, mut is_fenced) = (false, false);
            for write in writers {
                let at = read.event.node;
                let Some(walk) = self.graph.after(write.event.node, &[], |node| node != at) else {
                    return;
                };
                is_written |= walk.reaches(at) && write.span.is_own_shared();
                is_fenced |= walk.nodes().any(is_fence);
            }
            if is_written && !is_fenced {
                reported.insert(read.span.of);
                let place = read.event.place;
                self.report(object.name(), Disorder::ProxyNotFenced, place, &read.event);
            }
        }
    }
}
