//! Parameters and returned values.

use proc_macro2::Span;
use ptx_isa::Space;
use ptx_isa::near::nearest;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, FnArg, Ident, Meta, Pat, ReturnType, Token, Type};

use super::marker::rename;
use super::ty::{meant_pointer, refuse_type};
use crate::ast::Param;
use crate::errors::Errors;
use crate::hazards::param_hazards;
use crate::integer::Integer;

/// Parses the returned values: one value, or a tuple, each under its given or a generated name.
pub(super) fn parse_returns(
    output: ReturnType,
    names: &[(Ident, Vec<Attribute>)],
    function: &Ident,
    errors: &mut Errors,
) -> Vec<Param> {
    let types = returned_types(output);
    if !names.is_empty() && names.len() != types.len() {
        errors.on(
            &names[0].0,
            format_args!(
                "`{function}` returns {} {}, and this gives {} names; name each of them",
                types.len(),
                if types.len() == 1 { "value" } else { "values" },
                names.len()
            ),
        );
    }
    let count = types.len();
    let param = |(i, mut ty): (usize, Type)| {
        let refused = refuse_type(&mut ty, errors);
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

/// The types of the returned values: one, or those of a tuple.
pub(super) fn returned_types(output: ReturnType) -> Vec<Type> {
    match output {
        ReturnType::Default => Vec::new(),
        ReturnType::Type(_, ty) => match *ty {
            Type::Tuple(tuple) => tuple.elems.into_iter().collect(),
            ty => vec![ty],
        },
    }
}

/// `.reg` and the inner type for `Reg<T>`; `.param` and the type itself otherwise.
pub(super) fn register(ty: Type) -> (Space, Type) {
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

/// Parses the parameters; `refused_readonly` is the reason why none of them can be `#[readonly]`, if that is so.
pub(super) fn parse_params(
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
                    let meant = meant_pointer(&ty);
                    let refused = refuse_type(&mut ty, errors);
                    let (space, ty) = register(meant.unwrap_or(ty));
                    let ident = ident.ident;
                    params.push(Param { ident, ty, space, align, readonly, allow, refused });
                }
                other => errors.on(other, "a parameter is a name and a type, as in `n: u32`"),
            },
        }
    }
    params
}

/// The attributes of a parameter.
#[derive(Default)]
struct ParamAttributes {
    align: Option<Integer>,
    readonly: Option<Span>,
    allow: Vec<&'static str>,
}

/// The reason why a returned value cannot be `#[readonly]`.
const READONLY_RETURN: Option<&str> = Some(
    "`#[readonly]` is a kernel's promise about a pointer or tensor map that the host passes, and this is a returned value; remove it",
);

/// The reason why a parameter of a device function cannot be `#[readonly]`.
pub(super) const READONLY_INPUT: Option<&str> = Some(
    "`#[readonly]` is a kernel's promise about a pointer or tensor map that the host passes, and this is a device function; remove it",
);

/// Reports an attribute that is a misspelling of one of a parameter's, and returns that one in its place.
fn corrected(attr: &Attribute, errors: &mut Errors) -> Option<Attribute> {
    let word = attr.path().get_ident()?.to_string();
    let plain = word.replace('_', "");
    let meant = nearest(&plain, ["align", "readonly", "allow"]).first().copied()?;
    if word == meant {
        return None;
    }
    errors.on(attr.path(), format_args!("no attribute `{word}` here; did you mean `{meant}`?"));
    let mut corrected = attr.clone();
    rename(&mut corrected, meant);
    Some(corrected)
}

/// Parses `#[align(8)]`, `#[readonly]` and `#[allow(A034)]`, the only attributes that a parameter can have;
/// `refused_readonly` is the reason why this one cannot be `#[readonly]`, if that is so.
fn parse_param_attributes(
    attrs: &[Attribute],
    refused_readonly: Option<&str>,
    errors: &mut Errors,
) -> ParamAttributes {
    let mut found = ParamAttributes::default();
    for attr in attrs {
        let corrected = corrected(attr, errors);
        let attr = corrected.as_ref().unwrap_or(attr);
        if attr.path().is_ident("allow") {
            found.allow.extend(param_hazards(attr, errors));
        } else if attr.path().is_ident("readonly") {
            match (&attr.meta, refused_readonly) {
                (_, Some(why)) => errors.on(attr, why),
                (Meta::List(_) | Meta::NameValue(_), None) => {
                    errors.on(attr, "`readonly` takes no value; write `#[readonly]` alone");
                }
                (Meta::Path(_), None) if found.readonly.is_some() => {
                    errors.on(attr, "`readonly` is given twice; remove one");
                }
                (Meta::Path(path), None) => found.readonly = Some(path.span()),
            }
        } else {
            let parsed = match &attr.meta {
                Meta::List(list) if list.path.is_ident("align") => list.parse_args::<Expr>().ok(),
                _ => None,
            };
            match parsed {
                Some(expr) if found.align.is_none() => found.align = Some(Integer::new(expr)),
                Some(_) => errors.on(attr, "`align` is given twice; remove one"),
                None => errors.on(
                    attr,
                    "a parameter takes only `#[align(8)]` (an alignment in bytes), `#[readonly]` (the kernel does not write through the pointer or tensor map) and `#[allow(A034)]` (rules that it may break)",
                ),
            }
        }
    }
    found
}
