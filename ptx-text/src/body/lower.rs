//! Lowers the declarations of bodies to IR, with unknowns where tokens do not determine a value.

use bumpalo::Bump;
use ptx_isa::ir::{self, Extent, Init, Type, Value};
use ptx_isa::{Class, ScalarType};

use super::token::Written;
use super::{Count, Declaration, Family, Literal};

/// Reads a long list of such scalars, which only a text has.
pub type ReadList<'f, 'a> = &'f dyn Fn(Written, ScalarType) -> Value<'a>;

/// The IR of a literal value of such scalars. What only rustc knows becomes zero, which has the right shape; rustc
/// checks its value.
pub fn lower_literal<'a, P>(
    value: &Literal<P>,
    scalar: ScalarType,
    arena: &'a Bump,
    read: ReadList<'_, 'a>,
) -> Value<'a> {
    match value {
        Literal::Constant(_) | Literal::Other if matches!(scalar.class(), Class::Float) => {
            Value::Float(0.0)
        }
        Literal::Constant(_) | Literal::Other => Value::Int(0),
        Literal::Int(value) => Value::Int(*value),
        Literal::Float(value) => Value::Float(*value),
        Literal::MaskedInt(mask, value) => Value::MaskedInt(*mask, *value),
        Literal::Address { name, generic, addend, mask } => {
            let symbol = arena.alloc_str(&name.text);
            let address = ir::Address { symbol, generic: *generic, addend: *addend };
            match mask {
                Some(mask) => Value::MaskedAddress(*mask, address),
                None => Value::Address(address),
            }
        }
        Literal::List(values) => {
            let values = values.iter().map(|(value, _)| lower_literal(value, scalar, arena, read));
            Value::List(arena.alloc_slice_fill_iter(values))
        }
        Literal::Written(written) => read(*written, scalar),
    }
}

/// The IR of a declaration in a body.
pub fn lower_declaration<'a, P: Copy>(
    declaration: &Declaration<P>,
    arena: &'a Bump,
    read: ReadList<'_, 'a>,
) -> ir::Variable<'a> {
    let scalar = declaration.scalar;
    let mut ty = if declaration.lanes == 1 {
        Type::Scalar(scalar)
    } else {
        Type::Vector(declaration.lanes, scalar)
    };
    let extent = |count: &Count| match count {
        Count::Known(count) => Extent::Known(*count),
        Count::Missing => Extent::Incomplete,
        Count::Constant(_) => Extent::Unknown,
    };
    for count in declaration.extents.iter().rev() {
        ty = Type::Array(extent(count), arena.alloc(ty));
    }
    if let Family::Of(count) = &declaration.family {
        ty = Type::Family(extent(count), arena.alloc(ty));
    }
    let name = arena.alloc_str(&declaration.name.text);
    let mut ir = ir::Variable::new(declaration.space, name, arena.alloc(ty));
    ir.align = match &declaration.align {
        Some((Count::Known(bytes), _)) => Some(*bytes),
        Some((Count::Missing | Count::Constant(_), _)) | None => None,
    };
    ir.managed = declaration.managed;
    ir.allow = arena.alloc_slice_copy(&declaration.allowed());
    if let Some((value, _)) = &declaration.value {
        ir.init = Init::Value(lower_literal(value, scalar, arena, read));
    }
    ir
}
