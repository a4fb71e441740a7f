//! What the instructions of a body do to barriers and to memory that copies, proxies and blocks share.

use alloc::collections::BTreeMap;
use alloc::rc::Rc;
use alloc::vec::Vec;

use ptx_types::Space;
use ptx_types::instruction::{Direction, Group, Order, Role};
use ptx_types::rules::LaunchCondition;

use super::span::Span;
use crate::claim::{self, Claim};
use crate::effects::{Action, Jump};
use crate::expression::Expression;
use crate::graph::Outcomes;
use crate::judge::Judge;
use crate::location::Located;
use crate::memory::MemoryOperand;
use crate::node::{Node, Referent, Resolved};
use crate::number::Linear;
use crate::place::Place;
use crate::state::State;
use crate::value::AbstractValue;

/// Something that an instruction does, and where.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) node: usize,
    pub(crate) place: Place,
    /// The allowances that stand there.
    pub(crate) allowed: Vec<usize>,
    /// What the launch has to decide for a thread to get there.
    pub(crate) launch: Vec<Rc<LaunchCondition>>,
    /// Whether a predicate or a Rust constant decides whether it is done.
    pub(crate) is_guarded: bool,
}

/// What goes to memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum By {
    /// The thread itself, through the generic proxy.
    Thread,
    /// `cp.async`.
    Copy,
    /// A bulk copy that its thread waits for in groups.
    BulkGroup,
    /// Something else that goes on by itself.
    Other,
}

/// An access to shared memory, or to what may be.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    pub(crate) event: Event,
    /// Which of the operands at addresses it is.
    pub(crate) operand: usize,
    pub(crate) span: Span,
    pub(crate) by: By,
    pub(crate) direction: Direction,
    /// Whether it reads or writes data, and not a barrier.
    pub(crate) is_data: bool,
}

impl Access {
    pub(crate) fn writes(&self) -> bool {
        matches!(self.direction, Direction::Write | Direction::ReadWrite)
    }
}

/// What a wait asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Awaited {
    /// The phase of a state that an arrival returned.
    State,
    /// The phase of this parity.
    Parity(i128),
    /// One of the parity in this register, which is not the same number in every execution.
    Register(usize),
    /// One that is not known.
    Unknown,
}

/// What is done to a barrier.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Does {
    /// It is made for so many arrivals, if that is known; there stands the count.
    Init(Option<i128>, Place),
    Invalidate,
    /// So many arrivals, if that is known.
    Arrive(Option<i128>),
    /// The same, of bytes that it is told to expect.
    Expect(Option<i128>),
    /// A wait, which writes its answer to this register.
    Wait(Awaited, Option<usize>),
    /// A copy completes on it, which goes there.
    Copy(Span),
    /// Transactions are completed by hand.
    Complete,
}

/// Something that is done to a barrier.
#[derive(Clone, Debug)]
pub(crate) struct Use {
    pub(crate) event: Event,
    pub(crate) span: Span,
    pub(crate) does: Does,
}

/// All that is done, in the order of the statements.
#[derive(Debug, Default)]
pub(crate) struct Events {
    pub(crate) uses: Vec<Use>,
    pub(crate) accesses: Vec<Access>,
    pub(crate) branches: BTreeMap<usize, Outcomes>,
}

impl Events {
    /// Events, if a body has any that matter.
    pub(crate) fn wanted(nodes: &[Node<'_>]) -> Option<Self> {
        let matters = |resolved: &Resolved<'_>| {
            let effects = &resolved.effects;
            let is_barrier = |operand: &MemoryOperand<'_>| operand.form.role == Role::Barrier;
            let is_remote = |operand: &MemoryOperand<'_>| {
                !operand.form.goes_to_own_block() && operand.form.space == Some(Space::Shared)
            };
            matches!(effects.order(), Some((Order::Copy(_), _)))
                || !matches!(effects.action, Action::None)
                || effects.memory.iter().any(|it| is_barrier(it) || is_remote(it))
        };
        nodes.iter().filter_map(Node::instruction).any(matters).then(Self::default)
    }

    /// Notes where control goes after an instruction.
    pub(crate) fn branch(&mut self, at: usize, resolved: &Resolved<'_>, state: &State) {
        if !matches!(resolved.effects.jump, Jump::Next) {
            let outcome = |runs| state.follows(resolved, runs).map(|claims| launch(&claims));
            self.branches.insert(at, [outcome(true), outcome(false)]);
        }
    }

    /// Notes an instruction.
    pub(crate) fn note<'a>(
        &mut self,
        (at, resolved): (usize, &Resolved<'a>),
        located: &[Option<Located<'a>>],
        judge: &Judge<'_, '_, 'a>,
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
        for (n, (operand, located)) in effects.memory.iter().zip(located).enumerate() {
            let span = Span::of(operand, located.as_ref(), judge);
            let goes_there = match operand.form.direction {
                Direction::Read | Direction::Write | Direction::ReadWrite => span.may_be_shared(),
                Direction::Taken | Direction::Cache => false,
            };
            if goes_there && operand.form.role != Role::Map {
                self.accesses.push(Access {
                    event: event(operand.place),
                    operand: n,
                    span: span.clone(),
                    by,
                    direction: operand.form.direction,
                    is_data: operand.form.role == Role::Data,
                });
            }
            spans.push(span);
        }
        let evaluator = judge.setting.evaluator(resolved, state);
        if let Action::Multiply(matrices) = &effects.action {
            for matrix in matrices {
                let AbstractValue::Descriptor(address, ..) = evaluator.held(matrix.name.text)
                else {
                    continue;
                };
                self.accesses.push(Access {
                    event: event(matrix.place),
                    operand: effects.memory.len(),
                    span: Span::somewhere(address.storage, address.is_pointee, judge),
                    by,
                    direction: Direction::Read,
                    is_data: true,
                });
            }
        }
        let number = |value| match evaluator.value(value).into_number() {
            AbstractValue::Number(number) => Linear::value(&number),
            _ => None,
        };
        let is_barrier = |operand: &MemoryOperand<'_>| operand.form.role == Role::Barrier;
        let n = effects.memory.iter().position(is_barrier);
        let does = match &effects.action {
            Action::Init(count) => Does::Init(number(&count.0), count.1),
            Action::Invalidate => Does::Invalidate,
            Action::Arrive(count) => Does::Arrive(count.as_deref().and_then(number)),
            Action::Expect(_, arrivals) => Does::Expect(arrivals.map(i128::from)),
            Action::Wait(parity) => {
                let register = |value: &Expression<'a>| match value {
                    Expression::Name(name) => resolved.find(name.text),
                    _ => None,
                };
                let awaited = match parity.as_deref().map(|value| (number(value), register(value)))
                {
                    None => Awaited::State,
                    Some((Some(parity), _)) => Awaited::Parity(parity & 1),
                    Some((None, Some(Referent::Register(register)))) => Awaited::Register(register),
                    Some((None, _)) => Awaited::Unknown,
                };
                Does::Wait(awaited, resolved.written.first().copied())
            }
            Action::Copy(_) | Action::CopyTile(_) if n.is_some() => {
                let is_destination =
                    |operand: &MemoryOperand<'_>| operand.form.direction == Direction::Write;
                match effects.memory.iter().position(is_destination) {
                    Some(n) => Does::Copy(spans[n].clone()),
                    None => Does::Complete,
                }
            }
            Action::Complete => Does::Complete,
            Action::Copy(_) | Action::CopyTile(_) | Action::Multiply(_) | Action::None => return,
        };
        let (span, place) = match n {
            Some(n) => (spans[n].clone(), effects.memory[n].place),
            // What is not in brackets, or has no name.
            None => (Span::UNKNOWN, Place::new(effects.statement, WHOLE)),
        };
        self.uses.push(Use { event: event(place), span, does });
    }
}

/// The first token of a statement.
const WHOLE: ptx_types::ir::body::TokenRange = ptx_types::ir::body::TokenRange::one(0);

/// The conditions on the launch among claims.
fn launch(claims: &[Rc<Claim>]) -> Vec<Rc<LaunchCondition>> {
    let condition = |claim: &Rc<Claim>| match &**claim {
        Claim::Launch(condition) => Some(Rc::clone(condition)),
        Claim::Aligned { .. } | Claim::Constants(_) | Claim::Bound(_) => None,
    };
    claims.iter().filter_map(condition).collect()
}

#[cfg(test)]
mod tests;
