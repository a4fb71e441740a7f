//! Integer literals in initial values.

use proc_macro2::TokenStream;
use ptx_types::ScalarType;
use ptx_types::ir::Type;
use quote::ToTokens;
use syn::{Expr, UnOp};

use crate::types::literal;

/// An integer literal where a scalar's value stands.
pub(crate) struct Leaf {
    pub(crate) scalar: ScalarType,
    pub(crate) value: i128,
    pub(crate) tokens: TokenStream,
}

/// The integer literals of a value of type `ty`. What is no literal is left to rustc.
pub(crate) fn leaves(ty: &Type<'_>, expr: &Expr, found: &mut Vec<Leaf>) {
    match (ty, expr) {
        (_, Expr::Group(group)) => leaves(ty, &group.expr, found),
        (_, Expr::Paren(paren)) => leaves(ty, &paren.expr, found),
        (Type::Aligned(_, inner), _) => leaves(inner, expr, found),
        (Type::Array(_, element), Expr::Array(array)) => {
            for expr in &array.elems {
                leaves(element, expr, found);
            }
        }
        (Type::Array(_, element), Expr::Repeat(repeat)) => leaves(element, &repeat.expr, found),
        (Type::Scalar(scalar), Expr::Unary(unary)) if matches!(unary.op, UnOp::Neg(_)) => {
            if let Some(value) = literal::<i128>(&unary.expr) {
                found.push(Leaf { scalar: *scalar, value: -value, tokens: expr.to_token_stream() });
            }
        }
        (Type::Scalar(scalar), _) => {
            if let Some(value) = literal::<i128>(expr) {
                found.push(Leaf { scalar: *scalar, value, tokens: expr.to_token_stream() });
            }
        }
        (
            Type::Array(..)
            | Type::Vector(..)
            | Type::Struct(_)
            | Type::Opaque(_)
            | Type::Family(..)
            | Type::Unknown,
            _,
        ) => {}
    }
}
