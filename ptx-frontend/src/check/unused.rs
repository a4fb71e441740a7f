//! Names and variables of a module that nothing uses.

use std::cell::OnceCell;
use std::rc::Rc;

use proc_macro2::Span;
use ptx_isa::ir;
use ptx_isa::ir::body::StatementKind;
use ptx_isa::ir::family::is_member;
use ptx_isa::sorted::{SortedMap, SortedSet};
use quote::ToTokens;

use super::body::CheckedBody;
use crate::address::Meaning;
use crate::ast::{Function, Item, Module};
use crate::body::{Body, Family};
use crate::name::{note_names, ptx_name};

/// A name in a body that nothing in the body uses.
#[derive(Debug)]
pub struct Unused {
    /// The name in Rust.
    pub name: String,
    /// The span of the name.
    pub at: Span,
    /// Whether it is a label.
    pub is_label: bool,
}

/// The names in a function that its body does not use.
fn unused_names(function: &Function, body: &Body, ir: ir::Body<'_>) -> Vec<Unused> {
    let mut used: SortedSet<&str> = SortedSet::new();
    let mut labels = SortedMap::new();
    for (n, statement) in ir.statements().enumerate() {
        match statement.kind() {
            StatementKind::Instruction | StatementKind::Directive => {
                used.extend(statement.names().map(|name| name.text));
            }
            StatementKind::Declaration => {
                let declared = statement.declarators();
                let is_declared = |name: &str| declared.iter().any(|it| it.name.text == name);
                used.extend(statement.names().map(|name| name.text).filter(|it| !is_declared(it)));
            }
            StatementKind::Label => {
                labels.entry(statement.text()).or_insert(n);
            }
            StatementKind::Open | StatementKind::Close => {}
            StatementKind::Verbatim => return Vec::new(),
        }
    }
    let mut found = Vec::new();
    let mut seen = SortedSet::new();
    for declaration in &body.source.declarations {
        let name = &*declaration.name.text;
        let is_family_used = || used.iter().any(|other| is_member(other, name, None));
        let is_used = match declaration.family {
            Family::Of(_) => is_family_used(),
            Family::No => used.contains(name),
        };
        // What a fragment declares is reported where it is written.
        if !is_used && !body.is_use(declaration.name.at.0) && seen.insert(name.to_owned()) {
            found.extend(Unused::of(name, declaration.name.at.1, false));
        }
    }
    for (name, statement) in labels {
        if !used.contains(name)
            && let Some((first, at)) = body.source.positions.token(statement, 0)
            && !body.is_use(first)
        {
            found.extend(Unused::of(name, at, true));
        }
    }
    let contract = &function.contract;
    for param in &function.params {
        let name = ptx_name(&param.ident);
        if !used.contains(name.as_str()) && !contract.names(&name) {
            found.extend(Unused::of(&name, param.ident.span(), false));
        }
    }
    found
}

impl Unused {
    /// The unused name, unless it is marked as intentionally unused.
    fn of(name: &str, at: Span, is_label: bool) -> Option<Self> {
        let name = name.trim_start_matches(['%', '$']).replace('$', "_");
        let is_meant = name.starts_with('_');
        let is_name = syn::parse_str::<syn::Ident>(&name).is_ok();
        (!is_meant && is_name).then_some(Self { name, at, is_label })
    }
}

/// The unused names and variables of a module without errors.
#[derive(Debug, Default)]
pub struct AllUnused {
    /// The names in each function, by the function's index among the items.
    pub names: SortedMap<usize, Vec<Unused>>,
    /// The private variables, by their indices among the items.
    pub variables: Vec<usize>,
}

impl AllUnused {
    pub(super) fn of(module: &Module, bodies: &[Option<CheckedBody<'_>>]) -> Self {
        let mut names = SortedMap::new();
        for (i, item) in module.items.iter().enumerate() {
            if let Item::Function(function) = item
                && let Some(body) = &function.body
            {
                let ir = ir::Body::new(&body.source.text, &body.source.table, &[]);
                names.insert(i, unused_names(function, body, ir));
            }
        }
        leave_out_used(module, &mut names);
        Self { names, variables: unused_variables(module, bodies) }
    }
}

/// Keeps of the unused names of generic items what is unused in every instance, and once.
fn leave_out_used(module: &Module, names: &mut SortedMap<usize, Vec<Unused>>) {
    let instance = |item: usize| module.items.get(item)?.instance();
    let items: Vec<usize> = names.keys().copied().collect();
    for item in &items {
        let Some(of) = instance(*item) else { continue };
        let others = items.iter().filter(|other| *other > item);
        let others: Vec<usize> = others
            .filter(|other| instance(**other).is_some_and(|it| Rc::ptr_eq(&it.family, &of.family)))
            .copied()
            .collect();
        let Some(mut kept) = names.get_mut(item).map(core::mem::take) else { continue };
        for other in others {
            let Some(found) = names.get_mut(&other).map(core::mem::take) else { continue };
            kept.retain(|one| found.iter().any(|it| it.name == one.name));
        }
        names.insert(*item, kept);
    }
}

/// The private variables of a module that nothing in it uses, by their indices among its items.
fn unused_variables(module: &Module, bodies: &[Option<CheckedBody<'_>>]) -> Vec<usize> {
    let mut used = SortedSet::new();
    for body in bodies.iter().flatten() {
        used.extend(body.uses.iter().map(|used| used.index));
    }
    for item in &module.items {
        if let Item::Variable(item) = item {
            used.extend(item.addresses.iter().filter_map(|address| match address.meaning {
                Meaning::Variable(index) => Some(index),
                Meaning::Function(_) | Meaning::Unknown => None,
            }));
        }
    }
    let mentioned = OnceCell::new();
    let is_mentioned =
        |name: &String| mentioned.get_or_init(|| names_in_rust(module)).contains(name);
    let mut found = Vec::new();
    for (n, i) in module.variables.iter().enumerate() {
        let Some(item) = module.variable(n) else { continue };
        let is_private = matches!(item.vis, syn::Visibility::Inherited);
        let name = ptx_name(&item.ident);
        if is_private
            && !name.starts_with('_')
            && item.linkage == ir::Linkage::Internal
            && !used.contains(&n)
            && !is_mentioned(&name)
        {
            found.push(*i);
        }
    }
    once_for_all(module, &found)
}

/// Keeps of the instances of a variable the first, if none of them is used.
fn once_for_all(module: &Module, unused: &[usize]) -> Vec<usize> {
    let family = |item: &usize| Some(&module.items.get(*item)?.instance()?.family);
    let is_sibling = |one: &usize, other: &usize| match (family(one), family(other)) {
        (Some(one), Some(other)) => Rc::ptr_eq(one, other),
        _ => false,
    };
    let is_first = |item: &usize| {
        let Some(family) = family(item) else { return true };
        let siblings = unused.iter().filter(|other| is_sibling(item, other));
        siblings.clone().next() == Some(item) && siblings.count() == family.count
    };
    unused.iter().copied().filter(is_first).collect()
}

/// The names in the Rust code of a module's items.
fn names_in_rust(module: &Module) -> SortedSet<String> {
    let mut found = SortedSet::new();
    for item in &module.items {
        match item {
            Item::Rust(item) => note_names(item.to_token_stream(), &mut found),
            Item::Variable(item) => {
                item.value.iter().for_each(|it| note_names(it.to_token_stream(), &mut found));
            }
            Item::Function(item) => {
                let constants = item.body.iter().flat_map(|body| &body.constants);
                constants.for_each(|tokens| note_names(tokens.clone(), &mut found));
                item.items.iter().for_each(|it| note_names(it.to_token_stream(), &mut found));
            }
        }
    }
    found
}
