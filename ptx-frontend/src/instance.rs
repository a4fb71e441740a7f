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
}

impl Instance {
    /// How a user names it: `reduce::<f32, 128>`.
    pub fn label(&self) -> String {
        let arguments: Vec<&str> =
            self.arguments.iter().map(|argument| argument.text.as_str()).collect();
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
