//! The tokens at which findings about items and their parts are reported.

use proc_macro2::TokenStream;
use ptx_isa::ir::Extent;
use ptx_isa::rules::{self, Blame};
use quote::ToTokens;
use syn::Ident;

use crate::errors::Errors;
use crate::group::Peel;
use crate::types::lower_extent;

/// Checks only the rule about names.
pub(super) fn check_ident(ident: &Ident, name: &str, errors: &mut Errors) {
    for violation in rules::check_name(name) {
        errors.at(ident.span(), violation);
    }
}

/// The part of a type that a finding is reported at: the zero extent, the element, or the whole type.
pub(super) fn blamed_type(part: Blame, ty: &syn::Type) -> TokenStream {
    match (part, ty.peel()) {
        (Blame::Extent, syn::Type::Array(array))
            if lower_extent(&array.len) == Extent::Known(0) =>
        {
            array.len.to_token_stream()
        }
        (Blame::Element | Blame::Extent, syn::Type::Array(array)) => blamed_type(part, &array.elem),
        (_, ty) => ty.to_token_stream(),
    }
}
