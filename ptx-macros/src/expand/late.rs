//! The checks of an item that rustc evaluates, and what the instances of a generic item compare.

use std::cell::RefCell;
use std::rc::Rc;

use proc_macro2::TokenStream;
use ptx_frontend::ast::Module;
use quote::{ToTokens, format_ident, quote};
use syn::{Attribute, Ident};

use super::span::{require, visible};

/// The checks of an item. What they find in an instance of a generic item names the instances in which it is found, unless
/// these are all of them.
pub(super) struct Late<'c> {
    ptx: &'c TokenStream,
    siblings: Option<Siblings>,
    /// What the checks of an instance find, each with its place in the source and the constant that holds it.
    found: RefCell<Vec<(String, Ident, TokenStream)>>,
}

/// An instance of a generic item among the others.
pub(super) struct Siblings {
    label: String,
    /// What distinguishes the names of its tables.
    name: String,
    /// The same of each instance.
    all: Vec<String>,
}

impl Siblings {
    pub(super) fn new(label: String, name: String, all: Vec<String>) -> Self {
        Self { label, name, all }
    }

    /// The instances of the generic item that an item of a module comes from, as far as `is_checked` selects them; `None` if
    /// it does not select the item itself.
    pub(super) fn of_item(
        module: &Module,
        index: usize,
        is_checked: impl Fn(usize) -> bool,
    ) -> Option<Self> {
        let instance = |index: usize| module.items.get(index)?.instance();
        let own = instance(index).filter(|_| is_checked(index))?;
        let is_sibling =
            |index: &usize| instance(*index).is_some_and(|it| Rc::ptr_eq(&it.family, &own.family));
        let all = (0..module.items.len()).filter(is_sibling).filter(|index| is_checked(*index));
        let all: Vec<String> = all.map(|index| index.to_string()).collect();
        Some(Self::new(own.label(), index.to_string(), all))
    }

    /// The table with what all of them found.
    pub(super) fn table(&self) -> Ident {
        format_ident!("__PTX_INSTANCES_OF_{}", self.all.first().unwrap_or(&self.name))
    }
}

impl<'c> Late<'c> {
    pub(super) fn new(ptx: &'c TokenStream, siblings: Option<Siblings>) -> Self {
        // What is alone in its family is in all instances.
        let siblings = siblings.filter(|siblings| siblings.all.len() > 1);
        Self { ptx, siblings, found: RefCell::default() }
    }

    /// The instances, if the item is one of several.
    pub(super) fn siblings(&self) -> Option<&Siblings> {
        self.siblings.as_ref()
    }

    /// The statement that reports at these tokens what a check found.
    pub(super) fn require(&self, tokens: impl ToTokens, found: TokenStream) -> TokenStream {
        self.require_after(&TokenStream::new(), tokens, found)
    }

    /// The same for a check that names what this statement, which precedes it, defines.
    pub(super) fn require_after(
        &self,
        before: &TokenStream,
        tokens: impl ToTokens,
        found: TokenStream,
    ) -> TokenStream {
        let found = self.compared(before, &tokens, found, "in_instances");
        require(self.ptx, tokens, found)
    }

    /// The statement that reports at these tokens what a check found in all instances.
    pub(super) fn require_in_all(&self, tokens: impl ToTokens, found: TokenStream) -> TokenStream {
        let found = self.compared(&TokenStream::new(), &tokens, found, "in_all_instances");
        require(self.ptx, tokens, found)
    }

    fn compared(
        &self,
        before: &TokenStream,
        tokens: &impl ToTokens,
        found: TokenStream,
        how: &str,
    ) -> TokenStream {
        let Some(siblings) = &self.siblings else { return found };
        let (ptx, how, table) = (self.ptx, format_ident!("{how}"), siblings.table());
        let place = place(tokens.to_token_stream());
        let found = self.note(siblings, place.clone(), &quote!(#before #found));
        quote!(#ptx::__private::#how(#found, #place, #table))
    }

    /// Lets the other instances know what is found here without a check.
    pub(super) fn knows(&self, tokens: impl ToTokens, found: &TokenStream) {
        if let Some(siblings) = &self.siblings {
            self.note(siblings, place(tokens.to_token_stream()), found);
        }
    }

    /// The constant that holds what is found at a place.
    fn note(&self, siblings: &Siblings, place: String, found: &TokenStream) -> Ident {
        let mut all = self.found.borrow_mut();
        let name = format_ident!("__PTX_FOUND_{}_OF_{}", all.len(), siblings.name);
        all.push((place, name.clone(), found.clone()));
        name
    }

    /// The tables that the checks compare: what was found in this instance, where `checks` are the results of its
    /// accesses, which are at these places in the source, and beside the first instance those of all.
    pub(super) fn tables(
        &self,
        conditions: &[Attribute],
        checks: &TokenStream,
        accesses: &[(String, usize)],
    ) -> TokenStream {
        let Some(Siblings { label, name, all }) = &self.siblings else {
            return TokenStream::new();
        };
        let ptx = self.ptx;
        let all_found = self.found.borrow();
        let found = all_found.iter().map(|(place, found, _)| quote!((#place, #found)));
        let accesses = accesses.iter().map(|(place, number)| quote!((#place, #number)));
        let table = |name: &str| format_ident!("__PTX_INSTANCE_OF_{name}");
        let instance = table(name);
        let allow = quote! {
            #[allow(deprecated, long_running_const_eval, unused, clippy::all, clippy::pedantic)]
        };
        let constants = all_found.iter().map(|(_, name, found)| {
            quote!(#(#conditions)* #allow const #name: #ptx::__private::Found = { #found };)
        });
        let ty = quote!(#ptx::__private::Instance<'static>);
        let list = (all.first() == Some(name)).then(|| {
            let list = format_ident!("__PTX_INSTANCES_OF_{name}");
            let each = all.iter().map(|name| table(name));
            quote!(#(#conditions)* #allow static #list: &[&#ty] = &[#(&#each),*];)
        });
        quote! {
            #(#constants)*
            #(#conditions)*
            #allow
            static #instance: #ty = #ptx::__private::Instance {
                label: #label,
                checks: #checks,
                accesses: &[#(#accesses),*],
                found: &[#(#found),*],
            };
            #list
        }
    }
}

/// The place of tokens in the source, which is the same in all instances.
fn place(tokens: TokenStream) -> String {
    let at = visible(tokens).into_iter().next().map(|first| first.span().start());
    at.map(|at| format!("{}:{}", at.line, at.column)).unwrap_or_default()
}
