//! Names in Rust and in PTX.

use ptx_isa::sorted::SortedSet;

use proc_macro2::{TokenStream, TokenTree};
use syn::Ident;

/// The identifier in PTX: without the `r#` of a raw identifier.
pub fn ptx_name(ident: &Ident) -> String {
    let name = ident.to_string();
    name.strip_prefix("r#").map(str::to_owned).unwrap_or(name)
}

/// Whether tokens mention `name`.
pub(crate) fn has_name(tokens: TokenStream, name: &str) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ptx_name(&ident) == name,
        TokenTree::Group(group) => has_name(group.stream(), name),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// Notes the names in some tokens.
pub(crate) fn note_names(tokens: TokenStream, found: &mut SortedSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => {
                found.insert(ptx_name(&ident));
            }
            TokenTree::Group(group) => note_names(group.stream(), found),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}
