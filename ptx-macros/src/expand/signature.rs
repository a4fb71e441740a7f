//! Parameters and directives.

use proc_macro2::{Literal, TokenStream};
use ptx_frontend::ast::{Directive, ExampleLaunch, Function, Param};
use ptx_frontend::integer::Integer;
use ptx_frontend::ptx_name;
use quote::{ToTokens, quote, quote_spanned};
use syn::Type;
use syn::spanned::Spanned;

use super::number::number;
use super::parts::option;
use super::place::Places;
use super::span::at;
use super::variable::slice_element;
use super::variant::variant;

/// The tuple of the parameters' types.
pub(super) fn tuple(params: &[Param]) -> TokenStream {
    let types = params.iter().map(|param| sized(&param.ty));
    quote!((#(#types,)*))
}

/// The type as the host has it: a variable argument list has no elements.
pub(super) fn sized(ty: &Type) -> TokenStream {
    match slice_element(ty) {
        Some(element) => quote!([#element; 0]),
        None => ty.to_token_stream(),
    }
}

pub(super) fn param_ir(
    ptx: &TokenStream,
    param: &Param,
    function: &Function,
    places: &mut Places,
) -> TokenStream {
    let name = ptx_name(&param.ident);
    let allow = param.allowed(function);
    let sized = sized(&param.ty);
    let value = quote_spanned!(param.ty.span()=> <#sized as #ptx::PtxType>);
    let ty = match slice_element(&param.ty) {
        Some(element) => quote_spanned! {param.ty.span()=>
            &#ptx::ir::Type::Array(#ptx::ir::Extent::Incomplete, <#element as #ptx::PtxType>::TYPE)
        },
        None => quote!(#value::TYPE),
    };
    let space = variant(&param.space);
    let align = option(param.align.as_ref().map(|align| number(ptx, align)));
    let place = option(Some(places.of(ptx, &param.ident)));
    let readonly = param.readonly.is_some();
    let elements = function.contract.elements(&param.ident);
    let elements =
        option(elements.map(|count| Literal::usize_unsuffixed(count).into_token_stream()));
    quote! {
        #ptx::ir::Param {
            variable: #ptx::ir::Variable {
                align: #align,
                place: #place,
                allow: &[#(#allow),*],
                ..#ptx::ir::Variable::new(#ptx::Space::#space, #name, #ty)
            },
            pointer: #value::POINTER,
            readonly: #readonly,
            elements: #elements,
        }
    }
}

/// The example of a launch.
pub(super) fn launch_ir(ptx: &TokenStream, launch: &ExampleLaunch, all: &[Param]) -> TokenStream {
    let ExampleLaunch { block, grid, cluster, dynamic, params, contents } = launch;
    let word = |value: &Integer| {
        let value = number(ptx, value);
        quote!(#ptx::__private::to_u32(#value))
    };
    let extents = |values: &Vec<Integer>| {
        option((!values.is_empty()).then(|| {
            let mut values: Vec<TokenStream> = values.iter().map(word).collect();
            values.resize(3, quote!(1));
            quote!([#(#values),*])
        }))
    };
    let (block, grid, cluster) = (extents(block), extents(grid), extents(cluster));
    let dynamic = option(dynamic.as_ref().map(word));
    let params = params.iter().map(|(ident, is_length, value)| {
        let name = ptx_name(ident);
        let of = all.iter().find(|param| param.ident == *ident).map(|param| sized(&param.ty));
        let check = of.map(|ty| {
            let ty = quote!(<#ty as #ptx::PtxType>);
            if *is_length {
                let message =
                    format!("`{name}` is not a pointer, and has no length: write `{name} = ..`");
                return quote_spanned! {ident.span()=>
                    ::core::assert!(#ty::POINTER.is_some(), #message);
                };
            }
            let of_pointer =
                format!("`{name}` is a pointer: write the number of elements, `{name}.len() = ..`");
            let of_float =
                format!("`{name}` is not an integer, and its value is not followed: remove it");
            quote_spanned! {ident.span()=>
                ::core::assert!(#ty::POINTER.is_none(), #of_pointer);
                ::core::assert!(#ptx::__private::is_integer(#ty::TYPE), #of_float);
            }
        });
        let value = match value.known() {
            Some(known) => {
                let known = Literal::u64_unsuffixed(u64::try_from(known).unwrap_or(u64::MAX));
                quote!(#known)
            }
            None => at(value, quote!(#ptx::__private::passed(#value))),
        };
        let kind = if *is_length { quote!(Elements) } else { quote!(Number) };
        quote!({ #check (#name, #ptx::ir::Passed::#kind(#value)) })
    });
    let contents = contents.iter().map(|(ident, words)| {
        let name = ptx_name(ident);
        let of = all.iter().find(|param| param.ident == *ident).map(|param| sized(&param.ty));
        let check = of.map(|ty| {
            let message = format!("`{name}` is not a pointer, and has no words: write a number");
            quote_spanned! {ident.span()=>
                ::core::assert!(<#ty as #ptx::PtxType>::POINTER.is_some(), #message);
            }
        });
        let words = words.iter().map(word);
        quote!({ #check (#name, &[#(#words),*]) })
    });
    quote! {
        &#ptx::ir::ExampleLaunch {
            block: #block,
            grid: #grid,
            cluster: #cluster,
            dynamic: #dynamic,
            params: &[#(#params),*],
            contents: &[#(#contents),*],
        }
    }
}

pub(super) fn directive_ir(ptx: &TokenStream, directive: &Directive) -> TokenStream {
    let kind = variant(&directive.kind);
    let value = |value| {
        let value = number(ptx, value);
        quote!(#ptx::__private::to_u32(#value))
    };
    let mut values: Vec<TokenStream> = directive.values.iter().map(value).collect();
    values.resize(3, quote!(1));
    quote!(#ptx::ir::Directive { kind: #ptx::ir::DirectiveKind::#kind, values: [#(#values),*] })
}
