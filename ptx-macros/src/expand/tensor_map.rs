//! `#[tensor_map]`.

use proc_macro2::{Literal, TokenStream};
use ptx_frontend::tensor::rules::Field;
use ptx_frontend::tensor::{ElementType, Interleave};
use ptx_frontend::tensor_map::{Element, Mode, TensorMap, Walk};
use quote::{format_ident, quote};
use syn::{Expr, Ident};

use super::span::at;
use super::{count_check, facade, number, option};

pub(crate) fn expand_tensor_map(map: &TensorMap) -> TokenStream {
    let ptx = facade(map.krate.as_ref());
    let (item, ident, vis) = (&map.item, map.ident(), &map.item.vis);
    let name = ident.to_string();
    let spec = spec(&ptx, map);
    let element = element(&ptx, map.element);
    let rank = format_ident!("U{}", map.rank);
    let span = format_ident!("U{}", map.swizzle.span());
    let align = format_ident!("U{}", map.swizzle.alignment());
    let base = match (map.interleave, map.element.ty.is_padded()) {
        (Interleave::B32, _) | (_, true) => format_ident!("U32"),
        (Interleave::None | Interleave::B16, false) => format_ident!("U16"),
    };
    let checks = checks(&ptx, map);
    let allowed = &map.allow;
    let inherent = inherent(&ptx, map);
    quote! {
        #item

        // SAFETY: the storage and the alignment are what the declaration says.
        #[automatically_derived]
        unsafe impl #ptx::tensor::MapType for #ident {
            const SPEC: #ptx::tensor::Spec = #spec;
            const NAME: &'static ::core::primitive::str = #name;
            const ALLOWED: &'static [&'static ::core::primitive::str] = &[#(#allowed),*];
            type Element = #element;
            type Rank = #ptx::__private::typenum::#rank;
            type SwizzleSpan = #ptx::__private::typenum::#span;
            type Align = #ptx::__private::typenum::#align;
            type BaseAlign = #ptx::__private::typenum::#base;
            type Storage = [::core::primitive::u8; <#ident>::STRIDE];
        }

        #[allow(dead_code)] // a map need not use all that it has
        impl #ident {
            /// What the declaration says.
            #vis const SPEC: #ptx::tensor::Spec = <Self as #ptx::tensor::MapType>::SPEC;
            /// The bytes of a tile as it lies in shared memory.
            #vis const BYTES: ::core::primitive::usize = <Self as #ptx::tensor::MapType>::BYTES;
            /// The bytes from one tile to the next in an array.
            #vis const STRIDE: ::core::primitive::usize = <Self as #ptx::tensor::MapType>::STRIDE;
            /// The bytes by which a copy of one tile completes the transaction of its barrier.
            #vis const TRANSACTION_BYTES: ::core::primitive::usize = <Self as #ptx::tensor::MapType>::TRANSACTION_BYTES;

            /// Where the byte goes that would lie at this offset of the tile without the swizzle.
            #vis const fn swizzle(offset: ::core::primitive::usize) -> ::core::primitive::usize {
                Self::SPEC.swizzle(offset)
            }

            #inherent
        }

        #checks
    }
}

/// What depends on the mode.
fn inherent(ptx: &TokenStream, map: &TensorMap) -> TokenStream {
    let vis = &map.item.vis;
    let dims = match map.mode {
        Mode::Tiled { .. } => map.rank as usize,
        Mode::Gather4 { .. } | Mode::Scatter4 { .. } | Mode::Im2col { .. } => 2,
    };
    let coordinates = (0..5).map(|i| if i < dims { quote!(at[#i]) } else { quote!(0) });
    let mut found = quote! {
        /// The offset in bytes of an element from the start of its tile in shared memory, with the
        /// swizzle; `None` outside the tile. Coordinates count elements, the innermost first.
        #vis const fn element_offset(
            at: [::core::primitive::u32; #dims],
        ) -> ::core::option::Option<::core::primitive::usize> {
            Self::SPEC.element_offset([#(#coordinates),*])
        }
    };
    match map.mode {
        Mode::Im2col { walk: Walk::W | Walk::W128, .. } => found.extend(quote! {
            /// As [`TRANSACTION_BYTES`](Self::TRANSACTION_BYTES), with so many halo pixels in the
            /// instruction; `None` if it does not take so many.
            #vis const fn transaction_bytes(
                halo: ::core::primitive::u32,
            ) -> ::core::option::Option<::core::primitive::usize> {
                Self::SPEC.transaction_bytes_with_halo(halo)
            }
        }),
        Mode::Tiled { .. } => found.extend(quote! {
            /// The descriptor of the tile as a matrix of `wgmma`, without its address; `None` where
            /// there is none.
            #vis const fn matrix_descriptor(
                major: #ptx::tensor::Major,
            ) -> ::core::option::Option<#ptx::tensor::MatrixDescriptor> {
                Self::SPEC.matrix_descriptor(major)
            }
        }),
        Mode::Gather4 { .. } | Mode::Scatter4 { .. } | Mode::Im2col { walk: Walk::Box, .. } => {}
    }
    found
}

fn spec(ptx: &TokenStream, map: &TensorMap) -> TokenStream {
    let tensor = quote!(#ptx::tensor);
    let element = format_ident!("{}", map.element.ty.variant());
    let interleave = format_ident!("{}", map.interleave.variant());
    let swizzle = format_ident!("{}", map.swizzle.name());
    let promotion = format_ident!("{}", map.l2_promotion.variant());
    let fill = format_ident!("{}", map.oob_fill.variant());
    let rank = Literal::u32_unsuffixed(map.rank);
    let strides = counts(ptx, &map.element_strides);
    let mode = mode(ptx, map);
    quote! {
        #tensor::Spec {
            element: #tensor::ElementType::#element,
            rank: #rank,
            mode: #mode,
            element_strides: #strides,
            interleave: #tensor::Interleave::#interleave,
            swizzle: #tensor::Swizzle::#swizzle,
            l2_promotion: #tensor::L2Promotion::#promotion,
            oob_fill: #tensor::OobFill::#fill,
        }
    }
}

fn mode(ptx: &TokenStream, map: &TensorMap) -> TokenStream {
    let mode = quote!(#ptx::tensor::Mode);
    match &map.mode {
        Mode::Tiled { extents } => {
            let extents = counts(ptx, extents);
            quote!(#mode::Tiled { box_dims: #extents })
        }
        Mode::Gather4 { row } => {
            let row = count(ptx, row);
            quote!(#mode::Gather4 { row: #row })
        }
        Mode::Scatter4 { row } => {
            let row = count(ptx, row);
            quote!(#mode::Scatter4 { row: #row })
        }
        Mode::Im2col { walk, lower, upper, channels, pixels } => {
            let channels = count(ptx, channels);
            let pixels = match pixels {
                Some(pixels) => count(ptx, pixels),
                None => quote!(#mode::W128_PIXELS),
            };
            let (variant, lower, upper) = match walk {
                Walk::Box => ("Im2col", corners(ptx, lower), corners(ptx, upper)),
                Walk::W => ("Im2colW", corner(ptx, &lower[0]), corner(ptx, &upper[0])),
                Walk::W128 => ("Im2colW128", corner(ptx, &lower[0]), corner(ptx, &upper[0])),
            };
            let variant = Ident::new(variant, proc_macro2::Span::call_site());
            quote! {
                #mode::#variant {
                    lower: #lower,
                    upper: #upper,
                    channels_per_pixel: #channels,
                    pixels_per_column: #pixels,
                }
            }
        }
    }
}

/// A number of elements of any integer type.
fn count(ptx: &TokenStream, expr: &Expr) -> TokenStream {
    let value = number(ptx, expr);
    quote!(#ptx::__private::to_u32(#value))
}

fn counts(ptx: &TokenStream, exprs: &[Expr]) -> TokenStream {
    let values = (0..5).map(|i| exprs.get(i).map_or(quote!(1), |expr| count(ptx, expr)));
    quote!([#(#values),*])
}

/// A corner of any integer type.
fn corner(ptx: &TokenStream, expr: &Expr) -> TokenStream {
    at(expr, quote!(#ptx::__private::to_i32(#expr)))
}

fn corners(ptx: &TokenStream, exprs: &[Expr]) -> TokenStream {
    let values = (0..3).map(|i| exprs.get(i).map_or(quote!(0), |expr| corner(ptx, expr)));
    quote!([#(#values),*])
}

/// What the host holds for an element.
fn element(ptx: &TokenStream, element: Element) -> TokenStream {
    if let Some(host) = element.host {
        let host = format_ident!("{host}");
        return quote!(#ptx::#host);
    }
    match element.ty {
        ElementType::U8
        | ElementType::B4x16
        | ElementType::B4x16P64
        | ElementType::B6x16P32
        | ElementType::B6P2x16 => quote!(::core::primitive::u8),
        ElementType::U16 => quote!(::core::primitive::u16),
        ElementType::U32 => quote!(::core::primitive::u32),
        ElementType::I32 => quote!(::core::primitive::i32),
        ElementType::U64 => quote!(::core::primitive::u64),
        ElementType::I64 => quote!(::core::primitive::i64),
        ElementType::F16 => quote!(#ptx::__private::half::f16),
        // A load rounds an `f32` to `tf32`.
        ElementType::F32 | ElementType::F32Ftz | ElementType::Tf32 | ElementType::Tf32Ftz => {
            quote!(::core::primitive::f32)
        }
        ElementType::F64 => quote!(::core::primitive::f64),
        ElementType::Bf16 => quote!(#ptx::__private::half::bf16),
    }
}

/// The rules that rustc asks, each at the tokens that it blames.
fn checks(ptx: &TokenStream, map: &TensorMap) -> TokenStream {
    if map.is_judged {
        return TokenStream::new();
    }
    let ident = map.ident();
    let target = option(map.target.map(|target| {
        let target = format_ident!("{}", target.variant());
        quote!(#ptx::Target::#target)
    }));
    let allow = &map.allow;
    let spec = quote!(&<#ident as #ptx::tensor::MapType>::SPEC, #target, &[#(#allow),*]);
    let counted: Vec<&Expr> = match &map.mode {
        Mode::Tiled { extents } => extents.iter().collect(),
        Mode::Gather4 { row } | Mode::Scatter4 { row } => vec![row],
        Mode::Im2col { channels, pixels, .. } => [channels].into_iter().chain(pixels).collect(),
    };
    let counted = counted.into_iter().chain(&map.element_strides);
    let counted = counted
        .filter_map(|expr| count_check(ptx, expr).map(|check| quote!(const _: () = { #check };)));
    let fields: Vec<TokenStream> = map.places.iter().map(|(field, _)| path(ptx, *field)).collect();
    let asked = map.places.iter().zip(&fields).map(|((_, tokens), field)| {
        let check = at(tokens, quote!(#ptx::__private::require_map_field(#spec, #field)));
        quote!(const _: () = #check;)
    });
    let rest = at(ident, quote!(#ptx::__private::require_map_else(#spec, &[#(#fields),*])));
    quote! {
        #(#counted)*
        #(#asked)*
        const _: () = #rest;
    }
}

/// The field as a Rust expression.
fn path(ptx: &TokenStream, field: Field) -> TokenStream {
    let field_type = quote!(#ptx::tensor::rules::Field);
    let (variant, index) = match field {
        Field::Element => ("Element", None),
        Field::Rank => ("Rank", None),
        Field::Mode => ("Mode", None),
        Field::Box(i) => ("Box", Some(i)),
        Field::Row => ("Row", None),
        Field::Tile => ("Tile", None),
        Field::ElementStride(i) => ("ElementStride", Some(i)),
        Field::Interleave => ("Interleave", None),
        Field::Swizzle => ("Swizzle", None),
        Field::OobFill => ("OobFill", None),
        Field::Lower(i) => ("Lower", Some(i)),
        Field::Upper(i) => ("Upper", Some(i)),
        Field::ChannelsPerPixel => ("ChannelsPerPixel", None),
        Field::PixelsPerColumn => ("PixelsPerColumn", None),
        Field::Address => ("Address", None),
        Field::Dim(i) => ("Dim", Some(i)),
        Field::Stride(i) => ("Stride", Some(i)),
    };
    let variant = format_ident!("{variant}");
    match index {
        Some(index) => quote!(#field_type::#variant(#index)),
        None => quote!(#field_type::#variant),
    }
}
