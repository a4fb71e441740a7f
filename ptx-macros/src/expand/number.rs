//! Numbers in attributes.

use proc_macro2::{Literal, TokenStream};
use ptx_frontend::integer::Integer;
use quote::quote;

use super::late::Late;
use super::span::at;

/// A number in an attribute: a literal as it is, any other expression of any integer type.
pub(super) fn number(ptx: &TokenStream, number: &Integer) -> TokenStream {
    match number.known() {
        Some(known) => {
            let known = Literal::usize_unsuffixed(usize::try_from(known).unwrap_or(usize::MAX));
            quote!(#known)
        }
        None => at(number, quote!(#ptx::__private::to_usize(#number))),
    }
}

/// The check that an expression in an attribute is a count, if the tokens do not show it.
pub(super) fn count_check(
    ptx: &TokenStream,
    late: &Late<'_>,
    number: &Integer,
) -> Option<TokenStream> {
    if number.known().is_some() {
        return None;
    }
    Some(late.require(number, quote!(#ptx::__private::check_count(#number))))
}

/// `.unified`, and the places where rustc reports a half that does not fit.
pub(super) fn unified_ir(
    ptx: &TokenStream,
    upper: &Integer<u64>,
    lower: &Integer<u64>,
) -> TokenStream {
    quote!(#ptx::ir::Unified { upper: #upper, lower: #lower })
}
