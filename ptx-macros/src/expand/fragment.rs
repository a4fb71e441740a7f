//! Fragments that many items have.

use proc_macro2::TokenStream;
use ptx_frontend::ast::Module;
use quote::quote;
use syn::Attribute;

/// The attributes that decide whether an item exists.
pub(super) fn conditions(attrs: &[Attribute]) -> Vec<&Attribute> {
    attrs.iter().filter(|attr| attr.path().is_ident("cfg")).collect()
}

/// What lets the expansion name what the user may call deprecated. An attribute costs: rustc checks what
/// has one again whenever its line changes.
pub(super) fn allow_deprecated(module: &Module) -> Option<TokenStream> {
    module.may_deprecate.then(|| quote!(#[allow(deprecated)]))
}

/// A value that may name these items.
pub(super) fn with_items(items: &[syn::Item], value: TokenStream) -> TokenStream {
    if items.is_empty() { value } else { quote!({ #(#items)* #value }) }
}

/// `Some(..)` or `None`, wherever the expansion lands.
pub(super) fn option(value: Option<TokenStream>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}
