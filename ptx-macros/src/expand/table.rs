//! Tables without duplicate rows.

use ptx_frontend::sorted::SortedMap;

use proc_macro2::TokenStream;
use syn::Ident;

/// A table without duplicate rows.
pub(super) struct Table {
    /// The constant's name.
    pub(super) name: Ident,
    pub(super) rows: Vec<TokenStream>,
    /// The index of each row, by a key that is the same for equal rows.
    places: SortedMap<String, usize>,
}

impl Table {
    pub(super) fn named(name: Ident) -> Self {
        Self { name, rows: Vec::new(), places: SortedMap::new() }
    }

    /// The index of the row with this key, if it was written.
    pub(super) fn find(&self, key: &str) -> Option<usize> {
        self.places.get(key).copied()
    }

    /// The index of the row with this key, which is written if it is new. Keys are built from data,
    /// because printing tokens is slow in a macro.
    pub(super) fn place(&mut self, key: String, row: impl FnOnce() -> TokenStream) -> usize {
        let next = self.rows.len();
        let place = *self.places.entry(key).or_insert(next);
        if place == next {
            self.rows.push(row());
        }
        place
    }
}
