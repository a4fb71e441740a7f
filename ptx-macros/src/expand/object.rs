//! The IR of the objects that a body names.

use proc_macro2::TokenStream;
use ptx_frontend::analysis::VariableUse;
use quote::quote;
use syn::Ident;

/// The IR of a declaration in this function's body, by its index among the named ones.
pub(super) fn local_of(
    function: &Ident,
    locals: &[usize],
    declaration: usize,
) -> Option<TokenStream> {
    let local = locals.iter().position(|local| *local == declaration)?;
    Some(quote!(#function().ir().locals[#local]))
}

/// The IR of a variable that a body names, or of the member of a family.
pub(super) fn used_ir(ptx: &TokenStream, used: &VariableUse, ident: &Ident) -> TokenStream {
    match &used.member {
        Some(member) => quote!(&const { #ptx::ir::Variable::member(#ident.ir(), #member) }),
        None => quote!(#ident.ir()),
    }
}
