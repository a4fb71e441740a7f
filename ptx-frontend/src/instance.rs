//! Generic kernels and functions, and their instances.

use std::rc::Rc;

use proc_macro2::TokenStream;
use ptx_isa::ScalarType;
use syn::{Ident, Type};

/// An instance of a generic kernel or function.
pub struct Instance {
    /// What it is an instance of.
    pub family: Rc<Family>,
    /// Its arguments, in order.
    pub arguments: Vec<Argument>,
    /// The symbols that its tokens have, and what the user wrote for each.
    pub(crate) written: Vec<(String, String)>,
}

impl Instance {
    /// A message with what the user wrote in place of symbols.
    pub(crate) fn as_written(&self, message: &str) -> String {
        let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
        let mut out = String::with_capacity(message.len());
        let mut rest = message;
        while let Some(start) = rest.find(is_of_name) {
            let (before, from) = rest.split_at(start);
            let (word, after) = from.split_at(from.find(|c| !is_of_name(c)).unwrap_or(from.len()));
            let found = self.written.iter().find(|(symbol, _)| symbol == word);
            out.push_str(before);
            out.push_str(found.map_or(word, |(_, written)| written));
            rest = after;
        }
        out + rest
    }

    /// How a body names it: `reduce::<f32, 128>`.
    pub fn label(&self) -> String {
        self.with(self.arguments.iter())
    }

    /// How Rust names it, where types come before constants.
    pub fn in_rust(&self) -> String {
        let (types, constants) =
            self.arguments.iter().partition::<Vec<_>, _>(|it| it.scalar.is_some());
        self.with(types.into_iter().chain(constants))
    }

    fn with<'a>(&self, arguments: impl Iterator<Item = &'a Argument>) -> String {
        let arguments: Vec<&str> = arguments.map(|argument| argument.text.as_str()).collect();
        format!("{}::<{}>", self.family.ident, arguments.join(", "))
    }
}

/// A generic kernel or function.
pub struct Family {
    /// Its name.
    pub ident: Ident,
    /// Its parameters, in order; a constant has a type.
    pub parameters: Vec<(Ident, Option<Type>)>,
    /// The number of its instances.
    pub count: usize,
    /// What another module needs to know of it in order to call it.
    pub travels: Option<TokenStream>,
}

/// An argument of an instance.
#[derive(Clone, Debug)]
pub struct Argument {
    /// The type, or the number.
    pub tokens: TokenStream,
    /// The type in PTX, if it is a type.
    pub scalar: Option<ScalarType>,
    /// What it adds to the symbol: `f32`, `128`.
    pub name: String,
    /// Its text in messages.
    pub text: String,
}
