//! Facts that a called function may have proven about an address passed to it, as in `if (is_aligned(p))`.

use alloc::vec;
use alloc::vec::Vec;

use ptx_isa::Space;
use ptx_isa::instruction::Direction;
use ptx_isa::rules::access::Object;
use ptx_isa::sorted::{SortedMap, SortedSet};

use crate::flow::effects::Jump;
use crate::flow::node::{Node, Referent, Resolved};
use crate::flow::origin::Writers;
use crate::flow::storage::Storage;

/// The maximum number of tests of return values that are distinguished.
const MOST_TESTS: usize = 16;

/// The storage whose addresses are passed to functions, and the code that runs depending on their results.
#[derive(Debug, Default)]
pub(crate) struct ProvenByCallee {
    storages: SortedSet<usize>,
    /// For each node, whether it depends on such a result.
    nodes: Vec<bool>,
}

impl ProvenByCallee {
    /// Collects this for a body; `None` if the body makes no calls.
    pub(crate) fn of(nodes: &[Node<'_>], storages: &[Storage<'_>]) -> Option<Self> {
        nodes.iter().filter_map(instruction).find(|it| it.effects.calls)?;
        let (mut passed, mut open) = (SortedSet::new(), Vec::new());
        let mut note = |resolved: &Resolved<'_>| {
            passed.extend(resolved.referents().filter_map(|referent| match referent {
                Referent::Storage(storage) => Some(storage),
                Referent::Register(_) | Referent::Other => None,
            }));
            Some(())
        };
        for resolved in nodes.iter().filter_map(instruction).filter(|it| passes(it)) {
            note(resolved)?;
            open.extend(registers(resolved));
        }
        Writers::of(nodes).trace(nodes, open, &mut note)?;
        let returned = returned(nodes, storages);
        let depends = |resolved: &Resolved<'_>| {
            let guard = resolved.effects.guard.as_ref().and_then(|it| resolved.find(it.name.text));
            matches!(guard, Some(Referent::Register(guard)) if returned.contains(&guard))
        };
        let mut proven_by_callee = Self { storages: passed, nodes: vec![false; nodes.len()] };
        let mut tests = Vec::new();
        for (at, node) in nodes.iter().enumerate() {
            let Some(resolved) = instruction(node).filter(|it| depends(it)) else { continue };
            proven_by_callee.nodes[at] = true;
            if !matches!(resolved.effects.jump, Jump::Next) {
                tests.push(at);
            }
        }
        if tests.len() > MOST_TESTS {
            proven_by_callee.nodes.fill(true);
        } else {
            for without in tests.iter().flat_map(|at| [(*at, true), (*at, false)]) {
                let reached = reached(nodes, without);
                for (known, is_reached) in proven_by_callee.nodes.iter_mut().zip(reached) {
                    *known |= !is_reached;
                }
            }
        }
        Some(proven_by_callee)
    }

    /// Whether a function may have tested an address in this storage before control reaches the node.
    pub(crate) fn may_prove(&self, at: usize, storage: usize) -> bool {
        self.storages.contains(&storage) && self.nodes.get(at) == Some(&true)
    }
}

pub(crate) fn instruction<'n, 'a>(node: &'n Node<'a>) -> Option<&'n Resolved<'a>> {
    match node {
        Node::Instruction(resolved) => Some(resolved),
        Node::Label(_) | Node::Nothing => None,
    }
}

fn registers(resolved: &Resolved<'_>) -> impl Iterator<Item = usize> {
    resolved.referents().filter_map(|referent| match referent {
        Referent::Register(register) => Some(register),
        Referent::Storage(_) | Referent::Other => None,
    })
}

/// Returns the registers that may depend on return values.
fn returned(nodes: &[Node<'_>], storages: &[Storage<'_>]) -> SortedSet<usize> {
    let (mut returned, mut open) = (SortedSet::new(), Vec::new());
    // The instructions that involve each register.
    let mut with: SortedMap<usize, Vec<usize>> = SortedMap::new();
    let mut written: Vec<&[usize]> = Vec::new();
    for (n, resolved) in nodes.iter().filter_map(instruction).enumerate() {
        for register in registers(resolved) {
            with.entry(register).or_default().push(n);
        }
        if returns(resolved, storages) {
            open.extend(&resolved.written);
        }
        written.push(&resolved.written);
    }
    while let Some(register) = open.pop() {
        if returned.insert(register) {
            for n in with.remove(&register).into_iter().flatten() {
                // Each writer needs to be visited only once.
                open.extend(core::mem::take(&mut written[n]));
            }
        }
    }
    returned
}

/// Whether an instruction passes an argument to a function.
fn passes(resolved: &Resolved<'_>) -> bool {
    resolved.effects.calls
        || resolved.effects.memory.iter().any(|operand| {
            operand.form.space == Some(Space::Param) && operand.form.direction == Direction::Write
        })
}

/// Whether an instruction writes a return value.
fn returns(resolved: &Resolved<'_>, storages: &[Storage<'_>]) -> bool {
    let is_returned = |name| match resolved.find(name) {
        Some(Referent::Storage(storage)) => {
            matches!(storages[storage].object(), Object::LocalParam(_))
        }
        Some(Referent::Register(_) | Referent::Other) | None => false,
    };
    resolved.effects.calls
        || resolved.effects.memory.iter().any(|operand| {
            operand.form.direction == Direction::Read && is_returned(operand.name.text)
        })
}

/// Returns which nodes control reaches if a jump is never taken, or always.
pub(crate) fn reached(nodes: &[Node<'_>], (without, jumps): (usize, bool)) -> Vec<bool> {
    let (mut open, mut reached) = (vec![0], vec![false; nodes.len()]);
    let labels = nodes.iter().enumerate();
    let labels = labels.filter(|(_, node)| matches!(node, Node::Label(_)));
    let mut labels: Vec<usize> = labels.map(|(at, _)| at).collect();
    while let Some(at) = open.pop() {
        if reached.get(at) != Some(&false) {
            continue;
        }
        reached[at] = true;
        let Some(resolved) = instruction(&nodes[at]) else {
            open.push(at + 1);
            continue;
        };
        let may_jump = at != without || !jumps;
        match (&resolved.effects.jump, resolved.target) {
            (Jump::To(_), Some(target)) if may_jump => open.push(target),
            (Jump::Anywhere, _) | (Jump::To(_), None) if may_jump => open.append(&mut labels),
            (_, _) => {}
        }
        let continues = matches!(resolved.effects.jump, Jump::Next)
            || resolved.effects.guard.is_some() && (at != without || jumps);
        open.extend(continues.then_some(at + 1));
    }
    reached
}
