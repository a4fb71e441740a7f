//! For tools that have a module as IR and want its bodies checked: resolves their names, follows the values in registers and checks every access
//! against the [rules](ptx_isa::rules).
//!
//! [`check()`] takes the IR of a module and what is [`Known`] besides, and returns a [`Report`]: findings, and checks that
//! are deferred until more is known. It works on neither tokens nor text and prints nothing: places are indices in the IR,
//! which the callers map to their source. These are the macro and the reader of PTX text; [`check_module`] asks for the
//! broken rules alone, at run time.
//!
//! The modules, each of which uses only those before it: `flow`, a body as a graph; `values`, what registers hold;
//! `findings`, what an analysis is given and returns; `names`; `calls`; `domains`, what else is followed; `accesses`,
//! the checks of every access; `order`, what the threads of a launch do one after the other; and `check`, of statements,
//! bodies and modules.

#![forbid(unsafe_code)]
#![no_std]

extern crate alloc;

mod accesses;
mod calls;
mod check;
mod domains;
mod findings;
mod flow;
mod names;
mod order;
#[cfg(test)]
mod tests;
mod values;

pub use calls::uses;
pub use check::assumed::{AssumedFinding, CheckedBody};
pub use check::module::{Demand, Known, Report, Unknown, check, check_module};
pub use check::register_values::{KnownNumber, KnownValue, RegisterValue, register_values};
pub use findings::deferred;
pub use findings::finding::{Finding, Problem, Stop, Undeclared};
pub use findings::order::Order;
pub use findings::symbols::{Symbol, Symbols};
pub use findings::unit::{Allowance, Analysis, Rename};
pub use flow::memory::MemoryOperand;
pub use flow::object::VariableUse;
pub use flow::place::Place;
pub use ptx_isa::ir::Passed;
pub use values::claim::Condition;
pub use values::launches::{Following, Launch, Launches};
pub use values::number::{Linear, Product, Sum};

/// Runs the example in the README as a doctest.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
