//! The formats in registers before each node, on every path to it.

use alloc::collections::BTreeSet;
use alloc::rc::Rc;
use alloc::vec;
use alloc::vec::Vec;

use super::contents::{Byte, Contents};
use super::step::{Part, Step};
use crate::flow::effects::Jump;
use crate::flow::effort::Effort;
use crate::flow::node::{Node, Resolved};
use crate::values::registers::Registers;

/// The maximum number of steps per node of the body, and in addition: instructions followed and
/// registers compared at joins.
const MOST_STEPS: (usize, usize) = (64, 1 << 18);

/// The contents of registers; unwritten registers have none.
pub(super) type Held = Registers<Contents>;

/// The state before the first node and at each label.
pub(super) struct Flow<'f, 'a> {
    nodes: &'f [Node<'a>],
    steps: &'f [Option<Step<'a>>],
    before: Vec<Option<Held>>,
}

/// Returns the bytes of these parts, given the contents of registers.
pub(super) fn bytes(parts: &[Part], held: &Held) -> Vec<Byte> {
    let mut all = Vec::new();
    for part in parts {
        match part {
            Part::Bytes(bytes) => all.extend_from_slice(bytes),
            Part::Integer(bytes) => all.extend((0..*bytes).map(|_| Byte::UNKNOWN)),
            Part::Register(register, first, count) => {
                let contents = held.get(*register);
                let byte = |n: usize| {
                    contents.and_then(|it| it.0.get(first + n)).copied().unwrap_or(Byte::UNKNOWN)
                };
                all.extend((0..*count).map(byte));
            }
        }
    }
    all
}

/// Applies a node to the contents of registers.
fn transfer(step: Option<&Step<'_>>, resolved: &Resolved<'_>, held: &mut Held) {
    let mut results: Vec<(usize, Contents)> = Vec::new();
    if let Some(step) = step {
        for way in &step.from {
            let all = bytes(way, held);
            let mut first = 0;
            let mut n = 0;
            for (register, count) in &step.to {
                let part = all.get(first..first + count).unwrap_or_default();
                first += count;
                let Some(register) = register else { continue };
                let contents = Contents::of(part);
                match results.get_mut(n) {
                    Some((_, known)) => *known = known.join(&contents),
                    None => results.push((*register, contents)),
                }
                n += 1;
            }
        }
    }
    let is_sure = resolved.effects.guard.is_none();
    for &register in &resolved.written {
        // If a register is written twice, the order is not known.
        let mut of = results.iter().filter(|(other, _)| *other == register);
        let contents = match (of.next(), of.next()) {
            (Some((_, contents)), None) => contents.clone(),
            (_, _) => Contents::UNKNOWN,
        };
        let contents = match held.get(register) {
            Some(old) if !is_sure => old.join(&contents),
            Some(_) | None => contents,
        };
        if held.get(register).is_none_or(|old| **old != contents) {
            held.set(register, Rc::new(contents));
        }
    }
}

impl<'f, 'a> Flow<'f, 'a> {
    /// Computes the flow from these initial contents; `None` if the budget is exhausted.
    pub(super) fn of(
        nodes: &'f [Node<'a>],
        steps: &'f [Option<Step<'a>>],
        start: Held,
    ) -> Option<Self> {
        let mut flow = Self { nodes, steps, before: vec![None; nodes.len()] };
        *flow.before.first_mut()? = Some(start);
        let mut effort = Effort::of(nodes.len(), MOST_STEPS);
        let mut open: BTreeSet<usize> = [0].into();
        while let Some(at) = open.pop_first() {
            flow.follow(at, &mut open, &mut effort);
            effort.left()?;
        }
        Some(flow)
    }

    /// Returns the effect of a node.
    fn step(&self, at: usize) -> Option<&'f Step<'a>> {
        self.steps.get(at)?.as_ref()
    }

    /// Follows a block to the start of the next ones.
    fn follow(&mut self, from: usize, open: &mut BTreeSet<usize>, effort: &mut Effort) {
        let Some(mut held) = self.before[from].clone() else { return };
        let nodes = self.nodes;
        for (at, node) in nodes.iter().enumerate().skip(from) {
            effort.spend(1);
            let resolved = match node {
                Node::Label(_) if at != from => return self.lead(at, &held, open, effort),
                Node::Label(_) | Node::Nothing => continue,
                Node::Instruction(resolved) => resolved,
            };
            if let Some(target) = resolved.target {
                self.lead(target, &held, open, effort);
            }
            if !goes_on(resolved) || effort.is_spent() {
                return;
            }
            transfer(self.step(at), resolved, &mut held);
        }
    }

    /// Joins a path with this state into a node.
    fn lead(&mut self, to: usize, held: &Held, open: &mut BTreeSet<usize>, effort: &mut Effort) {
        let is_changed = match &mut self.before[to] {
            Some(known) => {
                effort.spend(1);
                known.join(held, &mut |mine, other| {
                    effort.spend(1);
                    let joined = mine.join(other);
                    (joined != **mine).then(|| Rc::new(joined))
                })
            }
            none => {
                *none = Some(held.clone());
                true
            }
        };
        if is_changed {
            open.insert(to);
        }
    }

    /// Calls `note` with every instruction that control may reach, and the contents of registers before it.
    pub(super) fn each_node(&self, mut note: impl FnMut(usize, &'f Resolved<'a>, &Held)) {
        let mut held: Option<Held> = None;
        for (at, node) in self.nodes.iter().enumerate() {
            if let Some(before) = &self.before[at] {
                held = Some(before.clone());
            }
            let (Some(known), Node::Instruction(resolved)) = (&mut held, node) else { continue };
            note(at, resolved, known);
            if goes_on(resolved) {
                transfer(self.step(at), resolved, known);
            } else {
                held = None;
            }
        }
    }
}

/// Whether control may continue with the next node.
fn goes_on(resolved: &Resolved<'_>) -> bool {
    matches!(resolved.effects.jump, Jump::Next) || resolved.effects.guard.is_some()
}
