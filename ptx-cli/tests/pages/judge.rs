//! The findings in a listing: the codes of the rules that it breaks.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use ptx_frontend::Errors;
use ptx_text::{Following, Parsed};
use quote::{ToTokens, quote};
use syn::{Attribute, File, Item};

/// The header for a PTX listing without one.
const HEAD: &str = ".version 8.7\n.target sm_90a\n.address_size 64\n\n";

/// The codes of the findings, and the messages that have no code.
pub(crate) type Found = BTreeSet<String>;

/// The codes of the findings in PTX, in strict terms if lockstep does not count.
pub(crate) fn in_ptx(text: &str, is_strict: bool) -> Found {
    let head = if text.contains(".version") { "" } else { HEAD };
    let parsed = Parsed::new(format!("{head}{text}"));
    let following = Following { is_strict, ..Following::default() };
    let found = parsed.check_launched(following).into_iter().map(|found| match found.code {
        Some(code) => code.to_owned(),
        None => found.message,
    });
    found.collect()
}

/// The codes of the findings of the macros in Rust, before rustc knows the types.
pub(crate) fn in_rust(text: &str) -> Result<Found, syn::Error> {
    let file: File = syn::parse_str(text)?;
    let mut found = Found::new();
    let is_module =
        |item: &Item| matches!(item, Item::Mod(it) if arguments(&it.attrs, "module").is_some());
    if !file.items.iter().any(is_module) {
        let items = &file.items;
        let module = quote!(mod example { use super::*; #(#items)* });
        collect(&mut found, &in_module(quote!(target = sm_90a), module));
    }
    in_items(&mut found, file.items);
    Ok(found)
}

/// Adds the codes of modules, tensor maps and structs.
fn in_items(found: &mut Found, items: Vec<Item>) {
    for item in items {
        match item {
            Item::Mod(mut module) => {
                let args = arguments(&module.attrs, "module");
                module.attrs.clear();
                if let Some(args) = args {
                    collect(found, &in_module(args, module.to_token_stream()));
                }
                in_items(found, module.content.map(|(_, items)| items).unwrap_or_default());
            }
            Item::Struct(mut map) if let Some(args) = arguments(&map.attrs, "tensor_map") => {
                map.attrs.clear();
                let (_, errors) =
                    ptx_frontend::tensor_map::tensor_map(args, map.into_token_stream());
                collect(found, &errors);
            }
            Item::Struct(derived) if arguments(&derived.attrs, "derive").is_some() => {
                let mut errors = Errors::default();
                ptx_frontend::derive::parse(derived.into_token_stream(), &mut errors);
                collect(found, &errors);
            }
            _ => {}
        }
    }
}

/// The arguments of the attribute with this name.
fn arguments(attributes: &[Attribute], name: &str) -> Option<TokenStream> {
    let is_named =
        |it: &&Attribute| it.path().segments.last().is_some_and(|last| last.ident == name);
    let attribute = attributes.iter().find(is_named)?;
    Some(match &attribute.meta {
        syn::Meta::List(list) => list.tokens.clone(),
        _ => TokenStream::new(),
    })
}

fn in_module(args: TokenStream, module: TokenStream) -> Errors {
    let arena = ptx_frontend::Arena::new();
    ptx_frontend::module(args, module, &arena).1
}

/// Adds the codes of the messages, and the messages that have no code.
fn collect(found: &mut Found, errors: &Errors) {
    // The other access is of the error before it.
    let is_other = |message: &String| message.starts_with("this is the other access");
    for message in errors.messages().filter(|message| !is_other(message)) {
        let code = message.rsplit_once('[').map_or("", |(_, behind)| behind);
        let code = code.split(',').next().unwrap_or_default();
        found.insert(if is_code(code) { code.to_owned() } else { message });
    }
}

/// Whether a text has the form of a code: `A021`.
pub(crate) fn is_code(text: &str) -> bool {
    matches!(text.as_bytes(), [letter, digits @ ..] if letter.is_ascii_uppercase()
        && digits.len() == 3
        && digits.iter().all(u8::is_ascii_digit))
}
