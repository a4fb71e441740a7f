//! Device functions of other modules: the declarations that the signatures become which have travelled.

use std::cell::RefCell;
use std::rc::Rc;

use proc_macro2::TokenStream;
use syn::{Item as RustItem, ItemFn};

use super::function::parse_outside_function;
use super::instances::instances;
use crate::ast::{Function, Item, OwnByPath};
use crate::body::{Fragments, Outside, OutsideInstance};
use crate::errors::Errors;
use crate::instance::Instance;

/// Reads a signature that has travelled; what is wrong with it is reported where the function is declared.
fn declared(signature: TokenStream) -> Vec<(Function, Option<Rc<Instance>>)> {
    let unreported = &mut Errors::default();
    let Ok(item) = syn::parse2::<ItemFn>(signature) else { return Vec::new() };
    let mut found = Vec::new();
    for (item, instance) in instances(vec![RustItem::Fn(item)], None, unreported) {
        let RustItem::Fn(item) = item else { continue };
        if let Some(Item::Function(function)) = parse_outside_function(item, unreported) {
            found.push((*function, instance));
        }
    }
    found
}

/// A function of another module, at this path.
pub(crate) fn parse_outside(path: &TokenStream, signature: TokenStream) -> Outside {
    let instance = |(function, instance): (Function, Option<Rc<Instance>>)| match instance {
        Some(instance) => OutsideInstance {
            symbol: function.name,
            arguments: instance.arguments.iter().map(|it| it.text.clone()).collect(),
            label: instance.label(),
        },
        None => OutsideInstance {
            label: function.name.clone(),
            symbol: function.name,
            arguments: Vec::new(),
        },
    };
    Outside {
        path: path.clone(),
        is_nested: false,
        instances: declared(signature.clone()).into_iter().map(instance).collect(),
        signature,
        called: RefCell::default(),
    }
}

/// The declarations of the functions of other modules that were called, and what was called by the name of a function of this
/// one.
pub(super) fn outside_items(fragments: &Fragments) -> (Vec<Item>, Vec<OwnByPath>) {
    let mut items: Vec<Box<Function>> = Vec::new();
    let mut own = Vec::new();
    for outside in fragments.outside() {
        let called = outside.called.borrow();
        if called.is_empty() {
            continue;
        }
        for (n, (function, _)) in declared(outside.signature.clone()).into_iter().enumerate() {
            let Some((expression, at)) = called.get(&n) else { continue };
            let expression = (expression.clone(), *at);
            if fragments.is_own_function(&function.name) {
                let (expression, at) = expression;
                own.push(OwnByPath { name: function.name, expression, at });
                continue;
            }
            match items.iter_mut().find(|known| known.name == function.name) {
                Some(known) => known.outside.push(expression),
                None => {
                    let mut ident = function.ident.clone();
                    ident.set_span(*at);
                    let outside = vec![expression];
                    items.push(Box::new(Function { ident, outside, ..function }));
                }
            }
        }
    }
    (items.into_iter().map(Item::Function).collect(), own)
}
