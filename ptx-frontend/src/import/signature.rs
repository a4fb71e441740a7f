//! `#[kernel(requires(dst.len() >= n))] fn rows(dst: Ptr<Global, f32>, n: _)`

use proc_macro2::Span;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Ident, Token, Type, parenthesized, token};

use super::word::{Word, expect};

/// The Rust signature of a kernel or function.
pub struct Signature {
    /// `#[kernel(..)]`: the launch contract.
    pub attrs: Vec<Attribute>,
    /// The kernel or function.
    pub symbol: Word,
    /// Its parameters, in order.
    pub params: Vec<SignatureParam>,
}

/// A parameter of a [`Signature`].
pub struct SignatureParam {
    /// Its name in Rust; `None` for `_`.
    pub ident: Option<Ident>,
    /// The span of `#[readonly]`, if it is present.
    pub readonly: Option<Span>,
    /// Its type in Rust; `None` for `_`.
    pub ty: Option<Type>,
}

impl Parse for Signature {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        expect::<Token![fn]>(input, "write `fn`, and the kernel with its parameters")?;
        let symbol: Word = input.parse()?;
        if input.peek(Token![<]) {
            let message = format!(
                "`{}` is one function in PTX, which has no generic parameters; remove them",
                symbol.text
            );
            return Err(input.error(message));
        }
        if !input.peek(token::Paren) {
            let message = format!("write its parameters: `fn {}(n: u32)`", symbol.text);
            return Err(input.error(message));
        }
        let list;
        parenthesized!(list in input);
        let params = Punctuated::<SignatureParam, Token![,]>::parse_terminated(&list)?;
        if input.peek(Token![->]) {
            return Err(input.error("the file gives what a function returns; remove this"));
        }
        if input.peek(token::Brace) || input.peek(Token![;]) {
            return Err(input.error("the file gives the body of a function; remove this"));
        }
        Ok(Self { attrs, symbol, params: params.into_iter().collect() })
    }
}

impl Parse for SignatureParam {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let readonly = readonly(input)?;
        let ident = if input.parse::<Option<Token![_]>>()?.is_some() {
            None
        } else {
            Some(input.parse::<Ident>()?)
        };
        expect::<Token![:]>(
            input,
            "write the type of the parameter, or `_` for the one in PTX: `n: _`",
        )?;
        let ty: Type = input.parse()?;
        Ok(Self { ident, readonly, ty: Some(ty).filter(|ty| !matches!(ty, Type::Infer(_))) })
    }
}

/// The span of `#[readonly]`, if it is present here.
pub(super) fn readonly(input: ParseStream<'_>) -> syn::Result<Option<Span>> {
    let mut found = None;
    for attr in input.call(Attribute::parse_outer)? {
        if !attr.path().is_ident("readonly") {
            let message =
                "only `#[readonly]` is allowed here: the kernel only reads through the pointer";
            return Err(syn::Error::new_spanned(attr, message));
        }
        found = attr.path().get_ident().map(Ident::span);
    }
    Ok(found)
}
