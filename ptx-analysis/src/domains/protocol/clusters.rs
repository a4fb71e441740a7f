//! The shared memory of other blocks of a cluster: checks that they have started, and have not exited.

use ptx_isa::instruction::{Direction, Order};
use ptx_isa::rules::protocol::Disorder;

use super::Protocol;
use super::events::Access;
use crate::flow::effects::Action;
use crate::flow::node::Node;

impl Protocol<'_, '_, '_, '_, '_> {
    /// Checks accesses to the memory of other blocks.
    pub(super) fn blocks(&mut self) {
        let nodes = self.graph.nodes;
        // A block barrier does not order other blocks.
        let order = |node: usize| {
            let effects = &nodes[node].instruction()?.effects;
            match effects.order() {
                Some((Order::Block, _)) => None,
                None if matches!(effects.action, Action::None) => None,
                order => Some(order.map(|(order, _)| order)),
            }
        };
        let orders = |node: usize| order(node).is_some();
        // An ordered read with which a block may poll for a store of another.
        let polls = |node: usize| match (order(node), &nodes[node]) {
            (Some(Some(_)), Node::Instruction(resolved)) => {
                let mut memory = resolved.effects.memory.iter();
                memory.any(|operand| operand.form.direction != Direction::Write)
            }
            (_, _) => false,
        };
        let is_polled = (0..nodes.len()).any(polls);
        let stores = |node: usize| {
            is_polled
                && nodes[node].instruction().is_some_and(|it| {
                    it.effects.memory.iter().any(|operand| {
                        matches!(operand.form.direction, Direction::Write | Direction::ReadWrite)
                    })
                })
        };
        let remote = core::mem::take(&mut self.checker.remote);
        let is_remote = |it: &&Access| remote.contains(&(it.event.node, it.operand));
        for access in self.events.accesses.iter().filter(is_remote) {
            let Some(object) = access.span.object(self.checker) else { continue };
            let (at, place) = (access.event.node, access.event.place);
            let Some(ways) = self.graph.before(at) else { return };
            let Some(start) = self.graph.start(|node| node != at) else { return };
            let is_before = |node: usize| {
                let is_wait = order(node).is_some_and(|order| order != Some(Order::Arrival));
                node != at && start.reaches(node) && is_wait
            };
            if !ways.nodes().any(is_before) && !orders(at) {
                self.report(object.name(), Disorder::BlockNotStarted, place, &access.event);
            }
            let Some(after) = self.graph.after(at, &[], |_| true) else { return };
            if access.direction == Direction::Read
                && after.ends
                && !after.nodes().any(|node| node != at && (orders(node) || stores(node)))
            {
                self.report(object.name(), Disorder::BlockMayEnd, place, &access.event);
            }
        }
    }
}
