//! Addresses in initial values: `addr(X) + 8`, `generic(X)`, `mask(0xff00, generic(X) + 4)`.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::visit_mut::{VisitMut, visit_expr_mut};
use syn::{BinOp, Expr, ExprCall, Ident};

use crate::group::Peel;
use crate::integer::Integer;

/// An address in an initial value.
pub struct InitialAddress {
    /// The variable or function.
    pub symbol: Ident,
    /// Whether it is `generic(X)`.
    pub generic: bool,
    /// The offsets in bytes, each with whether it is subtracted instead of added.
    pub addends: Vec<(bool, Integer<i128>)>,
    /// The mask that selects one byte of it.
    pub mask: Option<Integer<u64>>,
    /// All of its tokens.
    pub tokens: TokenStream,
    /// What the symbol means, once names are resolved.
    pub meaning: Meaning,
    /// The name in PTX, once names are resolved.
    pub name: String,
    /// Whether an error was reported, so that no deferred check repeats it.
    pub refused: bool,
}

/// What the symbol of an [`InitialAddress`] means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// The symbol is not known.
    Unknown,
    /// The variable at this index among the module's items.
    Variable(usize),
    /// The function at this index among the module's items.
    Function(usize),
}

/// A part of an initial value that is not a Rust expression.
pub enum InitialPart {
    /// An address.
    Address(InitialAddress),
    /// One byte of an integer: the mask and the integer.
    Masked(Integer<u64>, Integer<i128>),
    /// An expression that changes an address, which is impossible before the address is known.
    Changed(Expr),
    /// `addr`, `generic` or `mask` with an operand that it does not accept.
    Malformed(Expr),
}

/// Calls `replace` with every address and mask in `value`, in order, and substitutes what it returns.
pub fn replace(value: &mut Expr, replace: impl FnMut(InitialPart) -> Expr) {
    Replacer(replace).visit_expr_mut(value);
}

struct Replacer<F>(F);

impl<F: FnMut(InitialPart) -> Expr> VisitMut for Replacer<F> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match find(expr) {
            Some(found) => *expr = (self.0)(found),
            None => visit_expr_mut(self, expr),
        }
    }
}

fn find(expr: &Expr) -> Option<InitialPart> {
    if let Some(address) = address(expr) {
        return Some(InitialPart::Address(address));
    }
    let changes = match expr.peel() {
        Expr::Binary(binary) => address(&binary.left).is_some() || address(&binary.right).is_some(),
        Expr::Cast(cast) => address(&cast.expr).is_some(),
        Expr::Unary(unary) => address(&unary.expr).is_some(),
        _ => false,
    };
    if changes {
        return Some(InitialPart::Changed(expr.clone()));
    }
    let Expr::Call(call) = expr.peel() else { return None };
    if ["addr", "generic", "mask"].into_iter().all(|name| !is_called(call, name)) {
        return None;
    }
    if !is_called(call, "mask") || call.args.len() != 2 {
        return Some(InitialPart::Malformed(expr.clone()));
    }
    let (mask, value) = (Integer::new(call.args[0].clone()), &call.args[1]);
    Some(match address(value) {
        Some(found) => InitialPart::Address(InitialAddress {
            mask: Some(mask),
            tokens: expr.to_token_stream(),
            ..found
        }),
        None => InitialPart::Masked(mask, Integer::new(value.clone())),
    })
}

/// Reads `addr(X)` or `generic(X)` with its offsets.
fn address(expr: &Expr) -> Option<InitialAddress> {
    match expr.peel() {
        Expr::Call(call) if call.args.len() == 1 => {
            let generic = is_called(call, "generic");
            if !generic && !is_called(call, "addr") {
                return None;
            }
            let Expr::Path(path) = call.args[0].peel() else { return None };
            Some(InitialAddress {
                symbol: path.path.get_ident()?.clone(),
                generic,
                addends: Vec::new(),
                mask: None,
                tokens: expr.to_token_stream(),
                meaning: Meaning::Unknown,
                name: String::new(),
                refused: false,
            })
        }
        Expr::Binary(binary) => {
            let negative = match binary.op {
                BinOp::Add(_) => false,
                BinOp::Sub(_) => true,
                _ => return None,
            };
            let mut found = address(&binary.left)?;
            found.addends.push((negative, Integer::new((*binary.right).clone())));
            found.tokens = expr.to_token_stream();
            Some(found)
        }
        _ => None,
    }
}

fn is_called(call: &ExprCall, name: &str) -> bool {
    match &*call.func {
        Expr::Path(path) => path.path.is_ident(name),
        _ => false,
    }
}
