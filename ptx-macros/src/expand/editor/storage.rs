//! Storage as an editor shows it.

use std::fmt::Write;

use proc_macro2::TokenStream;
use ptx_frontend::Space;
use ptx_frontend::ast::Variable;
use quote::{ToTokens, quote};

use crate::expand::text::{text_of, type_text};
use crate::expand::variant::variant;

/// Longer initial values are cut.
const MOST_CHARACTERS: usize = 200;

/// A static without its value, which would be shown: the whole IR.
pub(in crate::expand) fn expand_declared(
    ptx: &TokenStream,
    item: &Variable,
    rust: &TokenStream,
) -> TokenStream {
    let Variable { attrs, vis, ident, .. } = item;
    let (space, text) = (variant(&item.space), text(item));
    quote! {
        unsafe extern "Rust" {
            #(#attrs)*
            #[doc = ""]
            #[doc = #text]
            #vis safe static #ident: #ptx::Variable<#ptx::#space, #rust>;
        }
    }
}

/// The space, the type, the size and the initial value, in a paragraph.
fn text(item: &Variable) -> String {
    let space = match item.space {
        Space::Const => "Constant",
        Space::Shared => "Shared",
        Space::Global => "Global",
        other => other.name(),
    };
    let mut text = format!("{space} memory, `{}`", type_text(&item.ty));
    match item.bytes {
        Some(1) => text.push_str(", 1 byte"),
        Some(bytes) => {
            let _ = write!(text, ", {bytes} bytes");
        }
        None => {}
    }
    if let Some(align) = &item.align {
        let _ = write!(text, ", aligned to {}", text_of(&align.to_token_stream()));
    }
    if let Some(value) = &item.value {
        let mut value = text_of(&value.to_token_stream());
        if let Some((end, _)) = value.char_indices().nth(MOST_CHARACTERS) {
            value.truncate(end);
            value.push('…');
        }
        let _ = write!(text, "; initially `{value}`");
    }
    text
}
