//! Code that no launch may reach, as the bodies of an unrolled loop whose bound is a parameter.

use alloc::rc::Rc;
use alloc::vec;
use alloc::vec::Vec;
use core::cell::OnceCell;

use crate::flow::effects::Jump;
use crate::flow::node::Node;
use crate::values::chains::after_chains;
use crate::values::claim::{self, Claim};
use crate::values::coordinates::{Coordinates, Inputs};
use crate::values::fixpoint::{Setting, each_reached};
use crate::values::state::State;

/// Which nodes control reaches in launches that have as little to do as possible.
pub(crate) struct Guarded<'j, 'a> {
    nodes: &'j [Node<'a>],
    setting: Setting<'j, 'a>,
    start: &'j State,
    /// The first test.
    first: usize,
    /// Those of [`LAUNCHES`].
    reached: [OnceCell<Vec<bool>>; LAUNCHES.len()],
    is_after_chain: OnceCell<Vec<bool>>,
}

/// The inputs, and whether the launch is the smallest: a test that these pass asks whether there is anything to do, and
/// one that they fail how much.
const LAUNCHES: [(Inputs, bool); 3] =
    [(Inputs::Small, false), (Inputs::Few, false), (Inputs::Small, true)];

impl<'j, 'a> Guarded<'j, 'a> {
    pub(crate) fn of(nodes: &'j [Node<'a>], setting: Setting<'j, 'a>, start: &'j State) -> Self {
        let is_test = |node: &Node<'_>| match node {
            Node::Instruction(resolved) => {
                resolved.effects.guard.is_some() || matches!(resolved.effects.jump, Jump::Anywhere)
            }
            Node::Label(_) | Node::Nothing => false,
        };
        let first = nodes.iter().position(is_test).unwrap_or(nodes.len());
        Self {
            nodes,
            setting,
            start,
            first,
            reached: Default::default(),
            is_after_chain: OnceCell::new(),
        }
    }

    /// Whether control reaches a node only where a parameter, a loaded number or the launch is larger than it has to be.
    /// A comparison of what the launch decides counts unless it is known, as the message repeats it.
    pub(crate) fn decides(&self, at: usize, claims: &[Rc<Claim>]) -> bool {
        if at < self.first {
            return false;
        }
        let chains = || self.is_after_chain.get_or_init(|| after_chains(self.nodes));
        let is_named = claim::only_where(claims).is_some();
        LAUNCHES.iter().zip(&self.reached).any(|(&(inputs, is_smallest), reached)| {
            let coordinates = self.setting.coordinates.with(inputs);
            let coordinates = if is_smallest { coordinates.smallest() } else { coordinates };
            let reached = || reached.get_or_init(|| self.reached_in(&coordinates));
            !(is_smallest && is_named) && reached().get(at) == Some(&false)
        }) || chains().get(at) == Some(&true)
    }

    /// Returns which instructions execute with these coordinates.
    fn reached_in(&self, coordinates: &Coordinates) -> Vec<bool> {
        let setting = Setting { coordinates, ..self.setting };
        let mut reached = vec![false; self.nodes.len()];
        each_reached(self.nodes, setting, self.start, |at, resolved, here| {
            reached[at] = here.where_it_runs(resolved).is_some();
        });
        reached
    }
}
