//! Initial values with names that are declared later, which ptxas does not know there (PTX ISA 5.4.4).

use std::collections::{HashMap, HashSet};

use ptx_isa::ir::Variable;

use super::faults::SyntaxErrors;
use super::variable::DeclaredVariable;

/// Reports the addresses of variables and functions that are declared after the variables that hold them, with
/// the name and the position of each declaration of a function.
pub(super) fn check<'a>(
    variables: &[DeclaredVariable<'a>],
    functions: impl Iterator<Item = (&'a str, u32)>,
    errors: &mut SyntaxErrors,
) {
    if !variables.iter().any(|declared| declared.variable.init.has_address()) {
        return;
    }
    let mut first: HashMap<&str, u32> = HashMap::new();
    let of_variables = variables.iter().map(|it| (it.variable.name, it.name.start));
    for (name, start) in functions.chain(of_variables) {
        let known = first.entry(name).or_insert(start);
        *known = start.min(*known);
    }
    let named: HashMap<&str, &Variable<'_>> =
        variables.iter().map(|it| (it.variable.name, it.variable)).collect();
    let mut left = MOST_STEPS;
    for declared in variables {
        declared.variable.init.for_each_address(&mut |address| {
            let symbol = address.symbol;
            // A rule reports addresses that lead back.
            if first.get(symbol).is_some_and(|start| *start > declared.name.start)
                && !leads_to(declared.variable.name, symbol, &named, &mut left)
            {
                let at = declared.value.unwrap_or(declared.name);
                errors.at(at, format_args!("`{symbol}` is declared after this; move its declaration before `{}` (PTX ISA 5.4.4)", declared.variable.name));
            }
        });
    }
}

/// The maximum number of variables that are visited, since each forward reference may lead to all others.
const MOST_STEPS: usize = 1 << 16;

/// Whether the addresses in the initial value of the variable `from`, and in those of the variables there, lead to
/// `to`.
fn leads_to<'a>(
    to: &str,
    from: &'a str,
    named: &HashMap<&'a str, &'a Variable<'a>>,
    left: &mut usize,
) -> bool {
    let (mut seen, mut open) = (HashSet::from([from]), vec![from]);
    while let Some(name) = open.pop() {
        if name == to {
            return true;
        }
        *left = left.saturating_sub(1);
        if *left == 0 {
            return false;
        }
        if let Some(variable) = named.get(name) {
            variable.init.for_each_address(&mut |address| {
                if seen.insert(address.symbol) {
                    open.push(address.symbol);
                }
            });
        }
    }
    false
}
