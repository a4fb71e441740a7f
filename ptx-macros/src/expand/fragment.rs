//! Fragments: a `macro_rules!` that hands their tokens on, and a module that holds the values of their Rust constants.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, PoisonError};

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use ptx_frontend::ast::Wanting;
use ptx_frontend::body::{FUNCTION, nested_name, splice_name};
use ptx_frontend::fragment::{Defined, Definition, Nested, Nesting};
use ptx_frontend::{location, ptx_name};
use quote::{format_ident, quote};
use syn::{Item, Visibility};

use super::facade::facade;
use super::function::unused;
use super::parts::conditions;

pub(crate) fn expand_defined(defined: &Defined) -> TokenStream {
    match defined {
        Defined::Whole(definition) => expand_definition(definition),
        Defined::Wanting(wanting) => expand_wanting(&facade(None), wanting),
        // Its uses are not errors of their own.
        Defined::Refused { ident, vis } => {
            let module = syn::Token![mod](ident.span());
            let nothing = TokenStream::new();
            let handing_on = expand_macro(ident, vis, &nothing, &quote!({}), &misuse(ident, ""));
            quote! {
                #[allow(non_snake_case)]
                #vis #module #ident {}
                #handing_on
            }
        }
    }
}

/// Asks the fragments for their tokens, one after the other; the macro at the end takes all of them.
pub(crate) fn expand_wanting(
    ptx: &TokenStream,
    Wanting { paths, payload }: &Wanting,
) -> TokenStream {
    let Some((first, others)) = paths.split_first() else { return TokenStream::new() };
    quote! {
        #first! { {} { #((#others))* (#ptx::__private::with_fragments) } #payload }
    }
}

fn expand_definition(definition: &Definition) -> TokenStream {
    let Definition { ident, attrs, vis, items, own, uses, types, usage, krate, .. } = definition;
    let Definition { unused: names, travels, type_parameters, .. } = definition;
    let ptx = &facade(krate.as_ref());
    let conditions = conditions(attrs);
    let conditions = quote!(#(#conditions)*);
    let handing_on = expand_macro(ident, vis, &conditions, travels, &misuse(ident, usage));
    let items = items.iter().map(|item| match item {
        Item::Const(item) => {
            let item = syn::ItemConst { vis: syn::parse_quote!(pub), ..item.clone() };
            quote!(#[doc(hidden)] #item)
        }
        other => quote!(#other),
    });
    let own = own.iter().enumerate().map(|(n, expr)| {
        let name = splice_name(n);
        let value = super::span::at(expr, quote!(#ptx::splice(#expr)));
        quote!(#[doc(hidden)] pub const #name: #ptx::Number = #value;)
    });
    let nested = uses.iter().enumerate().map(|(n, nested)| expand_nested(ptx, n, nested, 2));
    let unused = (!names.is_empty()).then(|| unused(names));
    let documented = format!("The PTX of the fragment `{usage}`.");
    let documented =
        attrs.iter().all(|attr| !attr.path().is_ident("doc")).then(|| quote!(#[doc = #documented]));
    let module = syn::Token![mod](ident.span());
    // No lint is to speak about generated items.
    quote! {
        #(#attrs)*
        #documented
        #[allow(unused_imports, dead_code, non_snake_case, unreachable_pub, clippy::all, clippy::pedantic)]
        #vis #module #ident {
            use super::*;
            #(#items)*
            #(#own)*
            #(#nested)*
        }
        #conditions
        const _: () = {
            #[allow(dead_code, clippy::all, clippy::pedantic)]
            fn __ptx_signature<#(#type_parameters),*>(#(_: ::core::marker::PhantomData<#types>),*) {}
        };
        #handing_on
        #unused
    }
}

fn misuse(ident: &Ident, usage: &str) -> String {
    format!(
        "`{ident}` is a fragment, which the body of a kernel or a function uses as an instruction: `{usage};`"
    )
}

/// The `macro_rules!` of a device function, which hands on what other modules need to know in order to call it.
pub(super) fn expand_called(
    ident: &Ident,
    vis: &Visibility,
    conditions: &TokenStream,
    travels: &TokenStream,
) -> TokenStream {
    let misuse = format!("`{ident}` is a device function, which a body calls: `call {ident};`");
    expand_macro(ident, vis, conditions, &quote!({ {#travels} }), &misuse)
}

/// The `macro_rules!` of a fragment or a function, which adds these tokens to what the ones before have added.
fn expand_macro(
    ident: &Ident,
    vis: &Visibility,
    conditions: &TokenStream,
    travels: &TokenStream,
    misuse: &str,
) -> TokenStream {
    let macro_name = macro_name(ident);
    let is_public = matches!(vis, Visibility::Public(_));
    let export = is_public.then(|| quote!(#[macro_export]));
    quote! {
        #conditions
        #[doc(hidden)]
        #[allow(unused_macros, clippy::all, clippy::pedantic)]
        #export
        macro_rules! #macro_name {
            ({ $($done:tt)* } { ($($next:tt)*) $($more:tt)* } $payload:tt) => {
                $($next)*! { { $($done)* #travels } { $($more)* } $payload }
            };
            ($($other:tt)*) => { ::core::compile_error! { #misuse } };
        }
        #conditions
        #[doc(hidden)]
        #[allow(unused_imports)]
        #vis use #macro_name as #ident;
    }
}

/// The values of a fragment that another one uses, under the path of that one: in a module that lies this many levels
/// inside the one where the other is written.
fn expand_nested(
    ptx: &TokenStream,
    n: usize,
    Nested { path, function, own, items, uses }: &Nested,
    levels: usize,
) -> TokenStream {
    let (name, path) = (nested_name(n), from_inside(path, levels));
    let function = function.map(|nesting| {
        let constant = format_ident!("{FUNCTION}");
        let value = match nesting {
            Nesting::Direct => quote!(#path().ir()),
            Nesting::Inside => quote!(#path::#constant),
        };
        quote!(pub const #constant: &#ptx::ir::Function<'static> = #value;)
    });
    let items = items.iter().map(|(name, ty)| quote!(pub const #name: #ty = #path::#name;));
    let own = (0..*own).map(|n| {
        let name = splice_name(n);
        quote!(pub const #name: #ptx::Number = #path::#name;)
    });
    let nested = uses.iter().enumerate();
    let nested = nested.map(|(n, inner)| expand_nested(ptx, n, inner, levels + 1));
    quote! {
        #[doc(hidden)]
        pub mod #name {
            use super::*;
            #function
            #(#items)*
            #(#own)*
            #(#nested)*
        }
    }
}

/// A path as it is written in a module this many levels further inside.
fn from_inside(path: &TokenStream, levels: usize) -> TokenStream {
    let mut tokens = path.clone().into_iter();
    let outside = (0..levels).map(|_| quote!(super));
    match tokens.next() {
        Some(TokenTree::Ident(word)) if word == "self" => {
            let rest: TokenStream = tokens.collect();
            quote!(#(#outside)::* #rest)
        }
        Some(TokenTree::Ident(word)) if word == "super" => quote!(#(#outside)::*::#path),
        _ => path.clone(),
    }
}

/// The names that were made in this process, by their hashes, with the number of each.
static NAMED: Mutex<BTreeMap<u64, usize>> = Mutex::new(BTreeMap::new());

/// The name of the `macro_rules!`, which a `#[macro_export]` puts at the root of the crate.
fn macro_name(ident: &Ident) -> Ident {
    let place = location(ident.span());
    let mut hasher = DefaultHasher::new();
    (place.file, place.line, place.column).hash(&mut hasher);
    let hash = hasher.finish();
    // What a `macro_rules!` writes twice is at one place.
    let mut named = NAMED.lock().unwrap_or_else(PoisonError::into_inner);
    let number = named.entry(hash).and_modify(|number| *number += 1).or_default();
    let again = if *number == 0 { String::new() } else { format!("_{number}") };
    format_ident!("__ptx_shared_{}_{hash:016x}{again}", ptx_name(ident), span = Span::call_site())
}
