//! Generic kernels, functions and variables: one item for each listed instance, `#[kernel(for(T in [f32, f16], N: u32 in
//! [64, 128]))]`.

use std::rc::Rc;

use proc_macro2::{Delimiter, Group, Ident, Literal, Spacing, Span, TokenStream, TokenTree};
use ptx_isa::ScalarType;
use ptx_isa::sorted::{SortedMap, SortedSet};
use quote::ToTokens;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Attribute, GenericParam, Generics, Item as RustItem, ItemFn, Meta, Token};

use super::generic_module::{OfModule, name_of_rust};
use super::listed::{Listed, attributes_and_rest, count, list_of, remove_list};
use super::marker::word;
use super::travelling::travelling;
use crate::errors::Errors;
use crate::instance::{Argument, Family, Instance};
use crate::name::{has_name, ptx_name};
use crate::suffix::suffix;

/// The most instances of one item.
const MOST: usize = 1 << 10;

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
        if let Some(first) = listed.iter().enumerate().find_map(|(n, one)| {
            listed[..n].iter().any(|other| other.ident == one.ident).then_some(&one.ident)
        }) {
            errors.on(first, format_args!("`{first}` is listed twice; remove one"));
            return None;
        }
        for one in &listed {
            let mut names = SortedSet::new();
            if let Some(twice) = one.arguments.iter().find(|it| !names.insert(it.name.clone())) {
                errors.on(
                    &twice.tokens,
                    format_args!("`{}` is listed twice; remove one", twice.text),
                );
                return None;
            }
        }
        let count = listed.iter().map(|one| one.arguments.len()).try_fold(1, usize::checked_mul);
        let Some(count) = count.filter(|count| *count <= MOST) else {
            errors.on(name, format_args!("`{name}` has too many instances; list {MOST} or fewer"));
            return None;
        };
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
        mut made: impl FnMut(Ident, Rc<Instance>, &dyn Fn(TokenStream) -> TokenStream) -> T,
    ) -> Vec<T> {
        let name = &self.family.ident;
        let instance = |arguments: &Vec<Argument>| {
            let by = self.listed.iter().zip(arguments);
            let by = by.map(|(one, argument)| (ptx_name(&one.ident), argument.clone()));
            let by: SortedMap<String, Argument> = by.collect();
            let names = arguments.iter().map(|argument| argument.name.as_str());
            let of_module = names.clone().take(generic.of_module).map(str::to_owned).collect();
            let symbol = symbol(name, names).unwrap_or_else(|| name.clone());
            let replacing = Replacing { by: &by, generic, of_module };
            let instance =
                Rc::new(Instance { family: self.family.clone(), arguments: arguments.clone() });
            made(symbol, instance, &|tokens| replacing.replaced(tokens))
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
    let names = items.iter().filter_map(|item| {
        let (name, list) = generic_item(item)?;
        Some((ptx_name(&name), GenericItem::Ours(count(list))))
    });
    let mut generic =
        Generic { names: names.collect(), of_module: of_module.map_or(0, OfModule::count) };
    let of_rust = of_module.map(|of_module| of_module.names_of_rust(&items)).unwrap_or_default();
    generic.names.extend(of_rust.iter().map(|name| (name.clone(), GenericItem::Rust)));
    if generic.names.is_empty() {
        return items.into_iter().map(|item| (item, None)).collect();
    }
    let none = SortedMap::new();
    let plain = Replacing { by: &none, generic: &generic, of_module: Vec::new() };
    let mut out = Vec::new();
    for item in items {
        match item {
            item if generic_name(&item).is_some() => match item {
                RustItem::Fn(item) => out.extend(of_function(item, &generic, errors)),
                other => out.extend(of_variable(other.to_token_stream(), &generic, errors)),
            },
            RustItem::Fn(item) if item.attrs.iter().any(|attr| word(attr).is_some()) => {
                let tokens = plain.replaced(item.to_token_stream());
                let item = syn::parse2(tokens).unwrap_or(item);
                out.push((RustItem::Fn(item), None));
            }
            // An initial value may name instances.
            RustItem::Static(item) if item.attrs.iter().any(|attr| word(attr).is_some()) => {
                let tokens = plain.replaced(item.to_token_stream());
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
    if let Some(param) = of_module.shadowed_by(item) {
        errors.on(
            param,
            format_args!("`{param}` is a parameter of the module, too; give this one another name"),
        );
        return Vec::new();
    }
    let mut item = item.clone();
    // The symbol of an `impl` names nothing.
    let name = name_of_rust(&mut item).cloned();
    let name = name.unwrap_or_else(|| Ident::new("_", Span::call_site()));
    let (list, allow) = (of_module.list.clone(), of_arguments());
    let Some(listing) = Listing::parse(list, &name, None, errors) else { return Vec::new() };
    listing.each(generic, |symbol, instance, replaced| {
        let mut item = item.clone();
        if let Some(name) = name_of_rust(&mut item) {
            *name = symbol;
        }
        let tokens = replaced(item.to_token_stream());
        let tokens = quote::quote! {
            #[allow(non_upper_case_globals, non_camel_case_types, non_snake_case)]
            #allow
            #tokens
        };
        let item = syn::parse2(tokens.clone()).unwrap_or(RustItem::Verbatim(tokens));
        (item, Some(instance))
    })
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
    let generic = &generic.without_params(&item.sig);
    listing.each(generic, |symbol, instance, replaced| {
        let mut item = syn::parse2(replaced(item.to_token_stream())).unwrap_or(item.clone());
        item.sig.ident = symbol;
        item.attrs.push(of_arguments());
        (RustItem::Fn(item), Some(instance))
    })
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
    listing.each(generic, |symbol, instance, replaced| {
        let is_name = |token: &TokenTree| matches!(token, TokenTree::Ident(word) if *word == name);
        let mut rest = rest.clone();
        if let Some(at) = rest.iter().position(is_name) {
            rest[at] = symbol.into();
        }
        let tokens = replaced(quote::quote!(#(#attrs)* #(#rest)*));
        let item = syn::parse2(tokens.clone()).unwrap_or(RustItem::Verbatim(tokens));
        (item, Some(instance))
    })
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

/// The name of an instance: `reduce_f32_128`; `None` if an argument cannot be a part of a name.
fn symbol<'n>(name: &Ident, arguments: impl Iterator<Item = &'n str>) -> Option<Ident> {
    let mut text = ptx_name(name);
    for argument in arguments {
        text.push('_');
        text.push_str(argument);
    }
    syn::parse_str::<Ident>(&text).ok().map(|_| Ident::new(&text, name.span()))
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

/// An item that has instances.
#[derive(Clone)]
enum GenericItem {
    /// One of PTX, with this number of parameters.
    Ours(usize),
    /// One of Rust, which names parameters of its module, and may be generic itself.
    Rust,
}

/// The generic items of a module.
#[derive(Clone, Default)]
pub(crate) struct Generic {
    names: SortedMap<String, GenericItem>,
    /// The number of parameters that they have from their module.
    of_module: usize,
}

impl Generic {
    /// Without the items whose names the parameters of a function hide.
    fn without_params(&self, signature: &syn::Signature) -> Self {
        let mut rest = self.clone();
        for param in &signature.inputs {
            if let syn::FnArg::Typed(param) = param
                && let syn::Pat::Ident(param) = &*param.pat
            {
                rest.names.remove(&ptx_name(&param.ident));
            }
        }
        rest
    }
}

/// The parameters to replace by arguments.
struct Replacing<'r> {
    by: &'r SortedMap<String, Argument>,
    generic: &'r Generic,
    /// What the arguments for the module's parameters add to symbols; empty outside of instances.
    of_module: Vec<String>,
}

impl Replacing<'_> {
    /// Tokens in which parameters are replaced by arguments, and generic items by their instances.
    fn replaced(&self, tokens: TokenStream) -> TokenStream {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut out: Vec<TokenTree> = Vec::with_capacity(tokens.len());
        let mut n = 0;
        while let Some(token) = tokens.get(n) {
            n += 1;
            let before = match out.as_slice() {
                [.., TokenTree::Punct(one), TokenTree::Punct(two)]
                    if one.as_char() == ':' && two.as_char() == ':' =>
                {
                    ':'
                }
                // The end of a range does not belong to what comes before.
                [.., TokenTree::Punct(one), TokenTree::Punct(two)]
                    if one.as_char() == '.' && two.as_char() == '.' =>
                {
                    ' '
                }
                [.., TokenTree::Punct(one)] if matches!(one.as_char(), '.' | '%') => one.as_char(),
                _ => ' ',
            };
            match token {
                TokenTree::Ident(ident) => {
                    let name = ptx_name(ident);
                    match (self.by.get(&name), before) {
                        (Some(argument), '.') => match argument.scalar {
                            Some(scalar) => {
                                let suffix = suffix(scalar, opcode(&out).as_deref());
                                out.push(Ident::new(suffix, ident.span()).into());
                            }
                            None => out.push(token.clone()),
                        },
                        (Some(argument), ' ' | '%') => {
                            out.extend(at(&argument.tokens, ident.span()));
                        }
                        (Some(_), _) => out.push(token.clone()),
                        (None, _) => match self.instance(ident, &tokens[n..], before) {
                            Some((symbol, length)) => {
                                out.push(symbol.into());
                                n += length;
                            }
                            None => out.push(token.clone()),
                        },
                    }
                }
                TokenTree::Group(group) => {
                    let inner = self.replaced(group.stream());
                    let mut inner = Group::new(group.delimiter(), inner);
                    inner.set_span(group.span());
                    out.push(inner.into());
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => out.push(token.clone()),
            }
        }
        out.into_iter().collect()
    }

    /// The symbol of the instance that a name with these tokens behind it means, and the number of those that belong to it.
    fn instance(&self, ident: &Ident, rest: &[TokenTree], before: char) -> Option<(Ident, usize)> {
        let item = self.generic.names.get(&ptx_name(ident))?;
        let of_module = self.of_module.as_slice();
        let is = |n: usize, sign: char| matches!(rest.get(n), Some(TokenTree::Punct(punct)) if punct.as_char() == sign);
        // A field or a label.
        let is_declared = is(0, ':') && !is(1, ':');
        let (given, length) = match (turbofish(rest), item) {
            (Some((arguments, length)), GenericItem::Ours(_)) => {
                (arguments_of(self.replaced(arguments)), length)
            }
            (None, _) | (_, GenericItem::Rust) => {
                if of_module.is_empty() || before != ' ' || is_declared {
                    return None;
                }
                (Vec::new(), 0)
            }
        };
        // What is not said is that of the same instance of the module.
        let is_short = match item {
            GenericItem::Ours(count) => given.len() + of_module.len() == *count,
            GenericItem::Rust => true,
        };
        let before = if is_short { of_module } else { &[] };
        Some((symbol(ident, before.iter().chain(&given).map(String::as_str))?, length))
    }
}

/// The opcode of the last of some statements, if it has one.
fn opcode(statements: &[TokenTree]) -> Option<String> {
    let is_end = |token: &TokenTree| match token {
        TokenTree::Punct(punct) => punct.as_char() == ';',
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Ident(_) | TokenTree::Literal(_) => false,
    };
    let start = statements.iter().rposition(is_end).map_or(0, |end| end + 1);
    let statement = &statements[start..];
    let is = |token: Option<&TokenTree>, signs: &[char]| matches!(token, Some(TokenTree::Punct(punct)) if signs.contains(&punct.as_char()));
    // A dot starts a declaration; a label, an attribute or a guard precedes the opcode.
    let mut n = 0;
    loop {
        match statement.get(n)? {
            TokenTree::Ident(_)
                if is(statement.get(n + 1), &[':']) && !is(statement.get(n + 2), &[':']) =>
            {
                n += 2;
            }
            TokenTree::Ident(word) => return Some(word.to_string()),
            TokenTree::Punct(sign) if sign.as_char() == '#' => n += 2,
            TokenTree::Punct(sign) if sign.as_char() == '@' => {
                n += 1;
                while is(statement.get(n), &['!', '%', '$']) {
                    n += 1;
                }
                n += 1;
            }
            TokenTree::Punct(_) | TokenTree::Group(_) | TokenTree::Literal(_) => return None,
        }
    }
}

/// The tokens of an argument, with this span.
fn at(tokens: &TokenStream, span: Span) -> impl Iterator<Item = TokenTree> {
    tokens.clone().into_iter().map(move |mut token| {
        token.set_span(span);
        token
    })
}

/// The contents of `::<..>` at the start of some tokens, and the number of its tokens.
fn turbofish(tokens: &[TokenTree]) -> Option<(TokenStream, usize)> {
    let is = |n: usize, sign: char| matches!(tokens.get(n), Some(TokenTree::Punct(punct)) if punct.as_char() == sign);
    if !(is(0, ':') && is(1, ':') && is(2, '<')) {
        return None;
    }
    let end = tokens
        .iter()
        .position(|token| matches!(token, TokenTree::Punct(punct) if punct.as_char() == '>'))?;
    Some((tokens[3..end].iter().cloned().collect(), end + 1))
}

/// The parts of a symbol for the arguments in angle brackets.
fn arguments_of(tokens: TokenStream) -> Vec<String> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_comma =
        |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ',');
    let name = |part: &[TokenTree]| match part {
        [TokenTree::Punct(minus), TokenTree::Literal(number)]
            if minus.as_char() == '-' && minus.spacing() == Spacing::Alone =>
        {
            format!("m{number}")
        }
        part => part.last().map(last_word).unwrap_or_default(),
    };
    tokens.split(is_comma).filter(|part| !part.is_empty()).map(name).collect()
}

fn last_word(token: &TokenTree) -> String {
    match token {
        TokenTree::Literal(literal) => number(literal),
        other => {
            let word = other.to_string();
            ScalarType::from_rust_name(&word).map_or(word, |scalar| scalar.name().to_owned())
        }
    }
}

/// The digits of a number.
fn number(literal: &Literal) -> String {
    let int = syn::parse2::<syn::LitInt>(literal.to_token_stream());
    int.map_or_else(|_| literal.to_string(), |int| int.base10_digits().to_owned())
}
