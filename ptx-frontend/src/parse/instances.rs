//! Generic kernels and functions: one item for each listed instance, `#[kernel(for(T in [f32, f16], N: u32 in [64, 128]))]`.

use std::rc::Rc;

use proc_macro2::{Delimiter, Group, Ident, Literal, Spacing, Span, TokenStream, TokenTree};
use ptx_isa::ScalarType;
use ptx_isa::sorted::{SortedMap, SortedSet};
use quote::ToTokens;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Expr, GenericParam, Generics, Item as RustItem, ItemFn, Lit, Meta, Token, Type,
};

use super::marker::word;
use super::travelling::travelling;
use crate::errors::Errors;
use crate::group::Peel;
use crate::instance::{Argument, Family, Instance};
use crate::name::{has_name, ptx_name};
use crate::suffix::suffix;

/// The most instances of one item.
const MOST: usize = 1 << 10;

/// An item, and what it is an instance of.
pub(super) type Instantiated = (RustItem, Option<Rc<Instance>>);

/// A parameter and the arguments that it takes in turn: `T in [f32, f16]`.
struct Listed {
    ident: Ident,
    /// The type of a constant.
    ty: Option<Type>,
    arguments: Vec<Argument>,
}

impl Parse for Listed {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let ident: Ident = input.parse()?;
        let ty = if input.peek(Token![:]) {
            input.parse::<Token![:]>()?;
            Some(input.parse::<Type>()?)
        } else {
            None
        };
        input.parse::<Token![in]>()?;
        let list;
        syn::bracketed!(list in input);
        let arguments = if ty.is_some() {
            let all = list.call(Punctuated::<Expr, Token![,]>::parse_terminated)?;
            all.into_iter().map(constant).collect::<syn::Result<Vec<_>>>()?
        } else {
            let all = list.call(Punctuated::<TypeOrNumber, Token![,]>::parse_terminated)?;
            all.into_iter().map(|it| of_type(it, &ident)).collect::<syn::Result<Vec<_>>>()?
        };
        if arguments.is_empty() {
            return Err(syn::Error::new(
                ident.span(),
                format!(
                    "`{ident}` stands for nothing; list what it stands for, as in `{ident} in [f32, f16]`"
                ),
            ));
        }
        Ok(Self { ident, ty, arguments })
    }
}

/// What stands in a list without a type: types, or numbers by mistake.
enum TypeOrNumber {
    Number(Lit),
    Type(Box<Type>),
}

impl Parse for TypeOrNumber {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(Lit) {
            input.parse().map(Self::Number)
        } else {
            input.parse().map(|ty| Self::Type(Box::new(ty)))
        }
    }
}

/// An argument for a constant: a number.
fn constant(expr: Expr) -> syn::Result<Argument> {
    let (negative, number) = match expr.peel() {
        Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Neg(_)) => (true, unary.expr.peel()),
        expr => (false, expr),
    };
    if let Expr::Lit(lit) = number
        && let Lit::Int(int) = &lit.lit
        && int.suffix().is_empty()
    {
        let digits = int.base10_digits();
        let (sign, word) = if negative { ("-", "m") } else { ("", "") };
        return Ok(Argument {
            tokens: expr.to_token_stream(),
            scalar: None,
            name: format!("{word}{digits}"),
            text: format!("{sign}{digits}"),
        });
    }
    Err(syn::Error::new_spanned(
        expr,
        "an instance is listed by its number, which becomes a part of its symbol; write an integer literal",
    ))
}

/// An argument for a type: one with a suffix in PTX.
fn of_type(given: TypeOrNumber, parameter: &Ident) -> syn::Result<Argument> {
    let ty = match given {
        TypeOrNumber::Number(lit) => {
            let message = format!(
                "a constant has a type; write `{parameter}: u32 in [{}]`",
                lit.to_token_stream()
            );
            return Err(syn::Error::new_spanned(lit, message));
        }
        TypeOrNumber::Type(ty) => *ty,
    };
    let last = match ty.peel() {
        Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
        _ => None,
    };
    let scalar = last.as_deref().and_then(ScalarType::from_rust_name);
    match (last, scalar) {
        (Some(name), Some(scalar)) => Ok(Argument {
            tokens: ty.to_token_stream(),
            scalar: Some(scalar),
            name: scalar.name().to_owned(),
            text: name,
        }),
        _ => Err(syn::Error::new_spanned(
            &ty,
            format!(
                "`{}` has no suffix in PTX, which `{parameter}` stands for in the body; write a scalar type, such as `f32`",
                ty.to_token_stream()
            ),
        )),
    }
}

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
        generic: &SortedSet<String>,
        mut made: impl FnMut(Ident, Rc<Instance>, &dyn Fn(TokenStream) -> TokenStream) -> T,
    ) -> Vec<T> {
        let name = &self.family.ident;
        let instance = |arguments: &Vec<Argument>| {
            let by = self.listed.iter().zip(arguments);
            let by = by.map(|(one, argument)| (ptx_name(&one.ident), argument.clone())).collect();
            let names = arguments.iter().map(|argument| argument.name.as_str());
            let symbol = symbol(name, names).unwrap_or_else(|| name.clone());
            let instance =
                Rc::new(Instance { family: self.family.clone(), arguments: arguments.clone() });
            made(symbol, instance, &|tokens| replaced(tokens, &by, generic))
        };
        self.all.iter().map(instance).collect()
    }
}

/// Writes each generic item once for each of its instances, and the names of instances where bodies name them.
pub(super) fn instances(items: Vec<RustItem>, errors: &mut Errors) -> Vec<Instantiated> {
    let generic = items.iter().filter_map(generic_name).map(|name| ptx_name(&name));
    let generic: SortedSet<String> = generic.collect();
    if generic.is_empty() {
        return items.into_iter().map(|item| (item, None)).collect();
    }
    let mut out = Vec::new();
    for item in items {
        match item {
            item if generic_name(&item).is_some() => match item {
                RustItem::Fn(item) => out.extend(of_function(item, &generic, errors)),
                other => out.extend(of_variable(other.to_token_stream(), &generic, errors)),
            },
            RustItem::Fn(item) if item.attrs.iter().any(|attr| word(attr).is_some()) => {
                let tokens = replaced(item.to_token_stream(), &SortedMap::new(), &generic);
                let item = syn::parse2(tokens).unwrap_or(item);
                out.push((RustItem::Fn(item), None));
            }
            // An initial value may name instances.
            RustItem::Static(item) if item.attrs.iter().any(|attr| word(attr).is_some()) => {
                let tokens = replaced(item.to_token_stream(), &SortedMap::new(), &generic);
                let item = syn::parse2(tokens).unwrap_or(RustItem::Static(item));
                out.push((item, None));
            }
            other => out.push((other, None)),
        }
    }
    out
}

/// The name of an item with a `for(..)`.
pub(super) fn generic_name(item: &RustItem) -> Option<Ident> {
    let is_listed = |attrs: &[Attribute]| attrs.iter().any(|attr| list_of(attr).is_some());
    match item {
        RustItem::Fn(item) => is_listed(&item.attrs).then(|| item.sig.ident.clone()),
        RustItem::Static(item) => is_listed(&item.attrs).then(|| item.ident.clone()),
        // A variable without a value.
        RustItem::Verbatim(tokens) if has_name(tokens.clone(), "for") => {
            let (attrs, rest) = attributes_and_rest(tokens.clone())?;
            let name = is_listed(&attrs).then(|| name_of_static(&rest))??;
            Some(name)
        }
        _ => None,
    }
}

/// The attributes of an item, and the tokens that follow.
fn attributes_and_rest(tokens: TokenStream) -> Option<(Vec<Attribute>, Vec<TokenTree>)> {
    let parse = |input: ParseStream<'_>| {
        Ok((input.call(Attribute::parse_outer)?, input.parse::<TokenStream>()?))
    };
    let (attrs, rest) = Parser::parse2(parse, tokens).ok()?;
    Some((attrs, rest.into_iter().collect()))
}

/// The name after `static`.
fn name_of_static(tokens: &[TokenTree]) -> Option<Ident> {
    let is_static = |token: &TokenTree| matches!(token, TokenTree::Ident(word) if word == "static");
    match tokens.get(tokens.iter().position(is_static)? + 1)? {
        TokenTree::Ident(name) => Some(name.clone()),
        _ => None,
    }
}

/// The `for(..)` of an attribute of ours: the index of its first token, and its contents.
fn list_of(attr: &Attribute) -> Option<(usize, TokenStream)> {
    word(attr)?;
    let Meta::List(list) = &attr.meta else { return None };
    list_in(&list.tokens)
}

/// The `for(..)` among the arguments of an attribute: the index of its first token, and its contents.
pub(crate) fn list_in(arguments: &TokenStream) -> Option<(usize, TokenStream)> {
    let tokens: Vec<TokenTree> = arguments.clone().into_iter().collect();
    let at = tokens.windows(2).position(|two| {
        matches!(&two[0], TokenTree::Ident(word) if word == "for")
            && matches!(&two[1], TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis)
    })?;
    let TokenTree::Group(group) = &tokens[at + 1] else { return None };
    Some((at, group.stream()))
}

/// The instances of a kernel or a device function.
fn of_function(
    mut item: ItemFn,
    generic: &SortedSet<String>,
    errors: &mut Errors,
) -> Vec<Instantiated> {
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
    listing.each(generic, |symbol, instance, replaced| {
        let mut item = syn::parse2(replaced(item.to_token_stream())).unwrap_or(item.clone());
        item.sig.ident = symbol;
        (RustItem::Fn(item), Some(instance))
    })
}

/// The instances of a variable.
fn of_variable(
    tokens: TokenStream,
    generic: &SortedSet<String>,
    errors: &mut Errors,
) -> Vec<Instantiated> {
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

/// Removes `for(..)` and a comma beside it.
fn remove_list(attr: &mut Attribute, at: usize) {
    if let Meta::List(list) = &mut attr.meta {
        list.tokens = without_list(&list.tokens, at);
    }
}

/// The arguments of an attribute without `for(..)` and a comma beside it.
pub(crate) fn without_list(arguments: &TokenStream, at: usize) -> TokenStream {
    let mut tokens: Vec<TokenTree> = arguments.clone().into_iter().collect();
    tokens.drain(at..at + 2);
    let is_comma = |token: Option<&TokenTree>| matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == ',');
    if is_comma(tokens.get(at)) {
        tokens.remove(at);
    } else if at > 0 && is_comma(tokens.get(at - 1)) {
        tokens.remove(at - 1);
    }
    tokens.into_iter().collect()
}

/// Tokens in which parameters are replaced by arguments.
fn replaced(
    tokens: TokenStream,
    by: &SortedMap<String, Argument>,
    generic: &SortedSet<String>,
) -> TokenStream {
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
            [.., TokenTree::Punct(one)] if one.as_char() == '.' => '.',
            _ => ' ',
        };
        match token {
            TokenTree::Ident(ident) => {
                let name = ptx_name(ident);
                match (by.get(&name), before) {
                    (Some(argument), '.') => match argument.scalar {
                        Some(scalar) => {
                            let suffix = suffix(scalar, opcode(&out).as_deref());
                            out.push(Ident::new(suffix, ident.span()).into());
                        }
                        None => out.push(token.clone()),
                    },
                    (Some(argument), ' ') => {
                        out.extend(at(&argument.tokens, ident.span()));
                    }
                    (Some(_), _) => out.push(token.clone()),
                    (None, _) => {
                        let arguments = generic.contains(&name).then(|| turbofish(&tokens[n..]));
                        let instance = arguments.flatten().and_then(|(arguments, length)| {
                            let names = arguments_of(replaced(arguments, by, generic));
                            Some((symbol(ident, names.iter().map(String::as_str))?, length))
                        });
                        match instance {
                            Some((symbol, length)) => {
                                out.push(symbol.into());
                                n += length;
                            }
                            None => out.push(token.clone()),
                        }
                    }
                }
            }
            TokenTree::Group(group) => {
                let inner = replaced(group.stream(), by, generic);
                let mut inner = Group::new(group.delimiter(), inner);
                inner.set_span(group.span());
                out.push(inner.into());
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => out.push(token.clone()),
        }
    }
    out.into_iter().collect()
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
