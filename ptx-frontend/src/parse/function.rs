//! Kernels and device functions.

use proc_macro2::{Span, TokenStream};
use ptx_types::Space;
use ptx_types::ir::{FunctionKind, Linkage};
use quote::ToTokens;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{
    Attribute, Expr, ExprLit, FnArg, Ident, Item as RustItem, ItemFn, Lit, Meta, MetaNameValue,
    Pat, ReturnType, Stmt, Token, Type, Visibility,
};

use super::{take_ours, word};
use crate::args::{FunctionArgs, device_args, kernel_args};
use crate::ast::{Body, Contract, Function, Item, Param};
use crate::body::parse_rust;
use crate::errors::Errors;
use crate::hazards::param_hazards;

pub(super) fn parse_fn(item: ItemFn, errors: &mut Errors) -> Option<Item> {
    if !item.attrs.iter().any(|attr| word(attr).is_some()) {
        for statement in &item.block.stmts {
            if let Stmt::Macro(statement) = statement
                && is_ptx(&statement.mac.path)
            {
                errors.on(
                    &item.sig.ident,
                    format_args!(
                        "`{}` has a PTX body and is no kernel; write `#[kernel]` or `#[device]` above it",
                        item.sig.ident
                    ),
                );
                return None;
            }
        }
        return Some(Item::Rust(Box::new(RustItem::Fn(item))));
    }
    let ItemFn { attrs, vis, sig, block, .. } = item;
    let (ours, attrs) = take_ours(attrs, errors);
    let (word, attr) = ours?;
    match word.as_str() {
        "kernel" => parse_kernel(attrs, &attr, vis, sig, Some(block.stmts), errors),
        "device" => parse_device(attrs, &attr, vis, sig, Some(block.stmts), errors),
        _ => {
            errors.on(
                &attr,
                format_args!("`#[{word}]` makes storage; a function is `#[kernel]` or `#[device]`"),
            );
            None
        }
    }
}

fn parse_kernel(
    attrs: Vec<Attribute>,
    attr: &Attribute,
    vis: Visibility,
    sig: syn::Signature,
    stmts: Option<Vec<Stmt>>,
    errors: &mut Errors,
) -> Option<Item> {
    let FunctionArgs { mut directives, allow, linkage, is_extern, contract, .. } =
        kernel_args(attr, errors);
    if let ReturnType::Type(_, ty) = &sig.output {
        errors.on(ty, "a kernel returns nothing; write its results through a pointer parameter");
    }
    refuse_modifiers(&sig, errors);
    let (name, attrs) = export_name(attrs, &sig.ident, errors);
    let mut params = parse_params(sig.inputs, None, errors);
    for param in params.iter_mut().filter(|param| param.space == Space::Reg) {
        errors.on(&param.ty, "a kernel's parameters lie in memory, where the host puts them; remove `Reg` (PTX ISA 5.1.6.1)");
        param.space = Space::Param;
    }
    let (items, body) = parse_definition(stmts, is_extern, "kernel", &sig.ident, errors)?;
    if is_extern && let Some(directive) = directives.first() {
        errors.at(
            directive.span,
            format_args!(
                "`{}` is defined elsewhere, and its directives stand there; remove this",
                sig.ident
            ),
        );
        directives.clear();
    }
    Some(Item::Function(Box::new(Function {
        kind: FunctionKind::Kernel,
        attrs,
        linkage: if is_extern { Linkage::Extern } else { linkage_of(linkage, &vis) },
        vis,
        ident: sig.ident,
        name,
        params,
        returns: Vec::new(),
        directives,
        unified: None,
        contract,
        items,
        body,
        allow,
        refused: false,
    })))
}

/// The body of a function that is defined here, with the items before it; none of one that is defined
/// elsewhere.
fn parse_definition(
    stmts: Option<Vec<Stmt>>,
    is_extern: bool,
    word: &str,
    ident: &Ident,
    errors: &mut Errors,
) -> Option<(Vec<RustItem>, Option<Body>)> {
    match (stmts, is_extern) {
        (Some(_), true) => {
            errors.on(ident, format_args!("`{ident}` is defined elsewhere and has a body; write `;` in its place, or remove `extern`"));
            None
        }
        (None, false) => {
            errors.on(ident, format_args!("`{ident}` has no body; write `ptx! {{ .. }}`, or `#[{word}(extern)]` if it is defined elsewhere"));
            None
        }
        (Some(stmts), false) => {
            let (items, body) = parse_block(stmts, ident, errors);
            Some((items, Some(body)))
        }
        (None, true) => Some((Vec::new(), None)),
    }
}

/// A device function, defined here or elsewhere.
fn parse_device(
    attrs: Vec<Attribute>,
    attr: &Attribute,
    vis: Visibility,
    sig: syn::Signature,
    stmts: Option<Vec<Stmt>>,
    errors: &mut Errors,
) -> Option<Item> {
    let args = device_args(attr, errors);
    refuse_modifiers(&sig, errors);
    let (name, attrs) = export_name(attrs, &sig.ident, errors);
    let returns = parse_returns(sig.output, &args.returns, &sig.ident, errors);
    let params = parse_params(sig.inputs, READONLY_INPUT, errors);
    let (items, body) = parse_definition(stmts, args.is_extern, "device", &sig.ident, errors)?;
    let linkage = if args.is_extern { Linkage::Extern } else { linkage_of(args.linkage, &vis) };
    Some(Item::Function(Box::new(Function {
        kind: FunctionKind::Device,
        attrs,
        linkage,
        vis,
        ident: sig.ident,
        name,
        params,
        returns,
        directives: args.directives,
        unified: args.unified,
        contract: Contract::default(),
        items,
        body,
        allow: args.allow,
        refused: false,
    })))
}

/// What is given, or else what the visibility says: other PTX modules may name what is not private.
pub(super) fn linkage_of(given: Option<Linkage>, vis: &Visibility) -> Linkage {
    match (given, vis) {
        (Some(linkage), _) => linkage,
        (None, Visibility::Inherited) => Linkage::Internal,
        (None, Visibility::Public(_) | Visibility::Restricted(_)) => Linkage::Visible,
    }
}

/// What a function returns: one value, or a tuple of them, each under its name or one made for it.
fn parse_returns(
    output: ReturnType,
    names: &[(Ident, Vec<Attribute>)],
    function: &Ident,
    errors: &mut Errors,
) -> Vec<Param> {
    let types: Vec<Type> = match output {
        ReturnType::Default => Vec::new(),
        ReturnType::Type(_, ty) => match *ty {
            Type::Tuple(tuple) => tuple.elems.into_iter().collect(),
            ty => vec![ty],
        },
    };
    if !names.is_empty() && names.len() != types.len() {
        errors.on(
            &names[0].0,
            format_args!(
                "`{function}` returns {} values, and {} names stand here; name each of them",
                types.len(),
                names.len()
            ),
        );
    }
    let count = types.len();
    let param = |(i, mut ty): (usize, Type)| {
        let refused = refuse_reference(&mut ty, errors);
        let (space, ty) = register(ty);
        let ident = match (names.get(i), count) {
            (Some((name, _)), _) => name.clone(),
            (None, 1) => Ident::new("returned", function.span()),
            (None, _) => Ident::new(&format!("returned{i}"), function.span()),
        };
        let attrs = names.get(i).map_or(&[][..], |(_, attrs)| attrs);
        let ParamAttributes { align, readonly, allow } =
            parse_param_attributes(attrs, READONLY_RETURN, errors);
        Param { ident, ty, space, align, readonly, allow, refused }
    };
    types.into_iter().enumerate().map(param).collect()
}

/// `.reg` and the type in `Reg<T>`; `.param` for any other.
fn register(ty: Type) -> (Space, Type) {
    match ty {
        Type::Group(group) => register(*group.elem),
        Type::Path(path) => {
            let last = path.path.segments.last().filter(|last| last.ident == "Reg");
            if let Some(syn::PathArguments::AngleBracketed(list)) = last.map(|last| &last.arguments)
                && let Some(syn::GenericArgument::Type(inner)) = list.args.first()
                && list.args.len() == 1
            {
                return (Space::Reg, inner.clone());
            }
            (Space::Param, Type::Path(path))
        }
        ty => (Space::Param, ty),
    }
}

/// Takes `#[export_name = ".."]` out of the attributes: the name in PTX.
pub(super) fn export_name(
    attrs: Vec<Attribute>,
    ident: &Ident,
    errors: &mut Errors,
) -> (String, Vec<Attribute>) {
    let mut name = crate::ptx_name(ident);
    let mut others = Vec::new();
    for attr in attrs {
        let given = match &attr.meta {
            Meta::NameValue(pair) if pair.path.is_ident("export_name") => Some(pair.clone()),
            Meta::List(list) if list.path.is_ident("unsafe") => list
                .parse_args::<MetaNameValue>()
                .ok()
                .filter(|pair| pair.path.is_ident("export_name")),
            _ => None,
        };
        match given {
            None => others.push(attr),
            Some(pair) => match &pair.value {
                Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => {
                    let given = text.value();
                    if let Some(fault) = ptx_types::ident::fault(&given) {
                        errors.on(
                            text,
                            format_args!(
                                "`{given}` is no name in PTX: {}; {} [D001, PTX ISA 4.4]",
                                fault.reason(),
                                fault.fix()
                            ),
                        );
                    } else {
                        name = given;
                    }
                }
                other => {
                    errors.on(other, "the name in PTX is a string, as in `#[export_name = \"k\"]`");
                }
            },
        }
    }
    (name, others)
}

/// Reports a Rust reference or raw pointer where storage is declared, and puts an address in its
/// place.
pub(super) fn refuse_reference(ty: &mut Type, errors: &mut Errors) -> bool {
    let pointee = match &*ty {
        Type::Reference(reference) => &reference.elem,
        Type::Ptr(pointer) => &pointer.elem,
        _ => return false,
    };
    let pointee = match &**pointee {
        Type::Slice(slice) => slice.elem.to_token_stream().to_string(),
        Type::Path(path) if path.path.is_ident("str") => "u8".to_owned(),
        other => other.to_token_stream().to_string(),
    };
    errors.on(&*ty, format_args!("the GPU knows no Rust references and pointers; write `Ptr<Global, {pointee}>`, or another space"));
    *ty = syn::parse_quote!(u64);
    true
}

fn refuse_modifiers(sig: &syn::Signature, errors: &mut Errors) {
    if !sig.generics.params.is_empty() {
        errors.on(&sig.generics, "a PTX function is one symbol and cannot be generic; make the module with a `macro_rules!` instead");
    }
    if let Some(token) = &sig.asyncness {
        errors.on(token, "a PTX function is not `async`; remove it");
    }
    if let Some(token) = &sig.constness {
        errors.on(token, "a PTX function does not run in Rust; remove `const`");
    }
    if !matches!(sig.safety, syn::Safety::Default) {
        errors.on(&sig.safety, "a PTX function does not run in Rust; remove it");
    }
    if let Some(clause) = &sig.generics.where_clause {
        errors.on(clause, "a PTX function cannot be generic; remove the `where` clause");
    }
    if let Some(abi) = &sig.abi {
        errors.on(abi, "a PTX function has PTX's own ABI; remove it");
    }
}

fn is_ptx(path: &syn::Path) -> bool {
    path.segments.last().is_some_and(|segment| segment.ident == "ptx")
}

/// Rust items, then one `ptx! { .. }`.
fn parse_block(stmts: Vec<Stmt>, name: &Ident, errors: &mut Errors) -> (Vec<RustItem>, Body) {
    let before = errors.len();
    let mut items = Vec::new();
    let mut body = None;
    for stmt in stmts {
        let mac = match stmt {
            Stmt::Item(RustItem::Macro(item)) if item.ident.is_none() => item.mac,
            Stmt::Item(item) => {
                items.push(item);
                continue;
            }
            Stmt::Macro(stmt) => stmt.mac,
            Stmt::Expr(Expr::Macro(expr), _) => expr.mac,
            other => {
                errors.on(other, "a body is one `ptx! { .. }`, with Rust items before it at most");
                continue;
            }
        };
        if !is_ptx(&mac.path) {
            errors.on(&mac.path, "a body is one `ptx! { .. }`, with Rust items before it at most");
        } else if body.is_some() {
            errors.on(&mac.path, "a function has one body; put both into one `ptx! { .. }`");
        } else {
            body = Some(parse_rust(mac.tokens, errors));
        }
    }
    if body.is_none() && errors.len() == before {
        errors.at(name.span(), format_args!("`{name}` has no body; write `ptx! {{ .. }}`"));
    }
    (items, body.unwrap_or_else(|| parse_rust(TokenStream::new(), errors)))
}

/// The parameters; `refused_readonly` says why none of them can be `#[readonly]`, if none can.
fn parse_params(
    inputs: Punctuated<FnArg, Token![,]>,
    refused_readonly: Option<&str>,
    errors: &mut Errors,
) -> Vec<Param> {
    let mut params = Vec::new();
    for input in inputs {
        match input {
            FnArg::Receiver(receiver) => {
                errors.on(receiver, "a PTX function has no `self`; name a parameter");
            }
            FnArg::Typed(pat) => match *pat.pat {
                Pat::Ident(ident)
                    if ident.by_ref.is_none()
                        && ident.mutability.is_none()
                        && ident.subpat.is_none() =>
                {
                    let ParamAttributes { align, readonly, allow } =
                        parse_param_attributes(&pat.attrs, refused_readonly, errors);
                    let mut ty = *pat.ty;
                    let refused = refuse_reference(&mut ty, errors);
                    let (space, ty) = register(ty);
                    let ident = ident.ident;
                    params.push(Param { ident, ty, space, align, readonly, allow, refused });
                }
                other => errors.on(other, "a parameter is a name and a type, as in `n: u32`"),
            },
        }
    }
    params
}

/// What attributes of a parameter say.
#[derive(Default)]
struct ParamAttributes {
    align: Option<Expr>,
    readonly: Option<Span>,
    allow: Vec<&'static str>,
}

/// Why what a function returns is not `#[readonly]`.
const READONLY_RETURN: Option<&str> = Some(
    "`#[readonly]` is what a kernel promises of a pointer or tensor map that the host passes, and this is returned; remove it",
);

/// Why a parameter of a device function is not `#[readonly]`.
const READONLY_INPUT: Option<&str> = Some(
    "`#[readonly]` is what a kernel promises of a pointer or tensor map that the host passes, and a device function is called by kernels; remove it",
);

/// `#[align(8)]`, `#[readonly]` and `#[allow(A034)]`, which are all that a parameter can have;
/// `refused_readonly` says why this one cannot be `#[readonly]`, if it cannot.
fn parse_param_attributes(
    attrs: &[Attribute],
    refused_readonly: Option<&str>,
    errors: &mut Errors,
) -> ParamAttributes {
    let mut found = ParamAttributes::default();
    for attr in attrs {
        if attr.path().is_ident("allow") {
            found.allow.extend(param_hazards(attr, errors));
        } else if attr.path().is_ident("readonly") {
            match (&attr.meta, refused_readonly) {
                (_, Some(why)) => errors.on(attr, why),
                (Meta::List(_) | Meta::NameValue(_), None) => {
                    errors.on(attr, "`readonly` takes no value; write `#[readonly]` alone");
                }
                (Meta::Path(_), None) if found.readonly.is_some() => {
                    errors.on(attr, "`readonly` stands twice; leave one of them out");
                }
                (Meta::Path(path), None) => found.readonly = Some(path.span()),
            }
        } else {
            let parsed = match &attr.meta {
                Meta::List(list) if list.path.is_ident("align") => list.parse_args::<Expr>().ok(),
                _ => None,
            };
            match parsed {
                Some(expr) if found.align.is_none() => found.align = Some(expr),
                Some(_) => errors.on(attr, "`align` stands twice; leave one of them out"),
                None => errors.on(
                    attr,
                    "a parameter has an alignment in bytes (`#[align(8)] buffer: [B8; 64]`), a promise not to write through a pointer or a tensor map (`#[readonly]`) and hazards that it may have (`#[allow(A034)]`), and nothing else",
                ),
            }
        }
    }
    found
}

/// A function without a body.
pub(super) struct Declaration {
    attrs: Vec<Attribute>,
    vis: Visibility,
    sig: syn::Signature,
}

impl Parse for Declaration {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let declaration = Self {
            attrs: input.call(Attribute::parse_outer)?,
            vis: input.parse()?,
            sig: input.parse()?,
        };
        input.parse::<Token![;]>()?;
        Ok(declaration)
    }
}

pub(super) fn parse_declaration(item: Declaration, errors: &mut Errors) -> Option<Item> {
    let (ours, attrs) = take_ours(item.attrs, errors);
    match ours {
        Some((word, attr)) if word == "device" => {
            parse_device(attrs, &attr, item.vis, item.sig, None, errors)
        }
        Some((word, attr)) if word == "kernel" => {
            parse_kernel(attrs, &attr, item.vis, item.sig, None, errors)
        }
        Some(_) | None => {
            let name = &item.sig.ident;
            errors.on(name, format_args!("`{name}` has no body; write `ptx! {{ .. }}`, or `#[device(extern)]` if it is defined elsewhere"));
            None
        }
    }
}
