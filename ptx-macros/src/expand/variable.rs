//! Storage to typed handles.

use proc_macro2::{Literal, TokenStream};
use ptx_syntax::ast::Variable;
use ptx_syntax::ptx_name;
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, Type};

use super::span::at;
use super::{conditions, number, option, space_variant};

pub(super) fn expand_variable(ptx: &TokenStream, item: &Variable) -> TokenStream {
    let Variable { attrs, vis, ident, value, allow, .. } = item;
    let name = ptx_name(ident);
    let space = space_variant(item.space);
    let linkage = format_ident!("{}", item.linkage.variant());
    let managed = item.managed;
    let rust = rust_type(&item.ty, value.as_ref());
    let ir_type = match slice_element(&item.ty) {
        Some(element) => quote_spanned! {item.ty.span()=>
            &#ptx::ir::Type::Array(#ptx::ir::Extent::Incomplete, <#element as #ptx::PtxType>::TYPE)
        },
        None => quote_spanned!(item.ty.span()=> <#rust as #ptx::PtxType>::TYPE),
    };
    let align = option(item.align.as_ref().map(|align| number(ptx, align)));
    let has_bytes = slice_element(&item.ty).is_none();
    let initial = option(value.as_ref().map(|value| {
        quote! {{
            const __PTX_VALUE: #rust = #value;
            &__PTX_VALUE
        }}
    }));
    let init = match value {
        Some(_) if has_bytes => quote!(#ptx::__private::init_of(__PTX_INITIAL)),
        Some(_) | None => quote!(#ptx::ir::Init::None),
    };
    let checks = if item.refused { TokenStream::new() } else { late_checks(ptx, item, &rust) };
    // Keywords at the user's token, so that what rustc says of the item points there.
    let static_token = syn::Token![static](ident.span());
    quote! {
        #(#attrs)*
        #vis #static_token #ident: #ptx::Variable<#ptx::#space, #rust> = {
            const __PTX_INITIAL: ::core::option::Option<&#rust> = #initial;
            #ptx::Variable::__new(
                #ptx::ir::Variable {
                    name: #name,
                    space: #ptx::Space::#space,
                    linkage: #ptx::ir::Linkage::#linkage,
                    align: #align,
                    ty: #ir_type,
                    init: #init,
                    managed: #managed,
                    allow: &[#(#allow),*],
                },
                __PTX_INITIAL,
            )
        };
        #checks
    }
}

/// The Rust type of a variable's value, with `_` as the first extent taken from the value.
fn rust_type(ty: &Type, value: Option<&Expr>) -> TokenStream {
    match (ty, value) {
        (Type::Array(array), Some(value)) if matches!(array.len, Expr::Infer(_)) => {
            let element = &array.elem;
            match peel(value) {
                Expr::Array(list) => {
                    let count = Literal::usize_unsuffixed(list.elems.len());
                    quote!([#element; #count])
                }
                _ => quote!([#element; {
                    const __PTX_VALUE: &[#element] = &{ #value };
                    __PTX_VALUE.len()
                }]),
            }
        }
        // No value settles it, which was reported.
        (Type::Array(array), None) if matches!(array.len, Expr::Infer(_)) => {
            let element = &array.elem;
            quote!([#element; 1])
        }
        (Type::Group(group), value) => rust_type(&group.elem, value),
        _ => quote!(#ty),
    }
}

fn peel(expr: &Expr) -> &Expr {
    match expr {
        Expr::Group(group) => peel(&group.expr),
        Expr::Paren(paren) => peel(&paren.expr),
        other => other,
    }
}

fn slice_element(ty: &Type) -> Option<&Type> {
    match ty {
        Type::Slice(slice) => Some(&slice.elem),
        Type::Group(group) => slice_element(&group.elem),
        Type::Paren(paren) => slice_element(&paren.elem),
        _ => None,
    }
}

/// The late checks: one constant, with a call at each token that a rule can blame.
fn late_checks(ptx: &TokenStream, item: &Variable, rust: &TokenStream) -> TokenStream {
    let ident = &item.ident;
    let require = |part: TokenStream| {
        quote! {
            #ptx::__private::require_variable(
                #ident.ir(), __PTX_ENVIRONMENT, #ptx::rules::Part::#part
            )
        }
    };
    let of_type = at(&item.ty, require(quote!(Type)));
    let of_layout = slice_element(&item.ty).is_none().then(|| {
        let require = quote! {
            #ptx::__private::require_layout(
                #ident.ir().ty,
                ::core::mem::size_of::<#rust>(),
                ::core::mem::align_of::<#rust>(),
            )
        };
        at(&item.ty, require)
    });
    let of_align = item.align.as_ref().map(|align| at(align, require(quote!(Align))));
    let conditions = conditions(&item.attrs);
    quote! {
        #(#conditions)*
        #[allow(deprecated)]
        const _: () = { #of_type; #of_layout; #of_align };
    }
}
