//! What an editor is told about names, and rustc is not.
//!
//! rust-analyzer looks at a token in an item with this attribute by what the expansion makes of it. The expansion is
//! written for rustc's messages, though: it gives paths into the library the place of a token that is blamed, and has
//! the registers and parameters of a body in a string. So in rust-analyzer's server for macros,
//!
//! - a token keeps the place of one that the user wrote only if it is that token ([`spans`]),
//! - each body is followed by items that declare its names as local variables and use them ([`names`]),
//! - a static is declared without its IR, and with a sentence about it ([`storage`]).
//!
//! This is sound: rust-analyzer shows what it reads and never makes a program of it, rustc sees none of this,
//! and the functions are never called.

mod names;
mod operands;
mod parameters;
mod reader;
mod registers;
mod spans;
mod storage;
#[cfg(test)]
mod tests;

use std::env;
use std::sync::OnceLock;

use proc_macro2::{Group, TokenStream, TokenTree};
use ptx_frontend::Errors;
use quote::{ToTokens, quote};

use spans::Written;

pub(super) use storage::expand_declared;

/// Whether this process is rust-analyzer's server for macros. It sets no variable that tells so.
pub(super) fn is_running() -> bool {
    static IS_RUNNING: OnceLock<bool> = OnceLock::new();
    *IS_RUNNING.get_or_init(|| {
        let program = env::current_exe().ok();
        let name = program.as_ref().and_then(|program| program.file_name()?.to_str());
        name.is_some_and(|name| name.starts_with("rust-analyzer"))
    })
}

/// A macro's item as it was written, kept for an editor.
pub(crate) struct Editor(Option<(Written, TokenStream, TokenStream)>);

impl Editor {
    pub(crate) fn new(arguments: &TokenStream, item: &TokenStream) -> Self {
        Self(is_running().then(|| (Written::new(item), arguments.clone(), item.clone())))
    }

    /// The items that the macro expands to, for whoever reads them.
    pub(crate) fn module(self, items: TokenStream) -> TokenStream {
        let Some((written, arguments, item)) = self.0 else { return items };
        let items = written.keep(items);
        in_last_block(items, names::of_module(arguments, item))
    }

    /// Items whose names stand in the macro's input, or that have bodies of their own.
    pub(crate) fn items(self, items: TokenStream) -> TokenStream {
        match self.0 {
            Some((written, ..)) => written.keep(items),
            None => items,
        }
    }

    /// The items of a function beside modules.
    pub(crate) fn function(self, items: TokenStream) -> TokenStream {
        let Some((written, arguments, item)) = self.0 else { return items };
        let mut items = written.keep(items);
        items.extend(names::of_function(arguments, item));
        items
    }
}

/// The items and the errors of a macro.
///
/// For completion, rust-analyzer expands a macro a second time, with a longer name at the cursor, and takes what is
/// in scope at the same offset of the first expansion: so nothing that quotes the name may come before it.
pub(crate) fn with_errors(errors: &Errors, items: impl ToTokens) -> TokenStream {
    let errors = errors.to_compile_errors();
    if is_running() { quote!(#items #errors) } else { quote!(#errors #items) }
}

/// Adds items to the `mod` that the last group is.
fn in_last_block(items: TokenStream, more: TokenStream) -> TokenStream {
    let mut all: Vec<TokenTree> = items.into_iter().collect();
    if let Some(TokenTree::Group(group)) = all.last_mut() {
        let (span, content) = (group.span(), group.stream());
        let mut content: Vec<TokenTree> = content.into_iter().collect();
        // Completion takes the first place of a token: before the call that reads a module again, and after the
        // inner attributes, `#![..]`.
        let is_inner = |one: &&[TokenTree]| {
            one.len() == 3 && reader::is(&one[0], '#') && reader::is(&one[1], '!')
        };
        let first = content.chunks(3).take_while(is_inner).count() * 3;
        content.splice(first..first, more);
        *group = Group::new(group.delimiter(), content.into_iter().collect());
        group.set_span(span);
    }
    all.into_iter().collect()
}
