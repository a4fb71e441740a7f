//! Types read from PTX, as tokens.

use proc_macro2::TokenStream;
use ptx_frontend::ir::{Extent, Type};
use quote::quote;

use super::variant::variant;

/// A type, as a reference; `extent` writes its extents, from the outermost. Structs and Rust's own types
/// never come from PTX.
pub(super) fn ty(
    ptx: &TokenStream,
    ty: &Type<'_>,
    extent: &mut impl FnMut(Extent) -> TokenStream,
) -> TokenStream {
    let inner = match ty {
        Type::Scalar(scalar) => {
            let scalar = variant(scalar);
            quote!(Scalar(#ptx::ScalarType::#scalar))
        }
        Type::Vector(lanes, scalar) => {
            let scalar = variant(scalar);
            quote!(Vector(#lanes, #ptx::ScalarType::#scalar))
        }
        Type::Array(count, element) => {
            let (count, element) = (extent(*count), self::ty(ptx, element, extent));
            quote!(Array(#count, #element))
        }
        Type::Family(count, member) => {
            let (count, member) = (extent(*count), self::ty(ptx, member, extent));
            quote!(Family(#count, #member))
        }
        Type::Opaque(opaque) => {
            let opaque = variant(opaque);
            quote!(Opaque(#ptx::Opaque::#opaque))
        }
        Type::Aligned(align, inner) => {
            let inner = self::ty(ptx, inner, extent);
            quote!(Aligned(#align, #inner))
        }
        Type::Struct(_) | Type::Unknown => quote!(Unknown),
    };
    quote!(&#ptx::ir::Type::#inner)
}

/// An extent as it is known.
pub(super) fn extent(ptx: &TokenStream, extent: Extent) -> TokenStream {
    let extent = match extent {
        Extent::Known(count) => quote!(Known(#count)),
        Extent::Incomplete => quote!(Incomplete),
        Extent::Unknown => quote!(Unknown),
    };
    quote!(#ptx::ir::Extent::#extent)
}
