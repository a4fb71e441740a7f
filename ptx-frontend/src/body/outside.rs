//! Device functions of other modules, which a body calls: `call (%y), lib::twice, (%x);`.
//!
//! What travels from there to here is the signature: the hidden macro of the function hands it on, and it becomes an
//! [`Outside`]. While a body is read, each call writes the function's symbol and is noted. Afterwards each function that was
//! called is declared in the module (`parse/outside.rs`), so that calls are checked as others are; its IR is an expression
//! that rustc evaluates, and the copies in `MODULE` are made of that.

use std::cell::RefCell;

use proc_macro2::{Span, TokenStream};
use ptx_isa::sorted::SortedMap;
use syn::Ident;

use super::tree::Tree;
use crate::name::is_dollar_crate;

/// A device function of another module.
pub(crate) struct Outside {
    /// Its path, where the bodies are that call it.
    pub(crate) path: TokenStream,
    /// Whether it is called by a fragment, in whose module its IR is a constant.
    pub(crate) is_nested: bool,
    /// Its attribute and its signature.
    pub(crate) signature: TokenStream,
    /// Its name and its symbol; or, if it is generic, those of its instances, with the texts of their arguments.
    pub(crate) instances: Vec<OutsideInstance>,
    /// What is called of it, by the number of the instance: the path with its arguments, and where.
    pub(crate) called: RefCell<SortedMap<usize, (TokenStream, Span)>>,
}

/// An instance of a device function of another module, or the function itself.
pub(crate) struct OutsideInstance {
    /// The name in PTX.
    pub(crate) symbol: String,
    /// The texts of its arguments.
    pub(crate) arguments: Vec<String>,
    /// How a user names it.
    pub(crate) label: String,
}

impl Outside {
    /// Whether it has parameters in angle brackets.
    pub(crate) fn is_generic(&self) -> bool {
        self.instances.first().is_some_and(|instance| !instance.arguments.is_empty())
    }

    /// Notes a call with these arguments in angle brackets, and returns the symbol.
    ///
    /// # Errors
    /// What is wrong with the arguments.
    pub(super) fn call(&self, generics: &[&[Tree]], at: Span) -> Result<&str, String> {
        let given: Vec<String> = generics.iter().map(|tokens| text_of(tokens)).collect();
        let found = self.instances.iter().position(|instance| instance.arguments == given);
        let Some((n, instance)) = found.and_then(|n| Some((n, self.instances.get(n)?))) else {
            let labels = self.instances.iter().map(|instance| format!("`{}`", instance.label));
            let labels = labels.collect::<Vec<_>>().join(", ");
            return Err(if self.is_generic() {
                let given = generics.iter().map(|tokens| written(tokens, at).to_string());
                let given = given.collect::<Vec<_>>().join(", ");
                if given.is_empty() {
                    format!("this names no instance; write one of {labels}")
                } else {
                    format!("`<{given}>` is not listed; its instances are {labels}")
                }
            } else {
                format!("{labels} has no parameters in angle brackets; remove these")
            });
        };
        self.called.borrow_mut().entry(n).or_insert_with(|| {
            let path = &without_lints(&self.path);
            let expression = if self.is_nested {
                let constant = Ident::new(FUNCTION, at);
                quote::quote!(#path::#constant)
            } else if given.is_empty() {
                quote::quote!(#path().ir())
            } else {
                let generics = generics.iter().map(|tokens| written(tokens, at));
                quote::quote!(#path::<#(#generics),*>().ir())
            };
            (expression, at)
        });
        Ok(&instance.symbol)
    }
}

/// A path of the user's in generated code, which no lint is to call longer than needed.
pub(super) fn without_lints(path: &TokenStream) -> TokenStream {
    let each = path.clone().into_iter().map(|mut token| {
        // Its span says which crate it is.
        if !is_dollar_crate(&token) {
            token.set_span(Span::mixed_site().located_at(token.span()));
        }
        token
    });
    each.collect()
}

/// The constant that holds the IR of a function that a fragment calls, in the module of the fragment.
pub const FUNCTION: &str = "FUNCTION";

/// An argument in angle brackets as it is written.
fn written(tokens: &[Tree], at: Span) -> TokenStream {
    let mut text = String::new();
    for tree in tokens {
        match tree {
            Tree::Word(part, _) | Tree::Number(part, _) => text.push_str(part),
            Tree::Sign(sign, _) => text.push(*sign),
            Tree::Text(..) | Tree::Constant(..) | Tree::Group(..) | Tree::Inlined(..) => {}
        }
    }
    let tokens = text.parse::<TokenStream>().unwrap_or_default();
    let respanned = tokens.into_iter().map(|mut token| {
        token.set_span(at);
        token
    });
    respanned.collect()
}

/// The text of an argument in angle brackets: a number, or the last name of a path.
fn text_of(tokens: &[Tree]) -> String {
    let mut text = String::new();
    for tree in tokens {
        match tree {
            Tree::Word(word, _) => text.clone_from(word),
            Tree::Number(number, _) => {
                let int = syn::parse_str::<syn::LitInt>(number);
                text += int.as_ref().map_or(number.as_str(), syn::LitInt::base10_digits);
            }
            Tree::Sign('-', _) => text.push('-'),
            _ => {}
        }
    }
    text
}
