//! Fragments that many items have.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Attribute;

/// The attributes that decide whether an item exists.
pub(super) fn conditions(attrs: &[Attribute]) -> Vec<&Attribute> {
    attrs.iter().filter(|attr| attr.path().is_ident("cfg")).collect()
}

/// `Some(..)` or `None`, wherever the expansion lands.
pub(super) fn option(value: Option<TokenStream>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}
