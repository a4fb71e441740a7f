//! `#[ptx::padded] #[derive(PtxType)] #[repr(C)] struct Stages { .. }`

use proc_macro2::TokenStream;
use syn::{Attribute, Expr, Fields, ItemStruct};

use crate::depth::refuse_deep;
use crate::errors::Errors;

/// The prefix of the names of padding fields.
pub const PADDING: &str = "__ptx_padding_";

/// The input of `#[ptx::padded]`.
pub struct PaddedStruct {
    /// The struct as written, with named fields.
    pub item: ItemStruct,
    /// The alignment in `#[repr(align(16))]`.
    pub align: Option<Expr>,
}

/// Parses the item. An item with errors is left unchanged.
pub fn parse(args: &TokenStream, item: TokenStream, errors: &mut Errors) -> Option<PaddedStruct> {
    if !args.is_empty() {
        errors.on(
            args,
            "`#[ptx::padded]` takes no arguments: the size of a gap follows from the fields around it; remove them",
        );
    }
    if refuse_deep(&item, errors) {
        return None;
    }
    let mut item = match syn::parse2::<ItemStruct>(item) {
        Ok(item) => item,
        Err(error) => {
            errors.at(error.span(), "only a struct has padding between its fields");
            return None;
        }
    };
    match &item.fields {
        Fields::Named(_) => {}
        Fields::Unnamed(fields) => {
            errors.on(fields, "padding between fields would change their numbers; name the fields");
        }
        Fields::Unit => errors.on(&item.ident, "a struct without fields has no padding"),
    }
    if let Some(generic) = item.generics.params.first() {
        errors.on(
            generic,
            "how much padding there is depends on this; write a struct for each, or the field of padding yourself",
        );
    }
    for field in &item.fields {
        let is_condition = |attr: &&Attribute| attr.path().is_ident("cfg");
        if let Some(condition) = field.attrs.iter().find(is_condition) {
            errors.on(condition, "how much padding there is depends on this; put the condition on the struct, and write one for each");
        }
    }
    let is_derived = item.attrs.iter().any(is_derived);
    if !is_derived {
        errors.on(&item.ident, "padding is filled for what is derived below it; write `#[derive(PtxType)]` between `#[ptx::padded]` and the struct");
    }
    let (mut align, mut is_laid_out) = (None, false);
    for attr in item.attrs.iter().filter(|attr| attr.path().is_ident("repr")) {
        // The derive reports what it rejects.
        let _ = attr.parse_nested_meta(|meta| {
            if meta.path.is_ident("align") {
                let inner;
                syn::parenthesized!(inner in meta.input);
                align = Some(inner.parse()?);
            }
            is_laid_out |= meta.path.is_ident("C");
            Ok(())
        });
    }
    if !is_laid_out {
        errors.on(
            &item.ident,
            format_args!(
                "Rust may lay `{}` out in any order; write `#[repr(C)]` above it",
                item.ident
            ),
        );
    }
    if !errors.is_empty() && is_derived {
        item.attrs.push(syn::parse_quote!(#[ptx(__unchecked)]));
    }
    Some(PaddedStruct { item, align })
}

/// Whether `#[ptx::padded]` is among the attributes; it reports missing padding itself.
pub(crate) fn is_padded(attrs: &[Attribute]) -> bool {
    attrs.iter().any(|attr| attr.path().segments.last().is_some_and(|last| last.ident == "padded"))
}

/// Whether the storage type is derived below the attribute.
fn is_derived(attr: &Attribute) -> bool {
    let mut is_storage = false;
    if attr.path().is_ident("derive") {
        // rustc reports an argument that is not a list of derives.
        let _ = attr.parse_nested_meta(|meta| {
            is_storage |= meta.path.segments.last().is_some_and(|last| last.ident == "PtxType");
            Ok(())
        });
    }
    is_storage
}
