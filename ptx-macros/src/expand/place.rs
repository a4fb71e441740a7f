//! Where things stand, for messages and debuggers.

use proc_macro2::{Literal, TokenStream};
use ptx_frontend::{CheckedBody, location};
use quote::quote;
use syn::Ident;

use super::fragment::option;

/// The place of a declared name.
pub(super) fn item_place(ptx: &TokenStream, ident: &Ident) -> TokenStream {
    let place = location(ident.span());
    let (file, line, column) = (place.file, place.line, place.column);
    option(Some(quote!(#ptx::ir::Location { file: #file, line: #line, column: #column })))
}

/// The places of a body's statements.
pub(super) fn places(ptx: &TokenStream, body: Option<&CheckedBody<'_>>) -> TokenStream {
    let Some(body) = body else { return quote!(#ptx::ir::Locations::NONE) };
    let (files, table) = &body.locations;
    let table = Literal::byte_string(table);
    quote!(#ptx::ir::Locations::new(&[#(#files),*], #table))
}

/// What `line_info = true` says. Relative paths are those of the folder that rustc runs in, as in
/// its own debug information.
pub(super) fn line_info(ptx: &TokenStream, is_asked: bool) -> TokenStream {
    let folder = || {
        let here = std::env::current_dir().unwrap_or_default();
        let here = here.to_string_lossy();
        quote!(#ptx::ir::LineInfo { folder: #here })
    };
    option(is_asked.then(folder))
}
