//! Variants of the vocabulary's enums, by name.

use core::fmt::Debug;

use quote::format_ident;
use syn::Ident;

/// The name of a fieldless enum's variant, which `Debug` prints.
pub(super) fn variant(value: &impl Debug) -> Ident {
    format_ident!("{}", format!("{value:?}"))
}
