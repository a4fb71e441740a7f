//! Checks for data that a thread stores and then loads through the non-coherent path: `ld.global.nc`.
//!
//! Where all threads are followed (`order`), the same is found there; this is for launches that are not known.

use alloc::vec::Vec;

use ptx_isa::instruction::{Direction, Role};
use ptx_isa::rules::access::Object;
use ptx_isa::rules::reload::Reload;
use ptx_isa::rules::{self, Violation};
use ptx_isa::sorted::SortedMap;

use crate::domains::checker::InstructionChecker;
use crate::flow::effects::Jump;
use crate::flow::graph::{Graph, Walk};
use crate::flow::memory::MemoryOperand;
use crate::flow::node::{Node, Referent, Resolved};
use crate::flow::place::Place;
use crate::values::claim;
use crate::values::launch::Affine;
use crate::values::location::Located;
use crate::values::state::State;

/// The maximum number of pairs of a store and a load that are compared per object.
const MOST_PAIRS: usize = 1 << 16;

/// The bytes of an object that an instruction accesses, for each thread that reaches it.
#[derive(Debug)]
pub(crate) struct Bytes {
    pub(crate) node: usize,
    /// The offset from the start of the object, if it is the same whenever a thread gets there.
    pub(crate) offset: Option<Affine>,
    /// The register that holds the address, and the added offset.
    register: Option<(usize, i128)>,
    pub(crate) count: i128,
}

/// A non-coherent load.
#[derive(Debug)]
struct Load {
    bytes: Bytes,
    place: Place,
    allowed: Vec<usize>,
}

/// The stores to each object, and the non-coherent loads from it.
#[derive(Debug, Default)]
pub(crate) struct Unchanged(SortedMap<(usize, bool), (Vec<Bytes>, Vec<Load>)>);

impl Unchanged {
    /// Records an instruction.
    pub(crate) fn note<'a>(
        &mut self,
        (node, resolved): (usize, &Resolved<'a>),
        located: &[Option<Located<'a>>],
        state: &State,
    ) {
        let effects = &resolved.effects;
        for (operand, located) in effects.memory.iter().zip(located) {
            let Some(located) = located else { continue };
            // An asynchronous store may happen later.
            let is_typed = operand.form.role == Role::Data && operand.form.ty.is_some();
            let Some(bytes) = bytes(node, operand, located, resolved).filter(|_| is_typed) else {
                continue;
            };
            let of = || (located.storage, located.is_pointee);
            match operand.form.direction {
                Direction::Write | Direction::ReadWrite if effects.guard.is_none() => {
                    self.0.entry(of()).or_default().0.push(bytes);
                }
                Direction::Read
                    if effects.is_non_coherent && claim::conditions(&state.claims).is_empty() =>
                {
                    let (place, allowed) = (operand.place, resolved.allowed.to_vec());
                    self.0.entry(of()).or_default().1.push(Load { bytes, place, allowed });
                }
                Direction::Write
                | Direction::ReadWrite
                | Direction::Read
                | Direction::Cache
                | Direction::Taken => {}
            }
        }
    }

    /// Checks the loads.
    pub(crate) fn settle<'a>(
        self,
        nodes: &[Node<'a>],
        checker: &mut InstructionChecker<'_, '_, 'a>,
    ) {
        let mut ways = Ways::of(nodes);
        for ((storage, is_pointee), (stores, loads)) in self.0 {
            if stores.len().saturating_mul(loads.len()) > MOST_PAIRS {
                continue;
            }
            let [choice] = checker.setting.storages[storage].choices.as_slice() else { continue };
            let object = choice.at(is_pointee).0;
            for load in loads {
                let mut found = stores.iter().flat_map(|store| store.before(&load.bytes, object));
                if let Some((violation, _)) =
                    found.find(|(_, must_calls)| must_calls.is_true(&mut ways) == Some(true))
                {
                    checker.report.report(&violation, load.place, &load.allowed);
                }
            }
        }
    }
}

/// Returns the bytes that an operand accesses.
pub(crate) fn bytes<'a>(
    node: usize,
    operand: &MemoryOperand<'a>,
    located: &Located<'a>,
    resolved: &Resolved<'a>,
) -> Option<Bytes> {
    let register = match (resolved.find(operand.name.text), operand.offset.known()) {
        (Some(Referent::Register(register)), Some(added)) if operand.index.is_none() => {
            Some((register, added))
        }
        (_, _) => None,
    };
    let offset = located.offset.affine();
    Some(Bytes { node, offset, register, count: operand.bytes.known()? })
}

/// The conditions under which each thread certainly goes from one node to another.
struct Surely {
    over: usize,
    to: usize,
    /// The register that keeps its value on the straight-line path between both, if that is the path.
    register: Option<usize>,
}

impl Bytes {
    /// Whether they start where the others do, and are as many.
    pub(crate) fn covers(&self, other: &Self) -> bool {
        self.offset == other.offset && self.count >= other.count
    }

    /// Returns the violations if a thread certainly accesses these bytes before it accesses the others.
    fn before<'a>(&self, other: &Self, object: Object<'a>) -> Vec<(Violation<'a>, Surely)> {
        let by_offset = || other.offset.as_ref()?.plus(&self.offset.as_ref()?.times(-1)?)?.value();
        let by_register = || {
            let ((register, added), (is, more)) = (self.register?, other.register?);
            (register == is && self.node < other.node).then_some((more - added, register))
        };
        let offset = by_offset().map(|apart| (apart, None));
        let register = by_register().map(|(apart, register)| (apart, Some(register)));
        let mut all = Vec::new();
        for (apart, register) in register.into_iter().chain(offset) {
            let reload = Reload { object, apart, stored: self.count, loaded: other.count };
            for violation in rules::check_reload(reload) {
                all.push((violation, Surely { over: self.node, to: other.node, register }));
            }
        }
        all
    }
}

impl Surely {
    /// Whether the conditions hold; `None` if the budget is exhausted.
    fn is_true(&self, ways: &mut Ways<'_, '_>) -> Option<bool> {
        let Some(register) = self.register else { return ways.all_over(self.over, self.to) };
        let continues = |node: &Node<'_>| match node {
            Node::Instruction(resolved) => {
                matches!(resolved.effects.jump, Jump::Next | Jump::Ends)
                    && !resolved.written.contains(&register)
            }
            Node::Label(_) | Node::Nothing => false,
        };
        let graph = ways.graph.as_mut()?;
        let between = &graph.nodes[self.over..self.to];
        graph.spend(between.len())?;
        Some(between.iter().all(continues))
    }
}

/// The control flow paths through a body.
pub(crate) struct Ways<'n, 'a> {
    graph: Option<Graph<'n, 'a>>,
    /// For each node, what control reaches without passing it; `None` if the budget is exhausted.
    without: SortedMap<usize, Option<Walk>>,
}

impl<'n, 'a> Ways<'n, 'a> {
    pub(crate) fn of(nodes: &'n [Node<'a>]) -> Self {
        Self { graph: Graph::of(nodes, SortedMap::new()), without: SortedMap::new() }
    }

    /// Whether every path to a node passes through another node; `None` if the control flow is not known.
    pub(crate) fn all_over(&mut self, over: usize, to: usize) -> Option<bool> {
        let Self { graph: Some(graph), without } = self else { return None };
        let walk = without.entry(over).or_insert_with(|| graph.start(|node| node != over));
        Some(!walk.as_ref()?.reaches(to))
    }

    /// Whether a path leads from one node to another, without a third; `None` if the control flow is not known.
    pub(crate) fn leads(&mut self, from: usize, to: usize, without: Option<usize>) -> Option<bool> {
        Some(self.graph.as_mut()?.after(from, &[], |node| Some(node) != without)?.reaches(to))
    }
}

#[cfg(test)]
mod tests;
