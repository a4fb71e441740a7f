//! Checked declarations to typed items.

mod contract;
mod demand;
mod derive;
mod function;
mod launch;
mod module;
mod operand;
mod place;
mod span;
mod tensor_map;
mod text;
mod variable;
mod variant;

use proc_macro_crate::{FoundCrate, crate_name};
use proc_macro2::{Literal, Span, TokenStream};
use ptx_frontend::number::Number;
use quote::{format_ident, quote};
use syn::{Attribute, Ident, Path};

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

fn space_variant(space: ptx_frontend::Space) -> Ident {
    format_ident!("{}", format!("{space:?}"))
}

/// A number that an attribute takes: a literal as it is, any other expression of any integer type.
fn number(ptx: &TokenStream, number: &Number) -> TokenStream {
    match number.known() {
        Some(known) => {
            let known = Literal::usize_unsuffixed(usize::try_from(known).unwrap_or(usize::MAX));
            quote!(#known)
        }
        None => span::at(number, quote!(#ptx::__private::to_usize(#number))),
    }
}

/// The check that an expression in an attribute is a number of things, where tokens do not tell.
fn count_check(ptx: &TokenStream, number: &Number) -> Option<TokenStream> {
    if number.known().is_some() {
        return None;
    }
    let check = span::at(number, quote!(#ptx::__private::require_count(#number)));
    Some(quote!(#check;))
}

/// `.unified`, and where rustc reports a half that does not fit.
fn unified(ptx: &TokenStream, upper: &Number<u64>, lower: &Number<u64>) -> TokenStream {
    quote!(#ptx::ir::Unified { upper: #upper, lower: #lower })
}
