//! Variants of the vocabulary's enums as the expansion names them.

use core::fmt::Debug;

use quote::format_ident;
use syn::Ident;

/// The variant that a value of an enum without fields is: its name is what `Debug` prints.
pub(super) fn variant(value: &impl Debug) -> Ident {
    format_ident!("{}", format!("{value:?}"))
}
