//! `#[ptx::padded]`.

use proc_macro2::{Literal, TokenStream};
use ptx_frontend::padded::{PADDING, PaddedStruct};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Fields, parse_quote_spanned};

use super::facade::facade;

pub(crate) fn expand_padded(padded: PaddedStruct) -> TokenStream {
    let ptx = facade(None);
    let PaddedStruct { mut item, align } = padded;
    let (ident, vis) = (item.ident.clone(), item.vis.clone());
    let gaps = format_ident!("__PTX_GAPS_OF_{ident}");
    let Fields::Named(fields) = &mut item.fields else { return quote!(#item) };
    let named = core::mem::take(&mut fields.named);
    let sizes: Vec<TokenStream> = named
        .iter()
        .map(|field| {
            let ty = &field.ty;
            quote_spanned! {ty.span()=>
                (::core::mem::size_of::<#ty>(), ::core::mem::align_of::<#ty>())
            }
        })
        .collect();
    let count = Literal::usize_unsuffixed(sizes.len() + 1);
    let padding = |n: usize| {
        let (name, n) = (format_ident!("{PADDING}{n}"), Literal::usize_unsuffixed(n));
        parse_quote_spanned! {ident.span()=>
            #[doc(hidden)] #vis #name: #ptx::Padding<{ #gaps[#n] }>
        }
    };
    for (n, field) in named.into_iter().enumerate() {
        fields.named.push(padding(n));
        fields.named.push(field);
    }
    fields.named.push(padding(sizes.len()));
    let align = align.map_or_else(|| quote!(1), |align| quote!(#align));
    quote! {
        #item

        #[doc(hidden)]
        #[allow(non_upper_case_globals)]
        const #gaps: [::core::primitive::usize; #count] =
            #ptx::__private::gaps(&[#(#sizes),*], #align);

        #[allow(dead_code)]
        impl #ident {
            /// A value of all zeros, whose padding other values take: `Self { .., ..Self::PADDING }`.
            #vis const PADDING: Self = #ptx::__private::zeros();
        }
    }
}
