//! Arguments of our attributes that are written as attributes of their own: `#[shared] #[align(16)]`.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use ptx_isa::ir::DirectiveKind;
use ptx_isa::near::nearest;
use ptx_text::codes;
use quote::{ToTokens as _, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Attribute, Ident, MacroDelimiter, Meta, MetaList, token};

use crate::errors::Errors;

/// Attributes of Rust whose spelling is close to an argument of ours.
const OF_RUST: [&str; 3] = ["expect", "inline", "derive"];

/// Reports the attributes of an item that are arguments of its attribute `#[word]`, or misspellings of these, and moves
/// them into that attribute. Returns it, and the other attributes.
pub(super) fn with_arguments(
    word: &str,
    mut ours: Attribute,
    others: Vec<Attribute>,
    errors: &mut Errors,
) -> (Attribute, Vec<Attribute>) {
    let mut rest = Vec::new();
    for attr in others {
        let Some((given, meant)) = meant(&attr, word) else {
            rest.push(attr);
            continue;
        };
        let form = match &attr.meta {
            Meta::List(list) if meant == "allow" => format!("allow({})", list.tokens),
            meta => format!("{meant} = {}", value(meta)),
        };
        let right = format!("#[{word}({form})]");
        if given == meant {
            errors.on(
                attr.path(),
                format_args!("`{meant}` is an argument of `#[{word}]`; write `{right}`"),
            );
        } else {
            errors.on(
                attr.path(),
                format_args!("no attribute `{given}` here; did you mean `{right}`?"),
            );
        }
        add(&mut ours, argument(&attr, meant));
    }
    (ours, rest)
}

/// The name of an attribute that is an argument of `#[word]`, or a misspelling of one, and the argument's.
fn meant(attr: &Attribute, word: &str) -> Option<(String, &'static str)> {
    let given = attr.path().get_ident()?.to_string();
    let directives = DirectiveKind::ALL.iter().filter(|kind| kind.arity() > 0);
    let own: Vec<&'static str> = match word {
        "kernel" => directives.map(|kind| kind.name()).collect(),
        "device" => Vec::new(),
        _ => vec!["align"],
    };
    if OF_RUST.contains(&given.as_str()) {
        return None;
    }
    let found = nearest(&given, own.into_iter().chain(["allow"]));
    let [meant] = found[..] else { return None };
    let has_value = match &attr.meta {
        Meta::Path(_) => false,
        Meta::NameValue(_) => meant != "allow",
        // A lint of Rust is allowed as everywhere.
        Meta::List(list) => meant != "allow" || names_rules(list.tokens.clone()),
    };
    has_value.then_some((given, meant))
}

/// The value of an attribute that consists of one token; otherwise, what stands for it.
fn value(meta: &Meta) -> String {
    let value = match meta {
        Meta::Path(_) => TokenStream::new(),
        Meta::NameValue(pair) => pair.value.to_token_stream(),
        Meta::List(list) => list.tokens.clone(),
    };
    let mut tokens = value.into_iter();
    match (tokens.next(), tokens.next()) {
        (Some(token), None) => token.to_string(),
        (_, _) => "..".to_owned(),
    }
}

/// Whether tokens name a rule.
fn names_rules(tokens: TokenStream) -> bool {
    let is_rule = |token: TokenTree| matches!(token, TokenTree::Ident(code) if codes::meant(&code.to_string()).is_some());
    tokens.into_iter().any(is_rule)
}

/// The argument that an attribute stands for.
fn argument(attr: &Attribute, meant: &str) -> TokenStream {
    let name = Ident::new(meant, attr.path().span());
    let value = match &attr.meta {
        Meta::Path(_) => return name.into_token_stream(),
        Meta::NameValue(pair) => pair.value.to_token_stream(),
        Meta::List(list) => {
            let mut group = Group::new(Delimiter::Parenthesis, list.tokens.clone());
            group.set_span(list.delimiter.span().join());
            if meant == "allow" {
                return quote!(#name #group);
            }
            group.into_token_stream()
        }
    };
    quote_spanned!(name.span()=> #name = #value)
}

/// Adds an argument to an attribute.
fn add(attr: &mut Attribute, argument: TokenStream) {
    match &mut attr.meta {
        Meta::Path(path) => {
            attr.meta = Meta::List(MetaList {
                path: path.clone(),
                delimiter: MacroDelimiter::Paren(token::Paren(path.span())),
                tokens: argument,
            });
        }
        Meta::List(list) => {
            let tokens = &list.tokens;
            let is_open = match tokens.clone().into_iter().last() {
                None => false,
                Some(TokenTree::Punct(sign)) => sign.as_char() != ',',
                Some(_) => true,
            };
            let comma = is_open.then(|| quote!(,));
            list.tokens = quote!(#tokens #comma #argument);
        }
        // Its form is reported.
        Meta::NameValue(_) => {}
    }
}
