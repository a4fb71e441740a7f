//! Groups around expressions and types that do not change their meaning: parentheses, and those that
//! `macro_rules!` adds around its fragments.

use syn::{Expr, Type};

/// Syntax that can be enclosed in groups.
pub trait Peel {
    /// Returns the syntax without the groups around it.
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
