//! The operand that a fault blames, where that is another one than an address.

use ptx_isa::instruction::{AccessSize, Computes, TogetherEffect};
use ptx_isa::ir;
use ptx_isa::ir::body::{Instruction, TokenRange};

use crate::flow::place::Place;
use crate::order::fault::Kind;

/// Returns the place of the number that a fault of an instruction is about: a mask, a rank, a size, a count of
/// columns, a barrier.
pub(super) fn number(kind: Kind, body: ir::Body<'_>, statement: usize) -> Option<Place> {
    let select: fn(&Instruction<'_>) -> Option<usize> = match kind {
        Kind::MaskOfAbsent(..)
        | Kind::MaskWithoutOwn(..)
        | Kind::NotFreed(_)
        | Kind::NoColumns(..)
        | Kind::OddColumns(_) => last,
        Kind::NoBlock(..) => rank,
        Kind::NotWhole(_) => size,
        Kind::NoBarrier(_) => barrier,
        _ => return None,
    };
    let instruction = body.statements().nth(statement)?.instruction(&[])?;
    let tokens: TokenRange = instruction.operands.get(select(&instruction)?)?.at?;
    Some(Place::new(statement, tokens))
}

fn last(instruction: &Instruction<'_>) -> Option<usize> {
    instruction.operands.len().checked_sub(1)
}

/// The rank of a block in `mapa`; copies to several blocks name them in a mask, among other operands.
fn rank(instruction: &Instruction<'_>) -> Option<usize> {
    (instruction.row?.computes == Computes::Remote).then(|| last(instruction)).flatten()
}

/// The number of a barrier of the block, which stands after the result of a reduction.
fn barrier(instruction: &Instruction<'_>) -> Option<usize> {
    Some(usize::from(instruction.row?.together == Some(TogetherEffect::BlockReduce)))
}

/// The number of bytes of a copy.
fn size(instruction: &Instruction<'_>) -> Option<usize> {
    instruction.row?.addresses.iter().find_map(|address| match address.size {
        AccessSize::Counted(operand, _) => Some(operand),
        _ => None,
    })
}
