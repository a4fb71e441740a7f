//! Generic modules: `#[ptx::module(for(T in [f32, f16]))]` is a `for(..)` of each of its items.

use proc_macro2::{Ident, TokenStream, TokenTree};
use ptx_isa::sorted::SortedSet;
use quote::{ToTokens, quote};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Attribute, GenericParam, Generics, Item as RustItem, Meta, Token};

use super::fragment::is_fragment;
use super::listed::{Listed, attributes_and_rest, list_in};
use super::marker::word;
use crate::errors::Errors;
use crate::name::ptx_name;

/// The list of a generic module.
pub(super) struct OfModule {
    /// What is in its `for(..)`.
    pub(super) list: TokenStream,
    /// Its parameters.
    parameters: Vec<String>,
}

impl OfModule {
    /// Reads the list, and reports what is wrong with it once for all items.
    pub(super) fn parse(list: TokenStream, errors: &mut Errors) -> Option<Self> {
        let parse = Punctuated::<Listed, Token![,]>::parse_terminated;
        match parse.parse2(list.clone()) {
            Ok(listed) => {
                let parameters = listed.iter().map(|one| ptx_name(&one.ident)).collect();
                Some(Self { list, parameters })
            }
            Err(error) => {
                errors.push(error);
                None
            }
        }
    }

    /// The number of its parameters.
    pub(super) fn count(&self) -> usize {
        self.parameters.len()
    }

    /// The item with this list before its own: a kernel, a function that is defined here, or a variable.
    pub(super) fn inherited(&self, item: RustItem) -> RustItem {
        match item {
            RustItem::Fn(mut item) => {
                self.inherit(&mut item.attrs);
                RustItem::Fn(item)
            }
            RustItem::Static(mut item) => {
                self.inherit(&mut item.attrs);
                RustItem::Static(item)
            }
            // A variable without a value, or a function that is defined elsewhere.
            RustItem::Verbatim(tokens) => {
                let parsed = attributes_and_rest(tokens.clone());
                let Some((mut attrs, rest)) = parsed else { return RustItem::Verbatim(tokens) };
                self.inherit(&mut attrs);
                RustItem::Verbatim(quote!(#(#attrs)* #(#rest)*))
            }
            other => other,
        }
    }

    fn inherit(&self, attrs: &mut [Attribute]) {
        let Some(attr) = attrs.iter_mut().find(|attr| word(attr).is_some()) else { return };
        let list = &self.list;
        let (path, arguments) = match &attr.meta {
            Meta::Path(path) => (path.clone(), TokenStream::new()),
            Meta::List(list) => (list.path.clone(), list.tokens.clone()),
            Meta::NameValue(_) => return,
        };
        let is_extern = |token| matches!(token, TokenTree::Ident(word) if word == "extern");
        if arguments.clone().into_iter().any(is_extern) {
            return;
        }
        let arguments = match list_in(&arguments) {
            Some((at, own)) => {
                let mut arguments: Vec<TokenTree> = arguments.into_iter().collect();
                arguments.splice(at..at + 2, quote!(for(#list, #own)));
                quote!(#(#arguments)*)
            }
            None => quote!(for(#list), #arguments),
        };
        attr.meta = syn::parse_quote!(#path(#arguments));
    }

    /// The names of the Rust items that have instances, since they name a parameter, or such an item.
    pub(super) fn names_of_rust(&self, items: &[RustItem]) -> SortedSet<String> {
        let mut names = SortedSet::new();
        loop {
            let before = names.len();
            let of = items.iter().filter(|item| self.is_of(item, &names));
            let of =
                of.filter_map(|item| name_of_rust(&mut item.clone()).map(|name| ptx_name(name)));
            let of: Vec<String> = of.collect();
            names.extend(of);
            if names.len() == before {
                return names;
            }
        }
    }

    /// A parameter of a Rust item with the name of one of the module's.
    pub(super) fn shadowed_by<'i>(&self, item: &'i RustItem) -> Option<&'i Ident> {
        own_parameters(item).find(|own| self.parameters.contains(&ptx_name(own)))
    }

    /// Whether a Rust item names a parameter, or one of these items.
    pub(super) fn is_of(&self, item: &RustItem, names: &SortedSet<String>) -> bool {
        let attrs = match item {
            RustItem::Const(item) => &item.attrs,
            RustItem::Enum(item) => &item.attrs,
            RustItem::Fn(item) => &item.attrs,
            RustItem::Impl(item) => &item.attrs,
            RustItem::Static(item) => &item.attrs,
            RustItem::Struct(item) => &item.attrs,
            RustItem::Trait(item) => &item.attrs,
            RustItem::Type(item) => &item.attrs,
            RustItem::Union(item) => &item.attrs,
            _ => return false,
        };
        let is_ours = |attr: &Attribute| word(attr).is_some() || is_fragment(attr);
        if attrs.iter().any(is_ours) {
            return false;
        }
        let own: Vec<String> = own_parameters(item).map(ptx_name).collect();
        let parameters = self.parameters.iter().filter(|name| !own.contains(name));
        let mut wanted: SortedSet<String> = parameters.cloned().collect();
        wanted.extend(names.iter().cloned());
        mentions(item.to_token_stream(), &wanted)
    }
}

/// The types and constants over which a Rust item is generic itself.
fn own_parameters(item: &RustItem) -> impl Iterator<Item = &Ident> {
    let params = generics(item).into_iter().flat_map(|generics| &generics.params);
    params.filter_map(|param| match param {
        GenericParam::Type(param) => Some(&param.ident),
        GenericParam::Const(param) => Some(&param.ident),
        GenericParam::Lifetime(_) => None,
    })
}

/// The generic parameters of a Rust item.
fn generics(item: &RustItem) -> Option<&Generics> {
    match item {
        RustItem::Enum(item) => Some(&item.generics),
        RustItem::Fn(item) => Some(&item.sig.generics),
        RustItem::Impl(item) => Some(&item.generics),
        RustItem::Struct(item) => Some(&item.generics),
        RustItem::Trait(item) => Some(&item.generics),
        RustItem::Type(item) => Some(&item.generics),
        RustItem::Union(item) => Some(&item.generics),
        _ => None,
    }
}

/// The name that a Rust item declares.
pub(super) fn name_of_rust(item: &mut RustItem) -> Option<&mut Ident> {
    match item {
        RustItem::Const(item) => Some(&mut item.ident),
        RustItem::Enum(item) => Some(&mut item.ident),
        RustItem::Fn(item) => Some(&mut item.sig.ident),
        RustItem::Static(item) => Some(&mut item.ident),
        RustItem::Struct(item) => Some(&mut item.ident),
        RustItem::Trait(item) => Some(&mut item.ident),
        RustItem::Type(item) => Some(&mut item.ident),
        RustItem::Union(item) => Some(&mut item.ident),
        _ => None,
    }
}

/// Whether tokens name one of these.
fn mentions(tokens: TokenStream, names: &SortedSet<String>) -> bool {
    let (mut before, mut is_range) = (' ', false);
    tokens.into_iter().any(|token| {
        let found = match &token {
            TokenTree::Ident(ident) => {
                (before != '.' || is_range) && names.contains(&ptx_name(ident))
            }
            TokenTree::Group(group) => mentions(group.stream(), names),
            TokenTree::Punct(_) | TokenTree::Literal(_) => false,
        };
        let sign = match token {
            TokenTree::Punct(punct) => punct.as_char(),
            _ => ' ',
        };
        (is_range, before) = (before == '.' && sign == '.', sign);
        found
    })
}
