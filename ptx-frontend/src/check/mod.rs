//! The rules while a macro expands: the AST is lowered to IR with unknowns, and what the rules
//! find is reported at the tokens they blame.

mod alignment;
mod function;
mod variable;

use std::collections::{HashMap, HashSet};

use proc_macro2::TokenStream;
use ptx_types::Space;
use ptx_types::ir::family::is_member;
use ptx_types::ir::{self, Extent, FunctionKind};
use ptx_types::rules::{self, Blame, Environment};
use quote::ToTokens;
use syn::Ident;

use crate::ast::{Item, Module};
use crate::body::{RustName, Symbol, Symbols};
use crate::errors::Errors;
use crate::group::Peel;
use crate::name::ptx_name;
use crate::types::{Lowering, lower_extent};

pub use variable::is_family;
pub(crate) use variable::lower_declaration;

/// Asks every rule about every item.
pub(crate) fn check_module(module: &mut Module, errors: &mut Errors) {
    let lowering = &Lowering::of(rust_items(module));
    let env = Environment {
        target: module.args.target,
        version: module.args.version.map(|(version, _)| version),
        release: module.args.release,
        texture_mode: Some(module.args.texture_mode),
    };
    check_names(module, errors);
    let symbols = symbols(module, lowering);
    for item in &mut module.items {
        match item {
            Item::Variable(item) => variable::check_variable(item, env, &symbols, lowering, errors),
            Item::Function(item) => function::check_function(item, env, &symbols, lowering, errors),
            Item::Rust(_) => {}
        }
    }
    function::check_param_names(module, lowering, errors);
    function::check_totals(module, env, lowering, errors);
    alignment::check_alignments(module, lowering, errors);
    check_circles(module, &symbols, errors);
    check_alone(module, lowering, errors);
}

/// What of Rust stands in a module.
fn rust_items(module: &Module) -> impl Iterator<Item = &syn::Item> {
    module.items.iter().filter_map(|item| match item {
        Item::Rust(item) => Some(&**item),
        Item::Variable(_) | Item::Function(_) => None,
    })
}

/// The rules of the module as a whole, as far as tokens tell.
fn check_alone(module: &mut Module, lowering: &Lowering, errors: &mut Errors) {
    let Some(target) = module.args.target else { return };
    let mut variables = Vec::new();
    for item in &module.items {
        if let Item::Variable(item) = item
            && !item.refused
        {
            variables.push(variable::lower_variable(item, lowering));
        }
    }
    let ir = ir::Module {
        version: module.args.version.map(|(version, _)| version),
        release: module.args.release,
        texture_mode: module.args.texture_mode,
        variables: &variables,
        ..ir::Module::new(lowering.arena.alloc_str(&ptx_name(&module.ident)), target)
    };
    for violation in rules::check_module_alone(&ir) {
        module.refused = true;
        match (violation.rule.blames, module.args.version) {
            (Blame::Version, Some((_, span))) => errors.at(span, violation),
            (_, _) => errors.at(module.ident.span(), violation),
        }
    }
}

/// The name in Rust, the name in PTX, and the attributes of an item that PTX sees.
fn named(item: &Item) -> Option<(&Ident, &str, &[syn::Attribute])> {
    match item {
        Item::Variable(item) => Some((&item.ident, &item.name, &item.attrs)),
        Item::Function(item) => Some((&item.ident, &item.name, &item.attrs)),
        Item::Rust(_) => None,
    }
}

fn is_conditional(attrs: &[syn::Attribute]) -> bool {
    attrs.iter().any(|attr| attr.path().is_ident("cfg") || attr.path().is_ident("cfg_attr"))
}

/// Reports names that stand twice, and leaves the later item out, so that rustc does not report it
/// again. What `cfg` may remove is left to rustc.
fn check_names(module: &mut Module, errors: &mut Errors) {
    let mut seen = HashSet::new();
    module.items.retain(|item| {
        let Some((ident, name, attrs)) = named(item) else {
            return true;
        };
        if is_conditional(attrs) || seen.insert(name.to_owned()) {
            return true;
        }
        for violation in rules::check_duplicate(name, name) {
            errors.at(ident.span(), violation);
        }
        false
    });
    // The members of a family are names, too.
    for item in &module.items {
        let Item::Variable(item) = item else { continue };
        let Some(count) = variable::family_count(&item.ty) else { continue };
        for other in &module.items {
            let Some((ident, name, _)) = named(other) else { continue };
            if is_member(name, &item.name, count.known()) {
                for violation in rules::check_duplicate(name, name) {
                    errors.at(ident.span(), violation);
                }
            }
        }
    }
}

/// What the module's names mean, by their names in Rust.
fn symbols<'a>(module: &Module, lowering: &'a Lowering) -> Symbols<'a> {
    let mut symbols = Symbols::default();
    for (i, item) in module.items.iter().enumerate() {
        match item {
            Item::Variable(item) => {
                let ir = variable::lower_variable(item, lowering);
                let is_aligned_late = item.align.is_some() && ir.align.is_none();
                let symbol = Symbol { index: i, name: item.name.clone(), ir, is_aligned_late };
                symbols.variables.entry(ptx_name(&item.ident)).or_default().push(symbol);
            }
            Item::Function(item) => {
                let ir = function::lower_signature(item, lowering);
                let is_constant = |param: &&ir::Param<'_>| {
                    param.pointer.is_some_and(|pointer| pointer.space == Some(Space::Const))
                };
                if let (FunctionKind::Kernel, Some(param)) =
                    (ir.kind, ir.params.iter().find(is_constant))
                {
                    symbols.constant_pointer = Some(param.variable.name);
                }
                if ir.returns.len() > 1 {
                    symbols.several_returns = Some(ir.name);
                }
                let is_aligned_late = false;
                let symbol = Symbol { index: i, name: item.name.clone(), ir, is_aligned_late };
                symbols.functions.entry(ptx_name(&item.ident)).or_default().push(symbol);
            }
            Item::Rust(item) => {
                let named = match &**item {
                    syn::Item::Const(item) => Some((&item.ident, RustName::Const)),
                    syn::Item::Static(item) => Some((&item.ident, RustName::Static)),
                    syn::Item::Fn(item) => Some((&item.sig.ident, RustName::Function)),
                    _ => None,
                };
                symbols.rust.extend(named.map(|(ident, kind)| (ptx_name(ident), kind)));
                if let syn::Item::Verbatim(tokens) = &**item
                    && let Ok(item) = syn::parse2::<syn::ItemStatic>(tokens.clone())
                {
                    symbols.rust.insert(ptx_name(&item.ident), RustName::Static);
                }
            }
        }
    }
    symbols
}

/// Reports variables whose initial values lead back to themselves.
fn check_circles(module: &mut Module, symbols: &Symbols<'_>, errors: &mut Errors) {
    let mut named: HashMap<usize, Vec<usize>> = HashMap::new();
    for (i, item) in module.items.iter().enumerate() {
        let Item::Variable(item) = item else { continue };
        for address in &item.addresses {
            let found = symbols.variable(&address.symbol.to_string());
            named.entry(i).or_default().extend(found.map(|(symbol, _)| symbol.index));
        }
    }
    for (i, item) in module.items.iter_mut().enumerate() {
        let Item::Variable(item) = item else { continue };
        let (mut open, mut seen) = (named.get(&i).cloned().unwrap_or_default(), HashSet::new());
        let mut circle = false;
        while let Some(next) = open.pop() {
            circle |= next == i;
            if seen.insert(next) {
                open.extend(named.get(&next).into_iter().flatten());
            }
        }
        if circle {
            for violation in rules::check_circle(&item.name) {
                errors.on(&item.value, violation);
            }
            item.refused = true;
            module.refused = true;
        }
    }
}

/// The rule of names alone.
fn check_ident(ident: &Ident, name: &str, errors: &mut Errors) {
    for violation in rules::check_name(name) {
        errors.at(ident.span(), violation);
    }
}

/// The part of a type that a rule blames: the zero extent, the element, or all of it.
fn blamed_type(part: Blame, ty: &syn::Type) -> TokenStream {
    match (part, ty.peel()) {
        (Blame::Extent, syn::Type::Array(array))
            if lower_extent(&array.len) == Extent::Known(0) =>
        {
            array.len.to_token_stream()
        }
        (Blame::Element | Blame::Extent, syn::Type::Array(array)) => blamed_type(part, &array.elem),
        (_, ty) => ty.to_token_stream(),
    }
}
