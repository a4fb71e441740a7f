//! Storage to typed handles.

use proc_macro2::{Literal, TokenStream};
use ptx_frontend::address::{Found, InitialAddress, Meaning, replace};
use ptx_frontend::ast::{Item, Module, Variable};
use ptx_frontend::group::Peel;
use ptx_frontend::integer::Integer;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, Type};

use super::fragment::{conditions, option};
use super::number::{count_check, number, unified_ir};
use super::place::item_place;
use super::span::at;
use super::variant::variant;

pub(super) fn expand_variable(ptx: &TokenStream, item: &Variable, module: &Module) -> TokenStream {
    let Variable { attrs, vis, ident, name, value, allow, .. } = item;
    let space = variant(&item.space);
    let linkage = variant(&item.linkage);
    let managed = item.managed;
    let unified = item.unified.as_ref();
    let unified = option(unified.map(|(upper, lower)| unified_ir(ptx, upper, lower)));
    let rust = rust_type(&item.ty, value.as_ref());
    let ir_type = match slice_element(&item.ty) {
        Some(_) => aligned_type(ptx, item),
        None => quote_spanned!(item.ty.span()=> <#rust as #ptx::PtxType>::TYPE),
    };
    let align = option(item.align.as_ref().map(|align| number(ptx, align)));
    let has_bytes = slice_element(&item.ty).is_none();
    let (constants, init) = match value {
        Some(value) if has_bytes && value_has_addresses(value) => {
            linked_value(ptx, item, module, value, &rust)
        }
        Some(value) => {
            let constants = quote! {
                const __PTX_INITIAL: ::core::option::Option<&#rust> =
                    ::core::option::Option::Some({
                        const __PTX_VALUE: #rust = #value;
                        &__PTX_VALUE
                    });
            };
            let init = if has_bytes {
                quote!(#ptx::__private::init_of(__PTX_INITIAL))
            } else {
                quote!(#ptx::ir::Init::None)
            };
            (constants, init)
        }
        None => {
            let constants = quote! {
                const __PTX_INITIAL: ::core::option::Option<&#rust> =
                    ::core::option::Option::None;
            };
            (constants, quote!(#ptx::ir::Init::None))
        }
    };
    let is_unjudged = module.args.is_unjudged;
    let is_judged = !item.refused && !is_unjudged;
    let checks = is_judged.then(|| deferred_checks(ptx, item, &rust));
    let address_checks = (!is_unjudged).then(|| address_checks(ptx, item, module));
    let place = item_place(ptx, ident);
    // Keywords at the user's token, so that what rustc says of the item points there.
    let static_token = syn::Token![static](ident.span());
    quote! {
        #(#attrs)*
        #vis #static_token #ident: #ptx::Variable<#ptx::#space, #rust> = {
            #constants
            #ptx::Variable::__new(
                #ptx::ir::Variable {
                    name: #name,
                    space: #ptx::Space::#space,
                    linkage: #ptx::ir::Linkage::#linkage,
                    align: #align,
                    ty: #ir_type,
                    init: #init,
                    managed: #managed,
                    unified: #unified,
                    allow: &[#(#allow),*],
                    place: #place,
                },
                __PTX_INITIAL,
            )
        };
        #checks
        #address_checks
    }
}

fn value_has_addresses(value: &Expr) -> bool {
    let mut found = false;
    replace(&mut value.clone(), |_| {
        found = true;
        syn::parse_quote!(0)
    });
    found
}

/// A value with addresses: the constants that it is made of, and its IR.
///
/// The value becomes a function of a round, whose addresses are zeros or ones: where its bytes
/// differ from one round to the next, there the addresses are.
fn linked_value(
    ptx: &TokenStream,
    item: &Variable,
    module: &Module,
    value: &Expr,
    rust: &TokenStream,
) -> (TokenStream, TokenStream) {
    let mut body = value.clone();
    let mut number = 0;
    let mut masks = Vec::new();
    replace(&mut body, |found| match found {
        Found::Masked(mask, value) => {
            masks.push(mask.clone());
            let (mask, value) = (mask_of(ptx, &mask), integer(ptx, &value));
            syn::parse_quote! {
                #ptx::__private::masked(#mask, #value)
            }
        }
        // Reported, and the value left out.
        Found::Changed(expr) | Found::Malformed(expr) => expr,
        Found::Address(address) => {
            number += 1;
            if let Some(mask) = &address.mask {
                masks.push(mask.clone());
                return syn::parse_quote! {
                    #ptx::__private::placeholder_byte(#number, __PTX_ROUND)
                };
            }
            let meaning = item.addresses.get(number - 1).map(|address| address.meaning);
            let space = match meaning.map(|meaning| (address.generic, meaning)) {
                Some((false, Meaning::Variable(index))) => match module.items.get(index) {
                    Some(Item::Variable(target)) => {
                        let space = variant(&target.space);
                        quote!(#ptx::#space)
                    }
                    _ => quote!(#ptx::Generic),
                },
                Some((false, Meaning::Function(_))) => quote!(#ptx::Code),
                _ => quote!(#ptx::Generic),
            };
            let (symbol, index) = (ptx_frontend::ptx_name(&address.symbol), number - 1);
            let call = quote! {
                #ptx::__private::placeholder::<_, #space>(
                    #number, __PTX_ROUND, #symbol, __PTX_NUMBERED[#index].aligned,
                )
            };
            Expr::Verbatim(at(&address.tokens, call))
        }
    });
    let is_allowed =
        item.allow.contains(&ptx_frontend::POINTED.code) || item.refused || module.refused;
    let numbered = item.addresses.iter().map(|address| {
        let byte = option(
            address
                .mask
                .as_ref()
                .map(|mask| mask_of(ptx, mask))
                .map(|mask| quote!(#ptx::__private::byte(#mask))),
        );
        let ir = address_ir(ptx, address);
        let aligned = if is_allowed || address.mask.is_some() {
            quote!(0)
        } else {
            aligned(ptx, module, address)
        };
        quote!(#ptx::__private::Numbered { address: #ir, byte: #byte, aligned: #aligned })
    });
    let rounds_count = Literal::u32_unsuffixed(ptx_frontend::rounds(number));
    let rounds =
        (0..ptx_frontend::rounds(number)).map(|round| at(value, quote!(__ptx_value(#round))));
    let masks = masks.iter().map(|mask| {
        let value = mask_of(ptx, mask);
        let check = at(mask, quote!(#ptx::__private::require_mask(#value)));
        quote!(const _: () = #check;)
    });
    let locate = at(value, quote!(#ptx::__private::locate_links(__PTX_VALUES, __PTX_NUMBERED)));
    let constants = quote! {
        #(#masks)*
        #[allow(clippy::all, clippy::pedantic)]
        const fn __ptx_value(__PTX_ROUND: ::core::primitive::u32) -> #rust {
            #body
        }
        const __PTX_VALUES: &[#rust; #rounds_count] = &[#(#rounds),*];
        const __PTX_NUMBERED: &[#ptx::__private::Numbered] = &[#(#numbered),*];
        #[allow(long_running_const_eval)]
        const __PTX_LINKS: [#ptx::ir::Link<'static>; #ptx::__private::count_links(__PTX_VALUES)] =
            #locate;
        const __PTX_INITIAL: ::core::option::Option<&#rust> =
            ::core::option::Option::Some(&__PTX_VALUES[0]);
    };
    (constants, quote!(#ptx::__private::linked(&__PTX_VALUES[0], &__PTX_LINKS)))
}

/// What an address is aligned to, in bytes; 0, a multiple of everything, where no one asks.
fn aligned(ptx: &TokenStream, module: &Module, address: &InitialAddress) -> TokenStream {
    let target = match address.meaning {
        Meaning::Variable(index) if !address.refused => module.items.get(index),
        Meaning::Variable(_) | Meaning::Function(_) | Meaning::Unknown => None,
    };
    let Some(Item::Variable(target)) = target else { return quote!(0) };
    let (ir, ident) = (address_ir(ptx, address), &target.ident);
    // Where several stand under the name, rustc chooses.
    let (ty, align) = if conditions(&target.attrs).is_empty() {
        (aligned_type(ptx, target), option(target.align.as_ref().map(|align| number(ptx, align))))
    } else {
        (quote!(#ident.ir().ty), quote!(#ident.ir().align))
    };
    quote!(#ptx::__private::aligned(#ty, #align, &#ir))
}

/// The type of a variable without what its value settles. Its `ir()` has the value, too: the values of a
/// chain of variables that point to one another would be evaluated one inside the other.
fn aligned_type(ptx: &TokenStream, item: &Variable) -> TokenStream {
    let element = match item.ty.peel() {
        Type::Slice(slice) => &slice.elem,
        Type::Array(array) if matches!(array.len, Expr::Infer(_)) => &array.elem,
        ty => return quote_spanned!(ty.span()=> <#ty as #ptx::PtxType>::TYPE),
    };
    quote_spanned! {item.ty.span()=>
        &#ptx::ir::Type::Array(#ptx::ir::Extent::Incomplete, <#element as #ptx::PtxType>::TYPE)
    }
}

/// A mask: a literal as it is, any other expression of any integer type.
fn mask_of(ptx: &TokenStream, number: &Integer<u64>) -> TokenStream {
    match number.known() {
        Some(mask) => Literal::u64_suffixed(mask).into_token_stream(),
        None => at(number, quote!(#ptx::__private::to_mask(#number))),
    }
}

/// A number of bytes, below zero too: a literal as it is, any other expression of any integer type.
fn integer(ptx: &TokenStream, number: &Integer<i128>) -> TokenStream {
    match number.known() {
        Some(known) => Literal::i128_suffixed(known).into_token_stream(),
        None => at(number, quote!(#ptx::__private::to_i128(#number))),
    }
}

fn address_ir(ptx: &TokenStream, address: &InitialAddress) -> TokenStream {
    let (symbol, generic) = (&address.name, address.generic);
    let addends = address.addends.iter().map(|(negative, number)| {
        let number = integer(ptx, number);
        if *negative { quote!(- #number) } else { quote!(+ #number) }
    });
    quote! {
        #ptx::ir::Address { symbol: #symbol, generic: #generic, addend: 0 #(#addends)* }
    }
}

/// What tokens do not tell of addresses: offsets and sizes.
fn address_checks(ptx: &TokenStream, item: &Variable, module: &Module) -> TokenStream {
    let holder = &item.ident;
    let check = |address: &InitialAddress| {
        let Meaning::Variable(index) = address.meaning else { return None };
        let Some(Item::Variable(target)) = module.items.get(index) else { return None };
        // Without an offset, only what a tensor map makes of the address can be wrong.
        let is_plain = address.addends.is_empty() && !address.generic;
        if address.refused || is_plain || item.value.is_none() {
            return None;
        }
        let (ir, target) = (address_ir(ptx, address), &target.ident);
        let require = quote! {
            #ptx::__private::require_address(&#ir, #target.ir(), #holder.ir())
        };
        let (check, conditions) = (at(&address.tokens, require), conditions(&item.attrs));
        Some(quote! {
            #(#conditions)*
            #[allow(deprecated)]
            const _: () = #check;
        })
    };
    item.addresses.iter().filter_map(check).collect()
}

/// The Rust type of a variable's value, with `_` as the first extent taken from the value.
pub(super) fn rust_type(ty: &Type, value: Option<&Expr>) -> TokenStream {
    match (ty, value) {
        (Type::Array(array), Some(value)) if matches!(array.len, Expr::Infer(_)) => {
            let element = &array.elem;
            match value.peel() {
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

pub(super) fn slice_element(ty: &Type) -> Option<&Type> {
    match ty.peel() {
        Type::Slice(slice) => Some(&slice.elem),
        _ => None,
    }
}

/// The deferred checks: one constant, with a call at each token that a rule can blame.
fn deferred_checks(ptx: &TokenStream, item: &Variable, rust: &TokenStream) -> TokenStream {
    let ident = &item.ident;
    let require = |part: TokenStream| {
        quote! {
            #ptx::__private::require_variable(
                #ident.ir(), __PTX_ENVIRONMENT, #ptx::rules::Blame::#part
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
    let of_family = (!ptx_frontend::is_family(&item.ty)).then(|| {
        let check = at(&item.ty, quote!(#ptx::__private::require_no_family(#ident.ir().ty)));
        quote!(#check;)
    });
    let counts = item.align.as_ref().and_then(|align| count_check(ptx, align));
    let of_align = item.align.as_ref().map(|align| at(align, require(quote!(Align))));
    let of_value = item.value.as_ref().map(|value| at(value, require(quote!(Value))));
    let conditions = conditions(&item.attrs);
    quote! {
        #(#conditions)*
        #[allow(deprecated)]
        const _: () = { #of_family #counts #of_type; #of_layout; #of_align; #of_value };
    }
}
