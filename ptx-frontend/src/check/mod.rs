//! The rules at macro expansion: the AST is lowered to IR with unknowns, and findings are reported
//! at the tokens at fault.

mod alignment;
mod assumption;
mod blame;
mod body;
mod calls;
mod checked;
mod cycles;
mod function;
mod imports;
mod lower;
mod names;
mod once;
mod place;
mod totals;
mod unused;
mod variable;

use std::collections::{HashMap, HashSet};

use ptx_analysis::Callers;
use ptx_isa::ir::family::is_member;
use ptx_isa::ir::{self, Extent};
use ptx_isa::rules::{self, Blame, Environment};
use syn::Ident;

use crate::ast::{Item, Module};
use crate::attribute::is_conditional;
use crate::errors::Errors;
use crate::foreign::refuse_foreign;
use crate::integers::Integers;
use crate::name::ptx_name;
use crate::types::Lowering;
use bumpalo::Bump;

pub use assumption::Assumed;
pub use body::CheckedBody;
pub use checked::Checked;
use names::Names;
pub use place::{location, tokens_over};
pub use unused::{AllUnused, Unused};
pub use variable::is_family;

/// Checks every rule for every item.
pub(crate) fn check_module<'a>(
    mut module: Module,
    arena: &'a Bump,
    errors: &mut Errors,
) -> Checked<'a> {
    let mut unreported = Errors::default();
    let errors = if module.args.is_unjudged { &mut unreported } else { errors };
    let lowering = &Lowering::of(rust_items(&module), arena);
    let env = Environment {
        target: module.args.target,
        version: module.args.version.map(|(version, _)| version),
        release: module.args.release,
        texture_mode: Some(module.args.texture_mode),
    };
    refuse_foreign_types(&mut module, lowering, errors);
    imports::check_imports(&module, errors);
    check_names(&mut module, errors);
    let mut names = Names::of(&module, lowering);
    let integers = Integers::default().with(rust_items(&module));
    let mut found: Vec<Errors> = module.items.iter().map(|_| Errors::default()).collect();
    for (item, errors) in module.items.iter_mut().zip(&mut found) {
        if let Item::Variable(item) = item {
            let value = if module.args.is_unjudged { item.value.clone() } else { None };
            variable::check_variable(item, env, &names, lowering, errors);
            // A test judges the value itself.
            item.value = item.value.take().or(value);
        }
    }
    let bodies = check_functions(&mut module, env, &mut names, &integers, lowering, &mut found);
    for found in found {
        errors.append(found);
    }
    function::check_param_names(&module, lowering, errors);
    let several_returns = names.several_returns.is_some();
    let unused = AllUnused::default();
    let mut checked = Checked { module, bodies, demanded: Vec::new(), several_returns, unused };
    totals::check_totals(&mut checked, env, lowering, errors);
    alignment::check_alignments(&mut checked, lowering, errors);
    cycles::check_cycles(&mut checked.module, &names.symbols, errors);
    check_alone(&mut checked.module, lowering, errors);
    names.leave_out_macros(&mut checked.module);
    if errors.is_empty() {
        checked.unused = AllUnused::of(&checked.module, &checked.bodies);
    }
    checked
}

/// Reports types of other languages, and replaces them with those that are meant.
fn refuse_foreign_types(module: &mut Module, lowering: &Lowering<'_>, errors: &mut Errors) {
    let (declared, report) =
        (&lowering.declared, &mut |word: &Ident, message| errors.on(word, message));
    for item in &mut module.items {
        match item {
            Item::Variable(item) => item.refused |= refuse_foreign(&mut item.ty, declared, report),
            Item::Function(item) => {
                for param in item.params.iter_mut().chain(&mut item.returns) {
                    param.refused |= refuse_foreign(&mut param.ty, declared, report);
                }
            }
            Item::Rust(_) => {}
        }
    }
}

/// Checks every rule for the functions, callers before callees; the errors of each item are
/// appended to its own.
fn check_functions<'a>(
    module: &mut Module,
    env: Environment,
    names: &mut Names<'a>,
    integers: &Integers,
    lowering: &Lowering<'a>,
    errors: &mut [Errors],
) -> Vec<Option<CheckedBody<'a>>> {
    let functions = || {
        module.items.iter().enumerate().filter_map(|(i, item)| match item {
            Item::Function(function) => Some((i, &**function)),
            Item::Variable(_) | Item::Rust(_) => None,
        })
    };
    let irs: Vec<(usize, ir::Body<'a>)> = functions()
        .filter_map(|(i, function)| Some((i, body::lower_body(function.body.as_ref()?, lowering))))
        .collect();
    let addressed = module.items.iter().flat_map(|item| match item {
        Item::Variable(variable) => calls::addressed(variable).collect(),
        Item::Function(_) | Item::Rust(_) => Vec::new(),
    });
    let mut callers = Callers::of(&mut names.symbols, &irs, addressed);
    let mut bodies: Vec<Option<CheckedBody<'a>>> = module.items.iter().map(|_| None).collect();
    let without_body: Vec<usize> =
        functions().filter(|(_, function)| function.body.is_none()).map(|(i, _)| i).collect();
    let irs: HashMap<usize, ir::Body<'a>> = irs.into_iter().collect();
    for i in callers.order().iter().copied().chain(without_body).collect::<Vec<_>>() {
        let Item::Function(function) = &mut module.items[i] else { continue };
        let is_conditional = is_conditional(&function.attrs);
        let known = function::Known {
            names,
            integers,
            ir: irs.get(&i).copied(),
            called: callers.of_function(i),
        };
        let body = function::check_function(function, env, known, lowering, &mut errors[i]);
        match &body {
            Some(body) if is_conditional => callers.note_conditional(&body.analysis),
            Some(body) => callers.note(&body.analysis),
            None => {}
        }
        bodies[i] = body;
    }
    bodies
}

/// The Rust items in a module.
fn rust_items(module: &Module) -> impl Iterator<Item = &syn::Item> {
    module.items.iter().filter_map(|item| match item {
        Item::Rust(item) => Some(&**item),
        Item::Variable(_) | Item::Function(_) => None,
    })
}

/// Checks the rules for the module as a whole, as far as tokens allow.
fn check_alone(module: &mut Module, lowering: &Lowering<'_>, errors: &mut Errors) {
    let Some(target) = module.args.target else { return };
    let mut variables = Vec::new();
    for item in &module.items {
        if let Item::Variable(item) = item
            && !item.refused
        {
            variables.push(lower::lower_variable(item, lowering));
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

/// The Rust name, the PTX name, and the attributes of an item that is part of the PTX module.
fn named(item: &Item) -> Option<(&Ident, &str, &[syn::Attribute])> {
    match item {
        Item::Variable(item) => Some((&item.ident, &item.name, &item.attrs)),
        Item::Function(item) => Some((&item.ident, &item.name, &item.attrs)),
        Item::Rust(_) => None,
    }
}

/// Reports duplicate names and removes the later item, so that rustc does not report it
/// again. Items that `cfg` may remove are left to rustc.
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
    // The members of a family are names as well.
    let mut families: HashMap<&str, Vec<(usize, Extent)>> = HashMap::new();
    for (i, item) in module.items.iter().enumerate() {
        let Item::Variable(item) = item else { continue };
        let Some(count) = variable::family_count(&item.ty) else { continue };
        families.entry(&item.name).or_default().push((i, count));
    }
    let mut members: Vec<(usize, &Ident, &str)> = Vec::new();
    for (ident, name, _) in module.items.iter().filter_map(named) {
        // A family's own name may end in digits as well.
        let shortest = name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        for base in (shortest..name.len()).map(|end| &name[..end]) {
            for (family, count) in families.get(base).into_iter().flatten() {
                if is_member(name, base, count.known()) {
                    members.push((*family, ident, name));
                }
            }
        }
    }
    members.sort_by_key(|(family, ..)| *family);
    for (_, ident, name) in members {
        for violation in rules::check_duplicate(name, name) {
            errors.at(ident.span(), violation);
        }
    }
}
