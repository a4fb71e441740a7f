//! The total resources of a kernel with the functions that it calls.

use ptx_analysis::VariableUse;
use ptx_isa::ir::{self, FunctionKind};
use ptx_isa::rules::{self, Blame, Environment};
use ptx_isa::{Space, Target};

use super::calls::CallGraph;
use super::checked::Checked;
use super::lower::{lower_signature, lower_variable};
use crate::ast::{Item, Module};
use crate::errors::Errors;
use crate::types::Lowering;

/// The largest natural alignment of a type, which is that of a vector.
const MAX_NATURAL_ALIGN: usize = 16;

/// Checks the totals of kernels with the functions that they call, once all bodies are analysed.
pub(super) fn check_totals(
    checked: &mut Checked<'_>,
    env: Environment,
    lowering: &Lowering<'_>,
    errors: &mut Errors,
) {
    let all_called = called(checked, env, lowering);
    for (i, called) in all_called.into_iter().enumerate() {
        let called = called.unwrap_or_default();
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
        // Where `cfg` decides, rustc checks this.
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
        // A kernel's shared memory includes that of all functions that it calls.
        if let (FunctionKind::Kernel, Some(body)) = (function.kind, &mut checked.bodies[i]) {
            (body.uses, body.called) = (uses, called);
        }
    }
}

/// For each item, the functions that it calls, if the rules about totals apply to it: they do to kernels. A
/// called function has no totals of its own except for dynamic shared memory: two such variables, or one that
/// is too large beside all other shared memory.
fn called(
    checked: &Checked<'_>,
    env: Environment,
    lowering: &Lowering<'_>,
) -> Vec<Option<Vec<usize>>> {
    let mut graph = CallGraph::of(checked);
    let module = &checked.module;
    let is_dynamic: Vec<bool> =
        module.items.iter().map(|item| is_dynamic(item, lowering)).collect();
    let uses =
        checked.bodies.iter().enumerate().flat_map(|(i, body)| {
            body.iter().flat_map(|body| &body.uses).map(move |used| (i, used))
        });
    let reached = graph.count_reached(uses.filter(|(_, used)| is_dynamic[used.index]));
    let most = env.target.map_or(usize::MAX, Target::max_shared_opt_in);
    let is_large = shared_bytes(checked, lowering) > most;
    let called = module.items.iter().zip(reached).enumerate().map(|(i, (item, reached))| {
        let Item::Function(function) = item else { return None };
        let has_totals = match function.kind {
            FunctionKind::Kernel => true,
            FunctionKind::Device => reached > 1 || reached > 0 && is_large,
        };
        has_totals.then(|| graph.called(i, &module.items))
    });
    called.collect()
}

fn is_dynamic(item: &Item, lowering: &Lowering<'_>) -> bool {
    match item {
        Item::Variable(item) => lower_variable(item, lowering).is_dynamic(),
        Item::Function(_) | Item::Rust(_) => false,
    }
}

/// The maximum number of bytes of shared memory that a function can use in this module, as far as sizes are known,
/// with room to align each variable.
fn shared_bytes(checked: &Checked<'_>, lowering: &Lowering<'_>) -> usize {
    let variables = checked.module.items.iter().filter_map(|item| match item {
        Item::Variable(item) if item.space == Space::Shared => Some(lower_variable(item, lowering)),
        Item::Variable(_) | Item::Function(_) | Item::Rust(_) => None,
    });
    let declared = checked.bodies.iter().flatten().flat_map(|body| body.declared.iter().copied());
    let declared = declared.filter(|variable| variable.space == Space::Shared);
    let most = |variable: &ir::Variable<'_>| match (variable.bytes(), variable.ty.family()) {
        // One member has a size, but the size of all together overflows.
        (None, Some(_)) => usize::MAX,
        (None, None) => 0,
        (Some(bytes), family) => {
            let members = family.map_or(1, |(count, _)| count.known().unwrap_or(1));
            let align = variable.alignment().unwrap_or(1).max(MAX_NATURAL_ALIGN);
            bytes.saturating_add(align.saturating_mul(members))
        }
    };
    variables.chain(declared).fold(0, |sum, variable| sum.saturating_add(most(variable)))
}

/// The module variable, or the member of a family, that a body names.
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
