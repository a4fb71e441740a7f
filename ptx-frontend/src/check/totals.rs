//! What a kernel takes with the functions that it calls.

use ptx_analysis::VariableUse;
use ptx_types::ir::{self, FunctionKind};
use ptx_types::rules::{self, Blame, Environment};

use super::checked::Checked;
use super::lower::{lower_signature, lower_variable};
use crate::address::Meaning;
use crate::ast::{Item, Module, Variable};
use crate::errors::Errors;
use crate::types::Lowering;

/// What a kernel takes with the functions that it calls; asked when all bodies are analysed.
pub(super) fn check_totals(
    checked: &mut Checked<'_>,
    env: Environment,
    lowering: &Lowering<'_>,
    errors: &mut Errors,
) {
    for i in 0..checked.module.items.len() {
        let called = called(checked, i);
        let module = &checked.module;
        let (Item::Function(function), Some(body)) = (&module.items[i], &checked.bodies[i]) else {
            continue;
        };
        let (mut uses, mut is_certain) = (body.uses.clone(), body.analysis.uses.is_certain);
        let (locals, idle) = body.split_declarations();
        let each = |numbers: Vec<usize>| -> Vec<&ir::Variable<'_>> {
            numbers.into_iter().map(|n| body.declared[n]).collect()
        };
        let (locals, idle, mut of_called) = (each(locals), each(idle), Vec::new());
        for callee in &called {
            let (Item::Function(callee), Some(body)) =
                (&module.items[*callee], &checked.bodies[*callee])
            else {
                continue;
            };
            uses.extend_from_slice(&body.uses);
            is_certain &= body.analysis.uses.is_certain;
            for ir in &body.declared {
                of_called.push(&*lowering.arena.alloc(ir.declared_by(callee.linkage)));
            }
        }
        uses.sort_unstable();
        uses.dedup();
        let variables: Vec<&ir::Variable<'_>> =
            uses.iter().filter_map(|each| lower_use(module, each, lowering)).collect();
        let mut ir = *lower_signature(function, lowering);
        let directives: Vec<ir::Directive> = function
            .directives
            .iter()
            .filter(|directive| !directive.kind.is_of_kernels())
            .map(|directive| ir::Directive { kind: directive.kind, values: [1; 3] })
            .collect();
        ir.directives = &directives;
        (ir.locals, ir.idle_shared, ir.called_shared) = (&locals, &idle, &of_called);
        // Where `cfg` chooses, rustc knows.
        ir.uses = if is_certain { &variables } else { &[] };
        let is_sound = function.params.iter().all(|param| !param.refused);
        let before = errors.len();
        if is_sound {
            for violation in rules::check_function(&ir, env) {
                match (violation.rule.blames, &function.unified, function.directives.last()) {
                    (Blame::Directive, Some((.., span)), _) => errors.at(*span, violation),
                    (Blame::Directives, _, Some(last)) => errors.at(last.span, violation),
                    _ => errors.at(function.ident.span(), violation),
                }
            }
        }
        let Item::Function(function) = &mut checked.module.items[i] else { continue };
        function.refused = !is_sound || errors.len() > before;
        // A kernel's shared memory is that of all that it calls.
        if let (FunctionKind::Kernel, Some(body)) = (function.kind, &mut checked.bodies[i]) {
            (body.uses, body.called) = (uses, called);
        }
    }
}

/// The functions that a kernel calls, and those that they call, by their index among the items: as
/// ptxas counts them, so also what is in the tables that they name, and, where one calls what a
/// register points to, all functions whose addresses the module takes.
fn called(checked: &Checked<'_>, start: usize) -> Vec<usize> {
    let items = &checked.module.items;
    let is_kernel = |i: usize| matches!(&items[i], Item::Function(function) if function.kind == FunctionKind::Kernel);
    let (mut found, mut open, mut is_indirect) = (Vec::new(), vec![start], false);
    while let Some(next) = open.pop() {
        if found.contains(&next) || next != start && is_kernel(next) {
            continue;
        }
        found.push(next);
        open.extend(leads_to(checked, next));
        let calls_indirectly =
            checked.bodies[next].as_ref().is_some_and(|body| body.analysis.uses.calls_indirectly);
        if !is_indirect && calls_indirectly {
            is_indirect = true;
            open.extend((0..items.len()).flat_map(|i| taken(checked, i)));
        }
    }
    found.retain(|i| *i != start && matches!(items[*i], Item::Function(_)));
    found.sort_unstable();
    found
}

/// The items that one names.
fn leads_to(checked: &Checked<'_>, i: usize) -> Vec<usize> {
    let mut found: Vec<usize> = match &checked.module.items[i] {
        Item::Variable(variable) => addressed(variable).collect(),
        Item::Function(_) | Item::Rust(_) => Vec::new(),
    };
    if let Some(body) = &checked.bodies[i] {
        found.extend(&body.analysis.uses.functions);
        found.extend(body.uses.iter().map(|used| used.index));
    }
    found
}

/// The functions whose addresses one takes.
fn taken(checked: &Checked<'_>, i: usize) -> Vec<usize> {
    match (&checked.module.items[i], &checked.bodies[i]) {
        (Item::Variable(variable), _) => addressed(variable).collect(),
        (_, Some(body)) => body.analysis.uses.taken.clone(),
        (_, None) => Vec::new(),
    }
}

/// The functions whose addresses are in an initial value. Those in a table that it leads to, ptxas
/// does not count.
fn addressed(variable: &Variable) -> impl Iterator<Item = usize> {
    variable.addresses.iter().filter_map(|address| match address.meaning {
        Meaning::Function(index) => Some(index),
        Meaning::Variable(_) | Meaning::Unknown => None,
    })
}

/// The variable of the module that a body names, or the member of it.
fn lower_use<'a>(
    module: &Module,
    used: &VariableUse,
    lowering: &Lowering<'a>,
) -> Option<&'a ir::Variable<'a>> {
    let Item::Variable(variable) = &module.items[used.index] else { return None };
    let ir = lower_variable(variable, lowering);
    Some(match &used.member {
        Some(member) => lowering.arena.alloc(ir.member(lowering.arena.alloc_str(member))),
        None => ir,
    })
}
