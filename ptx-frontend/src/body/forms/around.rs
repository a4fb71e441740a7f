//! What stands around a body, and what reads it.

use proc_macro2::{Ident, Span};
use ptx_types::Space;
use syn::Type;

use super::super::tree::Tree;
use crate::integers::Integers;

/// What stands around a body.
#[derive(Clone, Copy)]
pub(crate) struct Around<'f> {
    /// The parameters of its function, and what that returns.
    pub(crate) inputs: &'f [Input<'f>],
    /// The integers of the module and the function.
    pub(crate) integers: &'f Integers,
}

/// A parameter of a function, or what it returns.
#[derive(Clone, Copy)]
pub(crate) struct Input<'f> {
    /// The name.
    pub(crate) ident: &'f Ident,
    /// The type, without `Reg<..>`.
    pub(crate) ty: &'f Type,
    /// The state space.
    pub(crate) space: Space,
}

/// An integer constant that was taken for a number.
pub(crate) struct Taken {
    /// Where.
    pub(crate) at: Span,
    /// The number.
    pub(crate) number: i128,
}

/// What stands for the path to the facade.
pub(crate) const FACADE: &str = "__PTX";

/// Tokens that were written, and what follows those that they stand for.
pub(super) type Written<'t> = (Vec<Tree>, &'t [Tree]);

/// An identifier with the name of a field or a variable; `None` of a keyword that names none.
pub(super) fn ident(name: &str, at: Span) -> Option<Ident> {
    if matches!(name, "self" | "Self" | "super" | "crate" | "_") {
        return None;
    }
    // The lexer takes away what makes an identifier a raw one.
    let is_keyword = syn::parse_str::<Ident>(name).is_err();
    Some(if is_keyword { Ident::new_raw(name, at) } else { Ident::new(name, at) })
}
