//! Kernels whose threads wait for each other: at barriers of the block, `mbarrier` objects, groups of copies and warps.

mod change;
mod kernel;
mod pattern;
mod text;

use crate::Rng;
use Node::{Do, If};
use What::Exit;
use change::{change, count};
use kernel::below;
use pattern::{ALL, Draft};

pub use kernel::{By, Kernel, Mbarrier, Node, Parity, Place, STAGE, What, Who};
pub use text::{Text, text};

impl Kernel {
    /// A random kernel that is right.
    pub fn right(rng: &mut Rng) -> Self {
        loop {
            if let (kernel, 0) = Self::random(rng) {
                return kernel;
            }
        }
    }

    /// A random kernel: patterns that are right, one after the other, with a few changes; and the number of changes.
    pub fn random(rng: &mut Rng) -> (Self, usize) {
        let warps = 2 + below(rng, 3);
        let mut draft = Draft { rng, warps, base: 0, barriers: 0, nodes: Vec::new() };
        for _ in 0..=below(draft.rng, 2) {
            draft.pattern();
            if draft.rng.one_in(4) {
                draft.base = 0;
            }
        }
        // Some warps end early, and the others still meet.
        if draft.rng.one_in(6) {
            let from = 1 + below(draft.rng, 3);
            draft.nodes.extend([If(Who::WarpsFrom(from), vec![Do(Exit)]), ALL]);
        }
        let mut nodes = draft.nodes;
        let changes = rng.pick(&[1, 1, 0, 1, 2]);
        for _ in 0..changes {
            let count = count(&nodes);
            let at = rng.below(count);
            change(&mut nodes, at, rng, warps);
        }
        (Self { warps, nodes }, changes)
    }
}
