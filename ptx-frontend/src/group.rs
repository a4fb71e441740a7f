//! Groups around expressions and types that do not change what they mean: parentheses, and what
//! `macro_rules!` puts around its fragments.

use syn::{Expr, Type};

/// What stands in groups.
pub trait Peel {
    /// What stands in them.
    #[must_use]
    fn peel(&self) -> &Self;
}

impl Peel for Expr {
    fn peel(&self) -> &Self {
        match self {
            Self::Group(group) => group.expr.peel(),
            Self::Paren(paren) => paren.expr.peel(),
            other => other,
        }
    }
}

impl Peel for Type {
    fn peel(&self) -> &Self {
        match self {
            Self::Group(group) => group.elem.peel(),
            Self::Paren(paren) => paren.elem.peel(),
            other => other,
        }
    }
}
