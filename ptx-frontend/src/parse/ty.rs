//! Rust types that cannot be PTX types in any position.

use ptx_isa::ScalarType;
use quote::ToTokens;
use syn::spanned::Spanned as _;
use syn::{Expr, GenericArgument, Ident, Lit, PathArguments, PathSegment, Type};

use crate::errors::Errors;
use crate::foreign;
use crate::group::Peel;

/// Reports a type that storage cannot have, and replaces it with one that it can. Returns whether there was one.
pub(crate) fn refuse_type(ty: &mut Type, errors: &mut Errors) -> bool {
    match ty {
        Type::Array(array) => refuse_type(&mut array.elem, errors),
        Type::Slice(slice) => refuse_type(&mut slice.elem, errors),
        Type::Group(group) => refuse_type(&mut group.elem, errors),
        Type::Paren(paren) => refuse_type(&mut paren.elem, errors),
        Type::Path(path) if path.qself.is_none() && path.path.segments.len() == 1 => {
            refuse_word(&mut path.path.segments[0], errors)
        }
        Type::Tuple(tuple) if !tuple.elems.is_empty() => {
            errors.on(
                &*ty,
                "PTX has no tuples; declare a struct with `#[derive(PtxType)]` and `#[repr(C)]`",
            );
            *ty = syn::parse_quote!(u64);
            true
        }
        Type::Reference(_) | Type::Ptr(_) => {
            refuse_reference(ty, errors);
            *ty = syn::parse_quote!(u64);
            true
        }
        _ => false,
    }
}

/// The Rust types without a counterpart, and their replacements.
const INSTEAD: &[(&str, &str, &str)] = &[
    ("usize", "u64", "an address has 64 bits on the GPU, and a `usize` as many as on the host"),
    ("isize", "i64", "a distance has 64 bits on the GPU, and an `isize` as many as on the host"),
    ("char", "u32", "PTX has no characters"),
    ("bool", "u32", "a predicate is neither stored nor passed"),
    ("u128", "B128", "PTX has no integers of 128 bits"),
    ("i128", "B128", "PTX has no integers of 128 bits"),
];

fn refuse_word(segment: &mut PathSegment, errors: &mut Errors) -> bool {
    let word = segment.ident.to_string();
    match &mut segment.arguments {
        PathArguments::None => {
            let Some((_, instead, why)) = INSTEAD.iter().find(|(rust, ..)| *rust == word) else {
                return false;
            };
            errors.on(
                &*segment,
                format_args!("`{word}` is not a PTX type: {why}; write `{instead}`"),
            );
            segment.ident = Ident::new("u64", segment.ident.span());
            true
        }
        PathArguments::AngleBracketed(list) => {
            let of_storage = ["V2", "V3", "V4", "Ptr", "Aligned", "Reg"].contains(&word.as_str());
            let mut refused = false;
            if word == "Ptr" && list.args.len() == 1 && is_space(&list.args[0]) {
                let space = list.args[0].to_token_stream().to_string();
                errors.on(&list.args[0], format_args!("this pointer does not name what it points to; write it, as in `Ptr<{space}, f32>`"));
                list.args.push(syn::parse_quote!(u8));
                return true;
            }
            if word == "Ptr"
                && list.args.len() == 2
                && is_space(&list.args[1])
                && !is_space(&list.args[0])
            {
                let [pointee, space] = [0, 1].map(|n| list.args[n].to_token_stream().to_string());
                errors.on(
                    &list.args,
                    format_args!(
                        "the state space of a pointer comes first; write `Ptr<{space}, {pointee}>`"
                    ),
                );
                *list = syn::parse_quote!(<Global, u8>);
                return true;
            }
            for argument in list.args.iter_mut().filter(|_| of_storage) {
                if let GenericArgument::Type(ty) = argument {
                    if let (Type::Slice(slice), "Ptr") = (ty.peel(), word.as_str()) {
                        let element = slice.elem.to_token_stream();
                        errors.on(&*ty, format_args!("a pointer points to an element of a known size, and indices count from it; write `{element}`"));
                        *ty = syn::parse_quote!(u8);
                        refused = true;
                        continue;
                    }
                    if matches!(word.as_str(), "V2" | "V3" | "V4") && is_composed(ty) {
                        let inner = ty.to_token_stream().to_string().replace(' ', "");
                        errors.on(&*ty, format_args!("the elements of a vector are scalars, and `{inner}` is not one; write an array, as in `[{inner}; 2]`"));
                        *ty = syn::parse_quote!(u32);
                        refused = true;
                        continue;
                    }
                    refused |= refuse_type(ty, errors);
                } else if let GenericArgument::Const(Expr::Lit(lit)) = argument
                    && let Lit::Int(align) = &lit.lit
                    && matches!(word.as_str(), "Ptr" | "Aligned")
                {
                    errors.on(&*lit, format_args!("an alignment is a type here; write `U{align}`"));
                    let natural = Ident::new(&format!("U{align}"), lit.lit.span());
                    *argument = GenericArgument::Type(syn::parse_quote!(#natural));
                    refused = true;
                }
            }
            refused
        }
        PathArguments::Parenthesized(_) => false,
    }
}

/// Whether a generic argument is a state space of pointers.
fn is_space(argument: &GenericArgument) -> bool {
    let GenericArgument::Type(Type::Path(path)) = argument else { return false };
    path.path.get_ident().is_some_and(foreign::is_space)
}

/// Whether a type is a vector or an array.
fn is_composed(ty: &Type) -> bool {
    match ty.peel() {
        Type::Array(_) => true,
        Type::Path(path) if path.qself.is_none() && path.path.segments.len() == 1 => {
            let segment = &path.path.segments[0];
            !segment.arguments.is_none() && ["V2", "V3", "V4"].iter().any(|it| segment.ident == it)
        }
        _ => false,
    }
}

/// What a Rust reference or raw pointer points to: an element, for a slice.
fn pointee(ty: &Type) -> Option<&Type> {
    let pointee = match ty.peel() {
        Type::Reference(reference) => &*reference.elem,
        Type::Ptr(pointer) => &*pointer.elem,
        _ => return None,
    };
    Some(if let Type::Slice(slice) = pointee { &slice.elem } else { pointee })
}

/// The pointer that is meant by a reference to scalars of PTX, so that what uses the parameter has no error of its own.
pub(super) fn meant_pointer(ty: &Type) -> Option<Type> {
    let pointee = pointee(ty)?;
    let Type::Path(path) = pointee else { return None };
    ScalarType::from_rust_name(&path.path.get_ident()?.to_string())?;
    Some(syn::parse_quote_spanned!(ty.span()=> Ptr<Global, #pointee>))
}

/// Reports a Rust reference or raw pointer where storage is declared.
fn refuse_reference(ty: &Type, errors: &mut Errors) {
    let pointee = match pointee(ty) {
        Some(Type::Path(path)) if path.path.is_ident("str") => "u8".to_owned(),
        Some(pointee) => pointee.to_token_stream().to_string(),
        None => return,
    };
    errors.on(ty, format_args!("a Rust reference or pointer has no meaning on the GPU; write `Ptr<Global, {pointee}>`, or another state space"));
}
