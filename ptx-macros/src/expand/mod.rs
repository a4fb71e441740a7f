//! Checked declarations to typed items.

mod about;
mod access;
mod contract;
mod demand;
mod derive;
mod function;
mod launch;
mod local;
mod module;
mod operand;
mod place;
mod span;
mod sum;
mod table;
mod tensor_map;
mod text;
mod variable;

use proc_macro_crate::{FoundCrate, crate_name};
use proc_macro2::{Literal, Span, TokenStream};
use quote::{format_ident, quote};
use syn::{Attribute, Expr, Ident, Path};

pub(crate) use derive::expand_derive;
pub(crate) use module::expand_module;
pub(crate) use tensor_map::expand_tensor_map;

/// The path to the facade, whatever `Cargo.toml` calls it.
fn facade(given: Option<&Path>) -> TokenStream {
    if let Some(path) = given {
        return quote!(#path);
    }
    match crate_name("ptx") {
        Ok(FoundCrate::Name(name)) => {
            let name = Ident::new(&name, Span::call_site());
            quote!(::#name)
        }
        Ok(FoundCrate::Itself) | Err(_) => quote!(::ptx),
    }
}

/// The attributes that decide whether an item exists.
fn conditions(attrs: &[Attribute]) -> Vec<&Attribute> {
    attrs.iter().filter(|attr| attr.path().is_ident("cfg")).collect()
}

/// `Some(..)` or `None`, wherever the expansion lands.
fn option(value: Option<TokenStream>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}

/// The name of a variant without fields.
fn variant(of: impl core::fmt::Debug) -> Ident {
    format_ident!("{}", format!("{of:?}"))
}

/// A number that an attribute takes: a literal as it is, any other expression of any integer type.
fn number(ptx: &TokenStream, expr: &Expr) -> TokenStream {
    match ptx_frontend::literal::<u128>(expr) {
        Some(number) => {
            let number = Literal::usize_unsuffixed(usize::try_from(number).unwrap_or(usize::MAX));
            quote!(#number)
        }
        None => span::at(expr, quote!(#ptx::__private::to_usize(#expr))),
    }
}

/// The check that an expression in an attribute is a number of things, where tokens do not tell.
fn count_check(ptx: &TokenStream, expr: &Expr) -> Option<TokenStream> {
    if ptx_frontend::literal::<u128>(expr).is_some() {
        return None;
    }
    let check = span::at(expr, quote!(#ptx::__private::require_count(#expr)));
    Some(quote!(#check;))
}

/// `.unified`, and where rustc reports a half that does not fit.
fn unified(ptx: &TokenStream, upper: &Expr, lower: &Expr) -> TokenStream {
    quote!(#ptx::ir::Unified { upper: #upper, lower: #lower })
}
