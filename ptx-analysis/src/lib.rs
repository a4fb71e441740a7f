//! Analyses PTX bodies: resolves their names, follows the values in registers and checks every access
//! against the [rules](ptx_isa::rules).
//!
//! [`analyse`] takes the IR of one body and what is known about its surroundings. It returns findings, checks
//! that are deferred until more is known, and what the body uses. It works on neither tokens nor text and
//! prints nothing: places are statement and token indices, which the callers map to their source.
//! The macro calls it for each body. [`check`] is for a whole module, declarations included: the reader of PTX text
//! tells it what is [`Known`] besides the IR, and shows its [`Report`]; [`check_module`] asks for the broken rules
//! alone, at run time.

#![forbid(unsafe_code)]
#![no_std]

extern crate alloc;

mod access;
mod address;
mod aliases;
mod analysis;
mod argument;
mod asked;
mod bits;
mod block_barrier;
mod bound;
mod call;
mod callers;
mod chains;
mod checker;
mod claim;
mod coherence;
mod compare;
mod constants;
mod contents;
mod coordinates;
mod copy;
pub mod deferred;
mod directives;
mod doubt;
mod effects;
mod effort;
mod evaluate;
mod executions;
mod expression;
mod families;
mod finding;
mod fixpoint;
mod flags;
mod form;
mod formats;
#[cfg(test)]
mod golden;
mod graph;
mod guarded;
mod holding;
#[cfg(test)]
mod interpreter;
mod jump;
mod labels;
mod launch;
mod location;
mod loops;
mod memory;
mod misplaced;
mod module;
mod name_table;
mod needs;
mod node;
mod number;
mod number_uses;
mod object;
mod operand_kinds;
mod operand_types;
mod operation;
mod order;
mod origin;
mod passed;
mod place;
#[cfg(test)]
mod programs;
mod protocol;
mod reach;
mod refine;
mod registers;
mod report;
mod resolve;
mod resolver;
mod returns;
mod run;
#[cfg(test)]
mod sample;
mod scope;
#[cfg(test)]
mod soundness;
mod spelling;
mod state;
mod storage;
mod storage_names;
mod surface;
mod symbols;
mod tensor;
#[cfg(test)]
mod text_nodes;
mod tile;
mod together;
mod transactions;
mod unit;
mod unwritten;
mod value;
mod walk;
mod warpgroup;

pub use analysis::analyse;
pub use argument::{Argument, Called, SureCall};
pub use callers::Callers;
pub use claim::Condition;
pub use constants::Constants;
pub use finding::{BodyFinding, Broken, Problem, Undeclared};
pub use launch::{Block, cluster};
pub use memory::MemoryOperand;
pub use misplaced::{Misplaced, Wanted};
pub use module::{Finding, Known, Report, check, check_module};
pub use number::{Linear, Product, Sum};
pub use object::VariableUse;
pub use order::{Before, Order};
pub use place::Place;
pub use symbols::{Symbol, Symbols};
pub use unit::{Allowance, Analysis, Declared, Rename, Unit, Uses};

/// Runs the example in the README as a doctest.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
