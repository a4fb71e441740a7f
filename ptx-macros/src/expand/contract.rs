//! Contracts of launches: Rust expressions to checked arithmetic.
//!
//! What is not an operator on integers is left to Rust, and its value taken as a number of any integer
//! type. All is computed in 128 bits; what overflows, or divides by zero, is no number, and what compares
//! it does not hold.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{BinOp, Expr, Lit, UnOp};

use super::launch::text_of;

/// Whether tokens name something.
pub(super) fn mentioned(tokens: &TokenStream, name: &Ident) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == *name,
        TokenTree::Group(group) => mentioned(&group.stream(), name),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// Returns an error unless the condition holds.
pub(super) fn expand_condition(ptx: &TokenStream, condition: &Expr) -> TokenStream {
    let holds = boolean(ptx, condition);
    let text = text_of(&condition.to_token_stream());
    let mut leaves = Vec::new();
    leaves_of(condition, &mut leaves);
    let values = leaves.iter().map(|leaf| {
        let text = text_of(&leaf.to_token_stream());
        quote!((#text, &(#leaf) as &dyn ::core::fmt::Display))
    });
    let holds = quote_spanned! {condition.span()=>
        (|| -> ::core::option::Option<::core::primitive::bool> {
            ::core::option::Option::Some(#holds)
        })()
    };
    quote! {
        if #holds != ::core::option::Option::Some(true) {
            return ::core::result::Result::Err(__ptx_prepared.broken(#text, &[#(#values),*]));
        }
    }
}

/// The extents of the grid.
pub(super) fn expand_grid(ptx: &TokenStream, grid: &Expr) -> TokenStream {
    let extents: Vec<&Expr> = match grid {
        Expr::Tuple(tuple) => tuple.elems.iter().collect(),
        other => vec![other],
    };
    let counts = (0..3).map(|n| match extents.get(n) {
        Some(extent) => {
            let number = number(ptx, extent);
            quote_spanned! {extent.span()=>
                #ptx::cuda::Count((|| -> ::core::option::Option<::core::primitive::i128> {
                    ::core::option::Option::Some(#number)
                })())
            }
        }
        None => quote!(#ptx::cuda::Count(::core::option::Option::Some(1))),
    });
    quote!(::core::option::Option::Some([#(#counts),*]))
}

/// The method of `i128` that an operator is.
fn arithmetic(op: &BinOp) -> Option<TokenStream> {
    match op {
        BinOp::Add(_) => Some(quote!(checked_add)),
        BinOp::Sub(_) => Some(quote!(checked_sub)),
        BinOp::Mul(_) => Some(quote!(checked_mul)),
        BinOp::Div(_) => Some(quote!(checked_div)),
        BinOp::Rem(_) => Some(quote!(checked_rem)),
        _ => None,
    }
}

fn is_comparison(op: &BinOp) -> bool {
    matches!(
        op,
        BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_)
    )
}

/// The methods that are computed here, with one argument.
fn method(name: &Ident) -> Option<bool> {
    match name.to_string().as_str() {
        "min" | "max" => Some(false),
        "div_ceil" | "next_multiple_of" | "pow" => Some(true),
        _ => None,
    }
}

/// Whether a floating-point literal stands in it, so that it is Rust's to compare.
fn is_float(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(lit) => matches!(lit.lit, Lit::Float(_)),
        Expr::Paren(paren) => is_float(&paren.expr),
        Expr::Group(group) => is_float(&group.expr),
        Expr::Unary(unary) => is_float(&unary.expr),
        Expr::Binary(binary) => is_float(&binary.left) || is_float(&binary.right),
        _ => false,
    }
}

/// A condition, in a closure that returns an `Option`.
fn boolean(ptx: &TokenStream, expr: &Expr) -> TokenStream {
    match expr {
        Expr::Paren(paren) => {
            let inner = boolean(ptx, &paren.expr);
            quote!((#inner))
        }
        Expr::Group(group) => boolean(ptx, &group.expr),
        Expr::Unary(unary) if matches!(unary.op, UnOp::Not(_)) => {
            let inner = boolean(ptx, &unary.expr);
            quote!(!(#inner))
        }
        Expr::Binary(binary) if matches!(binary.op, BinOp::And(_) | BinOp::Or(_)) => {
            let (op, left, right) =
                (&binary.op, boolean(ptx, &binary.left), boolean(ptx, &binary.right));
            quote!((#left) #op (#right))
        }
        Expr::Binary(binary)
            if is_comparison(&binary.op) && !is_float(&binary.left) && !is_float(&binary.right) =>
        {
            let (op, left, right) =
                (&binary.op, number(ptx, &binary.left), number(ptx, &binary.right));
            quote!((#left) #op (#right))
        }
        other => quote!(#other),
    }
}

/// A number as an `i128`, in a closure that returns an `Option`.
fn number(ptx: &TokenStream, expr: &Expr) -> TokenStream {
    let i128 = quote!(::core::primitive::i128);
    match expr {
        Expr::Paren(paren) => number(ptx, &paren.expr),
        Expr::Group(group) => number(ptx, &group.expr),
        Expr::Lit(lit)
            if let Lit::Int(int) = &lit.lit
                && let Ok(value) = int.base10_parse::<i128>() =>
        {
            quote!(#value)
        }
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
            let inner = number(ptx, &unary.expr);
            quote!(#i128::checked_neg(#inner)?)
        }
        Expr::Binary(binary) if let Some(method) = arithmetic(&binary.op) => {
            let (left, right) = (number(ptx, &binary.left), number(ptx, &binary.right));
            quote!(#i128::#method(#left, #right)?)
        }
        Expr::MethodCall(call)
            if call.args.len() == 1
                && let Some(is_ours) = method(&call.method) =>
        {
            let (left, name) = (number(ptx, &call.receiver), &call.method);
            let right = number(ptx, &call.args[0]);
            if is_ours {
                quote!(#ptx::cuda::__private::#name(#left, #right)?)
            } else {
                quote!(::core::cmp::Ord::#name(#left, #right))
            }
        }
        other => quote_spanned!(other.span()=> #ptx::cuda::__private::number(#other)?),
    }
}

/// What stands in a condition and has a value to show: neither operators nor literals.
fn leaves_of<'e>(expr: &'e Expr, leaves: &mut Vec<&'e Expr>) {
    match expr {
        Expr::Paren(paren) => leaves_of(&paren.expr, leaves),
        Expr::Group(group) => leaves_of(&group.expr, leaves),
        Expr::Lit(_) => {}
        Expr::Unary(unary) => leaves_of(&unary.expr, leaves),
        Expr::Binary(binary) => {
            leaves_of(&binary.left, leaves);
            leaves_of(&binary.right, leaves);
        }
        Expr::MethodCall(call) if call.args.len() == 1 && method(&call.method).is_some() => {
            leaves_of(&call.receiver, leaves);
            leaves_of(&call.args[0], leaves);
        }
        other => leaves.push(other),
    }
}
