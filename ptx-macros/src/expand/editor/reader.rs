//! What is known at a place in a body.

use std::collections::HashMap;

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::Type;

/// What declares and uses the names of some statements.
#[derive(Default)]
pub(super) struct Names {
    pub(super) rust: TokenStream,
    pub(super) registers: TokenStream,
}

/// Reads the statements of a body, with the names that are in scope.
pub(super) struct Reader<'a> {
    pub(super) storage: &'a HashMap<String, Type>,
    pub(super) parameters: HashMap<String, Type>,
    pub(super) registers: Vec<Register>,
}

/// A register that is declared.
pub(super) struct Register {
    /// Whether its name starts with `%`.
    pub(super) is_marked: bool,
    pub(super) name: Ident,
    /// `%r<4>` declares `%r0` to `%r3`.
    pub(super) is_several: bool,
    /// The type, if it is written in Rust.
    pub(super) ty: Option<Type>,
}

impl Register {
    pub(super) fn is_named(&self, is_marked: bool, text: &str) -> bool {
        let name = self.name.to_string();
        let rest = text.strip_prefix(&name);
        self.is_marked == is_marked
            && rest.is_some_and(|rest| {
                rest.is_empty() != self.is_several && rest.bytes().all(|byte| byte.is_ascii_digit())
            })
    }

    /// Its local variable, where it is used.
    pub(super) fn at(&self, used: &Ident) -> Ident {
        Ident::new(&self.name.to_string(), used.span())
    }
}

pub(super) fn is(token: &TokenTree, mark: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == mark)
}
