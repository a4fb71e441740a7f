//! What is wrong with a body if its constants are what tokens tell, which rustc knows.

use proc_macro2::TokenStream;
use ptx_frontend::ast::Function;
use ptx_frontend::body::Body;
use ptx_frontend::{CheckedBody, ptx_name, tokens_over};
use quote::{format_ident, quote};

use super::span::at;

/// Whether assumptions hold, and what looks at that.
#[derive(Default)]
pub(super) struct AssumedChecks {
    /// A constant beside the function, if anything depends on it.
    pub(super) table: Option<TokenStream>,
    /// An error at each place.
    pub(super) looks: Vec<TokenStream>,
}

/// The checks of a body that nothing but assumptions decides.
pub(super) fn assumed_checks(
    ptx: &TokenStream,
    function: &Function,
    (read, body): (&Body, &CheckedBody<'_>),
) -> AssumedChecks {
    if body.assumed.is_empty() {
        return AssumedChecks::default();
    }
    let (ident, items) = (&function.ident, &function.items);
    let name = format_ident!("__PTX_ASSUMED_OF_{}", ptx_name(ident), span = ident.span());
    let each = read.constants.iter().zip(&body.values).filter_map(|(expr, value)| {
        let value = (*value)?;
        let is_whole = at(expr, quote!(#ptx::__private::is_whole(#expr)));
        let number = at(expr, quote!(#ptx::__private::whole(#expr)));
        Some(quote!(&& #is_whole && #number == #value))
    });
    let table = quote! {
        #[allow(deprecated, non_upper_case_globals, unused, clippy::all, clippy::pedantic)]
        const #name: ::core::primitive::bool = { #(#items)* true #(#each)* };
    };
    let look = |assumed: &ptx_frontend::Assumed| {
        let message = &assumed.message;
        let check = quote!(#ptx::__private::refuse_where(#name, #message));
        let check = at(read.at(assumed.place).map(tokens_over), check);
        quote!(#check;)
    };
    AssumedChecks { table: Some(table), looks: body.assumed.iter().map(look).collect() }
}
