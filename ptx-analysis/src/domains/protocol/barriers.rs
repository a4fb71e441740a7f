//! The lifecycle of `mbarrier` objects: how they are initialised, arrived on and waited for.

use alloc::vec::Vec;

use ptx_isa::instruction::{Direction, Order};
use ptx_isa::rules::protocol::Disorder;
use ptx_isa::sorted::SortedSet;

use super::Protocol;
use super::events::{Awaited, Does, Event, Use};
use super::threads;
use crate::flow::effects::Jump;
use crate::flow::memory::WARP;
use crate::flow::node::{Node, Referent, Resolved};
use crate::flow::place::Place;
use crate::values::state::State;
use crate::values::value::AbstractValue;

impl Protocol<'_, '_, '_, '_, '_> {
    /// Checks for waits whose results nothing reads.
    pub(super) fn answers(&mut self) {
        let waits = self.events.uses.iter().filter(|it| matches!(it.does, Does::Wait(..)));
        let waits: Vec<Use> = waits.cloned().collect();
        for it in &waits {
            let Use { event, span, does: Does::Wait(_, Some(register)) } = it else { continue };
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
            let is_init = matches!(it.does, Does::Init(..));
            let others = || uses.iter().filter(|other| other.event.node != it.event.node);
            let is_before = |wanted: fn(&Does) -> bool| {
                others().filter(move |other| {
                    wanted(&other.does) && !other.event.is_guarded && other.span.is_same(&it.span)
                })
            };
            let inits = || {
                uses.iter().filter(|other| {
                    matches!(other.does, Does::Init(..)) && other.span.may_overlap(&it.span)
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
                    && is_before(|does| matches!(does, Does::Init(..)))
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

    /// Checks how many arrivals occur on mbarriers, and which phase is awaited first.
    pub(super) fn phases(&mut self) {
        let uses = self.events.uses.clone();
        let is_nothing_expected =
            !uses.iter().any(|it| matches!(it.does, Does::Expect(_) | Does::Complete));
        for init in &uses {
            let Does::Init(Some(expected), place) = init.does else { continue };
            let all: Vec<&Use> = uses.iter().filter(|it| it.span.may_overlap(&init.span)).collect();
            let is_alone = all.iter().all(|it| {
                it.span.is_same(&init.span)
                    && (it.event.node == init.event.node || !matches!(it.does, Does::Init(..)))
            });
            if !init.span.is_exact() || !is_alone {
                continue;
            }
            let Some(object) = init.span.object(self.checker) else { continue };
            // A053 reports that the arrival is missing which expects the bytes.
            let is_missing =
                is_nothing_expected && all.iter().any(|it| matches!(it.does, Does::Copy(_)));
            let mut blocking: Vec<Use> = Vec::new();
            for it in &all {
                if self.is_blocking(it) {
                    blocking.push(self.in_first_round(it));
                }
            }
            let waits: Vec<usize> = blocking.iter().map(|it| it.event.node).collect();
            let mut firsts: Vec<&Use> = Vec::new();
            for it in &blocking {
                let at = it.event.node;
                let Some(alone) = self.graph.start(|node| node != at) else { return };
                // No thread reaches a different wait before.
                if !waits.iter().any(|wait| *wait != at && alone.reaches(*wait)) {
                    firsts.push(it);
                }
            }
            let of_first_phase =
                |it: &Use| matches!(it.does, Does::Wait(Awaited::Parity(0) | Awaited::State, _));
            if firsts.iter().any(|it| of_first_phase(it)) {
                // Until the first phase completes, no thread passes these.
                let closed = blocking.iter().filter(|it| of_first_phase(it));
                let closed: Vec<usize> = closed.map(|it| it.event.node).collect();
                if let Some(most) = self.most_arrivals(&all, &closed)
                    && most + i128::from(is_missing) < expected
                {
                    let disorder = Disorder::Arrivals { expected, most };
                    self.report(object.name(), disorder, place, &init.event);
                }
            }
            let is_second = |it: &&Use| matches!(it.does, Does::Wait(Awaited::Parity(1), _));
            if let Some(wait) = firsts.into_iter().find(is_second)
                && let Some(most) = self.most_arrivals(&all, &[wait.event.node])
                && most < expected.saturating_mul(2)
                && self.is_read_after(wait, &all)
            {
                let place = wait.event.place;
                self.report(object.name(), Disorder::FirstParity(1), place, &wait.event);
            }
        }
    }

    /// Whether something is read after a wait for an mbarrier, and no other, that a copy which completes on it may
    /// have been issued to fetch before.
    fn is_read_after(&mut self, wait: &Use, all: &[&Use]) -> bool {
        let is_wait = |node: usize| {
            all.iter().any(|it| it.event.node == node && matches!(it.does, Does::Wait(..)))
        };
        let walks = (
            self.graph.start(|node| node != wait.event.node),
            self.graph.after(wait.event.node, &[], |node| !is_wait(node)),
        );
        let (Some(before), Some(after)) = walks else { return false };
        let copied = all.iter().filter(|it| before.reaches(it.event.node));
        let copied = copied.filter_map(|it| match &it.does {
            Does::Copy(span) => Some(span),
            _ => None,
        });
        let accesses = &self.events.accesses;
        let is_read = |span: &super::span::Span| {
            accesses.iter().any(|access| {
                access.is_data
                    && access.direction == Direction::Read
                    && access.span.of.is_some()
                    && access.span.of == span.of
                    && access.span.may_overlap(span)
                    && after.reaches(access.event.node)
            })
        };
        copied.into_iter().any(is_read)
    }

    /// Whether control always returns to a wait as long as the phase is not complete.
    fn is_blocking(&mut self, wait: &Use) -> bool {
        let Does::Wait(_, Some(register)) = wait.does else { return false };
        if wait.event.is_guarded {
            return false;
        }
        let nodes = self.graph.nodes;
        let (mut left, mut seen) = (alloc::vec![wait.event.node + 1], SortedSet::new());
        while let Some(at) = left.pop() {
            if at == wait.event.node || !seen.insert(at) {
                continue;
            }
            match nodes.get(at) {
                // The thread may exit, or the budget is exhausted.
                None => return false,
                Some(_) if seen.len() > 16 => return false,
                Some(Node::Label(_) | Node::Nothing) => left.push(at + 1),
                Some(Node::Instruction(resolved)) => {
                    let guard = resolved.effects.guard.as_ref();
                    let negated = matches!(guard, Some(guard) if guard.is_negated);
                    let is_answer = guard.is_some_and(|guard| {
                        resolved.find(guard.name.text) == Some(Referent::Register(register))
                    });
                    let continues = match &resolved.effects.jump {
                        Jump::Next => true,
                        Jump::To(_) => {
                            let Some(target) = resolved.target else { return false };
                            if !is_answer || negated {
                                left.push(target);
                            }
                            guard.is_some() && !(is_answer && negated)
                        }
                        Jump::Ends | Jump::Anywhere => {
                            if !is_answer || negated {
                                return false;
                            }
                            true
                        }
                    };
                    if resolved.written.contains(&register) {
                        return false;
                    }
                    left.extend(continues.then_some(at + 1));
                }
            }
        }
        true
    }

    /// Returns the wait as a thread first reaches it: for a parity that one instruction sets before the loop, and
    /// others in the loop change.
    fn in_first_round(&mut self, wait: &Use) -> Use {
        let mut wait = wait.clone();
        let Does::Wait(Awaited::Register(register), answer) = wait.does else { return wait };
        let nodes = self.graph.nodes;
        let at = wait.event.node;
        let walks = (self.graph.start(|node| node != at), self.graph.before(at));
        let (Some(start), Some(ways)) = walks else { return wait };
        let writes = |node: &usize| {
            nodes[*node].instruction().is_some_and(|it| it.written.contains(&register))
        };
        let both = |node: &usize| start.reaches(*node) && ways.reaches(*node);
        let mut writers = ways.nodes().filter(both).filter(writes);
        let (Some(writer), None) = (writers.next(), writers.next()) else { return wait };
        let Some(resolved) = nodes[writer].instruction() else { return wait };
        let state = State::default();
        let value = self.checker.setting.evaluator(resolved, &state).value(&resolved.effects.value);
        if let AbstractValue::Number(number) = value
            && let Some(parity) = number.value()
            && resolved.effects.guard.is_none()
            && self.graph.all_over(writer, at)
        {
            wait.does = Does::Wait(Awaited::Parity(parity & 1), answer);
        }
        wait
    }

    /// Returns the maximum number of arrivals by threads that do not pass these waits; `None` if unknown.
    fn most_arrivals(&mut self, all: &[&Use], closed: &[usize]) -> Option<i128> {
        let mut sum = 0_i128;
        for it in all {
            let times = match &it.does {
                Does::Arrive(times) | Does::Expect(times) => (*times)?,
                Does::Init(..)
                | Does::Invalidate
                | Does::Wait(..)
                | Does::Copy(_)
                | Does::Complete => continue,
            };
            if times == 0 {
                continue;
            }
            let again = self
                .graph
                .after(it.event.node, &it.event.launch, |node| !closed.contains(&node))?;
            if again.reaches(it.event.node) {
                return None;
            }
            let threads = threads::most(self.checker.unit.block, &it.event.launch)?;
            sum = sum.checked_add(times.checked_mul(threads)?)?;
        }
        Some(sum)
    }

    /// Checks for mbarriers that other threads use than the one that initialises them, without synchronisation.
    pub(super) fn published(&mut self) {
        let uses = self.events.uses.clone();
        let orders = |node: &Node<'_>| {
            let order = node.instruction().and_then(|it| it.effects.order());
            !matches!(order, None | Some((Order::Initialisations, _)))
        };
        let nodes = self.graph.nodes;
        let mut reported = SortedSet::new();
        for it in uses.iter().filter(|it| it.span.is_exact()) {
            if !matches!(it.does, Does::Arrive(_) | Does::Expect(_) | Does::Wait(..)) {
                continue;
            }
            let Some(object) = it.span.object(self.checker) else { continue };
            let mut inits = uses.iter().filter(|init| {
                matches!(init.does, Does::Init(..)) && init.span.may_overlap(&it.span)
            });
            let (Some(init), None) = (inits.next(), inits.next()) else { continue };
            // One thread initialises it, and threads of other warps use it.
            let threads = |event: &Event| threads::most(self.checker.unit.block, &event.launch);
            let is_by_others = threads(&init.event) == Some(1)
                && it.event.launch.is_empty()
                && !it.event.is_guarded
                && threads(&it.event) > Some(WARP);
            if !is_by_others || !init.span.is_same(&it.span) {
                continue;
            }
            let Some(ways) = self.graph.before(it.event.node) else { return };
            let is_ordered = |node: usize| {
                let is_wait = uses
                    .iter()
                    .any(|other| other.event.node == node && matches!(other.does, Does::Wait(..)));
                node != it.event.node && (is_wait || orders(&nodes[node]))
            };
            let Some(walk) = self.graph.start(|node| node != it.event.node) else { return };
            let is_after = ways.reaches(init.event.node);
            let is_between = |node: usize| walk.reaches(node) && is_ordered(node);
            if is_after && !ways.nodes().any(is_between) && reported.insert(it.span.of) {
                let place = it.event.place;
                self.report(object.name(), Disorder::NotPublished, place, &it.event);
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
