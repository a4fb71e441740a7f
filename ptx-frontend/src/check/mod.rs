//! The rules at macro expansion: a module is lowered to IR with unknowns and checked, and findings are reported at the
//! tokens at fault.

mod body;
mod checked;
mod imports;
mod known;
mod lower;
mod names;
mod once;
mod place;
mod report;
mod sizes;
mod unused;
mod variable;

use core::mem::take;

use bumpalo::Bump;
use ptx_analysis::check;
use ptx_isa::rules;
use ptx_isa::sorted::SortedSet;
use syn::Ident;

use crate::ast::{Item, Module};
use crate::attribute::is_conditional;
use crate::errors::Errors;
use crate::foreign::refuse_foreign;
use crate::integers::Integers;
use crate::name::name_of_outside;
use crate::types::Lowering;

pub use body::{Assumed, CheckedBody};
pub use checked::{Checked, OtherKernel};
use known::InTokens;
use names::Names;
pub use place::{location, tokens_over};
use report::Reporter;
pub use unused::{AllUnused, Unused};
pub use variable::is_family;

/// Checks every rule for every item.
pub(crate) fn check_module<'a>(
    mut module: Module,
    arena: &'a Bump,
    errors: &mut Errors,
) -> Checked<'a> {
    let mut unreported = Errors::default();
    let errors = if module.args.is_unchecked { &mut unreported } else { errors };
    let lowering = &Lowering::of(rust_items(&module), arena);
    refuse_foreign_types(&mut module, lowering, errors);
    let lacks_imports = imports::check_imports(&module, errors);
    leave_out_duplicates(&mut module, errors);
    let integers = Integers::default().with(rust_items(&module));
    let lowered = lower::lower_module(&mut module, &integers, lowering);
    let names = Names::of(&module);
    let mut report = check(&lowered.ir, &InTokens::of(&module, &lowered));
    let (bodies, demands) = (take(&mut report.bodies), take(&mut report.demanded));
    let mut reporter = Reporter::new(&names, &report, &lowered);
    reporter.report_wide_directives(&mut module);
    for finding in &report.findings {
        reporter.report(&mut module, finding);
    }
    variable::check_values(&mut module, &lowered.ir, &mut reporter);
    let mut bodies = body::check_bodies(&mut module, &lowered, bodies, &mut reporter);
    let mut demanded = Vec::new();
    for demand in demands {
        body::defer(&module, demand, &mut bodies, &mut demanded);
    }
    let several_returns = lowered.ir.functions.iter().any(|function| function.returns.len() > 1);
    let bytes = lowered.ir.variables.iter().map(|variable| variable.bytes()).collect();
    reporter.finish(&mut module, errors);
    names.leave_out_macros(&mut module);
    let mut checked = Checked {
        module,
        bodies,
        bytes,
        demanded,
        several_returns,
        lacks_imports,
        unused: AllUnused::default(),
        wanting: None,
        others: Vec::new(),
        partial: Vec::new(),
        other_kernels: Vec::new(),
    };
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
            // Its types are those of the module that declares it.
            Item::Function(item) if !item.outside.is_empty() => {}
            Item::Function(item) => {
                for param in item.params.iter_mut().chain(&mut item.returns) {
                    param.refused |= refuse_foreign(&mut param.ty, declared, report);
                }
            }
            Item::Rust(_) => {}
        }
    }
}

/// Reports the second of two items of one name and leaves it out, so that neither rustc nor another rule reports it.
/// Items that `cfg` may remove are left to rustc.
fn leave_out_duplicates(module: &mut Module, errors: &mut Errors) {
    let mut seen = SortedSet::new();
    module.items.retain_mut(|item| {
        let (ident, name, attrs) = match &*item {
            Item::Variable(item) => (&item.ident, &item.name, &item.attrs),
            Item::Function(item) => (&item.ident, &item.name, &item.attrs),
            Item::Rust(_) => return true,
        };
        if is_conditional(attrs) || seen.insert(name.clone()) {
            return true;
        }
        let at = ident.span();
        if let Item::Function(function) = item
            && !function.outside.is_empty()
        {
            let clash = rules::name_clash(&function.name, &function.name);
            errors.at(at, clash.as_str());
            // What calls it is checked all the same.
            function.name = name_of_outside(&function.name, true);
            function.refused = true;
            return true;
        }
        // The item is left out of the IR, so that no rule sees it there.
        let name = item.name().unwrap_or_default();
        for violation in rules::check_duplicate(name, name) {
            errors.at(at, violation);
        }
        false
    });
}

/// The Rust items in a module.
fn rust_items(module: &Module) -> impl Iterator<Item = &syn::Item> {
    module.items.iter().filter_map(|item| match item {
        Item::Rust(item) => Some(&**item),
        Item::Variable(_) | Item::Function(_) => None,
    })
}
