use core::fmt::Display;

use proc_macro2::{Punct, Spacing, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::Error;

/// The errors found so far; all errors of a module are reported in one compilation.
#[derive(Debug, Default)]
pub struct Errors(Vec<Error>);

impl Errors {
    /// Reports `message` at one span.
    pub fn at(&mut self, span: Span, message: impl Display) {
        self.0.push(Error::new(span, message));
    }

    /// Reports `message` over the span from the start of one to the end of the other.
    pub fn over(&mut self, (start, end): (Span, Span), message: impl Display) {
        let at = |span| {
            let mut dot = Punct::new('.', Spacing::Alone);
            dot.set_span(span);
            TokenTree::from(dot)
        };
        let tokens: TokenStream = [at(start), at(end)].into_iter().collect();
        self.on(tokens, message);
    }

    /// Reports `message` over all of `tokens`.
    pub fn on(&mut self, tokens: impl ToTokens, message: impl Display) {
        self.0.push(Error::new_spanned(tokens, message));
    }

    /// Reports an error from syn.
    pub fn push(&mut self, error: Error) {
        self.0.push(error);
    }

    /// Moves the errors of `others` to this list.
    pub fn append(&mut self, mut others: Self) {
        self.0.append(&mut others.0);
    }

    /// The number of errors.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no errors.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The messages, in the order in which they were found.
    pub fn messages(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(ToString::to_string)
    }

    /// The errors as items that make rustc report them.
    pub fn to_compile_errors(&self) -> TokenStream {
        self.0.iter().map(Error::to_compile_error).collect()
    }
}
