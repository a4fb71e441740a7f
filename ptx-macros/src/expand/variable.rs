//! Turns storage declarations into typed handles.

use proc_macro2::{Literal, TokenStream};
use ptx_frontend::address::{InitialAddress, InitialPart, Meaning, replace};
use ptx_frontend::ast::{Module, Variable};
use ptx_frontend::group::Peel;
use ptx_frontend::integer::Integer;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, Type};

use super::editor;
use super::late::{Late, Siblings};
use super::number::{count_check, number};
use super::parts::{allow_deprecated, conditions, option};
use super::place::Places;
use super::span::{at, inside, require};
use super::variant::variant;

pub(super) fn expand_variable(
    ptx: &TokenStream,
    item: &Variable,
    index: usize,
    module: &Module,
    places: &mut Places,
) -> TokenStream {
    let Variable { attrs, vis, ident, value, .. } = item;
    let space = variant(&item.space);
    let rust = rust_type(&item.ty, value.as_ref());
    let is_unchecked = module.args.is_unchecked;
    let is_checked = !item.refused && !is_unchecked;
    let handle = handle(ptx, item, module, &rust, places);
    let late = &Late::new(ptx, Siblings::of_item(module, index, |_| true));
    let check = is_checked.then(|| deferred_check(ptx, late, item, module));
    let address_checks = (!is_unchecked).then(|| address_checks(ptx, late, item, module));
    let tables = late.tables(&conditions(attrs), &quote!(&[]), &[]);
    // The keyword has the user's span, so that rustc's errors about the item point there.
    let static_token = syn::Token![static](ident.span());
    let declaration = if editor::is_running() {
        editor::expand_declared(ptx, item, &rust)
    } else {
        quote! {
            #(#attrs)*
            #vis #static_token #ident: #ptx::Variable<#ptx::#space, #rust> = #handle;
        }
    };
    let tokens = quote! {
        #declaration
        #check
        #address_checks
        #tables
    };
    inside(ident.span(), item.end, tokens)
}

/// The handle of a variable: its declaration besides its space and its type, which rustc
/// takes from the type of the item.
fn handle(
    ptx: &TokenStream,
    item: &Variable,
    module: &Module,
    rust: &TokenStream,
    places: &mut Places,
) -> TokenStream {
    let Variable { ident, name, value, allow, .. } = item;
    let linkage = variant(&item.linkage);
    let typed = match slice_element(&item.ty) {
        Some(_) => {
            let ty = aligned_type(ptx, item);
            quote!(#ptx::__private::Typed::slice(#ty))
        }
        // The extents of an array are not repeated: rustc would evaluate them again.
        None if matches!(item.ty.peel(), Type::Array(_))
            || (has_arguments(&item.ty) && value.is_none()) =>
        {
            quote_spanned!(item.ty.span()=> <_ as #ptx::PtxType>::TYPED)
        }
        None => {
            let ty = &item.ty;
            quote_spanned!(ty.span()=> <#ty as #ptx::PtxType>::TYPED)
        }
    };
    // The value of a slice is not written; a rule refuses it.
    let value = value.as_ref().filter(|_| slice_element(&item.ty).is_none());
    let place = places.of(ptx, ident);
    let declared = quote!(#name, #ptx::ir::Linkage::#linkage, #place, #typed);
    let (constants, new, linked) = match value {
        Some(value) if item.is_linked => {
            let constants = linked_value(ptx, item, module, value, rust);
            let linked = quote! {
                .__linked(
                    &__PTX_VALUES[0], #ptx::__private::linked(&__PTX_VALUES[0], &__PTX_LINKS),
                )
            };
            (Some(constants), quote!(__new(#declared)), Some(linked))
        }
        // In a block, rustc compares the type of the value itself, not that of a reference.
        Some(value) => {
            let value =
                if continues_block(value) { quote!((#value)) } else { value.to_token_stream() };
            (None, quote!(__initialised(#declared, const { &{ #value } })), None)
        }
        None => (None, quote!(__new(#declared)), None),
    };
    let align = item.align.as_ref().map(|align| number(ptx, align));
    let align = align.map(|align| quote!(.__aligned(#align)));
    let managed = item.managed.then(|| quote!(.__managed()));
    let unified = item.unified.as_ref().map(|(upper, lower)| quote!(.__unified(#upper, #lower)));
    let allow = (!allow.is_empty()).then(|| quote!(.__allow(&[#(#allow),*])));
    let handle = quote! {
        #ptx::Variable::#new #align #managed #unified #allow #linked
    };
    match constants {
        Some(constants) => quote!({ #constants #handle }),
        None => handle,
    }
}

/// Whether an expression starts with a block that would be a statement of its own: `if a { 1 } else { 2 } + 1`.
fn continues_block(expr: &Expr) -> bool {
    let first = match expr {
        Expr::Binary(expr) => &expr.left,
        Expr::Cast(expr) => &expr.expr,
        Expr::Index(expr) => &expr.expr,
        Expr::Field(expr) => &expr.base,
        Expr::MethodCall(expr) => &expr.receiver,
        Expr::Call(expr) => &expr.func,
        Expr::Range(expr) => match &expr.start {
            Some(start) => start,
            None => return false,
        },
        _ => return false,
    };
    let is_block = matches!(
        &**first,
        Expr::If(_)
            | Expr::Match(_)
            | Expr::Block(_)
            | Expr::Unsafe(_)
            | Expr::Const(_)
            | Expr::Loop(_)
            | Expr::While(_)
    );
    is_block || continues_block(first)
}

/// Whether a type is a path with arguments: `Tile<A>`.
fn has_arguments(ty: &Type) -> bool {
    match ty.peel() {
        Type::Path(path) => path.path.segments.iter().any(|it| !it.arguments.is_none()),
        _ => false,
    }
}

/// A value with addresses: the constants that it is made of, and its IR.
///
/// The value becomes a function of a round, in which the addresses are all zeros or all ones: the bytes that
/// differ between the rounds are those of the addresses.
fn linked_value(
    ptx: &TokenStream,
    item: &Variable,
    module: &Module,
    value: &Expr,
    rust: &TokenStream,
) -> TokenStream {
    let mut body = value.clone();
    let mut number = 0;
    let mut masks = Vec::new();
    replace(&mut body, |found| match found {
        InitialPart::Masked(mask, value) => {
            masks.push(mask.clone());
            let (mask, value) = (mask_of(ptx, &mask), integer(ptx, &value));
            syn::parse_quote! {
                #ptx::__private::masked(#mask, #value)
            }
        }
        // This was reported; the value is left out.
        InitialPart::Changed(expr) | InitialPart::Malformed(expr) => expr,
        InitialPart::Address(address) => {
            number += 1;
            if let Some(mask) = &address.mask {
                masks.push(mask.clone());
                return syn::parse_quote! {
                    #ptx::__private::placeholder_byte(#number, __ptx_round)
                };
            }
            let meaning = item.addresses.get(number - 1).map(|address| address.meaning);
            let space = match meaning.map(|meaning| (address.generic, meaning)) {
                Some((false, Meaning::Variable(index))) => match module.variable(index) {
                    Some(target) => {
                        let space = variant(&target.space);
                        quote!(#ptx::#space)
                    }
                    None => quote!(#ptx::Generic),
                },
                Some((false, Meaning::Function(_))) => quote!(#ptx::Code),
                _ => quote!(#ptx::Generic),
            };
            let (symbol, index) = (ptx_frontend::ptx_name(&address.symbol), number - 1);
            let call = quote! {
                #ptx::__private::placeholder::<_, #space>(
                    #number, __ptx_round, #symbol, __PTX_NUMBERED[#index].aligned,
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
        let check = require(ptx, mask, quote!(__PTX_CHECK.mask(#value)));
        quote!(const _: () = #check)
    });
    let locate = at(value, quote!(#ptx::__private::locate_links(__PTX_VALUES, __PTX_NUMBERED)));
    quote! {
        #(#masks)*
        #[allow(clippy::all, clippy::pedantic)]
        const fn __ptx_value(__ptx_round: ::core::primitive::u32) -> #rust {
            #body
        }
        const __PTX_VALUES: &[#rust; #rounds_count] = &[#(#rounds),*];
        const __PTX_NUMBERED: &[#ptx::__private::Numbered] = &[#(#numbered),*];
        #[allow(long_running_const_eval, clippy::large_const_arrays)]
        const __PTX_LINKS: [#ptx::ir::Link<'static>; #ptx::__private::count_links(__PTX_VALUES)] =
            #locate;
    }
}

/// The alignment of an address in bytes; 0, a multiple of everything, if it does not matter.
fn aligned(ptx: &TokenStream, module: &Module, address: &InitialAddress) -> TokenStream {
    let target = match address.meaning {
        Meaning::Variable(index) if !address.refused => module.variable(index),
        Meaning::Variable(_) | Meaning::Function(_) | Meaning::Unknown => None,
    };
    let Some(target) = target else { return quote!(0) };
    let (ir, ident) = (address_ir(ptx, address), &target.ident);
    // If several items have the name, rustc chooses.
    let (ty, align) = if conditions(&target.attrs).is_empty() {
        (aligned_type(ptx, target), option(target.align.as_ref().map(|align| number(ptx, align))))
    } else {
        (quote!(#ident.ir().ty), quote!(#ident.ir().align))
    };
    quote!(#ptx::__private::aligned(#ty, #align, &#ir))
}

/// The type of a variable without the extent that its value determines. Its `ir()` includes the value: the values of a
/// chain of variables that point to one another would be evaluated inside one another.
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

/// A number of bytes, possibly negative: a literal as it is, any other expression of any integer type.
fn integer(ptx: &TokenStream, number: &Integer<i128>) -> TokenStream {
    match number.known() {
        Some(known) => Literal::i128_suffixed(known).into_token_stream(),
        None => at(number, quote!(#ptx::__private::to_i128(#number))),
    }
}

fn address_ir(ptx: &TokenStream, address: &InitialAddress) -> TokenStream {
    let (symbol, generic) = (&address.name, address.generic);
    let addends = address.addends.iter().enumerate().map(|(n, (negative, number))| {
        let number = integer(ptx, number);
        match (negative, n) {
            (true, _) => quote!(- #number),
            (false, 0) => number,
            (false, _) => quote!(+ #number),
        }
    });
    let addend: TokenStream = addends.collect();
    let addend = if addend.is_empty() { quote!(0) } else { addend };
    quote! {
        #ptx::ir::Address { symbol: #symbol, generic: #generic, addend: #addend }
    }
}

/// Checks of addresses that the tokens do not decide: offsets and sizes.
fn address_checks(
    ptx: &TokenStream,
    late: &Late<'_>,
    item: &Variable,
    module: &Module,
) -> TokenStream {
    let (holder, allow) = (&item.ident, allow_deprecated(module));
    let check = |address: &InitialAddress| {
        let Meaning::Variable(index) = address.meaning else { return None };
        let target = module.variable(index)?;
        // Without an offset, only a tensor map's demands on the address can fail.
        let is_plain = address.addends.is_empty() && !address.generic;
        if address.refused || is_plain || item.value.is_none() {
            return None;
        }
        let (ir, target) = (address_ir(ptx, address), &target.ident);
        let found = quote!(__PTX_CHECK.address(&#ir, #target.ir(), #holder.ir()));
        let check = late.require(&address.tokens, found);
        let conditions = conditions(&item.attrs);
        Some(quote! {
            #(#conditions)*
            #allow
            const _: () = #check
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
        // No value determines it, which was reported.
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

/// The deferred check: one constant, which judges the declaration unless its type is the one that the macro
/// assumed, with a call at each token that a rule can report.
fn deferred_check(
    ptx: &TokenStream,
    late: &Late<'_>,
    item: &Variable,
    module: &Module,
) -> TokenStream {
    let allow = allow_deprecated(module);
    let ident = &item.ident;
    let counts = item.align.as_ref().and_then(|align| count_check(ptx, late, align));
    // Where the tokens show neither the type nor a family, no type meets the assumption.
    let assumption = match &item.assumption {
        Some(assumption) => assumption,
        None if ptx_frontend::is_family(&item.ty) => &Vec::new(),
        None => &vec![0],
    };
    let assumption = Literal::byte_string(assumption);
    let checked = match slice_element(&item.ty) {
        Some(_) => quote!(__PTX_CHECK.variable(#ident.ir(), (0, 0), #assumption)),
        None => quote!(#ident.__checked(__PTX_CHECK, #assumption)),
    };
    let all = quote!(let __ptx_found = #checked;);
    let of_type = late.require_after(&all, &item.ty, quote!(__ptx_found.ty));
    let of_align = item.align.as_ref();
    let of_align = of_align.map(|align| late.require_after(&all, align, quote!(__ptx_found.align)));
    let of_value = item.value.as_ref();
    let of_value = of_value.map(|value| late.require_after(&all, value, quote!(__ptx_found.value)));
    let conditions = conditions(&item.attrs);
    quote! {
        #(#conditions)*
        #allow
        const _: () = { #counts #all #of_type #of_align #of_value };
    }
}
