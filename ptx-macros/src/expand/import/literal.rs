//! Declarations as literals of the IR.

use proc_macro2::{Literal, TokenStream};
use ptx_frontend::ir::{Address, Directive, Init, Link, Unified, Variable};
use quote::quote;

use super::super::parts::option;
use super::super::ty;
use super::super::variant::variant;

/// A variable without a handle: a declaration in a body, or one whose type Rust does not have. Only the text has
/// its value.
pub(super) fn variable(ptx: &TokenStream, variable: &Variable<'_>) -> TokenStream {
    let Variable { name, space, linkage, align, ty, init, managed, unified, .. } = *variable;
    let (space, linkage) = (variant(&space), variant(&linkage));
    let ty = ty::ty(ptx, ty, &mut |count| ty::extent(ptx, count));
    let align = option(align.map(|align| Literal::usize_unsuffixed(align).into()).map(tokens));
    let init = match init {
        Init::None => quote!(None),
        _ => quote!(Unknown(&[])),
    };
    let unified = unified_ir(ptx, unified);
    quote! {
        &#ptx::ir::Variable {
            linkage: #ptx::ir::Linkage::#linkage,
            align: #align,
            init: #ptx::ir::Init::#init,
            managed: #managed,
            unified: #unified,
            ..#ptx::ir::Variable::new(#ptx::Space::#space, #name, #ty)
        }
    }
}

fn tokens(token: proc_macro2::TokenTree) -> TokenStream {
    token.into()
}

/// The identifier of a unified symbol, as an `Option`.
pub(super) fn unified_ir(ptx: &TokenStream, unified: Option<Unified>) -> TokenStream {
    option(
        unified.map(
            |Unified { upper, lower }| quote!(#ptx::ir::Unified { upper: #upper, lower: #lower }),
        ),
    )
}

pub(super) fn directive(ptx: &TokenStream, directive: Directive) -> TokenStream {
    let (kind, values) = (variant(&directive.kind), directive.values);
    quote! {
        #ptx::ir::Directive {
            kind: #ptx::ir::DirectiveKind::#kind,
            values: [#(#values),*],
        }
    }
}

/// An address in an initial value, and its offset there.
pub(super) fn link(ptx: &TokenStream, link: &Link<'_>) -> TokenStream {
    let Link { at, size, address: Address { symbol, generic, addend }, byte } = link;
    let byte = option(byte.map(|byte| {
        let mask = byte.mask();
        quote!(#ptx::__private::byte(#mask))
    }));
    quote! {
        #ptx::ir::Link {
            at: #at,
            size: #size,
            address: #ptx::ir::Address { symbol: #symbol, generic: #generic, addend: #addend },
            byte: #byte,
        }
    }
}
