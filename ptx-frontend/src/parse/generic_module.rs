//! Generic modules: `#[ptx::module(for(T in [f32, f16]))]` is a `for(..)` of each of its items.

use proc_macro2::{Ident, TokenStream, TokenTree};
use ptx_isa::sorted::SortedSet;
use quote::{ToTokens, quote};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Attribute, GenericParam, Generics, ImplItem, Item as RustItem, Meta, Token};

use super::fragment::is_fragment;
use super::hidden::{Hidden, refuse_parameter};
use super::listed::{Listed, attributes_and_rest, check_list, list_in};
use super::marker::word;
use super::replacing::{Generic, GenericItem, is_alone};
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
        let listed = match parse.parse2(list.clone()) {
            Ok(listed) => listed,
            Err(error) => {
                errors.push(error);
                return None;
            }
        };
        let listed: Vec<Listed> = listed.into_iter().collect();
        // An item's own list follows.
        let mut list: Vec<TokenTree> = list.into_iter().collect();
        list.pop_if(|last| matches!(last, TokenTree::Punct(sign) if sign.as_char() == ','));
        let list = list.into_iter().collect();
        check_list(&listed, "the module", errors)?;
        let parameters = listed.iter().map(|one| ptx_name(&one.ident)).collect();
        Some(Self { list, parameters })
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
            let of: Vec<String> = of.filter_map(name_of_rust).map(ptx_name).collect();
            names.extend(of);
            if names.len() == before {
                return names;
            }
        }
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

    /// Reports the items that are named like a parameter.
    pub(super) fn refuse_names(&self, items: &[RustItem], errors: &mut Errors) {
        let names = items.iter().filter_map(name_of_rust);
        for name in names.filter(|name| self.is_parameter(name)) {
            refuse_parameter(name, errors);
        }
    }

    /// Reports an item that cannot have instances.
    pub(super) fn refuse(&self, item: &RustItem, generic: &Generic, errors: &mut Errors) {
        let before = errors.len();
        if let Some(own) = own_parameters(item).find(|own| self.is_parameter(own)) {
            refuse_parameter(own, errors);
        }
        match item {
            RustItem::Const(_) | RustItem::Fn(_) | RustItem::Struct(_) | RustItem::Type(_) => {}
            RustItem::Impl(item) => {
                let name = match &*item.self_ty {
                    syn::Type::Path(path) => path.path.segments.last().map(|last| &last.ident),
                    _ => None,
                };
                if !name.is_some_and(|name| generic.is_of_rust(&ptx_name(name))) {
                    errors.on(
                        &item.self_ty,
                        "this type is the same in all instances of the module, but its `impl` names a parameter; let the type name one as well, or write the `impl` without",
                    );
                }
            }
            item => errors.on(
                name_of_rust(item),
                "this names a parameter of the module, or an item that does, and only functions, constants, structs with their `impl`s and type aliases have instances; take it out of the module, or give it parameters of its own",
            ),
        }
        if errors.len() == before {
            let tokens = match item {
                RustItem::Impl(item) => item.items.iter().map(of_impl).collect(),
                // Without its name.
                item => item.to_token_stream(),
            };
            let hidden = Hidden { parameters: &self.parameters, generic };
            hidden.refuse(tokens, name_of_rust(item), errors);
        }
    }

    /// Reports an item of ours that lists a parameter of the module again. Returns whether it does.
    pub(super) fn refuse_ours(&self, list: TokenStream, errors: &mut Errors) -> bool {
        let before = errors.len();
        // Its own list comes after that of the module.
        let listed = list.into_iter().filter_map(|token| match token {
            TokenTree::Ident(ident) => Some(ident),
            TokenTree::Group(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => None,
        });
        let listed: Vec<Ident> = listed.collect();
        let twice = listed.iter().enumerate();
        let twice = twice.filter(|(n, name)| listed[..*n].contains(name)).map(|(_, name)| name);
        for name in twice.filter(|name| self.is_parameter(name)) {
            refuse_parameter(name, errors);
        }
        errors.len() > before
    }

    fn is_parameter(&self, name: &Ident) -> bool {
        self.parameters.contains(&ptx_name(name))
    }
}

/// The tokens of an item of an `impl` after its name: a path to it says whose it is.
fn of_impl(item: &ImplItem) -> TokenStream {
    let name = match item {
        ImplItem::Const(item) => &item.ident,
        ImplItem::Fn(item) => &item.sig.ident,
        ImplItem::Type(item) => &item.ident,
        _ => return item.to_token_stream(),
    };
    let mut is_after = false;
    let tokens = item.to_token_stream().into_iter();
    let after = tokens.filter(|token| {
        let was_after = is_after;
        is_after |= matches!(token, TokenTree::Ident(ident) if ident == name);
        was_after
    });
    after.collect()
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
pub(super) fn name_of_rust(item: &RustItem) -> Option<&Ident> {
    let name = match item {
        RustItem::Const(item) => &item.ident,
        RustItem::Enum(item) => &item.ident,
        RustItem::Fn(item) => &item.sig.ident,
        RustItem::Static(item) => &item.ident,
        RustItem::Struct(item) => &item.ident,
        RustItem::Trait(item) => &item.ident,
        RustItem::Type(item) => &item.ident,
        RustItem::Union(item) => &item.ident,
        _ => return None,
    };
    Some(name).filter(|name| *name != "_")
}

/// What the name of a Rust item means where it stands.
pub(super) fn kind_of_rust(item: &RustItem) -> GenericItem {
    match item {
        RustItem::Const(_) | RustItem::Static(_) => GenericItem::Constant,
        RustItem::Fn(_) => GenericItem::Call,
        _ => GenericItem::Type,
    }
}

/// Gives an item that has one another name.
pub(super) fn rename(item: &mut RustItem, name: Ident) {
    match item {
        RustItem::Const(item) => item.ident = name,
        RustItem::Enum(item) => item.ident = name,
        RustItem::Fn(item) => item.sig.ident = name,
        RustItem::Static(item) => item.ident = name,
        RustItem::Struct(item) => item.ident = name,
        RustItem::Trait(item) => item.ident = name,
        RustItem::Union(item) => item.ident = name,
        RustItem::Type(item) => item.ident = name,
        _ => {}
    }
}

/// Whether tokens name one of these: not as a member, nor where they declare one.
fn mentions(tokens: TokenStream, names: &SortedSet<String>) -> bool {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    tokens.iter().enumerate().any(|(n, token)| match token {
        TokenTree::Ident(ident) => {
            let name = ptx_name(ident);
            // A function is called; something else may have its name.
            let is_call =
                matches!(tokens.get(n + 1), Some(TokenTree::Group(_) | TokenTree::Punct(_)));
            let is_function = name.starts_with(char::is_lowercase);
            names.contains(&name) && is_alone(&tokens[..n]) && (is_call || !is_function)
        }
        TokenTree::Group(group) => mentions(group.stream(), names),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}
