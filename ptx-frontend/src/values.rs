//! Integer literals in initial values.

use proc_macro2::{TokenStream, TokenTree};
use ptx_isa::ScalarType;
use ptx_isa::ir::{Extent, Type};
use quote::ToTokens;
use syn::{Expr, ExprArray, UnOp};

use crate::group::Peel;
use crate::integer::literal;

/// An integer literal as the value of a scalar.
pub(crate) struct Leaf {
    pub(crate) scalar: ScalarType,
    pub(crate) value: i128,
    pub(crate) tokens: TokenStream,
}

/// Collects the integer literals in a value of type `ty`. rustc checks everything else.
pub(crate) fn leaves(ty: &Type<'_>, expr: &Expr, found: &mut Vec<Leaf>) {
    let expr = expr.peel();
    match (ty, expr) {
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

/// A list with another number of values than its array has elements.
pub(crate) struct Miscounted<'e> {
    pub(crate) elements: usize,
    pub(crate) list: &'e ExprArray,
}

/// Finds the outermost lists in a value of type `ty` that have too few or too many values.
pub(crate) fn miscounted<'e>(ty: &Type<'_>, expr: &'e Expr, found: &mut Vec<Miscounted<'e>>) {
    match (ty, expr.peel()) {
        (Type::Aligned(_, inner), expr) => miscounted(inner, expr, found),
        (Type::Array(Extent::Known(elements), _), Expr::Array(list))
            if list.elems.len() != *elements && !list.elems.iter().any(is_conditional) =>
        {
            found.push(Miscounted { elements: *elements, list });
        }
        (Type::Array(_, element), Expr::Array(list)) => {
            list.elems.iter().for_each(|expr| miscounted(element, expr, found));
        }
        (Type::Array(_, element), Expr::Repeat(repeat)) => miscounted(element, &repeat.expr, found),
        _ => {}
    }
}

/// Whether a value may be left out: `#[cfg(windows)] 2`.
fn is_conditional(expr: &Expr) -> bool {
    let first = expr.to_token_stream().into_iter().next();
    matches!(first, Some(TokenTree::Punct(hash)) if hash.as_char() == '#')
}

/// A floating-point literal as the value of a scalar, and the scalar's type.
pub(crate) struct FloatLeaf<'e> {
    pub(crate) scalar: ScalarType,
    pub(crate) literal: &'e syn::LitFloat,
}

/// Collects the floating-point literals in a value of type `ty`.
pub(crate) fn float_leaves<'e>(ty: &Type<'_>, expr: &'e Expr, found: &mut Vec<FloatLeaf<'e>>) {
    let expr = expr.peel();
    match (ty, expr) {
        (_, Expr::Unary(unary)) => float_leaves(ty, &unary.expr, found),
        (Type::Aligned(_, inner), _) => float_leaves(inner, expr, found),
        (Type::Array(_, element), Expr::Array(array)) => {
            for expr in &array.elems {
                float_leaves(element, expr, found);
            }
        }
        (Type::Array(_, element), Expr::Repeat(repeat)) => {
            float_leaves(element, &repeat.expr, found);
        }
        (Type::Scalar(scalar), Expr::Lit(lit)) => {
            if let syn::Lit::Float(literal) = &lit.lit {
                found.push(FloatLeaf { scalar: *scalar, literal });
            }
        }
        // A vector, or a constructor such as `f16::from_f32_const(0.1)`: only rustc knows what each literal
        // is for.
        (_, _) => {}
    }
}

/// The nearest value that the scalar can represent, if it is not the literal itself.
pub(crate) fn rounded(scalar: ScalarType, literal: &syn::LitFloat) -> Option<String> {
    let digits = literal.base10_digits();
    let exact = match scalar {
        ScalarType::F32 => format!("{:.200}", f64::from(digits.parse::<f32>().ok()?)),
        ScalarType::F64 => format!("{:.1100}", digits.parse::<f64>().ok()?),
        _ => return None,
    };
    let exact_decimal = decimal(&exact);
    (exact_decimal != decimal(digits)).then(|| {
        let shown = exact.trim_end_matches('0').trim_end_matches('.');
        if shown.len() > 40 { format!("{}..", &shown[..40]) } else { shown.to_owned() }
    })
}

/// The digits of a decimal number without leading and trailing zeros, and the exponent of the last digit.
fn decimal(text: &str) -> (String, i64) {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse().unwrap_or(0)),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits: String = whole.chars().chain(fraction.chars()).filter(|c| *c != '_').collect();
    let fraction = i64::try_from(fraction.chars().filter(|c| *c != '_').count()).unwrap_or(0);
    let trimmed = digits.trim_end_matches('0');
    let zeros = i64::try_from(digits.len() - trimmed.len()).unwrap_or(0);
    let significant = trimmed.trim_start_matches('0');
    if significant.is_empty() {
        return (String::new(), 0);
    }
    (significant.to_owned(), exponent - fraction + zeros)
}
