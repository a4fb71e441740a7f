//! The context that the expansions of a file's declarations share.

use proc_macro2::TokenStream;
use ptx_frontend::import::Import;
use ptx_frontend::ir::Location;
use quote::quote;

use super::super::place::Places;

/// The context that the expansions of a file's declarations share.
pub(super) struct Context<'a> {
    pub(super) ptx: &'a TokenStream,
    pub(super) import: &'a Import,
    pub(super) places: Places,
}

impl Context<'_> {
    /// The location of a declared name in the file.
    pub(super) fn place_of(&mut self, name: &str) -> Option<TokenStream> {
        let place = self.import.location(name)?;
        Some(self.places.at(self.ptx, place))
    }

    /// The codes of the hazards that the file allows, if there are any.
    pub(super) fn allowed(&self) -> Option<TokenStream> {
        (!self.import.arguments.allow.is_empty()).then(|| self.allow())
    }

    /// The codes of the hazards that the file allows, as a list.
    pub(super) fn allow(&self) -> TokenStream {
        let allow = self.import.arguments.allow.iter().map(|(code, _)| code);
        quote!(&[#(#allow),*])
    }

    /// The documentation of a symbol's item: its declaration in Rust, and its location in PTX.
    pub(super) fn documentation(&self, shown: &str, name: &str) -> String {
        let file = &self.import.written;
        match self.import.location(name) {
            Some(Location { line, .. }) => {
                format!("`{shown}`: `{name}` in line {line} of `{file}`.")
            }
            None => format!("`{shown}`: `{name}` of `{file}`."),
        }
    }
}
