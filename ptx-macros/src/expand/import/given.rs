//! Types that the user gives to a file's declarations.

use proc_macro2::{Literal, TokenStream};
use ptx_frontend::ir::{Pointer, Type};
use ptx_frontend::{Class, ScalarType};
use quote::{ToTokens, quote};

use super::super::parts::option;
use super::super::span::{at, require};
use super::super::variable::slice_element;
use super::super::variant::variant;
use super::types::{pointee_align, shown};

/// The PTX declaration of a variable or a parameter.
pub(super) struct Shape<'a> {
    /// Its name in Rust.
    pub(super) name: String,
    /// The function whose parameter it is.
    pub(super) of: Option<String>,
    /// The size in bytes; `None` if the launch decides it.
    pub(super) bytes: Option<usize>,
    pub(super) align: usize,
    /// The declared type.
    pub(super) ty: &'a Type<'a>,
    pub(super) pointer: Option<Pointer<'a>>,
}

/// Compares a type with its PTX declaration during constant evaluation: only rustc knows
/// the sizes of Rust types.
pub(super) fn check(ptx: &TokenStream, shape: &Shape<'_>, ty: &syn::Type) -> TokenStream {
    let Shape { name, of, bytes, align, ty: declared, pointer } = shape;
    let written = shown(&ty.to_token_stream(), ptx);
    let number = |number: usize| Literal::usize_unsuffixed(number).into_token_stream();
    let of = option(of.as_ref().map(|of| quote!(#of)));
    let (bytes, align) = (option(bytes.map(number)), number(*align));
    let pointer = option(pointer.as_ref().map(|pointer| {
        let space = option(pointer.space.map(|space| {
            let space = variant(&space);
            quote!(#ptx::Space::#space)
        }));
        let align = number(pointee_align(pointer));
        quote!((#space, #align))
    }));
    let element = option(number_of(declared).map(|scalar| {
        let scalar = variant(&scalar);
        quote!(#ptx::ScalarType::#scalar)
    }));
    let element_ty = slice_element(ty);
    let (is_slice, ty) = (element_ty.is_some(), element_ty.unwrap_or(ty));
    let shape = quote! {
        &#ptx::__private::Shape {
            written: #written, name: #name, of: #of, bytes: #bytes, align: #align, element: #element,
            pointer: #pointer, is_slice: #is_slice,
        }
    };
    let of = |what| at(ty, quote!(<#ty as #ptx::PtxType>::#what));
    let (layout, points) = (of(quote!(TYPE)), of(quote!(POINTER)));
    let (size, align) =
        (quote!(::core::mem::size_of::<#ty>()), quote!(::core::mem::align_of::<#ty>()));
    let layout = quote!((#layout, #points, #size, #align));
    let check = require(ptx, ty, quote!(#ptx::__private::check_shape(#shape, #layout)));
    quote!(const _: () = #check)
}

/// The type of the elements as numbers; `None` for bytes and bits, which may be any type.
fn number_of(ty: &Type<'_>) -> Option<ScalarType> {
    match ty {
        Type::Scalar(scalar) | Type::Vector(_, scalar) => match scalar.class() {
            Class::Float => Some(*scalar),
            Class::Signed | Class::Unsigned if scalar.bytes() > 1 => Some(*scalar),
            Class::Signed | Class::Unsigned | Class::Bits | Class::Predicate => None,
        },
        Type::Array(_, inner) | Type::Aligned(_, inner) | Type::Family(_, inner) => {
            number_of(inner)
        }
        Type::Struct(_) | Type::Opaque(_) | Type::Unknown => None,
    }
}
