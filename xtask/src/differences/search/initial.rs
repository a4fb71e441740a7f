//! The bytes that the PTX ISA gives variables at the start.

use ptx_isa::ScalarType;
use ptx_text::{Lexer, PieceKind};

use super::evaluate::{Number, evaluate};
use crate::cubin::LARGEST;
use ptx_isa::ir::{self, Init, Type};

/// A variable with an initial value.
pub(super) struct Value {
    pub(super) name: String,
    /// Its type, without extents.
    pub(super) what: String,
    /// What the initial value means.
    pub(super) bytes: Vec<u8>,
}

/// The variables of a module whose initial values are numbers of their types, or constant expressions.
pub(super) fn values(module: &ir::Module<'_>, text: &str) -> Vec<Value> {
    let value = |variable: &&ir::Variable<'_>| {
        let own = if variable.ty.rank() == 0 { expression(text, variable.name) } else { None };
        let bytes = match (own.and_then(evaluate), variable.init) {
            (Some(value), _) => of_expression(variable.ty.scalar()?, value)?,
            (None, Init::Value(value)) => bytes(variable.ty, &value)?,
            (None, _) => return None,
        };
        // Integers differ by their size alone.
        let scalar = variable.ty.scalar()?;
        let is_integer = !scalar.is_float() && scalar.bytes() <= 8;
        let scalar = if is_integer { "u32" } else { scalar.name() };
        let shape = match variable.ty.rank() {
            0 => String::new(),
            rank => format!(" in {rank} dimensions"),
        };
        Some(Value { name: variable.name.to_owned(), what: format!(".{scalar}{shape}"), bytes })
    };
    module.variables.iter().filter_map(value).collect()
}

/// The text of the initial value of a variable.
fn expression<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let pieces: Vec<_> = Lexer::new(text).filter(|piece| !piece.kind.is_trivia()).collect();
    let token = |n: usize| pieces.get(n).map(|piece| &text[piece.at.range()]);
    let is_it = |n: &usize| token(*n) == Some(name) && token(n + 1) == Some("=");
    let start = (0..pieces.len()).find(is_it)? + 1;
    let is_end = |n: &usize| pieces[*n].kind != PieceKind::Word && token(*n) == Some(";");
    let end = (start..pieces.len()).find(is_end)?;
    Some(&text[pieces[start].at.range().end..pieces[end].at.range().start])
}

/// The bytes of a number in a variable of a type that has it.
fn of_expression(scalar: ScalarType, value: Number) -> Option<Vec<u8>> {
    match value {
        Number::Float(value) => number(scalar, &ir::Value::Float(value)),
        Number::Signed(value) => number(scalar, &ir::Value::Int(value.into())),
        Number::Unsigned(value) => number(scalar, &ir::Value::Int(value.into())),
    }
}

fn bytes(ty: &Type<'_>, value: &ir::Value<'_>) -> Option<Vec<u8>> {
    let scalar = |scalar| Type::Scalar(scalar);
    if ty.size().is_some_and(|size| size > LARGEST) {
        return None;
    }
    let mut all = match (ty, value) {
        (Type::Aligned(_, inner), _) => return bytes(inner, value),
        (Type::Scalar(scalar), _) => return number(*scalar, value),
        (Type::Vector(_, lane), ir::Value::List(values)) => {
            list(&scalar(*lane), values.iter().copied())?
        }
        (Type::Vector(_, lane), ir::Value::Integers(values)) => {
            list(&scalar(*lane), values.iter().map(|it| ir::Value::Int(*it)))?
        }
        (Type::Vector(_, lane), ir::Value::Floats(values)) => {
            list(&scalar(*lane), values.iter().map(|it| ir::Value::Float(*it)))?
        }
        (Type::Array(_, element), ir::Value::List(values)) => {
            list(element, values.iter().copied())?
        }
        (Type::Array(_, element), ir::Value::Integers(values)) => {
            list(element, values.iter().map(|it| ir::Value::Int(*it)))?
        }
        (Type::Array(_, element), ir::Value::Floats(values)) => {
            list(element, values.iter().map(|it| ir::Value::Float(*it)))?
        }
        _ => return None,
    };
    // What a list leaves out is zero; an array without an extent has that of its list.
    all.resize(ty.size().unwrap_or(all.len()).max(all.len()), 0);
    Some(all)
}

fn list<'v>(ty: &Type<'_>, values: impl Iterator<Item = ir::Value<'v>>) -> Option<Vec<u8>> {
    let mut all = Vec::new();
    for value in values {
        all.extend(bytes(ty, &value)?);
    }
    Some(all)
}

/// A number of a type that has it; of one that is out of range, nothing is known.
fn number(scalar: ScalarType, value: &ir::Value<'_>) -> Option<Vec<u8>> {
    match (scalar, value) {
        (ScalarType::F32, ir::Value::Float(number)) => {
            #[expect(clippy::cast_possible_truncation, reason = "it is rounded, as ptxas does")]
            let number = *number as f32;
            Some(number.to_le_bytes().to_vec())
        }
        (ScalarType::F64, ir::Value::Float(number)) => Some(number.to_le_bytes().to_vec()),
        (scalar, ir::Value::Int(number)) if !scalar.is_float() => {
            let bytes = scalar.bytes();
            let all = number.to_le_bytes();
            let (low, high) = all.split_at_checked(bytes)?;
            let is_in_range =
                high.iter().all(|byte| *byte == 0) || high.iter().all(|byte| *byte == 0xff);
            is_in_range.then(|| low.to_vec())
        }
        _ => None,
    }
}
