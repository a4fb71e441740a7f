//! Byte offsets of accesses into surface rows.

use ptx_isa::ScalarType;
use ptx_isa::ir::body::{Instruction, Operand, OperandKind};

use crate::flow::expression::Expression;
use crate::flow::place::Place;

/// An access to a surface whose first coordinate counts bytes.
#[derive(Debug)]
pub(crate) struct SurfaceAccess<'a> {
    /// That coordinate and its place.
    pub(crate) coordinate: (Expression<'a>, Place),
    /// The number of bytes accessed.
    pub(crate) bytes: u64,
}

impl<'a> SurfaceAccess<'a> {
    pub(crate) fn of(instruction: &Instruction<'a>, statement: usize) -> Option<Self> {
        let counts_bytes = instruction.row?.byte_coordinate?;
        if !instruction.has(counts_bytes) {
            return None;
        }
        let inside = instruction.operands.iter().find_map(|operand| match &operand.kind {
            OperandKind::Address(inner) => Some(inner),
            _ => None,
        })?;
        let [_, coordinates] = inside.as_slice() else { return None };
        // The first coordinate of a surface array selects the layer.
        let is_array = instruction.has("a1d") || instruction.has("a2d");
        let of: &[Operand<'a>] = match &coordinates.kind {
            OperandKind::Vector(all) => all,
            OperandKind::Name(_) => core::slice::from_ref(coordinates),
            _ => return None,
        };
        let first = of.get(usize::from(is_array))?;
        let words = || {
            let words = instruction.modifiers.iter().filter(|modifier| !modifier.is_sub);
            words.map(|modifier| modifier.word)
        };
        let lanes = words().find_map(|word| match word {
            "v2" => Some(2),
            "v4" => Some(4),
            _ => None,
        });
        let scalar = words().find_map(ScalarType::from_name)?;
        let bytes = scalar.bytes() * lanes.unwrap_or(1);
        Some(Self {
            coordinate: (Expression::of(first), Place::new(statement, first.at?)),
            bytes: u64::try_from(bytes).ok()?,
        })
    }
}

#[cfg(test)]
mod tests;
