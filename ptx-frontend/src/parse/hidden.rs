//! What hides a parameter of a generic item, or an item that has instances.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ItemFn;

use super::replacing::{Generic, params_of};
use crate::errors::Errors;
use crate::name::ptx_name;

/// The names that nothing in an item may declare: which of the two is meant then, tokens do not tell.
pub(super) struct Hidden<'h> {
    /// The parameters of the item, with those of its module.
    pub(super) parameters: &'h [String],
    /// The generic items of the module.
    pub(super) generic: &'h Generic,
}

/// The words after which a name is declared.
const DECLARES: &[&str] =
    &["const", "enum", "fn", "let", "mod", "static", "struct", "trait", "type", "union"];

const RENAME: &str = "give this one another name";

/// Reports what is named like a parameter.
pub(super) fn refuse_parameter(name: &Ident, errors: &mut Errors) {
    errors.on(name, format_args!("`{name}` is a parameter of the instances, too; {RENAME}"));
}

impl Hidden<'_> {
    /// Reports what tokens declare; but for the name of the item itself.
    pub(super) fn refuse(&self, tokens: TokenStream, own: Option<&Ident>, errors: &mut Errors) {
        let (mut before, mut is_pointer) = (String::new(), false);
        for token in tokens {
            let was_pointer = is_pointer;
            is_pointer = matches!(&token, TokenTree::Punct(sign) if sign.as_char() == '*');
            match &token {
                TokenTree::Ident(ident) => {
                    if DECLARES.contains(&before.as_str()) && own.is_none_or(|own| own != ident) {
                        self.refuse_name(ident, errors);
                    }
                    // In `*const T`, nothing is declared.
                    before = if was_pointer { String::new() } else { ptx_name(ident) };
                }
                TokenTree::Group(group) => {
                    self.refuse(group.stream(), None, errors);
                    before.clear();
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => before.clear(),
            }
        }
    }

    /// Reports what the parameters of a function, its items and its body declare.
    pub(super) fn refuse_in(&self, item: &ItemFn, errors: &mut Errors) {
        let params = params_of(&item.sig);
        params
            .filter(|param| self.parameters.contains(&ptx_name(param)))
            .for_each(|param| refuse_parameter(param, errors));
        self.refuse(item.block.to_token_stream(), None, errors);
    }

    fn refuse_name(&self, name: &Ident, errors: &mut Errors) {
        let text = ptx_name(name);
        if self.parameters.contains(&text) {
            refuse_parameter(name, errors);
        } else if self.generic.is_in_rust(&text) {
            errors.on(
                name,
                format_args!(
                    "`{name}` is an item of the module, which has instances, too; {RENAME}"
                ),
            );
        }
    }
}
