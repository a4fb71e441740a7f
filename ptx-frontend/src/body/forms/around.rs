//! The context of a body, and helpers for reading one.

use proc_macro2::{Ident, Span};
use ptx_isa::Space;
use syn::Type;

use super::super::fragments::Fragments;
use super::super::tree::Tree;
use crate::integers::Integers;
use crate::tiles::Tiles;
use crate::types::DeclaredTypes;

/// The context of a body.
#[derive(Clone, Copy)]
pub(crate) struct Around<'f> {
    /// The parameters of its function, and the returned values.
    pub(crate) inputs: &'f [Input<'f>],
    /// The integer constants of the module and the function.
    pub(crate) integers: &'f Integers,
    /// The types of the module and the function.
    pub(crate) types: &'f DeclaredTypes,
    /// The tiles in the module's variables.
    pub(crate) tiles: &'f Tiles,
    /// The fragments that it may use.
    pub(crate) fragments: &'f Fragments,
    /// Whether a fragment is checked where it is written.
    pub(crate) is_definition: bool,
}

/// A parameter or a returned value of a function.
#[derive(Clone, Copy)]
pub(crate) struct Input<'f> {
    /// The name.
    pub(crate) ident: &'f Ident,
    /// The type, without `Reg<..>`.
    pub(crate) ty: &'f Type,
    /// The state space.
    pub(crate) space: Space,
}

/// An integer constant whose value was assumed.
pub(crate) struct Taken {
    /// The span of its use.
    pub(crate) at: Span,
    /// The assumed value.
    pub(crate) value: ConstantValue,
}

/// The value of a constant.
#[derive(Clone, Copy)]
pub(crate) enum ConstantValue {
    Number(i128),
    Condition(bool),
}

/// The placeholder for the path to the facade.
pub(crate) const FACADE: &str = "__PTX";

/// Generated tokens, and the input that follows the tokens they replace.
pub(super) type Written<'t> = (Vec<Tree>, &'t [Tree]);
