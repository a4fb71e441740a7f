//! The rank, mode, coordinates and offsets of tensor copies (PTX ISA 5.5).

use ptx_isa::ir::body::{Instruction, Operand, OperandKind};
use ptx_isa::rules::TensorMode;

/// Returns the number of coordinates of a tensor copy.
pub(crate) fn coordinates_of(rank: u32, mode: TensorMode) -> usize {
    match mode {
        TensorMode::Gather4 | TensorMode::Scatter4 => 5,
        TensorMode::Tile | TensorMode::Im2col | TensorMode::Im2colW | TensorMode::Im2colW128 => {
            usize::try_from(rank).unwrap_or_default()
        }
    }
}

/// Returns the tensor rank and mode that modifiers specify.
pub(crate) fn tensor(modifiers: &[(&str, &str)]) -> Option<(u32, TensorMode)> {
    let rank = modifiers.iter().find_map(|(_, word)| match *word {
        "1d" => Some(1),
        "2d" => Some(2),
        "3d" => Some(3),
        "4d" => Some(4),
        "5d" => Some(5),
        _ => None,
    })?;
    let at = modifiers
        .iter()
        .position(|(dot, word)| *dot == "." && (*word == "tile" || word.starts_with("im2col")));
    let words = |n: usize| at.and_then(|at| modifiers.get(at + n)).map(|(_, word)| *word);
    let mode = match (words(0), words(1), words(2)) {
        (Some("tile"), Some("gather4"), _) => TensorMode::Gather4,
        (Some("tile"), Some("scatter4"), _) => TensorMode::Scatter4,
        (Some("tile") | None, ..) => TensorMode::Tile,
        (Some(_), Some("w"), Some("128")) => TensorMode::Im2colW128,
        (Some(_), Some("w"), _) => TensorMode::Im2colW,
        (Some(_), ..) => TensorMode::Im2col,
    };
    Some((rank, mode))
}

/// Returns the coordinates of a tensor copy, in braces after its map.
pub(crate) fn coordinates<'i, 'a>(instruction: &'i Instruction<'a>) -> Option<&'i Operand<'a>> {
    instruction.operands.iter().find_map(|operand| match &operand.kind {
        OperandKind::Address(inner) => match inner.as_slice() {
            [_, group @ Operand { kind: OperandKind::Vector(_), .. }] => Some(group),
            [..] => None,
        },
        _ => None,
    })
}

/// Returns the offsets of the `im2col` modes, in braces after the brackets.
pub(crate) fn offsets<'i, 'a>(instruction: &'i Instruction<'a>) -> Option<&'i Operand<'a>> {
    let is_group = |operand: &&Operand<'_>| matches!(operand.kind, OperandKind::Vector(_));
    instruction.operands.iter().rev().find(is_group)
}

/// Returns the contents of a group.
pub(crate) fn inside<'i, 'a>(group: &'i Operand<'a>) -> &'i [Operand<'a>] {
    match &group.kind {
        OperandKind::Vector(inner) => inner,
        _ => &[],
    }
}

#[cfg(test)]
mod tests;
