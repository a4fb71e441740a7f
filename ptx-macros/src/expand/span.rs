//! Late checks at the user's tokens.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use quote::ToTokens;

/// Gives `call`, a path and its arguments, the place of `tokens`: what a `#[track_caller]` function
/// panics with while constants are evaluated is then reported there, and nowhere else.
pub(super) fn at(tokens: impl ToTokens, call: TokenStream) -> TokenStream {
    let tokens = visible(tokens.into_token_stream());
    let mut spans = tokens.into_iter().map(|token| token.span());
    let start = spans.next().unwrap_or_else(Span::call_site);
    let end = spans.last().unwrap_or(start);
    let mut call: Vec<TokenTree> = call.into_iter().collect();
    for token in &mut call {
        token.set_span(start);
    }
    if let Some(last) = call.last_mut() {
        last.set_span(end);
    }
    call.into_iter().collect()
}

/// The tokens without the invisible group around what comes through a `macro_rules!`, whose place
/// is not the user's.
fn visible(tokens: TokenStream) -> TokenStream {
    let mut all = tokens.clone().into_iter();
    match (all.next(), all.next()) {
        (Some(TokenTree::Group(group)), None) if group.delimiter() == Delimiter::None => {
            visible(group.stream())
        }
        _ => tokens,
    }
}
