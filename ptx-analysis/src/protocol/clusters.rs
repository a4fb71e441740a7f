//! The shared memory of other blocks of a cluster: whether they have started, and have not ended.

use ptx_types::instruction::Direction;
use ptx_types::rules::protocol::Disorder;

use super::Protocol;
use super::events::Access;
use crate::effects::Action;
use crate::node::Node;

impl Protocol<'_, '_, '_, '_, '_> {
    /// Judges accesses to the memory of other blocks.
    pub(super) fn blocks(&mut self) {
        let nodes = self.graph.nodes;
        let orders = |node: usize| match &nodes[node] {
            Node::Instruction(resolved) => {
                let effects = &resolved.effects;
                effects.order().is_some() || !matches!(effects.action, Action::None)
            }
            Node::Label(_) | Node::Nothing => false,
        };
        let remote = core::mem::take(&mut self.judge.remote);
        let is_remote = |it: &&Access| remote.contains(&(it.event.node, it.operand));
        for access in self.events.accesses.iter().filter(is_remote) {
            let Some(object) = access.span.object(self.judge) else { continue };
            let (at, place) = (access.event.node, access.event.place);
            let Some(ways) = self.graph.before(at) else { return };
            let Some(start) = self.graph.start(|node| node != at) else { return };
            let is_before = |node: usize| node != at && start.reaches(node) && orders(node);
            if !ways.nodes().any(is_before) && !orders(at) {
                self.report(object.name(), Disorder::BlockNotStarted, place, &access.event);
            }
            let Some(behind) = self.graph.behind(at, &[], |_| true) else { return };
            if access.direction == Direction::Read
                && behind.ends
                && !behind.nodes().any(|node| node != at && orders(node))
            {
                self.report(object.name(), Disorder::BlockMayEnd, place, &access.event);
            }
        }
    }
}
