//! Errors that a body has if its constants have the values that tokens show, which rustc confirms.

use proc_macro2::TokenStream;
use ptx_frontend::ast::Function;
use ptx_frontend::body::Body;
use ptx_frontend::{CheckedBody, tokens_over};
use quote::quote;

use super::late::Late;
use super::span::at;

/// The checks of a body that depend only on such values: an error at each place if the constants
/// that decide it have the assumed values.
pub(super) fn assumed_checks(
    ptx: &TokenStream,
    late: &Late<'_>,
    function: &Function,
    (read, body): (&Body, &CheckedBody<'_>),
) -> Vec<TokenStream> {
    let items = &function.items;
    let look = |assumed: &ptx_frontend::Assumed| {
        let each = assumed.constants.iter().map(|(n, value)| {
            let expr = &read.constants[*n];
            let is_whole = at(expr, quote!(#ptx::__private::is_whole(#expr)));
            let number = at(expr, quote!(#ptx::__private::whole(#expr)));
            quote!(&& #is_whole && #number == #value)
        });
        let holds = quote! {
            #[allow(deprecated, unused, clippy::all, clippy::pedantic)]
            const HOLDS: ::core::primitive::bool = { #(#items)* true #(#each)* };
        };
        let place = read.at(assumed.place).map(tokens_over);
        let message = &assumed.message;
        let found = quote!(#ptx::__private::Found::message(HOLDS, #message));
        let check = late.require_after(&holds, place, found);
        quote!(#holds #check)
    };
    body.assumed.iter().map(look).collect()
}
