//! What the Rust items around a body declare.

use std::rc::Rc;

use syn::Item as RustItem;

use crate::body::Fragments;
use crate::integers::Integers;
use crate::tiles::Tiles;
use crate::types::DeclaredTypes;

/// The declarations of a module's Rust items that bodies use, and then of a function's.
#[derive(Clone, Default)]
pub(super) struct Scope {
    pub(super) integers: Integers,
    pub(super) types: DeclaredTypes,
    pub(super) fragments: Rc<Fragments>,
    pub(super) tiles: Rc<Tiles>,
    /// Whether a fragment is checked where it is written.
    pub(super) is_definition: bool,
}

impl Scope {
    /// Adds the declarations of these items.
    pub(super) fn with<'i>(self, items: impl Iterator<Item = &'i RustItem> + Clone) -> Self {
        Self {
            integers: self.integers.with_computed(items.clone()),
            types: self.types.with(items),
            ..self
        }
    }
}
