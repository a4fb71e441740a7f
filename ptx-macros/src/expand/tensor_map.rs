//! `#[tensor_map]`.

use proc_macro2::{Literal, TokenStream};
use ptx_frontend::tensor::rules::Field;
use ptx_frontend::tensor::{ElementType, Interleave, Mode, Spec};
use ptx_frontend::tensor_map::{Instantiated, TensorMap};
use quote::{ToTokens, format_ident, quote};

use super::documentation::hidden;
use super::facade::facade;
use super::instances::Generic;
use super::late::{Late, Siblings};
use super::parts::option;
use super::span::at;
use super::variant::variant;

/// The items of a map, or of the instances of a generic one and of the type that chooses among them.
pub(crate) fn expand_tensor_maps(maps: &[Instantiated]) -> TokenStream {
    let all: Vec<String> = maps.iter().map(|(map, _)| map.ident().to_string()).collect();
    let items = maps.iter().map(|(map, instance)| {
        let name = map.ident().to_string();
        let siblings = instance.as_ref();
        let siblings = siblings.map(|it| Siblings::new(it.label(), name, all.clone()));
        expand_tensor_map(map, siblings)
    });
    let items: TokenStream = items.collect();
    let generic = Generic::of_maps(maps);
    let generic = generic.and_then(|generic| generic.expand_map());
    hidden(quote!(#items #generic))
}

fn expand_tensor_map(map: &TensorMap, siblings: Option<Siblings>) -> TokenStream {
    let ptx = facade(map.krate.as_ref());
    let (item, ident, vis) = (&map.item, map.ident(), &map.item.vis);
    let name = ident.to_string();
    let spec = spec(&ptx, map);
    let element = element(&ptx, map);
    let rank = format_ident!("U{}", map.spec.rank);
    let span = format_ident!("U{}", map.spec.swizzle.span());
    let align = format_ident!("U{}", map.spec.swizzle.alignment());
    let base = match (map.spec.interleave, map.spec.element.is_padded()) {
        (Interleave::B32, _) | (_, true) => format_ident!("U32"),
        (Interleave::None | Interleave::B16, false) => format_ident!("U16"),
    };
    let checks = checks(&ptx, &Late::new(&ptx, siblings), map);
    let allowed = &map.allow;
    let inherent = inherent(&ptx, map);
    quote! {
        #item

        // SAFETY: the storage and the alignment are those of the declaration.
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

        #[allow(dead_code)] // a map need not use all of these
        impl #ident {
            /// The declaration.
            #vis const SPEC: #ptx::tensor::Spec = <Self as #ptx::tensor::MapType>::SPEC;
            /// The bytes of a tile in shared memory.
            #vis const BYTES: ::core::primitive::usize = <Self as #ptx::tensor::MapType>::BYTES;
            /// The bytes from one tile to the next in an array.
            #vis const STRIDE: ::core::primitive::usize = <Self as #ptx::tensor::MapType>::STRIDE;
            /// The bytes by which a copy of one tile completes the transaction of its barrier.
            #vis const TRANSACTION_BYTES: ::core::primitive::usize = <Self as #ptx::tensor::MapType>::TRANSACTION_BYTES;

            /// The offset in the swizzled tile of the byte that has this offset without the swizzle.
            #vis const fn swizzle(offset: ::core::primitive::usize) -> ::core::primitive::usize {
                Self::SPEC.swizzle(offset)
            }

            #inherent
        }

        #checks
    }
}

/// The methods that depend on the mode.
fn inherent(ptx: &TokenStream, map: &TensorMap) -> TokenStream {
    let vis = &map.item.vis;
    let dims = map.spec.tile_coordinates();
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
    match map.spec.mode {
        Mode::Im2colW { .. } | Mode::Im2colW128 { .. } => found.extend(quote! {
            /// The same as [`TRANSACTION_BYTES`](Self::TRANSACTION_BYTES), with this many halo pixels in the
            /// instruction; `None` if it does not take that many.
            #vis const fn transaction_bytes(
                halo: ::core::primitive::u32,
            ) -> ::core::option::Option<::core::primitive::usize> {
                Self::SPEC.transaction_bytes_with_halo(halo)
            }
        }),
        Mode::Tiled { .. } => found.extend(quote! {
            /// The descriptor of the tile as a `wgmma` matrix, without its address; or why the tile has none.
            #vis const fn matrix_descriptor(
                major: #ptx::tensor::Major,
            ) -> ::core::result::Result<#ptx::tensor::MatrixDescriptor, #ptx::tensor::MatrixError> {
                Self::SPEC.matrix_descriptor(major)
            }
        }),
        Mode::Gather4 { .. } | Mode::Scatter4 { .. } | Mode::Im2col { .. } => {}
    }
    found
}

fn spec(ptx: &TokenStream, map: &TensorMap) -> TokenStream {
    let tensor = quote!(#ptx::tensor);
    let Spec {
        element, rank, element_strides, interleave, swizzle, l2_promotion, oob_fill, ..
    } = &map.spec;
    let [element, interleave, swizzle, promotion, fill] = [
        variant(element),
        variant(interleave),
        variant(swizzle),
        variant(l2_promotion),
        variant(oob_fill),
    ];
    let rank = Literal::u32_unsuffixed(*rank);
    let strides = array(ptx, map, Field::ElementStride, element_strides);
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
    let of_pixels = |variant: &str, lower, upper, channels: &u32, pixels: &u32| {
        let variant = format_ident!("{variant}");
        let channels = number(ptx, map, Field::ChannelsPerPixel, channels);
        let pixels = number(ptx, map, Field::PixelsPerColumn, pixels);
        quote! {
            #mode::#variant {
                lower: #lower,
                upper: #upper,
                channels_per_pixel: #channels,
                pixels_per_column: #pixels,
            }
        }
    };
    let lower = |lower: &i32| number(ptx, map, Field::Lower(0), lower);
    let upper = |upper: &i32| number(ptx, map, Field::Upper(0), upper);
    match &map.spec.mode {
        Mode::Tiled { box_dims } => {
            let extents = array(ptx, map, Field::Box, box_dims);
            quote!(#mode::Tiled { box_dims: #extents })
        }
        Mode::Gather4 { row } => {
            let row = number(ptx, map, Field::Row, row);
            quote!(#mode::Gather4 { row: #row })
        }
        Mode::Scatter4 { row } => {
            let row = number(ptx, map, Field::Row, row);
            quote!(#mode::Scatter4 { row: #row })
        }
        Mode::Im2col { lower, upper, channels_per_pixel, pixels_per_column } => of_pixels(
            "Im2col",
            array(ptx, map, Field::Lower, lower),
            array(ptx, map, Field::Upper, upper),
            channels_per_pixel,
            pixels_per_column,
        ),
        Mode::Im2colW { lower: low, upper: up, channels_per_pixel, pixels_per_column } => {
            of_pixels("Im2colW", lower(low), upper(up), channels_per_pixel, pixels_per_column)
        }
        Mode::Im2colW128 { lower: low, upper: up, channels_per_pixel, pixels_per_column } => {
            of_pixels("Im2colW128", lower(low), upper(up), channels_per_pixel, pixels_per_column)
        }
    }
}

/// A lowered number of the map, or the expression that rustc evaluates in its place.
fn number(
    ptx: &TokenStream,
    map: &TensorMap,
    field: Field,
    lowered: &impl ToTokens,
) -> TokenStream {
    let deferred = map.deferred.iter().find(|(deferred, _)| *deferred == field);
    let Some((_, expr)) = deferred else { return quote!(#lowered) };
    if is_corner(field) {
        return at(expr, quote!(#ptx::__private::to_i32(#expr)));
    }
    let value = at(expr, quote!(#ptx::__private::to_usize(#expr)));
    quote!(#ptx::__private::to_u32(#value))
}

fn array(
    ptx: &TokenStream,
    map: &TensorMap,
    field: fn(usize) -> Field,
    lowered: &[impl ToTokens],
) -> TokenStream {
    let values = lowered.iter().enumerate().map(|(i, value)| number(ptx, map, field(i), value));
    quote!([#(#values),*])
}

/// Whether a field is a coordinate, which may be negative.
fn is_corner(field: Field) -> bool {
    matches!(field, Field::Lower(_) | Field::Upper(_))
}

/// The host's type of an element.
fn element(ptx: &TokenStream, map: &TensorMap) -> TokenStream {
    if let Some(host) = map.host {
        let host = format_ident!("{host}");
        return quote!(#ptx::#host);
    }
    match map.spec.element {
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
        // A missing feature `half` is reported at this token.
        ElementType::F16 => at(map.place(Field::Element), quote!(#ptx::__private::half::f16)),
        // A load rounds an `f32` to `tf32`.
        ElementType::F32 | ElementType::F32Ftz | ElementType::Tf32 | ElementType::Tf32Ftz => {
            quote!(::core::primitive::f32)
        }
        ElementType::F64 => quote!(::core::primitive::f64),
        ElementType::Bf16 => at(map.place(Field::Element), quote!(#ptx::__private::half::bf16)),
    }
}

/// The rules that rustc checks, each at the tokens where it is reported.
fn checks(ptx: &TokenStream, late: &Late<'_>, map: &TensorMap) -> TokenStream {
    if map.deferred.is_empty() {
        return late.tables(&[], &quote!(&[]), &[]);
    }
    let ident = map.ident();
    let target = option(map.target.map(|target| {
        let target = variant(&target);
        quote!(#ptx::Target::#target)
    }));
    let allow = &map.allow;
    let spec = quote!(&<#ident as #ptx::tensor::MapType>::SPEC, #target, &[#(#allow),*]);
    let counts = map.deferred.iter().filter(|(field, _)| !is_corner(*field)).map(|(_, expr)| {
        let check = late.require(expr, quote!(#ptx::__private::check_count(#expr)));
        quote!(const _: () = #check)
    });
    let check = |tokens: &TokenStream, fields: TokenStream| {
        late.require(tokens, quote!(#ptx::__private::check_map(#spec, #fields)))
    };
    let fields: Vec<TokenStream> = map.places.iter().map(|(field, _)| path(ptx, *field)).collect();
    let asked = map.places.iter().zip(&fields).map(|((_, tokens), field)| {
        let check = check(tokens, quote!(&[#field], true));
        quote!(const _: () = #check)
    });
    let rest = check(&ident.to_token_stream(), quote!(&[#(#fields),*], false));
    let checks = quote!(#(#counts)* #(#asked)* const _: () = #rest);
    let tables = late.tables(&[], &quote!(&[]), &[]);
    quote!(#checks #tables)
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
