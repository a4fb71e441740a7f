//! The effects of a body's instructions on mbarriers and on memory shared with copies, proxies and blocks.

use alloc::rc::Rc;
use alloc::vec::Vec;

use ptx_isa::Space;
use ptx_isa::instruction::{Direction, Group, Order, Role};
use ptx_isa::rules::LaunchCondition;
use ptx_isa::sorted::SortedMap;

use super::span::Span;
use crate::domains::checker::InstructionChecker;
use crate::flow::effects::{Action, Jump};
use crate::flow::graph::Outcomes;
use crate::flow::memory::MemoryOperand;
use crate::flow::node::{Node, Resolved};
use crate::flow::place::Place;
use crate::values::claim::{self, Claim};
use crate::values::location::Located;
use crate::values::state::State;
use crate::values::value::AbstractValue;

/// An effect of an instruction and its place.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) node: usize,
    pub(crate) place: Place,
    /// The allowances on the statement.
    pub(crate) allowed: Vec<usize>,
    /// The launch conditions under which a thread gets there.
    pub(crate) launch: Vec<Rc<LaunchCondition>>,
    /// Whether it depends on a predicate or a Rust constant.
    pub(crate) is_guarded: bool,
}

/// The agent that accesses memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum By {
    /// The thread itself, through the generic proxy.
    Thread,
    /// `cp.async`.
    Copy,
    /// A bulk copy that its thread waits for by groups.
    BulkGroup,
    /// Any other asynchronous operation.
    Other,
}

/// An access to shared memory, or to memory that may be shared.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    pub(crate) event: Event,
    pub(crate) span: Span,
    pub(crate) by: By,
    pub(crate) direction: Direction,
    /// Whether it accesses data rather than an mbarrier.
    pub(crate) is_data: bool,
}

impl Access {
    pub(crate) fn writes(&self) -> bool {
        matches!(self.direction, Direction::Write | Direction::ReadWrite)
    }
}

/// An operation on an mbarrier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Does {
    Init,
    Invalidate,
    Arrive,
    /// A wait that writes its result to this register.
    Wait(Option<usize>),
    /// A copy that completes on it.
    Copy,
    /// An explicit completion of transactions.
    Complete,
}

/// An operation on an mbarrier, with its context.
#[derive(Clone, Debug)]
pub(crate) struct Use {
    pub(crate) event: Event,
    pub(crate) span: Span,
    pub(crate) does: Does,
}

/// All events, in statement order.
#[derive(Debug, Default)]
pub(crate) struct Events {
    pub(crate) uses: Vec<Use>,
    pub(crate) accesses: Vec<Access>,
    pub(crate) branches: SortedMap<usize, Outcomes>,
}

impl Events {
    /// Creates an empty list, if a body has any relevant events.
    pub(crate) fn wanted(nodes: &[Node<'_>]) -> Option<Self> {
        let matters = |resolved: &Resolved<'_>| {
            let effects = &resolved.effects;
            let is_barrier = |operand: &MemoryOperand<'_>| operand.form.role == Role::Barrier;
            let is_remote = |operand: &MemoryOperand<'_>| {
                !operand.form.is_own_block() && operand.form.space == Some(Space::Shared)
            };
            matches!(effects.order(), Some((Order::Copy(_), _)))
                || !matches!(effects.action, Action::None)
                || effects.memory.iter().any(|it| is_barrier(it) || is_remote(it))
        };
        nodes.iter().filter_map(Node::instruction).any(matters).then(Self::default)
    }

    /// Records the control flow after an instruction.
    pub(crate) fn branch(&mut self, at: usize, resolved: &Resolved<'_>, state: &State) {
        if !matches!(resolved.effects.jump, Jump::Next) {
            let outcome = |runs| state.follows(resolved, runs).map(|claims| launch(&claims));
            self.branches.insert(at, [outcome(true), outcome(false)]);
        }
    }

    /// Records an instruction.
    pub(crate) fn note<'a>(
        &mut self,
        (at, resolved): (usize, &Resolved<'a>),
        located: &[Option<Located<'a>>],
        checker: &InstructionChecker<'_, '_, 'a>,
        state: &State,
    ) {
        let effects = &resolved.effects;
        let event = |place| Event {
            node: at,
            place,
            allowed: resolved.allowed.to_vec(),
            launch: launch(&state.claims),
            is_guarded: effects.guard.is_some() || !claim::conditions(&state.claims).is_empty(),
        };
        let by = match (effects.order(), &effects.action) {
            (Some((Order::Copy(Group::Copies), _)), _) => By::Copy,
            (Some((Order::Copy(Group::Bulk), _)), _) => By::BulkGroup,
            (_, Action::Copy(_) | Action::CopyTile(_) | Action::Multiply(_)) => By::Other,
            (_, _) => By::Thread,
        };
        let mut spans = Vec::with_capacity(effects.memory.len());
        for (operand, located) in effects.memory.iter().zip(located) {
            let span = Span::of(operand, located.as_ref(), checker);
            let is_accessed = match operand.form.direction {
                Direction::Read | Direction::Write | Direction::ReadWrite => span.may_be_shared(),
                Direction::Taken | Direction::Cache => false,
            };
            if is_accessed && operand.form.role != Role::Map {
                self.accesses.push(Access {
                    event: event(operand.place),
                    span: span.clone(),
                    by,
                    direction: operand.form.direction,
                    is_data: operand.form.role == Role::Data,
                });
            }
            spans.push(span);
        }
        let evaluator = checker.setting.evaluator(resolved, state);
        if let Action::Multiply(matrices) = &effects.action {
            for matrix in matrices {
                let AbstractValue::Descriptor(address, ..) = evaluator.value_of(matrix.name.text)
                else {
                    continue;
                };
                self.accesses.push(Access {
                    event: event(matrix.place),
                    span: Span::somewhere(address.storage, address.is_pointee, checker),
                    by,
                    direction: Direction::Read,
                    is_data: true,
                });
            }
        }
        let is_barrier = |operand: &MemoryOperand<'_>| operand.form.role == Role::Barrier;
        let n = effects.memory.iter().position(is_barrier);
        let does = match &effects.action {
            Action::Init(_) => Does::Init,
            Action::Invalidate => Does::Invalidate,
            Action::Arrive(_) | Action::Expect(_) => Does::Arrive,
            Action::Wait(_) => Does::Wait(resolved.written.first().copied()),
            Action::Copy(_) | Action::CopyTile(_) if n.is_some() => {
                let is_destination =
                    |operand: &MemoryOperand<'_>| operand.form.direction == Direction::Write;
                let writes = effects.memory.iter().any(is_destination);
                if writes { Does::Copy } else { Does::Complete }
            }
            Action::Complete => Does::Complete,
            Action::Copy(_) | Action::CopyTile(_) | Action::Multiply(_) | Action::None => return,
        };
        let (span, place) = match n {
            Some(n) => (spans[n].clone(), effects.memory[n].place),
            // The operand is not in brackets, or has no name.
            None => (Span::UNKNOWN, Place::new(effects.statement, WHOLE)),
        };
        self.uses.push(Use { event: event(place), span, does });
    }
}

/// The first token of a statement.
const WHOLE: ptx_isa::ir::body::TokenRange = ptx_isa::ir::body::TokenRange::one(0);

/// Returns the launch conditions among these facts.
fn launch(claims: &[Rc<Claim>]) -> Vec<Rc<LaunchCondition>> {
    let condition = |claim: &Rc<Claim>| match &**claim {
        Claim::Launch(condition) => Some(Rc::clone(condition)),
        Claim::Aligned { .. } | Claim::Constants(_) | Claim::Bound(_) => None,
    };
    claims.iter().filter_map(condition).collect()
}

#[cfg(test)]
mod tests;
