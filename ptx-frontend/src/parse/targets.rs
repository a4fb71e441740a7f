//! Modules for several targets: the items of one of them.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use ptx_isa::Target;
use quote::{ToTokens, quote};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, Item as RustItem, Meta, Token};

use super::fragment::is_fragment;
use super::marker::word;
use crate::args::target;
use crate::ast::ModuleArgs;
use crate::errors::Errors;

/// The items of a module for its target, without their `#[target(..)]`.
pub(super) fn for_target(
    items: Vec<RustItem>,
    args: &ModuleArgs,
    errors: &mut Errors,
) -> Vec<RustItem> {
    let mut kept = Vec::new();
    for mut item in items {
        let (is_ours, mut given) = take_target(&mut item);
        if let Some(second) = given.get(1) {
            errors.on(second, "name all targets in one `#[target(..)]`");
        }
        let Some(given) = given.drain(..).next() else {
            kept.push(item);
            continue;
        };
        if !is_ours {
            errors.on(&given, "`#[target(..)]` belongs on a kernel, a device function or a variable; what else is in a module is the same for each of its targets");
            kept.push(item);
            continue;
        }
        let named = named(&given, args, errors);
        if named.is_empty() || args.target.is_none_or(|target| named.contains(&target)) {
            kept.push(item);
        }
    }
    kept
}

/// Takes `#[target(..)]` from an item, and says whether the item is one of ours.
fn take_target(item: &mut RustItem) -> (bool, Vec<Attribute>) {
    let is_ours = |attrs: &[Attribute]| attrs.iter().any(|attr| word(attr).is_some());
    let take = |attrs: &mut Vec<Attribute>| -> Vec<Attribute> {
        attrs.extract_if(.., |attr| attr.path().is_ident("target")).collect()
    };
    match item {
        RustItem::Fn(item) => {
            (is_ours(&item.attrs) && !item.attrs.iter().any(is_fragment), take(&mut item.attrs))
        }
        RustItem::Static(item) => (is_ours(&item.attrs), take(&mut item.attrs)),
        RustItem::Const(item) => (false, take(&mut item.attrs)),
        RustItem::Struct(item) => (false, take(&mut item.attrs)),
        RustItem::Enum(item) => (false, take(&mut item.attrs)),
        RustItem::Impl(item) => (false, take(&mut item.attrs)),
        RustItem::Mod(item) => (false, take(&mut item.attrs)),
        RustItem::Type(item) => (false, take(&mut item.attrs)),
        RustItem::Use(item) => (false, take(&mut item.attrs)),
        // A variable without a value, or a function without a body.
        RustItem::Verbatim(tokens) => {
            let parse = |input: syn::parse::ParseStream<'_>| {
                Ok((input.call(Attribute::parse_outer)?, input.parse::<TokenStream>()?))
            };
            let Ok((mut attrs, rest)) = parse.parse2(tokens.clone()) else {
                return (false, Vec::new());
            };
            let given = take(&mut attrs);
            if !given.is_empty() {
                *tokens = quote!(#(#attrs)* #rest);
            }
            (is_ours(&attrs), given)
        }
        _ => (false, Vec::new()),
    }
}

/// The targets in `#[target(..)]`.
fn named(attr: &Attribute, args: &ModuleArgs, errors: &mut Errors) -> Vec<Target> {
    let tokens = match &attr.meta {
        Meta::List(list) => list.tokens.clone(),
        Meta::Path(_) | Meta::NameValue(_) => TokenStream::new(),
    };
    let parsed = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(tokens);
    let given = match parsed {
        Ok(given) if !given.is_empty() => given,
        _ => {
            errors.on(attr, "name targets of the module, as in `#[target(sm_90a)]`");
            return Vec::new();
        }
    };
    let mut named = Vec::new();
    for expr in &given {
        let Some(found) = target(expr, errors) else { continue };
        named.push(found);
        if !args.targets.iter().any(|(target, _)| *target == found) {
            let all: Vec<String> =
                args.targets.iter().map(|(target, _)| format!("`{target}`")).collect();
            let all = all.join(", ");
            errors.on(
                expr,
                format_args!("the module is not for `{found}`, but for {all}; add it to `targets = [..]` of the module"),
            );
        }
    }
    named
}

/// The same tokens, in a module inside the one where they are written.
pub(crate) fn from_inside(tokens: TokenStream) -> TokenStream {
    let mut moved = TokenStream::new();
    let mut tokens = tokens.into_iter().peekable();
    // Whether the last tokens were `::`, or `pub`.
    let (mut is_inside_path, mut is_after_pub) = (false, false);
    while let Some(token) = tokens.next() {
        let is_colon = matches!(&token, TokenTree::Punct(sign) if sign.as_char() == ':');
        let is_pub = matches!(&token, TokenTree::Ident(word) if word == "pub");
        let starts_path =
            matches!(tokens.peek(), Some(TokenTree::Punct(sign)) if sign.as_char() == ':');
        match token {
            TokenTree::Ident(word) if !is_inside_path && starts_path && word == "super" => {
                moved.extend(quote!(#word::#word));
            }
            TokenTree::Ident(word) if !is_inside_path && starts_path && word == "self" => {
                moved.extend([TokenTree::Ident(Ident::new("super", word.span()))]);
            }
            TokenTree::Group(group) => {
                let outer = Ident::new("super", group.span());
                let content = match group.stream().to_string().as_str() {
                    "super" if is_after_pub => quote!(in #outer::#outer),
                    "self" if is_after_pub => quote!(#outer),
                    _ => from_inside(group.stream()),
                };
                let mut inside = Group::new(group.delimiter(), content);
                inside.set_span(group.span());
                inside.to_tokens(&mut moved);
            }
            token => token.to_tokens(&mut moved),
        }
        (is_inside_path, is_after_pub) = (is_colon, is_pub);
    }
    moved
}
