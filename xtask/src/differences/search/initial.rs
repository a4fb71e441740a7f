//! The bytes that the PTX ISA gives variables at the start.

use ptx_isa::ScalarType;

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

/// The variables of a module whose initial values are numbers of their types.
pub(super) fn values(module: &ir::Module<'_>) -> Vec<Value> {
    let value = |variable: &&ir::Variable<'_>| {
        let Init::Value(value) = variable.init else { return None };
        let bytes = bytes(variable.ty, &value)?;
        let scalar = variable.ty.scalar()?.name();
        let shape = match variable.ty.rank() {
            0 => String::new(),
            rank => format!(" in {rank} dimensions"),
        };
        Some(Value { name: variable.name.to_owned(), what: format!(".{scalar}{shape}"), bytes })
    };
    module.variables.iter().filter_map(value).collect()
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
