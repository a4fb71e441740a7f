//! Checks the order in which mbarriers, asynchronous copies, proxies and blocks of a cluster are used.
//!
//! The reports follow from control flow: no path between two instructions passes through a third. Where all threads of a
//! kernel are followed (`order`), what they did decides how mbarriers live (A064 to A066) and whether a read is one of what
//! is copied (A070). The rest is not left to it:
//!
//! - A063 asks whether anything reads an answer, which no event shows.
//! - A070 and A071 say which wait is missing, where two accesses without an order (A109) do not.
//! - A072 is said where threads race, too, and of all bytes of a tile, of which events have the first 16.
//! - All of these, and A085, also speak where threads are not followed to their ends: without a known launch, where a branch
//!   depends on data, and when a budget is spent.

mod barriers;
mod copies;
mod events;
mod span;

use ptx_isa::ir::FunctionKind;
use ptx_isa::rules;
use ptx_isa::rules::protocol::{Disorder, Misuse};

pub(crate) use events::Events;

use crate::domains::checker::InstructionChecker;
use crate::flow::graph::Graph;
use crate::flow::node::Node;
use crate::flow::place::Place;
use events::Event;

/// The context of the protocol checks.
struct Protocol<'g, 'n, 'j, 'c, 'a> {
    graph: Graph<'n, 'a>,
    events: &'g Events,
    /// Whether an access of a node and another one are not ordered, if all threads were followed.
    is_unordered: Option<&'g dyn Fn(usize) -> bool>,
    checker: &'g mut InstructionChecker<'j, 'c, 'a>,
}

/// The maximum number of pairs of accesses, and of mbarrier uses, that are compared.
const MOST_PAIRS: usize = 1 << 24;

/// Checks the events in a body.
pub(crate) fn check<'a>(
    mut events: Events,
    nodes: &[Node<'a>],
    is_unordered: Option<&dyn Fn(usize) -> bool>,
    checker: &mut InstructionChecker<'_, '_, 'a>,
) {
    let calls = nodes.iter().filter_map(Node::instruction).any(|resolved| resolved.effects.calls);
    if checker.unit.function.kind != FunctionKind::Kernel || calls {
        return;
    }
    let branches = core::mem::take(&mut events.branches);
    let Some(graph) = Graph::of(nodes, branches) else { return };
    let is_few = |all: usize| all.saturating_mul(all) <= MOST_PAIRS;
    let mut protocol = Protocol { graph, events: &events, is_unordered, checker };
    protocol.answers();
    if is_few(events.uses.len()) {
        // Where all threads are followed, it is known who initialises an mbarrier, and who uses it.
        if is_unordered.is_none() {
            protocol.lives();
        }
    }
    if is_few(events.accesses.len()) {
        protocol.copied();
        protocol.completed();
        protocol.overwritten();
        protocol.fenced();
    }
}

impl<'a> Protocol<'_, '_, '_, '_, 'a> {
    fn report(&mut self, name: &'a str, what: Disorder, place: Place, event: &Event) {
        if self.checker.has_finding(place.statement) {
            return;
        }
        for violation in rules::check_order(Misuse { name, what }) {
            self.checker.report.report(&violation, place, &event.allowed);
        }
    }
}
