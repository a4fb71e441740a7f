//! `#[derive(PtxType)]`.

use proc_macro2::TokenStream;
use ptx_frontend::derive::Struct;
use ptx_frontend::padded::PADDING;
use ptx_frontend::ptx_name;
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Generics, Index};

use super::facade::facade;
use super::span::require;

pub(crate) fn expand_derive(item: &Struct) -> TokenStream {
    let ptx = facade(item.krate.as_ref());
    let Struct { ident, fields, .. } = item;
    let name = ptx_name(ident);
    let mut generics = item.generics.clone();
    if !generics.params.is_empty() {
        for (_, ty) in fields {
            let bound = syn::parse_quote!(#ty: #ptx::PtxType);
            generics.make_where_clause().predicates.push(bound);
        }
    }
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    let field_irs = fields.iter().map(|(field, ty)| {
        let name = field.to_string();
        let name = name.strip_prefix("r#").unwrap_or(&name);
        let ty = quote_spanned!(ty.span()=> <#ty as #ptx::PtxType>);
        quote!(#ptx::ir::Field {
            name: #name,
            offset: ::core::mem::offset_of!(Self, #field),
            ty: #ty::TYPE,
            pointer: #ty::POINTS,
        })
    });
    // A gap is reported at the field that follows it, and a gap at the end at the struct.
    let blamed = fields.iter().map(|(field, _)| field.clone()).chain([quote!(#ident)]);
    let checks: TokenStream = blamed
        .enumerate()
        .filter(|_| item.is_checked)
        .map(|(i, tokens)| require(&ptx, tokens, quote!(#ptx::__private::check_padding(ty, #i))))
        .collect();
    // A generic struct has no layout yet; its checks are deferred until the types are known.
    let (inside, apart) = if generics.params.is_empty() {
        let apart = quote! {
            const _: () = {
                let ty = <#ident as #ptx::PtxType>::TYPE;
                #checks
            };
        };
        (TokenStream::new(), apart)
    } else {
        (checks, TokenStream::new())
    };
    let offsets = expand_offsets(item, &generics);
    let host = cfg!(feature = "cuda").then(|| {
        quote! {
            #ptx::__cuda! {
                // SAFETY: it has no padding and no host pointers, as `PtxType` checks.
                #[automatically_derived]
                unsafe impl #impl_generics #ptx::cuda::__private::DeviceRepr
                    for #ident #type_generics #where_clause {}

                // SAFETY: all zeros is a valid value of each field.
                #[automatically_derived]
                unsafe impl #impl_generics #ptx::cuda::__private::ValidAsZeroBits
                    for #ident #type_generics #where_clause {}
            }
        }
    });
    quote! {
        // SAFETY: `repr(C)` or `repr(transparent)` lays out the fields as `TYPE` describes, each field is
        // storage itself, and the checks refuse padding.
        #[automatically_derived]
        #[allow(deprecated)]
        unsafe impl #impl_generics #ptx::PtxType for #ident #type_generics #where_clause {
            const TYPE: &'static #ptx::ir::Type<'static> = {
                let ty = &#ptx::ir::Type::Struct(#ptx::ir::Struct {
                    name: #name,
                    size: ::core::mem::size_of::<Self>(),
                    align: ::core::mem::align_of::<Self>(),
                    fields: &[#(#field_irs),*],
                    kind: #ptx::ir::StructKind::Fields,
                });
                #inside
                ty
            };
            const TYPED: #ptx::__private::Typed<Self> =
                #ptx::__private::Typed::of(<Self as #ptx::PtxType>::TYPE);
        }
        // SAFETY: each field is valid for every bit pattern, or is not copied as a value.
        #[automatically_derived]
        #[allow(deprecated)]
        unsafe impl #impl_generics #ptx::DeviceCopy for #ident #type_generics #where_clause {
            type Passing = #ptx::__private::ByValue;
        }
        #apart
        #offsets
        #host
    }
}

/// `Config::OFFSETS`: the offsets of the fields, under the fields' names.
fn expand_offsets(item: &Struct, generics: &Generics) -> TokenStream {
    let Struct { vis, ident, fields, .. } = item;
    let name = format_ident!("{ident}Offsets");
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    let fields = fields.iter().map(|(field, _)| field);
    let fields: Vec<&TokenStream> =
        fields.filter(|field| !field.to_string().starts_with(PADDING)).collect();
    let is_tuple =
        fields.first().is_some_and(|field| syn::parse2::<Index>((*field).clone()).is_ok());
    let doc = format!("Where the fields of [`{ident}`] are, in bytes from its start.");
    let declaration = if is_tuple {
        let types = fields.iter().map(|_| quote!(pub ::core::primitive::usize));
        quote!(#vis struct #name(#(#types),*);)
    } else {
        let docs = fields.iter().map(|field| format!("Where `{field}` is, in bytes."));
        quote!(#vis struct #name { #(#[doc = #docs] pub #fields: ::core::primitive::usize),* })
    };
    quote! {
        #[doc = #doc]
        #[allow(dead_code, missing_copy_implementations, missing_debug_implementations)]
        #declaration

        #[allow(dead_code, deprecated)]
        impl #impl_generics #ident #type_generics #where_clause {
            #[doc = #doc]
            #vis const OFFSETS: #name = #name {
                #(#fields: ::core::mem::offset_of!(Self, #fields)),*
            };
        }
    }
}
