//! Contracts of launches: turns Rust expressions into checked arithmetic.
//!
//! Operators on integers, casts between integer types, and a few methods are computed in 128 bits. An overflow,
//! a division by zero or a value that does not fit its cast has no value, and a comparison with it does not hold.
//! Everything else is left to Rust, and its value may be an integer of any type. Arithmetic inside such
//! expressions would wrap as in Rust, and is refused.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{BinOp, Expr, Lit, Type, UnOp};

use super::text::text_of;

/// Whether the tokens contain the name.
pub(super) fn mentioned(tokens: &TokenStream, name: &Ident) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == *name,
        TokenTree::Group(group) => mentioned(&group.stream(), name),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// Code that returns an error unless the condition holds.
pub(super) fn expand_condition(
    ptx: &TokenStream,
    condition: &Expr,
    floats: &[Ident],
) -> TokenStream {
    let contract = Contract { ptx, floats };
    let holds = contract.boolean(condition);
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
            let number = Contract { ptx, floats: &[] }.number(extent);
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

/// The function that implements an operator on integers.
fn arithmetic(op: &BinOp) -> Option<&'static str> {
    match op {
        BinOp::Add(_) => Some("checked_add"),
        BinOp::Sub(_) => Some("checked_sub"),
        BinOp::Mul(_) => Some("checked_mul"),
        BinOp::Div(_) => Some("checked_div"),
        BinOp::Rem(_) => Some("checked_rem"),
        BinOp::Shl(_) => Some("shl"),
        BinOp::Shr(_) => Some("shr"),
        _ => None,
    }
}

/// Whether an operator is bitwise.
fn is_bitwise(op: &BinOp) -> bool {
    matches!(op, BinOp::BitAnd(_) | BinOp::BitOr(_) | BinOp::BitXor(_))
}

fn is_comparison(op: &BinOp) -> bool {
    matches!(
        op,
        BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_)
    )
}

/// For a method that is computed here, with one argument: whether its result may be missing.
fn method(name: &Ident) -> Option<bool> {
    match name.to_string().as_str() {
        "min" | "max" => Some(false),
        "div_ceil" | "next_multiple_of" | "pow" => Some(true),
        _ => None,
    }
}

/// Whether the name of a cast's type is that of an integer.
fn is_integer(ty: &Type) -> bool {
    const INTEGERS: [&str; 12] =
        ["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"];
    match ty {
        Type::Group(group) => is_integer(&group.elem),
        Type::Path(path) => INTEGERS.iter().any(|name| path.path.is_ident(name)),
        _ => false,
    }
}

/// The first operator of Rust's own arithmetic in an expression.
struct FindArithmetic(Option<Span>);

impl VisitMut for FindArithmetic {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let is_found = match expr {
            Expr::Binary(binary) => arithmetic(&binary.op).is_some(),
            Expr::Unary(unary) => matches!(unary.op, UnOp::Neg(_)) && !is_literal(&unary.expr),
            _ => false,
        };
        if is_found {
            self.0.get_or_insert(expr.span());
        } else {
            syn::visit_mut::visit_expr_mut(self, expr);
        }
    }
}

fn is_literal(expr: &Expr) -> bool {
    matches!(expr, Expr::Lit(_))
}

/// An expression that is left to Rust, without arithmetic, which would wrap or panic in the middle of a launch.
fn left_to_rust(expr: &Expr) -> TokenStream {
    let mut found = FindArithmetic(None);
    found.visit_expr_mut(&mut expr.clone());
    match found.0 {
        Some(span) => quote_spanned! {span=>
            ::core::compile_error! {
                "arithmetic inside of a call, an index or a block overflows as Rust's does; a contract computes with `+ - * / %`, shifts, casts between integers, `min`, `max`, `div_ceil`, `next_multiple_of` and `pow` around such values"
            }
        },
        None => quote!(#expr),
    }
}

/// A floating-point expression, whose arithmetic does not overflow; integers in it are left to Rust.
fn float(expr: &Expr) -> TokenStream {
    match expr {
        Expr::Paren(paren) => {
            let inner = float(&paren.expr);
            quote!((#inner))
        }
        Expr::Group(group) => float(&group.expr),
        Expr::Unary(unary) => {
            let (op, inner) = (&unary.op, float(&unary.expr));
            quote!(#op #inner)
        }
        Expr::Binary(binary) => {
            let (op, left, right) = (&binary.op, float(&binary.left), float(&binary.right));
            quote!(#left #op #right)
        }
        other => left_to_rust(other),
    }
}

/// The context in which a contract is computed.
struct Contract<'a> {
    ptx: &'a TokenStream,
    /// The parameters whose types are floating-point numbers by name.
    floats: &'a [Ident],
}

impl Contract<'_> {
    /// Whether the tokens show a floating-point number, so that Rust compares it.
    fn is_float(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Lit(lit) => matches!(lit.lit, Lit::Float(_)),
            Expr::Path(path) => self.floats.iter().any(|name| path.path.is_ident(name)),
            Expr::Paren(paren) => self.is_float(&paren.expr),
            Expr::Group(group) => self.is_float(&group.expr),
            Expr::Unary(unary) => self.is_float(&unary.expr),
            Expr::Binary(binary) => self.is_float(&binary.left) || self.is_float(&binary.right),
            _ => false,
        }
    }

    /// A condition, inside a closure that returns an `Option`.
    fn boolean(&self, expr: &Expr) -> TokenStream {
        match expr {
            Expr::Paren(paren) => {
                let inner = self.boolean(&paren.expr);
                quote!((#inner))
            }
            Expr::Group(group) => self.boolean(&group.expr),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Not(_)) => {
                let inner = self.boolean(&unary.expr);
                quote!(!(#inner))
            }
            Expr::Binary(binary) if matches!(binary.op, BinOp::And(_) | BinOp::Or(_)) => {
                let (op, left, right) =
                    (&binary.op, self.boolean(&binary.left), self.boolean(&binary.right));
                quote!((#left) #op (#right))
            }
            Expr::Binary(binary) if is_comparison(&binary.op) => {
                let op = &binary.op;
                let (left, right) = if self.is_float(&binary.left) || self.is_float(&binary.right) {
                    (float(&binary.left), float(&binary.right))
                } else {
                    (self.number(&binary.left), self.number(&binary.right))
                };
                quote!((#left) #op (#right))
            }
            other => left_to_rust(other),
        }
    }

    /// A number as an `i128`, inside a closure that returns an `Option`.
    fn number(&self, expr: &Expr) -> TokenStream {
        let (ptx, i128) = (self.ptx, quote!(::core::primitive::i128));
        match expr {
            Expr::Paren(paren) => self.number(&paren.expr),
            Expr::Group(group) => self.number(&group.expr),
            Expr::Lit(lit)
                if let Lit::Int(int) = &lit.lit
                    && let Ok(value) = int.base10_parse::<i128>() =>
            {
                quote!(#value)
            }
            Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
                let inner = self.number(&unary.expr);
                quote!(#i128::checked_neg(#inner)?)
            }
            Expr::Cast(cast) if is_integer(&cast.ty) => {
                let (inner, ty) = (self.number(&cast.expr), &cast.ty);
                quote!(#ptx::cuda::__private::narrow::<#ty>(#inner)?)
            }
            Expr::Binary(binary) if let Some(name) = arithmetic(&binary.op) => {
                let (left, right) = (self.number(&binary.left), self.number(&binary.right));
                let name = Ident::new(name, Span::call_site());
                if matches!(binary.op, BinOp::Shl(_) | BinOp::Shr(_)) {
                    quote!(#ptx::cuda::__private::#name(#left, #right)?)
                } else {
                    quote!(#i128::#name(#left, #right)?)
                }
            }
            Expr::Binary(binary) if is_bitwise(&binary.op) => {
                let (op, left, right) =
                    (&binary.op, self.number(&binary.left), self.number(&binary.right));
                quote!(((#left) #op (#right)))
            }
            Expr::MethodCall(call)
                if call.args.len() == 1
                    && let Some(is_ours) = method(&call.method) =>
            {
                let (left, name) = (self.number(&call.receiver), &call.method);
                let right = self.number(&call.args[0]);
                if is_ours {
                    quote!(#ptx::cuda::__private::#name(#left, #right)?)
                } else {
                    quote!(::core::cmp::Ord::#name(#left, #right))
                }
            }
            other => {
                let value = left_to_rust(other);
                quote_spanned!(other.span()=> #ptx::cuda::__private::number(#value)?)
            }
        }
    }
}

/// The parts of a condition that have a value to show: neither operators nor literals.
fn leaves_of<'e>(expr: &'e Expr, leaves: &mut Vec<&'e Expr>) {
    match expr {
        Expr::Paren(paren) => leaves_of(&paren.expr, leaves),
        Expr::Group(group) => leaves_of(&group.expr, leaves),
        Expr::Lit(_) => {}
        Expr::Unary(unary) => leaves_of(&unary.expr, leaves),
        Expr::Cast(cast) => leaves_of(&cast.expr, leaves),
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
