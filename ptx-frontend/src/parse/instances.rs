//! Generic kernels, functions and variables: one item for each listed instance, `#[kernel(for(T in [f32, f16], N: u32 in
//! [64, 128]))]`.

use std::cell::RefCell;
use std::rc::Rc;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use ptx_isa::sorted::{SortedMap, SortedSet};
use quote::ToTokens;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Attribute, GenericParam, Generics, Item as RustItem, ItemFn, Meta, Token};

use super::generic_module::{OfModule, kind_of_rust, name_of_rust, rename};
use super::hidden::Hidden;
use super::listed::{Listed, attributes_and_rest, check_list, count, list_of, remove_list};
use super::marker::word;
use super::replacing::{Generic, GenericItem, Replacing, symbol};
use super::travelling::travelling;
use crate::errors::Errors;
use crate::instance::{Argument, Family, Instance};
use crate::name::{has_name, ptx_name};

/// An item, and what it is an instance of.
pub(super) type Instantiated = (RustItem, Option<Rc<Instance>>);

/// What is listed for a generic item, and its instances.
pub(crate) struct Listing {
    family: Rc<Family>,
    listed: Vec<Listed>,
    /// The arguments of each instance.
    all: Vec<Vec<Argument>>,
}

impl Listing {
    /// Parses what is in `for(..)` of an item with this name.
    pub(crate) fn parse(
        list: TokenStream,
        name: &Ident,
        travels: Option<TokenStream>,
        errors: &mut Errors,
    ) -> Option<Self> {
        let parse = Punctuated::<Listed, Token![,]>::parse_terminated;
        let listed: Vec<Listed> = match parse.parse2(list) {
            Ok(listed) => listed.into_iter().collect(),
            Err(error) => {
                errors.push(error);
                return None;
            }
        };
        let count = check_list(&listed, &format!("`{name}`"), errors)?;
        let parameters = listed.iter().map(|one| (one.ident.clone(), one.ty.clone())).collect();
        let family = Rc::new(Family { ident: name.clone(), parameters, count, travels });
        let mut all: Vec<Vec<Argument>> = vec![Vec::new()];
        for one in &listed {
            let longer = all.iter().flat_map(|before| {
                one.arguments.iter().map(move |argument| {
                    [before.as_slice(), core::slice::from_ref(argument)].concat()
                })
            });
            all = longer.collect();
        }
        Some(Self { family, listed, all })
    }

    /// The parameters in angle brackets that are not listed.
    pub(crate) fn without_listed(&self, mut generics: Generics) -> Generics {
        let is_listed = |param: &GenericParam| {
            let ident = match param {
                GenericParam::Type(param) => &param.ident,
                GenericParam::Const(param) => &param.ident,
                GenericParam::Lifetime(_) => return false,
            };
            self.listed.iter().any(|one| one.ident == *ident)
        };
        let params = generics.params.into_iter();
        generics.params = params.filter(|param| !is_listed(param)).collect();
        generics
    }

    /// Each instance with its name, and a function that replaces the parameters in tokens.
    pub(crate) fn each<T>(
        &self,
        generic: &Generic,
        mut made: impl FnMut(Ident, &Replacing<'_>) -> T,
    ) -> Vec<(T, Rc<Instance>)> {
        let name = &self.family.ident;
        let instance = |arguments: &Vec<Argument>| {
            let by = self.listed.iter().zip(arguments);
            let by = by.map(|(one, argument)| (ptx_name(&one.ident), argument.clone()));
            let by: SortedMap<String, Argument> = by.collect();
            let names = arguments.iter().map(|argument| argument.name.as_str());
            let of_module = names.clone().take(generic.of_module).map(str::to_owned).collect();
            let symbol = symbol(name, names).unwrap_or_else(|| name.clone());
            let written = RefCell::new(vec![(symbol.to_string(), ptx_name(name))]);
            let hidden = SortedSet::new();
            let replacing = Replacing { by: &by, generic, of_module, written, hidden };
            let made = made(symbol, &replacing);
            let instance = Instance {
                family: self.family.clone(),
                arguments: arguments.clone(),
                written: replacing.written.into_inner(),
            };
            (made, Rc::new(instance))
        };
        self.all.iter().map(instance).collect()
    }
}

/// Writes each generic item once for each of its instances, and the names of instances where bodies name them.
///
/// The items are those of a module with this list, if it has one, which they have inherited.
pub(super) fn instances(
    items: Vec<RustItem>,
    of_module: Option<&OfModule>,
    errors: &mut Errors,
) -> Vec<Instantiated> {
    if let Some(of_module) = of_module {
        of_module.refuse_names(&items, errors);
    }
    let names = items.iter().filter_map(|item| {
        let (name, list) = generic_item(item)?;
        let kind = match item {
            RustItem::Fn(_) => GenericItem::Function,
            _ => GenericItem::Variable,
        };
        Some((ptx_name(&name), kind(count(list))))
    });
    let mut generic =
        Generic { names: names.collect(), of_module: of_module.map_or(0, OfModule::count) };
    let of_rust = of_module.map(|of_module| of_module.names_of_rust(&items)).unwrap_or_default();
    generic.names.extend(items.iter().filter_map(|item| {
        let name = ptx_name(name_of_rust(item)?);
        of_rust.contains(&name).then(|| (name, kind_of_rust(item)))
    }));
    if generic.names.is_empty() {
        return items.into_iter().map(|item| (item, None)).collect();
    }
    let none = SortedMap::new();
    let plain = Replacing {
        by: &none,
        generic: &generic,
        of_module: Vec::new(),
        written: RefCell::default(),
        hidden: SortedSet::new(),
    };
    let mut out = Vec::new();
    for item in items {
        if let Some((_, list)) = generic_item(&item) {
            if of_module.is_some_and(|of| of.refuse_ours(list, errors)) {
                continue;
            }
            out.extend(match item {
                RustItem::Fn(item) => of_function(item, &generic, errors),
                other => of_variable(other.to_token_stream(), &generic, errors),
            });
            continue;
        }
        match item {
            RustItem::Fn(item) if item.attrs.iter().any(|attr| word(attr).is_some()) => {
                let tokens = plain.in_function(&item);
                let item = syn::parse2(tokens).unwrap_or(item);
                out.push((RustItem::Fn(item), None));
            }
            // An initial value may name instances.
            RustItem::Static(item) if item.attrs.iter().any(|attr| word(attr).is_some()) => {
                let tokens = plain.in_variable(item.to_token_stream());
                let item = syn::parse2(tokens).unwrap_or(RustItem::Static(item));
                out.push((item, None));
            }
            other => match of_module.filter(|of_module| of_module.is_of(&other, &of_rust)) {
                Some(of_module) => out.extend(of_rust_item(&other, of_module, &generic, errors)),
                None => out.push((other, None)),
            },
        }
    }
    out
}

/// The instances of a Rust item that names a parameter of its module.
fn of_rust_item(
    item: &RustItem,
    of_module: &OfModule,
    generic: &Generic,
    errors: &mut Errors,
) -> Vec<Instantiated> {
    let before = errors.len();
    of_module.refuse(item, generic, errors);
    // It would be there several times.
    if errors.len() > before && matches!(item, RustItem::Impl(_)) {
        return Vec::new();
    }
    // An `impl` and `const _` have no name.
    let name = name_of_rust(item).cloned();
    let family = name.clone().unwrap_or_else(|| Ident::new("_", Span::call_site()));
    let (list, allow) = (of_module.list.clone(), of_arguments());
    let Some(listing) = Listing::parse(list, &family, None, errors) else { return Vec::new() };
    let instances = listing.each(generic, |symbol, replacing| {
        let mut item = item.clone();
        if name.is_some() {
            rename(&mut item, symbol);
        }
        let tokens = replacing.in_rust(item.to_token_stream());
        // What one instance does not use, another may.
        let tokens = quote::quote! {
            #[allow(dead_code, non_upper_case_globals, non_camel_case_types)]
            #allow
            #tokens
        };
        syn::parse2(tokens.clone()).unwrap_or(RustItem::Verbatim(tokens))
    });
    instances.into_iter().map(|(item, instance)| (item, Some(instance))).collect()
}

/// The name of an item with a `for(..)`.
pub(super) fn generic_name(item: &RustItem) -> Option<Ident> {
    generic_item(item).map(|(name, _)| name)
}

/// The name of an item with a `for(..)`, and what is in that.
fn generic_item(item: &RustItem) -> Option<(Ident, TokenStream)> {
    let list = |attrs: &[Attribute]| attrs.iter().find_map(|attr| Some(list_of(attr)?.1));
    match item {
        RustItem::Fn(item) => Some((item.sig.ident.clone(), list(&item.attrs)?)),
        RustItem::Static(item) => Some((item.ident.clone(), list(&item.attrs)?)),
        // A variable without a value.
        RustItem::Verbatim(tokens) if has_name(tokens.clone(), "for") => {
            let (attrs, rest) = attributes_and_rest(tokens.clone())?;
            let list = list(&attrs)?;
            Some((name_of_static(&rest)?, list))
        }
        _ => None,
    }
}

/// What is right to write with a parameter may look odd with an argument: `1 * size`.
fn of_arguments() -> Attribute {
    syn::parse_quote!(#[allow(clippy::all, clippy::pedantic)])
}

/// The name after `static`.
fn name_of_static(tokens: &[TokenTree]) -> Option<Ident> {
    let is_static = |token: &TokenTree| matches!(token, TokenTree::Ident(word) if word == "static");
    match tokens.get(tokens.iter().position(is_static)? + 1)? {
        TokenTree::Ident(name) => Some(name.clone()),
        _ => None,
    }
}

/// The instances of a kernel or a device function.
fn of_function(mut item: ItemFn, generic: &Generic, errors: &mut Errors) -> Vec<Instantiated> {
    let found = item.attrs.iter().enumerate().find_map(|(n, attr)| Some((n, list_of(attr)?)));
    let Some((n, (at, list))) = found else { return Vec::new() };
    let name = item.sig.ident.clone();
    let travels = travelling(&item.attrs[n], &ptx_name(&name), &item.vis, &item.sig);
    let travels = travels.filter(|_| word(&item.attrs[n]).is_some_and(|word| word == "device"));
    let Some(listing) = Listing::parse(list, &name, travels, errors) else { return Vec::new() };
    if refuse_export_name(&item.attrs, &name, errors) {
        return Vec::new();
    }
    remove_list(&mut item.attrs[n], at);
    item.sig.generics = listing.without_listed(core::mem::take(&mut item.sig.generics));
    let parameters: Vec<String> = listing.listed.iter().map(|one| ptx_name(&one.ident)).collect();
    Hidden { parameters: &parameters, generic }.refuse_in(&item, errors);
    let instances = listing.each(generic, |symbol, replacing| {
        let tokens = replacing.in_function(&item);
        let mut item = syn::parse2(tokens).unwrap_or(item.clone());
        item.sig.ident = symbol;
        item.attrs.push(of_arguments());
        RustItem::Fn(item)
    });
    instances.into_iter().map(|(item, instance)| (item, Some(instance))).collect()
}

/// The instances of a variable.
fn of_variable(tokens: TokenStream, generic: &Generic, errors: &mut Errors) -> Vec<Instantiated> {
    let Some((mut attrs, rest)) = attributes_and_rest(tokens) else { return Vec::new() };
    let found = attrs.iter().enumerate().find_map(|(n, attr)| Some((n, list_of(attr)?)));
    let (Some((n, (at, list))), Some(name)) = (found, name_of_static(&rest)) else {
        return Vec::new();
    };
    let Some(listing) = Listing::parse(list, &name, None, errors) else { return Vec::new() };
    if refuse_export_name(&attrs, &name, errors) {
        return Vec::new();
    }
    remove_list(&mut attrs[n], at);
    attrs.push(syn::parse_quote!(#[allow(non_upper_case_globals)]));
    attrs.push(of_arguments());
    let instances = listing.each(generic, |symbol, replacing| {
        let is_name = |token: &TokenTree| matches!(token, TokenTree::Ident(word) if *word == name);
        let mut rest = rest.clone();
        if let Some(at) = rest.iter().position(is_name) {
            rest[at] = symbol.into();
        }
        let tokens = replacing.in_variable(quote::quote!(#(#attrs)* #(#rest)*));
        syn::parse2(tokens.clone()).unwrap_or(RustItem::Verbatim(tokens))
    });
    instances.into_iter().map(|(item, instance)| (item, Some(instance))).collect()
}

/// Reports a name in PTX for an item that has a name for each instance. Returns whether there is one.
fn refuse_export_name(attrs: &[Attribute], name: &Ident, errors: &mut Errors) -> bool {
    let Some(attr) = attrs.iter().find(|attr| is_export_name(attr)) else { return false };
    errors.on(
        attr,
        format_args!(
            "each instance of `{name}` has a symbol of its own, made of its arguments; remove this"
        ),
    );
    true
}

pub(super) fn is_export_name(attr: &Attribute) -> bool {
    match &attr.meta {
        Meta::NameValue(pair) => pair.path.is_ident("export_name"),
        Meta::List(list) => {
            let first = list.tokens.clone().into_iter().next();
            list.path.is_ident("unsafe")
                && matches!(first, Some(TokenTree::Ident(word)) if word == "export_name")
        }
        Meta::Path(_) => false,
    }
}
