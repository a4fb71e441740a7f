//! Fragments.

use std::collections::VecDeque;

use proc_macro2::{TokenStream, TokenTree};
use ptx_isa::Target;
use ptx_isa::sorted::SortedSet;
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{
    Attribute, FnArg, GenericParam, Ident, Item as RustItem, ItemFn, Pat, Path, ReturnType, Token,
    Type, Visibility,
};

use super::function::{refuse_kinds, split_block};
use super::param::{register, returned_types};
use crate::args::{target, unknown};
use crate::attribute::{AttributeArg, AttributeValue, parse_args};
use crate::body::{
    Fragment, Fragments, Generic, Parameter, Read, Signature, Splice, own_item, read_body,
};
use crate::errors::Errors;
use crate::group::Peel;
use crate::name::{has_name, ptx_name};
use ptx_isa::Space;

/// The arguments of `#[ptx::fragment]`.
#[derive(Default)]
pub(crate) struct FragmentArgs {
    /// `target = sm_90a`: the target that it is checked for where it is written.
    pub(crate) target: Option<Target>,
    /// `returns(sum, carry)`.
    returns: Vec<Ident>,
    /// `crate = path`.
    pub(crate) krate: Option<Path>,
}

/// A fragment with what belongs to it in Rust.
pub(crate) struct ParsedFragment {
    pub(crate) fragment: Fragment,
    pub(crate) args: FragmentArgs,
    /// The attributes of the function.
    pub(crate) attrs: Vec<Attribute>,
    /// Its visibility.
    pub(crate) vis: Visibility,
    /// The Rust items before the `ptx!`.
    pub(crate) items: Vec<RustItem>,
    /// The types in its signature that do not depend on a constant.
    pub(crate) types: Vec<Type>,
    /// The splices that are evaluated where the fragment is written.
    pub(crate) own: Vec<TokenStream>,
    /// Whether the body can be checked without a use: no type parameter, and no constant that decides how often
    /// something is written.
    pub(crate) is_whole: bool,
}

/// Whether an attribute makes a function a fragment.
pub(crate) fn is_fragment(attr: &Attribute) -> bool {
    let path = attr.path();
    path.segments.len() <= 2 && path.segments.last().is_some_and(|last| last.ident == "fragment")
}

fn fragment_args(tokens: TokenStream, errors: &mut Errors) -> FragmentArgs {
    let mut args = FragmentArgs::default();
    let mut given = VecDeque::from(parse_args(tokens, "target", errors));
    while let Some(AttributeArg { name, value }) = given.pop_front() {
        match (name.to_string().as_str(), value) {
            ("target", AttributeValue::Expr(expr)) => args.target = target(&expr, errors),
            ("target", _) => {
                errors.at(name.span(), "write a value, as in `target = sm_90a`");
            }
            ("crate", AttributeValue::Path(path)) => args.krate = Some(path),
            ("crate", _) => {
                errors.at(name.span(), "write the path of the library, as in `crate = ::ptx`");
            }
            ("returns", AttributeValue::List(list)) => {
                for expr in list {
                    match &expr {
                        syn::Expr::Path(path) if path.path.get_ident().is_some() => {
                            args.returns.extend(path.path.get_ident().cloned());
                        }
                        _ => {
                            errors.on(&expr, "a returned value needs a name, as in `returns(sum)`");
                        }
                    }
                }
            }
            ("returns", _) => errors.at(
                name.span(),
                "name the returned values as the body writes them, as in `returns(sum, carry)`",
            ),
            (_, value) => {
                let known = ["returns", "target", "crate"];
                given.extend(unknown(AttributeArg { name, value }, known.into_iter(), errors));
            }
        }
    }
    args
}

/// What is said about its block: about other statements, other macros, and a second body.
const OF_FRAGMENT: [&str; 3] = [
    "the body of a fragment is one `ptx! { .. }`; only Rust items may stand before it",
    "the body of a fragment is `ptx! { .. }`, and no other macro is expanded in it",
    "a fragment has one body; put both into one `ptx! { .. }`",
];

/// Parses a fragment that may use these others.
pub(crate) fn parse_fragment(
    args: TokenStream,
    item: ItemFn,
    fragments: Fragments,
    errors: &mut Errors,
) -> Option<ParsedFragment> {
    let before = errors.len();
    let args = fragment_args(args, errors);
    let ItemFn { attrs, vis, sig, block, .. } = item;
    refuse_kinds(&sig, errors);
    let generics = parse_generics(&sig.generics, errors);
    let types = types_of(&sig, &generics);
    let returns = parse_returned(sig.output, &args.returns, &sig.ident, errors);
    let params = parse_params(sig.inputs, errors);
    let (items, body) = split_block(block.stmts, OF_FRAGMENT, errors);
    let Some(body) = body else {
        if errors.len() == before {
            errors
                .on(&sig.ident, format_args!("`{}` has no body; write `ptx! {{ .. }}`", sig.ident));
        }
        return None;
    };
    let read = read_body(body);
    for (name, _) in &returns {
        if !read.mentions(&ptx_name(name)) {
            let name = ptx_name(name);
            errors.on(
                &sig.ident,
                format_args!("`{}` returns `{name}`, and no statement writes it", sig.ident),
            );
        }
    }
    if let Some(at) = read.returns_at() {
        errors.at(at, "`ret` would return from the kernel that uses the fragment; jump to a label at the end of the fragment, or write `exit` if the thread is to end");
    }
    if let Some(at) = read.lone_dollar() {
        errors.at(at, "a fragment travels in a `macro_rules!`, where a name cannot be `$` and digits; write letters, as in `$L1`");
    }
    let dependent = dependent(&generics, &params, &read);
    let bounds = read.bounds();
    let is_whole = generics.is_empty()
        && !params.iter().any(|(name, parameter)| {
            matches!(parameter, Parameter::Constant(_)) && bounds.contains(ptx_name(name).as_str())
        });
    let mut own = Vec::new();
    let splices: Vec<Splice> = read
        .constants
        .iter()
        .map(|tokens| {
            if !dependent.iter().any(|name| has_name(tokens.clone(), name)) {
                own.push(tokens.clone());
                return Splice { tokens: tokens.clone(), own: Some(own.len() - 1) };
            }
            let tokens = travelling(tokens.clone(), &sig.ident, (&dependent, &items), errors);
            Splice { tokens, own: None }
        })
        .collect();
    if errors.len() > before {
        return None;
    }
    let signature = Signature { generics, returns, params };
    let fragment = Fragment::new(sig.ident, signature, (read, splices), &items, fragments);
    Some(ParsedFragment { fragment, args, attrs, vis, items, types, own, is_whole })
}

/// The names on which a splice may depend: parameters and counters.
fn dependent(
    generics: &[Generic],
    params: &[(Ident, Parameter)],
    read: &Read,
) -> SortedSet<String> {
    let mut found = read.counters();
    found.extend(generics.iter().map(|generic| {
        let (Generic::Type(name) | Generic::Constant(name)) = generic;
        ptx_name(name)
    }));
    found.extend(params.iter().map(|(name, _)| ptx_name(name)));
    found
}

/// The names that mean the same everywhere.
const EVERYWHERE: [&str; 24] = [
    "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f32",
    "f64", "as", "true", "false", "if", "else", "core", "std", "size_of", "align_of", "bool",
];

/// A splice that is evaluated where the fragment is used: the fragment's own items get their path, and other names that
/// do not mean the same there are reported.
fn travelling(
    tokens: TokenStream,
    fragment: &Ident,
    of: (&SortedSet<String>, &[RustItem]),
    errors: &mut Errors,
) -> TokenStream {
    let (dependent, items) = of;
    let mut out = TokenStream::new();
    let mut before = ' ';
    for token in tokens {
        let is_part = matches!(before, '.' | ':');
        before = if let TokenTree::Punct(punct) = &token { punct.as_char() } else { ' ' };
        match token {
            TokenTree::Ident(name) if !is_part => {
                let text = ptx_name(&name);
                let is_item = items.iter().any(|item| named(item).is_some_and(|it| *it == name));
                if is_item {
                    out.extend(own_item(fragment, &name));
                } else {
                    if !dependent.contains(&text) && !EVERYWHERE.contains(&text.as_str()) {
                        errors.on(&name, format_args!("`{name}` is resolved where the fragment is written, and the rest of this where it is used; give the fragment a constant of its own before the `ptx!`: `const OWN: u32 = {name};`"));
                    }
                    out.extend([TokenTree::Ident(name)]);
                }
            }
            TokenTree::Group(group) => {
                let inner = travelling(group.stream(), fragment, of, errors);
                let mut inner = proc_macro2::Group::new(group.delimiter(), inner);
                inner.set_span(group.span());
                out.extend([TokenTree::Group(inner)]);
            }
            other => out.extend([other]),
        }
    }
    out
}

/// The name of a constant, the only item that can travel.
fn named(item: &RustItem) -> Option<&Ident> {
    match item {
        RustItem::Const(item) => Some(&item.ident),
        _ => None,
    }
}

fn parse_generics(generics: &syn::Generics, errors: &mut Errors) -> Vec<Generic> {
    if let Some(clause) = &generics.where_clause {
        errors.on(clause, "a type parameter of a fragment is any type with a suffix in PTX; remove the `where` clause");
    }
    let generic = |param: &GenericParam| match param {
        GenericParam::Type(param) => {
            if !param.bounds.is_empty() {
                errors.on(&param.bounds, "a type parameter of a fragment is any type with a suffix in PTX; remove the bounds");
            }
            Some(Generic::Type(param.ident.clone()))
        }
        GenericParam::Const(param) => {
            let is_integer = matches!(param.ty.peel(), Type::Path(path) if is_number(path) && float(path).is_none());
            if !is_integer {
                errors.on(&param.ty, "a constant in angle brackets is an integer, such as `u32`");
            }
            Some(Generic::Constant(param.ident.clone()))
        }
        GenericParam::Lifetime(param) => {
            errors.on(param, "PTX has no lifetimes; remove this");
            None
        }
    };
    generics.params.iter().filter_map(generic).collect()
}

/// Parses the returned values, each in a register.
fn parse_returned(
    output: ReturnType,
    names: &[Ident],
    fragment: &Ident,
    errors: &mut Errors,
) -> Vec<(Ident, Type)> {
    let types = returned_types(output);
    if !names.is_empty() && names.len() != types.len() {
        errors.on(
            &names[0],
            format_args!(
                "`{fragment}` returns {}, and this gives {}; name each of them",
                counted(types.len(), "value"),
                counted(names.len(), "name")
            ),
        );
    }
    let count = types.len();
    let mut found = Vec::new();
    for (n, ty) in types.into_iter().enumerate() {
        let written = ty.to_token_stream();
        let (space, inner) = register(ty);
        if space != Space::Reg {
            errors.on(
                &written,
                format_args!(
                    "a fragment returns its values in registers; write `Reg<{}>`",
                    text(&written)
                ),
            );
        }
        let name = match (names.get(n), count) {
            (Some(name), _) => name.clone(),
            (None, 1) => Ident::new("returned", fragment.span()),
            (None, _) => Ident::new(&format!("returned{n}"), fragment.span()),
        };
        found.push((name, inner));
    }
    found
}

const PARAMETER: &str = "a parameter of a fragment is `Reg<f32>` (a value), `&mut Reg<f32>` (a register that it also writes), `&[f32; 32]` (a place of this type in memory) or a number such as `u32` (a constant of Rust)";

fn parse_params(
    inputs: Punctuated<FnArg, Token![,]>,
    errors: &mut Errors,
) -> Vec<(Ident, Parameter)> {
    let mut found = Vec::new();
    for input in inputs {
        let typed = match input {
            FnArg::Receiver(receiver) => {
                errors.on(receiver, "a fragment has no `self`; name a parameter");
                continue;
            }
            FnArg::Typed(typed) => typed,
        };
        if let Some(attr) = typed.attrs.first() {
            errors.on(attr, "a parameter of a fragment takes no attribute; remove this");
        }
        let name = match *typed.pat {
            Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => {
                if let Some(token) = pat.mutability {
                    errors.on(
                        token,
                        "a register that the fragment writes is `&mut Reg<..>`; remove this `mut`",
                    );
                }
                pat.ident
            }
            other => {
                errors.on(other, "a parameter is a name and a type, as in `x: Reg<f32>`");
                continue;
            }
        };
        let parameter = match typed.ty.peel() {
            Type::Reference(reference) => {
                let (space, inner) = register((*reference.elem).clone());
                match (space, reference.mutability) {
                    (Space::Reg, Some(_)) => Some(Parameter::Register(inner)),
                    (Space::Reg, None) => {
                        errors.on(reference, "a value is passed as `Reg<..>`, and a register that the fragment also writes as `&mut Reg<..>`");
                        continue;
                    }
                    (_, Some(token)) => {
                        errors.on(token, "a place is passed as `&T`, whatever the fragment does to it; remove the `mut`");
                        continue;
                    }
                    (_, None) => Some(Parameter::Place(inner)),
                }
            }
            Type::Path(path) if is_number(path) => Some(Parameter::Constant(float(path))),
            ty => match register(ty.clone()) {
                (Space::Reg, inner) => Some(Parameter::Value(inner)),
                _ => None,
            },
        };
        match parameter {
            Some(parameter) => found.push((name, parameter)),
            None => errors.on(&typed.ty, PARAMETER),
        }
    }
    found
}

/// The types in a signature, as written, that do not depend on a constant.
fn types_of(sig: &syn::Signature, generics: &[Generic]) -> Vec<Type> {
    let params = sig.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(typed) => Some(match typed.ty.peel() {
            Type::Reference(reference) => (*reference.elem).clone(),
            ty => ty.clone(),
        }),
        FnArg::Receiver(_) => None,
    });
    let returned = returned_types(sig.output.clone());
    let is_plain = |ty: &Type| {
        generics.iter().all(|generic| match generic {
            Generic::Type(_) => true,
            Generic::Constant(name) => !has_name(ty.to_token_stream(), &ptx_name(name)),
        })
    };
    params.chain(returned).filter(is_plain).collect()
}

/// Whether a type is one of Rust's numbers.
fn is_number(path: &syn::TypePath) -> bool {
    let name = path.path.get_ident().map(ToString::to_string);
    name.is_some_and(|name| EVERYWHERE[..14].contains(&name.as_str()))
}

/// The type of a number that is a float.
fn float(path: &syn::TypePath) -> Option<Ident> {
    path.path.get_ident().filter(|name| *name == "f32" || *name == "f64").cloned()
}

fn text(tokens: &TokenStream) -> String {
    tokens.to_string().replace(' ', "")
}

/// `1 value`, `2 values`.
fn counted(count: usize, word: &str) -> String {
    if count == 1 { format!("1 {word}") } else { format!("{count} {word}s") }
}
