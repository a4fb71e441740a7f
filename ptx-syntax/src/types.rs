//! From Rust type tokens to IR types, as far as tokens tell.

use bumpalo::Bump;
use ptx_types::ScalarType;
use ptx_types::ir::{Extent, Pointer, Type};
use syn::{Expr, GenericArgument, Lit, PathArguments};

/// The IR type that a Rust type will be, with unknowns where tokens do not say.
pub(crate) fn lower_type<'a>(ty: &syn::Type, arena: &'a Bump) -> &'a Type<'a> {
    arena.alloc(match ty {
        syn::Type::Group(group) => return lower_type(&group.elem, arena),
        syn::Type::Paren(paren) => return lower_type(&paren.elem, arena),
        syn::Type::Array(array) => {
            Type::Array(lower_extent(&array.len), lower_type(&array.elem, arena))
        }
        syn::Type::Slice(slice) => Type::Array(Extent::Incomplete, lower_type(&slice.elem, arena)),
        syn::Type::Path(path) if path.qself.is_none() => lower_path(&path.path, arena),
        _ => Type::Unknown,
    })
}

fn lower_path<'a>(path: &syn::Path, arena: &'a Bump) -> Type<'a> {
    let Some(last) = path.segments.last() else {
        return Type::Unknown;
    };
    let name = last.ident.to_string();
    let args = arguments(&last.arguments);
    match (name.as_str(), args.as_slice()) {
        (_, []) => ScalarType::from_rust_name(&name).map_or(Type::Unknown, Type::Scalar),
        ("V2" | "V4", [element]) => match lower_type(element, arena) {
            Type::Scalar(scalar) => Type::Vector(if name == "V2" { 2 } else { 4 }, *scalar),
            _ => Type::Unknown,
        },
        ("Aligned", [inner, align]) => match typenum(align) {
            Some(align) => Type::Aligned(align, lower_type(inner, arena)),
            None => Type::Unknown,
        },
        ("Ptr", [_, _] | [_, _, _]) => Type::Scalar(ScalarType::U64),
        _ => Type::Unknown,
    }
}

/// What a parameter's type points to, as far as tokens tell.
pub(crate) fn lower_pointer<'a>(ty: &syn::Type, arena: &'a Bump) -> Option<Pointer<'a>> {
    match ty {
        syn::Type::Group(group) => lower_pointer(&group.elem, arena),
        syn::Type::Paren(paren) => lower_pointer(&paren.elem, arena),
        syn::Type::Path(path) => {
            let last = path.path.segments.last().filter(|last| last.ident == "Ptr")?;
            let args = arguments(&last.arguments);
            let pointee = lower_type(args.get(1)?, arena);
            Some(Pointer { space: None, align: args.get(2).and_then(typenum), pointee })
        }
        _ => None,
    }
}

fn arguments(arguments: &PathArguments) -> Vec<syn::Type> {
    let PathArguments::AngleBracketed(list) = arguments else {
        return Vec::new();
    };
    list.args
        .iter()
        .filter_map(|argument| match argument {
            GenericArgument::Type(ty) => Some(ty.clone()),
            _ => None,
        })
        .collect()
}

/// 16 for `U16`.
fn typenum(ty: impl core::borrow::Borrow<syn::Type>) -> Option<usize> {
    match ty.borrow() {
        syn::Type::Path(path) => {
            path.path.segments.last()?.ident.to_string().strip_prefix('U')?.parse().ok()
        }
        syn::Type::Group(group) => typenum(&*group.elem),
        _ => None,
    }
}

fn lower_extent(expr: &Expr) -> Extent {
    match expr {
        Expr::Infer(_) => Extent::Incomplete,
        Expr::Group(group) => lower_extent(&group.expr),
        Expr::Paren(paren) => lower_extent(&paren.expr),
        _ => literal(expr).map_or(Extent::Unknown, Extent::Known),
    }
}

/// The value of an integer literal.
pub(crate) fn literal<N: core::str::FromStr<Err: core::fmt::Display>>(expr: &Expr) -> Option<N> {
    match expr {
        Expr::Lit(lit) => match &lit.lit {
            Lit::Int(int) => int.base10_parse().ok(),
            _ => None,
        },
        Expr::Group(group) => literal(&group.expr),
        Expr::Paren(paren) => literal(&paren.expr),
        _ => None,
    }
}
