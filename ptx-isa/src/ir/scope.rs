//! Where variables are declared, and what the text of a declaration there leaves out.

use super::function::{Function, FunctionKind, Param};
use super::ty::{Extent, Type};
use super::variable::Variable;
use crate::scalar::ScalarType;
use crate::space::Space;
use crate::target::Version;

/// The lowest PTX version with device functions whose last array has no length.
pub(crate) const UNSIZED_SINCE: Version = Version::new(6, 0);

/// Where a variable is declared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scope {
    /// Outside functions.
    Module,
    /// As a parameter of a kernel.
    Param,
    /// As a parameter of a device function, or as one of its return values.
    Function,
    /// As the last parameter of a device function, which ptxas accepts without a length.
    LastInput,
    /// In a body.
    Body,
}

impl Scope {
    /// Where parameter `n` of the `count` parameters of a function is declared.
    pub const fn of_input(kind: FunctionKind, n: usize, count: usize) -> Self {
        match kind {
            FunctionKind::Kernel => Self::Param,
            FunctionKind::Device if n + 1 == count => Self::LastInput,
            FunctionKind::Device => Self::Function,
        }
    }

    /// The parameters of a function and then its return values, each with its scope.
    pub fn of_signature<'a>(
        function: &Function<'a>,
    ) -> impl Iterator<Item = (&'a Param<'a>, Self)> {
        let (kind, count) = (function.kind, function.params.len());
        let inputs = function.params.iter().enumerate();
        let inputs = inputs.map(move |(n, param)| (param, Self::of_input(kind, n, count)));
        inputs.chain(function.returns.iter().map(|param| (param, Self::Function)))
    }

    /// The lowest PTX version that a declaration here needs.
    pub const fn since(self, variable: &Variable<'_>) -> Version {
        let version = if is_written_as_bits(variable, self) {
            variable.linkage.since()
        } else {
            variable.since()
        };
        match self {
            Self::LastInput if has_no_length(variable) => version.newer(UNSIZED_SINCE),
            _ => version,
        }
    }

    /// Whether this is a function's signature.
    pub(crate) const fn is_signature(self) -> bool {
        match self {
            Self::Param | Self::Function | Self::LastInput => true,
            Self::Module | Self::Body => false,
        }
    }
}

/// Whether the text of a parameter has empty brackets.
pub(crate) const fn has_no_length(variable: &Variable<'_>) -> bool {
    let mut n = 0;
    while let Some(extent) = variable.ty.extent(n) {
        if matches!(extent, Extent::Known(0) | Extent::Incomplete) {
            return true;
        }
        n += 1;
    }
    false
}

/// Whether the text does not name the element: bytes replace the vectors of a signature, and all of
/// the types in dynamic shared memory.
pub(crate) const fn is_element_hidden(variable: &Variable<'_>, scope: Scope) -> bool {
    let is_param = scope.is_signature() && !matches!(variable.space, Space::Reg);
    is_param && matches!(variable.ty.element(), Type::Vector(..)) || variable.is_dynamic()
}

/// Whether the text declares untyped bits instead of the type, which every PTX version has: no
/// parameter has type `.f16x2`.
pub(crate) const fn is_written_as_bits(variable: &Variable<'_>, scope: Scope) -> bool {
    let is_param = scope.is_signature() && !matches!(variable.space, Space::Reg);
    let is_pair = matches!(variable.ty.scalar(), Some(ScalarType::F16x2));
    is_param && is_pair || is_element_hidden(variable, scope)
}
