//! Unneeded allowances of declarations.

use std::collections::BTreeMap;

use bumpalo::Bump;
use ptx_analysis::{Finding, Known, Order, Problem, check};
use ptx_isa::ir::{Function, Module, Variable};
use ptx_isa::rules;

use super::allowance::Allowed;
use super::diagnostic::{Diagnostic, Kind};
use super::extent::Extent;
use crate::codes::is_of_statements;

/// The diagnostic for an unneeded allowance.
pub(super) fn unneeded(code: &str, at: Extent) -> Option<Diagnostic> {
    Some(Diagnostic {
        kind: Kind::Unneeded,
        code: Some(rules::rule(code)?.code),
        range: at.range(),
        message: rules::unneeded(code).to_string(),
        help: None,
    })
}

/// Finds the unneeded allowances of declarations: those of hazards that are found no more often when
/// declarations allow nothing. `found` counts the findings when they do.
pub(super) fn of_declarations<'a>(
    module: &Module<'a>,
    allowed: &[Allowed],
    assumed: &BTreeMap<usize, Vec<&'a str>>,
    found: &BTreeMap<&'static str, usize>,
    most: usize,
) -> Vec<Diagnostic> {
    if allowed.is_empty() {
        return Vec::new();
    }
    let arena = Bump::new();
    let module = strict(module, &arena);
    let known = Known { assumed, order: &Order::default(), line: &|_, _| None, most };
    let strict = check(&module, &known);
    let all = counted(&strict.findings);
    let is_needed = |code| all.get(code) > found.get(code) || strict.more.is_some();
    let idle = allowed.iter().filter(|allowed| !is_needed(allowed.code));
    idle.filter_map(|allowed| unneeded(allowed.code, allowed.at)).collect()
}

/// The number of violations of each rule.
pub(super) fn counted(findings: &[Finding<'_>]) -> BTreeMap<&'static str, usize> {
    let mut counted = BTreeMap::new();
    for finding in findings {
        if let Problem::Rule(broken) = &finding.problem {
            *counted.entry(broken.rule.code).or_default() += 1;
        }
    }
    counted
}

/// The module without any allowances except those that functions have for their statements.
fn strict<'x>(module: &Module<'x>, arena: &'x Bump) -> Module<'x> {
    let variable = |variable: &&'x Variable<'x>| -> &'x Variable<'x> {
        arena.alloc(Variable { allow: &[], ..**variable })
    };
    let variables = |all: &[&'x Variable<'x>]| -> &'x [&'x Variable<'x>] {
        arena.alloc_slice_fill_iter(all.iter().map(variable))
    };
    let functions = module.functions.iter().map(|function| -> &'x Function<'x> {
        let of_statements = |code: &&&str| rules::rule(code).is_some_and(is_of_statements);
        let allow: Vec<&'x str> = function.allow.iter().filter(of_statements).copied().collect();
        arena.alloc(Function {
            allow: arena.alloc_slice_copy(&allow),
            locals: variables(function.locals),
            uses: variables(function.uses),
            ..**function
        })
    });
    Module {
        variables: variables(module.variables),
        functions: arena.alloc_slice_fill_iter(functions),
        ..*module
    }
}
