//! `#[derive(PtxType)]`.

use proc_macro2::TokenStream;
use syn::{Data, DeriveInput, Fields, Generics, Ident, Path, Type, Visibility};

use crate::depth::refuse_deep;
use crate::errors::Errors;
use crate::padded::is_padded;

/// The input of the derive: a struct that becomes storage.
pub struct Struct {
    /// `#[ptx(crate = path)]`.
    pub krate: Option<Path>,
    /// The visibility.
    pub vis: Visibility,
    /// The name.
    pub ident: Ident,
    /// The generics.
    pub generics: Generics,
    /// The fields: the name in Rust (or the index), and the type.
    pub fields: Vec<(TokenStream, Type)>,
    /// Whether padding is an error here: `#[ptx::padded]` reports padding itself.
    pub is_checked: bool,
}

/// Parses the input of the derive.
pub fn parse(input: TokenStream, errors: &mut Errors) -> Option<Struct> {
    if refuse_deep(&input, errors) {
        return None;
    }
    let DeriveInput { attrs, vis, ident, generics, data } = match syn::parse2(input) {
        Ok(input) => input,
        Err(error) => {
            errors.push(error);
            return None;
        }
    };
    let Data::Struct(data) = data else {
        errors.on(&ident, format_args!("`{ident}` is not a struct; PTX storage has no enums or unions, so store an integer and convert"));
        return None;
    };
    let mut is_checked = !is_padded(&attrs);
    let mut krate = None;
    let mut laid_out = false;
    for attr in &attrs {
        if attr.path().is_ident("repr") {
            let outcome = attr.parse_nested_meta(|meta| {
                if meta.path.is_ident("C") || meta.path.is_ident("transparent") {
                    laid_out = true;
                } else if meta.path.is_ident("packed") {
                    return Err(meta.error("a packed struct misaligns its fields, and an access to them faults; remove `packed` and fill the gaps with fields of your own"));
                }
                if meta.input.peek(syn::token::Paren) {
                    let inner;
                    syn::parenthesized!(inner in meta.input);
                    inner.parse::<TokenStream>()?;
                }
                Ok(())
            });
            if let Err(error) = outcome {
                errors.push(error);
            }
        } else if attr.path().is_ident("ptx") {
            let outcome = attr.parse_nested_meta(|meta| {
                if meta.path.is_ident("__unchecked") {
                    is_checked = false;
                    return Ok(());
                }
                if !meta.path.is_ident("crate") {
                    return Err(meta.error("the only argument is `crate = path`"));
                }
                krate = Some(meta.value()?.call(Path::parse_mod_style)?);
                Ok(())
            });
            if let Err(error) = outcome {
                errors.push(error);
            }
        }
    }
    if !laid_out && errors.is_empty() {
        errors.on(
            &ident,
            format_args!("Rust may lay `{ident}` out in any order; write `#[repr(C)]` above it"),
        );
    }
    let fields: Vec<(TokenStream, Type)> = match data.fields {
        Fields::Unit => Vec::new(),
        fields => fields
            .into_iter()
            .enumerate()
            .map(|(i, field)| {
                let name = match field.ident {
                    Some(ident) => quote::ToTokens::to_token_stream(&ident),
                    None => quote::ToTokens::to_token_stream(&syn::Index::from(i)),
                };
                (name, field.ty)
            })
            .collect(),
    };
    if fields.is_empty() {
        errors.on(
            &ident,
            format_args!(
                "`{ident}` has no fields, and PTX has no storage of 0 bytes; give it a field"
            ),
        );
        return None;
    }
    Some(Struct { krate, vis, ident, generics, fields, is_checked })
}
