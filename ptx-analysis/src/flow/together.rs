//! Collective operations: those of a block at one of its barriers, and those of a warpgroup.

use alloc::boxed::Box;
use alloc::vec::Vec;

use ptx_isa::instruction::TogetherEffect;
use ptx_isa::ir::body::{Instruction, Name, Operand, OperandKind};

use crate::flow::expression::{Expression, note_names};
use crate::flow::place::Place;

/// A number and its place.
pub(crate) type Count<'a> = (Expression<'a>, Place);

/// A collective operation of threads.
#[derive(Debug)]
pub(crate) enum Together<'a> {
    /// They arrive at a barrier of their block.
    Block(Box<Arrival<'a>>),
    /// They order register accesses before multiplications.
    Fence,
    /// They commit the multiplications so far as a group.
    Commit,
    /// They wait for all but this many of the latest groups, if that is known; with the place of the number.
    Wait(Option<i128>, Place),
    /// They multiply: the registers of the left matrix, if it is in registers, and the place.
    Multiply(Vec<Name<'a>>, Place),
}

/// An arrival at a barrier of a block.
#[derive(Debug)]
pub(crate) struct Arrival<'a> {
    /// The barrier number.
    pub(crate) number: Expression<'a>,
    /// The number of threads that it expects, if not all.
    pub(crate) count: Option<Count<'a>>,
    /// Whether the threads wait there.
    pub(crate) waits: bool,
}

impl<'a> Together<'a> {
    pub(crate) fn of(instruction: &Instruction<'a>, statement: usize) -> Option<Self> {
        let operands = instruction.operands.as_slice();
        let arrival = |number: Option<&Operand<'a>>, count: Option<&Operand<'a>>, waits| {
            let count = count
                .and_then(|count| Some((Expression::of(count), Place::new(statement, count.at?))));
            let number = number.map_or(Expression::UNKNOWN, Expression::of);
            Self::Block(Box::new(Arrival { number, count, waits }))
        };
        let in_order = |waits| arrival(operands.first(), operands.get(1), waits);
        Some(match instruction.row?.together? {
            TogetherEffect::BlockArrive => in_order(false),
            TogetherEffect::BlockSync => in_order(true),
            TogetherEffect::BlockReduce => match operands {
                [_, number, count, _] => arrival(Some(number), Some(count), true),
                [..] => arrival(operands.get(1), None, true),
            },
            TogetherEffect::ClusterArrive
            | TogetherEffect::ClusterWait
            | TogetherEffect::Warp(_) => return None,
            TogetherEffect::WarpgroupFence => Self::Fence,
            TogetherEffect::WarpgroupCommit => Self::Commit,
            TogetherEffect::WarpgroupWait => {
                let left = operands.first().and_then(|count| count.amount().known());
                Self::Wait(left, Place::new(statement, instruction.opcode_at))
            }
            TogetherEffect::WarpgroupMultiply => {
                let mut fragment = Vec::new();
                if let Some(left @ Operand { kind: OperandKind::Vector(_), .. }) = operands.get(1) {
                    note_names(left, &mut fragment);
                }
                Self::Multiply(fragment, Place::new(statement, instruction.opcode_at))
            }
        })
    }

    /// Calls `note` with every name in it.
    pub(crate) fn each_name(&self, note: &mut impl FnMut(Name<'a>)) {
        match self {
            Self::Block(arrival) => {
                arrival.number.each_name(note);
                arrival.count.iter().for_each(|(count, _)| count.each_name(note));
            }
            Self::Multiply(fragment, _) => fragment.iter().for_each(|name| note(*name)),
            Self::Fence | Self::Commit | Self::Wait(..) => {}
        }
    }
}

#[cfg(test)]
mod tests;
