//! The grammar of attribute arguments.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, Ident, Lit, Meta, Token, ext::IdentExt, token};

use crate::errors::Errors;

/// `name`, `name = expr` or `name(words)`.
pub(crate) struct AttributeArg {
    pub(crate) name: Ident,
    pub(crate) value: AttributeValue,
}

/// The value of an argument.
pub(crate) enum AttributeValue {
    None,
    Expr(Expr),
    Path(syn::Path),
    List(Vec<Expr>),
}

/// The advice about `for(..)` where it has no meaning.
const INSTANCES: &str = "`for` lists instances once, as in `for(T in [f32, f64])`, on a module, kernel, device function, variable or tensor map; a fragment has parameters of Rust, as in `fn name<T>`";

impl Parse for AttributeArg {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name = Ident::parse_any(input)?;
        if name == "for" {
            return Err(syn::Error::new(name.span(), INSTANCES));
        }
        let value = if input.peek(Token![=]) {
            input.parse::<Token![=]>()?;
            if name == "crate" {
                AttributeValue::Path(input.call(syn::Path::parse_mod_style)?)
            } else {
                AttributeValue::Expr(input.parse()?)
            }
        } else if input.peek(token::Paren) {
            let inner;
            syn::parenthesized!(inner in input);
            let list = inner.call(Punctuated::<Expr, Token![,]>::parse_terminated)?;
            AttributeValue::List(list.into_iter().collect())
        } else {
            AttributeValue::None
        };
        Ok(Self { name, value })
    }
}

/// Parses arguments separated by commas. A value without a name belongs to the argument before it, or to `usual`.
fn named(input: ParseStream<'_>, usual: &str) -> syn::Result<Punctuated<AttributeArg, Token![,]>> {
    let mut args = Punctuated::<AttributeArg, Token![,]>::new();
    while !input.is_empty() {
        if input.peek(Lit) {
            let value: Lit = input.parse()?;
            let written = value.to_token_stream();
            let message = match args.last() {
                Some(AttributeArg { name, value: AttributeValue::Expr(before) }) => {
                    let before = before.to_token_stream();
                    format!(
                        "an argument starts with its name; if `{name}` has several values, write `{name} = ({before}, {written})`"
                    )
                }
                _ => format!("an argument starts with its name, as in `{usual} = {written}`"),
            };
            return Err(syn::Error::new_spanned(value, message));
        }
        args.push_value(input.parse()?);
        if input.is_empty() {
            break;
        }
        args.push_punct(input.parse()?);
    }
    Ok(args)
}

/// Parses arguments separated by commas, of which `usual` is the most usual.
pub(crate) fn parse_args(
    tokens: TokenStream,
    usual: &str,
    errors: &mut Errors,
) -> Vec<AttributeArg> {
    match (|input: ParseStream<'_>| named(input, usual)).parse2(tokens) {
        Ok(args) => {
            let args: Vec<AttributeArg> = args.into_iter().collect();
            refuse_twice(&args, errors);
            args
        }
        Err(error) => {
            errors.push(error);
            Vec::new()
        }
    }
}

/// Parses the arguments of an attribute such as `#[global(align = 16)]`.
pub(crate) fn attribute_args(attr: &Attribute, errors: &mut Errors) -> Vec<AttributeArg> {
    match &attr.meta {
        Meta::Path(_) => Vec::new(),
        Meta::List(list) => {
            let is_of_function = ["kernel", "device"].iter().any(|word| attr.path().is_ident(word));
            let usual = if is_of_function { "maxntid" } else { "align" };
            parse_args(list.tokens.clone(), usual, errors)
        }
        Meta::NameValue(pair) => {
            errors.on(pair, "arguments are written in parentheses, as in `(align = 16)`");
            Vec::new()
        }
    }
}

/// Reports an argument that is given twice.
fn refuse_twice(args: &[AttributeArg], errors: &mut Errors) {
    for (i, arg) in args.iter().enumerate() {
        if args[..i].iter().any(|earlier| earlier.name == arg.name) {
            errors.at(arg.name.span(), format_args!("`{}` is given twice; remove one", arg.name));
        }
    }
}

/// Whether attributes make the existence of an item conditional.
pub(crate) fn is_conditional(attrs: &[Attribute]) -> bool {
    attrs.iter().any(|attr| attr.path().is_ident("cfg") || attr.path().is_ident("cfg_attr"))
}
