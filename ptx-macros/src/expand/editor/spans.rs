//! Which tokens have the places of the user's.

use std::collections::HashMap;

use proc_macro2::{Group, Span, TokenStream, TokenTree};

/// The words that the user wrote, by their places.
pub(super) struct Written(HashMap<String, String>);

impl Written {
    pub(super) fn new(tokens: &TokenStream) -> Self {
        let mut all = HashMap::new();
        add(tokens.clone(), &mut all);
        Self(all)
    }

    /// The tokens; those at the place of another token lose it.
    pub(super) fn keep(&self, tokens: TokenStream) -> TokenStream {
        tokens.into_iter().map(|token| self.token(token)).collect()
    }

    fn token(&self, mut token: TokenTree) -> TokenTree {
        match &token {
            TokenTree::Group(group) => {
                let mut kept = Group::new(group.delimiter(), self.keep(group.stream()));
                kept.set_span(group.span());
                kept.into()
            }
            TokenTree::Ident(_) => {
                let written = self.0.get(&key(token.span()));
                if written.is_none_or(|written| *written != token.to_string()) {
                    token.set_span(Span::call_site());
                }
                token
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => token,
        }
    }
}

fn add(tokens: TokenStream, all: &mut HashMap<String, String>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => add(group.stream(), all),
            TokenTree::Ident(word) => {
                all.insert(key(word.span()), word.to_string());
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// rust-analyzer's server knows no lines and columns, and prints a place as what it is to it: a range in an item of a
/// file.
fn key(span: Span) -> String {
    format!("{span:?}")
}
