//! Source locations, for messages and debuggers.

use proc_macro2::{Literal, TokenStream};
use ptx_frontend::ir::{Location, Locations, Mark};
use ptx_frontend::{CheckedBody, location};
use quote::quote;
use syn::Ident;

use super::parts::option;

/// The locations of a module's declarations: one table for all of them, in a static of its own.
#[derive(Default)]
pub(super) struct Places(Vec<Location<String>>);

impl Places {
    /// Enters the location of a declared name, and returns a reference to it.
    pub(super) fn of(&mut self, ptx: &TokenStream, ident: &Ident) -> TokenStream {
        self.at(ptx, location(ident.span()))
    }

    /// Enters a location, and returns a reference to it.
    pub(super) fn at(&mut self, ptx: &TokenStream, place: Location<String>) -> TokenStream {
        let number = Literal::usize_unsuffixed(self.0.len());
        self.0.push(place);
        quote!(#ptx::ir::DeclaredAt::new(&__PTX_PLACES, #number))
    }

    /// The table of the entered locations.
    pub(super) fn table(&self, ptx: &TokenStream) -> Option<TokenStream> {
        let marks = self.0.iter().enumerate().map(|(statement, place)| Mark {
            statement,
            offset: 0,
            place: Location { file: place.file.as_str(), line: place.line, column: place.column },
        });
        let (files, table) = Locations::encode(marks);
        let table = Literal::byte_string(&table);
        (!self.0.is_empty()).then(|| {
            quote! {
                static __PTX_PLACES: #ptx::ir::Locations<'static> =
                    #ptx::ir::Locations::new(&[#(#files),*], #table);
            }
        })
    }
}

/// The locations of a body's statements.
pub(super) fn places(ptx: &TokenStream, body: &CheckedBody<'_>) -> TokenStream {
    let (files, table) = &body.locations;
    let table = Literal::byte_string(table);
    quote!(#ptx::ir::Locations::new(&[#(#files),*], #table))
}

/// Where the statements of a body that come from fragments are written, if there are any.
pub(super) fn inlined(ptx: &TokenStream, body: &CheckedBody<'_>) -> Option<TokenStream> {
    let (files, table) = &body.inlined;
    let table = Literal::byte_string(table);
    (!files.is_empty()).then(|| quote!(#ptx::ir::Locations::new(&[#(#files),*], #table)))
}

/// The line information for `line_info = true`. Relative paths start at the folder that rustc runs in, as in
/// its own debug information.
pub(super) fn line_info(ptx: &TokenStream, is_asked: bool) -> TokenStream {
    let folder = || {
        let here = std::env::current_dir().unwrap_or_default();
        let here = here.to_string_lossy();
        quote!(#ptx::ir::LineInfo { folder: #here })
    };
    option(is_asked.then(folder))
}
