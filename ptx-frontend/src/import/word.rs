//! The names of a file's symbols.

use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Ident, LitStr};

use crate::name::ptx_name;

/// A PTX or Rust name; one that is not a Rust identifier is written in quotes.
pub struct Word {
    /// The name, without the `r#` of a raw identifier.
    pub text: String,
    /// Its span.
    pub span: Span,
}

impl Parse for Word {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(LitStr) {
            let literal: LitStr = input.parse()?;
            return Ok(Self { text: literal.value(), span: literal.span() });
        }
        if !input.peek(Ident::peek_any) {
            return Err(input.error(
                "write a name from the file; one that is not a Rust name goes in quotes: `\"$str\"`",
            ));
        }
        let ident = Ident::parse_any(input)?;
        Ok(Self { text: ptx_name(&ident), span: ident.span() })
    }
}

/// Parses a token, or fails with `message`.
pub(super) fn expect<T: Parse>(input: ParseStream<'_>, message: &str) -> syn::Result<T> {
    let span = input.span();
    input.parse().map_err(|_: syn::Error| syn::Error::new(span, message))
}
