//! The number of threads that arrive at the numbered barriers of a block, as far as their instructions show it.
//!
//! What threads do in a launch (`order`) shows that they wait (A112); here the number is blamed (A076), of each barrier and not
//! only of the first at which they wait, and without a launch.

use alloc::vec::Vec;

use ptx_isa::ir::FunctionKind;
use ptx_isa::rules;
use ptx_isa::rules::block_barrier::BlockBarrier;

use crate::domains::checker::InstructionChecker;
use crate::flow::expression::Expression;
use crate::flow::memory::WARP;
use crate::flow::node::{Node, Resolved};
use crate::flow::place::Place;
use crate::flow::together::Together;
use crate::values::claim;
use crate::values::state::State;
use crate::values::value::AbstractValue;

/// The maximum number of arrivals compared with one another.
const MOST_ARRIVALS: usize = 1 << 10;

/// An arrival of threads at a barrier.
struct Arrival {
    /// The node.
    at: usize,
    /// The range of the barrier's number, if it is known.
    number: Option<(i128, i128)>,
    /// The number of threads that the barrier expects, if it is given and known; and its place.
    count: Option<i128>,
    place: Option<Place>,
    waits: bool,
}

impl Arrival {
    /// Whether another arrival may be at the same barrier, and does not make each warp arrive there once.
    fn may_add(&self, other: &Self) -> bool {
        let may_overlap = match (self.number, other.number) {
            (Some((least, most)), Some((first, last))) => least <= last && first <= most,
            (_, _) => true,
        };
        may_overlap && !(other.waits && other.count == self.count)
    }
}

/// The arrivals of a body at barriers of the block.
#[derive(Default)]
pub(crate) struct Arrivals(Vec<Arrival>);

impl Arrivals {
    /// Records an instruction.
    pub(crate) fn note<'a>(
        &mut self,
        (at, resolved): (usize, &Resolved<'a>),
        checker: &InstructionChecker<'_, '_, 'a>,
        state: &State,
    ) {
        let Some(Together::Block(arrival)) = resolved.effects.together() else { return };
        let evaluator = checker.setting.evaluator(resolved, state);
        let span = |value: &Expression<'a>| match evaluator.value(value) {
            AbstractValue::Number(number) if number.is_without_constants() => number.span(),
            _ => None,
        };
        let is_certain = claim::conditions(&state.claims).is_empty();
        let count = arrival.count.as_ref().and_then(|(count, _)| span(count));
        let count = count.filter(|(least, most)| least == most && is_certain).map(|it| it.0);
        let place = arrival.count.as_ref().map(|(_, place)| *place);
        let (number, waits) = (span(&arrival.number), arrival.waits);
        self.0.push(Arrival { at, number, count, place, waits });
    }

    /// Checks the numbers of threads that barriers wait for.
    pub(crate) fn settle<'a>(
        self,
        nodes: &[Node<'a>],
        checker: &mut InstructionChecker<'_, '_, 'a>,
    ) {
        let calls = nodes.iter().filter_map(Node::instruction).any(|it| it.effects.calls);
        let arrivals = self.0;
        // The arrivals of a called function are not known.
        let is_kernel = checker.unit.function.kind == FunctionKind::Kernel;
        let is_whole = is_kernel && !calls && arrivals.len() <= MOST_ARRIVALS;
        let block = (checker.setting.coordinates.most_threads() + WARP - 1) / WARP * WARP;
        for arrival in &arrivals {
            let (Some(count), Some(place)) = (arrival.count, arrival.place) else { continue };
            let Node::Instruction(resolved) = &nodes[arrival.at] else { continue };
            // If all of them wait, each warp arrives once.
            let is_most = is_whole && !arrivals.iter().any(|other| arrival.may_add(other));
            let most = is_most.then_some(block);
            let barrier = BlockBarrier { count, most, waits: arrival.waits };
            for violation in rules::check_block_barrier(barrier) {
                checker.report.report(&violation, place, &resolved.allowed);
            }
        }
    }
}
