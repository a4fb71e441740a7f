//! What the arguments of an attribute declare: `for(T in [f32, f16], N: u32 in [1, 2])` and `returns(lane, row)`.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::quote;

use super::reader::is;

/// The parameters of a generic item as items, each with its first value.
pub(super) fn generic(arguments: TokenStream) -> TokenStream {
    let Some(list) = list(arguments, "for") else { return TokenStream::new() };
    let tokens: Vec<TokenTree> = list.stream().into_iter().collect();
    let mut items = TokenStream::new();
    for one in tokens.split(|token| is(token, ',')) {
        let (Some(TokenTree::Ident(name)), Some(TokenTree::Group(values))) =
            (one.first(), one.last())
        else {
            continue;
        };
        let values: Vec<TokenTree> = values.stream().into_iter().collect();
        let first = values.split(|token| is(token, ',')).next().unwrap_or_default();
        let first: TokenStream = first.iter().cloned().collect();
        let ty: TokenStream = one[1..]
            .iter()
            .skip(1)
            .take_while(|token| !matches!(token, TokenTree::Ident(word) if word == "in"))
            .cloned()
            .collect();
        items.extend(if is(&one[1], ':') {
            quote!(const #name: #ty = #first;)
        } else {
            quote!(type #name = #first;)
        });
    }
    items
}

/// The names that a function gives to what it returns.
pub(super) fn returned(arguments: TokenStream) -> Vec<Ident> {
    let names = list(arguments, "returns").map(|list| list.stream()).into_iter().flatten();
    let names = names.filter_map(|token| match token {
        TokenTree::Ident(name) => Some(name),
        _ => None,
    });
    names.collect()
}

/// What stands in the parentheses after a word.
fn list(arguments: TokenStream, word: &str) -> Option<Group> {
    let tokens: Vec<TokenTree> = arguments.into_iter().collect();
    tokens.windows(2).find_map(|pair| match pair {
        [TokenTree::Ident(found), TokenTree::Group(list)]
            if found == word && list.delimiter() == Delimiter::Parenthesis =>
        {
            Some(list.clone())
        }
        _ => None,
    })
}
