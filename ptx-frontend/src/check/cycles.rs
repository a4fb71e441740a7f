//! Cycles of variables whose initial values refer to each other.

use ptx_analysis::Symbols;
use ptx_isa::ir::cycles;
use ptx_isa::rules;

use crate::ast::{Item, Module};
use crate::errors::Errors;

/// Reports each cycle once.
pub(super) fn check_cycles(module: &mut Module, symbols: &Symbols<'_>, errors: &mut Errors) {
    let leads = module.items.iter().map(|item| match item {
        Item::Variable(item) => {
            let addresses = item.addresses.iter();
            let found = addresses
                .filter_map(|address| symbols.variable(&address.symbol.to_string()))
                .map(|(symbol, _)| symbol.index);
            found.collect()
        }
        Item::Function(_) | Item::Rust(_) => Vec::new(),
    });
    let leads: Vec<Vec<usize>> = leads.collect();
    for i in cycles(&leads) {
        let Item::Variable(item) = &mut module.items[i] else { continue };
        for violation in rules::check_cycle(&item.name) {
            errors.on(&item.value, violation);
        }
        item.refused = true;
        module.refused = true;
    }
}
