//! Tables of equal things that stand once.

use std::collections::HashMap;

use proc_macro2::TokenStream;
use syn::Ident;

/// A table whose rows stand once.
pub(super) struct Table {
    /// The constant's name.
    pub(super) name: Ident,
    pub(super) rows: Vec<TokenStream>,
    /// Where each row is, by a text that equal rows have.
    places: HashMap<String, usize>,
}

impl Table {
    pub(super) fn named(name: Ident) -> Self {
        Self { name, rows: Vec::new(), places: HashMap::new() }
    }

    /// The place of the row with this key, if it was written.
    pub(super) fn find(&self, key: &str) -> Option<usize> {
        self.places.get(key).copied()
    }

    /// The place of the row with this key, which is written if it is the first. Keys are made of data,
    /// since a macro prints tokens slowly.
    pub(super) fn place(&mut self, key: String, row: impl FnOnce() -> TokenStream) -> usize {
        let next = self.rows.len();
        let place = *self.places.entry(key).or_insert(next);
        if place == next {
            self.rows.push(row());
        }
        place
    }
}
