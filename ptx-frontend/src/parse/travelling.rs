//! What travels of a device function to the modules that call it.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Visibility};

use crate::name::ptx_name;

/// What other modules need to know of a device function: its attributes and its signature. `None` for a private one.
pub(super) fn travelling(
    attr: &Attribute,
    name: &str,
    vis: &Visibility,
    sig: &syn::Signature,
) -> Option<TokenStream> {
    let export = (name != ptx_name(&sig.ident)).then(|| quote!(#[unsafe(export_name = #name)]));
    let is_private = matches!(vis, Visibility::Inherited);
    (!is_private).then(|| quote!(#attr #export pub #sig {}))
}
