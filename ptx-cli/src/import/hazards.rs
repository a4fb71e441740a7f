//! The hazards of a file.

use std::collections::{BTreeMap, BTreeSet};

use ptx_isa::ir::{Function, Module, Variable};
use ptx_text::{Kind, Parsed};

use super::allowance::Allowances;
use super::convert::names;
use super::source::Source;

/// The number of times that what is found is allowed: one hazard can hide another.
const ROUNDS: usize = 8;

/// The codes, by PTX name of the item.
type Found<'p> = BTreeMap<&'p str, BTreeSet<&'static str>>;

/// Allows every hazard of a file without syntax errors in the item in which it is found.
pub fn allow_hazards(parsed: &Parsed, allowed: &mut Allowances) {
    let source = Source::of(parsed);
    let mut found = Found::new();
    for _ in 0..ROUNDS {
        if !add(parsed, &source, &mut found) {
            break;
        }
    }
    let names = names(parsed, &source);
    for (item, codes) in found {
        for code in codes {
            allowed.add(&names.of_item(item).0, code);
        }
    }
}

/// Adds what is found although the hazards found so far are allowed, and returns whether that is anything.
fn add<'p>(parsed: &'p Parsed, source: &Source<'p>, found: &mut Found<'p>) -> bool {
    let ir = parsed.module();
    let lists: BTreeMap<&str, Vec<&str>> =
        found.iter().map(|(item, codes)| (*item, codes.iter().copied().collect())).collect();
    let with = |name: &str, own: &[&'p str]| -> Vec<&str> {
        own.iter().copied().chain(lists.get(name).into_iter().flatten().copied()).collect()
    };
    let functions: Vec<_> = ir.functions.iter().map(|it| with(it.name, it.allow)).collect();
    let variables: Vec<_> = ir.variables.iter().map(|it| with(it.name, it.allow)).collect();
    let functions: Vec<Function<'_>> = ir
        .functions
        .iter()
        .zip(&functions)
        .map(|(function, allow)| Function { allow, ..**function })
        .collect();
    let variables: Vec<Variable<'_>> = ir
        .variables
        .iter()
        .zip(&variables)
        .map(|(variable, allow)| Variable { allow, ..**variable })
        .collect();
    let functions: Vec<&Function<'_>> = functions.iter().collect();
    let variables: Vec<&Variable<'_>> = variables.iter().collect();
    let module = Module { functions: &functions, variables: &variables, ..*ir };
    let mut is_new = false;
    for (diagnostic, _) in parsed.check_as(&module) {
        let hazard = diagnostic.code.filter(|_| diagnostic.kind == Kind::Hazard);
        if let (Some(code), Some(item)) = (hazard, source.item_before(diagnostic.range.start)) {
            is_new |= found.entry(item.name).or_default().insert(code);
        }
    }
    is_new
}
