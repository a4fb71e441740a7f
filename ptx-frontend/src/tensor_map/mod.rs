//! `#[tensor_map(element = bf16, box = [64, 128], swizzle = B128)] pub struct A;`

mod args;
mod check;
mod declaration;
mod element;
mod lower;

use std::rc::Rc;

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Fields, Generics, ItemStruct};

pub use declaration::TensorMap;

use self::args::Partial;
use crate::depth::refuse_deep;
use crate::errors::Errors;
use crate::instance::Instance;
use crate::parse::{Generic, Listing, list_in, without_list};

/// A map, and what it is an instance of.
pub type Instantiated = (TensorMap, Option<Rc<Instance>>);

/// Parses `#[tensor_map]` like [`tensor_map`], and one with `for(..)` once for each of its instances.
pub fn tensor_maps(args: TokenStream, item: TokenStream) -> (Vec<Instantiated>, Errors) {
    let parsed = syn::parse2::<ItemStruct>(item.clone());
    let (Some((at, list)), Ok(parsed)) = (list_in(&args), parsed) else {
        let (map, errors) = tensor_map(args, item);
        return (map.map(|map| (map, None)).into_iter().collect(), errors);
    };
    let mut errors = Errors::default();
    let Some(listing) = Listing::parse(list, &parsed.ident, None, &mut errors) else {
        return (Vec::new(), errors);
    };
    let args = without_list(&args, at);
    let parsed = ItemStruct { generics: listing.without_listed(parsed.generics), ..parsed };
    let maps = listing.each(&Generic::default(), |symbol, replacing| {
        let mut item = ItemStruct { ident: symbol, ..parsed.clone() };
        item.attrs.push(syn::parse_quote!(#[allow(non_camel_case_types)]));
        tensor_map(replacing.in_rust(args.clone()), item.into_token_stream())
    });
    let mut all = Vec::new();
    for ((map, found), instance) in maps {
        let around = errors.enter(Some(instance.clone()));
        errors.append(found);
        errors.leave(around);
        all.extend(map.map(|map| (map, Some(instance))));
    }
    errors.merge_instances();
    (all, errors)
}

/// Parses the arguments and the item of `#[tensor_map]`, and checks every rule that can be decided
/// from the tokens alone. A map with errors is replaced by a valid one, so that it can be used.
pub fn tensor_map(args: TokenStream, item: TokenStream) -> (Option<TensorMap>, Errors) {
    let mut errors = Errors::default();
    if refuse_deep(&args, &mut errors) || refuse_deep(&item, &mut errors) {
        return (None, errors);
    }
    let item = match syn::parse2::<ItemStruct>(item) {
        Ok(item) => item,
        Err(error) => {
            errors.at(
                error.span(),
                "a tensor map is declared on a struct, as in `#[tensor_map(element = bf16, box = [64, 128])] pub struct A;`",
            );
            return (None, errors);
        }
    };
    let mut item = item;
    if !matches!(item.fields, Fields::Unit) {
        errors.on(&item.fields, "the struct of a tensor map holds nothing; remove its fields");
    }
    if !item.generics.params.is_empty() {
        errors.on(
            &item.generics,
            "a tensor map has one layout; write a struct for each, and be generic over `M: MapType` instead",
        );
        item.generics = Generics::default();
        item.fields = Fields::Unit;
    }
    let (arguments, partial) = args::parse(args, item.ident.span(), &mut errors);
    let map = arguments.and_then(|written| lower::lower(written, item.clone(), &mut errors));
    let mut map = map.unwrap_or_else(|| TensorMap::fallback(item.clone(), partial));
    check::check(&map, &mut errors);
    if !errors.is_empty() {
        map = TensorMap::fallback(item, Partial { rank: Some(map.spec.rank), ..partial });
    }
    (Some(map), errors)
}
