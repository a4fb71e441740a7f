//! What is in `for(..)`: the parameters of a generic item, and what each stands for.

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use ptx_isa::ScalarType;
use ptx_isa::sorted::SortedSet;
use quote::ToTokens;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, Lit, Meta, Token, Type};

use super::marker::word;
use crate::errors::Errors;
use crate::group::Peel;
use crate::instance::Argument;

/// A parameter and the arguments that it takes in turn: `T in [f32, f16]`.
pub(super) struct Listed {
    pub(super) ident: Ident,
    /// The type of a constant.
    pub(super) ty: Option<Type>,
    pub(super) arguments: Vec<Argument>,
}

impl Parse for Listed {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let ident: Ident = input.parse()?;
        let ty = if input.peek(Token![:]) {
            input.parse::<Token![:]>()?;
            Some(input.parse::<Type>()?)
        } else {
            None
        };
        input.parse::<Token![in]>()?;
        let text = ident.to_string();
        if text.starts_with(char::is_lowercase) {
            return Err(syn::Error::new(
                ident.span(),
                format!(
                    "the name of a type or constant starts with a capital letter here; write `{}`",
                    text.to_uppercase()
                ),
            ));
        }
        let list;
        syn::bracketed!(list in input);
        let arguments = if ty.is_some() {
            let all = list.call(Punctuated::<Expr, Token![,]>::parse_terminated)?;
            all.into_iter().map(constant).collect::<syn::Result<Vec<_>>>()?
        } else {
            let all = list.call(Punctuated::<TypeOrNumber, Token![,]>::parse_terminated)?;
            all.into_iter().map(|it| of_type(it, &ident)).collect::<syn::Result<Vec<_>>>()?
        };
        if arguments.is_empty() {
            return Err(syn::Error::new(
                ident.span(),
                format!(
                    "`{ident}` stands for nothing; list what it stands for, as in `{ident} in [f32, f16]`"
                ),
            ));
        }
        Ok(Self { ident, ty, arguments })
    }
}

/// The most instances of one item.
const MOST: usize = 1 << 10;

/// Checks a list as a whole. Returns the number of instances of what has it; `None` if something was reported.
pub(super) fn check_list(listed: &[Listed], of: &str, errors: &mut Errors) -> Option<usize> {
    let is_twice = |(n, one): (usize, &Listed)| listed[..n].iter().any(|it| it.ident == one.ident);
    if let Some((_, twice)) = listed.iter().enumerate().find(|it| is_twice(*it)) {
        let twice = &twice.ident;
        errors.on(twice, format_args!("`{twice}` is listed twice; remove one"));
        return None;
    }
    for one in listed {
        let mut names = SortedSet::new();
        if let Some(twice) = one.arguments.iter().find(|it| !names.insert(it.name.clone())) {
            errors.on(&twice.tokens, format_args!("`{}` is listed twice; remove one", twice.text));
            return None;
        }
    }
    let Some(first) = listed.first() else {
        errors.at(
            Span::call_site(),
            "`for()` lists nothing; write what stands for what, as in `for(T in [f32, f64])`",
        );
        return None;
    };
    let count = listed.iter().map(|one| one.arguments.len()).try_fold(1, usize::checked_mul);
    let count = count.filter(|count| *count <= MOST);
    if count.is_none() {
        errors.on(&first.ident, format_args!("{of} has too many instances; list {MOST} or fewer"));
    }
    count
}

/// What stands in a list without a type: types, or numbers by mistake.
enum TypeOrNumber {
    Number(Lit),
    Type(Box<Type>),
}

impl Parse for TypeOrNumber {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(Lit) {
            input.parse().map(Self::Number)
        } else {
            input.parse().map(|ty| Self::Type(Box::new(ty)))
        }
    }
}

/// An argument for a constant: a number.
fn constant(expr: Expr) -> syn::Result<Argument> {
    let (negative, number) = match expr.peel() {
        Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Neg(_)) => (true, unary.expr.peel()),
        expr => (false, expr),
    };
    if let Expr::Lit(lit) = number
        && let Lit::Int(int) = &lit.lit
        && int.suffix().is_empty()
    {
        let digits = int.base10_digits();
        let (sign, word) = if negative { ("-", "m") } else { ("", "") };
        // PTX has no `_` in numbers.
        let mut tokens = quote::quote_spanned!(int.span()=> -);
        if !negative {
            tokens = TokenStream::new();
        }
        tokens.extend(syn::parse_str::<TokenStream>(digits)?.into_iter().map(|mut token| {
            token.set_span(int.span());
            token
        }));
        return Ok(Argument {
            tokens,
            scalar: None,
            name: format!("{word}{digits}"),
            text: format!("{sign}{digits}"),
        });
    }
    Err(syn::Error::new_spanned(
        expr,
        "an instance is listed by its number, which becomes a part of its symbol; write an integer literal",
    ))
}

/// An argument for a type: one with a suffix in PTX.
fn of_type(given: TypeOrNumber, parameter: &Ident) -> syn::Result<Argument> {
    let ty = match given {
        TypeOrNumber::Number(lit) => {
            let message = format!(
                "a constant has a type; write `{parameter}: u32 in [{}]`",
                lit.to_token_stream()
            );
            return Err(syn::Error::new_spanned(lit, message));
        }
        TypeOrNumber::Type(ty) => *ty,
    };
    let last = match ty.peel() {
        Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
        _ => None,
    };
    let scalar = last.as_deref().and_then(ScalarType::from_rust_name);
    match (last, scalar) {
        (Some(name), Some(scalar)) => Ok(Argument {
            tokens: ty.to_token_stream(),
            scalar: Some(scalar),
            name: scalar.name().to_owned(),
            text: name,
        }),
        _ => Err(syn::Error::new_spanned(
            &ty,
            format!(
                "`{}` has no suffix in PTX, which `{parameter}` stands for in the body; write a scalar type, such as `f32`",
                ty.to_token_stream()
            ),
        )),
    }
}

/// The attributes of an item, and the tokens that follow.
pub(super) fn attributes_and_rest(tokens: TokenStream) -> Option<(Vec<Attribute>, Vec<TokenTree>)> {
    let parse = |input: ParseStream<'_>| {
        Ok((input.call(Attribute::parse_outer)?, input.parse::<TokenStream>()?))
    };
    let (attrs, rest) = Parser::parse2(parse, tokens).ok()?;
    Some((attrs, rest.into_iter().collect()))
}

/// The `for(..)` of an attribute of ours: the index of its first token, and its contents.
pub(super) fn list_of(attr: &Attribute) -> Option<(usize, TokenStream)> {
    word(attr)?;
    let Meta::List(list) = &attr.meta else { return None };
    list_in(&list.tokens)
}

/// The `for(..)` among the arguments of an attribute: the index of its first token, and its contents.
pub(crate) fn list_in(arguments: &TokenStream) -> Option<(usize, TokenStream)> {
    let tokens: Vec<TokenTree> = arguments.clone().into_iter().collect();
    let at = tokens.windows(2).position(|two| {
        matches!(&two[0], TokenTree::Ident(word) if word == "for")
            && matches!(&two[1], TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis)
    })?;
    let TokenTree::Group(group) = &tokens[at + 1] else { return None };
    Some((at, group.stream()))
}

/// Removes `for(..)` and a comma beside it.
pub(super) fn remove_list(attr: &mut Attribute, at: usize) {
    if let Meta::List(list) = &mut attr.meta {
        list.tokens = without_list(&list.tokens, at);
    }
}

/// The arguments of an attribute without `for(..)` and a comma beside it.
pub(crate) fn without_list(arguments: &TokenStream, at: usize) -> TokenStream {
    let mut tokens: Vec<TokenTree> = arguments.clone().into_iter().collect();
    tokens.drain(at..at + 2);
    let is_comma = |token: Option<&TokenTree>| matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == ',');
    if is_comma(tokens.get(at)) {
        tokens.remove(at);
    } else if at > 0 && is_comma(tokens.get(at - 1)) {
        tokens.remove(at - 1);
    }
    tokens.into_iter().collect()
}

/// The number of parameters in a list.
pub(super) fn count(list: TokenStream) -> usize {
    list.into_iter().filter(|token| matches!(token, TokenTree::Ident(word) if word == "in")).count()
}
