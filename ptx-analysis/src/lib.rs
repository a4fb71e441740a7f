//! Analyses PTX bodies: resolves their names, follows the values in registers and checks every access
//! against the [rules](ptx_isa::rules).
//!
//! [`analyse`] takes the IR of one body and what is known about its surroundings. It returns findings, and
//! checks that are deferred until more is known. It works on neither tokens nor text and
//! prints nothing: places are statement and token indices, which the callers map to their source.
//!
//! [`check()`] is for a whole module, declarations included, and has three callers: the macro and the reader of PTX text
//! tell it what is [`Known`] besides the IR, and show its [`Report`]; [`check_module`] asks for the broken rules alone,
//! at run time.
//!
//! The modules, each of which uses only those before it: `flow`, a body as a graph; `values`, what registers hold;
//! `findings`, what an analysis is given and returns; `names`; `calls`; `domains`, what else is followed; `accesses`,
//! the checks of every access; and `check`, of statements, bodies and modules.

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
#[cfg(test)]
mod tests;
mod values;

pub use calls::callers::Callers;
pub use calls::uses;
pub use check::analysis::analyse;
pub use check::assumed::CheckedBody;
pub use check::module::{Demand, Known, Report, Unknown, check, check_module};
pub use findings::deferred;
pub use findings::finding::{Finding, Problem, Undeclared};
pub use findings::misplaced::{Misplaced, Wanted};
pub use findings::order::{Before, Order};
pub use findings::symbols::{Symbol, Symbols};
pub use findings::unit::{Allowance, Analysis, Declared, Rename, Unit};
pub use flow::memory::MemoryOperand;
pub use flow::object::VariableUse;
pub use flow::place::Place;
pub use values::argument::{Argument, Called, SureCall};
pub use values::claim::Condition;
pub use values::constants::Constants;
pub use values::launch::{Block, cluster};
pub use values::number::{Linear, Product, Sum};

/// Runs the example in the README as a doctest.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
