//! Kernels and device functions.

use proc_macro2::{Literal, Span, TokenStream};
use ptx_isa::Space;
use ptx_isa::ir::{FunctionKind, Linkage};
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::{
    Attribute, Block, Expr, ExprLit, FnArg, Ident, Item as RustItem, ItemFn, Lit, Meta,
    MetaNameValue, ReturnType, Stmt, Token, Visibility,
};

use super::marker::{On, correct, take_ours, word};
use super::param::{READONLY_INPUT, parse_params, parse_returns};
use super::scope::Scope;
use super::separate::with_arguments;
use super::travelling::travelling;
use crate::args::{FunctionArgs, device_args, kernel_args};
use crate::ast::{Contract, Function, Item, Param};
use crate::body::{Around, Body, ConstantValue, Input, Taken, parse_body};
use crate::errors::Errors;
use crate::name::{has_name, ptx_name};

pub(super) fn parse_fn(mut item: ItemFn, scope: &Scope, errors: &mut Errors) -> Option<Item> {
    if item.block.stmts.iter().any(is_body) {
        correct(&mut item.attrs, On::Function, errors);
    }
    if !item.attrs.iter().any(|attr| word(attr).is_some()) {
        if item.block.stmts.iter().any(is_body) {
            errors.on(
                &item.sig.ident,
                format_args!(
                    "`{}` has a PTX body and is not a PTX function; write `#[kernel]` or `#[device]` above it",
                    item.sig.ident
                ),
            );
            return None;
        }
        return Some(Item::Rust(Box::new(RustItem::Fn(item))));
    }
    let ItemFn { attrs, vis, sig, block, .. } = item;
    let (ours, attrs) = take_ours(attrs, errors);
    let (word, attr) = ours?;
    let (attr, attrs) = with_arguments(&word, attr, attrs, errors);
    let definition = Definition::of(*block, scope);
    match word.as_str() {
        "kernel" => parse_kernel(attrs, &attr, vis, sig, definition, errors),
        "device" => parse_device(attrs, &attr, vis, sig, definition, errors),
        _ => {
            errors.on(
                &attr,
                format_args!(
                    "`#[{word}]` declares storage; a function is `#[kernel]` or `#[device]`"
                ),
            );
            None
        }
    }
}

/// What follows the signature of a function: its block, or nothing.
struct Definition<'i> {
    stmts: Option<Vec<Stmt>>,
    end: Span,
    /// The items of the module.
    scope: &'i Scope,
    /// Whether another module has it.
    is_outside: bool,
}

impl<'i> Definition<'i> {
    fn of(block: Block, scope: &'i Scope) -> Self {
        let end = block.brace_token.span.close();
        Self { stmts: Some(block.stmts), end, scope, is_outside: false }
    }

    /// Parses the body of a function that is defined here, with the items before it. Returns `None` for one
    /// that is defined elsewhere.
    fn parse(
        self,
        is_extern: bool,
        word: &str,
        ident: &Ident,
        signature: [&[Param]; 2],
        errors: &mut Errors,
    ) -> Option<(Vec<RustItem>, Option<Body>)> {
        match (self.stmts, is_extern) {
            (None, false) => {
                errors.on(ident, format_args!("`{ident}` has no body; write `ptx! {{ .. }}`, or `#[{word}(extern)]` if it is defined elsewhere"));
                None
            }
            // A body of what is defined elsewhere breaks a rule (F035).
            (Some(stmts), _) => {
                let (items, body) = parse_block(stmts, ident, signature, self.scope, errors);
                Some((items, Some(body)))
            }
            (None, true) => Some((Vec::new(), None)),
        }
    }
}

fn parse_kernel(
    attrs: Vec<Attribute>,
    attr: &Attribute,
    vis: Visibility,
    mut sig: syn::Signature,
    definition: Definition<'_>,
    errors: &mut Errors,
) -> Option<Item> {
    let FunctionArgs { directives, allow, linkage, is_extern, mut contract, launch, .. } =
        kernel_args(attr, errors);
    if let ReturnType::Type(_, ty) = &sig.output {
        errors.on(ty, "a kernel returns nothing; write its results through a pointer parameter");
    }
    refuse_modifiers(&mut sig, errors);
    let (name, attrs) = export_name(attrs, &sig.ident, errors);
    let mut params = parse_params(sig.inputs, None, errors);
    for param in params.iter_mut().filter(|param| param.space == Space::Reg) {
        errors.on(&param.ty, "a kernel's parameters are in memory, where the host puts them; remove `Reg` (PTX ISA 5.1.6.1)");
        param.space = Space::Param;
    }
    // A parameter hides a constant of its name.
    let is_param = |name: &str| params.iter().any(|param| ptx_name(&param.ident) == name);
    let constants = &definition.scope.integers;
    contract.constants = constants.only(|name| contract.names(name) && !is_param(name));
    let launch = launch.and_then(|launch| launch.of_kernel(&params, &directives, errors));
    let end = definition.end;
    let (items, body) =
        definition.parse(is_extern, "kernel", &sig.ident, [&params, &[]], errors)?;
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
        launch,
        items,
        body,
        allow,
        end,
        refused: false,
        instance: None,
        travels: None,
        outside: Vec::new(),
    })))
}

/// Parses a device function, whether it is defined here or elsewhere.
fn parse_device(
    attrs: Vec<Attribute>,
    attr: &Attribute,
    vis: Visibility,
    mut sig: syn::Signature,
    definition: Definition<'_>,
    errors: &mut Errors,
) -> Option<Item> {
    let args = device_args(attr, errors);
    refuse_modifiers(&mut sig, errors);
    let (name, attrs) = export_name(attrs, &sig.ident, errors);
    let travels = travelling(attr, &name, &vis, &sig);
    let returns = parse_returns(sig.output, &args.returns, &sig.ident, errors);
    let params = parse_params(sig.inputs, READONLY_INPUT, errors);
    let end = definition.end;
    let signature = [params.as_slice(), returns.as_slice()];
    let is_elsewhere = args.is_extern || definition.is_outside;
    let (items, body) = definition.parse(is_elsewhere, "device", &sig.ident, signature, errors)?;
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
        launch: None,
        items,
        body,
        allow: args.allow,
        end,
        refused: false,
        instance: None,
        travels,
        outside: Vec::new(),
    })))
}

/// Parses what has travelled of a device function of another module.
pub(super) fn parse_outside_function(item: ItemFn, errors: &mut Errors) -> Option<Item> {
    let ItemFn { attrs, vis, sig, block, .. } = item;
    let (ours, attrs) = take_ours(attrs, errors);
    let (_, attr) = ours?;
    let end = block.brace_token.span.close();
    let definition = Definition { stmts: None, end, scope: &Scope::default(), is_outside: true };
    parse_device(attrs, &attr, vis, sig, definition, errors)
}

/// The given linkage, or else the one that follows from the visibility: other PTX modules may name any item that is
/// not private.
pub(super) fn linkage_of(given: Option<Linkage>, vis: &Visibility) -> Linkage {
    match (given, vis) {
        (Some(linkage), _) => linkage,
        (None, Visibility::Inherited) => Linkage::Internal,
        (None, Visibility::Public(_) | Visibility::Restricted(_)) => Linkage::Visible,
    }
}

/// Removes `#[export_name = ".."]` from the attributes and returns the name in PTX.
pub(super) fn export_name(
    attrs: Vec<Attribute>,
    ident: &Ident,
    errors: &mut Errors,
) -> (String, Vec<Attribute>) {
    let mut name = ptx_name(ident);
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
                    if let Some(fault) = ptx_isa::ident::fault(&given) {
                        errors.on(
                            text,
                            format_args!(
                                "`{given}` is not a name in PTX: {}; {} [D001, PTX ISA 4.4]",
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

/// Reports modifiers that a Rust function can have but a PTX function cannot, and removes them.
fn refuse_modifiers(sig: &mut syn::Signature, errors: &mut Errors) {
    refuse_generics(sig, errors);
    if let Some(clause) = &sig.generics.where_clause {
        errors.on(clause, "a PTX function cannot be generic; remove the `where` clause");
    }
    refuse_kinds(sig, errors);
}

/// Reports the words before `fn` that PTX has no counterpart for.
pub(super) fn refuse_kinds(sig: &syn::Signature, errors: &mut Errors) {
    if let Some(token) = &sig.asyncness {
        errors.on(token, "a PTX function cannot be `async`; remove this");
    }
    if let Some(token) = &sig.constness {
        errors.on(
            token,
            "a PTX function does not run on the host and cannot be `const`; remove this",
        );
    }
    if !matches!(sig.safety, syn::Safety::Default) {
        errors.on(
            &sig.safety,
            "a PTX function is not called from Rust and cannot be `unsafe`; remove this",
        );
    }
    if let Some(abi) = &sig.abi {
        errors.on(abi, "a PTX function has the ABI of PTX; remove this");
    }
}

/// Reports type parameters and the like, and substitutes an address for each type that names one.
fn refuse_generics(sig: &mut syn::Signature, errors: &mut Errors) {
    if sig.generics.params.is_empty() {
        return;
    }
    errors.on(&sig.generics, "a PTX function is one symbol; list what it is generic over in its attribute, as in `for(T in [f32, f64])`");
    let generics = core::mem::take(&mut sig.generics);
    let names: Vec<String> = generics.type_params().map(|param| param.ident.to_string()).collect();
    let types = sig.inputs.iter_mut().filter_map(|input| match input {
        FnArg::Typed(typed) => Some(&mut *typed.ty),
        FnArg::Receiver(_) => None,
    });
    let returned = match &mut sig.output {
        ReturnType::Type(_, ty) => Some(&mut **ty),
        ReturnType::Default => None,
    };
    for ty in types.chain(returned) {
        if names.iter().any(|name| has_name(ty.to_token_stream(), name)) {
            *ty = syn::parse_quote!(u64);
        }
    }
}

/// Whether a statement is `ptx! { .. }`.
fn is_body(statement: &Stmt) -> bool {
    matches!(statement, Stmt::Macro(statement) if is_ptx(&statement.mac.path))
}

fn is_ptx(path: &syn::Path) -> bool {
    path.segments.last().is_some_and(|segment| segment.ident == "ptx")
}

/// What is said about the block of a function: about other statements, other macros, and a second body.
const OF_FUNCTION: [&str; 3] = [
    "the body of a PTX function is one `ptx! { .. }`; only Rust items may stand before it",
    "a macro inside a module is not expanded before the module is read; write `ptx! { .. }` here, or let a `macro_rules!` write the whole module",
    "a function has one body; put both into one `ptx! { .. }`",
];

/// Splits a block into Rust items and the tokens of one `ptx! { .. }`.
pub(super) fn split_block(
    stmts: Vec<Stmt>,
    [other_statement, other_macro, second]: [&str; 3],
    errors: &mut Errors,
) -> (Vec<RustItem>, Option<TokenStream>) {
    let (mut items, mut body) = (Vec::new(), None);
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
                errors.on(other, other_statement);
                continue;
            }
        };
        if !is_ptx(&mac.path) {
            errors.on(&mac.path, other_macro);
        } else if body.is_some() {
            errors.on(&mac.path, second);
        } else {
            body = Some(mac.tokens);
        }
    }
    (items, body)
}

/// Parses Rust items followed by one `ptx! { .. }`.
fn parse_block(
    stmts: Vec<Stmt>,
    name: &Ident,
    [params, returns]: [&[Param]; 2],
    scope: &Scope,
    errors: &mut Errors,
) -> (Vec<RustItem>, Body) {
    let before = errors.len();
    let (mut items, body) = split_block(stmts, OF_FUNCTION, errors);
    if body.is_none() && errors.len() == before {
        errors.at(name.span(), format_args!("`{name}` has no body; write `ptx! {{ .. }}`"));
    }
    let Scope { integers, types, fragments, tiles, is_definition } =
        &scope.clone().with(items.iter());
    let inputs = params.iter().chain(returns);
    let inputs: Vec<Input<'_>> =
        inputs.map(|Param { ident, ty, space, .. }| Input { ident, ty, space: *space }).collect();
    let is_definition = *is_definition;
    let around = Around { inputs: &inputs, integers, types, tiles, fragments, is_definition };
    let (body, taken, places) = parse_body(body.unwrap_or_default(), around, errors);
    items.extend(places.into_iter().map(RustItem::Verbatim));
    items.extend(taken.into_iter().map(|(name, taken)| assertion(&name, &taken)));
    (items, body)
}

/// The item that makes rustc check the value that was assumed for a constant.
fn assertion(name: &str, Taken { at, value }: &Taken) -> RustItem {
    let ident = Ident::new(name, *at);
    let (value, holds) = match value {
        ConstantValue::Number(number) => {
            let number = Literal::i128_unsuffixed(*number);
            (number.to_string(), quote!(#ident as i128 == #number))
        }
        ConstantValue::Condition(true) => ("true".to_owned(), quote!(#ident)),
        ConstantValue::Condition(false) => ("false".to_owned(), quote!(!#ident)),
    };
    let message = format!(
        "`{name}` was taken for {value} where this body is repeated; write a literal for its value"
    );
    syn::parse_quote_spanned!(*at=> const _: () = ::core::assert!(#holds, #message);)
}

/// A function without a body.
pub(super) struct Prototype {
    attrs: Vec<Attribute>,
    vis: Visibility,
    sig: syn::Signature,
    end: Span,
}

impl Parse for Prototype {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        Ok(Self {
            attrs: input.call(Attribute::parse_outer)?,
            vis: input.parse()?,
            sig: input.parse()?,
            end: input.parse::<Token![;]>()?.span,
        })
    }
}

pub(super) fn parse_declaration(
    mut item: Prototype,
    scope: &Scope,
    errors: &mut Errors,
) -> Option<Item> {
    correct(&mut item.attrs, On::Function, errors);
    let (ours, attrs) = take_ours(item.attrs, errors);
    let definition = Definition { stmts: None, end: item.end, scope, is_outside: false };
    match ours {
        Some((word, attr)) if matches!(word.as_str(), "device" | "kernel") => {
            let (attr, attrs) = with_arguments(&word, attr, attrs, errors);
            let parse = if word == "device" { parse_device } else { parse_kernel };
            parse(attrs, &attr, item.vis, item.sig, definition, errors)
        }
        Some(_) | None => {
            let name = &item.sig.ident;
            errors.on(name, format_args!("`{name}` has no body; write `ptx! {{ .. }}`, or `#[device(extern)]` if it is defined elsewhere"));
            None
        }
    }
}
