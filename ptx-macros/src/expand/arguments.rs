//! The arguments that a kernel takes, as traits with the messages of those that do not fit.

use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use ptx_frontend::ast::{Function, Param};
use ptx_frontend::group::Peel;
use ptx_frontend::ptx_name;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{GenericArgument, PathArguments, PathSegment, Type};

use super::contract::{expand_condition, expand_grid, mentioned};
use super::parts::conditions;
use super::span::moved;

/// The implementations that make a tuple the arguments of a kernel: one says how many there are, the other has a bound
/// for each parameter. Messages show them at the kernel's signature, the bounds at the parameters.
pub(super) fn expand_arguments(
    ptx: &TokenStream,
    item: &Function,
    kernel: &TokenStream,
) -> TokenStream {
    let conditions = conditions(&item.attrs);
    let private = quote!(#ptx::cuda::__private);
    let types: Vec<TokenStream> =
        item.params.iter().map(|param| parameter_type(ptx, param)).collect();
    let names: Vec<Ident> = argument_names(item);
    let bounds = names.iter().zip(&item.params).map(|(name, param)| {
        let (fits, ty) = trait_of(param);
        let fits = Ident::new(fits, Span::call_site());
        let start = param.ident.span();
        let end = ty.to_token_stream().into_iter().last().map_or(start, |token| token.span());
        let (open, close) = (quote_spanned!(start=> <), quote_spanned!(end=> >));
        let path = moved(quote!(#ptx::cuda::#fits), start);
        quote!(#name: #path #open #ty #close)
    });
    let bound: Vec<Ident> = (0..names.len()).map(|n| format_ident!("__ptx_{n}")).collect();
    let index: Vec<_> = (0..names.len()).map(Literal::usize_unsuffixed).collect();
    let count = Literal::usize_unsuffixed(names.len());
    // The compiler need not find out that a number points to nothing.
    let pointed = item.params.iter().zip(&bound).map(|(param, bound)| {
        if is_named(&param.ty, NUMBERS) {
            quote!(#private::Pointed::NONE)
        } else {
            quote!(#bound.pointed())
        }
    });
    let contract = expand_contract(ptx, item, &types, &bound);
    let overlap = expand_overlap(item, &bound);
    let each = names.iter().rev().fold(quote!(()), |rest, name| quote!((#name, #rest)));
    let (start, end) = signature(item);
    let (takes, of_tuple) = (moved(quote!(#ptx::cuda::Takes), start), quote!((#(#names,)*)));
    let fits = moved(quote!(#ptx::cuda::Fits<#kernel>), start);
    let counted = quote!({
        type Each = #each;
        type Counted = #ptx::cuda::Counted;
        const COUNTED: #ptx::cuda::Counted = #ptx::cuda::Counted;
    });
    let (self_type, counted) = (moved(kernel.clone(), end), moved(counted, end));
    let implemented = quote_spanned!(start=> impl);
    let tuple = moved(of_tuple.clone(), start);
    quote! {
        #(#conditions)*
        #[allow(non_camel_case_types, deprecated, clippy::all, clippy::pedantic)]
        #implemented<#(#names),*> #takes<#of_tuple> for #self_type #counted

        #(#conditions)*
        #[allow(non_camel_case_types, deprecated, clippy::all, clippy::pedantic)]
            impl<#(#names),*> #fits for #tuple
            where
                #(#bounds),*
            {
                fn launch(
                    &mut self,
                    _: #ptx::cuda::Counted,
                    __ptx_prepared: &#private::Prepared<'_>,
                ) -> ::core::result::Result<(), #ptx::cuda::LaunchError> {
                    __ptx_prepared.start()?;
                    let (#(#bound,)*) = self;
                    #(
                        let #bound = #ptx::cuda::Argument::<#types>::__bind(
                            #bound, __ptx_prepared, #index,
                        )?;
                    )*
                    #overlap
                    let __ptx_grid = { #contract };
                    let __ptx_words: [::core::primitive::u64; #count] = [#(#bound.word()),*];
                    // SAFETY: there is one address for each parameter, of its bound argument.
                    unsafe {
                        __ptx_prepared.submit(
                            __ptx_grid,
                            &mut [#(#bound.pass(&__ptx_words[#index])),*],
                            &[#(#pointed),*],
                        )
                    }
                }
            }
    }
}

/// The trait of `ptx::cuda` that what fits a parameter has, for its messages, and the type that it is asked
/// for.
fn trait_of(param: &Param) -> (&'static str, &Type) {
    const NO_BUFFERS: &[&str] = &["Shared", "Local", "Const"];
    let segment = last_segment(&param.ty);
    let is_readonly = param.readonly.is_some();
    let name = match segment.map(|segment| segment.ident.to_string()).as_deref() {
        Some("Ptr") => {
            let space = segment.and_then(first_argument);
            let has_buffers = !space.is_some_and(|space| is_named(space, NO_BUFFERS));
            match (has_buffers, is_readonly) {
                (true, true) => "FitsReadOnly",
                (true, false) => "FitsPointer",
                (false, true) => "FitsReadOnlyAddress",
                (false, false) => "FitsAddress",
            }
        }
        Some(_) if is_readonly => "FitsReadOnlyMap",
        Some("TensorMap") => "FitsMap",
        Some(name) if NUMBERS.contains(&name) && !name.starts_with('f') => "FitsInteger",
        _ => "FitsValue",
    };
    (name, &param.ty)
}

/// Where the signature starts and ends: at the kernel's name and at the type of its last parameter.
fn signature(item: &Function) -> (Span, Span) {
    let start = item.ident.span();
    let last = item.params.last().and_then(|param| param.ty.to_token_stream().into_iter().last());
    (start, last.map_or(start, |token| token.span()))
}

fn last_segment(ty: &Type) -> Option<&PathSegment> {
    match ty.peel() {
        Type::Path(path) => path.path.segments.last(),
        _ => None,
    }
}

fn first_argument(segment: &PathSegment) -> Option<&Type> {
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else { return None };
    match arguments.args.first() {
        Some(GenericArgument::Type(ty)) => Some(ty),
        _ => None,
    }
}

/// The comparison of the arguments through which the kernel may write, if there are several.
fn expand_overlap(item: &Function, bound: &[Ident]) -> Option<TokenStream> {
    let may_write = |param: &Param| param.readonly.is_none() && !is_named(&param.ty, NUMBERS);
    let written = item.params.iter().zip(bound).enumerate();
    let written: Vec<TokenStream> = written
        .filter(|(_, (param, _))| may_write(param))
        .map(|(n, (_, bound))| {
            let index = Literal::usize_unsuffixed(n);
            quote!((#index, #bound.written()))
        })
        .collect();
    (written.len() > 1).then(|| quote!(__ptx_prepared.check_overlap([#(#written),*])?;))
}

/// The conditions on the arguments, and the grid that follows from them.
fn expand_contract(
    ptx: &TokenStream,
    item: &Function,
    types: &[TokenStream],
    bound: &[Ident],
) -> TokenStream {
    let contract = &item.contract;
    let expressions: Vec<TokenStream> =
        contract.requires.iter().chain(&contract.grid).map(ToTokens::to_token_stream).collect();
    let seen = item.params.iter().zip(types).zip(bound).filter_map(|((param, ty), bound)| {
        let name = &param.ident;
        if !expressions.iter().any(|expression| mentioned(expression, name)) {
            return None;
        }
        let deref = is_named(&param.ty, NUMBERS).then(|| quote!(*));
        Some(quote! {
            // The name may only be used as the name of a module: `limits::MOST`.
            #[allow(unused_variables)]
            let #name = #deref <#ty as #ptx::cuda::__private::Seen>::seen(&#bound);
        })
    });
    let floats: Vec<Ident> = item
        .params
        .iter()
        .filter(|param| is_named(&param.ty, &["f32", "f64"]))
        .map(|param| param.ident.clone())
        .collect();
    let conditions =
        contract.requires.iter().map(|condition| expand_condition(ptx, condition, &floats));
    let grid = match &contract.grid {
        Some(grid) => expand_grid(ptx, grid),
        None => quote!(::core::option::Option::None),
    };
    quote! {
        #(#seen)*
        #(#conditions)*
        #grid
    }
}

/// Whether a type is one of these by its name.
fn is_named(ty: &Type, names: &[&str]) -> bool {
    match ty.peel() {
        Type::Path(path) => names.iter().any(|name| path.path.is_ident(name)),
        _ => false,
    }
}

/// Rust's numbers, which a contract uses by value.
const NUMBERS: &[&str] = &["u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "f32", "f64"];

/// The type of the parameter that an argument is for: a pointer that is only read through is marked.
fn parameter_type(ptx: &TokenStream, param: &Param) -> TokenStream {
    let ty = &param.ty;
    if param.readonly.is_some() {
        quote_spanned!(ty.span()=> #ptx::cuda::ReadOnly<#ty>)
    } else {
        quote!(#ty)
    }
}

/// The type parameters of an implementation for the tuple of arguments: named after the
/// parameters, so that messages show these names, unless a type of the signature has the name.
fn argument_names(item: &Function) -> Vec<Ident> {
    let params = &item.params;
    let contract = item.contract.requires.iter().chain(&item.contract.grid);
    let contract: TokenStream = contract.map(ToTokens::to_token_stream).collect();
    let name = |(n, param): (usize, &Param)| {
        let name = ptx_name(&param.ident);
        let is_path = starts_path(&contract, &param.ident);
        let is_taken = is_path
            || params.iter().any(|other| mentioned(&other.ty.to_token_stream(), &param.ident));
        let is_root = ["ptx", "core", "crate", "self", "super"].contains(&name.as_str());
        if is_taken || is_root {
            format_ident!("__Ptx{n}")
        } else {
            let mut name = param.ident.clone();
            name.set_span(Span::call_site());
            name
        }
    };
    params.iter().enumerate().map(name).collect()
}

/// Whether the tokens use the name as the start of a path: `name::..`.
fn starts_path(tokens: &TokenStream, name: &Ident) -> bool {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    tokens.iter().enumerate().any(|(n, token)| match token {
        TokenTree::Ident(ident) if ident == name => {
            matches!(tokens.get(n + 1), Some(TokenTree::Punct(punct)) if punct.as_char() == ':')
        }
        TokenTree::Group(group) => starts_path(&group.stream(), name),
        TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}
