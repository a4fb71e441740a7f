//! The number of threads that arrive at the numbered barriers of a block.

use alloc::vec::Vec;

use ptx_isa::ir::FunctionKind;
use ptx_isa::rules;
use ptx_isa::rules::block_barrier::BlockBarrier;
use ptx_isa::sorted::{SortedMap, SortedSet};

use crate::domains::checker::InstructionChecker;
use crate::flow::expression::Expression;
use crate::flow::loops::Loops;
use crate::flow::memory::WARP;
use crate::flow::node::{Node, Resolved};
use crate::flow::place::Place;
use crate::flow::together::{Arrival, Together};
use crate::values::claim;
use crate::values::coordinates::Coordinates;
use crate::values::fixpoint::{Setting, each_reached};
use crate::values::state::State;
use crate::values::value::AbstractValue;

/// The maximum number of instructions followed for single warps.
const MOST_STEPS: usize = 1 << 17;

/// The maximum number of arrivals compared with one another.
const MOST_ARRIVALS: usize = 1 << 10;

/// Arrivals of warps at a barrier.
struct Arrivals {
    /// The node.
    at: usize,
    /// The warp, or `None` for all warps of the block.
    warp: Option<usize>,
    /// The range of the barrier's number, if it is known.
    number: Option<(i128, i128)>,
    /// The number of threads that the barrier expects; `None` if it is not known.
    count: Option<i128>,
    waits: bool,
}

impl Arrivals {
    fn may_overlap(&self, other: &Self) -> bool {
        match (self.number, other.number) {
            (Some((least, most)), Some((first, last))) => least <= last && first <= most,
            (_, _) => true,
        }
    }
}

/// Returns the arrival that an instruction performs.
fn arrival<'n, 'a>(resolved: &'n Resolved<'a>) -> Option<&'n Arrival<'a>> {
    match resolved.effects.together() {
        Some(Together::Block(arrival)) => Some(arrival),
        Some(Together::Fence | Together::Commit | Together::Wait(..) | Together::Multiply(..))
        | None => None,
    }
}

impl<'a> InstructionChecker<'_, '_, 'a> {
    /// Checks the numbers of threads that barriers wait for.
    pub(crate) fn block_barriers(&mut self, nodes: &[Node<'a>], loops: &Loops, start: &State) {
        let instructions = || nodes.iter().filter_map(Node::instruction);
        let mut counted = instructions().filter_map(arrival).filter_map(|it| it.count.as_ref());
        let Some(_) = counted.next() else { return };
        let coordinates = *self.setting.coordinates;
        let all = self.arrivals(nodes, start, &coordinates, None);
        let calls = instructions().any(|resolved| resolved.effects.calls);
        // The arrivals of a called function are not known.
        let is_kernel = self.unit.function.kind == FunctionKind::Kernel;
        let is_whole = is_kernel && !calls && all.len() <= MOST_ARRIVALS;
        let mut least = if is_whole { self.never_reached(&all, loops) } else { SortedMap::new() };
        if is_whole
            && let Some(warps) = coordinates.warps()
            && warps.len().saturating_mul(nodes.len()) <= MOST_STEPS
            && warps.len().saturating_mul(all.len()) <= MOST_ARRIVALS
        {
            let of_warp =
                |(n, warp): (usize, &Coordinates)| self.arrivals(nodes, start, warp, Some(n));
            let each: Vec<Arrivals> = warps.iter().enumerate().flat_map(of_warp).collect();
            for (at, most) in self.never_reached(&each, loops) {
                least.entry(at).or_insert(most);
            }
        }
        for arrivals in &all {
            let Node::Instruction(resolved) = &nodes[arrivals.at] else { continue };
            let Some((_, place)) = arrival(resolved).and_then(|it| it.count.as_ref()) else {
                continue;
            };
            let place: Place = *place;
            let Some(count) = arrivals.count else { continue };
            let most = least.get(&arrivals.at).copied();
            let barrier = BlockBarrier { count, most, waits: arrivals.waits };
            for violation in rules::check_block_barrier(barrier) {
                self.report.report(&violation, place, &resolved.allowed);
            }
        }
    }

    /// Returns the arrivals of threads with these coordinates.
    fn arrivals(
        &self,
        nodes: &[Node<'a>],
        start: &State,
        coordinates: &Coordinates,
        warp: Option<usize>,
    ) -> Vec<Arrivals> {
        let setting = Setting { coordinates, ..self.setting };
        let all_threads = coordinates.extents().map(|threads| (threads + WARP - 1) / WARP * WARP);
        let mut found = Vec::new();
        each_reached(nodes, setting, start, |at, resolved, known| {
            if let Some(arrival) = arrival(resolved)
                && let Some(here) = known.where_it_runs(resolved)
            {
                let evaluator = setting.evaluator(resolved, &here);
                let span = |value: &Expression<'a>| match evaluator.value(value) {
                    AbstractValue::Number(number) if number.is_without_constants() => number.span(),
                    _ => None,
                };
                let is_certain = claim::conditions(&here.claims).is_empty();
                let count = match &arrival.count {
                    Some((count, _)) => span(count)
                        .filter(|(least, most)| least == most && is_certain)
                        .map(|it| it.0),
                    None => all_threads,
                };
                let number = span(&arrival.number);
                found.push(Arrivals { at, warp, number, count, waits: arrival.waits });
            }
        });
        found
    }

    /// Returns the instructions that wait for more threads than ever arrive, and the maximum that arrives.
    fn never_reached(&self, all: &[Arrivals], loops: &Loops) -> SortedMap<usize, i128> {
        let block = (self.setting.coordinates.most_threads() + WARP - 1) / WARP;
        let mut found: SortedMap<usize, i128> = SortedMap::new();
        let mut reached = SortedSet::new();
        for waiting in all.iter().filter(|it| it.waits) {
            let most = waiting.count.and_then(|count| {
                let (mut warps, mut arrived) = (SortedSet::new(), 0);
                for other in all.iter().filter(|other| other.may_overlap(waiting)) {
                    if other.count != Some(count) {
                        return None;
                    }
                    if other.waits {
                        // A waiting warp arrives once, wherever that happens.
                        warps.insert(other.warp);
                    } else if loops.may_repeat(other.at) {
                        return None;
                    } else {
                        arrived += if other.warp.is_some() { WARP } else { block * WARP };
                    }
                }
                let waiting =
                    if warps.contains(&None) { block } else { i128::try_from(warps.len()).ok()? };
                Some(waiting * WARP + arrived).filter(|most| *most < count)
            });
            match most {
                Some(most) if !reached.contains(&waiting.at) => {
                    let entry = found.entry(waiting.at).or_insert(most);
                    *entry = (*entry).max(most);
                }
                Some(_) => {}
                // Some warp may continue.
                None => {
                    found.remove(&waiting.at);
                    reached.insert(waiting.at);
                }
            }
        }
        found
    }
}
