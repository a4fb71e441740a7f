//! What is likely meant at the cursor.

use ptx_isa::{Class, ScalarType, Space};

use crate::lsp::outline::{Definition, DefinitionKind};
use crate::lsp::storage;

/// What an instruction takes at the cursor.
#[derive(Clone, Copy)]
pub(super) enum Wanted {
    /// An address in this space, or in any.
    Address(Option<Space>),
    /// A function.
    Function,
    /// A register of this type, or a wider one.
    Type(ScalarType, bool),
}

impl Wanted {
    /// Whether something with this type is likely meant.
    pub(super) fn is_of(self, ty: Option<&str>, definition: &Definition) -> bool {
        // A function's parameter in Rust may be a register, too.
        let is_register =
            definition.kind == DefinitionKind::Register || ty.is_some_and(|ty| ty.contains("Reg<"));
        let scalar = ty.and_then(storage::scalar);
        match self {
            Self::Address(space) => match (definition.kind, space) {
                (DefinitionKind::Param, Some(space)) => space == Space::Param,
                (DefinitionKind::Variable(own), Some(space)) => own == space,
                // Parameters are named.
                (DefinitionKind::Register, Some(Space::Param)) => false,
                (DefinitionKind::Register, _) => {
                    // Those in a small space may have 32 bits.
                    let is_short =
                        matches!(space, Some(Space::Shared | Space::Local | Space::Const));
                    scalar.is_some_and(|it| {
                        let is_number = matches!(it.class(), Class::Float | Class::Predicate);
                        !is_number && (it.bytes() == 8 || is_short && it.bytes() == 4)
                    })
                }
                _ => true,
            },
            Self::Function => definition.kind == DefinitionKind::Device,
            Self::Type(wanted, is_relaxed) => {
                is_register
                    && scalar.is_some_and(|scalar| {
                        let is_pred = |ty| ty == ScalarType::Pred;
                        let is_float = |ty| matches!(ty, ScalarType::F32 | ScalarType::F64);
                        let is_same_size = scalar.bytes() == wanted.bytes()
                            || is_relaxed && scalar.bytes() > wanted.bytes();
                        let is_bits = |ty: ScalarType| ty.name().starts_with('b');
                        let is_same_kind = is_float(scalar) == is_float(wanted)
                            || is_bits(scalar)
                            || is_bits(wanted);
                        is_pred(scalar) == is_pred(wanted) && is_same_size && is_same_kind
                    })
            }
        }
    }
}
