//! Initial values with names that are declared later, which ptxas does not know there (PTX ISA 5.4.4).

use std::collections::HashMap;

use super::faults::Complaints;
use super::variable::DeclaredVariable;

/// Reports the addresses of variables and functions that are declared after the variables that hold them, with
/// the name and the position of each declaration of a function.
pub(super) fn check<'a>(
    variables: &[DeclaredVariable<'a>],
    functions: impl Iterator<Item = (&'a str, u32)>,
    complaints: &mut Complaints,
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
    for declared in variables {
        declared.variable.init.for_each_address(&mut |address| {
            let symbol = address.symbol;
            if first.get(symbol).is_some_and(|start| *start > declared.name.start) {
                let at = declared.value.unwrap_or(declared.name);
                complaints.at(at, format_args!("`{symbol}` is declared after this; move its declaration before `{}` (PTX ISA 5.4.4)", declared.variable.name));
            }
        });
    }
}
