//! Checks single executions of operands that have several possible locations, using their extreme offsets.

use alloc::vec::Vec;

use ptx_isa::ir::FunctionKind;
use ptx_isa::ir::body::Amount;
use ptx_isa::rules::{Reached, Settled};
use ptx_isa::sorted::{SortedMap, SortedSet};

use crate::accesses::access::Here;
use crate::accesses::copy;
use crate::accesses::run::{Run, Start};
use crate::domains::checker::InstructionChecker;
use crate::domains::tile::CopiedTile;
use crate::flow::effort::Effort;
use crate::flow::loops::Loops;
use crate::flow::memory::MemoryOperand;
use crate::flow::node::{Node, Resolved};
use crate::values::coordinates::Coordinates;
use crate::values::location::Located;
use crate::values::number::{Linear, Sum};
use crate::values::reach::{Extremes, Reach, Reaches, Unseen};
use crate::values::state::{State, Widening};
use crate::values::uncertain_guard::UncertainGuards;

/// The state at the label of each loop on the paths that enter it, without its own iterations.
pub(crate) struct Entries {
    pub(crate) states: SortedMap<usize, Option<State>>,
    effort: Effort,
}

/// The maximum number of registers compared at loop entries, per node of the body, and in addition.
const MOST_COMPARED: (usize, usize) = (64, 1 << 18);

impl Entries {
    pub(crate) fn of(nodes: &[Node<'_>], loops: &Loops) -> Self {
        Self {
            states: loops.closed().map(|(label, _)| (label, None)).collect(),
            effort: Effort::of(nodes.len(), MOST_COMPARED),
        }
    }

    /// Records a path to a node with this state.
    pub(crate) fn arrive(&mut self, to: usize, state: Option<&State>) {
        let (Some(known), Some(state)) = (self.states.get_mut(&to), state) else { return };
        match known {
            Some(known) => {
                known.join(state, Widening::None, &mut self.effort);
            }
            None => *known = Some(state.clone()),
        }
        if self.effort.is_spent() {
            // Nothing is known about these loops, then.
            self.states.clear();
        }
    }
}

/// The states at the start of executions.
#[derive(Clone, Copy)]
pub(crate) struct Starts<'s> {
    /// The state for any caller.
    pub(crate) any: &'s State,
    /// The states of calls that these threads certainly reach.
    pub(crate) sure: &'s [(Coordinates, State)],
}

impl<'a> InstructionChecker<'_, '_, 'a> {
    /// Checks single executions of operands with several possible locations: those of threads that certainly
    /// exist, and those of all iterations of loops.
    pub(crate) fn executions(
        &mut self,
        nodes: &[Node<'a>],
        loops: &Loops,
        starts: Starts<'_>,
        entries: Entries,
    ) {
        let mut calls =
            nodes.iter().filter_map(Node::instruction).filter_map(|it| it.effects.call());
        if !self.several.is_empty()
            || !self.uncertain_guards.guards.is_empty()
            || calls.next().is_some()
        {
            let reaches = self.reaches(nodes, loops, starts, entries);
            self.reached(nodes, reaches);
        }
    }

    /// Checks the locations that operands certainly access.
    fn reached(&mut self, nodes: &[Node<'a>], of: [Reaches<'a>; 3]) {
        let mut all = Vec::new();
        let mut unseen = Vec::new();
        let mut guards = SortedMap::new();
        for reaches in of {
            all.extend(reaches.of);
            unseen.extend(reaches.unseen);
            for (at, coordinates) in reaches.guards {
                guards.entry(at).or_insert(coordinates);
            }
        }
        for (at, coordinates) in guards {
            let (Some(Node::Instruction(resolved)), Some(uncertain_guard)) =
                (nodes.get(at), self.uncertain_guards.guards.get(&at))
            else {
                continue;
            };
            let (origin, thread) = (uncertain_guard.origin, coordinates.first_thread());
            self.undecided_guard(
                resolved,
                origin,
                Reached { thread, round: None, is_nearest: false },
            );
        }
        let mut refused = SortedSet::new();
        let mut copied = SortedMap::new();
        for (((at, n), target), extremes) in all {
            let Some(Node::Instruction(resolved)) = nodes.get(at) else { continue };
            let Extremes { located, settled, least, most, beyond, misaligned, first } = extremes;
            // The size of a pointee is only known by a contract.
            let is_bounded = self.setting.storages.get(located.storage).is_some_and(|storage| {
                let mut choices = storage.choices.iter();
                choices.all(|choice| choice.at(located.is_pointee).0.bytes().is_some())
            });
            let ends = beyond
                .into_iter()
                .chain([least, most])
                .filter(|_| !located.is_pointee || is_bounded);
            let mut reaches: Vec<Reach> = misaligned.into_iter().chain(ends).collect();
            reaches.dedup_by_key(|reach| reach.offset);
            for reach in reaches {
                if refused.contains(&(at, n)) {
                    continue;
                }
                let reached = reached(nodes, reach);
                let place = (&located, reach.offset);
                if self.execution((at, resolved, n), place, settled, reached) {
                    refused.insert((at, n));
                }
            }
            let tile = |copy: &CopiedTile<'_>| {
                (copy.operand, (copy.tile.storage, copy.tile.is_pointee), false)
            };
            if self.copies.get(&at).map(tile) == Some((n, target, located.is_pointee)) {
                let mut all = first;
                all.push(most);
                all.dedup_by_key(|reach| reach.offset);
                let executions = all.iter().map(|reach| (reach.offset, reached(nodes, *reach)));
                copied.entry(at).or_insert_with(Vec::new).extend(executions);
            }
        }
        for (((at, n), _), of_threads) in unseen {
            if !refused.contains(&(at, n)) {
                self.unseen(nodes, (at, n), of_threads);
            }
        }
        for (at, copy) in core::mem::take(&mut self.copies) {
            let Some(Node::Instruction(resolved)) = nodes.get(at) else { continue };
            let executions = copied.remove(&at).filter(|_| !refused.contains(&(at, copy.operand)));
            copy::check_tile(self, &copy, resolved, &executions.unwrap_or_default());
        }
    }

    /// Checks an operand for the threads that decide whether all are right, where its location depends on constants that are not
    /// known. It is a multiple of a thread's index: the first one that is not zero shows the alignment, and the last is the
    /// furthest away.
    fn unseen(&mut self, nodes: &[Node<'a>], (at, n): (usize, usize), mut of: Vec<Unseen<'a>>) {
        let Some(Node::Instruction(resolved)) = nodes.get(at) else { return };
        let Some(operand) = resolved.effects.memory.get(n) else { return };
        // Where it is alone, it is the one that decides.
        if of.len() > 1 {
            of.retain(|it| it.thread != [0; 3]);
        }
        of.sort_by_key(|it| {
            let [x, y, z] = it.thread;
            (z, y, x)
        });
        // Without its alignment, the last access breaks other rules than the first.
        let bounded = MemoryOperand { align: Amount::Known(1), ..operand.clone() };
        let last = of.len().saturating_sub(1);
        for (k, Unseen { located, settled, thread }) in of.into_iter().enumerate() {
            let operand = match k {
                0 => operand,
                k if k == last => &bounded,
                _ => continue,
            };
            let reached = Some(Reached { thread: Some(thread), round: None, is_nearest: false });
            let (own, state) = (&resolved.allowed, &State::default());
            self.operand(operand, &located, Here { at, own, state, settled, reached });
        }
    }

    /// Checks an operand in one execution; the operands are followed by the block ranks that are named and those
    /// of the operands. Returns whether it is rejected.
    fn execution(
        &mut self,
        (at, resolved, n): (usize, &Resolved<'a>, usize),
        (located, offset): (&Located<'a>, i128),
        settled: Settled,
        reached: Reached<'a>,
    ) -> bool {
        let memory = &resolved.effects.memory;
        let Some(operand) = memory.get(n) else {
            return match n.checked_sub(memory.len() + 1) {
                None => self.named_block(resolved, offset, Some(reached)),
                Some(_) if offset == 0 => false,
                Some(n) => self.other_block(resolved, n, located.storage, reached),
            };
        };
        let located = Located { offset: Linear::exact(Sum::known(offset)), ..located.clone() };
        let (own, state) = (&resolved.allowed, &State::default());
        self.operand(operand, &located, Here { at, own, state, settled, reached: Some(reached) })
    }

    /// Returns the locations that operands with several possible locations certainly access, and those that access
    /// another block's memory when executed by the last block of a cluster.
    fn reaches(
        &mut self,
        nodes: &[Node<'a>],
        loops: &Loops,
        starts: Starts<'_>,
        entries: Entries,
    ) -> [Reaches<'a>; 3] {
        let wanted = core::mem::take(&mut self.several);
        let any = *self.setting.coordinates;
        let is_kernel = self.unit.function.kind == FunctionKind::Kernel;
        let blocks: SortedSet<_> =
            wanted.iter().copied().filter(|of| is_block(nodes, *of)).collect();
        let none = UncertainGuards::default();
        // With more values, fewer locations depend on constants.
        let mut run = Run::new(nodes, self.setting, loops, (&wanted, &self.uncertain_guards))
            .judging_unseen(!self.unit.is_first);
        let mut last_run = Run::new(nodes, self.setting, loops, (&blocks, &none));
        let from_start =
            |coordinates| Start { at: 0, state: starts.any.clone(), coordinates, end: None };
        let attained = Coordinates::attained(self.unit.block).in_cluster(self.unit.cluster);
        let together = if is_kernel { attained } else { any };
        run.from(from_start(together));
        if is_kernel && run.misses_some() {
            // Values that are not one sum for all threads are still known for single threads.
            for coordinates in attained.samples() {
                run.from(from_start(coordinates));
            }
            for coordinates in run.deciding() {
                run.from(from_start(coordinates));
            }
        }
        if let (true, false, Some(last)) = (is_kernel, blocks.is_empty(), together.in_last_block())
        {
            last_run.from(from_start(last));
        }
        for (label, state) in entries.states {
            if let (Some(state), Some(end), false) = (state, loops.end(label), run.has_seen(label))
            {
                run.from(Start { at: label, state, coordinates: any, end: Some(end) });
            }
        }
        let mut must_run = Run::new(nodes, self.setting, loops, (&wanted, &self.uncertain_guards));
        for (coordinates, state) in starts.sure {
            let (state, coordinates) = (state.clone(), *coordinates);
            must_run.from(Start { at: 0, state, coordinates, end: None });
        }
        for run in [&run, &must_run] {
            self.report.must_calls.extend(run.calls());
        }
        [run.finish(), last_run.finish(), must_run.finish()]
    }
}

/// Whether a pseudo-operand stands for the block whose memory an operand is in.
fn is_block(nodes: &[Node<'_>], (at, n): (usize, usize)) -> bool {
    matches!(&nodes[at], Node::Instruction(resolved) if n > resolved.effects.memory.len())
}

/// Returns the execution that accesses a location.
fn reached<'a>(nodes: &[Node<'a>], reach: Reach) -> Reached<'a> {
    let label = |(label, round)| match nodes.get(label) {
        Some(Node::Label(name)) => Some((*name, round)),
        Some(Node::Instruction(_) | Node::Nothing) | None => None,
    };
    let round = reach.round.and_then(label);
    Reached { thread: reach.thread, round, is_nearest: false }
}
