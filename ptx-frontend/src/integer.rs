//! Integers of declarations: alignments, extents, offsets, masks.

use core::fmt::Display;
use core::str::FromStr;

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Expr, Lit, UnOp};

use crate::group::Peel;

/// An integer of a declaration: known if it is a literal, otherwise an expression that rustc
/// evaluates.
#[derive(Clone)]
pub struct Integer<N = u128> {
    known: Option<N>,
    expr: Expr,
}

impl<N: Copy + FromStr<Err: Display>> Integer<N> {
    /// Classifies an expression. A literal with a sign counts as an expression.
    pub(crate) fn new(expr: Expr) -> Self {
        Self { known: literal(&expr), expr }
    }

    /// The integer, if it is a literal.
    pub fn known(&self) -> Option<N> {
        self.known
    }
}

impl Integer {
    /// The integer, if it is a literal of this type.
    pub(crate) fn known_as<T: TryFrom<u128>>(&self) -> Option<T> {
        self.known.and_then(|number| T::try_from(number).ok())
    }
}

impl Integer<i128> {
    /// Classifies an expression, accepting a literal after a minus sign. A literal that does not fit
    /// saturates.
    pub(crate) fn signed(expr: Expr) -> Self {
        let magnitude =
            |expr| literal::<u128>(expr).map(|number| i128::try_from(number).unwrap_or(i128::MAX));
        let known = match expr.peel() {
            Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
                magnitude(&unary.expr).map(|number| -number)
            }
            other => magnitude(other),
        };
        Self { known, expr }
    }
}

impl<N> Integer<N> {
    /// The expression as written.
    pub(crate) fn into_expr(self) -> Expr {
        self.expr
    }
}

impl<N> ToTokens for Integer<N> {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.expr.to_tokens(tokens);
    }
}

/// The value of an integer literal, or `None` for any other expression.
pub(crate) fn literal<N: FromStr<Err: Display>>(expr: &Expr) -> Option<N> {
    match expr.peel() {
        Expr::Lit(lit) => match &lit.lit {
            Lit::Int(int) => int.base10_parse().ok(),
            _ => None,
        },
        _ => None,
    }
}
