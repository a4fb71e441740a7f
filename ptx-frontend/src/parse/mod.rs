//! Parses tokens to the AST.

mod fragment;
mod function;
mod generic_module;
mod hidden;
mod instances;
mod listed;
mod marker;
mod outside;
mod param;
mod replacing;
mod scope;
mod separate;
mod targets;
mod travelling;
mod ty;

use std::rc::Rc;

use proc_macro2::{Span, TokenStream};
use ptx_isa::Space;
use quote::ToTokens;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Expr, Ident, Item as RustItem, ItemMod, ItemStatic, Token, Type, Visibility};

pub(crate) use self::fragment::{ParsedFragment, is_fragment, parse_fragment};
use self::function::{Prototype, export_name, linkage_of, parse_declaration, parse_fn};
use self::generic_module::OfModule;
pub(crate) use self::instances::Listing;
use self::instances::{Instantiated, generic_name, instances, is_export_name};
pub(crate) use self::listed::{list_in, without_list};
use self::marker::{On, correct, take_ours, word};
use self::outside::outside_items;
pub(crate) use self::outside::parse_outside;
pub(crate) use self::replacing::Generic;
use self::scope::Scope;
use self::separate::with_arguments;
use self::targets::for_target;
pub(crate) use self::targets::from_inside;
pub(crate) use self::ty::refuse_type;
use crate::address::InitialPart;
use crate::args::{module_args, variable_args};
use crate::ast::{Item, Module, Variable};
use crate::body::Fragments;
use crate::errors::Errors;
use crate::instance::Instance;
use crate::name::ptx_name;
use crate::tiles::Tiles;

/// The attributes that make an item part of the PTX module.
const STORAGE: &[(&str, Space)] =
    &[("global", Space::Global), ("constant", Space::Const), ("shared", Space::Shared)];

/// Parses a module without checking any rule.
pub fn parse_module(args: TokenStream, item: TokenStream, errors: &mut Errors) -> Option<Module> {
    parse_with(args, item, With::default(), errors)
}

/// What a module is parsed with.
#[derive(Default)]
pub(crate) struct With {
    /// The fragments that its bodies may use.
    pub(crate) fragments: Fragments,
    /// Whether it is made to check a fragment where it is written.
    pub(crate) is_definition: bool,
    /// Which of its targets it is parsed for, from 0.
    pub(crate) target: usize,
}

/// Parses a module with this.
pub(crate) fn parse_with(
    args: TokenStream,
    item: TokenStream,
    With { mut fragments, is_definition, target }: With,
    errors: &mut Errors,
) -> Option<Module> {
    let (args, of_module) = match list_in(&args) {
        Some((at, list)) => (without_list(&args, at), Some(OfModule::parse(list, errors)?)),
        None => (args, None),
    };
    let mut args = module_args(args, errors);
    if let Some((target, _)) = args.targets.get(target) {
        args.target = Some(*target);
    }
    let ItemMod { attrs, vis, ident, content, semi, .. } = match syn::parse2(item) {
        Ok(item) => item,
        Err(error) => {
            errors.push(error);
            return None;
        }
    };
    if !args.has_target {
        errors.on(
            &ident,
            format_args!("`{ident}` needs a target; write `#[ptx::module(target = sm_90a)]`"),
        );
    }
    let Some((braces, items)) = content else {
        errors.on(
            semi,
            "a macro cannot see into another file; write the module's body here, in braces",
        );
        return None;
    };
    let items = for_target(items, &args, errors);
    let items = match &of_module {
        Some(of_module) => items.into_iter().map(|item| of_module.inherited(item)).collect(),
        None => items,
    };
    note_fragments(&items, &mut fragments);
    let fragments = Rc::new(fragments);
    let scope = Scope { fragments: fragments.clone(), is_definition, ..Scope::default() };
    let items = instances(items, of_module.as_ref(), errors);
    let scope = scope.with(items.iter().map(|(item, _)| item));
    let scope = Scope { tiles: Rc::new(tiles_of(&items)), ..scope };
    let mut parsed: Vec<Item> = Vec::new();
    for (item, instance) in items {
        let around = errors.enter(instance.clone());
        let item = parse_item(item, &scope, errors);
        errors.leave(around);
        parsed.extend(item.map(|item| of_instance(item, instance)));
    }
    let (outside, own_by_path) = outside_items(&fragments);
    parsed.extend(outside);
    let mut items = parsed;
    refuse_module(&mut items, errors);
    let may_deprecate = items.iter().any(may_deprecate);
    let end = braces.span.close();
    let (variables, functions) = (Vec::new(), Vec::new());
    let refused = false;
    Some(Module {
        args,
        attrs,
        vis,
        ident,
        items,
        variables,
        functions,
        may_deprecate,
        end,
        refused,
        wanted: fragments.wanted(),
        own_by_path,
        is_inside: false,
    })
}

/// The tiles of a module. Most modules have none, and no more of their variables is read here.
fn tiles_of(items: &[Instantiated]) -> Tiles {
    let items = || items.iter().map(|(item, _)| item);
    if !Tiles::are_in(items()) {
        return Tiles::default();
    }
    let variables = items().filter_map(|item| match item {
        RustItem::Static(item) => Some((ptx_name(&item.ident), (*item.ty).clone())),
        RustItem::Verbatim(tokens) => {
            let item = syn::parse2::<StaticItem>(tokens.clone()).ok()?;
            Some((ptx_name(&item.ident), item.ty))
        }
        _ => None,
    });
    Tiles::of(items(), variables)
}

/// Notes the fragments that a module declares, and the names that it imports, which may be others.
fn note_fragments(items: &[RustItem], fragments: &mut Fragments) {
    let has = |attrs: &[Attribute], kind: &str| {
        attrs.iter().any(|attr| word(attr).is_some_and(|word| word == kind))
    };
    for item in items {
        // Its instances have names of their own.
        let is_generic = generic_name(item).is_some();
        match item {
            RustItem::Use(item) => fragments.note_import(&item.tree),
            RustItem::Static(item)
                if !is_generic && item.attrs.iter().any(|it| word(it).is_some()) =>
            {
                fragments.note_declared(&item.ident, false);
            }
            RustItem::Verbatim(tokens) if fragments.has_functions() && !is_generic => {
                // A variable without a value.
                if let Ok(item) = syn::parse2::<StaticItem>(tokens.clone()) {
                    fragments.note_declared(&item.ident, false);
                }
            }
            RustItem::Fn(item) => {
                let is_device = has(&item.attrs, "device");
                let is_renamed = item.attrs.iter().any(is_export_name);
                if !is_generic && (is_device || has(&item.attrs, "kernel")) {
                    fragments.note_declared(&item.sig.ident, is_device && !is_renamed);
                }
                let Some(attr) = item.attrs.iter().find(|attr| is_fragment(attr)) else { continue };
                let args = match &attr.meta {
                    syn::Meta::List(list) => list.tokens.clone(),
                    _ => TokenStream::new(),
                };
                // What is wrong with it is reported where its attribute is expanded.
                let unreported = &mut Errors::default();
                let parsed = parse_fragment(args, item.clone(), Fragments::default(), unreported);
                let fragment = parsed.map(|parsed| parsed.fragment.local());
                fragments.insert(&item.sig.ident.to_token_stream(), fragment);
            }
            _ => {}
        }
    }
}

/// An item that is an instance of a generic one.
fn of_instance(mut item: Item, instance: Option<Rc<Instance>>) -> Item {
    match &mut item {
        Item::Function(function) => function.instance = instance,
        Item::Variable(variable) => variable.instance = instance,
        Item::Rust(_) => {}
    }
    item
}

/// Whether the user may have marked an item as deprecated.
fn may_deprecate(item: &Item) -> bool {
    let attrs = match item {
        Item::Variable(item) => &item.attrs,
        Item::Function(item) => &item.attrs,
        Item::Rust(_) => return false,
    };
    let is_it =
        |attr: &Attribute| attr.path().is_ident("deprecated") || attr.path().is_ident("cfg_attr");
    attrs.iter().any(is_it)
}

/// Reports items named `MODULE`, which is the name of the generated module constant, and removes them.
fn refuse_module(items: &mut Vec<Item>, errors: &mut Errors) {
    items.retain(|item| {
        let ident = match item {
            Item::Variable(item) => &item.ident,
            Item::Function(item) => &item.ident,
            Item::Rust(item) => match &**item {
                RustItem::Const(item) => &item.ident,
                RustItem::Static(item) => &item.ident,
                RustItem::Fn(item) => &item.sig.ident,
                _ => return true,
            },
        };
        if ident == "MODULE" {
            errors.on(ident, "`MODULE` is the module itself here; choose another name");
        }
        ident != "MODULE"
    });
}

fn parse_item(item: RustItem, scope: &Scope, errors: &mut Errors) -> Option<Item> {
    match item {
        RustItem::Static(item) => match parse_static(StaticItem::from(item), errors) {
            Ok(variable) => variable.map(|variable| Item::Variable(Box::new(variable))),
            Err(item) => Some(Item::Rust(Box::new(RustItem::Verbatim(quote::quote!(#item))))),
        },
        RustItem::Fn(item) if item.attrs.iter().any(is_fragment) => {
            Some(Item::Rust(Box::new(RustItem::Fn(item))))
        }
        RustItem::Fn(item) => parse_fn(item, scope, errors),
        RustItem::Verbatim(tokens) => parse_verbatim(tokens, scope, errors),
        RustItem::Const(mut item) => {
            let (ours, attrs) = take_ours(core::mem::take(&mut item.attrs), errors);
            item.attrs = attrs;
            if let Some((word, attr)) = ours {
                errors.on(
                    attr,
                    format_args!(
                        "a `const` has no address; write `#[{word}] static {}`",
                        item.ident
                    ),
                );
            }
            Some(Item::Rust(Box::new(RustItem::Const(item))))
        }
        RustItem::Impl(mut item) => {
            refuse_methods(&mut item, errors);
            Some(Item::Rust(Box::new(RustItem::Impl(item))))
        }
        RustItem::Mod(mut item) => {
            refuse_nested(&mut item, errors);
            Some(Item::Rust(Box::new(RustItem::Mod(item))))
        }
        other => Some(Item::Rust(Box::new(other))),
    }
}

/// Parses the items that are not valid Rust: `static X: T;` and `fn f(..);`.
fn parse_verbatim(tokens: TokenStream, scope: &Scope, errors: &mut Errors) -> Option<Item> {
    if let Ok(item) = syn::parse2::<StaticItem>(tokens.clone()) {
        return match parse_static(item, errors) {
            Ok(variable) => variable.map(|variable| Item::Variable(Box::new(variable))),
            Err(item) => {
                errors.on(&item.ident, format_args!("`{}` has no value and no state space; write `#[global]`, `#[constant]` or `#[shared]` above it", item.ident));
                None
            }
        };
    }
    if let Ok(item) = syn::parse2::<Prototype>(tokens.clone()) {
        return parse_declaration(item, scope, errors);
    }
    // rustc reports that the type is missing.
    if syn::parse::Parser::parse2(without_type, tokens.clone()).is_ok() {
        return None;
    }
    Some(Item::Rust(Box::new(RustItem::Verbatim(tokens))))
}

/// Parses a variable of ours without its type: `#[global] static X = 5;`.
fn without_type(input: ParseStream<'_>) -> syn::Result<()> {
    let attrs = input.call(Attribute::parse_outer)?;
    input.parse::<Visibility>()?;
    input.parse::<Token![static]>()?;
    input.parse::<Ident>()?;
    let is_ours = attrs.iter().any(|attr| word(attr).is_some());
    if !is_ours || !input.peek(Token![=]) && !input.peek(Token![;]) {
        return Err(input.error("a type"));
    }
    input.parse::<TokenStream>()?;
    Ok(())
}

/// A `static` with or without a value.
struct StaticItem {
    attrs: Vec<Attribute>,
    vis: Visibility,
    mutability: Option<Token![mut]>,
    ident: Ident,
    ty: Type,
    value: Option<Expr>,
    end: Span,
    tokens: Option<ItemStatic>,
}

impl From<ItemStatic> for StaticItem {
    fn from(item: ItemStatic) -> Self {
        let tokens = Some(item.clone());
        let ItemStatic { attrs, vis, mutability, ident, ty, expr, semi_token, .. } = item;
        let mutability = match mutability {
            syn::StaticMutability::Mut(token) => Some(token),
            _ => None,
        };
        let end = semi_token.span;
        Self { attrs, vis, mutability, ident, ty: *ty, value: Some(*expr), end, tokens }
    }
}

impl ToTokens for StaticItem {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.tokens.to_tokens(tokens);
    }
}

impl Parse for StaticItem {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        let vis = input.parse()?;
        input.parse::<Token![static]>()?;
        let mutability = input.parse()?;
        let ident = input.parse()?;
        input.parse::<Token![:]>()?;
        let ty = input.parse()?;
        let value = if input.peek(Token![=]) {
            input.parse::<Token![=]>()?;
            Some(input.parse()?)
        } else {
            None
        };
        let end = input.parse::<Token![;]>()?.span;
        Ok(Self { attrs, vis, mutability, ident, ty, value, end, tokens: None })
    }
}

/// Parses a variable; an ordinary Rust static is returned unchanged.
fn parse_static(
    mut item: StaticItem,
    errors: &mut Errors,
) -> Result<Option<Variable>, Box<StaticItem>> {
    if refuse_of_bodies(&item, errors) {
        return Ok(None);
    }
    correct(&mut item.attrs, On::Variable, errors);
    if !item.attrs.iter().any(|attr| word(attr).is_some()) {
        return Err(Box::new(item));
    }
    let (ours, attrs) = take_ours(core::mem::take(&mut item.attrs), errors);
    let Some((word, attr)) = ours else {
        return Err(Box::new(item));
    };
    if word == "tex" {
        errors.on(&attr, format_args!("`.tex` was removed in PTX 1.5: write `#[global] static {}: TexRef;`, which is `.global .texref` (PTX ISA 5.1.8)", item.ident));
        return Ok(None);
    }
    let Some((_, space)) = STORAGE.iter().find(|(name, _)| *name == word) else {
        errors.on(
            &attr,
            format_args!(
                "`#[{word}]` declares a function; storage is `#[global]`, `#[constant]` or `#[shared]`"
            ),
        );
        return Ok(None);
    };
    if let Some(token) = item.mutability {
        errors.on(token, "the handle of a variable never changes, whatever kernels do to the memory; remove `mut`");
    }
    let attrs = without_representation(attrs, &word, errors);
    let refused = refuse_type(&mut item.ty, errors);
    let (attr, attrs) = with_arguments(&word, attr, attrs, errors);
    let (name, attrs) = export_name(attrs, &item.ident, errors);
    let args = variable_args(&attr, *space == Space::Shared, errors);
    let linkage = linkage_of(args.linkage, &item.vis);
    let mut value = item.value.filter(|_| !refused);
    let (mut addresses, mut is_linked, before) = (Vec::new(), false, errors.len());
    if let Some(value) = &value {
        let found = |found| {
            is_linked = true;
            match found {
                InitialPart::Address(address) => {
                    addresses.push(address);
                    syn::parse_quote!(0)
                }
                InitialPart::Masked(..) => syn::parse_quote!(0),
                InitialPart::Malformed(expr) => {
                    errors.on(expr, "an address is `addr(X)` or `generic(X)`, where `X` is a variable or function of the module, plus an offset in bytes, as in `generic(X) + 8`; one byte of it is `mask(0xff, addr(X))` (PTX ISA 5.4.4)");
                    syn::parse_quote!(0)
                }
                InitialPart::Changed(expr) => {
                    errors.on(expr, "an address is only known when the module is loaded, so only an offset can be added to it; write `addr(X) + 8`, or one byte of it as `mask(0xff, addr(X))` [D039, PTX ISA 5.4.4]");
                    syn::parse_quote!(0)
                }
            }
        };
        crate::address::replace(&mut value.clone(), found);
    }
    if errors.len() > before {
        value = None;
    }
    Ok(Some(Variable {
        attrs,
        vis: item.vis,
        ident: item.ident,
        name,
        space: *space,
        linkage,
        managed: args.managed,
        unified: args.unified,
        linkage_span: args.linkage_span,
        align: args.align,
        allow: args.allow,
        ty: item.ty,
        value,
        exact: args.exact,
        addresses,
        is_linked,
        assumption: None,
        bytes: None,
        end: item.end,
        refused,
        instance: None,
    }))
}

/// Reports an attribute that is named after a state space that only bodies have. Returns whether there was one.
fn refuse_of_bodies(item: &StaticItem, errors: &mut Errors) -> bool {
    let is_of_bodies =
        |attr: &&Attribute| ["local", "reg", "param"].iter().any(|it| attr.path().is_ident(it));
    let Some(attr) = item.attrs.iter().find(is_of_bodies) else { return false };
    let (space, name) = (attr.path().to_token_stream(), &item.ident);
    errors.on(
        attr.path(),
        format_args!("a module has no `.{space}` variables; declare `{name}` in the body that uses it, as in `.{space} .b32 x;`"),
    );
    true
}

/// Reports a representation of a variable, which can only be an alignment, and removes it.
fn without_representation(
    attrs: Vec<Attribute>,
    word: &str,
    errors: &mut Errors,
) -> Vec<Attribute> {
    let (alignments, others): (Vec<_>, Vec<_>) =
        attrs.into_iter().partition(|attr| attr.path().is_ident("repr"));
    for attr in alignments {
        errors.on(
            &attr,
            format_args!(
                "the alignment of a variable is an argument: write `#[{word}(align = 16)]`"
            ),
        );
    }
    others
}

/// Reports storage and kernels in a nested module, since PTX has a flat namespace, and removes them.
fn refuse_nested(module: &mut ItemMod, errors: &mut Errors) {
    let Some((_, items)) = &mut module.content else { return };
    let name = &module.ident;
    items.retain_mut(|item| {
        let attrs = match item {
            RustItem::Static(item) => item.attrs.clone(),
            RustItem::Fn(item) => item.attrs.clone(),
            RustItem::Verbatim(tokens) => attributes(tokens),
            RustItem::Mod(inner) => {
                refuse_nested(inner, errors);
                return true;
            }
            _ => return true,
        };
        let ours = attrs.iter().find(|attr| word(attr).is_some());
        if let Some(attr) = ours {
            errors.on(
                attr,
                format_args!(
                    "a PTX module has no modules inside it; move this out of `mod {name}`"
                ),
            );
        }
        ours.is_none()
    });
}

/// Reports kernels and device functions in an `impl`, since PTX has no methods, and removes them.
fn refuse_methods(item: &mut syn::ItemImpl, errors: &mut Errors) {
    item.items.retain(|item| {
        let attrs = match item {
            syn::ImplItem::Fn(item) => item.attrs.as_slice(),
            _ => &[],
        };
        let ours = attrs.iter().find_map(|attr| Some((attr, word(attr)?)));
        if let Some((attr, word)) = &ours {
            errors.on(
                attr,
                format_args!(
                    "PTX has no methods; move this `#[{word}]` function out of the `impl`"
                ),
            );
        }
        ours.is_none()
    });
}

fn attributes(tokens: &TokenStream) -> Vec<Attribute> {
    let parse = |input: ParseStream<'_>| {
        let attrs = input.call(Attribute::parse_outer)?;
        input.parse::<TokenStream>()?;
        Ok(attrs)
    };
    syn::parse::Parser::parse2(parse, tokens.clone()).unwrap_or_default()
}
