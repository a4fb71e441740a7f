//! Names in a module that PTX does not see, for messages about names that nothing declares.

use std::cell::RefCell;

use ptx_isa::sorted::SortedMap;

use quote::ToTokens;

use crate::ast::{Item, Module};
use crate::name::{each_import, has_name, ptx_name};

/// The names of a module that PTX does not see.
#[derive(Default)]
pub(super) struct Names {
    rust: SortedMap<String, RustName>,
    /// The macro calls between the items.
    macros: Vec<syn::Macro>,
    /// The names in their arguments that were reported.
    blamed: RefCell<Vec<String>>,
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
    /// Something that a `use` item imports.
    Imported,
}

impl Names {
    pub(super) fn of(module: &Module) -> Self {
        let mut names = Self::default();
        for item in &module.items {
            if let Item::Rust(item) = item {
                names.note_rust(item);
            }
        }
        names
    }

    fn note_rust(&mut self, item: &syn::Item) {
        let named = match item {
            syn::Item::Const(item) => Some((&item.ident, RustName::Const)),
            syn::Item::Static(item) => Some((&item.ident, RustName::Static)),
            syn::Item::Fn(item) => Some((&item.sig.ident, RustName::Function)),
            syn::Item::Use(item) => {
                each_import(&item.tree, &mut |name| {
                    if let Some(name) = name {
                        self.rust.entry(ptx_name(name)).or_insert(RustName::Imported);
                    }
                });
                None
            }
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
            RustName::Imported => format!(
                "`{name}` is imported: write `#({name})` if it is a Rust constant; call it if it is a device function, whose address this module's bodies may take then; storage belongs to the module that declares it, so declare it in this one, or call a device function that accesses it there"
            ),
            RustName::Function => {
                format!("`{name}` is a Rust function; write `#[device]` or `#[kernel]` before it")
            }
        })
    }
}
