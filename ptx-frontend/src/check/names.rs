//! Name resolution in a module.

use std::cell::RefCell;
use std::collections::HashMap;

use ptx_analysis::{Symbol, Symbols};
use ptx_isa::Space;
use ptx_isa::ir::{self, FunctionKind};
use quote::ToTokens;

use super::lower::{lower_signature, lower_variable};
use crate::ast::{Item, Module};
use crate::name::{has_name, ptx_name};
use crate::types::Lowering;

/// The names of a module and their meanings, by their Rust names.
#[derive(Default)]
pub(super) struct Names<'a> {
    /// The names that PTX sees.
    pub(super) symbols: Symbols<'a>,
    rust: HashMap<String, RustName>,
    /// The macro calls between the items.
    macros: Vec<syn::Macro>,
    /// The names in their arguments that were reported.
    blamed: RefCell<Vec<String>>,
    /// The first function that returns several values, if one exists.
    pub(super) several_returns: Option<&'a str>,
}

/// A name of the module that PTX does not see.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum RustName {
    /// A constant.
    Const,
    /// A static without an attribute.
    Static,
    /// A function without one.
    Function,
}

impl<'a> Names<'a> {
    pub(super) fn of(module: &Module, lowering: &Lowering<'a>) -> Self {
        let mut names = Self::default();
        for (i, item) in module.items.iter().enumerate() {
            match item {
                Item::Variable(item) => {
                    let ir = lower_variable(item, lowering);
                    let is_alignment_deferred = item.align.is_some() && ir.align.is_none();
                    let symbol =
                        Symbol { index: i, name: item.name.clone(), ir, is_alignment_deferred };
                    let variables = &mut names.symbols.variables;
                    variables.entry(ptx_name(&item.ident)).or_default().push(symbol);
                }
                Item::Function(item) => {
                    let ir = lower_signature(item, lowering);
                    let is_constant = |param: &&ir::Param<'_>| {
                        param.pointer.is_some_and(|pointer| pointer.space == Some(Space::Const))
                    };
                    if let (FunctionKind::Kernel, Some(param)) =
                        (ir.kind, ir.params.iter().find(is_constant))
                    {
                        let first = &mut names.symbols.constant_pointer;
                        *first = first.or(Some(param.variable.name));
                    }
                    if ir.returns.len() > 1 {
                        names.several_returns = names.several_returns.or(Some(ir.name));
                    }
                    let name = item.name.clone();
                    let symbol = Symbol { index: i, name, ir, is_alignment_deferred: false };
                    let functions = &mut names.symbols.functions;
                    functions.entry(ptx_name(&item.ident)).or_default().push(symbol);
                }
                Item::Rust(item) => names.note_rust(item),
            }
        }
        names
    }

    fn note_rust(&mut self, item: &syn::Item) {
        let named = match item {
            syn::Item::Const(item) => Some((&item.ident, RustName::Const)),
            syn::Item::Static(item) => Some((&item.ident, RustName::Static)),
            syn::Item::Fn(item) => Some((&item.sig.ident, RustName::Function)),
            syn::Item::Macro(item) if item.ident.is_none() => {
                self.macros.push(item.mac.clone());
                None
            }
            _ => None,
        };
        self.rust.extend(named.map(|(ident, kind)| (ptx_name(ident), kind)));
        if let syn::Item::Verbatim(tokens) = item
            && let Ok(item) = syn::parse2::<syn::ItemStatic>(tokens.clone())
        {
            self.rust.insert(ptx_name(&item.ident), RustName::Static);
        }
    }

    /// Removes the macro calls that were reported, so that rustc does not report them again.
    pub(super) fn leave_out_macros(&self, module: &mut Module) {
        let blamed = self.blamed.borrow();
        for item in &mut module.items {
            if let Item::Rust(rust) = item
                && let syn::Item::Macro(call) = &**rust
                && blamed.iter().any(|name| has_name(call.mac.tokens.clone(), name))
            {
                **rust = syn::Item::Verbatim(proc_macro2::TokenStream::new());
            }
        }
    }

    /// The module's macro call that has this name among its arguments.
    fn macro_with(&self, name: &str) -> Option<&syn::Macro> {
        self.macros.iter().find(|it| has_name(it.tokens.clone(), name))
    }

    /// The advice about a name that denotes a Rust item.
    pub(super) fn rust_hint(&self, name: &str) -> Option<String> {
        if let Some(found) = self.macro_with(name) {
            self.blamed.borrow_mut().push(name.to_owned());
            let path = found.path.to_token_stream().to_string().replace(' ', "");
            return Some(format!(
                "nothing here is named `{name}`: a macro inside a module is not expanded before the module is read; write what `{path}!` writes, or let a `macro_rules!` write the whole module"
            ));
        }
        Some(match self.rust.get(name)? {
            RustName::Const => format!("`{name}` is a Rust constant; write `#({name})`"),
            RustName::Static => format!(
                "`{name}` is a Rust static, not storage on the GPU; write `#[global]` or `#[constant]` before it"
            ),
            RustName::Function => {
                format!("`{name}` is a Rust function; write `#[device]` or `#[kernel]` before it")
            }
        })
    }
}
