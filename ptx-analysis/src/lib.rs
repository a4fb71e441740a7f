//! What PTX bodies do: the names in them resolved, the values in registers followed, every access
//! judged by the [rules](ptx_types::rules).
//!
//! [`analyse`] takes the IR of one body and what is known of what is around it, and answers with
//! findings, checks that have to wait for what is not known, and what the body uses. It sees no tokens and
//! no text, and prints nothing: places are numbers of statements and of their tokens, which the callers
//! map to their source. There are three: the macro, a reader of PTX text, and [`check_module`] for a whole
//! module at run time.

#![no_std]

extern crate alloc;

mod claim;
mod compare;
mod copy;
pub mod deferred;
mod effects;
mod evaluate;
mod expression;
mod finding;
mod fixpoint;
mod form;
mod judge;
mod launch;
mod location;
mod memory;
mod module;
mod node;
mod number;
mod place;
mod report;
mod resolve;
mod scope;
mod state;
mod storage;
mod symbols;
mod transactions;
mod unit;
mod value;

pub use claim::Condition;
pub use finding::{Broken, Finding, Problem, Undeclared};
pub use launch::Block;
pub use memory::MemoryOperand;
pub use module::{ModuleFinding, check_module};
pub use number::{Linear, Product, Sum};
pub use place::Place;
pub use symbols::{Symbol, Symbols, is_member};
pub use unit::{Allowance, Analysis, Constants, Declared, Rename, Unit, Uses, VariableUse};

use ptx_types::rules;

use crate::report::Report;

/// Analyses a body: resolves its names, follows the values in its registers, and judges what its
/// instructions do. Of a body with a statement of which nothing is known nothing is found.
pub fn analyse<'a>(unit: Unit<'_, 'a>) -> Analysis<'a> {
    let mut report = Report::new(unit.allowed);
    let Some(mut resolution) = resolve::resolve(unit, &mut report) else {
        return Analysis::default();
    };
    judge::judge(unit, &mut resolution, &mut report);
    report.report_unneeded();
    for (name, place) in &resolution.specials {
        for violation in rules::check_special(name, unit.environment) {
            report.refuse(violation, *place);
        }
    }
    let mut uses = resolution.uses;
    uses.specials = resolution.specials.iter().map(|(name, _)| *name).collect();
    uses.specials.sort_unstable();
    uses.specials.dedup();
    uses.variables.sort_unstable();
    uses.variables.dedup();
    uses.functions.sort_unstable();
    uses.functions.dedup();
    let Report { findings, deferred, arguments, demands, allowances, .. } = report;
    Analysis {
        findings,
        deferred,
        arguments,
        demands,
        allowances,
        uses,
        renames: resolution.renames,
    }
}
