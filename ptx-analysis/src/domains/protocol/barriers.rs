//! The lifecycle of `mbarrier` objects: how they are initialised, invalidated, and waited for.

use alloc::vec::Vec;

use ptx_isa::rules::protocol::Disorder;
use ptx_isa::sorted::SortedSet;

use super::Protocol;
use super::events::{Does, Use};
use crate::flow::node::{Referent, Resolved};
use crate::flow::place::Place;

impl Protocol<'_, '_, '_, '_, '_> {
    /// Checks for waits whose results nothing reads.
    pub(super) fn answers(&mut self) {
        let waits = self.events.uses.iter().filter(|it| matches!(it.does, Does::Wait(_)));
        let waits: Vec<Use> = waits.cloned().collect();
        for it in &waits {
            let Use { event, span, does: Does::Wait(Some(register)) } = it else { continue };
            let register = *register;
            // A test that is only an optimisation, next to a real wait.
            let is_other =
                |other: &Use| other.event.node != event.node && other.span.may_overlap(span);
            if waits.iter().any(is_other) {
                continue;
            }
            let nodes = self.graph.nodes;
            let writes = |node: usize| {
                nodes[node]
                    .instruction()
                    .is_some_and(|it| it.written.contains(&register) && it.effects.guard.is_none())
            };
            let Some(walk) = self.graph.after(event.node, &[], |node| !writes(node)) else {
                return;
            };
            let reads =
                |node: usize| nodes[node].instruction().is_some_and(|it| reads(it, register));
            if !walk.nodes().any(reads)
                && let Some(resolved) = nodes[event.node].instruction()
                && let Some(name) = resolved.effects.writes.first()
            {
                let place = Place::new(event.place.statement, name.at());
                self.report(name.text, Disorder::AnswerUnused, place, event);
            }
        }
    }

    /// Checks for mbarriers that are initialised twice, used after invalidation, or never initialised.
    pub(super) fn lives(&mut self) {
        let uses = self.events.uses.clone();
        let mut never = SortedSet::new();
        for it in uses.iter().filter(|it| it.span.is_exact()) {
            let Some(object) = it.span.object(self.checker) else { continue };
            let is_init = matches!(it.does, Does::Init);
            let others = || uses.iter().filter(|other| other.event.node != it.event.node);
            let is_before = |wanted: fn(&Does) -> bool| {
                others().filter(move |other| {
                    wanted(&other.does) && !other.event.is_guarded && other.span.is_same(&it.span)
                })
            };
            let inits = || {
                uses.iter().filter(|other| {
                    matches!(other.does, Does::Init) && other.span.may_overlap(&it.span)
                })
            };
            if is_init {
                // Other threads may invalidate it, wherever they are.
                let is_ended = others().any(|other| {
                    other.does == Does::Invalidate && other.span.may_overlap(&it.span)
                });
                let is_overwritten = || {
                    self.events.accesses.iter().any(|access| {
                        access.is_data && access.writes() && access.span.may_overlap(&it.span)
                    })
                };
                if !is_ended
                    && !is_overwritten()
                    && is_before(|does| matches!(does, Does::Init))
                        .any(|first| self.graph.all_over(first.event.node, it.event.node))
                {
                    let place = it.event.place;
                    self.report(object.name(), Disorder::InitialisedTwice, place, &it.event);
                }
            }
            let is_end = it.does == Does::Invalidate;
            for end in is_before(|does| *does == Does::Invalidate) {
                // Other threads may initialise it after that.
                let Some(after) = self.graph.after(end.event.node, &[], |_| true) else { return };
                let Some(before) = self.graph.before(end.event.node) else { return };
                let is_over = !inits().any(|init| after.reaches(init.event.node));
                let are_before = inits().all(|init| before.reaches(init.event.node));
                if !is_end
                    && is_over
                    && are_before
                    && self.graph.all_over(end.event.node, it.event.node)
                {
                    let place = it.event.place;
                    self.report(object.name(), Disorder::UsedAfterInval, place, &it.event);
                    break;
                }
            }
            let is_used_first = |init: &Use| {
                !it.event.is_guarded && self.graph.all_over(it.event.node, init.event.node)
            };
            if !is_end && inits().all(is_used_first) && never.insert(it.span.of) {
                let place = it.event.place;
                self.report(object.name(), Disorder::NeverInitialised, place, &it.event);
            }
        }
    }
}

/// Whether an instruction reads a register, as a guard or an operand: it occurs more often than it is written.
fn reads(resolved: &Resolved<'_>, register: usize) -> bool {
    let mut times = 0;
    resolved.effects.each_name(&mut |name| {
        let is_it = resolved.find(name.text) == Some(Referent::Register(register));
        times += usize::from(is_it);
    });
    times > resolved.written.iter().filter(|it| **it == register).count()
}
